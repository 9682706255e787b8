"""Grounding: box the one thing that fits the words, point at a small target."""

from __future__ import annotations

from math import hypot
from random import Random

from snellen.benchmarks.eyechart.drawing import COLOURS, SHAPES, Canvas, outline_box, places_apart
from snellen.benchmarks.eyechart.kinds import Item, Kind, fractions

SIDE = 360


def draw_box(random: Random, level: float) -> Item:
    """`level` shapes, one of which alone has both the colour and the shape that are asked."""
    n = int(level)
    shape, colour = random.choice(SHAPES), random.choice(list(COLOURS))
    near = [(shape, c) for c in COLOURS if c != colour] + [(s, colour) for s in SHAPES if s != shape]
    things = [(shape, colour), *(random.choice(near) for _ in range(n - 1))]
    radius = 24 if n <= 12 else 16 if n <= 36 else 10
    canvas = Canvas(SIDE, SIDE)
    places = places_apart(random, n, width=SIDE, height=SIDE, radius_px=radius + 1)
    for (s, c), (x, y) in zip(things, places, strict=True):
        canvas.shape(s, x, y, radius, COLOURS[c])
    box = fractions(outline_box(shape, *places[0], radius), SIDE, SIDE)
    question = (
        f"Where is the {colour} {shape}? Answer with its bounding box as [x1, y1, x2, y2], "
        "in fractions of the picture's width and height between 0 and 1, from the top left corner."
    )
    return Item((canvas.image(),), question, str(box), metadata={"bbox": box, "n_objects": n})


def draw_point(random: Random, level: float) -> Item:
    """A red dot of radius `level` px among pale rings; the point must fall on it."""
    canvas = Canvas(SIDE, SIDE, (244, 243, 238))
    x, y = (random.uniform(level + 6, SIDE - level - 6) for _ in range(2))
    for ring_x, ring_y in places_apart(random, 16, width=SIDE, height=SIDE, radius_px=20):
        if hypot(ring_x - x, ring_y - y) > level + 20:
            canvas.arc(ring_x, ring_y, 18, 0, 360, fill=(200, 206, 212), width_px=2)
    canvas.circle(x, y, level, COLOURS["red"])
    region = fractions((x - level, y - level, x + level, y + level), SIDE, SIDE)
    question = (
        "Where is the red dot? Answer with one point on it as (x, y), in fractions of the picture's width and height "
        "between 0 and 1 with at least three decimals, from the top left corner."
    )
    return Item((canvas.image(),), question, str(region), metadata={"bbox": region}, chance=(2 * level / SIDE) ** 2)


KINDS = (
    Kind(
        "find_box", "grounding", "objects", (2, 8, 20, 50, 110), "box", draw_box,
        "boxes the right one of up to {level} things",
    ),
    Kind(
        "find_point", "grounding", "px radius", (32, 12, 5, 2.2, 1), "point", draw_point,
        "points at a dot down to {level} px radius",
    ),
)  # fmt: skip
