r"""Pairs, intervals, sets, lists, unions and matrices written in LaTeX or plain text: their kind and their items."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from snellen.answers.dressing import plain_latex
from snellen.answers.listing import read_listing, strip_brackets
from snellen.answers.numbers import read_number


@dataclass(frozen=True, slots=True)
class Structure:
    """Several values in one answer."""

    kind: str
    """"()", "[]", "[)", "(]" (ordered), "{}" or "" (any order), "matrix" or "union"."""
    items: tuple[str, ...]
    """Texts of the items."""


_MATRIX = re.compile(r"\\begin\{([bpvBV]?matrix|array|smallmatrix)\}(?:\{[^{}]*\})?(.*?)\\end\{\1\}", re.DOTALL)
_UNION = re.compile(r"\\cup(?![a-z])|∪")
_MEMBER = re.compile(r"^\s*[A-Za-z]\s*(?:\\in(?![a-z])|∈)\s*")
_NAMED_TUPLE = re.compile(r"^\s*\(?[A-Za-z](?:\s?,\s?[A-Za-z]){0,5}\)?\s*=\s*(?=[(\[\\{])")
_PLUS_MINUS = re.compile(r"\\pm(?![a-z])|±|\+/-")
_NAMED_ITEM = re.compile(r"^\s*(?:and\s+)?[A-Za-z](?:_\{?\w{1,3}\}?)?\s*=\s*(?=\S)")
_AND = re.compile(r"\band\b|\\text\{\s*and\s*\}|\bor\b|;|,\s|,")


@lru_cache(maxsize=8192)
def read_structure(text: str, *, as_list: bool = False) -> Structure | None:
    r"""The pair, interval, set, list or matrix that a text is; None for a single value.

    Args:
        text: one answer.
        as_list: whether a bare text with a comma is always a list ("3,5"), not a decimal comma.

    >>> read_structure("(1, 2)").kind, read_structure("x<3").items, read_structure("3 and 5").items
    ('()', ('-\\infty', '3'), ('3', '5'))
    """
    text = _MEMBER.sub("", _NAMED_TUPLE.sub("", _stripped_math(plain_latex(text))))
    matrix = _MATRIX.search(text)
    if matrix:
        return Structure("matrix", tuple(cell.strip() for cell in re.split(r"&|\\\\", matrix[2]) if cell.strip()))
    if _UNION.search(text):
        return Structure("union", tuple(part.strip() for part in _UNION.split(text) if part.strip()))
    inequality = _interval_of(text)
    if inequality:
        return inequality
    if _PLUS_MINUS.search(text):
        return _plus_minus(text)
    inside, kind = strip_brackets(text)
    if kind and ("," in inside or ";" in inside):
        return Structure(kind, _items(inside))
    return _bare_list(text, as_list)


def _stripped_math(text: str) -> str:
    return text.strip().strip("$").strip().rstrip(".;")


def _items(inside: str) -> tuple[str, ...]:
    masked = inside.replace(";", ",") if ";" in inside and "," not in inside else inside
    return tuple(part for part in (_NAMED_ITEM.sub("", piece).strip() for piece in _split_top(masked)) if part)


def _split_top(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ",;" and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _outside_brackets(text: str) -> str:
    """The text with what stands in brackets blanked out."""
    kept, depth = [], 0
    for sign in text:
        depth -= sign in ")]}" and depth > 0
        kept.append(" " if depth else sign)
        depth += sign in "([{"
    return "".join(kept)


def _bare_list(text: str, as_list: bool) -> Structure | None:
    if not _AND.search(_outside_brackets(text)):
        return None
    number = read_number(text)
    if number is not None and ("," not in text or not as_list or re.search(r"\d,\d{3}(?!\d)", text)):
        if not re.fullmatch(r"\s*-?\d+\s*,\s*-?\d+\s*", text) or re.fullmatch(r"\s*-?\d{1,3},\d{3}\s*", text):
            return None
    items = tuple(_NAMED_ITEM.sub("", item) for item in read_listing(text.replace(" or ", ", ")).items)
    return Structure("", items) if len(items) > 1 else None


_LESS = {
    "<": (False, False),
    "\\lt": (False, False),
    "≤": (True, False),
    "\\le": (True, False),
    "\\leq": (True, False),
    "\\leqslant": (True, False),
    "<=": (True, False),
}
_MORE = {
    ">": (False, True),
    "\\gt": (False, True),
    "≥": (True, True),
    "\\ge": (True, True),
    "\\geq": (True, True),
    "\\geqslant": (True, True),
    ">=": (True, True),
}
_SIGN = re.compile(r"<=|>=|[<>≤≥]|\\(?:leqslant|leq|le|lt|geqslant|geq|ge|gt)(?![a-z])")
_VARIABLE = re.compile(r"\s*\\?[A-Za-z]+(?:_\{?\w+\}?)?\s*")


def _interval_of(text: str) -> Structure | None:
    r"""`x<3` as (-∞,3), `0 \le x<1` as [0,1)."""
    signs = _SIGN.findall(text)
    if not signs or len(signs) > 2 or len(text) > 200:
        return None
    parts = _SIGN.split(text)
    kinds = [(_LESS | _MORE)[sign] for sign in signs]
    if len(signs) == 1:
        return _half_line(parts, kinds[0])
    if not _VARIABLE.fullmatch(parts[1]) or kinds[0][1] != kinds[1][1]:
        return None
    (low, low_in), (high, high_in) = (parts[0], kinds[0][0]), (parts[2], kinds[1][0])
    if kinds[0][1]:
        (low, low_in), (high, high_in) = (high, high_in), (low, low_in)
    return Structure(("[" if low_in else "(") + ("]" if high_in else ")"), (low.strip(), high.strip()))


def _half_line(parts: list[str], kind: tuple[bool, bool]) -> Structure | None:
    left, right = parts
    is_in, is_more = kind
    if _VARIABLE.fullmatch(right) and not _VARIABLE.fullmatch(left):
        left, right, is_more = right, left, not is_more
    if not _VARIABLE.fullmatch(left):
        return None
    if is_more:
        return Structure(("[" if is_in else "(") + ")", (right.strip(), "\\infty"))
    return Structure("(" + ("]" if is_in else ")"), ("-\\infty", right.strip()))


def _plus_minus(text: str) -> Structure | None:
    text = _NAMED_ITEM.sub("", text)
    return Structure("{}", tuple(_PLUS_MINUS.sub(sign, text, count=1) for sign in ("+", "-")))
