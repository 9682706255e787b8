"""Spatial: the gap of a ring (Landolt's C) and tangled lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi
from random import Random

from snellen.benchmarks.eyechart.drawing import INK, Canvas
from snellen.benchmarks.eyechart.kinds import Item, Kind

DIRECTIONS = {"right": 0, "bottom": 90, "left": 180, "top": 270}
"""Where the gap is → degrees clockwise from 3 o'clock."""


def draw_ring(random: Random, level: float) -> Item:
    """A ring with a gap of `level` px: stroke one gap wide, diameter five gaps, as on Landolt's chart."""
    canvas = Canvas(240, 240, (252, 252, 250))
    where = random.choice(list(DIRECTIONS))
    radius = level * 2.5
    x, y = (random.uniform(radius + 8, 232 - radius) for _ in range(2))
    canvas.circle(x, y, radius, INK)
    canvas.circle(x, y, radius - level, (252, 252, 250))
    _cut(canvas, x, y, where, level)
    question = "On which side is the gap in the ring?"
    return Item((canvas.image(),), question, where, ("top", "right", "bottom", "left"))


def _cut(canvas: Canvas, x: float, y: float, where: str, gap_px: float) -> None:
    reach, half = gap_px * 2.75, gap_px / 2
    box = {
        "right": (x, y - half, x + reach, y + half),
        "left": (x - reach, y - half, x, y + half),
        "top": (x - half, y - reach, x + half, y),
        "bottom": (x - half, y, x + half, y + reach),
    }[where]
    canvas.rectangle(box, (252, 252, 250))


def draw_tangle(random: Random, level: float) -> Item:
    """`level` lines from letters at the left to numbers at the right, crossing on their way."""
    n = int(level)
    width, height = 360, max(200, n * 22)
    gap = height / n
    order = _shuffled(random, n)
    canvas = Canvas(width, height)
    stages = [list(range(n)), _shuffled(random, n), _shuffled(random, n), order]
    for lanes in zip(*stages, strict=True):
        points = [(34.0 + (width - 68) * t / 48, (_lane_at(lanes, t / 48) + 0.5) * gap) for t in range(49)]
        canvas.line(points, (70, 74, 82), 1.6)
    for i in range(n):
        canvas.text(18, (i + 0.5) * gap, chr(ord("A") + i), 9)
        canvas.text(width - 18, (i + 0.5) * gap, str(i + 1), 9)
    asked = random.randrange(n)
    question = f"Follow the line that starts at {chr(ord('A') + asked)}. At which number does it end?"
    question += " Answer with the number only."
    metadata = {"ends": [end + 1 for end in order]}
    return Item((canvas.image(),), question, str(order[asked] + 1), metadata=metadata, chance=1 / n)


def _shuffled(random: Random, n: int) -> list[int]:
    """The lanes that the n lines pass half-way: each its own, so that lines cross but never run as one."""
    lanes = list(range(n))
    random.shuffle(lanes)
    return lanes


def _lane_at(lanes: Sequence[float], t: float) -> float:
    """Height at t in [0, 1], smooth through all of `lanes` (cosine steps, level at both ends)."""
    step = min(int(t * (len(lanes) - 1)), len(lanes) - 2)
    u = t * (len(lanes) - 1) - step
    ease = (1 - cos(pi * u)) / 2
    return lanes[step] * (1 - ease) + lanes[step + 1] * ease


KINDS = (
    Kind(
        "ring_gap", "spatial", "px gap", (10, 4, 2, 1, 0.4), "choice", draw_ring,
        "sees the gap in a ring down to {level} px", 1 / 4,
    ),
    Kind(
        "tangle", "spatial", "lines", (2, 4, 6, 9, 14), "number", draw_tangle,
        "follows one of up to {level} tangled lines",
    ),
)  # fmt: skip
