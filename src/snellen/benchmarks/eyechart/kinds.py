"""What a kind of question is, and what one drawn item is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from PIL import Image


@dataclass(frozen=True, slots=True)
class Item:
    """One drawn question with its truth."""

    images: tuple[Image.Image, ...]
    """Pictures in the order they are shown."""
    question: str
    """The question, with the form the answer should take."""
    answer: str
    """The truth; for boxes and points a readable copy of the region."""
    choices: tuple[str, ...] = ()
    """Option texts in order, empty for free response."""
    also: tuple[str, ...] = ()
    """Other accepted spellings."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What the scorer needs (bbox as fractions x1, y1, x2, y2) and what was drawn (counts, names)."""
    chance: float | None = None
    """Guessing floor of this item where it differs from its kind's."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A family of questions with one difficulty ladder."""

    name: str
    """Stable word ("letters")."""
    capability: str
    """One of DatBench's nine."""
    unit: str
    """Physical unit of the level ("px", "objects", "contrast", "deg", …)."""
    levels: tuple[float, ...]
    """Rungs from easy to hard, strictly monotone."""
    scorer: str
    """Generic scorer: "exact", "choice", "number", "box" or "point"."""
    draw: Callable[[Random, float], Item]
    """(random generator, level) → item."""
    phrase: str
    """What a threshold means, with {level}: "reads letters down to {level} px"."""
    chance: float = 0.0
    """Guessing floor in [0, 1]."""

    @property
    def harder(self) -> str:
        """Which levels are harder: "lower" or "higher"."""
        return "higher" if self.levels[-1] > self.levels[0] else "lower"


def fractions(box: tuple[float, float, float, float], width: int, height: int) -> list[float]:
    """A pixel box as fractions of the picture's sides, four decimals.

    >>> fractions((10, 20, 30, 40), 100, 200)
    [0.1, 0.1, 0.3, 0.2]
    """
    x1, y1, x2, y2 = box
    return [round(x1 / width, 4), round(y1 / height, 4), round(x2 / width, 4), round(y2 / height, 4)]
