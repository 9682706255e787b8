"""Fingerprints of a benchmark's items, hashed once and cached by content."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from snellen.curation.matrix import Floats, Ints
from snellen.curation.redundancy import (
    N_PERMUTATIONS,
    N_VARIANTS,
    SIDE_PX,
    ItemPrints,
    clusters,
    image_hashes,
    minhash,
)
from snellen.errors import ImageError
from snellen.images import read_bytes
from snellen.types import Benchmark, ImagePart, Sample


@dataclass(frozen=True, slots=True)
class Prints:
    """Fingerprints in the order of the benchmark."""

    names: tuple[str, ...]
    """Sample id, or the circular group."""
    prints: ItemPrints
    """Hashes."""
    pixels: Floats
    """Pixels of the first image, which tells an original from its shrunk copy; 0 without one."""
    clusters: Ints
    """Near-duplicate cluster of each item."""


def prints_of(benchmark: Benchmark, cache: Path | None = None) -> Prints:
    """Hash all items, or read the cache when it is of this very benchmark.

    Args:
        benchmark: open benchmark.
        cache: `.npz` file to read and write; None keeps nothing.
    """
    key = hashlib.sha256(f"{benchmark.fingerprint}:{N_VARIANTS}:{N_PERMUTATIONS}:1".encode()).hexdigest()
    if cache is not None and cache.is_file():
        found = _read(cache, key)
        if found is not None:
            return found
    made = _hash_all(benchmark)
    if cache is not None:
        _write(cache, key, made)
    return made


def _hash_all(benchmark: Benchmark) -> Prints:
    names: list[str] = []
    images, texts, answers, pixels = [], [], [], []
    seen: set[str] = set()
    by_bytes: dict[str, tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint64]], float]] = {}
    for sample in benchmark.samples():
        name = sample.group or sample.id
        if name in seen:
            continue
        seen.add(name)
        hashes, n_pixels = _image(sample, by_bytes)
        names.append(name)
        images.append(hashes)
        pixels.append(n_pixels)
        texts.append(minhash(sample.question))
        answers.append(sample.references[0] if sample.references else str(sample.answer or ""))
    prints = ItemPrints(
        np.array(images, dtype=np.uint64).reshape(len(names), N_VARIANTS),
        np.array(texts, dtype=np.uint32).reshape(len(names), N_PERMUTATIONS),
        answers,
    )
    return Prints(tuple(names), prints, np.array(pixels, dtype=np.float64), clusters(prints))


def _image(
    sample: Sample, by_bytes: dict[str, tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint64]], float]]
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint64]], float]:
    from PIL import Image, UnidentifiedImageError

    none = np.zeros(N_VARIANTS, dtype=np.uint64)
    part = next((part for part in sample.parts if isinstance(part, ImagePart)), None)
    if part is None:
        return none, 0.0
    try:
        data = read_bytes(part.source)
        key = hashlib.sha256(data).hexdigest()
        if key not in by_bytes:
            with Image.open(io.BytesIO(data)) as opened:
                n_pixels = float(opened.width * opened.height)
                opened.draft("L", (4 * SIDE_PX, 4 * SIDE_PX))
                small = opened.convert("L").resize((SIDE_PX, SIDE_PX), Image.Resampling.BOX)
            by_bytes[key] = image_hashes(np.asarray(small, dtype=np.float64)), n_pixels
        return by_bytes[key]
    except (ImageError, OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return none, 0.0


def _read(cache: Path, key: str) -> Prints | None:
    try:
        with np.load(cache, allow_pickle=False) as stored:
            if str(stored["key"]) != key:
                return None
            prints = ItemPrints(stored["images"], stored["texts"], [str(a) for a in stored["answers"]])
            names = tuple(str(name) for name in stored["names"])
            return Prints(names, prints, stored["pixels"], stored["clusters"])
    except (OSError, ValueError, KeyError):
        return None


def _write(cache: Path, key: str, made: Prints) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        cache,
        key=np.asarray(key),
        names=np.asarray(made.names, dtype=np.str_),
        images=made.prints.images,
        texts=made.prints.texts,
        answers=np.asarray(made.prints.answers, dtype=np.str_),
        pixels=made.pixels,
        clusters=made.clusters,
    )


def for_items(made: Prints, items: Sequence[str]) -> tuple[Ints, Floats]:
    """Clusters and pixels in the order of a matrix; items without prints stand alone."""
    where = {name: i for i, name in enumerate(made.names)}
    cluster = np.arange(len(items)) + len(made.names)
    pixels = np.zeros(len(items))
    for k, item in enumerate(items):
        if item in where:
            cluster[k], pixels[k] = made.clusters[where[item]], made.pixels[where[item]]
    return cluster.astype(np.int64), pixels
