"""The verbs compare and gate, from the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from snellen.cli.compare import command as compare_command
from snellen.cli.gate import command as gate_command
from snellen.comparing import compare, gate
from snellen.errors import UsageError
from tests.reports.scored_runs import write_run


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    """A baseline and a run that lost ten points."""
    first = write_run(tmp_path / "a", [1.0] * 300 + [0.0] * 100, tags={"step": "1"})
    second = write_run(tmp_path / "b", [1.0] * 260 + [0.0] * 140, model__name="b", tags={"step": "2"})
    return str(first), str(second)


def test_compare_prints_and_writes(folders: tuple[str, str], tmp_path: Path) -> None:
    """The table on the terminal, a page and Markdown beside it."""
    page, text = tmp_path / "c.html", tmp_path / "c.md"
    result = CliRunner().invoke(compare_command, [*folders, "--html", str(page), "--markdown", str(text)])
    assert result.exit_code == 0, result.output
    assert "b is worse than model-a: −10.0 points" in result.output
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert "| overall | 400 | 75.0 | 65.0 | −10.0 |" in text.read_text("utf-8")


def test_compare_as_json_is_the_same_each_time(folders: tuple[str, str]) -> None:
    """Strict JSON, bit-identical for the same seed."""
    first, second = (CliRunner().invoke(compare_command, [*folders, "--json"]).output for _ in range(2))
    assert first == second
    assert json.loads(first)["groups"][0]["against_baseline"][0]["n_losses"] == 40


def test_trend_and_leaderboard_options(folders: tuple[str, str], tmp_path: Path) -> None:
    """Both views print; together they are refused."""
    trend = CliRunner().invoke(compare_command, ["--trend", *folders, "--html", str(tmp_path / "t.html")])
    assert trend.exit_code == 0, trend.output
    assert "noise of the last checkpoints" in trend.output
    board = CliRunner().invoke(compare_command, ["--leaderboard", folders[0], "--json"])
    assert json.loads(board.output)["benchmark"] == "DatBench"
    both = CliRunner().invoke(compare_command, ["--trend", "--leaderboard", *folders])
    assert isinstance(both.exception, UsageError)


def test_gate_exit_codes(folders: tuple[str, str]) -> None:
    """1 for a drop, 0 the other way round, 3 when the limit lies inside the interval; one line each."""
    for arguments, code, word in (
        ([folders[1], "--baseline", folders[0]], 1, "FAIL"),
        ([folders[0], "--baseline", folders[1]], 0, "PASS"),
        ([folders[1], "--baseline", folders[0], "--max-drop", "10"], 3, "UNDECIDED"),
    ):
        result = CliRunner().invoke(gate_command, arguments)
        assert result.exit_code == code, result.output
        assert result.output.startswith(word)
        assert result.output.count("\n") == 1
    record = json.loads(CliRunner().invoke(gate_command, [folders[1], "--baseline", folders[0], "--json"]).output)
    assert record["exit_code"] == 1


def test_no_run_is_a_usage_error_not_a_failure(folders: tuple[str, str], tmp_path: Path) -> None:
    """A missing or unscored folder is exit 2, so that it never reads as a drop."""
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "nowhere", tmp_path / "empty"):
        with pytest.raises(UsageError):
            gate(folder, Path(folders[0]), max_drop=1.0)
    with pytest.raises(UsageError, match="given twice"):
        compare([Path(folders[0]), Path(folders[0])])
    command = [sys.executable, "-m", "snellen", "gate", str(tmp_path / "nowhere"), "--baseline", folders[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_pictures_of_changed_samples_come_from_the_run(tmp_path: Path) -> None:
    """A stored picture is shown small, as data in the page; a missing one is left out."""
    samples = [{"images": ["abc"]}, {"images": ["def"]}]
    first = write_run(tmp_path / "a", [1.0, 1.0], samples=samples)
    second = write_run(tmp_path / "b", [0.0, 0.0], samples=samples, model__name="b")
    (first / "images").mkdir()
    Image.new("RGB", (2000, 1000), "red").save(first / "images" / "abc.png")
    page = compare([first, second]).page()
    assert page.count("<img ") == 1
    assert len(page) < 60_000


def test_pictures_come_from_the_benchmark_too(tmp_path: Path) -> None:
    """Where nothing was stored, the benchmark's own pictures are shown, if it is still the same."""
    from snellen import benchmarks

    chart = benchmarks.load("eyechart/letters")
    ids = [row.id for row in chart.index()]
    samples = [{"id": name, "images": [f"hash{i}"]} for i, name in enumerate(ids)]
    about = {"benchmark__name": "eyechart/letters", "samples": samples}
    right, wrong = [1.0] * len(ids), [0.0] * len(ids)
    for fingerprint, n_pictures in ((chart.fingerprint, len(ids)), ("another", 0)):
        folder = tmp_path / fingerprint[:8]
        first = write_run(folder / "a", right, benchmark__fingerprint=fingerprint, **about)
        second = write_run(folder / "b", wrong, benchmark__fingerprint=fingerprint, model__name="b", **about)
        assert compare([first, second]).page().count("<img ") == n_pictures
