"""Score rows → the numbers of a run: one pure pass, the same for the same rows and seed."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from snellen.stats.intervals import Interval, mean_interval

MISSING = ("error", "unjudged", "unparsed", "unscored", "not_asked")
"""States of a sample without a score."""


@dataclass(frozen=True, slots=True)
class Convention:
    """How the headline treats samples without a score."""

    zero: tuple[str, ...] = ()
    """States that count as 0; all others are left out."""
    sentence: str = "samples without a score are left out"
    """Said beside the number."""


CONVENTIONS = {
    "left-out": Convention(),
    "wrong": Convention(MISSING, "samples without a score count as wrong"),
    "datbench": Convention(
        ("unjudged", "unparsed"), "DatBench's own: samples without a response are left out, unjudged ones count 0"
    ),
}
"""Name → convention."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The numbers of one group of samples."""

    name: str
    """What it is about ("overall", "chart", "docvqa")."""
    n_asked: int
    """Samples (epochs averaged)."""
    n_scored: int
    """Of them with a score in every epoch that was asked."""
    score: float
    """Mean under the headline convention, in [0, 1]; NaN when nothing is scored."""
    interval: Interval
    """Its 95 % interval."""
    if_wrong: float
    """Mean with all missing samples counted 0."""
    if_left_out: float
    """Mean with all missing samples left out."""
    missing: Mapping[str, int]
    """State or error kind → samples."""
    flags: Mapping[str, int]
    """Flag → answered samples that carry it."""
    fair: float = math.nan
    """Mean by the fair rules, over the same samples; NaN where there is none."""
    datbench_1_0: float = math.nan
    """Mean by the public library's rules; NaN where there is none."""
    n_differ: int = 0
    """Samples on which the two rule sets differ."""

    def as_record(self) -> dict[str, Any]:
        """For JSON: NaN becomes null."""
        return {
            "n_asked": self.n_asked,
            "n_scored": self.n_scored,
            "score": _or_none(self.score),
            "ci95": [_or_none(self.interval.low), _or_none(self.interval.high)],
            "interval_method": self.interval.method,
            "n_clusters": self.interval.n_clusters,
            "reason": self.interval.reason,
            "if_missing_wrong": _or_none(self.if_wrong),
            "if_missing_left_out": _or_none(self.if_left_out),
            "missing": dict(self.missing),
            "flags": dict(self.flags),
            "fair": _or_none(self.fair),
            "datbench_1_0": _or_none(self.datbench_1_0),
            "n_rules_differ": self.n_differ,
        }


@dataclass(slots=True)
class _Unit:
    """One sample with its epochs."""

    capability: str
    dataset: str
    category: str
    group: str
    cluster: str
    weight: float | None
    values: list[float] = field(default_factory=list)
    fair: list[float] = field(default_factory=list)
    parity: list[float] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Circular:
    """Circular items: right only if every rotation is right."""

    n_groups: int
    """Items with all rotations scored."""
    n_rows: int
    """Their rows."""
    all_right: float
    """Share of items with every rotation right."""
    per_row: float
    """Mean over their rows."""


@dataclass(frozen=True, slots=True)
class Summary:
    """All numbers of a run."""

    overall: Cell
    """Over all samples."""
    by_capability: tuple[Cell, ...]
    """One a capability, in order of first appearance."""
    by_dataset: tuple[Cell, ...]
    """One a source dataset."""
    by_category: tuple[Cell, ...]
    """One a category, where these are finer than capabilities."""
    circular: Circular | None
    """None where the benchmark has no circular items."""
    convention: Convention
    """How the headline treats missing samples."""
    n_epochs: int
    """Repeats of each question."""

    def as_record(self) -> dict[str, Any]:
        """The results block of `report.json`."""
        record: dict[str, Any] = {
            **self.overall.as_record(),
            "convention": self.convention.sentence,
            "n_epochs": self.n_epochs,
            "by_capability": {cell.name: cell.as_record() for cell in self.by_capability},
            "by_dataset": {cell.name: cell.as_record() for cell in self.by_dataset},
            "by_category": {cell.name: cell.as_record() for cell in self.by_category},
        }
        if self.circular is not None:
            circular = self.circular
            record["circular"] = {
                "n_groups": circular.n_groups,
                "n_rows": circular.n_rows,
                "all_right": _or_none(circular.all_right),
                "per_row": _or_none(circular.per_row),
            }
        return record


def summarise(
    rows: Iterable[Mapping[str, Any]],
    *,
    convention: Convention,
    seed: int,
    n_selected: int = 0,
    n_epochs: int = 1,
    order: Sequence[str] = (),
) -> Summary:
    """Compute all numbers of a run from its score rows.

    Args:
        rows: as in `scores.parquet`.
        convention: how missing samples enter the headline.
        seed: of the bootstrap.
        n_selected: samples that the run was to ask; those it never came to are missing.
        n_epochs: repeats of each question.
        order: capabilities or categories in the order of the benchmark's own table; the others follow as they come.
    """
    units = _units(rows)
    n_unseen = max(0, n_selected - len(units))
    unseen = [_Unit("", "", "", "", "", None, missing=["not_asked"], labels=["not_asked"])] * n_unseen
    everything = [*units, *unseen]
    kinds = {unit.capability for unit in units}
    finer = {unit.category for unit in units} - kinds
    return Summary(
        overall=_cell("overall", everything, convention, seed),
        by_capability=_ordered(_cells(units, "capability", convention, seed), order),
        by_dataset=_cells(units, "dataset", convention, seed),
        by_category=_ordered(_cells(units, "category", convention, seed), order) if finer else (),
        circular=_circular(units),
        convention=convention,
        n_epochs=n_epochs,
    )


def _ordered(cells: tuple[Cell, ...], order: Sequence[str]) -> tuple[Cell, ...]:
    places = {name: i for i, name in enumerate(order)}
    return tuple(sorted(cells, key=lambda cell: places.get(cell.name, len(places))))


def _units(rows: Iterable[Mapping[str, Any]]) -> list[_Unit]:
    units: dict[Any, _Unit] = {}
    for row in rows:
        unit = units.get(row["position"])
        if unit is None:
            unit = units[row["position"]] = _Unit(
                row["capability"], row["dataset"], row["category"], row["group"], row["cluster"], row.get("weight")
            )
        if row["state"] == "scored":
            unit.values.append(row["value"])
        else:
            unit.missing.append(row["state"])
            unit.labels.append(_label(row))
        if row.get("fair") is not None and row.get("datbench_1_0") is not None:
            unit.fair.append(row["fair"])
            unit.parity.append(row["datbench_1_0"])
        unit.flags.update(row.get("flags") or ())
    return list(units.values())


def _label(row: Mapping[str, Any]) -> str:
    return f"error: {row['error_kind']}" if row["state"] == "error" else str(row["state"])


def _cells(units: list[_Unit], by: str, convention: Convention, seed: int) -> tuple[Cell, ...]:
    groups: dict[str, list[_Unit]] = defaultdict(list)
    for unit in units:
        groups[getattr(unit, by)].append(unit)
    if set(groups) == {""}:
        return ()
    return tuple(_cell(name or "(none)", members, convention, seed) for name, members in groups.items())


def _cell(name: str, units: list[_Unit], convention: Convention, seed: int) -> Cell:
    scores = [_score(unit, convention.zero) for unit in units]
    kept = [(score, unit) for score, unit in zip(scores, units, strict=True) if score is not None]
    values = [score for score, _ in kept]
    interval = mean_interval(values, clusters=_clusters([u for _, u in kept]), weights=_weights(kept), seed=seed)
    labels = Counter(label for unit in units for label in dict.fromkeys(unit.labels))
    flags = Counter(flag for unit in units for flag in unit.flags)
    pairs = [(_mean(u.fair), _mean(u.parity)) for u in units if u.fair]
    return Cell(
        name=name,
        n_asked=len(units),
        n_scored=sum(bool(unit.values) and not unit.missing for unit in units),
        score=interval.mean,
        interval=interval,
        if_wrong=_mean([_score(unit, MISSING) or 0.0 for unit in units]),
        if_left_out=_mean([s for unit in units if (s := _score(unit, ())) is not None]),
        missing=dict(labels.most_common()),
        flags=dict(flags.most_common()),
        fair=_mean([fair for fair, _ in pairs]),
        datbench_1_0=_mean([parity for _, parity in pairs]),
        n_differ=sum(abs(fair - parity) > 1e-9 for fair, parity in pairs),
    )


def _score(unit: _Unit, zero: tuple[str, ...]) -> float | None:
    """Mean over epochs first; a missing epoch is left out or counts 0."""
    n_zero = sum(state in zero for state in unit.missing)
    n = len(unit.values) + n_zero
    return math.fsum(unit.values) / n if n else None


def _clusters(units: list[_Unit]) -> list[str] | None:
    """Source images, where any is used twice; a sample without an image is its own cluster."""
    names = [unit.cluster or f"#{i}" for i, unit in enumerate(units)]
    return names if len(set(names)) < len(names) else None


def _weights(kept: list[tuple[float, _Unit]]) -> list[float] | None:
    if not kept or any(unit.weight is None for _, unit in kept):
        return None
    return [unit.weight or 0.0 for _, unit in kept]


def _circular(units: list[_Unit]) -> Circular | None:
    groups: dict[str, list[_Unit]] = defaultdict(list)
    for unit in units:
        if unit.group:
            groups[unit.group].append(unit)
    whole = [members for members in groups.values() if all(u.values and not u.missing for u in members)]
    if not groups:
        return None
    rows = [_mean(unit.values) for members in whole for unit in members]
    right = [float(all(_mean(unit.values) >= 0.5 for unit in members)) for members in whole]
    return Circular(len(whole), len(rows), _mean(right), _mean(rows))


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
