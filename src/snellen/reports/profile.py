"""What a benchmark is made of: groups, answer types, images, sources. Headers of images are read, no pixels.

Reference: requirements of the PerceptionBench tutorial (answer types, profile), stated in our own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from statistics import fmean, median
from typing import Any

from snellen.errors import ImageError
from snellen.images import inspect, read_bytes
from snellen.types import ImagePart, Sample

ANSWER_TYPES = ("integer", "decimal", "boolean", "letter", "single-word", "phrase", "none")
N_SOURCES = 8
N_NAMED = 20
_TYPES = (
    ("integer", re.compile(r"[+-]?\d+")),
    ("decimal", re.compile(r"[+-]?\d*\.\d+")),
    ("boolean", re.compile(r"yes|no|true|false", re.IGNORECASE)),
    ("letter", re.compile(r"\(?[A-H]\)?\.?")),
    ("single-word", re.compile(r"\S+")),
)


@dataclass(frozen=True, slots=True)
class GroupProfile:
    """One capability of a benchmark."""

    name: str
    """Capability, else category."""
    n_samples: int
    """Items in it."""
    mean_images: float
    """Images an item, on average."""
    mean_chars: float
    """Characters of a question, on average."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a benchmark is made of."""

    n_samples: int
    """Items."""
    groups: tuple[GroupProfile, ...]
    """By capability, in order of appearance or as asked."""
    answer_types: Mapping[str, int]
    """Type → items, in the order of ANSWER_TYPES."""
    images_per_item: Mapping[int, int]
    """Number of images → items."""
    multi_image_share: float
    """Share of items with more than one image."""
    median_side_px: float | None
    """Median of the images' longest sides; None without readable images."""
    max_side_px: int | None
    """Largest of them."""
    n_unreadable: int
    """Images whose header could not be read."""
    unreadable_ids: tuple[str, ...]
    """Their samples, the first twenty."""
    top_sources: Mapping[str, int]
    """The eight most frequent sources → items."""
    authored_share: float | None
    """Share written for this benchmark (source "NA"); None where sources are not told."""

    def as_json(self) -> dict[str, Any]:
        """Plain data; JSON has no integer keys, so numbers of images become text."""
        return {**asdict(self), "images_per_item": {str(n): count for n, count in self.images_per_item.items()}}


def answer_type(text: str | None) -> str:
    """Form of a reference answer.

    >>> [answer_type(text) for text in ("15,400", "3.5", "Yes", "(B)", "blue", "a blue car", None)]
    ['integer', 'decimal', 'boolean', 'letter', 'single-word', 'phrase', 'none']
    """
    if text is None or not text.strip():
        return "none"
    bare = re.sub(r"(?<=\d),(?=\d{3})", "", text.strip())
    return next((name for name, pattern in _TYPES if pattern.fullmatch(bare)), "phrase")


def profile(samples: Iterable[Sample], order: Sequence[str] = (), *, root: Path | None = None) -> Profile:
    """Go through a benchmark once and describe it.

    Args:
        samples: its samples, streamed; one is held at a time.
        order: capabilities in the order wanted; others follow as they appear.
        root: folder that relative image paths start from.

    >>> profile([Sample(id="1", parts=(), question="How many?", references=("3",), capability="Count")]).answer_types
    {'integer': 1}
    """
    tally = _Tally(root)
    for sample in samples:
        tally.add(sample)
    return tally.result(order)


class _Tally:
    """Counts that grow sample by sample."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root
        self.groups: dict[str, tuple[list[int], list[int]]] = {}
        self.types: Counter[str] = Counter()
        self.n_images: Counter[int] = Counter()
        self.sides: list[int] = []
        self.unreadable: list[str] = []
        self.sources: Counter[str] = Counter()
        self.tells_sources = False

    def add(self, sample: Sample) -> None:
        images = [part.source for part in sample.parts if isinstance(part, ImagePart)]
        counts, chars = self.groups.setdefault(sample.capability or sample.category, ([], []))
        counts.append(len(images))
        chars.append(len(sample.question))
        self.types[answer_type(sample.references[0] if sample.references else None)] += 1
        self.n_images[len(images)] += 1
        self.tells_sources |= "source_bmk" in sample.metadata
        self.sources[str(sample.metadata.get("source_bmk") or sample.dataset or "NA")] += 1
        for source in images:
            self._measure(source, sample.id)

    def _measure(self, source: Any, sample_id: str) -> None:
        try:
            info = inspect(read_bytes(source, root=self.root))
        except ImageError:
            self.unreadable.append(sample_id)
        else:
            self.sides.append(max(info.width, info.height))

    def result(self, order: Sequence[str]) -> Profile:
        n = sum(self.n_images.values())
        names = [
            *(name for name in order if name in self.groups),
            *(name for name in self.groups if name not in order),
        ]
        return Profile(
            n_samples=n,
            groups=tuple(
                GroupProfile(name, len(counts), fmean(counts), fmean(chars))
                for name in names
                for counts, chars in (self.groups[name],)
            ),
            answer_types={name: self.types[name] for name in ANSWER_TYPES if self.types[name]},
            images_per_item=dict(sorted(self.n_images.items())),
            multi_image_share=sum(count for k, count in self.n_images.items() if k > 1) / n if n else 0.0,
            median_side_px=median(self.sides) if self.sides else None,
            max_side_px=max(self.sides, default=None),
            n_unreadable=len(self.unreadable),
            unreadable_ids=tuple(self.unreadable[:N_NAMED]),
            top_sources=dict(self.sources.most_common(N_SOURCES)),
            authored_share=self.sources["NA"] / n if self.tells_sources and n else None,
        )


def profile_lines(found: Profile) -> list[str]:
    """A profile as lines for a terminal, at most 80 columns wide."""
    lines = [f"{'capability':<24}{'n':>7}{'images':>9}{'chars':>8}"]
    lines += [f"{g.name[:23]:<24}{g.n_samples:>7,}{g.mean_images:>9.2f}{g.mean_chars:>8.0f}" for g in found.groups]
    lines.append(f"{'all':<24}{found.n_samples:>7,}")
    lines.append("answers: " + _listed(found.answer_types))
    per_item = _listed({str(n): count for n, count in found.images_per_item.items()})
    lines.append(f"images per item: {per_item} (several: {found.multi_image_share:.1%})")
    if found.max_side_px is not None:
        lines.append(f"longest side: median {found.median_side_px:g} px, largest {found.max_side_px} px")
    if found.n_unreadable:
        lines.append(f"unreadable images: {found.n_unreadable} (samples {', '.join(found.unreadable_ids)})")
    lines.append("sources: " + _listed(found.top_sources))
    if found.authored_share is not None:
        lines.append(f"written for this benchmark: {found.authored_share:.1%}")
    return lines


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def profile_svg(found: Profile) -> str:
    """A profile as one SVG figure: bars of capabilities, answer types and sources; readable in light and dark."""
    blocks = (
        ("Capability", {group.name: group.n_samples for group in found.groups}),
        ("Answer type", dict(found.answer_types)),
        ("Images per item", {str(n): count for n, count in found.images_per_item.items()}),
        ("Source (top 8)", dict(found.top_sources)),
    )
    body, y = [], 10
    for title, counts in blocks:
        body.append(f'<text x="10" y="{y + 12}" font-weight="bold">{title}</text>')
        body += _bars(counts, y + 22)
        y += 34 + 20 * len(counts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 {y}" width="560" height="{y}" role="img"'
    style = 'font-family="system-ui, sans-serif" font-size="13" fill="currentColor"'
    return f'{head} aria-label="Profile of the benchmark" {style}>\n' + "\n".join(body) + "\n</svg>\n"


def _bars(counts: Mapping[str, int], top: int) -> list[str]:
    largest = max(counts.values(), default=1) or 1
    rows = []
    for i, (name, count) in enumerate(counts.items()):
        y, width = top + 20 * i, 300 * count / largest
        rows.append(f'<text x="150" y="{y + 12}" text-anchor="end">{escape(_clean(name)[:22])}</text>')
        rows.append(f'<rect x="158" y="{y + 1}" width="{width:.1f}" height="14" rx="2" fill="#3a7ca5"/>')
        rows.append(f'<text x="{164 + width:.1f}" y="{y + 12}">{count:,}</text>')
    return rows


def _clean(text: str) -> str:
    """Text without characters that XML forbids."""
    return "".join(c if c.isprintable() else "?" for c in text.encode("utf-8", "replace").decode())
