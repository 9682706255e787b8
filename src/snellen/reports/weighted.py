"""Runs on a curated, weighted subset: the difference that the full set would show, and when it may be reported."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.curation.differences import SubsetDifference, strata_of, subset_difference
from snellen.reports.alignment import Alignment


@dataclass(frozen=True, slots=True)
class WeightedRow:
    """One run against the first, on a weighted subset."""

    name: str
    """Short name of the run."""
    difference: SubsetDifference
    """Run minus baseline."""

    @property
    def sentence(self) -> str:
        """For people, in points."""
        d = self.difference
        told = (
            "told apart" if d.is_told_apart else "not told apart (on both parts, and the weighted estimate agreeing)"
        )
        return (
            f"{self.name}: {100 * d.full_set:+.1f} points on the full set, estimated from the subset's weights "
            f"({100 * d.low:+.1f} … {100 * d.high:+.1f}); {told}"
        )


def weighted_rows(alignment: Alignment) -> tuple[WeightedRow, ...]:
    """Weighted differences to the baseline; empty where the samples carry no weights.

    Args:
        alignment: runs whose shared samples come from `snellen curate select`.
    """
    weights = [row[0].weight for row in alignment.rows]
    known = [weight for weight in weights if weight is not None and weight >= 1]
    if not known or len(known) < len(weights) or max(known) <= 1:
        return ()
    strata = strata_of(known, [row[0].dataset for row in alignment.rows])
    scores = np.array([[sample.score for sample in row] for row in alignment.rows], dtype=np.float64)
    return tuple(
        WeightedRow(name, subset_difference(scores[:, 0], scores[:, k], known, strata))
        for k, name in enumerate(alignment.names)
        if k > 0
    )
