"""`snellen curate validate`: does the selection hold up on models it has not seen?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from snellen.curation.validate import Cell
from snellen.reports.blocks import Report

_FIELDS = (
    "method", "size", "split", "tau", "rho", "separated", "wrong_sign", "discrimination_heldout",
    "discrimination_in_sample", "mae", "coverage", "n_splits",
)  # fmt: skip


def as_record(cells: Sequence[Cell]) -> dict[str, Any]:
    """`{"results": […]}`: one entry per method, size and split; what is not known is null."""
    results = [{name: _plain(getattr(cell, name)) for name in _FIELDS} for cell in cells]
    beside = [
        {
            "method": cell.method,
            "size": cell.size,
            "split": cell.split,
            "tau_minus_random": _plain(cell.tau_vs_random),
            "low": _plain(cell.tau_vs_random_low),
            "discriminating_share": _plain(cell.share),
        }
        for cell in cells
    ]
    return {"results": results, "beside_random": beside}


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value


def report_of(cells: Sequence[Cell]) -> Report:
    """All cells as a table, with a figure per split."""
    from snellen.reports.curation_figures import lines

    report = Report("Validation on held-out models")
    report.text(
        "Items are chosen by the models that stay and judged on the models that were held out; random-in-strata "
        "stands beside. tau and rho: ranking on the subset against the full set. separated / wrong sign: share of "
        "pairs told apart at 95 % with the right / wrong sign. mae: points of the level estimate. coverage: of its "
        "95 % interval. The in-sample discrimination is what the choosing models themselves show; it is no evidence."
    )
    heads = (*_FIELDS, "tau - random", "low", "share of D")
    rows = [
        (*(getattr(cell, name) for name in _FIELDS), cell.tau_vs_random, cell.tau_vs_random_low, cell.share)
        for cell in cells
    ]
    report.table(heads, rows)
    for split in dict.fromkeys(cell.split for cell in cells):
        of_split = [cell for cell in cells if cell.split == split]
        if len({cell.size for cell in of_split}) > 1:
            curves = {
                m: ([c.size for c in of_split if c.method == m], [c.tau for c in of_split if c.method == m])
                for m in dict.fromkeys(cell.method for cell in of_split)
            }
            report.figure(lines(curves, title=split, x="size", y="tau-b"), f"Kendall's tau-b, {split}.")
    return report
