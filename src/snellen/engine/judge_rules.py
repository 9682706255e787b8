"""The judge beside the fair rules: on which answers do they agree, overall and for each source data set."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from snellen.scores_file import stream_scores

_COLUMNS = ["dataset", "value", "rule_value", "verdict"]
RIGHT = 0.5
"""A rule's score from here on counts as right."""


def against_rules(folder: Path, *, seed: int = 0) -> dict[str, Any] | None:
    """How the verdicts of a scored run and the fair rules agree; None where no answer has both.

    Args:
        folder: the run directory, with its `scores.parquet`.
        seed: of the intervals.

    Returns:
        Group ("overall" or a data set) → n, both_right, judge_only, rules_only, both_wrong, and observed agreement
        and Cohen's κ with their 95 % intervals; and a sentence for people.
    """
    pairs: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in stream_scores(folder / "scores.parquet", _COLUMNS):
        if row["verdict"] in ("correct", "incorrect") and row["rule_value"] is not None and row["value"] is not None:
            pairs[row["dataset"] or "(none)"].append((row["value"] >= RIGHT, row["rule_value"] >= RIGHT))
    if not pairs:
        return None
    groups = {"overall": [pair for group in pairs.values() for pair in group]}
    if len(pairs) > 1:
        groups |= dict(sorted(pairs.items()))
    table = {name: _compared(group, seed) for name, group in groups.items()}
    return {**table, "sentence": _sentence(table["overall"])}


def _compared(pairs: list[tuple[bool, bool]], seed: int) -> dict[str, Any]:
    from snellen.stats.agreement import agreement

    found = agreement([judge for judge, _ in pairs], [rule for _, rule in pairs], seed=seed)
    return {
        "n": len(pairs),
        "both_right": pairs.count((True, True)),
        "judge_only": pairs.count((True, False)),
        "rules_only": pairs.count((False, True)),
        "both_wrong": pairs.count((False, False)),
        "observed": {"value": found.observed.mean, "low": found.observed.low, "high": found.observed.high},
        "kappa": {"value": found.kappa.mean, "low": found.kappa.low, "high": found.kappa.high},
    }


def _sentence(overall: dict[str, Any]) -> str:
    n_agreeing = overall["both_right"] + overall["both_wrong"]
    return (
        f"judge and fair rules agree on {n_agreeing} of {overall['n']} answers "
        f"({100 * overall['observed']['value']:.1f} %, kappa {overall['kappa']['value']:.2f}); right by the judge "
        f"only: {overall['judge_only']}, by the rules only: {overall['rules_only']}"
    )
