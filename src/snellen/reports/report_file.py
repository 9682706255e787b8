"""`report.json` → the numbers it was written from, so that a run is shown again without computing them again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from snellen.reports.slices import Slice
from snellen.reports.summary import Cell, Circular, Convention, Summary
from snellen.stats.intervals import Interval


def summary_of(results: Mapping[str, Any]) -> Summary:
    """The summary that a results block holds; what is missing in it is NaN or empty."""
    circular = _mapping(results.get("circular"))
    return Summary(
        overall=_cell("overall", results),
        by_capability=_cells(results.get("by_capability")),
        by_dataset=_cells(results.get("by_dataset")),
        by_category=_cells(results.get("by_category")),
        circular=Circular(
            _count(circular.get("n_groups")), _count(circular.get("n_rows")), _number(circular.get("all_right")),
            _number(circular.get("per_row")),
        )
        if circular
        else None,
        convention=Convention((), str(results.get("convention") or "")),
        n_epochs=_count(results.get("n_epochs")) or 1,
    )  # fmt: skip


def slices_of(results: Mapping[str, Any]) -> list[Slice]:
    """The slices that a results block holds."""
    found = []
    for one in results.get("slices") or ():
        low, high = _bounds(one)
        n = _count(one.get("n"))
        interval = Interval(_number(one.get("score")), low, high, n, n, "")
        found.append(Slice(str(one.get("aspect")), str(one.get("name")), n, interval))
    return found


def verdicts_of(results: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """State of a verdict → reasons with their counts, as a results block holds them."""
    return {
        str(state): {str(reason): _count(n) for reason, n in _mapping(reasons).items()}
        for state, reasons in _mapping(results.get("verdicts")).items()
    }


def _cells(value: Any) -> tuple[Cell, ...]:
    return tuple(_cell(str(name), _mapping(record)) for name, record in _mapping(value).items())


def _cell(name: str, record: Mapping[str, Any]) -> Cell:
    low, high = _bounds(record)
    n, score = _count(record.get("n_scored")), _number(record.get("score"))
    interval = Interval(
        score, low, high, n, _count(record.get("n_clusters")), str(record.get("interval_method") or ""),
        str(record.get("reason") or ""),
    )  # fmt: skip
    return Cell(
        name=name,
        n_asked=_count(record.get("n_asked")),
        n_scored=n,
        score=score,
        interval=interval,
        if_wrong=_number(record.get("if_missing_wrong")),
        if_left_out=_number(record.get("if_missing_left_out")),
        missing={str(kind): _count(count) for kind, count in _mapping(record.get("missing")).items()},
        flags={str(kind): _count(count) for kind, count in _mapping(record.get("flags")).items()},
        fair=_number(record.get("fair")),
        datbench_1_0=_number(record.get("datbench_1_0")),
        n_differ=_count(record.get("n_rules_differ")),
    )


def _bounds(record: Mapping[str, Any]) -> tuple[float, float]:
    ends = record.get("ci95")
    return (_number(ends[0]), _number(ends[1])) if isinstance(ends, list) and len(ends) == 2 else (math.nan, math.nan)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0
