"""The score of a model on the full set, estimated from a weighted subset, with its interval.

Certain items (the discriminating part) are summed as they are; the rest is estimated stratum by stratum from the
probability part (Horvitz and Thompson). The interval is over redraws of the probability part: it says what the full
set would have shown.

References: Horvitz and Thompson (1952); Cochran, Sampling Techniques, ch. 5; Korn and Graubard (1998); Wilson (1927).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.curation.matrix import Floats, Ints
from snellen.errors import UsageError

CERTAIN = -1
"""Stratum code of items that are in the subset with probability 1."""


@dataclass(frozen=True, slots=True)
class Level:
    """An estimated mean score on the full set."""

    mean: float
    """Estimate, in the unit of the scores; NaN without any observation."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end."""
    se: float
    """Standard error over redraws of the probability part."""
    n: int
    """Observed items."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates for several score vectors at once, each of shape (n_vectors,)."""

    mean: Floats
    """Estimated full-set means."""
    se: Floats
    """Standard errors."""
    df: Floats
    """Satterthwaite degrees of freedom."""
    n_plain: float
    """Size of a plain random sample with the same spread of weights; inf when nothing was sampled."""


def level_estimate(
    scores: Sequence[float] | Floats,
    weights: Sequence[float] | Floats,
    strata: Sequence[int] | Ints,
    *,
    confidence: float = 0.95,
) -> Level:
    """Estimate a model's full-set score from a weighted subset.

    Args:
        scores: one a subset item, in [0, 1]; NaN = missing (taken as missing at random inside its stratum).
        weights: how many items of the full set each stands for (1 / inclusion probability).
        strata: stratum code of each item; `CERTAIN` (-1) for items that are in the subset for sure.
        confidence: of the interval.

    Returns:
        Estimate, interval (Wilson's, at the effective sample size), standard error, observed items.

    Raises:
        UsageError: lengths differ or a weight is below 1.

    >>> level = level_estimate([1, 1, 0, 0, 1, 0], [1, 1, 10, 10, 10, 10], [-1, -1, 0, 0, 1, 1])
    >>> round(level.mean, 3)
    0.286
    """
    y = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    w, h = np.asarray(weights, dtype=np.float64), np.asarray(strata, dtype=np.int64)
    if y.shape[1] != w.size or w.size != h.size:
        raise UsageError(f"{y.shape[1]} scores, {w.size} weights and {h.size} strata; there must be equally many")
    if w.size and w.min() < 1 - 1e-9:
        raise UsageError(
            f"weight {w.min():g} is below 1; a weight says how many items of the full set one stands for"
        )
    found = estimates(y, w, h)
    low, high = interval(found, confidence)
    n = int((~np.isnan(y)).sum())
    return Level(float(found.mean[0]), float(low[0]), float(high[0]), float(found.se[0]), n)


def estimates(y: Floats, weights: Floats, strata: Ints) -> Estimates:
    """Full-set means of several score vectors, with design-based standard errors.

    A missing cell is left out of both sums (ratio estimate), and its absence adds to the standard error.

    Args:
        y: shape (n_vectors, n_items), NaN = missing; differences of two models are allowed too.
        weights: shape (n_items,).
        strata: shape (n_items,), `CERTAIN` for certain items.
    """
    order, starts = _blocks(strata)
    w, seen = weights[order], ~np.isnan(y[:, order])
    values = np.where(seen, y[:, order], 0.0)
    reached = seen @ w
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = values @ w / reached
    gap = np.where(seen, values - mean[:, None], 0.0)
    first = strata[order][starts]
    parts = _sampling_variances(gap, w, starts)[:, first != CERTAIN]
    n_drawn = np.diff(np.append(starts, order.size))[first != CERTAIN]
    variance = parts.sum(axis=1)
    fourth = (parts**2 / np.maximum(n_drawn - 1, 1)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.maximum(np.where(fourth > 0, variance**2 / fourth, np.inf), 1.0)
        return Estimates(mean, np.sqrt(variance) / reached, df, _plain_size(weights, strata))


def _plain_size(weights: Floats, strata: Ints) -> float:
    """Kish's effective size of the sampled items, spread over the whole full set; inf when all are known."""
    drawn = weights[(strata != CERTAIN) & (weights > 1 + 1e-9)]
    return float(weights.sum() ** 2 / (drawn**2).sum()) if drawn.size else float("inf")


def _blocks(strata: Ints) -> tuple[Ints, Ints]:
    """Items in order of stratum, and where each block starts; a lone draw joins its neighbour, to show a spread."""
    order = np.argsort(strata, kind="stable")
    cuts = np.flatnonzero(np.diff(strata[order])) + 1
    starts = [0, *cuts.tolist()] if order.size else []
    sampled = [k for k, start in enumerate(starts) if strata[order[start]] != CERTAIN]
    ends = [*starts[1:], order.size]
    lonely = {k for k in sampled if ends[k] - starts[k] == 1 and k != sampled[0]}
    if len(sampled) > 1 and ends[sampled[0]] - starts[sampled[0]] == 1:
        lonely.add(sampled[1])
    kept = [start for k, start in enumerate(starts) if k not in lonely]
    return order.astype(np.int64), np.asarray(kept, dtype=np.int64)


def _sampling_variances(gap: Floats, weights: Floats, starts: Ints) -> Floats:
    """N² (1 - f) s² / n of each vector in each block, shape (n_vectors, n_blocks); 0 where it is taken whole."""
    n = np.diff(np.append(starts, weights.size)).astype(np.float64)
    size = np.add.reduceat(weights, starts)
    total = np.add.reduceat(gap, starts, axis=1)
    squares = np.add.reduceat(gap * gap, starts, axis=1) - total**2 / n
    spread = np.maximum(squares, 0.0) / np.maximum(n - 1, 1)
    left = np.clip(1 - n / size, 0.0, 1.0)
    variances: Floats = np.where(n > 1, size**2 * left * spread / n, size**2 * left * 0.25)
    return variances


def interval(found: Estimates, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval at the effective sample size, so that scores near 0 and 1 stay inside [0, 1].

    Args:
        found: from `estimates`.
        confidence: e.g. 0.95.
    """
    quantile = t_quantile(found.df, confidence)
    p = np.clip(found.mean, 0.0, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        n_effective = np.where(found.se > 0, p * (1 - p) / found.se**2, found.n_plain)
    ratio = quantile**2 / np.maximum(n_effective, 1e-9)
    centre = (p + ratio / 2) / (1 + ratio)
    spread = np.where(found.se > 0, found.se**2, 0.0)
    half = quantile * np.sqrt(spread + (ratio / 2 / quantile) ** 2) / (1 + ratio)
    flat = ~np.isfinite(n_effective)
    return np.where(flat, found.mean, centre - half), np.where(flat, found.mean, centre + half)


def t_quantile(df: Floats, confidence: float) -> Floats:
    """Two-sided quantile of Student's t (the normal one for infinite df)."""
    from scipy.special import stdtrit

    quantile: NDArray[np.float64] = stdtrit(np.minimum(df, 1e9), 0.5 + confidence / 2)
    return quantile
