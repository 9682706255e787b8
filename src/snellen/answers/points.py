r"""Read points out of free text, in whatever form a model writes them.

Forms: Molmo's `<point x=… y=…>` and `<points x1=… y1=…>` (percent), Qwen's `{"point_2d": [x, y]}` and
`<|point_start|>(x,y)<|point_end|>`, objects and labels with `x` and `y`, bracketed pairs, bare pairs line by line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.answers.coordinates import Number, divisor, scan_numbers
from snellen.answers.marked import answer_text
from snellen.answers.marks import find_marks

FRACTIONS_UP_TO = 1.0
"""Points without a larger value are read as fractions."""

_SIZE_COMMAND = re.compile(r"\\(?:left|right)(?![a-z])")
_TAG = re.compile(r"<points?\s([^<>]*)>", re.IGNORECASE)
_TAG_PAIR = re.compile(r"\bx(\d*)\s?=\s?[\"']?([-+\d.eE]+)%?[\"']?[\s,]*y\1\s?=\s?[\"']?([-+\d.eE]+)", re.IGNORECASE)
_NUM = r"[-+]?(?:\d++(?:\.\d++)?+|\.\d++)(?:[eE][-+]?\d++)?+"
_NAMED_PAIR = re.compile(
    rf"(?<![A-Za-z])x(?:_?\d+)?[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?({_NUM})(\s?%)?[\"']?(?:\s?px)?[\s,;&]{{0,6}}(?:and\s)?[\"']?"
    rf"y(?:_?\d+)?[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?({_NUM})(\s?%)?",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[(\[]([^()\[\]]*)(?:[)\]]|\Z)")
_IN_GROUP = re.compile(r"[\s,;%]*(?:px)?[\s,;%]*", re.IGNORECASE)
_PAIR_GAP = re.compile(r"\s?%?\s?(?:px)?(?:[^\S\n]*[,;][^\S\n]*|[^\S\n]+)")

Pair = tuple[float, float]
"""x, y."""


@dataclass(frozen=True, slots=True)
class WrittenPoints:
    """Points as a text writes them, before their common scale is known."""

    pairs: tuple[Pair, ...]
    """(x, y) as written, repeats kept."""
    has_point: bool = False
    """At least one value has a decimal point."""
    convention: str = "auto"
    """What the notation itself states ("percent" for tags and % signs), else "auto"."""

    @property
    def largest(self) -> float:
        """Greatest absolute value, 0 without points."""
        return max((abs(value) for pair in self.pairs for value in pair), default=0.0)


NO_POINTS = WrittenPoints(())


def read_points(output: Any) -> WrittenPoints:
    r"""All points of a response; those of boxed groups alone where these hold any.

    Args:
        output: raw model text; anything else holds none.

    >>> read_points('<point x="21.0" y="91.1" alt="it">it</point>')
    WrittenPoints(pairs=((21.0, 91.1),), has_point=True, convention='percent')
    >>> read_points(r"\boxed{10, 20} \boxed{30, 40}").pairs
    ((10.0, 20.0), (30.0, 40.0))
    """
    if not isinstance(output, str):
        return NO_POINTS
    body = _SIZE_COMMAND.sub("", answer_text(output)[0])
    boxed = points_in("\n".join(mark.content for mark in find_marks(body) if mark.kind == "box"))
    return boxed if boxed.pairs else points_in(body)


def points_in(text: str) -> WrittenPoints:
    """All points of one piece of text, by the first form that yields any."""
    for read in (_tagged, _named, _grouped, _bare):
        points = read(text)
        if points.pairs:
            return points
    return NO_POINTS


def _tagged(text: str) -> WrittenPoints:
    found = [pair for tag in _TAG.finditer(text) for pair in _TAG_PAIR.findall(tag[1])]
    pairs = tuple(pair for pair in (_pair(x, y) for _, x, y in found) if pair is not None)
    return WrittenPoints(pairs, has_point=True, convention="percent")


def _pair(x: str, y: str) -> Pair | None:
    try:
        return float(x), float(y)
    except ValueError:
        return None


def _named(text: str) -> WrittenPoints:
    found = _NAMED_PAIR.findall(text)
    pairs = tuple((float(x), float(y)) for x, _, y, _ in found)
    is_percent = any(one or other for _, one, _, other in found)
    return WrittenPoints(pairs, any("." in x + y for x, _, y, _ in found), "percent" if is_percent else "auto")


def _grouped(text: str) -> WrittenPoints:
    """Bracketed pairs; a third number is ignored, an even number from four on is so many pairs."""
    numbers: list[Number] = []
    for group in _GROUP.finditer(text):
        inside = scan_numbers(group[1])
        if _holds_only(group[1], inside) and (len(inside) in (2, 3) or (len(inside) >= 4 and len(inside) % 2 == 0)):
            numbers += inside[:2] if len(inside) == 3 else inside
    return _paired(numbers)


def _holds_only(text: str, numbers: Sequence[Number]) -> bool:
    """Whether a bracket holds numbers and what parts them, nothing else."""
    edges = [0, *(edge for number in numbers for edge in (number.start, number.end)), len(text)]
    return all(_IN_GROUP.fullmatch(text, start, end) for start, end in zip(edges[::2], edges[1::2], strict=True))


def _bare(text: str) -> WrittenPoints:
    numbers: list[Number] = []
    for line in text.split("\n"):
        behind = _line_pairs(line[line.rfind(":") + 1 :]) if ":" in line else []
        numbers += behind or _line_pairs(line)
    return _paired(numbers)


def _line_pairs(line: str) -> list[Number]:
    numbers = scan_numbers(line)
    pairs: list[Number] = []
    at = 0
    while at + 1 < len(numbers):
        if _PAIR_GAP.fullmatch(line, numbers[at].end, numbers[at + 1].start):
            pairs += numbers[at : at + 2]
            at += 1
        at += 1
    return pairs


def _paired(numbers: Sequence[Number]) -> WrittenPoints:
    values = [number.value for number in numbers]
    is_percent = any(number.is_percent for number in numbers)
    pairs = tuple(zip(values[::2], values[1::2], strict=True))
    return WrittenPoints(pairs, any(number.has_point for number in numbers), "percent" if is_percent else "auto")


def to_fractions(
    points: WrittenPoints, convention: str = "auto", size: tuple[int, int] | None = None
) -> tuple[Pair, ...]:
    """Bring written points to fractions of the image; one scale for all. A point outside stays outside.

    Args:
        points: as read.
        convention: of this model's text; "auto" decides by the values. What the notation states comes first.
        size: (width, height) in pixels of the image as sent; needed for "pixel".

    >>> to_fractions(WrittenPoints(((500.0, 250.0),)))
    ((0.5, 0.25),)
    """
    if points.convention != "auto":
        convention = points.convention
    elif convention == "auto" or (convention == "pixel" and size is None):
        convention = guessed(points)
    across, down = (1.0, 1.0) if convention == "pixel" else (divisor(convention), divisor(convention))
    if convention == "pixel" and size is not None:
        across, down = float(max(1, size[0])), float(max(1, size[1]))
    return tuple((x / across, y / down) for x, y in points.pairs)


def guessed(points: WrittenPoints) -> str:
    """The convention that the points alone suggest.

    >>> guessed(WrittenPoints(((33.3, 52.8),), has_point=True))
    'percent'
    """
    if points.largest <= FRACTIONS_UP_TO:
        return "fraction"
    return "percent" if points.largest <= 100 and points.has_point else "thousand"
