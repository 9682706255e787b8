"""The SCORERS table: one row per source dataset, two rule sets each.

`fair` is the metric as its paper defines it. `datbench-1.0` is the public library's number, faults included; rules
that exist only for that live in `datbench_1_0/`, so that deleting the folder leaves a clean scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from snellen.errors import UsageError
from snellen.rows import sample_from_row
from snellen.types import Sample, Score, Scorer, ScoringContext

Rules = Literal["fair", "datbench-1.0"]
RULES: tuple[Rules, ...] = ("fair", "datbench-1.0")

_ROWS: tuple[Scorer, ...] = (
    # -- text ---------------------------------------------------------------------------------------------------
    # -- documents and ocrbench ---------------------------------------------------------------------------------
    # -- choice and grounding -----------------------------------------------------------------------------------
    # -- chart and math -----------------------------------------------------------------------------------------
)

SCORERS: dict[str, Scorer] = {row.dataset: row for row in _ROWS}
"""Source dataset → its row."""


def score_answer(
    row: Mapping[str, Any] | Sample, output: Any, rules: Rules = "fair", context: ScoringContext | None = None
) -> Score:
    """Score one raw model output against one sample.

    Args:
        row: a DatBench row (mapping) or a Sample.
        output: the model's text as it came (None and, for parity, lists are accepted).
        rules: "fair" or "datbench-1.0".
        context: what is known over the run (coordinate convention, tolerance).

    Returns:
        The score; `value` is None when the sample is unscored, with the reason.

    Raises:
        UsageError: unknown rules.
        BenchmarkError: the row lacks a required column.
    """
    if rules not in RULES:
        raise UsageError(f"unknown rules {rules!r}; choose one of {', '.join(RULES)}")
    sample = row if isinstance(row, Sample) else sample_from_row(row)
    return score_sample(sample, output, rules, context or ScoringContext())


def score_sample(sample: Sample, output: Any, rules: Rules, context: ScoringContext) -> Score:
    """Score one output; total: whatever a rule does, a Score comes back and says why."""
    scorer = SCORERS.get(sample.dataset)
    if scorer is None:
        raise NotImplementedError("generic fallback: exact match")
    rule = scorer.fair if rules == "fair" else scorer.datbench_1_0
    try:
        return rule(sample, output, context)
    except Exception as error:
        value = 0.0 if rules == "datbench-1.0" else None
        return Score(value, reason=f"{type(error).__name__}: {error}", details={"score": value})
