"""Imported predictions as runs: scored, resumed, compared; matched to a benchmark or with questions of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen import comparing
from snellen.errors import UsageError
from snellen.importing import import_run
from tests.conftest import snellen


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A JSON lines file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def rows_of(answers: list[str | None]) -> list[dict[str, Any]]:
    """Predictions of questions whose answer is 3."""
    return [
        {"id": f"q{i}", "question": f"How many? {i}", "answer": "3", "response": a} for i, a in enumerate(answers)
    ]


def test_a_file_alone_becomes_a_scored_run(tmp_path: Path) -> None:
    """Right, wrong and missing; what the file lacks is said; the same command again asks nothing."""
    path = lines(tmp_path / "mine.jsonl", rows_of(["3", "Answer: 4", None, "three"]))
    options = {"out": str(tmp_path / "runs")}
    result = import_run(path, "jsonl", options, name="my-model")
    assert [row["state"] for row in result.rows()] == ["scored", "scored", "error", "scored"]
    assert [row["value"] for row in result.rows()] == [1.0, 0.0, None, 1.0]
    assert result.spec["model"]["name"] == "imported:my-model"
    assert any("1 of 4 rows have no answer" in note for note in result.facts["notes"])
    again = import_run(path, "jsonl", options, name="my-model")
    assert again.folder == result.folder
    assert again.facts["resumed"]


def test_two_models_on_one_task_compare_without_more_ado(tmp_path: Path) -> None:
    """Their questions are the same file, whatever they answered."""
    runs = []
    for name, answers in (("a", ["3", "3", "4", "4"]), ("b", ["3", "3", "3", "4"])):
        path = lines(tmp_path / f"{name}.jsonl", rows_of(list(answers)))
        runs.append(import_run(path, "jsonl", {"out": str(tmp_path / "runs")}, name=name).folder)
    compared = comparing.compare(runs).comparison
    assert compared.overall.differences[0].difference == pytest.approx(0.25)


def test_another_file_under_the_same_name_is_another_run(tmp_path: Path) -> None:
    """Old answers are never mixed with new ones."""
    path = lines(tmp_path / "mine.jsonl", rows_of(["3", "3"]))
    before = import_run(path, "jsonl", {"out": str(tmp_path / "runs")}, name="m")
    lines(path, rows_of(["4", "4"]))
    after = import_run(path, "jsonl", {"out": str(tmp_path / "runs")}, name="m")
    assert (before.score, after.score) == (1.0, 0.0)
    assert before.folder != after.folder


@pytest.mark.parametrize(("ids", "how"), [(["q0", "q1", "q2"], "id"), (["a", "b", "c"], "question")])
def test_predictions_find_a_benchmark_s_samples(
    questions: Callable[..., Path], tmp_path: Path, ids: list[str], how: str
) -> None:
    """By id, else by question; and the run compares with one made here."""
    file = questions([f"How many? {i}" for i in range(3)])
    rows = [{"id": key, "question": f"how  many? {i}", "response": "3"} for i, key in enumerate(ids)]
    path = lines(tmp_path / "theirs.jsonl", [*rows, {"id": "zz", "question": "another", "response": "3"}])
    result = import_run(path, "jsonl", {"benchmark": f"file:{file}", "out": str(tmp_path / "runs")})
    assert result.score == 1.0
    notes = " ".join(result.facts["notes"])
    assert f"by {how}" in notes
    assert "1 predictions fit no sample" in notes
    ours = snellen("run", f"file:{file}", "--model", "prior", "--out", tmp_path / "runs", "--json")
    assert comparing.compare([Path(json.loads(ours.stdout)["run"]), result.folder]).comparison.overall.n_samples == 3


def test_positions_are_taken_where_nothing_else_fits(questions: Callable[..., Path], tmp_path: Path) -> None:
    """A doc_id is the row's number."""
    file = questions([f"How many? {i}" for i in range(4)])
    rows = [{"doc_id": i, "doc": {}, "target": "3", "resps": [["3"]]} for i in (1, 3)]
    path = lines(tmp_path / "samples_t.jsonl", rows)
    result = import_run(path, "lmms-eval", {"benchmark": f"file:{file}", "out": str(tmp_path / "runs")})
    assert [row["state"] for row in result.rows()] == ["error", "scored", "error", "scored"]


def test_predictions_of_something_else_are_refused(questions: Callable[..., Path], tmp_path: Path) -> None:
    """With both kinds of ids, so that one sees why."""
    file = questions(["How many? 0"])
    path = lines(tmp_path / "theirs.jsonl", [{"id": "x77", "question": "?", "response": "3"}])
    with pytest.raises(UsageError, match=r"x77.*q0"):
        import_run(path, "jsonl", {"benchmark": f"file:{file}"})


def test_many_missing_answers_at_the_start_do_not_end_the_import(tmp_path: Path) -> None:
    """They are missing, and the rest is scored."""
    path = lines(tmp_path / "mine.jsonl", rows_of([*[None] * 30, "3", "3"]))
    result = import_run(path, "jsonl", {"out": str(tmp_path / "runs")})
    assert result.summary.overall.n_scored == 2
    assert not result.stopped


def test_repeats_become_epochs(tmp_path: Path) -> None:
    """Several answers to one question."""
    rows = [{"doc_id": 0, "doc": {"question": "Q"}, "target": "3", "resps": [["3", "4", "3"]]}]
    result = import_run(lines(tmp_path / "samples_t.jsonl", rows), "lmms-eval", {"out": str(tmp_path / "runs")})
    assert [row["value"] for row in result.rows()] == [1.0, 0.0, 1.0]


def test_the_command(tmp_path: Path) -> None:
    """It prints the table like any run; a wrong kind is one sentence."""
    path = lines(tmp_path / "mine.jsonl", rows_of(["3", "4"]))
    done = snellen("import", path, "--from", "jsonl", "--out", tmp_path / "runs", "--tag", "step=3")
    assert done.returncode == 0, done.stderr
    assert "overall" in done.stdout
    assert "no number of tokens" in done.stdout
    wrong = snellen("import", path, "--from", "lmms")
    assert wrong.returncode == 2
    assert "lmms-eval" in wrong.stderr


def test_a_file_of_several_models_is_not_one_run(tmp_path: Path) -> None:
    """Without a name it is refused with the names; with one of them, only that model's answers are taken."""
    rows = [{**row, "model": name} for name, a in (("good", "3"), ("bad", "4")) for row in rows_of([a, a])]
    path = lines(tmp_path / "all.jsonl", rows)
    options = {"out": str(tmp_path / "runs")}
    with pytest.raises(UsageError, match=r"answers of 2 models; take one with --name: good, bad"):
        import_run(path, "jsonl", options)
    scores = {name: import_run(path, "jsonl", options, name=name).score for name in ("good", "bad")}
    assert scores == {"good": 1.0, "bad": 0.0}


def test_a_second_answer_to_one_question_is_said(tmp_path: Path) -> None:
    """The first counts; that another was left out is no secret."""
    path = lines(tmp_path / "twice.jsonl", [*rows_of(["3", "3"]), *rows_of(["4"])])
    result = import_run(path, "jsonl", {"out": str(tmp_path / "runs")}, name="m")
    assert result.score == 1.0
    assert any("1 predictions fit no sample, or one that has an answer" in note for note in result.facts["notes"])
