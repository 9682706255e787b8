"""Scores by what a sample is like: images, their size, the kind of answer, the question's length, the options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.stats.intervals import Interval, mean_interval

_INTEGER = re.compile(r"[+-]?\d[\d,]*")
_DECIMAL = re.compile(r"[+-]?\d[\d,]*\.\d+")


@dataclass(frozen=True, slots=True)
class Slice:
    """One group of samples under one aspect."""

    aspect: str
    """What it is sliced by ("long side")."""
    name: str
    """The group ("800–1600 px")."""
    n: int
    """Scored samples."""
    interval: Interval
    """Mean and 95 % interval."""


def answer_type(reference: str) -> str:
    """Kind of a reference answer.

    >>> [answer_type(text) for text in ("12", "1.5", "yes", "B", "a red car", "cat")]
    ['integer', 'decimal', 'yes/no', 'letter', 'phrase', 'word']
    """
    text = reference.strip()
    if _INTEGER.fullmatch(text):
        return "integer"
    if _DECIMAL.fullmatch(text):
        return "decimal"
    if text.lower() in ("yes", "no", "true", "false"):
        return "yes/no"
    if re.fullmatch(r"[A-H]", text):
        return "letter"
    return "phrase" if " " in text else "word"


def long_side(px: int) -> str:
    """Size class of a sample's largest image."""
    return "no image" if px == 0 else "< 800 px" if px < 800 else "800–1600 px" if px <= 1600 else "> 1600 px"


def length_class(n_chars: int) -> str:
    """Length class of a question."""
    return (
        "up to 60 characters" if n_chars <= 60 else "61–200 characters" if n_chars <= 200 else "over 200 characters"
    )


def aspects(row: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, str]:
    """Under which groups a sample falls, from its score row and its sample record."""
    n_images = row["n_images"]
    references = record.get("references") or ["(structured)"]
    return {
        "images": "none" if n_images == 0 else "one" if n_images == 1 else "several",
        "long side": long_side(row["long_side_px"]),
        "answer": "option" if row["n_choices"] else answer_type(str(references[0])),
        "options": str(row["n_choices"]) if row["n_choices"] else "free response",
        "question": length_class(len(str(record.get("question") or ""))),
    }


_ORDER = (
    "none", "no image", "one", "several", "< 800 px", "800–1600 px", "> 1600 px", "up to 60 characters",
    "61–200 characters", "over 200 characters", "free response",
)  # fmt: skip


def _place(member: tuple[str, list[float]]) -> tuple[int, int, str]:
    """Groups in their natural order: classes as listed, then numbers of options, then words."""
    name = member[0]
    known = _ORDER.index(name) if name in _ORDER else len(_ORDER)
    return known, int(name) if name.isdecimal() else 0, name


class Slices:
    """Scores sorted into groups as they come by."""

    def __init__(self) -> None:
        self._groups: dict[str, dict[str, list[float]]] = {}

    def add(self, row: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Take in one score row with its sample record; what has no score is passed over."""
        if row["state"] != "scored" or row["value"] is None:
            return
        for aspect, name in aspects(row, record).items():
            self._groups.setdefault(aspect, {}).setdefault(name, []).append(row["value"])

    def means(self, *, seed: int) -> list[Slice]:
        """Means by every aspect that tells at least two groups apart.

        Args:
            seed: of the bootstrap.
        """
        return [
            Slice(aspect, name, len(values), mean_interval(values, seed=seed))
            for aspect, members in self._groups.items()
            if len(members) > 1
            for name, values in sorted(members.items(), key=_place)
        ]
