"""Two or three runs side by side: how they differ over all, and the samples on which they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from snellen.errors import SnellenError
from snellen.reports.alignment import MIXES, align
from snellen.reports.comparison import compare
from snellen.reports.comparison_html import difference_section
from snellen.reports.comparison_text import verdict, zeroed
from snellen.reports.rule_sets import rules_rows
from snellen.reports.run_data import load_run
from snellen.viewer.filters import PER_PAGE
from snellen.viewer.library import Library, RunView, benchmark_of, model_of
from snellen.viewer.rendering import render, safe
from snellen.viewer.run_pages import opened

if TYPE_CHECKING:
    import pyarrow as pa

SHOWS = {
    "differ": "only samples on which they differ",
    "lost": "right in the first, wrong in another",
    "gained": "wrong in the first, right in another",
    "all": "all samples that they share",
}
MAX_RUNS = 3
AT_ONCE = 5000
"""Up to so many samples the statistics are made with the page; for more they are asked for."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The paired comparison for the page."""

    sentences: tuple[str, ...]
    """Is it better, by how much, how sure."""
    figures: tuple[Any, ...]
    """Differences by group: figure and table, as HTML."""
    remarks: tuple[str, ...]
    """What is mixed or differs, what the other rule set says, what nobody judged."""
    offer: bool = False
    """Whether they are made only when asked for."""


class SideBySide:
    """The page of two or three runs."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._known: dict[Any, Statistics] = {}

    def page(self, request: Request) -> Response:
        """Runs side by side."""
        names = list(dict.fromkeys(request.query_params.getlist("run")))
        if not 2 <= len(names) <= MAX_RUNS:
            raise HTTPException(400, f"choose two or three runs to set side by side, not {len(names)}")
        views = [opened(self.library, name) for name in names]
        show = request.query_params.get("show", "differ")
        show = show if show in SHOWS else "differ"
        capability = request.query_params.get("capability", "")[:200]
        shared = joined([view.table() for view in views])
        rows = _chosen(shared, len(views), show, capability)
        n_pages = max(1, -(-rows.num_rows // PER_PAGE))
        page = min(max(1, _whole(request.query_params.get("page"))), n_pages)
        part = rows.slice((page - 1) * PER_PAGE, PER_PAGE).to_pylist()
        statistics = self._statistics(views, shared.num_rows, asked="statistics" in request.query_params)
        return render(
            "compare.html", runs=[_head(view) for view in views], lines=[_line(views, one) for one in part],
            n_found=rows.num_rows, n_shared=shared.num_rows, show=show, shows=SHOWS, capability=capability,
            capabilities=_capabilities(shared), page=page, n_pages=n_pages, statistics=statistics,
            query=_query(names, show, capability), same=len({benchmark_of(view.spec) for view in views}) == 1,
        )  # fmt: skip

    def _statistics(self, views: Sequence[RunView], n_shared: int, *, asked: bool) -> Statistics:
        key = tuple(
            (view.name, (view.folder / "scores.parquet").stat().st_mtime_ns) for view in views if _scored(view)
        )
        if len(key) < len(views):
            return Statistics((), (), ("no statistics while a run is going on",))
        if key not in self._known:
            if n_shared > AT_ONCE and not asked:
                return Statistics((), (), (), offer=True)
            if len(self._known) > 8:
                self._known.clear()
            self._known[key] = _statistics(views)
        return self._known[key]


def _scored(view: RunView) -> bool:
    return not view.is_live()


def _statistics(views: Sequence[RunView]) -> Statistics:
    runs = [load_run(view.folder) for view in views]
    try:
        aligned = align(runs)
    except SnellenError as error:
        remark = str(error)
        try:
            aligned = align(runs, allow=MIXES)
        except SnellenError as problem:
            return Statistics((), (), (str(problem),))
        found = compare(aligned)
        remarks = (f"mind: {remark}", *aligned.allowed)
    else:
        found, remarks = compare(aligned), ()
    others = range(len(views) - 1)
    return Statistics(
        (*(verdict(found, which) for which in others), aligned.sentence),
        tuple(safe(difference_section(found, which)) for which in others),
        (*remarks, *(row.sentence for row in rules_rows(aligned, seed=found.seed)), *zeroed(found)),
    )


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """The samples that all runs share, by id, in the order of the first run; epochs averaged.

    Args:
        tables: score tables, 2 or more.

    Returns:
        Columns sample_id, capability, position_i, value_i, answer_i, state_i for each run i.
    """
    found = _averaged(tables[0], 0)
    for i, table in enumerate(tables[1:], 1):
        own = _averaged(table, i).drop_columns([f"capability_{i}"])
        found = found.join(own, keys="sample_id", join_type="inner")
    return found.rename_columns(["capability" if n == "capability_0" else n for n in found.column_names]).sort_by(
        "position_0"
    )


def _averaged(table: pa.Table, i: int) -> pa.Table:
    import pyarrow as pa

    plain = pa.table(
        {
            "sample_id": table["sample_id"], "position": table["position"], "value": table["value"],
            "answer": table["answer"], "state": table["state"].cast(pa.string()),
            "capability": table["capability"].cast(pa.string()),
        }
    )  # fmt: skip
    wanted = [
        ("position", "min"),
        ("value", "mean"),
        ("answer", "first"),
        ("state", "first"),
        ("capability", "first"),
    ]
    grouped = plain.group_by("sample_id", use_threads=False).aggregate(wanted)  # "first" wants the rows in order
    kept = {f"{name}_{how}": f"{name}_{i}" for name, how in wanted}
    return grouped.rename_columns([kept.get(name, name) for name in grouped.column_names])


def _chosen(shared: pa.Table, n_runs: int, show: str, capability: str) -> pa.Table:
    import pyarrow.compute as pc

    if capability:
        shared = shared.filter(pc.equal(shared["capability"], capability))
    if show == "all":
        return shared
    first = pc.fill_null(shared["value_0"], -1.0)
    mask: Any = None
    for i in range(1, n_runs):
        other = pc.fill_null(shared[f"value_{i}"], -1.0)
        one = {
            "differ": lambda other=other: pc.greater(pc.abs(pc.subtract(first, other)), 1e-9),
            "lost": lambda other=other: pc.and_(pc.greater_equal(first, 0.5), pc.less(other, 0.5)),
            "gained": lambda other=other: pc.and_(pc.less(first, 0.5), pc.greater_equal(other, 0.5)),
        }[show]()
        mask = one if mask is None else pc.or_(mask, one)
    return shared.filter(mask)


def _capabilities(shared: pa.Table) -> list[str]:
    import pyarrow.compute as pc

    return sorted(name for name in pc.unique(shared["capability"]).to_pylist() if name)


def _head(view: RunView) -> dict[str, Any]:
    overall = (view.report().get("results") or {}).get("score")
    return {"name": view.name, "model": model_of(view.spec), "benchmark": benchmark_of(view.spec), "score": overall}


def _line(views: Sequence[RunView], row: Mapping[str, Any]) -> dict[str, Any]:
    record = views[0].samples().read(row["position_0"]) or {}
    cells = [
        {"run": view.name, "position": row[f"position_{i}"], "value": row[f"value_{i}"],
         "answer": row[f"answer_{i}"] or "", "state": row[f"state_{i}"]}
        for i, view in enumerate(views)
    ]  # fmt: skip
    return {
        "id": row["sample_id"], "capability": row["capability"], "question": str(record.get("question") or ""),
        "reference": str((record.get("references") or ["(structured)"])[0]), "cells": cells,
        "position": row["position_0"], "has_image": bool(record.get("images")),
    }  # fmt: skip


def _query(names: Sequence[str], show: str, capability: str) -> str:
    pairs = [("run", name) for name in names] + [("show", show)]
    return urlencode([*pairs, *([("capability", capability)] if capability else [])])


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else 1
