"""Is B better than A on the same samples: difference, interval, p value, wins and losses.

References:
    E. Miller, "Adding Error Bars to Evals", arXiv:2411.00640, section 4 (pair the samples).
    Q. McNemar, Psychometrika 12, 1947; D. Bonett, R. Price, "Adjusted Wald confidence interval for a difference of
    binomial proportions based on paired data", J. Educ. Behav. Stat. 37, 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, bootstrap_interval, cluster_codes, standard_error
from snellen.stats.power import minimum_detectable_difference
from snellen.stats.resampling import N_BUCKETS, Floats

BOOTSTRAP_FROM_N_DISCORDANT = 25
"""Right/wrong pairs with fewer samples that differ get Bonett and Price's interval instead of the bootstrap."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """B minus A over the samples that both have a score for."""

    mean_a: float
    """Mean score of A over the pairs."""
    mean_b: float
    """Mean score of B over the pairs."""
    difference: float
    """mean_b - mean_a."""
    low: float
    """Lower bound of the difference."""
    high: float
    """Upper bound of the difference."""
    p_value: float
    """Two-sided, of no difference; not corrected for other tests."""
    standard_error: float
    """Of the difference, clustered where clusters are given."""
    minimum_detectable: float
    """Smallest true difference that these samples find with power 0.8 at level 0.95."""
    n_wins: int
    """Pairs where B scores higher."""
    n_losses: int
    """Pairs where A scores higher."""
    n_ties: int
    """Pairs of equal score."""
    n_pairs: int
    """Pairs."""
    n_clusters: int
    """Independent units behind them."""
    method: str
    """How the bounds and p were found."""
    reason: str = ""
    """Why something is NaN, or what to be careful about."""


def paired_difference(
    scores_a: npt.ArrayLike,
    scores_b: npt.ArrayLike,
    *,
    clusters: Sequence[Any] | npt.NDArray[Any] | None = None,
    seed: int = 0,
    n_draws: int = 4000,
    level: float = 0.95,
) -> PairedDifference:
    """Compare two score vectors over the same samples.

    Right/wrong scores without clusters: McNemar's exact p, and Bonett and Price's interval while fewer than 25 pairs
    differ. Else: bootstrap interval and sign-flip permutation p, both over whole clusters.

    Args:
        scores_a: shape (n,); NaN = missing, the pair is left out.
        scores_b: shape (n,), the same samples in the same order.
        clusters: n labels of dependent samples; None or "" = on its own.
        seed: seed of draws and permutations.
        n_draws: bootstrap resamples.
        level: coverage, in (0, 1).

    Returns:
        B - A with everything beside it.

    Raises:
        ValueError: lengths differ.

    >>> result = paired_difference([0, 0, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 0])
    >>> result.difference, result.n_wins, result.n_losses, round(result.p_value, 4), result.method
    (0.625, 5, 0, 0.0625, 'Bonett-Price, McNemar exact')
    """
    a, b = np.asarray(scores_a, float).ravel(), np.asarray(scores_b, float).ravel()
    if len(a) != len(b) or (clusters is not None and len(clusters) != len(a)):
        raise ValueError(f"pairs need equal lengths, got {len(a)} and {len(b)}")
    both = ~(np.isnan(a) | np.isnan(b))
    labels = None if clusters is None else [label for label, here in zip(clusters, both, strict=True) if here]
    a, b = a[both], b[both]
    if not len(a):
        return _nothing("no sample has both scores")
    n_clusters = len(a) if labels is None else int(cluster_codes(labels).max()) + 1
    binary = n_clusters == len(a) and bool(np.isin(np.concatenate([a, b]), (0.0, 1.0)).all())
    test = _test_binary if binary else _test_graded
    found = _mirrored(test, b - a, labels, _Draws(seed, n_draws, level))
    return PairedDifference(
        mean_a=float(a.mean()),
        mean_b=float(b.mean()),
        difference=float(b.mean() - a.mean()),
        low=found.low,
        high=found.high,
        p_value=found.p_value,
        standard_error=found.standard_error,
        minimum_detectable=minimum_detectable_difference(found.standard_error),
        n_wins=int((b > a).sum()),
        n_losses=int((b < a).sum()),
        n_ties=int((b == a).sum()),
        n_pairs=len(a),
        n_clusters=n_clusters,
        method=found.method,
        reason=found.reason,
    )


def mcnemar_exact(n_wins: int, n_losses: int) -> float:
    """Two-sided exact p of McNemar's test: are the samples that differ split evenly?

    Args:
        n_wins: samples only B got right.
        n_losses: samples only A got right.

    Returns:
        p in (0, 1]; 1 when no sample differs.

    >>> mcnemar_exact(5, 0), mcnemar_exact(3, 3)
    (0.0625, 1.0)
    """
    from scipy.special import bdtr  # kept out of the run path

    n = n_wins + n_losses
    return min(1.0, 2 * float(bdtr(min(n_wins, n_losses), n, 0.5))) if n else 1.0


def bonett_price(n_wins: int, n_losses: int, n_pairs: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of a difference of two paired shares, good for few discordant pairs.

    Args:
        n_wins: samples only B got right.
        n_losses: samples only A got right.
        n_pairs: all pairs; 0 gives NaN.
        level: coverage, in (0, 1).

    Returns:
        Bounds in [-1, 1].

    References:
        D. Bonett, R. Price, J. Educ. Behav. Stat. 37(4), 2012.

    >>> low, high = bonett_price(5, 0, 8)
    >>> round(low, 3), round(high, 3)
    (0.084, 0.916)
    """
    if n_pairs < 1:
        return NAN, NAN
    won, lost = (n_wins + 1) / (n_pairs + 2), (n_losses + 1) / (n_pairs + 2)
    half = NormalDist().inv_cdf(0.5 + level / 2) * ((won + lost - (won - lost) ** 2) / (n_pairs + 2)) ** 0.5
    return max(-1.0, won - lost - half), min(1.0, won - lost + half)


def sign_flip_p(differences: npt.ArrayLike, *, seed: int = 0, n_permutations: int = 10_000) -> float:
    """Two-sided permutation p of a mean difference: flip the sign of each independent unit at random.

    Units of equal size are interchangeable, so their flips are one binomial draw; beyond 256 distinct sizes they are
    merged into 256 groups of equal variance.

    Args:
        differences: shape (n_units,), sums of differences within a unit; NaN not allowed.
        seed: seed of the flips.
        n_permutations: random flips.

    Returns:
        p in (0, 1], at least 1 / (n_permutations + 1); 1 when nothing differs.

    References:
        B. Phipson, G. Smyth, "Permutation P-values should never be zero", arXiv:1603.05766.

    >>> sign_flip_p([0.0, 0.0]), sign_flip_p([1.0] * 20) < 0.001
    (1.0, True)
    """
    values = np.asarray(differences, float).ravel()
    values = values[values != 0]
    if not len(values):
        return 1.0
    sizes, counts = _sizes(np.sort(np.abs(values)))
    rng = np.random.default_rng(seed)
    sums = np.zeros(n_permutations)
    for size, count in zip(sizes, counts, strict=True):
        sums += size * (2.0 * rng.binomial(count, 0.5, size=n_permutations) - count)
    tolerance = 1e-9 * float(np.abs(values).sum())
    n_as_extreme = int((np.abs(sums) >= abs(float(values.sum())) - tolerance).sum())
    return (1 + n_as_extreme) / (1 + n_permutations)


def _sizes(ordered: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    sizes, counts = np.unique(ordered, return_counts=True)
    if len(sizes) <= N_BUCKETS:
        return sizes, counts.astype(np.int64)
    groups = np.array_split(ordered, N_BUCKETS)
    root_mean_squares = [float(np.sqrt((group**2).mean())) for group in groups]
    return np.array(root_mean_squares), np.array([len(group) for group in groups], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Draws:
    seed: int
    n_draws: int
    level: float


@dataclass(frozen=True, slots=True)
class _Found:
    low: float
    high: float
    standard_error: float
    p_value: float
    method: str
    reason: str = ""


_Test = Callable[[Floats, list[Any] | None, _Draws], _Found]


def _mirrored(test: _Test, differences: Floats, labels: list[Any] | None, draws: _Draws) -> _Found:
    """Test the positive side always, so that A against B is exactly B against A with the sign turned."""
    total = float(differences.sum())
    level = abs(total) <= 1e-12 * len(differences)
    lean = float((_unit_sums(differences, labels) ** 3).sum()) if level else total
    found = test(differences if lean >= 0 else -differences, labels, draws)
    if level:
        half = (found.high - found.low) / 2
        return replace(found, low=-half, high=half)
    return found if lean >= 0 else replace(found, low=-found.high, high=-found.low)


def _test_binary(differences: Floats, labels: list[Any] | None, draws: _Draws) -> _Found:
    n_wins, n_losses = int((differences > 0).sum()), int((differences < 0).sum())
    p_value = mcnemar_exact(n_wins, n_losses)
    if n_wins + n_losses < BOOTSTRAP_FROM_N_DISCORDANT:
        return _few_discordant(n_wins, n_losses, len(differences), p_value, draws.level)
    interval = bootstrap_interval(differences, seed=draws.seed, n_draws=draws.n_draws, level=draws.level)
    error = standard_error(differences)
    return _Found(interval.low, interval.high, error, p_value, "bootstrap, McNemar exact", interval.reason)


def _few_discordant(n_wins: int, n_losses: int, n_pairs: int, p_value: float, level: float) -> _Found:
    low, high = bonett_price(n_wins, n_losses, n_pairs, level)
    won, lost = (n_wins + 1) / (n_pairs + 2), (n_losses + 1) / (n_pairs + 2)
    error = ((won + lost - (won - lost) ** 2) / (n_pairs + 2)) ** 0.5
    return _Found(low, high, error, p_value, "Bonett-Price, McNemar exact")


def _test_graded(differences: Floats, labels: list[Any] | None, draws: _Draws) -> _Found:
    sums = _unit_sums(differences, labels)
    n_units = len(sums)
    if not differences.any() and n_units > 1:
        found = _few_discordant(0, 0, n_units, 1.0, draws.level)
        return replace(found, method="Bonett-Price over units", reason="no sample differs")
    interval = bootstrap_interval(
        differences, clusters=labels, seed=draws.seed, n_draws=draws.n_draws, level=draws.level
    )
    p_value = sign_flip_p(sums, seed=draws.seed) if n_units > 1 else NAN
    how = "clustered permutation" if interval.method.startswith("clustered") else "permutation"
    error = standard_error(differences, clusters=labels)
    return _Found(interval.low, interval.high, error, p_value, f"{interval.method or 'none'}, {how}", interval.reason)


def _unit_sums(differences: Floats, labels: list[Any] | None) -> Floats:
    """Sums within clusters, added up in an order of their own."""
    code = np.arange(len(differences)) if labels is None else cluster_codes(labels)
    order = np.lexsort((differences, code))
    return np.sort(np.bincount(code[order], weights=differences[order]))


def _nothing(reason: str) -> PairedDifference:
    return PairedDifference(NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, 0, 0, 0, "", reason)
