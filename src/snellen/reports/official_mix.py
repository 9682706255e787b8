"""A balanced or partial sample, reweighted to a benchmark's official mix of capabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.reports.summary import Summary


@dataclass(frozen=True, slots=True)
class OfficialOverall:
    """What the official, item-weighted overall would be, estimated from a sample of another mix."""

    mean: float
    """In [0, 1]; NaN where a capability has no score."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    """Upper end."""
    lacking: tuple[str, ...]
    """Capabilities of the official mix without a scored sample."""
    sentence: str
    """For people."""

    def as_record(self) -> dict[str, Any]:
        """For JSON: NaN becomes null."""
        values = {"score": self.mean, "low": self.low, "high": self.high}
        plain = {name: None if math.isnan(value) else value for name, value in values.items()}
        ci95 = [plain["low"], plain["high"]]
        return {"score": plain["score"], "ci95": ci95, "lacking": list(self.lacking), "sentence": self.sentence}


def official_overall(summary: Summary, mix: Mapping[str, float]) -> OfficialOverall | None:
    """Reweight the capabilities of a run to the official mix.

    Each capability's mean counts by its share of the official items; capabilities are independent samples, so their
    half widths add in squares.

    Args:
        summary: the numbers of a run.
        mix: capability → items (or any positive share).

    Returns:
        None where the sample has the official mix already, so that its plain mean is the official figure.
    """
    cells = {cell.name: cell for cell in summary.by_capability if cell.n_scored}
    total = math.fsum(mix.values())
    counts = {name: float(cell.n_scored) for name, cell in cells.items()}
    if counts == {name: float(n_items) for name, n_items in mix.items()}:
        return None
    lacking = tuple(name for name in mix if name not in cells)
    if lacking:
        sentence = f"no official overall: no sample of {', '.join(lacking)} was scored"
        return OfficialOverall(math.nan, math.nan, math.nan, lacking, sentence)
    shares = {name: n_items / total for name, n_items in mix.items()}
    mean = math.fsum(share * cells[name].score for name, share in shares.items())
    below = math.sqrt(math.fsum((share * _below(cells[name])) ** 2 for name, share in shares.items()))
    above = math.sqrt(math.fsum((share * _above(cells[name])) ** 2 for name, share in shares.items()))
    low, high = max(0.0, mean - below), min(1.0, mean + above)
    sentence = (
        f"reweighted to the official mix: {100 * mean:.1f} ({100 * low:.1f} … {100 * high:.1f}), an estimate of the "
        "leaderboard's item-weighted overall; the overall above describes this sample's own mix"
    )
    return OfficialOverall(mean, low, high, (), sentence)


def _below(cell: Any) -> float:
    return float(cell.score - cell.interval.low) if not math.isnan(cell.interval.low) else float(cell.score)


def _above(cell: Any) -> float:
    return float(cell.interval.high - cell.score) if not math.isnan(cell.interval.high) else float(1 - cell.score)
