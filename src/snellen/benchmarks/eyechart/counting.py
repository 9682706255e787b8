"""Counting: all the dots, and only those of one colour and shape."""

from __future__ import annotations

from random import Random

from snellen.benchmarks.eyechart.drawing import COLOURS, SHAPES, Canvas, places_apart
from snellen.benchmarks.eyechart.kinds import Item, Kind

SIDE = 300


def draw_dots(random: Random, level: float) -> Item:
    """About `level` dots of one colour that do not touch."""
    spread = int(level) // 6
    n = int(level) + random.randint(-spread, spread)
    canvas = Canvas(SIDE, SIDE)
    colour = COLOURS[random.choice(list(COLOURS))]
    radius = 13 if n <= 24 else 9
    for x, y in places_apart(random, n, width=SIDE, height=SIDE, radius_px=radius + 1):
        canvas.circle(x, y, radius * random.uniform(0.75, 1), colour)
    question = "How many dots are in the picture? Answer with the number only."
    return Item((canvas.image(),), question, str(n), metadata={"n_objects": n})


def draw_among(random: Random, level: float) -> Item:
    """`level` shapes of several colours; those of one colour and shape are counted."""
    total = int(level)
    shape, colour = random.choice(SHAPES), random.choice(list(COLOURS))
    n = random.randint(max(1, total // 8), max(2, total // 3))
    near = [(shape, c) for c in COLOURS if c != colour] + [(s, colour) for s in SHAPES if s != shape]
    things = [(shape, colour)] * n + [random.choice(near) for _ in range(total - n)]
    radius = 16 if total <= 24 else 10.5
    canvas = Canvas(SIDE, SIDE)
    places = places_apart(random, total, width=SIDE, height=SIDE, radius_px=radius + 1)
    for (s, c), (x, y) in zip(things, places, strict=True):
        canvas.shape(s, x, y, radius, COLOURS[c])
    question = f"How many {colour} {plural(shape)} are in the picture? Answer with the number only."
    return Item((canvas.image(),), question, str(n), metadata={"n_objects": total, "n_asked": n})


def plural(shape: str) -> str:
    """The plural of a shape's name.

    >>> plural("cross"), plural("star")
    ('crosses', 'stars')
    """
    return shape + ("es" if shape.endswith("s") else "s")


KINDS = (
    Kind("dots", "counting", "objects", (4, 9, 18, 36, 70), "number", draw_dots, "counts up to {level} dots"),
    Kind(
        "dots_among", "counting", "objects", (5, 12, 26, 50, 90), "number", draw_among,
        "counts one sort of thing among up to {level}",
    ),
)  # fmt: skip
