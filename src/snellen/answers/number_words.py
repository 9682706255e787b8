"""Numbers written as English words: "one hundred and five", "twenty-one", "three quarters", "two point five"."""

from __future__ import annotations

import re
from fractions import Fraction

_SMALL = {
    word: value
    for value, word in enumerate(
        [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
    )
}  # fmt: skip
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
} | {"fourty": 40}
SCALES = {
    "thousand": 10**3, "thousands": 10**3, "million": 10**6, "millions": 10**6, "billion": 10**9, "billions": 10**9,
    "trillion": 10**12, "trillions": 10**12, "hundred": 100, "hundreds": 100, "lakh": 10**5, "lakhs": 10**5,
    "crore": 10**7, "crores": 10**7, "dozen": 12, "mn": 10**6, "mln": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12,
    "trn": 10**12, "mil": 10**6,
}  # fmt: skip
"""Words behind a number that multiply it."""
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8,
    "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10, "twelfth": 12, "twelfths": 12, "hundredth": 100,
    "hundredths": 100, "thousandth": 1000, "thousandths": 1000,
}  # fmt: skip
MAX_WORDS = 24
"""More words than this make no number."""
_WORDS = "|".join(
    sorted(
        {*_SMALL, *_TENS, *_PARTS, *SCALES} - {"mn", "mln", "bn", "bln", "tn", "trn", "mil"}, key=len, reverse=True
    )
)
WORD_RUN = re.compile(
    rf"(?<![\w-])(?:(?:minus|negative)\s)?(?:an?[ -])?(?:{_WORDS})(?:(?:\s|-|\sand\s|-and-|\spoint\s|\sand\sa\s"
    rf"|\sa\s)(?:{_WORDS})(?!\w)){{0,{MAX_WORDS}}}(?![\w])",
    re.IGNORECASE,
)
"""A run of number words inside a longer text."""
_SPLIT = re.compile(r"[\s-]+")


def read_words(text: str) -> Fraction | None:
    """Value of a text that is one number in words, None when it is not.

    >>> read_words("one hundred and twenty-five"), read_words("one half"), read_words("two point five")
    (Fraction(125, 1), Fraction(1, 2), Fraction(5, 2))
    >>> read_words("two thirds"), read_words("one and a half"), read_words("seventh"), read_words("forty apples")
    (Fraction(2, 3), Fraction(3, 2), None, None)
    """
    words = _SPLIT.split(text.lower().strip())
    if not words or len(words) > MAX_WORDS or not words[0]:
        return None
    negative = words[0] in ("minus", "negative")
    words = words[1:] if negative else words
    value = _value(words) if words else None
    return -value if negative and value is not None else value


def _value(words: list[str]) -> Fraction | None:
    if "point" in words:
        at = words.index("point")
        whole, tail = _whole(words[:at] or ["zero"]), words[at + 1 :]
        if whole is None or not tail or any(w not in _SMALL or _SMALL[w] > 9 for w in tail):
            return None
        return whole + Fraction(int("".join(str(_SMALL[w]) for w in tail)), 10 ** len(tail))
    if len(words) > 2 and words[-2] == "a" and words[-3] == "and" and words[-1] in ("half", "quarter", "third"):
        whole = _whole(words[:-3])
        return None if whole is None else whole + Fraction(1, _PARTS[words[-1]])
    if words[-1] in _PARTS and (len(words) > 1 or words[-1] == "half"):
        return _part(words)
    return _whole(words)


def _part(words: list[str]) -> Fraction | None:
    """Read "three quarters", "two and one third", "one half", "half"."""
    below = _PARTS[words[-1]]
    above = words[:-1] or ["one"]
    if "and" in above[:-1] and above[0] not in ("a", "an"):
        at = len(above) - 1 - above[::-1].index("and")
        whole, part = _whole(above[:at]), _whole(above[at + 1 :])
        return None if whole is None or part is None else whole + part / below
    top = Fraction(1) if above in (["a"], ["an"]) else _whole(above)
    if top is None or (top == 1 and not words[-1].endswith(("f", "d", "h", "r"))):
        return None
    return top / below


def _whole(words: list[str]) -> Fraction | None:
    total, current, last, seen = 0, 0, 10**18, False
    for at, word in enumerate(words):
        if word == "and":
            if not seen or at == len(words) - 1:
                return None
        elif word in ("a", "an"):
            if at or len(words) < 2 or words[1] not in SCALES:
                return None
            current, seen = 1, True
        elif word in _SMALL or word in _TENS:
            value = _SMALL[word] if word in _SMALL else _TENS[word]
            if current % 100 and not (current % 100 >= 20 and current % 10 == 0 and value < 10 and value):
                return None
            if current and value == 0:
                return None
            current, seen = current + value, True
        elif word in ("hundred", "hundreds"):
            if current > 99:
                return None
            current, seen = max(current, 1) * 100, True
        elif word in SCALES and SCALES[word] < last:
            total, last, current, seen = total + max(current, 1) * SCALES[word], SCALES[word], 0, True
        else:
            return None
    return Fraction(total + current) if seen else None
