"""Math: an angle, an area, a sum."""

from __future__ import annotations

from math import cos, radians, sin
from random import Random

from snellen.benchmarks.eyechart.drawing import FAINT, INK, Canvas
from snellen.benchmarks.eyechart.kinds import Item, Kind

WHITE = (255, 255, 255)
FIGURE = (120, 170, 214)


def draw_angle(random: Random, level: float) -> Item:
    """An angle whose size is one of four options `level` degrees apart."""
    rank = random.randrange(4)
    first = random.uniform(12, 172 - 3 * level)
    options = [round(first + i * level, 1) for i in range(4)]
    size, turn = options[rank], random.uniform(0, 360)
    canvas = Canvas(260, 260, WHITE)
    ends = [(130 + 112 * cos(radians(a)), 130 + 112 * sin(radians(a))) for a in (turn, turn + size)]
    canvas.arc(130, 130, 34, turn, turn + size, fill=(200, 80, 60), width_px=2)
    for end in ends:
        canvas.line([(130, 130), end], INK, 2)
    choices = tuple(f"{option:g} degrees" for option in options)
    question = "How large is the marked angle between the two lines?"
    return Item((canvas.image(),), question, choices[rank], choices, metadata={"angle_deg": size})


def draw_area(random: Random, level: float) -> Item:
    """A figure of about `level` squares on squared paper; its area is asked."""
    spread = int(level) // 8
    n = int(level) + random.randint(-spread, spread)
    side = 8 if n <= 24 else 12 if n <= 70 else 16
    cells = _figure(random, n, side)
    step = 240 // side
    canvas = Canvas(264, 264, WHITE)
    for c, r in cells:
        x, y = 12 + c * step, 12 + r * step
        canvas.rectangle((x, y, x + step, y + step), FIGURE)
    for i in range(side + 1):
        canvas.line([(12 + i * step, 12), (12 + i * step, 12 + side * step)], FAINT, 1)
        canvas.line([(12, 12 + i * step), (12 + side * step, 12 + i * step)], FAINT, 1)
    question = (
        "The small squares of the grid have area 1. What is the area of the blue figure? Answer with the number only."
    )
    return Item((canvas.image(),), question, str(n), metadata={"n_squares": n, "grid": side})


def _figure(random: Random, n: int, side: int) -> set[tuple[int, int]]:
    """A connected figure of n squares, grown one square at a time."""
    cells = {(side // 2, side // 2)}
    while len(cells) < n:
        c, r = random.choice(sorted(cells))
        dc, dr = random.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        if 0 <= c + dc < side and 0 <= r + dr < side:
            cells.add((c + dc, r + dr))
    return cells


def draw_sum(random: Random, level: float) -> Item:
    """`level` whole numbers with plus and minus signs, to be worked out."""
    n = int(level)
    terms = [random.randrange(12, 99) * random.choice((1, 1, -1)) for _ in range(n)]
    terms[0] = abs(terms[0])
    per_line = min(n, 5)
    lines = -(-n // per_line)
    left = 150 - per_line * 27 + 44
    canvas = Canvas(300, max(140, 40 + 30 * lines), (36, 64, 56))
    for i, term in enumerate(terms):
        sign = "" if i == 0 else "+ " if term >= 0 else "- "
        x, y = left + i % per_line * 54, canvas.height / 2 + (i // per_line - (lines - 1) / 2) * 30
        canvas.text(x, y, f"{sign}{abs(term)}", 12, fill=(240, 244, 236), align="right")
    question = "What is the result of the calculation on the board? Answer with the number only."
    return Item((canvas.image(),), question, str(sum(terms)), metadata={"terms": terms})


KINDS = (
    Kind(
        "angle", "math", "deg", (40, 20, 10, 5, 2), "choice", draw_angle,
        "tells angles apart down to {level} degrees", 1 / 4,
    ),
    Kind(
        "area", "math", "squares", (4, 12, 28, 56, 110), "number", draw_area,
        "measures areas of up to {level} squares",
    ),
    Kind(
        "sum", "math", "terms", (2, 5, 10, 20, 40), "number", draw_sum, "works out sums of up to {level} terms"
    ),
)  # fmt: skip
