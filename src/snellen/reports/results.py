"""A finished run as Python sees it."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.reports import tables
from snellen.reports.summary import Summary
from snellen.scores_file import read_scores


@dataclass(frozen=True, slots=True)
class RunResult:
    """Numbers, tables and rows of a run."""

    folder: Path
    """The run directory."""
    summary: Summary
    """All numbers."""
    facts: Mapping[str, Any]
    """What happened: tokens, time, notes, sight."""
    spec: Mapping[str, Any]
    """The frozen spec."""

    @property
    def score(self) -> float:
        """Headline score in [0, 1]; NaN when nothing is scored."""
        return self.summary.overall.score

    @property
    def ci95(self) -> tuple[float, float]:
        """95 % interval of the headline score."""
        return self.summary.overall.interval.low, self.summary.overall.interval.high

    @property
    def stopped(self) -> str:
        """Why the run ended early, "" when it did not."""
        return str(self.facts.get("stopped") or "")

    def rows(self) -> list[dict[str, Any]]:
        """One mapping a sample and epoch, for any DataFrame library."""
        return read_scores(self.folder / "scores.parquet")

    def table(self) -> str:
        """The main table as text."""
        return tables.terminal(self.summary)

    def as_record(self) -> dict[str, Any]:
        """What `snellen run --json` prints."""
        return {
            "run": str(self.folder),
            "benchmark": self.spec.get("benchmark", {}).get("name"),
            "model": self.spec.get("model", {}).get("name"),
            **self.summary.as_record(),
            "rules": self.spec.get("rules"),
            "tokens": self.facts.get("tokens"),
            "cost": self.facts.get("cost"),
            "coordinates": self.facts.get("coordinates"),
            "sight": self.facts.get("sight"),
            "notes": list(self.facts.get("notes", ())),
            "stopped": self.stopped,
            "report": str(self.folder / "report.html"),
        }

    def __repr__(self) -> str:
        overall = self.summary.overall
        score = f"{tables.percent(overall.score)} ({tables.interval_text(overall)})"
        return f"RunResult({self.folder.name}: {score}, {overall.n_scored} of {overall.n_asked} scored)"

    def _repr_html_(self) -> str:
        """Notebooks show the table."""
        cells = tables.lines(self.summary)
        head = "<tr><th></th><th>scored</th><th>score</th><th>95 % interval</th></tr>"
        body = "".join(
            f"<tr><td>{html.escape(cell.name)}</td><td>{cell.n_scored} of {cell.n_asked}</td>"
            f"<td>{tables.percent(cell.score)}</td><td>{tables.interval_text(cell)}</td></tr>"
            for cell in cells
        )
        return f"<table>{head}{body}</table><p>{html.escape(str(self.folder))}</p>"
