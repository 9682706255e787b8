"""Scene text: the letters of the eye chart, small, faint and out of focus."""

from __future__ import annotations

from random import Random

from snellen.benchmarks.eyechart.drawing import INK, PAPER, Canvas, Colour, blurred, speckle
from snellen.benchmarks.eyechart.kinds import Item, Kind

SLOAN = "CDHKNORSVZ"
"""The ten letters of Sloan's chart, about equally hard to read."""
N_LETTERS = 5
_ASK = "Which five letters stand in the picture, from left to right? Answer with the five letters only."


def _letters(random: Random) -> str:
    return "".join(random.choice(SLOAN) for _ in range(N_LETTERS))


def _spaced(canvas: Canvas, x: float, y: float, letters: str, *, height_px: float, fill: Colour) -> None:
    """Letters with a letter's room between them, as on an eye chart, centred on (x, y)."""
    step = height_px * 1.45
    for i, letter in enumerate(letters):
        canvas.text(x + (i - (N_LETTERS - 1) / 2) * step, y, letter, height_px, fill=fill)


def _sign(canvas: Canvas, x: float, y: float, height_px: float) -> None:
    half_w, half_h = height_px * 4.3, height_px * 1.2
    canvas.rounded((x - half_w, y - half_h, x + half_w, y + half_h), height_px * 0.4, PAPER, outline=(90, 96, 104))


def draw_letters(random: Random, level: float) -> Item:
    """A white sign on a wall with five letters `level` px tall."""
    canvas = Canvas(320, 240, (196, 204, 206))
    for course in range(24, 240, 24):
        canvas.line([(0, course), (320, course)], (186, 194, 196), 1)
    room_x, room_y = max(0.0, 154 - level * 4.3), max(0.0, 110 - level * 1.3)
    x, y = 160 + random.uniform(-room_x, room_x), 120 + random.uniform(-room_y, room_y)
    letters = _letters(random)
    _sign(canvas, x, y, level)
    _spaced(canvas, x, y, letters, height_px=level, fill=INK)
    return Item((canvas.image(),), _ASK, letters)


def draw_faint(random: Random, level: float) -> Item:
    """Five large letters whose contrast against noisy grey is `level` (Weber: difference over background)."""
    background = 168
    grey = round(background * (1 - level))
    canvas = Canvas(320, 200, (background,) * 3)
    letters = _letters(random)
    x, y = 160 + random.uniform(-20, 20), 100 + random.uniform(-60, 60)
    _spaced(canvas, x, y, letters, height_px=32, fill=(grey, grey, grey))
    return Item((speckle(canvas.image(), random, 8),), _ASK, letters)


def draw_blurred(random: Random, level: float) -> Item:
    """Five letters 26 px tall out of focus by a Gaussian of `level` px."""
    canvas = Canvas(320, 200, PAPER)
    letters = _letters(random)
    x, y = 160 + random.uniform(-30, 30), 100 + random.uniform(-50, 50)
    _spaced(canvas, x, y, letters, height_px=26, fill=INK)
    return Item((blurred(canvas.image(), level),), _ASK, letters)


KINDS = (
    Kind(
        "letters", "scene", "px", (24, 10, 5, 3, 1.8), "exact", draw_letters, "reads letters down to {level} px"
    ),
    Kind(
        "faint_letters", "scene", "contrast", (0.4, 0.12, 0.05, 0.025, 0.012), "exact", draw_faint,
        "reads letters down to a contrast of {level}",
    ),
    Kind(
        "blurred_letters", "scene", "px blur", (1, 3, 5, 7, 10), "exact", draw_blurred,
        "reads 26 px letters blurred by up to {level} px",
    ),
)  # fmt: skip
