"""The DatBench paper's analyses over its own published tables: conformance tests for our code, and a yardstick.

References: DatBench, arXiv 2601.02316, tables 3–8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.curation.profile import Correlations, Profile, correlate, cut, link, relative_gain
from snellen.reference import datbench_table

THINKING_PAIRS = (
    ("GLM-4.1V-9B-Base", "GLM-4.1V-9B-Thinking"),
    ("Qwen3-VL-2B-Instruct", "Qwen3-VL-2B-Thinking"),
    ("Qwen3-VL-4B-Instruct", "Qwen3-VL-4B-Thinking"),
    ("Qwen3-VL-8B-Instruct", "Qwen3-VL-8B-Thinking"),
)
SUBSET_SIZE = 5000
"""Items per capability that the paper keeps; a slice with fewer keeps all."""


def published_profile(column: str = "datbench") -> Profile:
    """The paper's Table 3 as a profile.

    Args:
        column: "datbench", "datbench_full" or "original"; scores in percent.
    """
    rows = datbench_table("table3_scores")
    models = tuple(dict.fromkeys(row["model"] for row in rows))
    capabilities = tuple(dict.fromkeys(row["capability"] for row in rows))
    scores = np.full((len(models), len(capabilities)), np.nan)
    for row in rows:
        if row[column]:
            scores[models.index(row["model"]), capabilities.index(row["capability"])] = float(row[column])
    return Profile(models, capabilities, scores)


def published_correlations() -> Correlations:
    """Correlations between capabilities on DatBench over the 26 complete models."""
    return correlate(published_profile())


def published_clusters(n_clusters: int = 2) -> tuple[frozenset[str], ...]:
    """Clusters of capabilities by average linkage on 1 - r."""
    correlations = published_correlations()
    return cut(link(correlations), correlations.capabilities, n_clusters)


def published_thinking_gain(column: str = "datbench") -> dict[str, float]:
    """Mean relative gain of the four thinking models over their plain twins."""
    return relative_gain(published_profile(column), THINKING_PAIRS)


def published_speedups() -> dict[str, float]:
    """Original run samples over subset size, per capability."""
    samples = next(row for row in datbench_table("table4_h100_hours") if row["model"] == "SAMPLES")
    full = implied_full()
    return {name: float(samples[name]) / min(SUBSET_SIZE, full[name]) for name in full}


def implied_full() -> dict[str, int]:
    """Items left after the blind and the label pass (if the two never remove the same item)."""
    rows = datbench_table("table6_8_counts")
    full = {
        row["capability"]: int(row["table8_total"]) - int(row["blind_removed"]) - int(row["judge_removed"])
        for row in rows
    }
    missing = next(row for row in datbench_table("table5_judge_filter") if row["dataset"] == "OCRBench_v2")
    full["document"] -= int(missing["removed"])
    return full


def blind_shares() -> dict[str, float]:
    """Share of items that the blind pass removed, per capability."""
    return {
        r["capability"]: int(r["blind_removed"]) / int(r["table8_total"]) for r in datbench_table("table6_8_counts")
    }


def judge_shares() -> dict[str, float]:
    """Share of items that the label pass removed, per capability."""
    return {
        r["capability"]: int(r["judge_removed"]) / int(r["table6_total"]) for r in datbench_table("table6_8_counts")
    }


@dataclass(frozen=True, slots=True)
class LabelFilter:
    """Sums over the label pass."""

    total: int
    """Items looked at."""
    flagged: int
    """Items that every model got wrong."""
    removed: int
    """Items that the judge then removed."""

    @property
    def removed_of_flagged(self) -> float:
        """Share of the flagged items that was removed."""
        return self.removed / self.flagged


def label_filter() -> LabelFilter:
    """The label pass, summed over the datasets."""
    rows = datbench_table("table5_judge_filter")
    return LabelFilter(
        total=sum(int(row["total"]) for row in rows),
        flagged=sum(int(row["flagged_unanimous_fail"]) for row in rows),
        removed=sum(int(row["removed"]) for row in rows),
    )


def label_shares() -> dict[str, float]:
    """Share of items that the label pass removed, per dataset."""
    return {row["dataset"]: int(row["removed"]) / int(row["total"]) for row in datbench_table("table5_judge_filter")}


def constants() -> dict[str, float]:
    """Numbers printed in the paper's text that no table can yield."""
    return {row["name"]: float(row["value"]) for row in datbench_table("constants")}
