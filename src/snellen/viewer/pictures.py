"""Images of a sample and the prompt as it was sent: from the run's own folder, or read again from the benchmark."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import images
from snellen.engine.preparation import Prepared, preparation_of
from snellen.engine.run_files import open_benchmark
from snellen.errors import SnellenError
from snellen.images.headers import format_of
from snellen.types import Benchmark, PreparedImage, TextPart

_MAX_CACHED_BYTES = 64 << 20
SMALL_SIDE_PX = 160
_HASH = re.compile(r"[0-9a-f]{64}")
_SAFE_FORMATS = {"jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif"}
"""Formats that a browser shows as a picture and as nothing else."""


@dataclass(frozen=True, slots=True)
class ShownPart:
    """One part of a prompt, in order."""

    text: str = ""
    """Its text; "" for an image."""
    image: int = -1
    """Number of the image, 0-based; -1 for a text."""
    about: str = ""
    """Of an image: size and what was done to it."""


@dataclass(frozen=True, slots=True)
class ShownPrompt:
    """What the model was shown."""

    parts: tuple[ShownPart, ...]
    """Texts and images in the order they were sent."""
    system: str | None
    """System message."""
    is_exact: bool
    """Whether its hash is the run's own prompt key."""
    note: str = ""
    """Why it is not exact."""


class Pictures:
    """Images and prompts of runs, with a small memory of the last ones."""

    def __init__(self) -> None:
        self._benchmarks: OrderedDict[Path, tuple[Benchmark | None, str]] = OrderedDict()
        self._cache: OrderedDict[tuple[Path, int, int, bool], tuple[str, bytes]] = OrderedDict()
        self._n_bytes = 0
        self._lock = threading.RLock()
        self.n_reads = 0

    def image(
        self, folder: Path, spec: Mapping[str, Any], record: Mapping[str, Any], number: int, *, small: bool = False
    ) -> tuple[str, bytes] | None:
        """One image of a sample.

        Args:
            folder: the run directory.
            spec: its spec.
            record: the sample's record.
            number: which image, 0-based.
            small: a copy for a list, at most SMALL_SIDE_PX large.

        Returns:
            (MIME type, bytes), None when it cannot be had.
        """
        place = (folder, int(record["position"]), number, small)
        with self._lock:
            if place in self._cache:
                self._cache.move_to_end(place)
                return self._cache[place]
            found = self._stored(folder, record, number) or self._from_benchmark(folder, spec, record, number)
            if found is not None and small:
                found = _small(found)
            if found is not None:
                self._keep(place, found)
            return found

    def _keep(self, place: tuple[Path, int, int, bool], found: tuple[str, bytes]) -> None:
        self._cache[place] = found
        self._n_bytes += len(found[1])
        while self._n_bytes > _MAX_CACHED_BYTES and len(self._cache) > 1:
            _, (_, data) = self._cache.popitem(last=False)
            self._n_bytes -= len(data)

    def _stored(self, folder: Path, record: Mapping[str, Any], number: int) -> tuple[str, bytes] | None:
        known = record.get("images") or ()
        digest = str(known[number].get("sha256") or "") if number < len(known) else ""
        if not _HASH.fullmatch(digest):
            return None
        for path in (folder / "images").glob(f"{digest}.*"):
            return _showable(path)
        return None

    def _from_benchmark(
        self, folder: Path, spec: Mapping[str, Any], record: Mapping[str, Any], number: int
    ) -> tuple[str, bytes] | None:
        prepared = self.prepared(folder, spec, record)
        if prepared is None:
            return None
        originals = prepared.originals
        return _showable(originals[number][1]) if number < len(originals) else None

    def prompt(self, folder: Path, spec: Mapping[str, Any], record: Mapping[str, Any]) -> ShownPrompt:
        """The prompt of a sample as it was sent, or the nearest to it that is known."""
        prepared = self.prepared(folder, spec, record)
        if prepared is None:
            return _from_record(record, self._opened(folder, spec)[1])
        exact = prepared.key == record.get("key")
        note = "" if exact else "the data changed since the run: this is the prompt as it would be sent now"
        parts: list[ShownPart] = []
        for part in prepared.parts:
            if isinstance(part, TextPart):
                parts.append(ShownPart(part.text))
            else:
                parts.append(ShownPart(image=sum(one.image >= 0 for one in parts), about=_about(part)))
        return ShownPrompt(tuple(parts), prepared.system, exact, note)

    def prepared(self, folder: Path, spec: Mapping[str, Any], record: Mapping[str, Any]) -> Prepared | None:
        """The sample as the run prepared it, None where its source is gone."""
        with self._lock:
            benchmark, _ = self._opened(folder, spec)
            if benchmark is None:
                return None
            self.n_reads += 1
            position = int(record["position"])
            try:
                sample = next(iter(benchmark.samples([position])))
                return preparation_of(_offline(spec), benchmark, keep_images=True).prepare(position, sample)
            except (SnellenError, OSError, StopIteration, KeyError, TypeError, ValueError):
                return None

    def _opened(self, folder: Path, spec: Mapping[str, Any]) -> tuple[Benchmark | None, str]:
        if folder not in self._benchmarks:
            try:
                benchmark, notes = open_benchmark(spec)
            except (OSError, ValueError, TypeError, AttributeError) as error:  # a spec that somebody wrote by hand
                benchmark, notes = None, [f"the benchmark's source could not be opened ({error})"]
            self._benchmarks[folder] = (benchmark, "; ".join(notes))
            while len(self._benchmarks) > 6:
                self._benchmarks.popitem(last=False)
        return self._benchmarks[folder]


def _offline(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec with image addresses refused: looking at a run never fetches anything."""
    about = dict(spec["benchmark"])
    return {**spec, "benchmark": {**about, "options": {**(about.get("options") or {}), "allow_urls": False}}}


def _showable(source: Path | bytes) -> tuple[str, bytes] | None:
    """An image in a format that is safe to serve; others are re-encoded."""
    try:
        data = images.read_bytes(source)
        name = str(format_of(data) or "").lower()
        if name in _SAFE_FORMATS:
            return _SAFE_FORMATS[name], data
        made = images.prepare(data, images.ImagePolicy())
        return made.mime, made.data
    except (SnellenError, OSError, ValueError):
        return None


def _small(found: tuple[str, bytes]) -> tuple[str, bytes]:
    try:
        made = images.prepare(found[1], images.ImagePolicy(max_side_px=SMALL_SIDE_PX, jpeg_quality=80))
    except (SnellenError, OSError, ValueError):
        return found
    return made.mime, made.data


def _about(image: PreparedImage) -> str:
    size = f"{image.width} × {image.height} px, {image.mime.removeprefix('image/')}, {len(image.data):,} bytes"
    whole = f" (original {image.source_width} × {image.source_height})" if image.change else ", as it is"
    return f"{size}; {image.change}{whole}" if image.change else size + whole


def _from_record(record: Mapping[str, Any], note: str) -> ShownPrompt:
    """The prompt pieced together from what the run keeps of the sample."""
    parts = [
        ShownPart(image=i, about=f"{one.get('width', '?')} × {one.get('height', '?')} px")
        for i, one in enumerate(record.get("images") or ())
    ]
    text = "".join(str(record.get(name) or "") for name in ("prefix", "question", "suffix"))
    system = record.get("system")
    why = note or "the benchmark's source is not at hand"
    return ShownPrompt(
        (*parts, ShownPart(text)),
        str(system) if system is not None else None,
        is_exact=False,
        note=f"pieced together from the run's record: {why}",
    )
