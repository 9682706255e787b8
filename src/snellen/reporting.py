"""`snellen report`: a run's reports again, from its scores as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.engine.run_files import n_selected_of, open_benchmark
from snellen.errors import StoreError, UsageError
from snellen.finishing import report_run
from snellen.reports.leaderboard import published_for
from snellen.reports.plots import save_figures
from snellen.reports.published import chosen
from snellen.reports.results import RunResult
from snellen.reports.run_page_data import PageData
from snellen.reports.tracking import track_mlflow
from snellen.store import read_json, read_spec

TRACKERS = ("mlflow",)
_TRACKED = ("report.json", "report.md", "report.html", "per_capability.csv", "run.json")


def report(
    folder: Path, *, figures: Path | None = None, track: str = "", beside: Sequence[str] | None = None
) -> RunResult:
    """Write report.json, report.md, report.html and the tables of a run again.

    Args:
        folder: a run directory.
        figures: folder for the figures as PNG, SVG and PDF; None draws none.
        track: name of a tracker that is given the numbers ("mlflow"); "" for none.
        beside: published models to set the run beside; None keeps those chosen before, () goes back to the default.

    Raises:
        StoreError: this is no run directory, or it was never scored.
        UsageError: no such tracker or published model, or what it needs is not installed.
    """
    if track and track not in TRACKERS:
        raise UsageError(f"--track takes {', '.join(TRACKERS)}, got {track!r}")
    spec = read_spec(folder)
    benchmark, notes = open_benchmark(spec)
    facts = facts_of(folder)
    facts["notes"] = [*facts.get("notes", ()), *(n for n in notes if n not in facts.get("notes", ()))]
    if beside is not None:
        _check_published(spec, beside)
        facts["beside"] = list(beside)

    def also(data: PageData) -> None:
        if figures is not None:
            save_figures(data, figures)
        if track:
            files = [path for name in _TRACKED if (path := folder / name).exists()]
            run_id = track_mlflow(data, name=folder.resolve().name, files=files)
            told.append(f"mlflow run {run_id}")

    told: list[str] = []
    n_selected = n_selected_of(folder)
    result = report_run(folder, spec, benchmark=benchmark, facts=facts, n_selected=n_selected, also=also)
    return replace(result, facts={**result.facts, "notes": [*result.facts.get("notes", ()), *told]})


def _check_published(spec: dict[str, Any], models: Sequence[str]) -> None:
    """Refuse a published model that the benchmark's table does not have."""
    if models:
        chosen(models, published_for(str((spec.get("benchmark") or {}).get("name") or "")))


def facts_of(folder: Path) -> dict[str, Any]:
    """Facts of the last report, {} when there is none."""
    with suppress(StoreError):
        facts = read_json(folder / "report.json").get("facts")
        return dict(facts) if isinstance(facts, dict) else {}
    return {}
