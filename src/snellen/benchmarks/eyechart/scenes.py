"""General: the odd one out, what moved between two pictures, a clock."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from random import Random

from PIL import Image

from snellen.benchmarks.eyechart.drawing import COLOURS, FAINT, GREY, INK, SHAPES, Canvas, Places, places_apart
from snellen.benchmarks.eyechart.kinds import Item, Kind

WHITE = (255, 255, 255)
GRID = 5


def draw_odd(random: Random, level: float) -> Item:
    """25 discs in a grid; one is darker by a contrast of `level`."""
    odd = random.randrange(GRID * GRID)
    base = 200
    dark = base - round(base * level)
    canvas = Canvas(280, 280, WHITE)
    for i in range(GRID):
        canvas.text(52 + i * 50, 16, "ABCDE"[i], 10, fill=GREY)
        canvas.text(14, 52 + i * 50, str(i + 1), 10, fill=GREY)
    for cell in range(GRID * GRID):
        grey = dark if cell == odd else base
        canvas.circle(52 + cell % GRID * 50, 52 + cell // GRID * 50, 19, (grey, grey, grey))
    name = "ABCDE"[odd % GRID] + str(odd // GRID + 1)
    question = "One disc is darker than the others. Which? Answer with its column letter and row number, such as F7."
    return Item((canvas.image(),), question, name, metadata={"grey": [base, dark]})


def draw_moved(random: Random, level: float) -> Item:
    """Two pictures of five shapes; one shape has moved by `level` px."""
    names = random.sample(list(COLOURS), 5)
    shapes = [random.choice(SHAPES) for _ in names]
    before, after, moved = _places_before_and_after(random, level)
    pictures = tuple(_still(names, shapes, spots) for spots in (before, after))
    choices = tuple(f"the {name} {shape}" for name, shape in zip(names, shapes, strict=True))
    question = "One thing is not at the same place in the two pictures. Which?"
    return Item(pictures, question, choices[moved], choices, metadata={"places": [_rounded(before), _rounded(after)]})


def _places_before_and_after(random: Random, shift_px: float) -> tuple[Places, Places, int]:
    """Five places, the same with one of them moved, and which; nothing touches in either picture."""
    before = places_apart(random, 5, width=300, height=240, radius_px=22)
    moves = [(i, dx, dy) for i in range(5) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    random.shuffle(moves)
    for moved, dx, dy in moves:
        after = list(before)
        after[moved] = (before[moved][0] + dx * shift_px, before[moved][1] + dy * shift_px)
        if _is_free(after, moved):
            return before, after, moved
    return _places_before_and_after(random, shift_px)


def _rounded(places: Places) -> Places:
    return [(round(x, 2), round(y, 2)) for x, y in places]


def _is_free(places: Places, moved: int) -> bool:
    x, y = places[moved]
    inside = 22 <= x <= 278 and 22 <= y <= 218
    return inside and all(hypot(x - a, y - b) >= 44 for i, (a, b) in enumerate(places) if i != moved)


def _still(names: list[str], shapes: list[str], places: list[tuple[float, float]]) -> Image.Image:
    canvas = Canvas(300, 240)
    canvas.rectangle((0, 0, 300, 240), None, outline=FAINT, width_px=2)
    for name, shape, (x, y) in zip(names, shapes, places, strict=True):
        canvas.shape(shape, x, y, 20, COLOURS[name])
    return canvas.image()


def draw_clock(random: Random, level: float) -> Item:
    """A clock `level` px across; hour and minute are asked."""
    hour, minute = random.randrange(1, 13), random.randrange(60)
    canvas = Canvas(240, 240, (220, 226, 222))
    radius = level / 2
    x, y = (120 + random.uniform(-1, 1) * max(0.0, 112 - radius) for _ in range(2))
    canvas.circle(x, y, radius, INK)
    canvas.circle(x, y, radius * 0.94, WHITE)
    for i in range(12):
        angle = i * pi / 6
        inner = 0.72 if i % 3 == 0 else 0.8
        canvas.line([_on(x, y, radius * inner, angle), _on(x, y, radius * 0.88, angle)], INK, radius * 0.03)
    _hand(canvas, x, y, radius * 0.48, turn=(hour % 12 + minute / 60) / 12, width_px=radius * 0.085)
    _hand(canvas, x, y, radius * 0.8, turn=minute / 60, width_px=radius * 0.05)
    question = "What time does the clock show, to the minute? Answer as hour:minute, in the form HH:MM."
    times = (f"{hour}:{minute:02d}", f"{hour:02d}:{minute:02d}")
    return Item((canvas.image(),), question, times[0], also=times[1:], metadata={"hour": hour, "minute": minute})


def _on(x: float, y: float, radius_px: float, angle: float) -> tuple[float, float]:
    return x + radius_px * sin(angle), y - radius_px * cos(angle)


def _hand(canvas: Canvas, x: float, y: float, length_px: float, *, turn: float, width_px: float) -> None:
    canvas.line([(x, y), _on(x, y, length_px, 2 * pi * turn)], INK, width_px)


KINDS = (
    Kind(
        "odd_one", "general", "contrast", (0.4, 0.15, 0.06, 0.02, 0.005), "exact", draw_odd,
        "sees the darker disc down to a contrast of {level}", 1 / 25,
    ),
    Kind(
        "moved", "general", "px", (40, 16, 6, 2, 0.8), "choice", draw_moved,
        "sees what moved between two pictures down to {level} px", 1 / 5,
    ),
    Kind(
        "clock", "general", "px diameter", (200, 90, 48, 26, 14), "exact", draw_clock,
        "reads a clock to the minute down to {level} px across",
    ),
)  # fmt: skip
