r"""Whether two mathematical answers are the same: values, chains of equations, pairs, intervals, sets, matrices.

Equal in value is equal. A decimal stands for a value without a finite decimal form when it is correctly rounded to
its own digits, at least two behind the point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from snellen.answers.dressing import plain_latex, undress
from snellen.answers.listing import strip_brackets
from snellen.answers.numbers import Number, read_number, without_list_bracket
from snellen.scorers.formula import Node, read_formula
from snellen.scorers.formula_exact import NotRational, exact_value
from snellen.scorers.formula_tokens import NoFormula
from snellen.scorers.formula_value import are_equal, rational_near, symbols_in
from snellen.scorers.lists import matched_items
from snellen.scorers.structures import Structure, read_structure

MAX_CHARS = 2_000
"""A longer answer is no formula."""
CLOSE_DECIMALS = 40
"""Decimals to which an irrational reference is known when an answer's rounding is checked."""
MIN_DECIMALS = 2
"""Digits behind the point that a rounded answer needs."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How a decimal answer is compared."""

    decimals: int | None = None
    """Decimals to which the answer is rounded (half up) before it must equal the reference; None compares exactly."""


EXACT = Precision()

_SPACE = re.compile(r"\s+|\\[,;:!]|\\quad|~")
_SQUEEZED = (
    ("\\dfrac", "\\frac"),
    ("\\tfrac", "\\frac"),
    ("\\left", ""),
    ("\\right", ""),
    ("{,}", ","),
    ("\\cdot", "*"),
    ("\\times", "*"),
)


def is_equal(reference: str, answer: str, precision: Precision = EXACT) -> bool:
    r"""Whether an answer is the reference.

    Args:
        reference: the truth; folded.
        answer: one candidate answer; folded.
        precision: how decimals are compared.

    Raises:
        WorkBound: a value is past the bound on the work.

    >>> is_equal(r"2\sqrt{3}", r"\sqrt{12}"), is_equal(r"9\pi", "28.27"), is_equal("60", "60.001")
    (True, True, False)
    >>> is_equal(r"\{1,2\}", r"\{2,1\}"), is_equal("(1,2)", "(2,1)"), is_equal("[0,1]", "[0,1)")
    (True, False, False)
    """
    if not reference or not answer or len(answer) > MAX_CHARS or len(reference) > MAX_CHARS:
        return False
    if squeeze(reference) == squeeze(answer):
        return True
    reference, answer = undress(reference, keep_factorial=True), undress(answer, keep_factorial=True)
    if ":" in reference:
        answer = _TO.sub(":", answer)
    wanted = read_structure(reference)
    if wanted is None:
        return _is_equal_value(reference, without_list_bracket(answer), precision)
    said = read_structure(answer, as_list=True)
    return said is not None and _is_same_structure(wanted, said, precision)


@lru_cache(maxsize=8192)
def squeeze(text: str) -> str:
    r"""A formula's text without blanks, type setting and outer dressing.

    >>> squeeze(r"\left( 1,\; 2 \right)")
    '(1,2)'
    """
    text = undress(text, keep_factorial=True)
    for old, new in _SQUEEZED:
        text = text.replace(old, new)
    return _SPACE.sub("", _BETWEEN_DIGITS.sub("_", plain_latex(text))).lower()


_TO = re.compile(r"(?<=\d)\s+to\s+(?=\d)")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s+(?=\d)")


_ORDERED = ("()", "[)", "(]", "matrix")


def _is_same_structure(wanted: Structure, said: Structure, precision: Precision) -> bool:
    if len(wanted.items) != len(said.items) or not _kinds_agree(wanted, said):
        return False
    ordered = wanted.kind in _ORDERED or (wanted.kind == "[]" and len(wanted.items) == 2 and said.kind == "[]")
    if wanted.kind == "union":
        return _is_same_union(wanted, said, precision)

    def is_same(at: int, item: str) -> bool:
        return is_equal_item(wanted.items[at], item, precision)

    return matched_items(len(wanted.items), said.items, is_same, ordered=ordered) == len(wanted.items)


def _kinds_agree(wanted: Structure, said: Structure) -> bool:
    if wanted.kind == said.kind or (wanted.kind in ("{}", "") and said.kind in ("{}", "", "[]", "()")):
        return True
    if wanted.kind == "()" and said.kind == "":
        return not any("infty" in item or "∞" in item for item in wanted.items)
    return wanted.kind == "[]" and (said.kind in ("", "{}") or len(wanted.items) > 2)


def _is_same_union(wanted: Structure, said: Structure, precision: Precision) -> bool:
    def is_same(at: int, item: str) -> bool:
        return is_equal(wanted.items[at], item, precision)

    return matched_items(len(wanted.items), said.items, is_same, ordered=False) == len(wanted.items)


def is_equal_item(reference: str, answer: str, precision: Precision) -> bool:
    """Whether one item of a structure is the reference's item; +∞ is ∞."""
    reference, answer = (text.strip().removeprefix("+") for text in (reference, answer))
    if squeeze(reference) == squeeze(answer):
        return True
    inside = strip_brackets(reference)[1]
    if inside and strip_brackets(answer)[1]:
        return is_equal(reference, answer, precision)
    return _is_equal_value(reference, answer, precision)


_EQUALS = re.compile(
    r"(?<![<>!=\\])=(?!=)|\\approx(?![a-z])|≈|\\equiv(?![a-z])|\\simeq(?![a-z])|≃"
    r"|\\Rightarrow(?![a-z])|⇒"
)
_NAME = re.compile(r"[\\A-Za-z_{}\s'()△∠°.,$\d]*")
_NAME_DIGITS = re.compile(r"_\{?\w{1,6}\}?|[A-Za-z]\d?\b")


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a chain of equations that is a value."""

    node: Node
    number: Number | None
    """How it was written, where it is a plain number."""


def _is_equal_value(reference: str, answer: str, precision: Precision) -> bool:
    if read_structure(answer, as_list=False) is not None and not _is_plain_number(answer):
        return False
    wanted, said = _sides(reference), _sides(answer)
    if not wanted or not said:
        return False
    if len(wanted) > 1 and not _consistent(wanted):
        return len(said) == 2 and _is_same_equation(wanted, said)
    if not _consistent(said):
        return False
    return any(_is_same_side(wanted[-1], side, precision) for side in said)


def _is_plain_number(text: str) -> bool:
    return read_number(text) is not None


def _sides(text: str) -> list[_Side]:
    """Sides of a chain `a = b ≈ c` that are values; names and words in front of `=` are left out."""
    parts = _EQUALS.split(text)[:12]
    sides = [_side(part.strip()) for part in parts]
    if len(parts) > 1:
        kept = [side for part, side in zip(parts, sides, strict=True) if side and not _is_name(part)]
        if kept and sides[-1] is not None:
            return kept
        return [side for side in sides if side] if sides[-1] is not None else []
    return [side for side in sides if side]


def _is_name(text: str) -> bool:
    plain = _NAME_DIGITS.sub("", text)
    return (
        _NAME.fullmatch(text) is not None
        and re.search(r"\d", plain) is None
        and re.search(r"[A-Za-z]", text) is not None
        and "frac" not in text
        and "sqrt" not in text
        and "pi" not in text
    )


@lru_cache(maxsize=8192)
def _side(text: str) -> _Side | None:
    number = read_number(text)
    if number is not None and not number.special and _is_unit(number.unit):
        return _Side(Node("number", number.scaled), number)
    try:
        return _Side(read_formula(text), None)
    except NoFormula:
        return None


_SYMBOL_UNIT = re.compile(r"(?:[A-Za-z]{1,2}|pi|sqrt|sin|cos|tan|log|ln|exp)(?![A-Za-z])|[\\(^]")
_KNOWN_UNIT = re.compile(
    r"(?:[kcmdn]?m|[km]?g|m?s|h|hr|[mcd]?[lL]|k?N|k?J|k?W|k?V|A|K|C|F|[kMG]?Hz|k?Pa|in|ft|yd|mi|lb"
    r"|oz)(?:\s?\^?\{?-?[23]\}?)?"
    r"(?:\s?[·*/ ]\s?(?:[kcmdn]?m|[km]?g|m?s|h|hr|[lL]|A|K|C)(?:\^?\{?-?[23]\}?)?){0,3}"
)


def _is_unit(text: str) -> bool:
    """Whether what stands behind a number is surely no symbol; else the formula reader decides."""
    return _SYMBOL_UNIT.match(text) is None or _KNOWN_UNIT.fullmatch(text) is not None


def _consistent(sides: list[_Side]) -> bool:
    return all(_agree(one, other) or _agree(other, one) for one, other in pairwise(sides))


def _agree(one: _Side, other: _Side) -> bool:
    """Whether two sides of a chain are equal, or the second is the first rounded to its own digits."""
    try:
        return are_equal(one.node, other.node) or _is_rounding_of(one, other, at_least=0)
    except NoFormula:
        return False


def _is_same_side(wanted: _Side, said: _Side, precision: Precision) -> bool:
    try:
        if precision.decimals is not None:
            return _is_rounded(wanted, said, precision.decimals)
        return are_equal(wanted.node, said.node) or _is_rounding_of(wanted, said)
    except NoFormula:
        return False


def _is_rounding_of(wanted: _Side, said: _Side, at_least: int = MIN_DECIMALS) -> bool:
    """A decimal for a value without a finite decimal form, correctly rounded to its own digits."""
    if said.number is None or said.number.decimals is None or said.number.is_scaled:
        return False
    decimals = said.number.decimals + (2 if said.number.is_percent else 0)
    if said.number.decimals < at_least or symbols_in(wanted.node) or _has_finite_decimals(wanted.node):
        return False
    return _distance_within(wanted.node, said.number.scaled, Fraction(1, 2 * 10**decimals))


def _has_finite_decimals(node: Node) -> bool:
    try:
        below = exact_value(node).denominator
    except NotRational:
        return False
    for prime in (2, 5):
        while below % prime == 0:
            below //= prime
    return below == 1


def _distance_within(node: Node, value: Fraction, limit: Fraction) -> bool:
    try:
        truth = exact_value(node)
    except NotRational:
        truth = rational_near(node, CLOSE_DECIMALS)
    return abs(truth - value) <= limit


def _is_rounded(wanted: _Side, said: _Side, decimals: int) -> bool:
    """Whether the answer rounded half up to so many decimals is the reference."""
    if symbols_in(wanted.node) or symbols_in(said.node):
        return are_equal(wanted.node, said.node)
    step = Fraction(1, 10**decimals)
    try:
        truth = exact_value(wanted.node)
    except NotRational:
        return are_equal(wanted.node, said.node)
    try:
        value = exact_value(said.node)
    except NotRational:
        value = rational_near(said.node, decimals + 20)
    sign = -1 if value < 0 else 1
    rounded = sign * Fraction((abs(value) / step + Fraction(1, 2)).__floor__()) * step
    return rounded == truth or value == truth


def _is_same_equation(wanted: list[_Side], said: list[_Side]) -> bool:
    """Whether two equations say the same up to a constant factor."""
    differences = [
        Node("sum", None, (pair[0].node, Node("minus", None, (pair[-1].node,)))) for pair in (wanted, said)
    ]
    one, other = differences
    try:
        if symbols_in(one) != symbols_in(other) or not symbols_in(one):
            return False
        return are_equal(one, other) or are_equal(one, Node("minus", None, (other,)))
    except NoFormula:
        return False
