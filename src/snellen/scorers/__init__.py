"""The SCORERS table: one row per source dataset, two rule sets each.

`fair` is the metric as its paper defines it. `datbench-1.0` is the public library's number, faults included; rules
that exist only for that live in `datbench_1_0/`, so that deleting the folder leaves a clean scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from snellen.errors import UsageError
from snellen.rows import sample_from_row
from snellen.scorers import choice, grounding
from snellen.scorers.datbench_1_0 import choice as parity_choice
from snellen.scorers.datbench_1_0 import grounding as parity_grounding
from snellen.scorers.datbench_1_0 import logicvista as parity_logicvista
from snellen.scorers.datbench_1_0 import points as parity_points
from snellen.scorers.datbench_1_0 import realworld as parity_realworld
from snellen.scorers.datbench_1_0.summaries import mean_as
from snellen.types import Metric, Sample, Score, Scorer, ScoringContext

Rules = Literal["fair", "datbench-1.0"]
RULES: tuple[Rules, ...] = ("fair", "datbench-1.0")

_ACCURACY = (Metric("accuracy"),)
_REFCOCO = "Kazemzadeh et al., ReferItGame, 2014; Yu et al., Modeling Context in Referring Expressions, 2016"
_REFCOCOG = "Mao et al., Generation and Comprehension of Unambiguous Object Descriptions, 2016, arXiv 1511.02283"

# fmt: off
_ROWS: tuple[Scorer, ...] = (
    # -- text ---------------------------------------------------------------------------------------------------
    # -- documents and ocrbench ---------------------------------------------------------------------------------
    # -- choice and grounding -----------------------------------------------------------------------------------
    Scorer(
        "ai2d", choice.indexed_choice, parity_choice.ai2d, _ACCURACY, mean_as("accuracy"),
        paper="Kembhavi et al., A Diagram Is Worth A Dozen Images, 2016, arXiv 1603.07396",
    ),
    Scorer(
        "mmbench", choice.multiple_choice, parity_choice.mmbench, _ACCURACY, mean_as("accuracy"),
        paper="Liu et al., MMBench: Is Your Multi-modal Model an All-around Player?, 2023, arXiv 2307.06281",
    ),
    Scorer(
        "mmmu", choice.multiple_choice, parity_choice.mmmu, _ACCURACY, mean_as("accuracy"),
        paper="Yue et al., MMMU, 2023, arXiv 2311.16502",
    ),
    Scorer(
        "mmmupro", choice.multiple_choice, parity_choice.mmmupro, _ACCURACY, mean_as("accuracy"),
        paper="Yue et al., MMMU-Pro, 2024, arXiv 2409.02813",
    ),
    Scorer(
        "realworldqa", choice.multiple_choice, parity_realworld.realworldqa, _ACCURACY,
        mean_as("accuracy__RealWorldQA-Accuracy"), paper="xAI, RealWorldQA, 2024",
    ),
    *(
        Scorer(
            f"mme-realworld-{part}", choice.multiple_choice, parity_realworld.mme_realworld, _ACCURACY,
            mean_as("accuracy", "score"), paper="Zhang et al., MME-RealWorld, 2024, arXiv 2408.13257",
        )
        for part in ("ocr", "ad", "mo", "dt")
    ),
    Scorer(
        "logicvista", choice.multiple_choice, parity_logicvista.logicvista, _ACCURACY, mean_as("accuracy"),
        paper="Xiao et al., LogicVista, 2024, arXiv 2407.04973",
    ),
    *(
        Scorer(
            name, grounding.refcoco, parity_grounding.refcoco,
            (Metric("acc@0.5"), Metric("iou"), Metric("center_acc")), parity_grounding.summary,
            required_metadata=("bbox",), paper=paper,
        )
        for name, paper in (
            ("refcoco_testA", _REFCOCO), ("refcoco_testB", _REFCOCO), ("refcoco_plus_testA", _REFCOCO),
            ("refcoco_plus_testB", _REFCOCO), ("refcoco_m_val", _REFCOCO), ("refcocog_test", _REFCOCOG),
        )
    ),
    Scorer(
        "pixmo_points_eval", grounding.pixmo_points, parity_points.pixmo_points,
        (Metric("f1"), Metric("precision"), Metric("recall")), parity_points.summary,
        required_metadata=("points_target", "points_mask", "has_target"),
        paper="Deitke et al., Molmo and PixMo, 2024, arXiv 2409.17146",
    ),
    # -- chart and math -----------------------------------------------------------------------------------------
)
# fmt: on

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
