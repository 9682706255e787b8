"""The drawing board: shapes and text in final pixels, drawn four times as large and averaged down.

Only Pillow's built-in font (Aileron, shipped inside Pillow) is used, so a picture does not depend on what fonts a
system has. Averaging makes every size physical: a letter of 4.5 px is 4.5 px tall, whatever a hinter would prefer.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from random import Random

from PIL import Image, ImageDraw, ImageFilter, ImageFont

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""

Places = list[tuple[float, float]]
"""Centres, in pixels."""

SCALE = 4
"""Drawn pixels per final pixel and axis."""

PAPER: Colour = (250, 249, 246)
INK: Colour = (28, 30, 36)
FAINT: Colour = (214, 214, 210)
GREY: Colour = (128, 130, 136)

COLOURS: dict[str, Colour] = {
    "blue": (31, 105, 178),
    "red": (205, 49, 49),
    "green": (34, 139, 84),
    "yellow": (240, 196, 25),
    "purple": (128, 66, 156),
    "orange": (238, 126, 30),
    "black": (38, 38, 42),
    "pink": (238, 130, 176),
}
"""Named colours, each of which people name the same way."""

SHAPES = ("circle", "square", "triangle", "star", "cross", "diamond")


@lru_cache(maxsize=1)
def _capitals_per_em() -> float:
    top = ImageFont.load_default(1000).getbbox("H", anchor="ls")[1]
    return -float(top) / 1000.0


@lru_cache(maxsize=256)
def _font(drawn_height: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(drawn_height / _capitals_per_em())
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def text_width(text: str, height_px: float) -> float:
    """Width in pixels of a line of text whose capitals are `height_px` tall."""
    return float(_font(height_px * SCALE).getlength(text)) / SCALE


class Canvas:
    """A picture being drawn; every length and position is in final pixels."""

    def __init__(self, width: int, height: int, background: Colour = PAPER) -> None:
        self.width = width
        self.height = height
        self._image = Image.new("RGB", (width * SCALE, height * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)

    def line(self, points: Sequence[tuple[float, float]], fill: Colour = INK, width_px: float = 1.5) -> None:
        """A polyline with round joints and ends."""
        thick = max(1, round(width_px * SCALE))
        self._draw.line([(x * SCALE, y * SCALE) for x, y in points], fill, thick, joint="curve")
        if thick > 2:
            for x, y in (points[0], points[-1]):
                self.circle(x, y, width_px / 2, fill)

    def polygon(self, points: Sequence[tuple[float, float]], fill: Colour) -> None:
        """A filled polygon."""
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill)

    def rectangle(
        self, box: Box, fill: Colour | None = None, *, outline: Colour | None = None, width_px: float = 1.0
    ) -> None:
        """An upright rectangle; the outline lies inside it."""
        x1, y1, x2, y2 = (value * SCALE for value in box)
        self._draw.rectangle((x1, y1, x2 - 1, y2 - 1), fill, outline, max(1, round(width_px * SCALE)))

    def rounded(self, box: Box, radius_px: float, fill: Colour, *, outline: Colour | None = None) -> None:
        """A rectangle with round corners and a hairline outline."""
        x1, y1, x2, y2 = (value * SCALE for value in box)
        self._draw.rounded_rectangle((x1, y1, x2 - 1, y2 - 1), radius_px * SCALE, fill, outline, SCALE)

    def circle(self, x: float, y: float, radius_px: float, fill: Colour) -> None:
        """A filled disc."""
        box = ((x - radius_px) * SCALE, (y - radius_px) * SCALE, (x + radius_px) * SCALE, (y + radius_px) * SCALE)
        self._draw.ellipse(box, fill)

    def arc(
        self, x: float, y: float, radius_px: float, start: float, end: float, *, fill: Colour, width_px: float
    ) -> None:
        """A piece of a circle from `start` to `end` (degrees, clockwise from 3 o'clock), stroke inside the radius."""
        box = ((x - radius_px) * SCALE, (y - radius_px) * SCALE, (x + radius_px) * SCALE, (y + radius_px) * SCALE)
        self._draw.arc(box, start, end, fill, max(1, round(width_px * SCALE)))

    def text(
        self, x: float, y: float, text: str, height_px: float, *, fill: Colour = INK, align: str = "middle"
    ) -> None:
        """A line of text: `height_px` is the height of its capitals, `y` their vertical middle.

        Args:
            x: the left edge, middle or right edge, as `align` says.
            y: vertical middle of the capitals.
            text: printable ASCII (the built-in font has little else).
            height_px: height of a capital letter, any positive number.
            fill: colour.
            align: "left", "middle" or "right".
        """
        assert text.isascii(), text
        anchor = {"left": "ls", "middle": "ms", "right": "rs"}[align]
        place = (x * SCALE, (y + height_px / 2) * SCALE)
        self._draw.text(place, text, fill, _font(height_px * SCALE), anchor)

    def shape(self, name: str, x: float, y: float, radius_px: float, fill: Colour) -> None:
        """One of SHAPES, centred, within a circle of `radius_px`."""
        if name == "circle":
            self.circle(x, y, radius_px, fill)
        else:
            self.polygon([(x + radius_px * dx, y + radius_px * dy) for dx, dy in OUTLINES[name]], fill)

    def image(self) -> Image.Image:
        """The finished picture, averaged down to its final size."""
        return self._image.reduce(SCALE)


def _star() -> tuple[tuple[float, float], ...]:
    from math import cos, pi, sin

    spokes = [(1.0 if i % 2 == 0 else 0.42, pi * i / 5 - pi / 2) for i in range(10)]
    return tuple((r * cos(a), r * sin(a)) for r, a in spokes)


_ARM = 0.3
OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "triangle": ((0.0, -1.0), (0.95, 0.8), (-0.95, 0.8)),
    "star": _star(),
    "cross": (
        (-_ARM, -0.95), (_ARM, -0.95), (_ARM, -_ARM), (0.95, -_ARM), (0.95, _ARM), (_ARM, _ARM),
        (_ARM, 0.95), (-_ARM, 0.95), (-_ARM, _ARM), (-0.95, _ARM), (-0.95, -_ARM), (-_ARM, -_ARM),
    ),
    "diamond": ((0.0, -1.0), (0.75, 0.0), (0.0, 1.0), (-0.75, 0.0)),
}  # fmt: skip
"""Corner points of each shape but the circle, for radius 1."""


def outline_box(name: str, x: float, y: float, radius_px: float) -> Box:
    """The tight box round a shape, in pixels."""
    if name == "circle":
        return x - radius_px, y - radius_px, x + radius_px, y + radius_px
    across = [dx for dx, _ in OUTLINES[name]]
    down = [dy for _, dy in OUTLINES[name]]
    return (
        x + radius_px * min(across),
        y + radius_px * min(down),
        x + radius_px * max(across),
        y + radius_px * max(down),
    )


def places_apart(random: Random, n: int, *, width: float, height: float, radius_px: float) -> Places:
    """Draw n centres whose circles of `radius_px` neither touch one another nor leave the picture.

    Places are the cells of a grid just fine enough for n, in random order and shaken within their cell, so that any
    n that fits is placed in one go.
    """
    columns, rows = _grid_for(n, width, height)
    cell_w, cell_h = width / columns, height / rows
    slack_x, slack_y = cell_w / 2 - radius_px, cell_h / 2 - radius_px
    assert min(slack_x, slack_y) >= 0, f"{n} circles of {radius_px} px do not fit into {width}x{height}"
    cells = random.sample(range(columns * rows), n)
    return [
        (
            (cell % columns + 0.5) * cell_w + random.uniform(-slack_x, slack_x),
            (cell // columns + 0.5) * cell_h + random.uniform(-slack_y, slack_y),
        )
        for cell in cells
    ]


def _grid_for(n: int, width: float, height: float) -> tuple[int, int]:
    spare = n + max(2, n // 4)
    columns = max(1, round((spare * width / height) ** 0.5))
    rows = -(-spare // columns)
    return columns, rows


def speckle(image: Image.Image, random: Random, amplitude: int) -> Image.Image:
    """Add seeded uniform noise of ± `amplitude` grey levels to a picture that stays clear of black and white."""
    table = [128 + round((value / 255 - 0.5) * 2 * amplitude) for value in range(256)]
    noise = Image.frombytes("L", image.size, random.randbytes(image.width * image.height)).point(table)
    from PIL import ImageChops

    return ImageChops.add(image, Image.merge("RGB", (noise, noise, noise)), 1, -128)


def blurred(image: Image.Image, sigma_px: float) -> Image.Image:
    """A picture out of focus: Gaussian blur of the given standard deviation."""
    return image.filter(ImageFilter.GaussianBlur(sigma_px))


def png_bytes(image: Image.Image) -> bytes:
    """Encode a picture as a PNG that holds pixels and nothing else."""
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=6)
    return stream.getvalue()
