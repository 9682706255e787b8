r"""Read bounding boxes out of free text, in whatever form a model writes them.

Forms: `[x1, y1, x2, y2]`, `(x1, y1), (x2, y2)`, `[x1, y1], [x2, y2]`, `{"bbox_2d": [...]}`, `<box>…</box>`,
`<|box_start|>…<|box_end|>`, labelled corners (`x_min=…`), `x`/`y`/`width`/`height`, ranges (`[a-b, c-d]`),
PaliGemma's `<loc0000>` (y before x) and Florence's `<loc_000>`, bare numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.answers.coordinates import Number, divisor, scan_numbers
from snellen.answers.marked import answer_text
from snellen.answers.marks import Mark, find_marks

FRACTIONS_UP_TO = 1.5
"""Boxes without a larger value are read as fractions."""
MOST_PIECES = 32
"""Marked pieces that are looked at, from the last backwards."""

_BRACKET = re.compile(r"[\[\]()]")
_RANGES = re.compile(r"\s{0,4}(?:[-–—]|to|\.\.)\s{0,4}")
_LOC_BINS = 1024
_LOCS = re.compile(r"<loc(\d{4})>\s?<loc(\d{4})>\s?<loc(\d{4})>\s?<loc(\d{4})>")
_FLORENCE = re.compile(r"<loc_(\d{1,4})>\s?<loc_(\d{1,4})>\s?<loc_(\d{1,4})>\s?<loc_(\d{1,4})>")
_LABEL = re.compile(
    r"([A-Za-z]+(?:[ _-]?(?:[12]|min|max|left|right|top|bottom|tl|br))?)[\"']?\s{0,4}[:=]?\s{0,4}\Z", re.IGNORECASE
)
_SIDES = {
    "x1": 0, "xmin": 0, "minx": 0, "left": 0, "x": 0, "x0": 0,
    "y1": 1, "ymin": 1, "miny": 1, "top": 1, "y": 1, "y0": 1,
    "x2": 2, "xmax": 2, "maxx": 2, "right": 2, "w": 4, "width": 4,
    "y2": 3, "ymax": 3, "maxy": 3, "bottom": 3, "h": 5, "height": 5,
}  # fmt: skip
_LABEL_WINDOW = 16
_BETWEEN = re.compile(r"(?:px|pixels)?[\s,;|/&%\\$*]*(?:(?:to|and|x|y|[xy]_?(?:[12]|min|max))\b)?[\s,;:=\"'|]*")

Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2."""


@dataclass(frozen=True, slots=True)
class WrittenBox:
    """One box as a text writes it, before its scale is known."""

    values: Corners
    """x1, y1, x2, y2 as written; the corners may be swapped."""
    has_point: bool = False
    """At least one value has a decimal point."""
    convention: str = "auto"
    """What the notation itself states: "percent" (% signs), "fraction" (loc tokens), "thousand", else "auto"."""

    @property
    def largest(self) -> float:
        """Greatest absolute value."""
        return max(map(abs, self.values))


@dataclass(frozen=True, slots=True)
class _Group:
    """Numbers between two brackets."""

    numbers: tuple[Number, ...]
    is_bracketed: bool
    start: int
    """Offset of its opening bracket (or of its text)."""


def read_boxes(output: Any) -> tuple[WrittenBox, ...]:
    r"""Distinct boxes of the piece of text that decides: the last pipe box, else the last boxed group, else a marked
    answer, else the whole text; the first of these that holds a box.

    Args:
        output: raw model text; anything else holds no box.

    Returns:
        Empty when there is no box; more than one when the piece names different boxes.

    >>> [box.values for box in read_boxes('{"bbox_2d": [100, 200, 300, 400]}')]
    [(100.0, 200.0, 300.0, 400.0)]
    >>> [box.values for box in read_boxes("<box>(10,20),(30,40)</box>")]
    [(10.0, 20.0, 30.0, 40.0)]
    """
    if not isinstance(output, str):
        return ()
    body, _ = answer_text(output)
    for piece in pieces(body):
        boxes = boxes_in(piece)
        if boxes:
            return boxes
    return ()


def pieces(body: str) -> Iterator[str]:
    """Where a box is looked for, in order of authority."""
    marks = find_marks(body)
    boxed = [mark for mark in reversed(marks) if mark.kind == "box"]
    ranked = sorted(boxed, key=lambda mark: not _is_pipe(body, mark))
    others = [mark for mark in reversed(marks) if mark.kind != "box"]
    for mark in [*ranked[:MOST_PIECES], *others[:MOST_PIECES]]:
        yield mark.content
    yield body


def _is_pipe(body: str, mark: Mark) -> bool:
    return body.startswith("<|", mark.start)


def boxes_in(text: str) -> tuple[WrittenBox, ...]:
    """Distinct boxes of one piece of text, all-zero ones left out."""
    found = _token_boxes(text) or _number_boxes(text)
    return tuple(dict.fromkeys(box for box in found if any(box.values)))


def _token_boxes(text: str) -> list[WrittenBox]:
    if "<loc" not in text:
        return []
    pali = [tuple(int(bin_) / _LOC_BINS for bin_ in found) for found in _LOCS.findall(text)]
    florence = [tuple(float(value) for value in found) for found in _FLORENCE.findall(text)]
    return [WrittenBox((x1, y1, x2, y2), convention="fraction") for y1, x1, y2, x2 in pali] + [
        WrittenBox((x1, y1, x2, y2), convention="thousand") for x1, y1, x2, y2 in florence
    ]


def _number_boxes(text: str) -> list[WrittenBox]:
    numbers = scan_numbers(text)
    if len(numbers) < 4:
        return []
    groups = _groups(text, numbers)
    full = [_box(text, group.numbers) for group in groups if group.is_bracketed and len(group.numbers) >= 4]
    if full:
        return full
    pairs = [group for group in groups if group.is_bracketed and len(group.numbers) == 2]
    if len(pairs) >= 2:
        return [_from_pair(text, one, other) for one, other in zip(pairs[::2], pairs[1::2], strict=False)]
    return [_box(text, _run_of_four(text, numbers))]


def _groups(text: str, numbers: Sequence[Number]) -> list[_Group]:
    brackets = [(found.start(), found[0]) for found in _BRACKET.finditer(text)]
    groups, at = [], 0
    for (start, sign), stop in zip([(0, ")"), *brackets], [*(b[0] for b in brackets), len(text)], strict=True):
        inside = []
        while at < len(numbers) and numbers[at].start < stop:
            inside.append(numbers[at])
            at += 1
        if inside:
            groups.append(_Group(tuple(inside), sign in "[(", start))
    return groups


def _run_of_four(text: str, numbers: Sequence[Number]) -> Sequence[Number]:
    """The first four numbers that only commas, blanks, units or corner names part, else the first four."""
    run = [numbers[0]]
    for number in numbers[1:]:
        run = [*run, number] if _BETWEEN.fullmatch(text, run[-1].end, number.start) else [number]
        if len(run) == 4:
            return run
    return numbers[:4]


def _box(text: str, numbers: Sequence[Number]) -> WrittenBox:
    four = tuple(numbers[:4])
    values = _labelled(text, four) or _ranged(text, four) or _corners(four)
    return _written(values, four)


def _written(values: Corners, numbers: Sequence[Number]) -> WrittenBox:
    is_percent = any(number.is_percent for number in numbers)
    return WrittenBox(values, any(number.has_point for number in numbers), "percent" if is_percent else "auto")


def _corners(numbers: Sequence[Number]) -> Corners:
    one, two, three, four = (number.value for number in numbers)
    return one, two, three, four


def _ranged(text: str, numbers: Sequence[Number]) -> Corners | None:
    """`44-432, 166-489`: an x range and a y range."""
    one, two, three, four = numbers
    if _RANGES.fullmatch(text, one.end, two.start) and _RANGES.fullmatch(text, three.end, four.start):
        return one.value, three.value, two.value, four.value
    return None


def _labelled(text: str, numbers: Sequence[Number]) -> Corners | None:
    """Corners in the order of their names (`y1=…, x1=…`), or a corner with width and height."""
    sides = {_side(text, number): number.value for number in numbers}
    if sides.keys() == {0, 1, 2, 3}:
        return sides[0], sides[1], sides[2], sides[3]
    if sides.keys() == {0, 1, 4, 5}:
        return sides[0], sides[1], sides[0] + sides[4], sides[1] + sides[5]
    return None


def _side(text: str, number: Number) -> int:
    label = _LABEL.search(text, max(0, number.start - _LABEL_WINDOW), number.start)
    return _SIDES.get(re.sub(r"[ _-]", "", label[1]).lower(), -1) if label else -1


def _from_pair(text: str, one: _Group, other: _Group) -> WrittenBox:
    numbers = (*one.numbers, *other.numbers)
    first, second, third, fourth = (number.value for number in numbers)
    if _is_named(text, one, "x") and _is_named(text, other, "y"):
        return _written((first, third, second, fourth), numbers)
    return _written((first, second, third, fourth), numbers)


def _is_named(text: str, group: _Group, axis: str) -> bool:
    before = text[max(0, group.start - 6) : group.start].rstrip(" \"':=").lower()
    return before.endswith(axis) and not before[:-1].endswith(tuple("abcdefghijklmnopqrstuvwxyz"))


def to_fractions(box: WrittenBox, convention: str = "auto", size: tuple[int, int] | None = None) -> Corners:
    """Bring a written box to fractions of the image, inside it and with its corners in order.

    Args:
        box: as read.
        convention: of this model's text; "auto" decides by the box's own values. What the notation states wins.
        size: (width, height) in pixels of the image as sent; needed for "pixel".

    >>> to_fractions(WrittenBox((600.0, 500.0, 200.0, 300.0)))
    (0.2, 0.3, 0.6, 0.5)
    """
    across, down = scale_of(box, convention, size)
    x1, y1, x2, y2 = box.values
    xs = sorted(min(1.0, max(0.0, value / across)) for value in (x1, x2))
    ys = sorted(min(1.0, max(0.0, value / down)) for value in (y1, y2))
    return xs[0], ys[0], xs[1], ys[1]


def scale_of(box: WrittenBox, convention: str, size: tuple[int, int] | None) -> tuple[float, float]:
    """What x and y values are divided by to give fractions."""
    if box.convention != "auto":
        convention = box.convention
    elif convention == "auto" or (convention == "pixel" and size is None):
        convention = guessed(box)
    if convention == "pixel" and size is not None:
        return float(max(1, size[0])), float(max(1, size[1]))
    return divisor(convention), divisor(convention)


def guessed(box: WrittenBox) -> str:
    """The convention that one box alone suggests.

    >>> guessed(WrittenBox((37.0, 19.6, 58.5, 56.5), has_point=True))
    'percent'
    """
    if box.largest <= FRACTIONS_UP_TO:
        return "fraction"
    return "percent" if box.largest <= 100 and box.has_point else "thousand"
