"""Figures of a run as inline SVG: bars with intervals, a radar, counts. Colours come from the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from snellen.reports.page import escape
from snellen.reports.published import Beside
from snellen.reports.summary import Cell
from snellen.stats.intervals import Interval

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


def radar(
    cells: Sequence[Cell],
    others: Mapping[str, Mapping[str, float]] | None = None,
    *,
    own: str = "",
    why: Mapping[str, str] | None = None,
) -> str:
    """Scores by capability around a circle, with reference models beside; "" below three capabilities.

    Args:
        cells: one a capability.
        others: reference model → capability → score in [0, 1]; a missing capability leaves a gap at the centre.
        own: how the run is named in the legend; "" leaves it out.
        why: reference model → why it was chosen.
    """
    known = [cell for cell in cells if not math.isnan(cell.score)]
    if len(known) < 3:
        return ""
    others = others or {}
    centre, radius = 210.0, 125.0
    parts = [_rings(len(known), centre, radius)]
    for i, cell in enumerate(known):
        x, y = _around(i, len(known), centre, radius + 16)
        anchor = "middle" if abs(x - centre) < 20 else "start" if x > centre else "end"
        label = escape(_spoken(cell.name)[:18])
        parts.append(f'<text x="{x:.0f}" y="{y + 4:.0f}" text-anchor="{anchor}">{label}</text>')
    parts.append(_polygon([cell.score for cell in known], centre, radius, "c0 area"))
    for number, scores in enumerate(others.values(), 1):
        values = [scores.get(cell.name, 0.0) for cell in known]
        parts.append(_polygon(values, centre, radius, f"c{number % 6}", dash=_DASHES[number % len(_DASHES)]))
    names = [f"{name} ({(why or {}).get(name, 'chosen')})" for name in others]
    legend = _legend([own, *names] if own else names, centre + radius + 40, first=0 if own else 1)
    height = centre + radius + 45 + 16 * (len(names) + bool(own))
    return _svg(2 * centre, height, "Scores by capability", [*parts, legend])


_DASHES = ("", "7 3", "2 3", "9 3 2 3")
"""Reference models differ in dashes as well as in colour, for readers and printers without colour."""


def _spoken(name: str) -> str:
    """A capability as people say it.

    >>> _spoken("visual_counting_error")
    'visual counting'
    """
    return name.removesuffix("_error").replace("_", " ")


def _rings(n: int, centre: float, radius: float) -> str:
    rings = []
    for share in (0.25, 0.5, 0.75, 1.0):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_around(i, n, centre, radius * share) for i in range(n)))
        rings.append(f'<polygon class="grid" points="{points}"/>')
    return "".join(rings)


def _around(i: int, n: int, centre: float, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * i / n - math.pi / 2
    return centre + radius * math.cos(angle), centre + radius * math.sin(angle)


def _polygon(scores: Sequence[float], centre: float, radius: float, kind: str, *, dash: str = "") -> str:
    n = len(scores)
    points = " ".join(
        f"{x:.1f},{y:.1f}" for x, y in (_around(i, n, centre, radius * score) for i, score in enumerate(scores))
    )
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polygon class="{kind}" points="{points}"{dashed}/>'


def _legend(names: Sequence[str], top: float, *, first: int) -> str:
    parts = []
    for i, name in enumerate(names, first):
        y = top + 16 * (i - first + 1)
        dash = _DASHES[i % len(_DASHES)] if i else ""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(
            f'<g class="c{i % 6}"><line class="line" x1="20" y1="{y - 4:.0f}" x2="50" y2="{y - 4:.0f}"{dashed}/></g>'
            f'<text x="58" y="{y:.0f}">{escape(name[:60])}</text>'
        )
    return "".join(parts)


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


def interval_bar(interval: Interval) -> str:
    """One mean with its interval on a line from 0 to 100, small enough for a table cell; "" when unknown."""
    if math.isnan(interval.mean) or math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    width = 140
    told = f"{100 * interval.mean:.1f} ({100 * interval.low:.1f} … {100 * interval.high:.1f})"
    line = f'<line class="grid" x1="0" x2="{width}" y1="8" y2="8"/>'
    span = f'<line class="line" x1="{width * interval.low:.1f}" x2="{width * interval.high:.1f}" y1="8" y2="8"/>'
    dot = f'<circle class="fill" cx="{width * interval.mean:.1f}" cy="8" r="4"/>'
    return _svg(width, 16, told, [line, f'<g class="c0">{span}{dot}</g>'])


def standing_bars(found: Beside, model: str) -> str:
    """The run among the published models, best first; a dashed line at the best published one.

    Args:
        found: the numbers.
        model: how the run is named.
    """
    lines = [(name, score, False) for name, score in found.scores.items()]
    lines.append((model, found.own.mean, True))
    lines.sort(key=lambda line: -line[1])
    left, row, width = 200, 18, 380
    height = 18 + row * len(lines)
    parts = []
    for i, (name, score, is_own) in enumerate(lines):
        y = 6 + row * i
        label = f"▸ {name[:26]}" if is_own else name[:28]
        weight = ' font-weight="700"' if is_own else ""
        opacity = ".9" if is_own else ".45"
        parts.append(
            f'<text x="{left - 8}" y="{y + 11}" text-anchor="end"{weight}>{escape(label)}</text>'
            f'<g class="{"c1" if is_own else "c0"}"><rect class="fill" x="{left}" y="{y}" fill-opacity="{opacity}" '
            f'width="{max(1.0, width * score):.1f}" height="12"/></g>'
            f'<text x="{left + width + 8}" y="{y + 11}"{weight}>{100 * score:.1f}</text>'
        )
        if is_own and not math.isnan(found.own.low):
            x1, x2 = (left + width * value for value in (found.own.low, found.own.high))
            parts.append(f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y + 6}" y2="{y + 6}" stroke-width="2"/>')
    at = left + width * found.ceiling
    parts.append(f'<line class="zero" x1="{at:.1f}" x2="{at:.1f}" y1="2" y2="{height - 8}"/>')
    title = f"{found.measure}; dashed: the best published model"
    drawn = _svg(left + width + 50, height, title, parts)
    return f'<figure>{drawn}<figcaption class="soft">{escape(title)}</figcaption></figure>'
