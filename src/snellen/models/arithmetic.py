"""The result of a short sum that stands in a picture: whole and decimal numbers, + − × ÷, no brackets. Pure."""

from __future__ import annotations

import re
from fractions import Fraction

_SIGNS = {
    "+": "+",
    "-": "-",
    "−": "-",
    "–": "-",
    "×": "*",
    "x": "*",
    "X": "*",
    "*": "*",
    "·": "*",
    "÷": "/",
    "/": "/",
}
_TOKENS = re.compile(r"\s*(?:(\d{1,12}(?:\.\d{1,6})?)|([+\-−–×xX*·÷/]))")
_MAX_TERMS = 50


def result_of(text: str) -> str | None:
    """Work out a sum such as "12 + 3 × 4 =".

    Args:
        text: one line; an equals sign and what follows it are left out.

    Returns:
        The result as a plain number, None when the text is no sum.

    >>> result_of("12 + 3 × 4 ="), result_of("7 ÷ 2"), result_of("12"), result_of("1 + x")
    ('24', '3.5', None, None)
    """
    tokens = _tokens(text.partition("=")[0].strip(" ?"))
    if tokens is None or not 3 <= len(tokens) <= 2 * _MAX_TERMS or len(tokens) % 2 == 0:
        return None
    value = _value(tokens)
    if value is None:
        return None
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def _tokens(text: str) -> list[str] | None:
    """Numbers and signs in turn, None when anything else stands there."""
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKENS.match(text, at)
        if found is None or (found[1] is None) != (len(tokens) % 2 == 1):
            return None
        tokens.append(found[1] or _SIGNS[found[2]])
        at = found.end()
    return tokens


def _value(tokens: list[str]) -> Fraction | None:
    """Products first, then the sum of them."""
    terms = [Fraction(tokens[0])]
    for sign, number in zip(tokens[1::2], map(Fraction, tokens[2::2]), strict=True):
        if sign == "*":
            terms[-1] *= number
        elif sign == "/":
            if number == 0:
                return None
            terms[-1] /= number
        else:
            terms.append(number if sign == "+" else -number)
    return sum(terms, Fraction(0))
