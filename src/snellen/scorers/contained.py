r"""Whether a short reference stands in a text as whole words, and whether a formula stands in another.

`cat` does not stand in `concatenate`, `12` not in `12.5`; `三年` stands in `答:三年。`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snellen.scorers.plain_latex import without_math_delimiters

_BLANK = re.compile(r"\s")
_WORD = re.compile(r"[0-9A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_GROUP_BEHIND = re.compile(r"\.\d|,\d{3}(?!\d)")
_LEADING_DIGITS = re.compile(r"\d+")
_MATH_TEXT = re.compile(r"\\(?:text|mathrm|textrm|mbox)\s?\{([^{}]*)\}")
_LONE_SCRIPT = re.compile(r"([\^_])\{(\w)\}")
_MAX_PLACES = 10_000
"""Occurrences that are looked at."""


def contains_words(text: str, reference: str, *, tight: bool = False) -> bool:
    """Whether the reference occurs without a Latin letter, a digit or more of the same number next to it.

    Args:
        text: where to look, blanks collapsed.
        reference: what to find; "" is never found.
        tight: ignore blanks on both sides.

    >>> contains_words("the golden gate.", "golden gate"), contains_words("concatenate", "cat")
    (True, False)
    >>> contains_words("12.5 or 1,012", "12"), contains_words("8个", "8"), contains_words("1 2", "12", tight=True)
    (False, True, True)
    """
    return any(_stands_alone(text, start, end) for start, end in _occurrences(text, reference, tight))


def _occurrences(text: str, reference: str, tight: bool) -> Iterator[tuple[int, int]]:
    """(start, end) of each occurrence in the text as it stands."""
    places = [at for at, sign in enumerate(text) if not sign.isspace()] if tight else None
    if tight:
        text, reference = "".join(text.split()), "".join(reference.split())
    start = text.find(reference) if reference else -1
    for _ in range(_MAX_PLACES):
        if start < 0:
            return
        end = start + len(reference)
        yield (places[start], places[end - 1] + 1) if places else (start, end)
        start = text.find(reference, start + 1)


def _stands_alone(text: str, start: int, end: int) -> bool:
    return _is_free_before(text, start) and _is_free_behind(text, end)


def _is_free_before(text: str, start: int) -> bool:
    before, first = text[start - 1 : start], text[start]
    if before and _WORD.match(before) and _WORD.match(first):
        return False
    if not first.isdigit() or before not in (".", ",") or not text[start - 2 : start - 1].isdigit():
        return True
    digits = _LEADING_DIGITS.match(text, start)
    return before == "," and (digits is None or digits.end() - start != 3)


def _is_free_behind(text: str, end: int) -> bool:
    last, behind = text[end - 1], text[end : end + 1]
    if behind and _WORD.match(behind) and _WORD.match(last):
        return False
    return not (last.isdigit() and _GROUP_BEHIND.match(text, end))


def contains_formula(text: str, reference: str) -> bool:
    r"""Whether a formula occurs in a text, blanks, `$` and text wrappers aside; plain letters and digits as words.

    >>> contains_formula(r"so $\frac{a}{b} + c$", r"\frac{a}{b}+c"), contains_formula("x^{2}", "x^2")
    (True, True)
    >>> contains_formula("axb", "x")
    False
    """
    expected = plain_formula(reference)
    if not expected:
        return False
    if expected.isalnum():
        return contains_words(_with_blanks(text), expected, tight=len(expected) > 1)
    return expected in plain_formula(text)


def plain_formula(text: str) -> str:
    r"""A formula without blanks, delimiters and text wrappers, with bare single-character scripts.

    >>> plain_formula(r"$$ x^{2} + \text{速度} $$")
    'x^2+速度'
    """
    return _LONE_SCRIPT.sub(r"\1\2", _BLANK.sub("", _with_blanks(text)))


def _with_blanks(text: str) -> str:
    return _MATH_TEXT.sub(r"\1", without_math_delimiters(text)).replace("$", "")
