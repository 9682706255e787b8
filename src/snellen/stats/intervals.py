"""Means with error bars: Wilson, percentile bootstrap, clustered, weighted, stratified, Bayesian.

References:
    E. Miller, "Adding Error Bars to Evals", arXiv:2411.00640 (clustered standard errors).
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    L. Brown, T. Cai, A. DasGupta, "Interval Estimation for a Binomial Proportion", Statistical Science 16, 2001.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.stats.resampling import Floats, percentile_bounds, ratio_draws

NAN = float("nan")
WILSON_BELOW_N = 100
"""Right/wrong scores fewer than this get Wilson's interval …"""
WILSON_BELOW_RARER = 10
"""… and so do those with fewer than this many right, or fewer than this many wrong, whatever n."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and how sure it is."""

    mean: float
    """Mean of the scores (weighted where weights are given); NaN when there is none."""
    low: float
    """Lower bound; NaN when it cannot be known."""
    high: float
    """Upper bound; NaN when it cannot be known."""
    n: int
    """Scores used (missing ones left out)."""
    n_clusters: int
    """Independent units behind them; equals n where nothing is clustered."""
    method: str
    """How the bounds were found ("wilson", "bootstrap", "clustered bootstrap", …); "" when there are none."""
    reason: str = ""
    """Why something is NaN, or what to be careful about; "" when all is well."""

    @property
    def half_width(self) -> float:
        """Half of high - low, for "±" in print."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class _Units:
    numerators: Floats
    denominators: Floats
    n_scores: int
    is_binary: bool
    clustered: bool
    weighted: bool

    @property
    def mean(self) -> float:
        return float(self.numerators.sum() / self.denominators.sum())

    @property
    def n_effective(self) -> float:
        """Kish's effective number of units: equals their number where all weigh the same."""
        return float(self.denominators.sum() ** 2 / (self.denominators**2).sum())


def wilson(n_right: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share, good down to very small n and at 0 or n right.

    Args:
        n_right: successes, 0 to n (fractions allowed for an effective n).
        n: trials; 0 gives NaN.
        level: coverage, in (0, 1).

    Returns:
        Lower and upper bound in [0, 1].

    References:
        E. B. Wilson, JASA 22, 1927. Hand value: 8 of 10 gives 0.4902 to 0.9433.

    >>> low, high = wilson(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    >>> wilson(0, 0)
    (nan, nan)
    """
    if n <= 0:
        return NAN, NAN
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = n_right / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    low = 0.0 if n_right <= 0 else max(0.0, centre - half)
    high = 1.0 if n_right >= n else min(1.0, centre + half)
    return low, high


def beta_interval(n_right: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Bayesian interval of a share under Jeffreys' prior Beta(1/2, 1/2): central credible bounds.

    Args:
        n_right: successes, 0 to n.
        n: trials; 0 gives NaN.
        level: credibility, in (0, 1).

    Returns:
        Bounds in [0, 1]; the lower is 0 at 0 right, the upper 1 at n right (Brown, Cai, DasGupta 2001).

    >>> low, high = beta_interval(8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4972, 0.9559)
    """
    from scipy.special import betaincinv  # kept out of the run path

    if n <= 0:
        return NAN, NAN
    tail = (1 - level) / 2
    a, b = n_right + 0.5, n - n_right + 0.5
    low = 0.0 if n_right == 0 else float(betaincinv(a, b, tail))
    high = 1.0 if n_right == n else float(betaincinv(a, b, 1 - tail))
    return low, high


def mean_interval(
    scores: npt.ArrayLike,
    *,
    clusters: Sequence[Any] | npt.NDArray[Any] | None = None,
    weights: npt.ArrayLike | None = None,
    seed: int = 0,
    n_draws: int = 4000,
    level: float = 0.95,
) -> Interval:
    """Mean of scores with its interval; fast for tens of thousands of scores, and loads no scipy.

    Right/wrong scores without clusters or weights get Wilson's interval when there are fewer than 100 of them, or
    fewer than 10 right, or fewer than 10 wrong. All else gets a seeded percentile bootstrap over independent units
    (scores, or whole clusters), widened for few units. Where every score is 0 or every score is 1 a bootstrap would
    claim certainty; Wilson over the effective number of units stands in.

    Args:
        scores: shape (n,), any unit, usually in [0, 1]; NaN = missing, left out.
        clusters: n labels; equal labels mean dependent scores (one source image). None or "" = on its own.
        weights: shape (n,), not negative; None = equal.
        seed: seed of the draws. The order of the scores does not matter.
        n_draws: bootstrap resamples.
        level: coverage, in (0, 1).

    Returns:
        The interval. No score: all NaN. One unit: NaN bounds (except one unclustered right/wrong score).

    Raises:
        ValueError: lengths differ, or a weight is negative or not finite.

    References:
        Miller, arXiv:2411.00640; Efron and Tibshirani 1993; Hesterberg, arXiv:1411.5279.

    >>> result = mean_interval([1, 1, 0, 1, 1, 0, 1, 1, 1, 1])
    >>> result.mean, round(result.low, 4), round(result.high, 4), result.method
    (0.8, 0.4902, 0.9433, 'wilson')
    >>> mean_interval([]).reason
    'no scores'
    """
    values, labels, masses = _aligned(scores, clusters, weights)
    if not len(values) or masses.sum() == 0:
        return Interval(NAN, NAN, NAN, len(values), 0, "", "no scores" if not len(values) else "all weights are zero")
    if not np.isfinite(values).all():
        return Interval(NAN, NAN, NAN, len(values), 0, "", "a score is infinite")
    units = _units(values, labels, masses, weighted=weights is not None)
    return _bounded(units, seed=seed, n_draws=n_draws, level=level)


def bootstrap_interval(
    scores: npt.ArrayLike,
    *,
    clusters: Sequence[Any] | npt.NDArray[Any] | None = None,
    seed: int = 0,
    n_draws: int = 4000,
    level: float = 0.95,
) -> Interval:
    """Mean with its bootstrap interval whatever the scores are: for differences, costs, tokens.

    `mean_interval` without its rules for right/wrong scores, which make no sense for numbers that may be negative.

    Args:
        scores: shape (n,), any unit; NaN = missing, left out.
        clusters: n labels of dependent scores; None or "" = on its own.
        seed: seed of the draws.
        n_draws: bootstrap resamples.
        level: coverage, in (0, 1).

    Returns:
        The interval; NaN bounds and a reason for fewer than two units.

    >>> bootstrap_interval([-1, 0, 0, 1, 1]).low < 0
    True
    """
    values, labels, masses = _aligned(scores, clusters, None)
    if not len(values):
        return Interval(NAN, NAN, NAN, 0, 0, "", "no scores")
    units = _units(values, labels, masses, weighted=False)
    if len(units.numerators) < 2:
        return _one_unit(units)
    return _bootstrapped(units, seed=seed, n_draws=n_draws, level=level)


def standard_error(
    scores: npt.ArrayLike,
    *,
    clusters: Sequence[Any] | npt.NDArray[Any] | None = None,
    weights: npt.ArrayLike | None = None,
) -> float:
    """Standard error of a mean, clustered where clusters are given; closed form.

    Plain: sqrt(sum (s_i - mean)² / (n (n-1))). Clustered: sqrt(sum over clusters of (sum of deviations)²) / n, times
    sqrt(G / (G-1)) for G clusters; up to several times the plain one.

    Args:
        scores: shape (n,); NaN left out.
        clusters: n labels, None or "" = on its own.
        weights: shape (n,), not negative.

    Returns:
        In the unit of the scores; NaN for fewer than two units.

    Deviates: Miller's equation has no factor G / (G-1); it makes singletons agree exactly with the plain formula.

    >>> round(standard_error([0, 1, 1, 1]), 4)
    0.25
    >>> round(standard_error([0, 0, 1, 1], clusters=["a", "a", "b", "b"]), 4)
    0.5
    """
    values, labels, masses = _aligned(scores, clusters, weights)
    if not len(values) or masses.sum() == 0:
        return NAN
    units = _units(values, labels, masses, weighted=weights is not None)
    n_units = len(units.numerators)
    if n_units < 2:
        return NAN
    residuals = units.numerators - units.mean * units.denominators
    return float(np.sqrt((residuals**2).sum() * n_units / (n_units - 1)) / units.denominators.sum())


def stratified_interval(
    scores: npt.ArrayLike,
    strata: Sequence[Any] | npt.NDArray[Any],
    *,
    shares: Mapping[Any, float] | None = None,
    level: float = 0.95,
) -> Interval:
    """Mean of stratum means: each stratum counts by its share, however many of its samples were drawn.

    Args:
        scores: shape (n,); NaN left out.
        strata: n labels.
        shares: stratum → its share (any positive scale); None = every stratum counts the same.
        level: coverage, in (0, 1).

    Returns:
        Normal interval from the variances within strata; NaN bounds when a stratum holds fewer than two scores.

    Raises:
        ValueError: lengths differ, or shares lack a stratum.

    References:
        W. Cochran, "Sampling Techniques", 3rd edition, 1977, equation 5.12.

    >>> result = stratified_interval([0, 1, 1, 1], ["a", "a", "b", "b"], shares={"a": 1, "b": 3})
    >>> result.mean, round(result.half_width, 3)
    (0.875, 0.245)
    """
    values, labels, _ = _aligned(scores, strata, None)
    assert labels is not None
    names = sorted(set(labels), key=str)
    if not names:
        return Interval(NAN, NAN, NAN, 0, 0, "", "no scores")
    parts = [values[np.array([label == name for label in labels])] for name in names]
    share = _normalised(names, shares)
    mean = float(sum(w * part.mean() for w, part in zip(share, parts, strict=True)))
    if min(len(part) for part in parts) < 2:
        thin = str(next(name for name, part in zip(names, parts, strict=True) if len(part) < 2))
        return Interval(mean, NAN, NAN, len(values), len(values), "", f"stratum {thin!r} has one score: no spread")
    variance = sum(w * w * part.var(ddof=1) / len(part) for w, part in zip(share, parts, strict=True))
    half = NormalDist().inv_cdf(0.5 + level / 2) * float(variance) ** 0.5
    return Interval(mean, mean - half, mean + half, len(values), len(values), "stratified normal")


def _normalised(names: Sequence[Any], shares: Mapping[Any, float] | None) -> Floats:
    if shares is None:
        return np.full(len(names), 1 / len(names))
    missing = [str(name) for name in names if name not in shares]
    if missing:
        raise ValueError(f"shares lack the strata {', '.join(missing)}")
    masses = np.array([float(shares[name]) for name in names])
    return np.asarray(masses / masses.sum())


def _aligned(
    scores: npt.ArrayLike, clusters: Sequence[Any] | npt.NDArray[Any] | None, weights: npt.ArrayLike | None
) -> tuple[Floats, list[Any] | None, Floats]:
    """Check lengths and leave out missing scores."""
    values = np.asarray(scores, dtype=np.float64).ravel()
    masses = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
    if len(masses) != len(values) or (clusters is not None and len(clusters) != len(values)):
        raise ValueError(f"{len(values)} scores need as many clusters and weights")
    if not np.isfinite(masses).all() or (masses < 0).any():
        raise ValueError("weights must be finite and not negative")
    present = ~np.isnan(values)
    labels = None if clusters is None else [label for label, here in zip(clusters, present, strict=True) if here]
    return values[present], labels, masses[present]


def _units(values: Floats, labels: list[Any] | None, masses: Floats, *, weighted: bool) -> _Units:
    """Sum scores and weights within clusters, in an order that does not depend on the input's."""
    is_binary = bool(np.isin(values, (0.0, 1.0)).all())
    code = np.arange(len(values)) if labels is None else cluster_codes(labels)
    order = np.lexsort((masses, values, code))
    code, values, masses = code[order], values[order], masses[order]
    numerators = np.bincount(code, weights=values * masses).astype(np.float64)
    denominators = np.bincount(code, weights=masses).astype(np.float64)
    pairs = np.column_stack([numerators, denominators])[denominators > 0]
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    clustered = labels is not None and len(denominators) < len(values)
    return _Units(pairs[:, 0], pairs[:, 1], len(values), is_binary, clustered, weighted)


def cluster_codes(labels: Sequence[Any]) -> npt.NDArray[np.int64]:
    """Number cluster labels from 0; None and "" each stand alone.

    >>> cluster_codes(["a", "", "a", None]).tolist()
    [0, 1, 0, 2]
    """
    seen: dict[Any, int] = {}
    codes = np.empty(len(labels), dtype=np.int64)
    for position, label in enumerate(labels):
        alone = label is None or label == ""
        codes[position] = seen.setdefault((position,) if alone else label, len(seen))
    return codes


def _bounded(units: _Units, *, seed: int, n_draws: int, level: float) -> Interval:
    n_units, mean = len(units.numerators), units.mean
    plain = not units.clustered and not units.weighted
    if units.is_binary and plain and _wants_wilson(units):
        low, high = wilson(float(units.numerators.sum()), n_units, level)
        return Interval(mean, low, high, units.n_scores, n_units, "wilson")
    if n_units < 2:
        return _one_unit(units)
    if units.is_binary and mean in (0.0, 1.0):
        low, high = wilson(mean * units.n_effective, units.n_effective, level)
        return Interval(mean, low, high, units.n_scores, n_units, "wilson over effective units")
    return _bootstrapped(units, seed=seed, n_draws=n_draws, level=level)


def _one_unit(units: _Units) -> Interval:
    reason = "all scores are in one cluster" if units.n_scores > 1 else "one score has no spread"
    return Interval(units.mean, NAN, NAN, units.n_scores, 1, "", reason)


def _bootstrapped(units: _Units, *, seed: int, n_draws: int, level: float) -> Interval:
    n_units = len(units.numerators)
    draws = ratio_draws(units.numerators, units.denominators, seed=seed, n_draws=n_draws)
    low, high = percentile_bounds(draws, level=level, n_units=n_units)
    method = "clustered bootstrap" if units.clustered else "bootstrap"
    reason = "all scores are equal" if draws.min() == draws.max() else ""
    if units.clustered and n_units < 10:
        reason = reason or f"only {n_units} clusters: the interval is rough"
    return Interval(units.mean, low, high, units.n_scores, n_units, method, reason)


def _wants_wilson(units: _Units) -> bool:
    n, n_right = len(units.numerators), float(units.numerators.sum())
    return n < WILSON_BELOW_N or min(n_right, n - n_right) < WILSON_BELOW_RARER
