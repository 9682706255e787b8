"""Bootstrap draws of a ratio of sums, made quick by drawing how often each distinct value comes up.

A mean of n scores, a mean over clusters and a weighted mean are one thing: sum of numerators / sum of denominators
over independent units. Units with equal (numerator, denominator) are interchangeable, so a draw of n units is one
multinomial draw over the distinct pairs: 50,000 right/wrong scores cost two counts, not 50,000 indices.

References:
    B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 6 and 13.
    T. Hesterberg, "What Teachers Should Know About the Bootstrap", arXiv:1411.5279 (widening for few units).
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

N_BUCKETS = 256
"""Numerators beyond this many distinct values are put in this many equal-width buckets."""
MAX_VARIANCE_LOST = 1e-4
"""Share of the variance that the buckets may lose; above it units are drawn one by one."""
MAX_CELLS = 4_000_000
"""Units × draws held in memory at once when units are drawn one by one (32 MB)."""


def ratio_draws(
    numerators: npt.ArrayLike, denominators: npt.ArrayLike, *, seed: int = 0, n_draws: int = 4000
) -> Floats:
    """Draw bootstrap values of sum(numerators) / sum(denominators), resampling whole units.

    Args:
        numerators: shape (n_units,), any unit; for a mean the scores, for clusters their sums.
        denominators: shape (n_units,), positive; ones for a mean, cluster sizes, sums of weights.
        seed: the same seed gives the same draws, whatever the order of the units.
        n_draws: number of resamples.

    Returns:
        Shape (n_draws,), in the unit of the scores.

    >>> draws = ratio_draws([0, 1, 1, 1], [1, 1, 1, 1], seed=3)
    >>> draws.shape, bool(abs(draws.mean() - 0.75) < 0.02)
    ((4000,), True)
    """
    units = np.column_stack([np.asarray(numerators, float), np.asarray(denominators, float)])
    rng = np.random.default_rng(seed)
    values, counts = np.unique(units, axis=0, return_counts=True)
    if len(values) > N_BUCKETS:
        bucketed = _bucket(units)
        if bucketed is None:
            return _index_draws(units[np.lexsort((units[:, 1], units[:, 0]))], rng, n_draws)
        values, counts = bucketed
    return _count_draws(values, counts, rng, n_draws)


def percentile_bounds(draws: npt.ArrayLike, *, level: float, n_units: int) -> tuple[float, float]:
    """Read the interval off bootstrap draws, widened for few units.

    Plain percentiles are too narrow for few units (a factor of sqrt((n-1)/n), and normal instead of Student tails).
    The tail shares are therefore set so that for normal data the interval is Student's; for hundreds of units the
    difference vanishes.

    Args:
        draws: shape (n_draws,), finite.
        level: coverage, in (0, 1).
        n_units: independent units behind each draw, at least 2.

    Returns:
        Lower and upper bound, within the range of the draws.

    >>> low, high = percentile_bounds(np.linspace(0, 1, 1001), level=0.95, n_units=10_000)
    >>> round(low, 3), round(high, 3)
    (0.025, 0.975)
    """
    tail = (1 - level) / 2
    widening = (n_units / (n_units - 1)) ** 0.5
    tail = NormalDist().cdf(widening * student_quantile(tail, n_units - 1))
    low, high = np.quantile(np.asarray(draws, float), [tail, 1 - tail])
    return float(low), float(high)


def student_quantile(probability: float, n_degrees: int) -> float:
    """Quantile of Student's t without scipy, right to 1 % at three degrees of freedom and far better above.

    Args:
        probability: in (0, 1).
        n_degrees: degrees of freedom, at least 1 (1 and 2 are exact).

    Returns:
        The quantile, negative for probability < 1/2.

    References:
        G. W. Hill, "Algorithm 396: Student's t-quantiles", CACM 13(10), 1970; the normal series of Abramowitz and
        Stegun 26.7.5 is used from three degrees on.

    >>> round(student_quantile(0.975, 1), 3), round(student_quantile(0.975, 10), 3)
    (12.706, 2.228)
    """
    if n_degrees == 1:
        return float(np.tan(np.pi * (probability - 0.5)))
    if n_degrees == 2:
        return float((2 * probability - 1) * np.sqrt(2 / (4 * probability * (1 - probability))))
    return _student_series(NormalDist().inv_cdf(probability), n_degrees)


def _student_series(z: float, n_degrees: int) -> float:
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / n_degrees**power for power, term in enumerate(terms)))


def _count_draws(values: Floats, counts: npt.NDArray[Any], rng: np.random.Generator, n_draws: int) -> Floats:
    n_units = int(counts.sum())
    times = rng.multinomial(n_units, counts / n_units, size=n_draws)
    sums: Floats = times @ values
    return np.asarray(sums[:, 0] / sums[:, 1])


def _bucket(units: Floats) -> tuple[Floats, npt.NDArray[Any]] | None:
    """Merge units of equal denominator and near-equal numerator; None where that would lose variance."""
    sizes, size_of = np.unique(units[:, 1], return_inverse=True)
    low, high = units[:, 0].min(), units[:, 0].max()
    bucket = np.minimum((units[:, 0] - low) / (high - low) * N_BUCKETS, N_BUCKETS - 1).astype(np.int64)
    cells, cell_of, counts = np.unique(size_of * N_BUCKETS + bucket, return_inverse=True, return_counts=True)
    if len(cells) > 4 * N_BUCKETS:
        return None
    order = np.lexsort((units[:, 0], cell_of))
    means = np.bincount(cell_of[order], weights=units[order, 0]) / counts
    residuals = units[:, 0] - units[:, 1] * (units[:, 0].sum() / units[:, 1].sum())
    if float(np.mean((units[:, 0] - means[cell_of]) ** 2)) > MAX_VARIANCE_LOST * float(np.mean(residuals**2)):
        return None
    return np.column_stack([means, sizes[cells // N_BUCKETS]]), counts


def _index_draws(units: Floats, rng: np.random.Generator, n_draws: int) -> Floats:
    n_units = len(units)
    step = max(1, MAX_CELLS // n_units)
    draws = []
    for start in range(0, n_draws, step):
        chosen = rng.integers(0, n_units, size=(min(step, n_draws - start), n_units), dtype=np.uint32)
        draws.append(units[:, 0][chosen].sum(axis=1) / units[:, 1][chosen].sum(axis=1))
    return np.concatenate(draws)
