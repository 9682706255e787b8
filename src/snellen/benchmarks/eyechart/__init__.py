"""The eye chart: questions drawn on the spot, each on a ladder from easy to hopeless, in physical units.

The same seed and Pillow version give the same pixels; another seed gives fresh items that nobody can have trained on.
A sample is drawn only when it is asked for, from a generator seeded by (seed, kind, level, repeat) alone.

References: the letters are those of Sloan (1959), "New test charts for the measurement of visual acuity"; the ring is
Landolt's (1888); reading a threshold off a ladder follows Watson & Pelli (1983), QUEST.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Any

from snellen.benchmarks import known_options
from snellen.benchmarks.eyechart import (
    charts,
    counting,
    documents,
    geometry,
    grounding,
    letters,
    scenes,
    spatial,
    tables,
)
from snellen.benchmarks.eyechart.drawing import png_bytes
from snellen.benchmarks.eyechart.kinds import Item, Kind
from snellen.errors import BenchmarkError, UsageError
from snellen.types import ImagePart, IndexRow, Part, Sample, TextPart

GENERATOR = "1"
"""Raised whenever a drawn item can change."""

KINDS: dict[str, Kind] = {
    kind.name: kind
    for family in (letters, charts, counting, documents, tables, spatial, grounding, geometry, scenes)
    for kind in family.KINDS
}
"""Name → kind, all of them."""

_CITATION = (
    "snellen eyechart, drawn locally (generator {version}); after Snellen (1862), Landolt (1888) and Sloan (1959)"
)


class Eyechart:
    """The drawn benchmark; implements the Benchmark protocol."""

    def __init__(self, name: str, kinds: tuple[Kind, ...], *, seed: int, per_level: int) -> None:
        self.name = name
        self.kinds = kinds
        self.seed = seed
        self.per_level = per_level
        self.title = f"Eye chart: {len(kinds)} kinds of drawn questions on ladders from easy to hopeless"
        self.citation = _CITATION.format(version=GENERATOR)
        self.fingerprint = _fingerprint(kinds, seed, per_level)
        self.facts: Mapping[str, Any] = {
            "max_tokens": 512,
            "rules": "fair",
            "headline": "mean score over all rungs; thresholds say more than this mean",
            "notes": [f"seed {seed}, {per_level} item(s) a rung; another --seed draws fresh items"],
        }
        self._plan = _plan(kinds, per_level)

    def __len__(self) -> int:
        return len(self._plan)

    def index(self) -> Iterator[IndexRow]:
        """All samples in order; nothing is drawn."""
        for position, (kind, rung, repeat) in enumerate(self._plan):
            yield IndexRow(position, _id(kind, rung, repeat), kind.name)

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions, each drawn when its turn comes.

        Raises:
            BenchmarkError: a position lies outside the benchmark.
        """
        for position in sorted(range(len(self._plan)) if positions is None else set(positions)):
            if not 0 <= position < len(self._plan):
                raise BenchmarkError(f"{self.name} has samples 0 to {len(self._plan) - 1}, not {position}")
            yield self.sample(*self._plan[position])

    def sample(self, kind: Kind, rung: int, repeat: int) -> Sample:
        """Draw one item and set its question out as a sample."""
        level = kind.levels[rung]
        item = kind.draw(_generator(self.seed, kind.name, level, repeat), level)
        suffix = _options(item)
        return Sample(
            id=_id(kind, rung, repeat),
            parts=_parts(item, suffix),
            question=item.question,
            references=(item.answer, *item.also),
            choices=item.choices,
            capability=kind.capability,
            category=kind.name,
            scorer=kind.scorer,
            metadata=_metadata(kind, item, level),
            answer=item.answer,
            all_answers=[item.answer, *item.also],
            suffix=suffix,
            image_sizes=tuple(image.size for image in item.images),
        )


def load(name: str = "eyechart", *, data: Any = None, options: Mapping[str, Any] | None = None) -> Eyechart:
    """Open the eye chart, or a part of it.

    Args:
        name: "eyechart", or "eyechart/" and a capability or kind ("eyechart/spatial", "eyechart/letters").
        data: must be None: nothing is read.
        options: seed (int, default 0), per_level (items a rung, default 1).

    Raises:
        UsageError: an unknown part or option, or a value that is no whole number.

    >>> len(load("eyechart/letters"))
    5
    >>> load("eyechart/letters").fingerprint == load("eyechart/letters", options={"seed": 1}).fingerprint
    False
    """
    if data is not None:
        raise UsageError("eyechart is drawn, not read: leave --data out")
    given = {key: value for key, value in (options or {}).items() if value is not None}
    known_options(name, given, ("seed", "per_level"))
    seed, per_level = _whole(given, "seed", 0), _whole(given, "per_level", 1)
    if per_level < 1:
        raise UsageError(f"per_level must be at least 1, not {per_level}")
    return Eyechart(name, _chosen(name), seed=seed, per_level=per_level)


def _whole(options: dict[str, Any], key: str, default: int) -> int:
    value = options.get(key, default)
    try:
        return int(str(value))
    except ValueError:
        raise UsageError(f"{key} must be a whole number, not {value!r}") from None


def _chosen(name: str) -> tuple[Kind, ...]:
    _, _, part = name.partition("/")
    if not part:
        return tuple(KINDS.values())
    chosen = tuple(kind for kind in KINDS.values() if part in (kind.name, kind.capability))
    if not chosen:
        known = sorted({kind.capability for kind in KINDS.values()} | set(KINDS))
        raise UsageError(f"eyechart has no part {part!r}; choose one of {', '.join(known)}")
    return chosen


def _plan(kinds: tuple[Kind, ...], per_level: int) -> list[tuple[Kind, int, int]]:
    """Order of the samples: a Latin square, so that any first part of it holds all kinds and a mix of rungs."""
    rungs = max(len(kind.levels) for kind in kinds)
    return [
        (kind, (turn + i) % rungs, repeat)
        for repeat in range(per_level)
        for turn in range(rungs)
        for i, kind in enumerate(kinds)
        if (turn + i) % rungs < len(kind.levels)
    ]


def _id(kind: Kind, rung: int, repeat: int) -> str:
    return f"{kind.name}-{kind.levels[rung]:g}-{repeat}"


def _generator(seed: int, kind: str, level: float, repeat: int) -> Random:
    key = f"{GENERATOR}|{seed}|{kind}|{level:g}|{repeat}".encode()
    return Random(int.from_bytes(hashlib.sha256(key).digest(), "big"))


def _options(item: Item) -> str:
    if not item.choices:
        return ""
    lines = [f"{chr(ord('A') + i)}. {choice}" for i, choice in enumerate(item.choices)]
    return "\n" + "\n".join(lines) + "\nAnswer with the letter of the right option only."


def _parts(item: Item, suffix: str) -> tuple[Part, ...]:
    shown = tuple(ImagePart(png_bytes(image)) for image in item.images)
    return (*shown, TextPart(item.question + suffix))


def _metadata(kind: Kind, item: Item, level: float) -> dict[str, Any]:
    return {
        "kind": kind.name,
        "unit": kind.unit,
        "level": float(level),
        "harder": kind.harder,
        "chance": kind.chance if item.chance is None else item.chance,
        "phrase": kind.phrase,
        **item.metadata,
    }


def _fingerprint(kinds: tuple[Kind, ...], seed: int, per_level: int) -> str:
    import PIL
    from PIL import features

    said = (
        f"eyechart {GENERATOR}",
        f"pillow {PIL.__version__}",
        f"freetype {features.version('freetype2')}",
        f"seed {seed}",
        f"per_level {per_level}",
        *(f"{kind.name} {kind.levels}" for kind in kinds),
    )
    return hashlib.sha256("\n".join(said).encode()).hexdigest()
