"""A run beside the published models of its benchmark: which are chosen, where the run would stand, the ceiling."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from snellen.errors import UsageError, did_you_mean
from snellen.reports.leaderboard import Published, protocol_of, published_for
from snellen.reports.summary import Cell, Summary
from snellen.stats.intervals import Interval

NAN = math.nan


@dataclass(frozen=True, slots=True)
class Beside:
    """What the figures against published models show."""

    source: str
    """Where the published numbers stand."""
    measure: str
    """What is compared ("mean of the 9 capabilities")."""
    own: Interval
    """The run's own number with its interval."""
    scores: Mapping[str, float]
    """Published model → the same number, best first."""
    chosen: Mapping[str, str]
    """Model → why it is in the radar ("best", "median", "nearest", "chosen")."""
    cells: tuple[Cell, ...]
    """The run's capabilities that the table has, in the table's order."""
    profiles: Mapping[str, Mapping[str, float]]
    """Chosen model → capability → score."""
    remarks: tuple[str, ...]
    """How the two protocols differ."""

    @property
    def ceiling(self) -> float:
        """The best published number."""
        return max(self.scores.values())

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        ends = [None if math.isnan(v) else v for v in (self.own.low, self.own.high)]
        return {
            "source": self.source, "measure": self.measure, "own": self.own.mean, "ci95": ends,
            "scores": dict(self.scores), "ceiling": self.ceiling, "chosen": dict(self.chosen),
            "remarks": list(self.remarks),
        }  # fmt: skip


def beside(summary: Summary, spec: Mapping[str, Any], models: Sequence[str] = ()) -> Beside | None:
    """Set a run beside the published table of its benchmark.

    Args:
        summary: the numbers of the run.
        spec: its frozen spec.
        models: models for the radar; () takes the best, the median and the nearest one.

    Returns:
        None where no table is published, or the run has nothing that is in it.

    Raises:
        UsageError: a chosen model is not in the table.
    """
    try:
        published = published_for(str((spec.get("benchmark") or {}).get("name") or ""))
    except UsageError:
        if models:
            raise
        return None
    shared = _shared(summary, published)
    cells = tuple(cell for cell in shared if cell.n_scored)
    if not cells:
        return None
    measure, own, scores = _measured(summary, published, cells)
    if not scores or math.isnan(own.mean):
        return None
    ordered = dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
    why = chosen(models, published) if models else _default(ordered, own.mean)
    remarks = [f"published: {sentence}" for sentence in published.protocol]
    told = protocol_of(spec)
    remarks += [f"this run: {', '.join(told)}"] if told else []
    unscored = [cell.name for cell in shared if not cell.n_scored]
    remarks += (
        [f"left out of this comparison, since nothing in it is scored: {', '.join(unscored)}"] if unscored else []
    )
    profiles = {name: published.scores[name] for name in why}
    return Beside(published.source, measure, own, ordered, why, cells, profiles, tuple(remarks))


def _shared(summary: Summary, published: Published) -> tuple[Cell, ...]:
    known = {
        cell.name: cell
        for cells in (summary.by_dataset, summary.by_category, summary.by_capability)
        for cell in cells
        if not math.isnan(cell.score)
    }
    return tuple(known[name] for name in published.columns if name in known)


def _measured(
    summary: Summary, published: Published, cells: Sequence[Cell]
) -> tuple[str, Interval, dict[str, float]]:
    """What is compared, the run's own number, and the published ones."""
    names = [cell.name for cell in cells]
    whole = len(names) == len(published.columns)
    if whole and not published.name.startswith("DatBench"):
        return "overall", summary.overall.interval, dict(published.overall)
    scores = {
        model: fmean(row[name] for name in names)
        for model, row in published.scores.items()
        if all(name in row for name in names)
    }
    if len(cells) == 1:
        return names[0], cells[0].interval, scores
    return f"mean of {'the' if whole else 'these'} {len(cells)} capabilities", _mean_of(cells), scores


def _mean_of(cells: Sequence[Cell]) -> Interval:
    """Mean of capability means; the half widths of independent capabilities add in squares."""
    mean = fmean(cell.score for cell in cells)
    half = math.sqrt(sum(cell.interval.half_width**2 for cell in cells)) / len(cells)
    n = sum(cell.n_scored for cell in cells)
    low, high = (NAN, NAN) if math.isnan(half) else (max(0.0, mean - half), min(1.0, mean + half))
    return Interval(mean, low, high, n, n, "mean of capabilities")


def _default(ordered: Mapping[str, float], own: float) -> dict[str, str]:
    """The best, the median and the nearest model; where one is two of these, the next nearest joins."""
    names = list(ordered)
    chosen = {names[0]: "best"}
    chosen.setdefault(names[len(names) // 2], "median")
    for name in sorted(names, key=lambda one: abs(ordered[one] - own)):
        if len(chosen) < 3:
            chosen.setdefault(name, "nearest")
    return chosen


def chosen(models: Sequence[str], published: Published) -> dict[str, str]:
    """Models that the user names, each with the word "chosen".

    Raises:
        UsageError: one of them is not in the published table; the nearest is named.
    """
    for name in models:
        if name not in published.scores:
            hint = did_you_mean(name, published.scores, otherwise=f"there are {', '.join(published.scores)}")
            raise UsageError(f"no published scores of {name!r}; {hint}")
    return dict.fromkeys(models, "chosen")
