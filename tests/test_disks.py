"""Real disks that fill up or cannot be written: small tmpfs mounts, where this machine allows them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import snellen, write_questions
from tests.servers import FaultyServer

pytestmark = pytest.mark.slow


def mount(folder: Path, options: str) -> None:
    """Mount a tmpfs, or skip."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("this machine lets us mount no tmpfs")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 80 KB."""
    if os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("mounting needs root on Linux")
    folder = tmp_path / "disk"
    mount(folder, "size=80k")
    yield folder
    subprocess.run(["umount", str(folder)], check=False)


def command(file: Path, url: str, out: Path) -> tuple[str | Path, ...]:
    """Arguments of the run."""
    return (
        "run",
        f"file:{file}",
        "--model",
        "openai:m",
        "--base-url",
        url,
        "--out",
        out,
        "--no-sight-check",
        "--json",
    )


def test_a_full_disk_is_named_and_after_freeing_space_the_resume_works(small_disk: Path, tmp_path: Path) -> None:
    """Nothing that was answered is lost, nothing is damaged."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(150)])
    ballast = small_disk / "ballast"
    with FaultyServer() as server:
        stopped = snellen(*command(file, server.url, small_disk / "runs"))
        assert stopped.returncode == 1
        assert "no space left" in stopped.stderr
        assert "Traceback" not in stopped.stderr
        n_answered = sum(server.answered.values())
        assert 10 < n_answered < 150
        ballast.unlink(missing_ok=True)
        subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
        server.seen.clear()
        done = snellen(*command(file, server.url, small_disk / "runs"))
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["n_scored"] == 150
        assert sum(server.seen.values()) <= 150 - n_answered + 64


def test_a_read_only_folder_is_one_sentence(small_disk: Path, tmp_path: Path) -> None:
    """It says which folder and what to do."""
    file = write_questions(tmp_path / "data", ["[q0] How many?"])
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with FaultyServer() as server:
        done = snellen(*command(file, server.url, small_disk / "runs"))
        assert not server.seen
    assert done.returncode == 1
    assert str(small_disk) in done.stderr
    assert "--out" in done.stderr
    assert done.stderr.count("\n") == 1
