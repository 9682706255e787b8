"""`snellen curate drift`: new models against the models that calibrated the benchmark."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from snellen.curation.drift import Drift
from snellen.reports.blocks import Report, percent


def as_record(found: Drift) -> dict[str, Any]:
    """JSON-able form; what is not known is null."""
    cleaned: dict[str, Any] = _clean(asdict(found))
    return cleaned


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _clean(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def report_of(found: Drift) -> Report:
    """The finding as a report."""
    report = Report("Drift")
    report.text("ALARM: the calibration no longer holds." if found.alarm else "No alarm.")
    report.notes(found.findings)
    report.heading("What to do")
    for line in found.advice:
        report.text(f"- {line}")
    report.heading("New models")
    rows = [
        (m.model, percent(m.level), f"{100 * m.gain_over_best:+.1f}", m.is_above_range, m.outfit, m.is_misfit)
        for m in found.models
    ]
    report.table(("model", "score", "over the best, points", "above range", "outfit", "misfit"), rows)
    report.heading("Saturation")
    saturation = [
        (name, percent(s.live_share), percent(s.best), f"{100 * s.top_gap:.1f}", f"{s.top_gap_in_se:.1f}")
        for name, s in (("calibrating", found.before), ("new", found.after))
    ]
    report.table(("models", "live items", "best", "top gap, points", "in standard errors"), saturation)
    report.text(f"Kolmogorov–Smirnov distance of item difficulties, before and after: {found.ks:.3f}.")
    return report
