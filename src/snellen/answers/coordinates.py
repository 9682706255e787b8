"""Numbers that stand for places in an image, and the conventions they may be written in.

A model may write fractions (0–1), percent (0–100), thousandths (0–1000) or pixels of the image it was sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Literal

Convention = Literal["auto", "fraction", "percent", "thousand", "pixel"]
CONVENTIONS: tuple[Convention, ...] = ("fraction", "percent", "thousand", "pixel")

MAX_NUMBERS = 20_000
"""Numbers of one text that are read; more are no answer."""

_NUMBER = re.compile(
    r"(?:(?<![\w.])[-+])?(?<![\w.])(?:\d++(?:\.\d++)?+|\.\d++)(?:[eE][-+]?\d++)?+(?![A-Za-z_](?<![pP]))"
)
_PERCENT = re.compile(r"\s?\\?%")
_DIVISORS = {"fraction": 1.0, "percent": 100.0, "thousand": 1000.0}


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a text."""

    value: float
    """As written."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character."""
    has_point: bool
    """Written with a decimal point."""
    is_percent: bool
    """Followed by a percent sign."""


def scan_numbers(text: str) -> list[Number]:
    """All numbers of a folded text (at most MAX_NUMBERS); digits inside key names (`bbox_2d`, `x1`) are none.

    >>> [number.value for number in scan_numbers("bbox_2d: [.5, -3, 1e-1, 40-50, 12px]")]
    [0.5, -3.0, 0.1, 40.0, 50.0, 12.0]
    """
    return [
        Number(
            float(found[0]),
            found.start(),
            found.end(),
            "." in found[0],
            _PERCENT.match(text, found.end()) is not None,
        )
        for found in islice(_NUMBER.finditer(text), MAX_NUMBERS)
    ]


def divisor(convention: str) -> float:
    """What values in a convention are divided by to give fractions; pixels have none of their own.

    >>> divisor("percent")
    100.0
    """
    return _DIVISORS[convention]
