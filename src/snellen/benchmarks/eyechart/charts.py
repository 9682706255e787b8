"""Charts: the tallest bar, the value of a bar, the highest of many lines."""

from __future__ import annotations

from math import pi, sin
from random import Random

from snellen.benchmarks.eyechart.drawing import FAINT, GREY, INK, Canvas, Colour
from snellen.benchmarks.eyechart.kinds import Item, Kind

WHITE = (255, 255, 255)
BLUE = (58, 110, 165)
CITIES = (
    "Accra", "Bergen", "Cusco", "Dakar", "Essen", "Hanoi", "Izmir", "Jaipur", "Kyoto", "Lima", "Malmo", "Nantes",
    "Oslo", "Porto", "Quito", "Riga", "Seoul", "Tunis", "Utica", "Vaduz",
)  # fmt: skip
LINES: tuple[Colour, ...] = (
    (31, 119, 180), (214, 39, 40), (44, 160, 44), (255, 127, 14), (148, 103, 189), (23, 190, 207), (140, 86, 75),
    (227, 119, 194), (90, 90, 90), (188, 189, 34), (0, 90, 120), (250, 150, 140), (120, 200, 120), (90, 60, 140),
    (180, 150, 60),
)  # fmt: skip


def draw_tallest(random: Random, level: float) -> Item:
    """Five bars without an axis; the tallest leads by `level` px."""
    names = random.sample(CITIES, 5)
    lead = random.randrange(5)
    second = random.choice([i for i in range(5) if abs(i - lead) > 1])
    top = random.uniform(140, 170)
    heights = [top - level - random.uniform(0, 40) - (0 if i == second else 3) for i in range(5)]
    heights[second], heights[lead] = top - level, top
    canvas = Canvas(320, 240, WHITE)
    canvas.line([(20, 206), (300, 206)], INK, 1.2)
    for i, (name, height) in enumerate(zip(names, heights, strict=True)):
        x = 48 + i * 56
        canvas.rectangle((x - 17, 206 - height, x + 17, 206), BLUE)
        canvas.text(x, 220, name, 9)
    question = "Which city has the tallest bar?"
    metadata = {"heights_px": [round(height, 3) for height in heights]}
    return Item((canvas.image(),), question, names[lead], tuple(names), metadata=metadata)


def draw_value(random: Random, level: float) -> Item:
    """Bars on an axis of `level` px per unit with a grid line each ten units; one bar's whole value is asked."""
    span_px, base = 200, 222
    highest = int(span_px / level)
    names = random.sample(CITIES, 4)
    values = [_off_the_grid(random, highest) for _ in names]
    canvas = Canvas(300, 250, WHITE)
    for tick in range(0, highest + 1, 10):
        y = base - tick * level
        canvas.line([(40, y), (290, y)], FAINT, 1)
        if tick % _label_step(level) == 0:
            canvas.text(34, y, str(tick), 8, fill=GREY, align="right")
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        x = 76 + i * 60
        canvas.rectangle((x - 18, base - value * level, x + 18, base), BLUE)
        canvas.text(x, base + 14, name, 9)
    asked = random.randrange(4)
    question = f"What is the value of {names[asked]}? Answer with a whole number only."
    metadata = {"values": values, "highest": highest}
    return Item((canvas.image(),), question, str(values[asked]), metadata=metadata)


def _off_the_grid(random: Random, highest: int) -> int:
    return random.choice([value for value in range(3, highest + 1) if value % 10 not in (0, 5)])


def _label_step(level: float) -> int:
    return 10 if level >= 1.5 else 20


def draw_lines(random: Random, level: float) -> Item:
    """`level` lines with a legend; which is highest in one month is asked."""
    n, months = int(level), 8
    names = random.sample(CITIES, n)
    colours = random.sample(LINES[: max(n, 6)], n)
    asked = random.randrange(1, months - 1)
    lead = random.randrange(n)
    curves = [_curve(random, months) for _ in range(n)]
    best = max(curve[asked] for i, curve in enumerate(curves) if i != lead)
    lift = best + 7 - curves[lead][asked]
    curves[lead] = [min(value + lift * (1 if i == asked else 0.35), 175) for i, value in enumerate(curves[lead])]
    canvas = Canvas(360, 250, WHITE)
    for i in range(months):
        x = 24 + i * 32
        canvas.line([(x, 20), (x, 220)], FAINT, 1)
        canvas.text(x, 234, str(i + 1), 8, fill=GREY)
    for curve, colour in zip(curves, colours, strict=True):
        canvas.line([(24 + i * 32, 215 - value) for i, value in enumerate(curve)], colour, 2)
    for i, (name, colour) in enumerate(zip(names, colours, strict=True)):
        y = 26 + i * 14
        canvas.line([(266, y), (286, y)], colour, 3)
        canvas.text(294, y, name, 8, align="left")
    question = f"Which city has the highest value in month {asked + 1}?"
    metadata = {"values": [round(curve[asked], 2) for curve in curves]}
    return Item((canvas.image(),), question, names[lead], tuple(names), metadata=metadata, chance=1 / n)


def _curve(random: Random, months: int) -> list[float]:
    middle, swing = random.uniform(40, 120), random.uniform(8, 34)
    start, speed = random.uniform(0, 2 * pi), random.uniform(0.6, 1.4)
    return [max(4.0, middle + swing * sin(start + speed * i) + random.uniform(-9, 9)) for i in range(months)]


KINDS = (
    Kind(
        "bar_tallest", "chart", "px lead", (30, 10, 4, 2, 0.9), "choice", draw_tallest,
        "tells the tallest bar by a lead down to {level} px", 1 / 5,
    ),
    Kind(
        "bar_value", "chart", "px per unit", (10, 5, 3, 1.6, 0.8), "number", draw_value,
        "reads a bar's exact value down to {level} px per unit",
    ),
    Kind(
        "line_highest", "chart", "lines", (2, 4, 7, 10, 14), "choice", draw_lines,
        "keeps up to {level} chart lines apart",
    ),
)  # fmt: skip
