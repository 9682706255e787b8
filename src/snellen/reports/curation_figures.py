"""Hand-made SVG figures of the curation reports: no script, no font, colours from the page's own palette."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from snellen.curation.matrix import Floats
from snellen.curation.profile import Correlations, Tree
from snellen.reports.page import escape

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _RIGHT = 460.0, 300.0, 62.0, 40.0, 24.0


def scatter(
    points: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    title: str,
    x: str,
    y: str,
    diagonal: bool = False,
) -> str:
    """Points of one or more groups, each in its colour.

    Args:
        points: group name → (x values, y values).
        title: what the figure shows, for screen readers.
        x: axis title.
        y: axis title.
        diagonal: draw the line of equality.
    """
    xs = [v for gx, _ in points.values() for v in gx if np.isfinite(v)]
    ys = [v for _, gy in points.values() for v in gy if np.isfinite(v)]
    if not xs or not ys:
        return _svg(title, ['<text x="20" y="40">nothing to draw</text>'])
    box = _Box(*_range(xs + ys if diagonal else xs), *_range(xs + ys if diagonal else ys))
    parts = box.axes(x, y)
    if diagonal:
        parts.append(_line(box.x(box.x0), box.y(box.y0), box.x(box.x1), box.y(box.y1), kind="chance"))
    for k, (name, (gx, gy)) in enumerate(points.items()):
        dots = "".join(
            f'<circle cx="{box.x(a):.1f}" cy="{box.y(b):.1f}" r="2.6" class="fill" fill-opacity=".55"/>'
            for a, b in zip(gx, gy, strict=True)
            if np.isfinite(a) and np.isfinite(b)
        )
        parts.append(f'<g class="c{k % 6}">{dots}</g>{_key(k, name, len(points))}')
    return _svg(title, parts)


def lines(curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, title: str, x: str, y: str) -> str:
    """Curves, each in its colour, with a key.

    Args:
        curves: name → (x values, y values).
        title: what the figure shows.
        x: axis title.
        y: axis title.
    """
    xs = [v for cx, _ in curves.values() for v in cx]
    ys = [v for _, cy in curves.values() for v in cy if np.isfinite(v)]
    if not xs or not ys:
        return _svg(title, ['<text x="20" y="40">nothing to draw</text>'])
    box = _Box(*_range(xs), *_range([*ys, 0.0]))
    parts = box.axes(x, y)
    for k, (name, (cx, cy)) in enumerate(curves.items()):
        path = " ".join(f"{box.x(a):.1f},{box.y(b):.1f}" for a, b in zip(cx, cy, strict=True) if np.isfinite(b))
        parts.append(f'<g class="c{k % 6}"><polyline class="line" points="{path}"/></g>{_key(k, name, len(curves))}')
    return _svg(title, parts)


def bars(values: Mapping[str, float], *, title: str, unit: str = "", limit: float | None = None) -> str:
    """Horizontal bars, one a name.

    Args:
        values: name → value of at least 0.
        title: what the figure shows.
        unit: behind each number ("%").
        limit: a marked threshold.
    """
    top = max([*values.values(), limit or 0.0, 1e-9])
    height = 24.0 + 20 * len(values)
    parts = []
    for k, (name, value) in enumerate(values.items()):
        y = 8 + 20 * k
        parts.append(f'<text x="190" y="{y + 12}" text-anchor="end">{escape(name[:30])}</text>')
        width = 0.0 if value != value else 200 * max(value, 0.0) / top
        parts.append(f'<g class="c0"><rect x="196" y="{y}" width="{width:.1f}" height="14" class="fill"/></g>')
        parts.append(f'<text x="{200 + width:.1f}" y="{y + 12}" class="soft">{value:.3g}{escape(unit)}</text>')
    if limit is not None:
        x = 196 + 200 * limit / top
        parts.append(_line(x, 2, x, height - 10, kind="chance"))
    return _svg(title, parts, height=height)


def histogram(values: Floats, *, title: str, x: str, n_bins: int = 24) -> str:
    """Counts of values in equal bins."""
    known = values[np.isfinite(values)]
    if not known.size:
        return _svg(title, ['<text x="20" y="40">nothing to draw</text>'])
    counts, edges = np.histogram(known, bins=n_bins)
    box = _Box(float(edges[0]), float(edges[-1]), 0.0, float(counts.max()) * 1.05)
    parts = box.axes(x, "items")
    for n, left, right in zip(counts, edges, edges[1:], strict=False):
        a, b, top = box.x(left), box.x(right), box.y(float(n))
        parts.append(
            f'<g class="c0"><rect x="{a:.1f}" y="{top:.1f}" width="{max(b - a - 1, 0.5):.1f}" '
            f'height="{box.y(0) - top:.1f}" class="fill" fill-opacity=".8"/></g>'
        )
    return _svg(title, parts)


def heat_map(correlations: Correlations, tree: Tree) -> str:
    """Correlations between capabilities in the order of their dendrogram, which stands above."""
    names = list(tree.leaves)
    index = [correlations.capabilities.index(name) for name in names]
    cell, top = 44.0, 110.0
    left = 20.0 + 6.2 * max(map(len, names))
    parts = _dendrogram(correlations.capabilities, tree, left, top - 8, cell)
    for i, a in enumerate(index):
        y = top + cell * i
        parts.append(f'<text x="{left - 6}" y="{y + cell / 2 + 4}" text-anchor="end">{escape(names[i])}</text>')
        for j, b in enumerate(index):
            r = float(correlations.r[a, b])
            tone = "c0" if r >= 0 else "c1"
            strength = 0.0 if r != r else min(abs(r), 1.0)
            x = left + cell * j
            parts.append(
                f'<g class="{tone}"><rect x="{x}" y="{y}" width="{cell - 1}" height="{cell - 1}" class="fill" '
                f'fill-opacity="{0.85 * strength:.2f}"/></g><text x="{x + cell / 2}" y="{y + cell / 2 + 4}" '
                f'text-anchor="middle">{r:.2f}</text>'
            )
    size = left + cell * len(names) + 8
    return _svg("correlations between capabilities", parts, width=size, height=top + cell * len(names) + 8)


def _dendrogram(capabilities: Sequence[str], tree: Tree, left: float, base: float, cell: float) -> list[str]:
    n = len(capabilities)
    highest = max((d for _, _, d in tree.merges), default=1.0) or 1.0
    at = {capabilities.index(name): (left + cell * (k + 0.5), base) for k, name in enumerate(tree.leaves)}
    parts = []
    for step, (first, second, distance) in enumerate(tree.merges):
        (xa, ya), (xb, yb) = at[first], at[second]
        y = base - (base - 10) * distance / highest
        parts += [_line(xa, ya, xa, y), _line(xb, yb, xb, y), _line(xa, y, xb, y)]
        at[n + step] = ((xa + xb) / 2, y)
    return parts


class _Box:
    """Data range → drawing area."""

    def __init__(self, x0: float, x1: float, y0: float, y1: float) -> None:
        self.x0, self.x1, self.y0, self.y1 = x0, x1, y0, y1

    def x(self, value: float) -> float:
        return _LEFT + (value - self.x0) / (self.x1 - self.x0) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (value - self.y0) / (self.y1 - self.y0) * (_HEIGHT - _BOTTOM - 12)

    def axes(self, x_title: str, y_title: str) -> list[str]:
        floor, right = self.y(self.y0), self.x(self.x1)
        parts = [_line(_LEFT, floor, right, floor), _line(_LEFT, floor, _LEFT, 12)]
        parts += [
            f'<text x="{self.x(a):.1f}" y="{floor + 14}" text-anchor="middle" class="soft">{a:g}</text>'
            for a in round_ticks(self.x0, self.x1)
        ]
        parts += [
            f'<text x="{_LEFT - 4}" y="{self.y(b) + 4:.1f}" text-anchor="end" class="soft">{b:g}</text>'
            for b in round_ticks(self.y0, self.y1)
        ]
        middle = (_LEFT + right) / 2
        parts.append(f'<text x="{middle}" y="{_HEIGHT - 6}" text-anchor="middle">{escape(x_title)}</text>')
        parts.append(
            f'<text x="12" y="{_HEIGHT / 2}" transform="rotate(-90 12 {_HEIGHT / 2})">{escape(y_title)}</text>'
        )
        return parts


def round_ticks(low: float, high: float) -> list[float]:
    """Three to seven round numbers inside a range.

    >>> round_ticks(0.04, 0.28)
    [0.05, 0.1, 0.15, 0.2, 0.25]
    """
    rough = (high - low) / 5
    power = 10.0 ** np.floor(np.log10(rough)) if rough > 0 else 1.0
    step = float(min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(s - rough)))
    first = int(np.ceil(low / step - 1e-9))
    return [round(k * step, 10) for k in range(first, int(np.floor(high / step + 1e-9)) + 1)]


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    gap = (high - low) * 0.04 or 0.5
    return low - gap, high + gap


def _line(x0: float, y0: float, x1: float, y1: float, *, kind: str = "grid") -> str:
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" class="{kind}"/>'


def _key(k: int, name: str, n: int) -> str:
    if n < 2:
        return ""
    y = 20 + 15 * k
    mark = f'<g class="c{k % 6}"><rect x="{_LEFT + 10}" y="{y - 8}" width="9" height="9" class="fill"/></g>'
    return f'{mark}<text x="{_LEFT + 23}" y="{y}">{escape(name)}</text>'


def _svg(title: str, parts: Sequence[str], *, width: float = _WIDTH, height: float = _HEIGHT) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
