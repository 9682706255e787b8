"""`snellen report`: a run's reports again, from its scores as they stand."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from snellen.engine.run_files import n_selected_of, open_benchmark
from snellen.errors import StoreError
from snellen.finishing import report_run
from snellen.reports.results import RunResult
from snellen.store import read_json


def report(folder: Path) -> RunResult:
    """Write report.json, report.md, report.html and the tables of a run again.

    Raises:
        StoreError: this is no run directory, or it was never scored.
    """
    spec = read_json(folder / "run.json")
    benchmark, notes = open_benchmark(spec)
    facts = facts_of(folder)
    facts["notes"] = [*facts.get("notes", ()), *(n for n in notes if n not in facts.get("notes", ()))]
    return report_run(folder, spec, benchmark=benchmark, facts=facts, n_selected=n_selected_of(folder))


def facts_of(folder: Path) -> dict[str, Any]:
    """Facts of the last report, {} when there is none."""
    with suppress(StoreError):
        facts = read_json(folder / "report.json").get("facts")
        return dict(facts) if isinstance(facts, dict) else {}
    return {}
