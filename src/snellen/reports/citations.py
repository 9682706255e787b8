"""What a report has to cite: the benchmark, and the paper behind each scorer that was used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snellen.reports.summary import Summary
from snellen.scorers import SCORERS


def citations(summary: Summary, spec: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(what it is for, citation) of everything a run used; each paper once.

    Args:
        summary: the numbers, whose data sets name the scorers.
        spec: the frozen spec, which holds the benchmark's own citation.
    """
    found: dict[str, list[str]] = {}
    own = str((spec.get("benchmark") or {}).get("citation") or "")
    if own:
        found[own] = ["benchmark"]
    for cell in summary.by_dataset:
        row = SCORERS.get(cell.name)
        if row is not None and row.paper:
            found.setdefault(row.paper, []).append(cell.name)
    return [(", ".join(names), paper) for paper, names in found.items()]
