"""What an OCR engine read, as lines with places: rows, words, the value beside a label, the cell of a table. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz

NUMBER = re.compile(r"[-−]?\$?\d[\d,]*(?:\.\d+)?%?")
_ENDS_IN_NUMBER = re.compile(r"[^\W\d][^\d]{0,80}[\s:=]" + NUMBER.pattern + r"\s*$")
_GOOD_MATCH = 80.0


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of text and its upright box in pixels."""

    text: str
    """As read."""
    left: float
    """Pixels."""
    top: float
    """Pixels."""
    right: float
    """Pixels."""
    bottom: float
    """Pixels."""

    @property
    def x(self) -> float:
        """Horizontal middle."""
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        """Vertical middle."""
        return (self.top + self.bottom) / 2

    @property
    def height(self) -> float:
        """Pixels, at least 1."""
        return max(1.0, self.bottom - self.top)


def rows_of(lines: Iterable[Line]) -> list[list[Line]]:
    """Group lines into rows from top to bottom, each from left to right.

    >>> a, b, c = Line("a", 0, 0, 9, 9), Line("b", 20, 1, 29, 10), Line("c", 0, 30, 9, 39)
    >>> [[line.text for line in row] for row in rows_of([c, b, a])]
    [['a', 'b'], ['c']]
    """
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.y):
        if rows and abs(line.y - _middle(rows[-1])) < 0.6 * min(line.height, rows[-1][0].height):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _middle(row: Sequence[Line]) -> float:
    return sum(line.y for line in row) / len(row)


def words_of(line: Line) -> list[Line]:
    """The words of a line, their places guessed from their share of its characters.

    >>> [(word.text, word.left) for word in words_of(Line("ab cd", 0, 0, 50, 10))]
    [('ab', 0.0), ('cd', 30.0)]
    """
    per_char = (line.right - line.left) / max(1, len(line.text))
    return [
        Line(
            found[0], line.left + found.start() * per_char, line.top, line.left + found.end() * per_char, line.bottom
        )
        for found in re.finditer(r"\S+", line.text)
    ]


def plain_text(lines: Iterable[Line]) -> str:
    """All text in reading order, rows on lines of their own."""
    return "\n".join(" ".join(line.text for line in row) for row in rows_of(lines))


def likeness(a: str, b: str) -> float:
    """How alike two labels are, 0 to 100: letters and digits only, case ignored.

    >>> likeness("Tumor location", "Tumorlocation:") > 99
    True
    """
    return fuzz.ratio(_bare(a), _bare(b))


def _bare(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def best_match(label: str, lines: Iterable[Line], *, least: float = _GOOD_MATCH) -> Line | None:
    """The line most like a label, None when none is like it."""
    scored = [(likeness(label, line.text), -position, line) for position, line in enumerate(lines)]
    best = max(scored, default=None, key=lambda one: one[:2])
    return best[2] if best is not None and best[0] >= least else None


def number_in(text: str) -> float | None:
    """The number a short text consists of or holds, None when it holds none or several.

    >>> number_in("48%"), number_in("$1,250.50"), number_in("3 of 4"), number_in("Mobile 48%")
    (48.0, 1250.5, None, 48.0)
    """
    found = NUMBER.findall(text)
    if len(found) != 1 or len(found[0]) > 30:
        return None
    return float(re.sub(r"[^\d.\-]", "", found[0].replace("−", "-")) or "nan")


def value_right_of(label: Line, lines: Iterable[Line]) -> Line | None:
    """Nearest line in the same row to the right of a label."""
    beside = [
        line
        for line in lines
        if line is not label and line.left >= label.x and abs(line.y - label.y) < 0.6 * max(line.height, label.height)
    ]
    return min(beside, key=lambda line: line.left, default=None)


def value_near(label: Line, lines: Sequence[Line]) -> Line | None:
    """The number that belongs to a label: in its own line, right of it, or above or below it in its column."""
    if _ENDS_IN_NUMBER.search(label.text):
        return label
    numbers = [line for line in lines if line is not label and number_in(line.text) is not None]
    right = value_right_of(label, numbers)
    if right is not None:
        return right
    half = max((label.right - label.left) / 2, label.height)
    column = [line for line in numbers if abs(line.x - label.x) < half]
    return min(column, key=lambda line: abs(line.y - label.y), default=None)


def table_cell(row_label: str, column_label: str, lines: Sequence[Line]) -> str | None:
    """Text of the cell where a row and a column meet, None when either is not found.

    Args:
        row_label: text at the left of the row.
        column_label: text at the head of the column.
        lines: all lines of the page.
    """
    header = _header(column_label, lines)
    if header is None:
        return None
    below = [line for line in lines if line.y > header.bottom]
    label = _row_label(row_label, below, header)
    if label is None:
        return None
    row = [line for line in below if line is not label and _same_row(line, label) and line.left > label.x]
    whole = [line for line in row if line.left - header.height < header.x < line.right + header.height]
    merged = [line for line in whole if _spans_columns(line, header, lines)]
    if whole and not merged:
        return min(whole, key=lambda line: abs(line.x - header.x)).text
    words = [word for line in row for word in words_of(line)]
    nearest = min(words, key=lambda word: abs(word.x - header.x), default=None)
    return nearest.text if nearest is not None and abs(nearest.x - header.x) < 4 * header.height else None


def without_ticks(lines: Sequence[Line]) -> list[Line]:
    """Leave out the numbers of a vertical axis: a column of three or more with nothing written left of them."""
    numbers = [line for line in lines if NUMBER.fullmatch(line.text.strip())]
    texts = [line for line in lines if not NUMBER.fullmatch(line.text.strip())]
    return [
        line
        for line in lines
        if not (
            NUMBER.fullmatch(line.text.strip())
            and sum(abs(line.right - other.right) < line.height for other in numbers) >= 3
            and not any(text.right <= line.left and abs(text.y - line.y) < line.height for text in texts)
        )
    ]


def _header(label: str, lines: Sequence[Line]) -> Line | None:
    """A whole line, or some words of a line that holds several headers."""
    top = sorted(lines, key=lambda line: line.y)
    whole = best_match(label, top, least=85)
    if whole is not None:
        return whole
    n_words = len(label.split())
    for line in top:
        words = words_of(line)
        for at in range(len(words) - n_words + 1):
            run = words[at : at + n_words]
            if likeness(label, " ".join(word.text for word in run)) >= 85:
                return Line(label, run[0].left, line.top, run[-1].right, line.bottom)
    return None


def _row_label(label: str, below: Sequence[Line], header: Line) -> Line | None:
    left = [line for line in below if line.left < header.left]
    return best_match(label, left, least=75) or _label_of_two_lines(label, left)


def _label_of_two_lines(label: str, left: Sequence[Line]) -> Line | None:
    """A long label is broken onto two lines; its values stand beside either."""
    pairs = sorted(left, key=lambda line: (round(line.left / 8), line.y))
    for first, second in pairwise(pairs):
        if likeness(label, f"{first.text} {second.text}") >= 85:
            return Line(label, first.left, first.top, max(first.right, second.right), second.bottom)
    return None


def _same_row(line: Line, label: Line) -> bool:
    return label.top - 0.3 * line.height <= line.y <= label.bottom + 0.3 * line.height


def _spans_columns(line: Line, header: Line, lines: Sequence[Line]) -> bool:
    """Whether a line runs under a neighbouring header too, so that only some of its words belong to this one."""
    heads = [one for one in lines if one is not header and abs(one.y - header.y) < header.height]
    return " " in line.text and any(line.left < one.right and line.right > one.left + 2 for one in heads)
