"""Many redraws of the probability part at once: does the interval of the level estimate cover the full score?"""

from __future__ import annotations

import numpy as np

from snellen.curation.level import Estimates, interval
from snellen.curation.matrix import Floats, Ints, model_means


def coverage(
    y: Floats, strata: Ints, n_per_stratum: Ints, *, certain: Ints, n_redraws: int, rng: np.random.Generator
) -> float:
    """Share of 95 % intervals that hold the full-set mean, over redraws and models.

    Args:
        y: scores on the full set, shape (n_models, n_items), NaN = missing.
        strata: stratum of each item; `CERTAIN` for items that are always in (and where it does not matter).
        n_per_stratum: draws per stratum.
        certain: positions that are always in.
        n_redraws: how many samples to draw.
        rng: seeded generator.
    """
    truth = model_means(y)
    found = _redraw(y, strata, n_per_stratum, certain, n_redraws, rng)
    low, high = interval(found)
    inside = (low <= truth[None, :] + 1e-12) & (truth[None, :] <= high + 1e-12)
    return float(inside.mean())


def _redraw(
    y: Floats, strata: Ints, n_per_stratum: Ints, certain: Ints, n_redraws: int, rng: np.random.Generator
) -> Estimates:
    sure = y[:, certain]
    total = np.zeros((n_redraws, y.shape[0])) + np.nansum(sure, axis=1)
    reached = np.zeros_like(total) + (~np.isnan(sure)).sum(axis=1)
    n_units, squares, sums = float(certain.size), 0.0, []
    for code, n in enumerate(n_per_stratum):
        members = np.flatnonzero(strata == code)
        if n == 0 or members.size == 0:
            continue
        found = _stratum(y[:, members], int(n), n_redraws, rng)
        sums.append((int(n), members.size, found))
        total += found[0] * members.size / n
        reached += found[2] * members.size / n
        n_units += members.size
        squares += members.size**2 / n
    mean = total / np.maximum(reached, 1)
    variance, fourth = _variance(sums, mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.maximum(np.where(fourth > 0, variance**2 / fourth, np.inf), 1.0)
    plain = n_units**2 / squares if squares else float("inf")
    return Estimates(mean, np.sqrt(variance) / np.maximum(reached, 1), df, plain)


def _variance(sums: list[tuple[int, int, tuple[Floats, Floats, Floats]]], mean: Floats) -> tuple[Floats, Floats]:
    """Variance of the total of the residuals y - mean, and the term for its degrees of freedom."""
    variance, fourth = np.zeros_like(mean), np.zeros_like(mean)
    for n, size, (total, squares, seen) in sums:
        gap = total - mean * seen
        gap_squares = squares - 2 * mean * total + mean**2 * seen
        spread = np.maximum(gap_squares - gap**2 / n, 0.0) / max(n - 1, 1)
        part = size**2 * (1 - n / size) * (spread / n if n > 1 else 0.25)
        variance += part
        fourth += part**2 / max(n - 1, 1)
    return variance, fourth


def _stratum(y: Floats, n: int, n_redraws: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Sum, sum of squares and observed cells of n draws from one stratum, each of shape (n_redraws, n_models)."""
    n_units = y.shape[1]
    keys = rng.random((n_redraws, n_units))
    order = np.argpartition(keys, min(n, n_units - 1), axis=1) if n_units > 1 else np.zeros((n_redraws, 1), dtype=int)
    drawn = order[:, :n]
    known = ~np.isnan(y)
    values = np.where(known, y, 0.0)
    total, squares, seen = (np.empty((n_redraws, y.shape[0])) for _ in range(3))
    for m in range(y.shape[0]):
        cells = values[m][drawn]
        total[:, m], squares[:, m] = cells.sum(axis=1), (cells**2).sum(axis=1)
        seen[:, m] = known[m][drawn].sum(axis=1)
    return total, squares, seen
