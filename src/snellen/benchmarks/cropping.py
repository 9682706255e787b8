"""`--option crop=region`: any benchmark with each picture cut down to the region its sample asks about.

For the question whether a model fails to see or fails to find: the same question on the whole picture and on the part
that holds the answer.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from snellen.errors import ImageError, UsageError
from snellen.images import decode, read_bytes
from snellen.types import Benchmark, ImagePart, IndexRow, Sample

KEYS = ("region", "crop_box", "bbox", "box")
"""Where a sample's metadata may hold its region, the first counts."""
MARGIN = 0.1
"""Share of the region's size that is kept around it."""
MIN_SIDE_PX = 28
"""A smaller cut is widened to this, a patch of most vision encoders."""
Box = tuple[float, float, float, float]


class Cropped:
    """A benchmark whose samples show their region only; one without a region is shown whole."""

    def __init__(self, inner: Benchmark) -> None:
        self._inner = inner
        self.name, self.title, self.citation = inner.name, inner.title, inner.citation
        self.fingerprint = f"{inner.fingerprint}+crop"
        self.root = getattr(inner, "root", None)
        note = "crop=region: a sample without a region in its metadata is shown whole"
        self.facts: Mapping[str, Any] = {**inner.facts, "notes": [*inner.facts.get("notes", ()), note]}

    def index(self) -> Iterator[IndexRow]:
        """As the benchmark's own."""
        return self._inner.index()

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The benchmark's samples, their pictures cut."""
        return (crop(sample, self.root) for sample in self._inner.samples(positions))


def wrap(benchmark: Benchmark, how: Any) -> Benchmark:
    """A benchmark under the option crop ("full" or "region").

    Raises:
        UsageError: it is neither.
    """
    if how in (None, "full"):
        return benchmark
    if how != "region":
        raise UsageError(f"crop is full or region, not {how!r}")
    return Cropped(benchmark)


def crop(sample: Sample, root: Any = None) -> Sample:
    """A sample with its first picture cut to its region; unchanged where it has none or cannot be read."""
    box = region_of(sample)
    at = next((i for i, part in enumerate(sample.parts) if isinstance(part, ImagePart)), None)
    if box is None or at is None:
        return sample
    part = sample.parts[at]
    assert isinstance(part, ImagePart)
    try:
        cut = _cut(read_bytes(part.source, root=root), box)
    except ImageError:
        return sample  # the run says what is wrong with the picture
    parts = (*sample.parts[:at], ImagePart(cut), *sample.parts[at + 1 :])
    return replace(sample, parts=parts, image_sizes=(), metadata={**sample.metadata, "cropped": True})


def region_of(sample: Sample) -> Box | None:
    """The region a sample asks about, None where its metadata has none or the region is the answer itself.

    >>> region_of(Sample("a", (), "?", metadata={"bbox": [10, 20, 50, 60]}))
    (10.0, 20.0, 50.0, 60.0)
    >>> region_of(Sample("a", (), "Where?", scorer="box", metadata={"bbox": [10, 20, 50, 60]}))
    """
    if sample.scorer in ("box", "point") or sample.dataset.startswith(("refcoco", "pixmo")):
        return None
    found = next((sample.metadata[key] for key in KEYS if sample.metadata.get(key)), None)
    several: Sequence[Any] = found if _is_list(found) else ()  # type: ignore[assignment]  # looked at in _is_list
    boxes = [found] if _is_box(found) else [one for one in several if _is_box(one)]
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return float(min(lefts)), float(min(tops)), float(max(rights)), float(max(bottoms))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_box(value: Any) -> bool:
    numbers = _is_list(value) and len(value) == 4 and all(isinstance(x, int | float) for x in value)
    return bool(numbers and value[0] < value[2] and value[1] < value[3])


def _cut(data: bytes, box: Box) -> bytes:
    picture = decode(data)
    left, top, right, bottom = _pixels(box, picture.size)
    stream = io.BytesIO()
    picture.crop((left, top, right, bottom)).save(stream, "PNG", compress_level=2)
    return stream.getvalue()


def _pixels(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A box (pixels, or fractions where nothing exceeds 1) with its margin, inside the picture.

    >>> _pixels((0.5, 0.5, 0.6, 0.6), (1000, 1000))
    (490, 490, 610, 610)
    >>> _pixels((2, 2, 4, 4), (100, 100))
    (0, 0, 28, 28)
    """
    scale = size if max(box) <= 1 else (1, 1)
    out = []
    for low, high, unit, side in ((box[0], box[2], scale[0], size[0]), (box[1], box[3], scale[1], size[1])):
        length = max((high - low) * unit * (1 + 2 * MARGIN), min(MIN_SIDE_PX, side))
        start = min(max(0.0, (low + high) / 2 * unit - length / 2), max(0.0, side - length))
        out.append((round(start), min(side, max(round(start) + 1, round(start + length)))))
    return out[0][0], out[1][0], out[0][1], out[1][1]
