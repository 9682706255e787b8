"""Item–rest correlation of matrices too large for memory: item-major int8, two passes, one chunk at a time."""

from __future__ import annotations

import mmap

import numpy as np
from numpy.typing import NDArray

from snellen.curation.discrimination import MIN_MODELS, Discrimination

Cells = NDArray[np.int8]
Single = NDArray[np.float32]
_LET_GO_EVERY = 32


def item_rest_streaming(
    cells: Cells, *, scale: int = 1, chunk_items: int = 8192, min_models: int = MIN_MODELS
) -> Discrimination:
    """Item–rest correlation of a (memory-mapped) int8 matrix in bounded memory.

    Args:
        cells: shape (n_items, n_models), item-major; -1 = missing, else score x scale.
        scale: 1 for right and wrong, 100 for scores in hundredths.
        chunk_items: items held in memory at once.
        min_models: items that fewer models answered get NaN.

    Returns:
        r (single-precision kernel: error below 1e-4, usually 1e-6), n and p of each item.
    """
    n_items = cells.shape[0]
    n, total = _model_sums(cells, scale, chunk_items)
    terms = _terms(n, total)
    r, seen, p = np.empty(n_items), np.empty(n_items), np.empty(n_items)
    for start in range(0, n_items, chunk_items):
        part = slice(start, min(start + chunk_items, n_items))
        r[part], seen[part], p[part] = _chunk(cells[part], scale, terms)
        _let_go(cells, start // chunk_items)
    r[seen < min_models] = np.nan
    return Discrimination(r, seen, p)


def _model_sums(cells: Cells, scale: int, chunk_items: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """First pass: scored items and summed score of each model."""
    n = np.zeros(cells.shape[1])
    total = np.zeros(cells.shape[1])
    for start in range(0, cells.shape[0], chunk_items):
        block = cells[start : start + chunk_items]
        missing = np.count_nonzero(block < 0, axis=0) if block.min(initial=0) < 0 else 0
        values = block.astype(np.float32)
        total += (np.ones(len(block), dtype=np.float32) @ values + missing) / scale
        n += len(block) - missing
        _let_go(cells, start // chunk_items)
    return n, total


def _let_go(cells: Cells, n_chunks: int) -> None:
    """Hand mapped pages back now and then, so that a file larger than memory never counts as memory in use.

    Only shared mappings: private ones ("c") would lose changes.
    """
    if n_chunks % _LET_GO_EVERY or not isinstance(cells, np.memmap) or cells.mode not in ("r", "r+", "w+"):
        return
    mapped = getattr(cells, "_mmap", None)
    if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


def _terms(n: NDArray[np.float64], total: NDArray[np.float64]) -> tuple[Single, Single]:
    """Columns (1, a, a², b, ab, b²) of each model, a centred so that single precision is enough."""
    b = np.divide(1.0, n - 1, out=np.zeros_like(n), where=n > 1)
    a = total * b
    a = np.where(n > 1, a - a[n > 1].mean() if (n > 1).any() else 0.0, 0.0)
    columns = np.stack([np.ones_like(a), a, a * a, b, a * b, b * b], axis=1).astype(np.float32)
    return columns, (n > 1).astype(np.float32)


def _chunk(
    block: Cells, scale: int, terms: tuple[Single, Single]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    columns, usable = terms
    y = block.astype(np.float32)
    complete = block.min(initial=0) >= 0 and bool(usable.all())
    if complete:
        on_w = np.broadcast_to(columns[:, :3].astype(np.float64).sum(axis=0), (len(block), 3))
    else:
        w = (y >= 0).astype(np.float32) * usable
        np.maximum(y, 0, out=y)
        y *= usable
        on_w = (w @ columns[:, :3]).astype(np.float64)
    if scale != 1:
        y /= np.float32(scale)
    on_y = (y @ columns).astype(np.float64)
    on_yy = on_y if scale == 1 else ((y * y) @ columns).astype(np.float64)
    return _finish(on_w, on_y, on_yy)


def _finish(
    on_w: NDArray[np.float64], on_y: NDArray[np.float64], on_yy: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    n, sy, syy = on_w[:, 0], on_y[:, 0], on_yy[:, 0]
    st = on_w[:, 1] - on_y[:, 3]
    syt = on_y[:, 1] - on_yy[:, 3]
    stt = on_w[:, 2] - 2 * on_y[:, 4] + on_yy[:, 5]
    var_y, var_t = n * syy - sy * sy, n * stt - st * st
    known = (var_y > 1e-6 * n) & (var_t > 0)
    root = np.sqrt(np.where(known, var_y * var_t, 1.0))
    r = np.where(known, np.clip((n * syt - sy * st) / root, -1, 1), np.nan)
    return r, n.copy(), np.divide(sy, n, out=np.full(n.shape, np.nan), where=n > 0)
