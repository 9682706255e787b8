"""What a model can still see: the eye chart's thresholds, one line and one curve a kind of question.

A threshold is the size, number, contrast or angle at which the model is right half of the time above chance.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from snellen.reports.run_data import RunData
from snellen.stats.psychometric import Curve, Harder, LevelShare, fit_curve, level_shares


@dataclass(frozen=True, slots=True)
class KindThreshold:
    """One kind of question on its ladder."""

    kind: str
    """Stable word ("letters")."""
    capability: str
    """Skill group."""
    unit: str
    """Of the levels ("px", "objects", …)."""
    phrase: str
    """What the threshold means, with {level}."""
    curve: Curve
    """The fit."""
    seen: tuple[LevelShare, ...]
    """Shares right, from the smallest level to the largest."""

    @property
    def sentence(self) -> str:
        """The threshold in words, with its interval, or why there is none."""
        hardest, easiest = self._ends()
        beyond = self._beyond()
        if self.curve.reason == "right at every level" or beyond == "harder":
            return f"{self._phrase(hardest)} and beyond (the hardest tested)"
        if math.isnan(self.curve.threshold) or beyond == "easier":
            why = self.curve.reason if math.isnan(self.curve.threshold) else "no level tested is easy enough"
            return f"{self.kind}: no threshold from {easiest:g} to {hardest:g} {self.unit}, {why}"
        return f"{self._phrase(self.curve.threshold)} ({level_text(self.curve.low)} … {level_text(self.curve.high)})"

    def _phrase(self, level: float) -> str:
        phrase = self.phrase if "{level}" in self.phrase else f"{self.kind} at {{level}} {self.unit}"
        return phrase.replace("{level}", level_text(level))

    def _ends(self) -> tuple[float, float]:
        """The hardest and the easiest level tested."""
        low, high = self.seen[0].level, self.seen[-1].level
        return (high, low) if self.curve.harder == "high" else (low, high)

    def _beyond(self) -> str:
        """Either "harder" or "easier" when the fitted threshold lies outside the levels tested, else ""."""
        low, high, threshold = self.seen[0].level, self.seen[-1].level, self.curve.threshold
        if math.isnan(threshold) or low <= threshold <= high:
            return ""
        below = threshold < low
        return "harder" if below == (self.curve.harder == "low") else "easier"

    def as_record(self) -> dict[str, Any]:
        """For JSON; NaN becomes null when it is encoded."""
        return {
            "kind": self.kind,
            "capability": self.capability,
            "unit": self.unit,
            "threshold": self.curve.threshold,
            "ci95": [self.curve.low, self.curve.high],
            "harder": self.curve.harder,
            "chance": self.curve.chance,
            "n": self.curve.n,
            "reason": self.curve.reason,
            "sentence": self.sentence,
            "levels": [asdict(share) for share in self.seen],
        }


def level_text(value: float) -> str:
    """A level for people: three significant digits, whole from ten on.

    >>> level_text(9.04), level_text(123.4), level_text(0.0312), level_text(float("nan"))
    ('9', '123', '0.031', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.2g}"


def thresholds(rows: Iterable[Mapping[str, Any]]) -> tuple[KindThreshold, ...]:
    """Thresholds of all kinds in scored eye-chart answers.

    Args:
        rows: one mapping an answer: score (in [0, 1], NaN or None = missing), capability, and the sample's metadata
            with kind, level, and optionally unit, chance, harder ("lower" or "higher") and phrase. Rows without a
            kind and a level are passed over.

    Returns:
        One entry a kind, in order of first appearance.

    >>> rows = [{"score": s >= 12, "metadata": {"kind": "letters", "unit": "px", "level": s, "harder": "lower",
    ...          "phrase": "reads letters down to {level} px"}} for s in (6, 8, 12, 16, 24) for _ in range(12)]
    >>> (found,) = thresholds(rows)
    >>> 8 < found.curve.threshold < 12
    True
    """
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        metadata = row.get("metadata") or {}
        if metadata.get("kind") and isinstance(metadata.get("level"), int | float):
            kinds.setdefault(str(metadata["kind"]), []).append(row)
    return tuple(_threshold(kind, members) for kind, members in kinds.items() if _any_scored(members))


def thresholds_of(run: RunData) -> tuple[KindThreshold, ...]:
    """Thresholds of an eye-chart run; empty for any other benchmark."""
    return thresholds(
        {"score": row.score, "capability": row.capability, "metadata": row.metadata} for row in run.samples
    )


def _any_scored(rows: Sequence[Mapping[str, Any]]) -> bool:
    return any(not math.isnan(_score(row)) for row in rows)


def _score(row: Mapping[str, Any]) -> float:
    value = row.get("score")
    return math.nan if value is None else float(value)


def _threshold(kind: str, rows: Sequence[Mapping[str, Any]]) -> KindThreshold:
    first = rows[0]["metadata"]
    harder: Harder = "high" if first.get("harder") in ("higher", "high") else "low"
    levels = [float(row["metadata"]["level"]) for row in rows]
    scores = [_score(row) for row in rows]
    chances = [min(0.99, max(0.0, float(row["metadata"].get("chance") or 0.0))) for row in rows]
    return KindThreshold(
        kind=kind,
        capability=str(rows[0].get("capability") or ""),
        unit=str(first.get("unit") or ""),
        phrase=str(first.get("phrase") or ""),
        curve=fit_curve(levels, scores, chances, harder=harder),
        seen=tuple(level_shares(levels, scores)),
    )


def summary_line(found: Sequence[KindThreshold]) -> str:
    """All thresholds in one line: "reads letters down to 9 px, counts up to 7 objects, …".

    Kinds without a threshold are counted at the end.
    """
    told = [one.sentence.partition(" (")[0] for one in found if _has_threshold(one)]
    n_without = len(found) - len(told)
    kinds = "kind" if n_without == 1 else "kinds"
    rest = [f"no threshold for {n_without} other {kinds}"] if n_without and told else []
    return ", ".join([*told, *rest]) or "no threshold could be read off"


def _has_threshold(one: KindThreshold) -> bool:
    return not one.sentence.startswith(f"{one.kind}: no threshold")


def terminal(found: Sequence[KindThreshold]) -> str:
    """One line a kind, at most 80 columns wide."""
    import textwrap

    lines: list[str] = []
    for one in found:
        lines += textwrap.wrap(one.sentence, 80, subsequent_indent="    ")
    return "\n".join(lines)


def markdown(found: Sequence[KindThreshold]) -> str:
    """The thresholds as a Markdown table."""
    lines = ["| kind | capability | threshold | 95 % interval | answers | in words |", "|---|---|---|---|---|---|"]
    for one in found:
        c = one.curve
        threshold = f"{level_text(c.threshold)} {one.unit}" if not math.isnan(c.threshold) else "–"
        bounds = f"{level_text(c.low)} … {level_text(c.high)}" if not math.isnan(c.low) else "–"
        lines.append(f"| {one.kind} | {one.capability} | {threshold} | {bounds} | {c.n} | {one.sentence} |")
    return "\n".join(lines)


_W, _H, _LEFT, _BOTTOM, _TOP, _RIGHT = 300, 190, 38, 34, 26, 10


def svg(one: KindThreshold, others: Sequence[tuple[str, KindThreshold]] = ()) -> str:
    """The curve of a kind as inline SVG: points with intervals, the fit, chance, the threshold with its interval.

    Args:
        one: the kind.
        others: (name, same kind in another run), drawn as further curves in the next colours (the caller
            names them beside the figure); several image sizes side by side show what downscaling costs.

    Returns:
        An svg element that takes its colours from the page (CSS classes c0, c1, … and currentColor).
    """
    levels = sorted({share.level for _, k in (("", one), *others) for share in k.seen})
    scale = _Scale(levels, one.curve.harder, all(level > 0 for level in levels))
    parts = [_frame(one, scale, levels)]
    for i, (name, kind) in enumerate((("", one), *others)):
        parts += [f'<g class="c{i % 6}">', *_drawn(kind, scale, name, i), "</g>"]
    title = html.escape(f"{one.kind}: {one.sentence}")
    return f'<svg viewBox="0 0 {_W} {_H}" role="img" class="curve"><title>{title}</title>{"".join(parts)}</svg>'


@dataclass(frozen=True, slots=True)
class _Scale:
    """Levels and shares → pixels; the easy side is always on the right."""

    levels: Sequence[float]
    harder: Harder
    logarithmic: bool

    def x(self, level: float) -> float:
        at = [math.log(v) if self.logarithmic else v for v in (self.levels[0], self.levels[-1], level)]
        share = (at[2] - at[0]) / (at[1] - at[0]) if at[1] > at[0] else 0.5
        share = min(1.04, max(-0.04, 1 - share if self.harder == "high" else share))
        return _LEFT + 8 + share * (_W - _LEFT - _RIGHT - 16)

    def y(self, share: float) -> float:
        return _TOP + (1 - share) * (_H - _TOP - _BOTTOM)


def _frame(one: KindThreshold, scale: _Scale, levels: Sequence[float]) -> str:
    lines = [f'<text x="{_LEFT}" y="15" class="title">{html.escape(one.kind)}</text>']
    for share in (0.0, 0.5, 1.0):
        y = scale.y(share)
        lines.append(f'<line x1="{_LEFT}" x2="{_W - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        lines.append(f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    shown = levels if len(levels) <= 6 else [levels[0], levels[len(levels) // 2], levels[-1]]
    lines += [
        f'<text x="{scale.x(level):.1f}" y="{_H - _BOTTOM + 15}" text-anchor="middle">{level_text(level)}</text>'
        for level in shown
    ]
    lines.append(f'<text x="{_W - _RIGHT}" y="{_H - 4}" text-anchor="end">{html.escape(one.unit)} (easy →)</text>')
    y = scale.y(one.curve.chance)
    lines.append(f'<line x1="{_LEFT}" x2="{_W - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="chance"/>')
    return "".join(lines)


def _drawn(kind: KindThreshold, scale: _Scale, name: str, which: int) -> list[str]:
    parts = [f"<title>{html.escape(name)}</title>"] if name else []
    for share in kind.seen:
        x, label = (
            scale.x(share.level) + 3 * which,
            f"{level_text(share.level)} {kind.unit}: {share.share:.0%} of {share.n}",
        )
        low, high = scale.y(share.low), scale.y(share.high)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" class="bar"/>')
        y, told = scale.y(share.share), html.escape(label)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{told}</title></circle>')
    if not math.isnan(kind.curve.threshold):
        parts += _fitted(kind, scale)
    return parts


def _fitted(kind: KindThreshold, scale: _Scale) -> list[str]:
    low, high = kind.seen[0].level, kind.seen[-1].level
    steps = [i / 60 for i in range(61)]
    levels = [low * (high / low) ** s if scale.logarithmic else low + s * (high - low) for s in steps]
    shares = kind.curve.probability(levels)
    points = " ".join(f"{scale.x(v):.1f},{scale.y(float(p)):.1f}" for v, p in zip(levels, shares, strict=True))
    middle = scale.y(kind.curve.chance + (1 - kind.curve.chance) / 2)
    ends = (scale.x(kind.curve.low), scale.x(kind.curve.high))
    return [
        f'<polyline points="{points}" class="fit"/>',
        f'<line x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{middle:.1f}" y2="{middle:.1f}" class="threshold"/>',
    ]
