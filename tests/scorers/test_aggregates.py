"""The public library's per-dataset summaries over the reference vectors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from snellen.scorers import SCORERS, score_answer
from snellen.types import Score
from tests.scorers.test_golden import GOLDEN, differences, vectors

AGGREGATE_EXCEPTIONS: dict[str, str] = {}
"""Dataset → why its summaries differ from the public library's."""


def aggregates() -> list[dict[str, Any]]:
    """All summary vectors of datasets that have a row."""
    lines = [
        line
        for n in (1, 2)
        for line in (GOLDEN / f"golden-aggregates-{n}.jsonl").read_text("utf-8").split("\n")
        if line
    ]
    return [vector for vector in map(json.loads, lines) if vector["dataset"] in SCORERS]


def case_scores(dataset: str) -> dict[str, Score]:
    """Case → its score under the public library's rules."""
    return {v["case"]: score_answer(v["row"], v["output"], "datbench-1.0") for v in vectors(dataset)}


@pytest.mark.parametrize("dataset", sorted(SCORERS))
def test_summaries_of_the_public_library(dataset: str) -> None:
    """Every figure of the summary comes out under its key, and the overall accuracy is the mean score."""
    if dataset in AGGREGATE_EXCEPTIONS:
        pytest.skip(AGGREGATE_EXCEPTIONS[dataset])
    scores = case_scores(dataset)
    for vector in aggregates():
        if vector["dataset"] != dataset or "raises" in vector["expected"]:
            continue
        chosen = [scores[case] for case in vector["cases"]]
        summary = SCORERS[dataset].aggregate(chosen)
        assert differences(summary, vector["expected"], dataset) == [], vector["cases"][:3]
        overall = sum(score.value or 0.0 for score in chosen) / len(chosen)
        assert differences(overall, vector["summary"]["overall_accuracy"], "overall") == []
        assert sum(score.value or 0.0 for score in chosen) >= vector["summary"]["total_correct"] - 1e-9


@pytest.mark.parametrize("dataset", sorted(SCORERS))
def test_no_scores_and_failed_scores_have_a_summary(dataset: str) -> None:
    """A summary of nothing, of unscored samples and of failed ones never raises and holds no missing key."""
    aggregate = SCORERS[dataset].aggregate
    failed = Score(0.0, reason="metadata: broken", details={"score": 0.0})
    assert set(aggregate([])) <= set(aggregate([failed])) or aggregate([]) == {}
    assert isinstance(aggregate([Score(None, reason="too long"), failed]), dict)
