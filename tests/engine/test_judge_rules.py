"""Verdicts beside the fair rules, overall and by source data set."""

from __future__ import annotations

import json
from pathlib import Path

from snellen import running
from snellen.config import merge
from snellen.engine.judge_rules import against_rules
from snellen.scores_file import write_scores


def scores(folder: Path, rows: list[tuple[str, float | None, float | None, str]]) -> Path:
    """A score file with (dataset, verdict's value, rule's value, verdict) rows."""
    made = (
        {"position": i, "sample_id": str(i), "epoch": 0, "key": "k", "reference_key": "r", "dataset": dataset,
         "state": "scored", "value": value, "rule_value": rule, "verdict": verdict}
        for i, (dataset, value, rule, verdict) in enumerate(rows)
    )  # fmt: skip
    assert list(write_scores(folder / "scores.parquet", made))
    return folder


def test_counts_agreement_and_kappa(tmp_path: Path) -> None:
    """By hand: 3 of 4 agree; unreadable verdicts and rows without a rule are left out."""
    rows = [
        ("a", 1.0, 1.0, "correct"), ("a", 1.0, 0.0, "correct"), ("b", 0.0, 0.0, "incorrect"),
        ("b", 0.0, 0.0, "incorrect"), ("b", None, 1.0, "unparsed"), ("b", 1.0, None, "correct"),
    ]  # fmt: skip
    found = against_rules(scores(tmp_path, rows))
    assert found is not None
    overall = found["overall"]
    assert (overall["n"], overall["both_right"], overall["judge_only"], overall["rules_only"]) == (4, 1, 1, 0)
    assert overall["observed"]["value"] == 0.75
    assert round(overall["kappa"]["value"], 3) == 0.5
    assert found["b"]["observed"]["value"] == 1.0
    assert "agree on 3 of 4 answers (75.0 %, kappa 0.50)" in found["sentence"]


def test_without_verdicts_there_is_nothing(tmp_path: Path) -> None:
    """Rules alone agree with nobody."""
    assert against_rules(scores(tmp_path, [("a", 1.0, None, "")])) is None


def test_a_judged_run_says_it(tmp_path: Path) -> None:
    """In its facts, its notes and its report."""
    file = tmp_path / "q.jsonl"
    file.write_text("".join(json.dumps({"id": str(i), "question": f"Q{i}?", "answer": "3"}) + "\n" for i in range(6)))
    options = merge(
        {}, {"benchmark": f"file:{file}", "model": "live", "out": str(tmp_path / "r"), "judge": ("rule",)}
    )
    result = running.run(options, model=lambda question: "three" if "1" in question else "4")
    table = result.facts["judging"]["against_rules"]["overall"]
    assert table["n"] == 6
    assert any("judge and fair rules agree on" in note for note in result.facts["notes"])
    assert "against_rules" in (result.folder / "report.html").read_text()
