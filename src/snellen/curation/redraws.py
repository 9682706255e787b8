"""Many redraws of the probability part at once: does the interval of the level estimate cover the full score?"""

from __future__ import annotations

import numpy as np

from snellen.curation.level import Estimates, interval
from snellen.curation.matrix import Floats, Ints


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
    truth = np.nanmean(y, axis=1)
    found = _redraw(y, strata, n_per_stratum, certain, n_redraws, rng)
    low, high = interval(found)
    inside = (low <= truth[None, :] + 1e-12) & (truth[None, :] <= high + 1e-12)
    return float(inside.mean())


def _redraw(
    y: Floats, strata: Ints, n_per_stratum: Ints, certain: Ints, n_redraws: int, rng: np.random.Generator
) -> Estimates:
    n_models = y.shape[0]
    total = np.zeros((n_redraws, n_models)) + certain.size * np.nan_to_num(_nanmean(y[:, certain]))
    variance, fourth = np.zeros_like(total), np.zeros_like(total)
    n_units, squares = certain.size, 0.0
    for code, n in enumerate(n_per_stratum):
        members = np.flatnonzero(strata == code)
        if n == 0 or members.size == 0:
            continue
        mean, spread, seen = _stratum(y[:, members], int(n), n_redraws, rng)
        n_units += members.size
        squares += members.size**2 / n
        total += members.size * mean
        part = members.size**2 * (1 - n / members.size) * spread / np.maximum(seen, 1)
        variance += part
        fourth += part**2 / np.maximum(seen - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.maximum(np.where(fourth > 0, variance**2 / fourth, np.inf), 1.0)
    return Estimates(
        total / n_units, np.sqrt(variance) / n_units, df, n_units**2 / squares if squares else float("inf")
    )


def _nanmean(y: Floats) -> Floats:
    n = (~np.isnan(y)).sum(axis=1)
    mean: Floats = np.divide(np.nansum(y, axis=1), n, out=np.full(y.shape[0], np.nan), where=n > 0)
    return mean


def _stratum(y: Floats, n: int, n_redraws: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Mean, variance and observed cells of n draws from one stratum, each of shape (n_redraws, n_models)."""
    n_units = y.shape[1]
    keys = rng.random((n_redraws, n_units))
    drawn = (
        np.argpartition(keys, n - 1, axis=1)[:, :n]
        if n < n_units
        else np.broadcast_to(np.arange(n_units), (n_redraws, n_units))
    )
    known = ~np.isnan(y)
    values = np.where(known, y, 0.0)
    mean = np.empty((n_redraws, y.shape[0]))
    spread, seen = np.empty_like(mean), np.empty_like(mean)
    for m in range(y.shape[0]):
        cells, there = values[m][drawn], known[m][drawn]
        seen[:, m] = there.sum(axis=1)
        mean[:, m] = cells.sum(axis=1) / np.maximum(seen[:, m], 1)
        squares = (cells**2).sum(axis=1) - seen[:, m] * mean[:, m] ** 2
        spread[:, m] = np.maximum(squares, 0.0) / np.maximum(seen[:, m] - 1, 1)
    return mean, spread, seen
