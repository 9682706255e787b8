"""Page data made by hand, for the tests of what is drawn from it."""

from __future__ import annotations

from typing import Any

from snellen.reports.run_page_data import PageData
from snellen.reports.summary import CONVENTIONS, summarise
from tests.reports.scored_runs import spec_of

DATBENCH = ("chart", "counting", "document", "general", "grounding", "math", "scene", "spatial", "table")


def rows_of(shares: dict[str, float], *, n: int = 40, **more: Any) -> list[dict[str, Any]]:
    """Score rows: capability → share right."""
    rows = []
    for capability, share in shares.items():
        for i in range(n):
            rows.append(
                {
                    "position": len(rows), "capability": capability, "category": capability, "dataset": "docvqa",
                    "group": "", "cluster": "", "state": "scored", "value": float(i < share * n), "flags": [],
                    "error_kind": "", "fair": None, "datbench_1_0": None, **more,
                }
            )  # fmt: skip
    return rows


def data_of(shares: dict[str, float] | None = None, *, facts: dict[str, Any] | None = None, **spec: Any) -> PageData:
    """A page of a run over DatBench's nine capabilities, half right, unless said otherwise."""
    rows = rows_of(shares if shares is not None else dict.fromkeys(DATBENCH, 0.5))
    summary = summarise(rows, convention=CONVENTIONS["left-out"], seed=0)
    return PageData(summary, spec_of(**spec), facts if facts is not None else {"notes": []})
