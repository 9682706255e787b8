"""Figures of a run as inline SVG: bars with intervals, a radar, counts. Colours come from the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from snellen.reports.page import escape
from snellen.reports.summary import Cell

_LEFT, _WIDTH, _ROW = 120, 440, 26


def capability_bars(cells: Sequence[Cell]) -> str:
    """One bar a capability with its 95 % interval, 0 to 100."""
    height = _ROW * len(cells) + 34
    parts = [_grid(height)]
    for i, cell in enumerate(cells):
        parts.append(_bar(cell, 8 + i * _ROW))
    title = "Score by capability with 95 % intervals"
    return _svg(_LEFT + _WIDTH + 20, height, title, parts)


def _grid(height: int) -> str:
    lines = []
    for tick in range(0, 101, 20):
        x = _x(tick / 100)
        lines.append(f'<line class="grid" x1="{x:.1f}" y1="4" x2="{x:.1f}" y2="{height - 26}"/>')
        lines.append(f'<text class="soft" x="{x:.1f}" y="{height - 10}" text-anchor="middle">{tick}</text>')
    return "".join(lines)


def _bar(cell: Cell, y: float) -> str:
    label = f'<text x="{_LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(cell.name[:20])}</text>'
    if math.isnan(cell.score):
        return label + f'<text class="soft" x="{_LEFT + 4}" y="{y + 14}">no score</text>'
    width = _x(cell.score) - _LEFT
    bar = f'<rect class="fill" x="{_LEFT}" y="{y + 3}" width="{max(width, 1):.1f}" height="14" fill-opacity=".55"/>'
    low, high = cell.interval.low, cell.interval.high
    if math.isnan(low) or math.isnan(high):
        return f'{label}<g class="c0">{bar}</g>'
    whisker = (
        f'<line x1="{_x(low):.1f}" y1="{y + 10}" x2="{_x(high):.1f}" y2="{y + 10}" stroke-width="2"/>'
        f'<line x1="{_x(low):.1f}" y1="{y + 5}" x2="{_x(low):.1f}" y2="{y + 15}" stroke-width="2"/>'
        f'<line x1="{_x(high):.1f}" y1="{y + 5}" x2="{_x(high):.1f}" y2="{y + 15}" stroke-width="2"/>'
    )
    return f'{label}<g class="c0">{bar}</g>{whisker}'


def _x(share: float) -> float:
    return _LEFT + share * _WIDTH


def radar(cells: Sequence[Cell], others: Mapping[str, Mapping[str, float]] | None = None) -> str:
    """Scores by capability around a circle, with reference models beside; "" below three capabilities.

    Args:
        cells: one a capability.
        others: reference model → capability → score in [0, 1].
    """
    known = [cell for cell in cells if not math.isnan(cell.score)]
    if len(known) < 3:
        return ""
    centre, radius = 210.0, 125.0
    parts = [_rings(len(known), centre, radius)]
    for i, cell in enumerate(known):
        x, y = _around(i, len(known), centre, radius + 16)
        anchor = "middle" if abs(x - centre) < 20 else "start" if x > centre else "end"
        parts.append(f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="{anchor}">{escape(cell.name[:16])}</text>')
    parts.append(_polygon([cell.score for cell in known], centre, radius, "c0 area"))
    for number, scores in enumerate((others or {}).values(), 1):
        parts.append(_polygon([scores.get(cell.name, 0.0) for cell in known], centre, radius, f"c{number % 6}"))
    legend = _legend(list(others or {}), centre + radius + 40)
    height = centre + radius + 45 + 16 * len(others or {})
    return _svg(2 * centre, height, "Scores by capability", [*parts, legend])


def _rings(n: int, centre: float, radius: float) -> str:
    rings = []
    for share in (0.25, 0.5, 0.75, 1.0):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_around(i, n, centre, radius * share) for i in range(n)))
        rings.append(f'<polygon class="grid" points="{points}"/>')
    return "".join(rings)


def _around(i: int, n: int, centre: float, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * i / n - math.pi / 2
    return centre + radius * math.cos(angle), centre + radius * math.sin(angle)


def _polygon(scores: Sequence[float], centre: float, radius: float, kind: str) -> str:
    n = len(scores)
    points = " ".join(
        f"{x:.1f},{y:.1f}" for x, y in (_around(i, n, centre, radius * score) for i, score in enumerate(scores))
    )
    return f'<polygon class="{kind}" points="{points}"/>'


def _legend(names: Sequence[str], top: float) -> str:
    return "".join(
        f'<g class="c{i % 6}"><line x1="20" y1="{top + 16 * i - 4:.0f}" x2="44" y2="{top + 16 * i - 4:.0f}"/></g>'
        f'<text x="50" y="{top + 16 * i:.0f}">{escape(name)}</text>'
        for i, name in enumerate(names, 1)
    )


def count_bars(counts: Mapping[str, int], title: str) -> str:
    """Counts by kind as bars; "" when there are none."""
    if not counts:
        return ""
    most = max(counts.values())
    height = _ROW * len(counts) + 12
    parts = []
    for i, (name, n) in enumerate(counts.items()):
        y = 6 + i * _ROW
        width = 300 * n / most
        parts.append(
            f'<text x="150" y="{y + 14}" text-anchor="end">{escape(name[:24])}</text><g class="c1">'
            f'<rect class="fill" x="158" y="{y + 3}" width="{width:.1f}" height="14" fill-opacity=".7"/></g>'
            f'<text x="{164 + width:.1f}" y="{y + 14}">{n:,}</text>'
        )
    return _svg(540, height, title, parts)


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}">{"".join(parts)}</svg>'
    )
