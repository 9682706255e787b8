"""Texts with their place: OCRBench v2's grounding, VQA with position and text spotting.

Boxes are x1, y1, x2, y2 in thousandths of the picture; the official evaluator reads them as such.

References:
    Fu et al., "OCRBench v2" (2024), arXiv:2501.00321.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.answers.boxes import boxes_in
from snellen.answers.folding import collapse, fold
from snellen.types import ScoringContext

Box = tuple[float, float, float, float]

_NUMBER = r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})"
_VALUE = re.compile(_NUMBER)
_BRACKETED = re.compile(rf"[(\[]\s?{_NUMBER}(?:\s?[,;\s]\s?{_NUMBER}){{3}}\s?[)\]]")
_BARE = re.compile(rf"(?<![\w.]){_NUMBER}(?:\s?[,;]\s?{_NUMBER}){{3}}(?![\w.]*\d)")
_QUOTED = re.compile(r"[\"'](?P<text>[^\"'\n]{1,200})[\"'](?P<colon>\s?:)?")
_WORDS = re.compile(r"[^\s\[\](){}:,;\"'|=][^\[\](){}:,;\"'|=\n]*")
_PER_UNIT = {"fraction": 1000.0, "percent": 10.0, "thousand": 1.0}


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text and where it stands."""

    text: str
    """Folded, lower case, blanks collapsed."""
    box: Box
    """In thousandths, corners in order."""


def read_box(value: Any, context: ScoringContext | None = None) -> Box | None:
    """A box out of a list, a nested list or a text; fractions are brought to thousandths, corners put in order.

    Args:
        value: four numbers in any container, or eight of a quadrilateral, whose frame is taken.
        context: its coordinate convention is applied; "auto" takes a box with no value above 1 as fractions.

    >>> read_box("[0.1, 0.2, 0.3, 0.4]"), read_box([[300, 400, 100, 200]]), read_box([1, 2])
    ((100.0, 200.0, 300.0, 400.0), (100.0, 200.0, 300.0, 400.0), None)
    """
    value = list(value.values()) if isinstance(value, dict) else value
    numbers = [float(number) for number in _VALUE.findall(str(value)[:2_000])]
    if len(numbers) < 4:
        return None
    quad = numbers[:8] if len(numbers) == 8 and "], [" not in str(value) else numbers[:4]
    x_factor, y_factor = _factors(quad, context)
    xs, ys = [x * x_factor for x in quad[::2]], [y * y_factor for y in quad[1::2]]
    return min(xs), min(ys), max(xs), max(ys)


def _factors(numbers: Sequence[float], context: ScoringContext | None) -> tuple[float, float]:
    convention = context.coordinates if context else "auto"
    if convention == "pixel" and context and context.image_sizes_sent:
        width, height = context.image_sizes_sent[0]
        return 1000.0 / max(1, width), 1000.0 / max(1, height)
    if convention in _PER_UNIT:
        return _PER_UNIT[convention], _PER_UNIT[convention]
    factor = 1000.0 if max(map(abs, numbers)) <= 1 else 1.0
    return factor, factor


def last_box(text: str, context: ScoringContext) -> Box | None:
    """The last box that a text names, bracketed groups first.

    >>> last_box("at (0.1, 0.2, 0.3, 0.4)", ScoringContext())
    (100.0, 200.0, 300.0, 400.0)
    """
    for pattern in (_BRACKETED, _BARE):
        groups = pattern.findall(text)
        if groups:
            return read_box(groups[-1], context)
    written = boxes_in(text[-20_000:])
    return read_box(written[-1].values, context) if written else None


def reference_boxes(value: Any) -> list[Box]:
    """The boxes of a reference: one, a list of boxes, or a text that holds them.

    >>> reference_boxes("[1, 2, 3, 4]"), reference_boxes([[1, 2, 3, 4], [5, 6, 7, 8]]), reference_boxes([100, 200])
    ([(1.0, 2.0, 3.0, 4.0)], [(1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0)], [])
    """
    if isinstance(value, list | tuple) and value and all(isinstance(one, list | tuple | str) for one in value):
        nested = [read_box(one) for one in value]
        if all(nested):
            return [box for box in nested if box]
    box = read_box(value) if value else None
    return [box] if box else []


def box_overlap(first: Box, second: Box) -> float:
    """Intersection over union of two boxes, in [0, 1].

    >>> box_overlap((0, 0, 10, 10), (0, 0, 10, 20))
    0.5
    """
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    inner = max(0.0, width) * max(0.0, height)
    union = _area(first) + _area(second) - inner
    return inner / union if union > 0 else 0.0


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def read_placed_texts(text: str, context: ScoringContext) -> list[PlacedText]:
    """Every box of a text with the words that belong to it: quoted inside its bracket, else before, else behind it.

    >>> read_placed_texts("[(10,20,30,40,'STOP')]", ScoringContext())
    [PlacedText(text='stop', box=(10.0, 20.0, 30.0, 40.0))]
    >>> read_placed_texts("EXIT 5,5,6,6", ScoringContext())[0].text
    'exit'
    """
    found: list[PlacedText] = []
    groups = list(_BARE.finditer(text))
    for at, group in enumerate(groups):
        before = text[groups[at - 1].end() if at else 0 : group.start()]
        behind = text[group.end() : groups[at + 1].start() if at + 1 < len(groups) else len(text)]
        box = read_box(group[0], context)
        if box:
            found.append(PlacedText(_words(before[-400:], behind[:400]), box))
    return found


def _words(before: str, behind: str) -> str:
    inside = _QUOTED.match(behind.lstrip(", \t"))
    quoted = [inside] if inside else [one for one in _QUOTED.finditer(before) if not one["colon"]]
    if quoted:
        return comparable_text(quoted[-1]["text"])
    plain = _WORDS.findall(before) or _WORDS.findall(behind.partition("\n")[0])
    return comparable_text(plain[-1]) if plain else ""


def comparable_text(text: str) -> str:
    """Folded, lower case, blanks collapsed."""
    return collapse(fold(text).lower())


def spotting_f1(found: Sequence[PlacedText], expected: Sequence[PlacedText]) -> float:
    """F1 of texts read right in the right place (overlap of at least one half); each counts once.

    >>> one = PlacedText("stop", (0, 0, 10, 10))
    >>> spotting_f1([one], [one, PlacedText("go", (20, 0, 30, 10))])
    0.6666666666666666
    """
    left = list(expected)
    n_matched = 0
    for one in found:
        fits = [
            at for at, other in enumerate(left) if one.text == other.text and box_overlap(one.box, other.box) >= 0.5
        ]
        if fits:
            left.pop(fits[0])
            n_matched += 1
    total = len(found) + len(expected)
    return 2 * n_matched / total if total else 1.0
