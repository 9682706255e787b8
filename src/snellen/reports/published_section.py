"""Figures of a run: its capabilities, and where it stands beside published models."""

from __future__ import annotations

from snellen.errors import UsageError
from snellen.reports import figures
from snellen.reports.page import escape
from snellen.reports.published import Beside, beside
from snellen.reports.run_page_data import PageData
from snellen.reports.tables import percent


def published_section(data: PageData) -> str:
    """Bars and radar of the capabilities; beside published models where there is a table of them."""
    cells = data.summary.by_capability
    bars = figures.capability_bars(cells) if len(cells) > 1 else ""
    found = beside_of(data)
    if found is None:
        return f'<div class="figures">{bars}{figures.radar(cells)}</div>' if bars else ""
    model = str((data.spec.get("model") or {}).get("name") or "this run")
    radar = figures.radar(found.cells, found.profiles, own=model, why=found.chosen)
    standing = figures.standing_bars(found, model)
    remarks = "".join(f"<li>{escape(remark)}</li>" for remark in found.remarks)
    return (
        f'<div class="figures">{bars}{radar}</div>'
        f"<h2>Beside published models</h2><p>{escape(_sentence(found, model))}</p>"
        f"{standing}<details><summary>how the protocols differ</summary><ul>{remarks}</ul></details>"
    )


def beside_of(data: PageData) -> Beside | None:
    """The run beside the published models that were chosen for it, None where there are none."""
    chosen = data.facts.get("beside")
    names = [str(name) for name in chosen] if isinstance(chosen, list) else []
    try:
        return beside(data.summary, data.spec, names)
    except UsageError:  # chosen for another benchmark; the refusal came when they were chosen
        return None


def _sentence(found: Beside, model: str) -> str:
    better = sum(score > found.own.mean for score in found.scores.values())
    best = next(iter(found.scores))
    return (
        f"{model} has {percent(found.own.mean)} ({found.measure}), {percent(found.ceiling - found.own.mean)} points "
        f"below the best published model, {best} ({percent(found.ceiling)}); {better} of {len(found.scores)} "
        f"published models score higher. Source: {found.source}."
        if found.own.mean <= found.ceiling
        else f"{model} has {percent(found.own.mean)} ({found.measure}), above all {len(found.scores)} published "
        f"models; the best of them is {best} ({percent(found.ceiling)}). Source: {found.source}."
    )
