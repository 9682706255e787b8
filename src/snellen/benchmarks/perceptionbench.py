"""PerceptionBench: 3,000 questions on ten kinds of failing to see, images in place in the text.

References: Moonshot AI, PerceptionBench, 2026, arXiv 2607.24957; data card moonshotai/PerceptionBench.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from snellen.benchmarks import known_options
from snellen.benchmarks.hub import HubSet
from snellen.benchmarks.row_sources import Row, RowSource
from snellen.benchmarks.tables import open_table
from snellen.errors import BenchmarkError, UsageError
from snellen.rows import PLACEHOLDER, interleave
from snellen.types import ImagePart, IndexRow, Part, Sample, TextPart

CITATION = "Moonshot AI, PerceptionBench, 2026, arXiv 2607.24957"
HUB = HubSet("moonshotai/PerceptionBench", ("PerceptionBench.jsonl",))

OFFICIAL: dict[str, tuple[str, int]] = {
    "visual_relation_error": ("VRel", 330),
    "visual_counting_error": ("Count", 330),
    "visual_attribute_error": ("Attr", 330),
    "depth_3d_perception_error": ("Depth", 330),
    "visual_localization_error": ("Loc", 330),
    "visual_comparison_error": ("Comp", 279),
    "fine_grained_recognition_error": ("FGR", 290),
    "context_integration_error": ("Ctx", 255),
    "ocr_error": ("OCR", 255),
    "hallucination": ("Hallu", 271),
}
"""Category → (leaderboard code, items), in the official order."""

OFFICIAL_MIX: dict[str, int] = dict(OFFICIAL.values())
"""Leaderboard code → items: the shares of the item-weighted overall."""

_MARKS = (
    (("hallucin",), "Hallu"), (("ocr",), "OCR"), (("context",), "Ctx"), (("fine_grain", "fine-grain"), "FGR"),
    (("compar",), "Comp"), (("local", "position"), "Loc"), (("depth", "3d"), "Depth"), (("attribut",), "Attr"),
    (("count",), "Count"), (("relation",), "VRel"),
)  # fmt: skip
"""Parts of a category's name → code; the first that occurs counts."""

HINTS = ("system", "user", "none")
TUTORIAL_SYSTEM = (
    "You examine pictures. Look closely at every picture you are given and rely on what is visible in them. Think "
    "briefly where it helps. End with one line of the form\nAnswer: <short answer>\nthat holds the value alone: no "
    "unit, no sentence."
)
TUTORIAL = {"per_category": 12, "max_scan": 1200, "stop_after": 250}
"""How the tutorial samples: first rows of each category, at most so many scanned, no early end before so many."""
TUTORIAL_RUN = {"max_side": 1024, "jpeg_quality": 90, "max_tokens": 512, "temperature": 0.0, "judge": ["rule"]}
"""How the tutorial runs: options that a run takes unless it is told otherwise."""

TUTORIAL_VARIABLES = {"base_url": "PB_API_BASE", "api_key": "PB_API_KEY", "model": "PB_API_MODEL"}
"""Variables that name the tutorial's server, its key and its model."""


def code_of(category: str) -> str:
    """Leaderboard code of a category.

    >>> code_of("fine_grained_recognition_error"), code_of("strange new")
    ('FGR', 'Strang')
    """
    name = category.lower()
    for marks, code in _MARKS:
        if any(mark in name for mark in marks):
            return code
    return "".join(name.split())[:6].title()


def sample_of(row: Row, position: int, *, hint: str = "system", tutorial: bool = False) -> Sample:
    """One row → one sample: images at their placeholders, unnamed images behind, the hint where it belongs.

    Args:
        row: index, problem, answer, hint, image, error_category, source_bmk, source_idx.
        position: 0-based row, the id where the row has no index.
        hint: "system" (as the official builder), "user" (a line of its own at the end) or "none".
        tutorial: put the tutorial's system text in front.

    Raises:
        BenchmarkError: the row has no problem text.
    """
    problem, answer = row.get("problem"), row.get("answer")
    if not isinstance(problem, str):
        raise BenchmarkError(f"PerceptionBench row {position} has no text in the column 'problem'")
    images = _images(row.get("image"))
    parts, n_named = interleave(problem, images or [None])
    said = str(row.get("hint") or "").strip()
    category = str(row.get("error_category") or "")
    question = PLACEHOLDER.sub(r"[image \1]" if len(images) > 1 else "", problem).strip()
    return Sample(
        id=_id(row, position),
        parts=_with_hint(_without_blanks(parts), said if hint == "user" else ""),
        question=question,
        references=() if answer is None else (str(answer),),
        dataset="perceptionbench",
        capability=code_of(category),
        category=category,
        system=_system(said if hint == "system" else "", tutorial),
        metadata={
            "source_bmk": str(row.get("source_bmk") or "NA"),
            "source_idx": row.get("source_idx"),
            "hint": said,
            "n_images": len(images),
            "n_placeholders": n_named,
        },
        answer=answer,
        all_answers=[answer],
    )


def _images(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _id(row: Row, position: int) -> str:
    index = row.get("index")
    return str(position if index is None else index)


def _without_blanks(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part for part in parts if isinstance(part, ImagePart) or part.text.strip())


def _with_hint(parts: tuple[Part, ...], hint: str) -> tuple[Part, ...]:
    return (*parts, TextPart(f"\nHint: {hint}")) if hint else parts


def _system(hint: str, tutorial: bool) -> str | None:
    said = [text for text in (TUTORIAL_SYSTEM if tutorial else "", hint) if text]
    return "\n\n".join(said) or None


class PerceptionBench:
    """PerceptionBench from the hub, a file or a live table; see `snellen.types.Benchmark`."""

    def __init__(self, source: RowSource, facts: Mapping[str, Any], *, hint: str, n_each: int | None) -> None:
        self.name = "perceptionbench"
        self.title = "PerceptionBench: ten kinds of failing to see"
        self.citation = CITATION
        self.fingerprint = source.fingerprint
        self.facts = facts
        self._source = source
        self._hint = hint
        self._n_each = n_each

    def index(self) -> Iterator[IndexRow]:
        """All samples in order, without their images; the tutorial's first rows of each category under its preset."""
        kept: Counter[str] = Counter()
        for position, row in self._source.rows(columns=("index", "error_category")):
            category = str(row.get("error_category") or "")
            if self._n_each is not None:
                if _is_full(kept, self._n_each) and position >= TUTORIAL["stop_after"]:
                    return
                kept[category] += 1
                if kept[category] > self._n_each:
                    continue
            yield IndexRow(position, _id(row, position), category)

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions (all of the index when None), one row in memory at a time."""
        if positions is None and self._n_each is not None:
            positions = [row.position for row in self.index()]
        wanted = None if positions is None else sorted(positions)
        for position, row in self._source.rows(wanted):
            yield sample_of(row, position, hint=self._hint, tutorial=self._n_each is not None)


def _is_full(kept: Counter[str], n_each: int) -> bool:
    return sum(1 for n in kept.values() if n >= n_each) >= len(OFFICIAL)


def load(name: str, *, data: Any = None, options: Mapping[str, Any] | None = None) -> PerceptionBench:
    """Open PerceptionBench.

    Args:
        name: "perceptionbench".
        data: file or folder with PerceptionBench.jsonl (or Parquet), a `datasets` object, or None for the hub.
        options: hint ("system", "user", "none"), preset ("tutorial"), per_category (of the preset), load, max_scan,
            revision.

    Raises:
        UsageError: an unknown option, hint or preset.
        BenchmarkError: the data cannot be had.
    """
    given = {key: value for key, value in (options or {}).items() if value is not None}
    known_options(name, given, ("hint", "preset", "per_category", "load", "max_scan", "revision"))
    tutorial = _one_of(given, "preset", ("official", "tutorial"), "official") == "tutorial"
    hint = _one_of(given, "hint", HINTS, "user" if tutorial else "system")
    if "per_category" in given and not tutorial:
        raise UsageError("per_category belongs to --preset tutorial; otherwise give --per-category")
    if tutorial:
        given.setdefault("max_scan", TUTORIAL["max_scan"])
    source, facts = open_table(data, HUB, given)
    n_each = int(given.get("per_category", TUTORIAL["per_category"])) if tutorial else None
    return PerceptionBench(source, _facts(facts, hint, tutorial), hint=hint, n_each=n_each)


def _one_of(options: Mapping[str, Any], key: str, known: tuple[str, ...], default: str) -> str:
    value = options.get(key, default)
    if value not in known:
        raise UsageError(f"--{key} is {', '.join(known[:-1])} or {known[-1]}, not {value!r}")
    return str(value)


def _facts(about_source: dict[str, Any], hint: str, tutorial: bool) -> dict[str, Any]:
    facts = {
        **about_source,
        "rules": "fair",
        "protocol": "perceptionbench",
        "max_tokens": TUTORIAL_RUN["max_tokens"] if tutorial else 4096,
        "headline": "item-weighted overall: the mean over items, which on the whole set is the official figure",
        "official_mix": OFFICIAL_MIX,
        "capability_order": list(OFFICIAL_MIX),
        "preset": "tutorial" if tutorial else "official",
        "hint": hint,
    }
    if tutorial:
        facts["run_options"] = TUTORIAL_RUN
        facts["run_variables"] = TUTORIAL_VARIABLES
    about_source["notes"] += _remarks(tutorial)
    return facts


def _remarks(tutorial: bool) -> list[str]:
    notes = ["official scores come from the perceptionbench judge (--judge); without one the fair rules score"]
    if tutorial:
        notes.append(
            "preset tutorial: a category-balanced sample; its plain mean estimates the mean of the ten category "
            "accuracies, its mean reweighted to the official mix estimates the leaderboard's item-weighted overall"
        )
    return notes
