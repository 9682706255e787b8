"""`snellen doctor`: what it finds on good and on broken machines."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from snellen import doctoring
from tests.conftest import snellen
from tests.servers import FaultyServer


def finding(name: str, **options: object) -> doctoring.Finding:
    """One finding by its name."""
    (found,) = [one for one in doctoring.examine(**options) if one.name == name]  # type: ignore[arg-type]
    return found


def test_a_fit_machine(tmp_path: Path) -> None:
    """Python, packages, the drop-in and the run folder are fine here, and the exit code says so."""
    done = snellen("doctor", "--out", tmp_path, "--json", env={"OPENAI_BASE_URL": ""})
    assert done.returncode == 0, done.stdout
    states = {one["name"]: one["state"] for one in json.loads(done.stdout)["findings"]}
    assert {name: states[name] for name in ("python", "packages", "datbench", "write access", "server")} == {
        "python": "ok", "packages": "ok", "datbench": "ok", "write access": "ok", "server": "note"
    }  # fmt: skip


def test_the_packages_looked_for_are_those_that_are_declared() -> None:
    """`pip install snellen` brings exactly what doctor asks for, so that a fresh machine is found fit."""
    declared = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ]
    names = {re.split(r"[^\w-]", line)[0].replace("pillow", "PIL") for line in declared}
    assert set(doctoring._NEEDED) == names


def test_another_datbench_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of that name that comes first on the path is a problem with its place."""
    (tmp_path / "datbench").mkdir()
    (tmp_path / "datbench" / "__init__.py").write_text("")
    done = snellen("doctor", "--out", tmp_path, env={"PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert done.returncode == 1
    assert str(tmp_path / "datbench") in done.stdout
    assert "drop-in" in done.stdout


def test_another_distribution_of_the_name_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution that brings a `datbench` too is a problem, with the command that mends it."""
    monkeypatch.setattr(
        doctoring.metadata, "packages_distributions", lambda: {"datbench": ["datbench-eval", "snellen"]}
    )
    monkeypatch.setattr(doctoring.metadata, "version", lambda _name: "1.0.0")
    found = finding("datbench")
    assert (found.state, "pip uninstall datbench-eval" in found.text) == ("problem", True)


def test_a_server_that_answers_and_one_that_does_not(tmp_path: Path) -> None:
    """A closed port is a problem with its address; a live server is not."""
    closed = finding("server", base_url="http://127.0.0.1:9", out=tmp_path, timeout_s=2.0)
    assert closed.state == "problem"
    assert "http://127.0.0.1:9/v1/models cannot be reached" in closed.text
    bad = finding("server", base_url="not an address", out=tmp_path)
    assert bad.state == "problem"
    with FaultyServer() as server:
        found = finding("server", base_url=server.url, out=tmp_path, timeout_s=1.0)
    assert server.url in found.text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_a_problem(tmp_path: Path) -> None:
    """A folder that cannot be written is named."""
    tmp_path.chmod(0o500)
    assert finding("write access", out=tmp_path / "runs").state == "problem"


def test_an_old_python_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version needed is said."""
    monkeypatch.setattr(doctoring, "OLDEST_PYTHON", (sys.version_info.major, sys.version_info.minor + 1))
    assert finding("python").state == "problem"
