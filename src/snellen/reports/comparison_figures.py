"""Figures of comparisons as inline SVG, drawn by hand: no library, colours from the page's CSS classes c0 … c5."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from snellen.reports.comparison import Comparison, RunFigures
from snellen.reports.comparison_text import number, points
from snellen.reports.leaderboard import Leaderboard
from snellen.reports.tables import percent
from snellen.reports.trend import Curve

_WIDTH = 640


def ticks(low: float, high: float, n: int = 5) -> list[float]:
    """Round numbers that span a range.

    >>> ticks(0.13, 0.88)
    [0.2, 0.4, 0.6, 0.8]
    >>> ticks(1.0, 1.0)
    [1.0]
    """
    if not high > low:
        return [low]
    raw = (high - low) / n
    size = 10 ** math.floor(math.log10(raw))
    step = next(size * m for m in (1, 2, 5, 10) if size * m >= raw)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def differences(comparison: Comparison, which: int) -> str:
    """Forest plot: one row a group, the difference with its interval against zero.

    Args:
        comparison: the numbers.
        which: index of the run after the baseline, 0-based.
    """
    rows = [row for row in comparison.groups if not math.isnan(row.differences[which].low)][:40]
    if not rows:
        return ""
    found = [row.differences[which] for row in rows]
    reach = max(0.01, *(abs(d.low) for d in found), *(abs(d.high) for d in found)) * 1.05
    left, right, height, line = 190, 20, 30 + 20 * len(rows), 20

    def x(value: float) -> float:
        return left + (value + reach) / (2 * reach) * (_WIDTH - left - right)

    parts = [_vertical(x(t), 8, height - 20, points(t), zero=t == 0) for t in ticks(-reach, reach)]
    for i, (row, d) in enumerate(zip(rows, found, strict=True)):
        y = 20 + line * i
        colour = "soft" if not row.p_holm[which] < 0.05 else "c0" if d.difference > 0 else "c1"
        told = f"{row.name}: {points(d.difference)} ({points(d.low)} … {points(d.high)})"
        parts.append(
            f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{_e(row.name[:28])}</text><g class="{colour}">'
            f'<line class="line" x1="{x(d.low):.1f}" x2="{x(d.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle cx="{x(d.difference):.1f}" cy="{y}" r="4.5"><title>{_e(told)}</title></circle></g>'
        )
    name, base = comparison.runs[which + 1].name, comparison.runs[0].name
    return _svg(height, f"{name} minus {base}, points, with 95 % intervals", parts)


def pareto(runs: Sequence[RunFigures]) -> str:
    """Score against answer tokens, the front joined by a line; "" when fewer than two runs tell their tokens."""
    known = [run for run in runs if run.n_out_mean > 0 and not math.isnan(run.score.mean)]
    if len(known) < 2:
        return ""
    logs = [math.log10(run.n_out_mean) for run in known]
    scores = [run.score.mean for run in known]
    x_low, x_high = min(logs) - 0.1, max(logs) + 0.25
    y_low, y_high = _padded(min(scores), max(scores))
    height, left, bottom = 260, 60, 40

    def place(run: RunFigures) -> tuple[float, float]:
        x = left + (math.log10(run.n_out_mean) - x_low) / (x_high - x_low) * (_WIDTH - left - 20)
        y = 15 + (y_high - run.score.mean) / (y_high - y_low) * (height - bottom - 15)
        return x, y

    parts = [
        _horizontal(15 + (y_high - t) / (y_high - y_low) * (height - bottom - 15), left, percent(t))
        for t in ticks(y_low, y_high)
    ]
    front = sorted(place(run) for run in known if run.on_front)
    parts.append(f'<polyline class="chance" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in front)}"/>')
    for i, run in enumerate(known):
        x, y = place(run)
        told = f"{run.name}: {percent(run.score.mean)} at {number(run.n_out_mean)} tokens"
        parts.append(
            f'<g class="c{i % 6}"><circle cx="{x:.1f}" cy="{y:.1f}" r="{6 if run.on_front else 4}">'
            f'<title>{_e(told)}</title></circle><text x="{x + 9:.1f}" y="{y + 4:.1f}">{_e(run.name[:26])}</text></g>'
        )
    parts += [
        _axis_title(height, "answer tokens a sample (logarithmic); dashed: the Pareto front"),
        _y_title("score"),
    ]
    parts += [_tick_text(place(run)[0], height - bottom + 16, number(run.n_out_mean)) for run in known]
    return _svg(height, "score against answer tokens", parts)


def trend(curve: Curve, tag: str) -> str:
    """Scores over steps with their intervals as a band."""
    known = [step for step in curve.steps if not math.isnan(step.score.mean)]
    if len(known) < 2:
        return ""
    height, left, bottom = 240, 60, 40
    lows = [s.score.low if not math.isnan(s.score.low) else s.score.mean for s in known]
    highs = [s.score.high if not math.isnan(s.score.high) else s.score.mean for s in known]
    y_low, y_high = _padded(min(lows), max(highs))
    first, last = known[0].step, known[-1].step

    def x(step: float) -> float:
        return left + (step - first) / (last - first) * (_WIDTH - left - 40)

    def y(score: float) -> float:
        return 15 + (y_high - score) / (y_high - y_low) * (height - bottom - 15)

    upper = [f"{x(s.step):.1f},{y(v):.1f}" for s, v in zip(known, highs, strict=True)]
    lower = [f"{x(s.step):.1f},{y(v):.1f}" for s, v in zip(known, lows, strict=True)]
    line = " ".join(f"{x(s.step):.1f},{y(s.score.mean):.1f}" for s in known)
    dots = "".join(
        f'<circle cx="{x(s.step):.1f}" cy="{y(s.score.mean):.1f}" r="3.5">'
        f"<title>{_e(f'{tag} {s.step:g}: {percent(s.score.mean)}')}</title></circle>"
        for s in known
    )
    parts = [_horizontal(y(t), left, percent(t)) for t in ticks(y_low, y_high)]
    parts += [_tick_text(x(t), height - bottom + 16, f"{t:,g}") for t in ticks(first, last)]
    parts.append(
        f'<g class="c0"><polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>'
        f'<polyline class="line" points="{line}"/>{dots}</g>'
    )
    parts += [_axis_title(height, tag), _y_title("score")]
    return _svg(height, f"{curve.name}: score over {tag}, band = 95 % interval", parts)


def bars(board: Leaderboard) -> str:
    """Overall scores of all models, best first, own runs in another colour; the best published one is the ceiling."""
    entries = [entry for entry in board.entries if not math.isnan(entry.overall)]
    if not entries:
        return ""
    left, line, height = 190, 18, 24 + 18 * len(entries)
    ceiling = max((entry.overall for entry in entries if not entry.is_own), default=math.nan)
    scale = (_WIDTH - left - 60) / max(0.01, *(entry.overall for entry in entries))
    parts = []
    for i, entry in enumerate(entries):
        y, width = 8 + line * i, entry.overall * scale
        colour = "c1" if entry.is_own else "c0"
        parts.append(
            f'<text x="{left - 8}" y="{y + 11}" text-anchor="end">{_e(entry.model[:28])}</text>'
            f'<g class="{colour}"><rect x="{left}" y="{y}" width="{width:.1f}" height="12"/></g>'
            f'<text x="{left + width + 6:.1f}" y="{y + 11}">{percent(entry.overall)}</text>'
        )
    if not math.isnan(ceiling):
        at = left + ceiling * scale
        parts.append(f'<line class="zero" x1="{at:.1f}" x2="{at:.1f}" y1="4" y2="{height - 12}"/>')
    return _svg(height, "overall scores; dashed: the best published one", parts)


def _padded(low: float, high: float) -> tuple[float, float]:
    pad = max(0.02, 0.1 * (high - low))
    return max(0.0, low - pad), min(1.0, high + pad)


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" role="img" aria-label="{_e(title)}">'
    return f'<figure>{head}{"".join(parts)}</svg><figcaption class="soft">{_e(title)}</figcaption></figure>'


def _vertical(x: float, top: float, bottom: float, label: str, *, zero: bool) -> str:
    css = "zero" if zero else "grid"
    return f'<line class="{css}" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>' + _tick_text(
        x, bottom + 14, label
    )


def _horizontal(y: float, left: float, label: str) -> str:
    return (
        f'<line class="grid" x1="{left}" x2="{_WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="soft" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{_e(label)}</text>'
    )


def _tick_text(x: float, y: float, label: str) -> str:
    return f'<text class="soft" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{_e(label)}</text>'


def _axis_title(height: float, title: str) -> str:
    return f'<text class="soft" x="{_WIDTH - 20}" y="{height - 6:.0f}" text-anchor="end">{_e(title)}</text>'


def _y_title(title: str) -> str:
    return f'<text class="soft" x="4" y="12">{_e(title)}</text>'


def _e(value: str) -> str:
    return html.escape(value, quote=True)
