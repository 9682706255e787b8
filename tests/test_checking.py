"""`snellen check`: each fault is found with its ids, sound data has no findings, and the exit code says so."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from snellen.benchmarks import load
from snellen.checking import CheckReport, check, chi_square_tail, key_letter, lines_of
from snellen.cli.check import command
from snellen.types import Sample


def picture(seed: int, size: int = 24) -> bytes:
    """A small picture, different for each seed."""
    buffer = io.BytesIO()
    Image.new("RGB", (size, size), (seed * 37 % 256, seed * 91 % 256, seed % 256)).save(buffer, "PNG")
    return buffer.getvalue()


def write(folder: Path, rows: list[dict[str, Any]]) -> str:
    """Write rows with a picture each, unless they bring their own; return the benchmark's name."""
    for number, row in enumerate(rows):
        if "image" not in row:
            (folder / f"{number}.png").write_bytes(picture(number))
            row["image"] = f"{number}.png"
        row.setdefault("id", f"q{number}")
        row.setdefault("question", f"What is {number}?")
        row.setdefault("answer", f"answer {number}")
    (folder / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"file:{folder / 'q.jsonl'}"


def checked(folder: Path, rows: list[dict[str, Any]]) -> CheckReport:
    """Check rows."""
    return check(load(write(folder, rows), options={"skip_damaged": True}), n_threads=2)


def only(report: CheckReport) -> tuple[str, tuple[str, ...]]:
    """The one finding."""
    (finding,) = report.findings
    return finding.kind, finding.ids


def test_sound_data_has_no_findings(tmp_path: Path) -> None:
    """Twenty good questions pass."""
    report = checked(tmp_path, [{} for _ in range(20)])
    assert report.ok
    assert (report.n_samples, report.n_images) == (20, 20)
    assert list(lines_of(report)) == [f"file:{tmp_path / 'q.jsonl'}: 20 samples, 20 images, nothing found"]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"image": None}, "missing image"),
        ({"image": "gone.png"}, "unreadable image"),
        ({"image": "https://example.org/a.png"}, "unreadable image"),
        ({"answer": ""}, "empty answer"),
        ({"answer": None}, "empty answer"),
        ({"choices": ["red", "blue"], "answer": "green"}, "no such option"),
        ({"choices": ["red", "blue"], "answer": "C"}, "no such option"),
        ({"choices": ["red", "red", "blue"], "answer": "C"}, "repeated option"),
        ({"question": "The cat is black. Which colour has the cat?", "answer": "black"}, "answer in question"),
        ({"metadata": "{torn"}, "metadata"),
        ({"dataset": "tallyqa"}, "metadata"),
    ],
)
def test_each_fault_is_found_with_its_id(tmp_path: Path, row: dict[str, Any], kind: str) -> None:
    """One bad row among good ones is named, and nothing else is."""
    report = checked(tmp_path, [{}, {"id": "bad", **row}, {}])
    assert only(report) == (kind, ("bad",))
    assert "bad" in report.findings[0].message


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Is it left or right of the door?", "answer": "right"},
        {"question": "Is it a bus, tram or train?", "answer": "tram"},
        {"question": "Answer with Yes/No. Is it open?", "answer": "No"},
        {"question": "Count the dots, e.g. {3}.", "answer": "3"},
        {"question": "Who painted the painter?", "answer": "paint"},
        {"choices": ["red", "None"], "answer": "None"},
        {"choices": ["red", "blue"], "answer": "(b)"},
        {"choices": ["3", "4"], "answer": "4"},
        {"choices": ["red", "blue"], "answer": "B"},
        {"answer": [0.1, 0.2, 0.3, 0.4]},
    ],
)
def test_what_only_looks_like_a_fault_is_left_alone(tmp_path: Path, row: dict[str, Any]) -> None:
    """Alternatives in the question, examples, word parts, letters and structured answers are no findings."""
    assert checked(tmp_path, [{}, {"id": "good", **row}]).ok


def test_damaged_pictures_are_found_by_decoding(tmp_path: Path) -> None:
    """A cut-off file whose header is fine is unreadable; each sample that shows it is named."""
    noise = io.BytesIO()
    Image.effect_noise((90, 90), 80).save(noise, "PNG")
    (tmp_path / "torn.png").write_bytes(noise.getvalue()[: len(noise.getvalue()) // 2])
    report = checked(tmp_path, [{"image": "torn.png"}, {"image": "torn.png", "question": "Other?"}, {}])
    assert [finding.ids for finding in report.by_kind()["unreadable image"]] == [("q0",), ("q1",)]


def test_repeated_ids_and_items_are_found(tmp_path: Path) -> None:
    """The same id, and the same question on the same picture with other answers, name all rows."""
    (tmp_path / "x.png").write_bytes(picture(77))
    same = {"image": "x.png", "question": "Which  colour?"}
    rows = [{"id": "a", **same, "answer": "red"}, {"id": "b", **same, "answer": "blue"}, {"id": "c"}, {"id": "c"}]
    found = checked(tmp_path, rows).by_kind()
    assert [finding.ids for finding in found["duplicate item"]] == [("a", "b")]
    assert "different answers" in found["duplicate item"][0].message
    assert "'c' stands on line 3 and on line 4" in found["duplicate id"][0].message
    assert set(found) == {"duplicate item", "duplicate id"}


def test_rotations_of_one_item_are_no_duplicates(tmp_path: Path) -> None:
    """Rows of one circular group may show the same question."""
    (tmp_path / "x.png").write_bytes(picture(5))
    row = {"image": "x.png", "question": "Which?", "answer": "red", "group": "g1"}
    assert checked(tmp_path, [{**row, "id": "a"}, {**row, "id": "b"}]).ok


def keyed(letters: str) -> list[dict[str, Any]]:
    """Four-option questions with these keys."""
    return [{"choices": [f"w{i}", f"x{i}", f"y{i}", f"z{i}"], "answer": one} for i, one in enumerate(letters)]


def test_a_key_that_prefers_a_letter_is_found(tmp_path: Path) -> None:
    """Thirty of forty keys on C is bias; ten of each, or few questions, is none."""
    kind, ids = only(checked(tmp_path, keyed("C" * 30 + "ABDABDABDA")))
    assert (kind, ids) == ("letter bias", ())
    assert checked(tmp_path, keyed("ABCD" * 10)).ok
    assert checked(tmp_path, keyed("C" * 12)).ok


@pytest.mark.parametrize(("statistic", "n_free"), [(0.0, 1), (3.84, 1), (9.49, 4), (7.81, 3), (50.0, 25), (200.0, 6)])
def test_the_chi_square_tail_agrees_with_scipy(statistic: float, n_free: int) -> None:
    """For odd and even degrees of freedom."""
    stats = pytest.importorskip("scipy.stats")
    assert chi_square_tail(statistic, n_free) == pytest.approx(stats.chi2.sf(statistic, n_free), rel=1e-9, abs=1e-30)


@pytest.mark.parametrize(
    ("references", "letter"),
    [(("blue",), "B"), (("B",), "B"), (("b.",), "B"), (("D",), None), (("green", "red"), "A"), ((), None)],
)
def test_the_key_may_be_a_letter_or_a_text(references: tuple[str, ...], letter: str | None) -> None:
    """Any accepted reference that is an option counts."""
    assert key_letter(Sample("1", (), "?", references=references, choices=("red", "blue"))) == letter


def test_damaged_rows_are_all_listed(tmp_path: Path) -> None:
    """A file with broken lines is checked to its end."""
    name = write(tmp_path, [{}, {"question": ""}])
    with (tmp_path / "q.jsonl").open("a") as file:
        file.write("{torn\n")
    found = check(load(name, options={"skip_damaged": True})).by_kind()
    assert [finding.message.split(":")[0] for finding in found["damaged row"]] == [
        "line 2, column 'question'",
        "line 3",
    ]


def test_the_command_exits_with_one_when_anything_is_found(tmp_path: Path) -> None:
    """Exit 0 for sound data; 1, the ids and a JSON form otherwise."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.mkdir()
    bad.mkdir()
    assert CliRunner().invoke(command, [write(good, [{}])]).exit_code == 0
    name = write(bad, [{"id": "x9", "answer": ""}])
    result = CliRunner().invoke(command, [name])
    assert result.exit_code == 1
    assert "empty answer: 1" in result.output
    assert "x9" in result.output
    record = json.loads(CliRunner().invoke(command, [name, "--json"]).output)
    assert record["counts"] == {"empty answer": 1}
    assert record["findings"][0]["ids"] == ["x9"]
