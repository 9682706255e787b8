"""Near-duplicates: perceptual hashes of the images, MinHash of the texts, joined by union-find.

Two items are near-duplicates when their images look the same *and* they ask the same: two questions about one image
are not duplicates, and neither are two pictures with one stock question. A paraphrase counts where image and answer
are the same.

References: Zauner, Implementation and Benchmarking of Perceptual Image Hash Functions (2010); Broder, On the
resemblance and containment of documents (1997).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.curation.matrix import Ints

Hashes = NDArray[np.uint64]
SIDE_PX = 64
"""Side of the grey square that images are reduced to before hashing."""
_SIDES = (
    (0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1),
    (1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 1, 0), (1, 0, 0, 1), (0, 1, 1, 0), (0, 1, 0, 1),
)  # fmt: skip
CROPS = tuple(tuple(0.055 * side for side in sides) for sides in _SIDES)
"""Shares cut off (top, bottom, left, right) for the hash variants: a cropped copy still meets its original."""
N_VARIANTS = 2 * len(CROPS)
NO_IMAGE = np.uint64(0)
MAX_BITS = 11
"""Hamming distance up to which two hashes look the same."""
N_PERMUTATIONS = 64
SAME_TEXT, PARAPHRASE = 0.7, 0.1
"""Resemblance (Jaccard) of texts: the same question; a paraphrase, if the answers are equal too."""
_PRIME = np.uint64((1 << 61) - 1)
_BUCKET = 64
_BAND_STEP = 16


@dataclass(frozen=True, slots=True)
class ItemPrints:
    """Fingerprints of the items, made once and cached."""

    images: Hashes
    """Shape (n_items, N_VARIANTS): dHash of each crop, then pHash of each crop; 0 where there is no image."""
    texts: NDArray[np.uint32]
    """Shape (n_items, N_PERMUTATIONS): MinHash signature of the question."""
    answers: Sequence[str]
    """Canonical answers, compared after casefold and white space."""


def image_hashes(grey: NDArray[np.floating]) -> Hashes:
    """Hashes of one image under a few crops.

    Args:
        grey: square of grey values, shape (SIDE_PX, SIDE_PX).

    Returns:
        Shape (N_VARIANTS,).
    """
    crops = [_cropped(np.asarray(grey, dtype=np.float64), cuts) for cuts in CROPS]
    return np.array([dhash(c) for c in crops] + [phash(c) for c in crops], dtype=np.uint64)


def _cropped(grey: NDArray[np.float64], cuts: tuple[float, ...]) -> NDArray[np.float64]:
    top, bottom, left, right = (round(share * grey.shape[0]) for share in cuts)
    return grey[top : grey.shape[0] - bottom, left : grey.shape[1] - right]


def _shrunk(grey: NDArray[np.float64], n_rows: int, n_columns: int) -> NDArray[np.float64]:
    """Area average on a small grid (fractional cells, so that crops of any size line up)."""
    shrunk: NDArray[np.float64] = _weights(grey.shape[0], n_rows) @ grey @ _weights(grey.shape[1], n_columns).T
    return shrunk


def _weights(n_from: int, n_to: int) -> NDArray[np.float64]:
    edges = np.linspace(0, n_from, n_to + 1)
    cells = np.arange(n_from)
    overlap = np.minimum(edges[1:, None], cells + 1) - np.maximum(edges[:-1, None], cells)
    weights: NDArray[np.float64] = np.clip(overlap, 0, None) * (n_to / n_from)
    return weights


def dhash(grey: NDArray[np.float64]) -> np.uint64:
    """64 bits: is each cell of a 9 x 8 grid brighter than its left neighbour?"""
    grid = _shrunk(grey, 8, 9)
    # Flat areas (white paper) would flip with the noise of compression; they count as "not brighter".
    return _packed(np.diff(grid, axis=1) > 1.0)


def phash(grey: NDArray[np.float64]) -> np.uint64:
    """64 bits: signs of the 8 x 8 lowest cosine coefficients around their median."""
    grid = _shrunk(grey, 32, 32)
    low = _COSINES @ grid @ _COSINES.T
    # A blank area gives rounding noise only; it has no structure and no bits.
    return _packed(low - np.median(low) > 1e-6)


def _cosines(n_low: int, n: int) -> NDArray[np.float64]:
    frequency, position = np.arange(1, n_low + 1)[:, None], np.arange(n)[None, :]
    return np.cos(np.pi * frequency * (2 * position + 1) / (2 * n))


_COSINES = _cosines(8, 32)


def _packed(bits: NDArray[np.bool_]) -> np.uint64:
    return np.uint64(int.from_bytes(np.packbits(bits.ravel()).tobytes(), "big"))


def minhash(text: str) -> NDArray[np.uint32]:
    """MinHash signature over the words and the runs of four characters of a text.

    >>> bool((minhash("How many cats?") == minhash("how many  cats")).all())
    True
    """
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    shingles = {*words, *_pieces(" ".join(words))} or {""}
    codes = np.array([zlib.crc32(s.encode("utf-8", "surrogatepass")) for s in shingles], dtype=np.uint64)
    mixed = (codes[:, None] * _SLOPES[None, :] + _SHIFTS[None, :]) % _PRIME
    smallest: NDArray[np.uint32] = (mixed.min(axis=0) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return smallest


def _pieces(text: str) -> Iterator[str]:
    """Runs of four characters: what a paraphrase leaves standing."""
    for start in range(len(text) - 3):
        yield text[start : start + 4]


_RNG = np.random.default_rng(61)
_SLOPES = _RNG.integers(1, 1 << 29, N_PERMUTATIONS, dtype=np.uint64)
_SHIFTS = _RNG.integers(0, 1 << 60, N_PERMUTATIONS, dtype=np.uint64)


def clusters(prints: ItemPrints) -> Ints:
    """Near-duplicate cluster of each item.

    Args:
        prints: fingerprints.

    Returns:
        Shape (n_items,): the smallest position in the item's cluster (its own where it stands alone).
    """
    n_items = prints.images.shape[0]
    answers = np.unique([" ".join(a.casefold().split()) for a in prints.answers], return_inverse=True)[1]
    parent = np.arange(n_items)
    for first, second in _candidates(prints, answers):
        same = _are_same(prints, answers, first, second)
        _join(parent, first[same], second[same])
    return _roots(parent)


def _candidates(prints: ItemPrints, answers: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Pairs worth a look: they share 16 bits of some hash, or a band of the text signature."""
    has_image = (prints.images != NO_IMAGE).any(axis=1)
    salt = np.where(has_image, answers, -1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for kind in (0, len(CROPS)):
        for shift in np.arange(0, 49, _BAND_STEP, dtype=np.uint64):
            mine = _Sorted.of(((prints.images[:, kind] >> shift) & np.uint64(0xFFFF)) ^ salt, has_image)
            yield from mine.meet_itself()
            for variant in range(kind + 1, kind + len(CROPS)):
                theirs = ((prints.images[:, variant] >> shift) & np.uint64(0xFFFF)) ^ salt
                yield from mine.meet(theirs, has_image)
    for band in range(0, N_PERMUTATIONS, 4):
        key = _combined(prints.texts[:, band : band + 4])
        yield from _Sorted.of(key, ~has_image).meet_itself()


def _combined(columns: NDArray[np.uint32]) -> Hashes:
    key = np.zeros(len(columns), dtype=np.uint64)
    for k in range(columns.shape[1]):
        key = key * np.uint64(0x100000001B3) ^ columns[:, k].astype(np.uint64)
    return key


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Keys in order. Meetings are read bucket by bucket; a crowded bucket is read along its order only."""

    keys: Hashes
    positions: Ints

    @classmethod
    def of(cls, keys: Hashes, allowed: NDArray[np.bool_]) -> _Sorted:
        positions = np.flatnonzero(allowed)
        order = np.argsort(keys[positions], kind="stable")
        return cls(keys[positions][order], positions[order])

    def meet_itself(self) -> Iterator[tuple[Ints, Ints]]:
        """Pairs of positions with equal keys, each once."""
        start = np.arange(self.keys.size) + 1
        yield from self._pairs(self.positions, start, np.searchsorted(self.keys, self.keys, side="right"))

    def meet(self, keys: Hashes, allowed: NDArray[np.bool_]) -> Iterator[tuple[Ints, Ints]]:
        """Pairs (i, j) with keys[i] equal to the key of j."""
        others = np.flatnonzero(allowed)
        start = np.searchsorted(self.keys, keys[others], side="left")
        yield from self._pairs(others, start, np.searchsorted(self.keys, keys[others], side="right"))

    def _pairs(self, others: Ints, start: Ints, stop: Ints) -> Iterator[tuple[Ints, Ints]]:
        active = np.flatnonzero(start < stop)
        for step in range(_BUCKET):
            active = active[start[active] + step < stop[active]]
            if not active.size:
                return
            yield others[active], self.positions[start[active] + step]


def _are_same(prints: ItemPrints, answers: Ints, first: Ints, second: Ints) -> NDArray[np.bool_]:
    ours, theirs = prints.images[first], prints.images[second]
    no_image = (ours == NO_IMAGE).all(axis=1) & (theirs == NO_IMAGE).all(axis=1)
    resemblance = (prints.texts[first] == prints.texts[second]).mean(axis=1)
    alike = resemblance >= np.where(no_image, SAME_TEXT, PARAPHRASE)
    same: NDArray[np.bool_] = (answers[first] == answers[second]) & alike & (no_image | _look_alike(ours, theirs))
    return same


def _look_alike(first: Hashes, second: Hashes) -> NDArray[np.bool_]:
    """Whether some crop of one image is close to the whole of the other, by either kind of hash."""
    near = np.zeros(len(first), dtype=bool)
    for kind in (0, len(CROPS)):
        for variant in range(kind, kind + len(CROPS)):
            near |= np.bitwise_count(first[:, kind] ^ second[:, variant]) <= MAX_BITS
            near |= np.bitwise_count(second[:, kind] ^ first[:, variant]) <= MAX_BITS
    return near


def _join(parent: Ints, first: Ints, second: Ints) -> None:
    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        root_a, root_b = _root(parent, a), _root(parent, b)
        if root_a != root_b:
            parent[max(root_a, root_b)] = min(root_a, root_b)


def _root(parent: Ints, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = int(parent[node])
    return node


def _roots(parent: Ints) -> Ints:
    while True:
        above = parent[parent]
        if (above == parent).all():
            return above
        parent = above
