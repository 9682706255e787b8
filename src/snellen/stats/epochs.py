"""Several answers to the same question: average them per question first, then do statistics over questions.

N questions asked K times are N observations, not N × K. More epochs make each question's mean less noisy; they never
shrink an interval as if they were new questions.

References:
    E. Miller, "Adding Error Bars to Evals", arXiv:2411.00640, section 3.
    M. Chen et al., "Evaluating Large Language Models Trained on Code", arXiv:2107.03374 (pass@k).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, Interval, mean_interval
from snellen.stats.resampling import Floats


@dataclass(frozen=True, slots=True)
class SampleMeans:
    """One row per sample, in order of first appearance."""

    ids: tuple[Hashable, ...]
    """Sample ids."""
    means: Floats
    """Mean score over the epochs that were scored; NaN where none was."""
    n_scored: npt.NDArray[np.int64]
    """Epochs scored."""


@dataclass(frozen=True, slots=True)
class EpochVariance:
    """Where the noise of a mean comes from, per sample."""

    between: float
    """Variance of the samples' true means: what more samples would tame."""
    within: float
    """Mean variance of repeated answers to one sample: what more epochs would tame."""
    reason: str = ""
    """Why a part is NaN."""


def sample_means(ids: Sequence[Hashable], scores: npt.ArrayLike) -> SampleMeans:
    """Average the epochs of each sample.

    Args:
        ids: n sample ids, repeated once per epoch, in any order.
        scores: shape (n,); NaN = missing, left out.

    Returns:
        One mean per sample.

    Raises:
        ValueError: lengths differ.

    >>> result = sample_means(["a", "b", "a"], [1.0, float("nan"), 0.0])
    >>> result.ids, result.means.tolist(), result.n_scored.tolist()
    (('a', 'b'), [0.5, nan], [2, 0])
    """
    values = np.asarray(scores, dtype=np.float64).ravel()
    if len(ids) != len(values):
        raise ValueError(f"{len(values)} scores need as many ids, got {len(ids)}")
    positions: dict[Hashable, int] = {}
    code = np.array([positions.setdefault(name, len(positions)) for name in ids], dtype=np.int64)
    present = ~np.isnan(values)
    n_scored = np.bincount(code[present], minlength=len(positions))
    sums = np.bincount(code[present], weights=values[present], minlength=len(positions))
    means = np.divide(sums, n_scored, out=np.full(len(positions), NAN), where=n_scored > 0)
    return SampleMeans(tuple(positions), means, n_scored)


def pass_at_k(n_tries: int, n_right: int, k: int) -> float:
    """Chance that at least one of k tries is right, without bias, from n tries.

    Args:
        n_tries: tries made.
        n_right: right ones among them, 0 to n_tries.
        k: tries allowed, at least 1.

    Returns:
        1 - C(n-c, k) / C(n, k); NaN when k > n_tries, which cannot be known.

    References:
        M. Chen et al., arXiv:2107.03374, equation 1.

    >>> pass_at_k(4, 1, 2), pass_at_k(2, 0, 4)
    (0.5, nan)
    """
    if k < 1 or k > n_tries or not 0 <= n_right <= n_tries:
        return NAN
    if n_tries - n_right < k:
        return 1.0
    rest = np.arange(n_tries - n_right + 1, n_tries + 1)
    return float(1 - np.prod(1 - k / rest))


def pass_at_k_interval(
    ids: Sequence[Hashable], scores: npt.ArrayLike, k: int, *, threshold: float = 0.5, seed: int = 0
) -> Interval:
    """pass@k over samples, with an interval over samples.

    Args:
        ids: n sample ids, repeated once per epoch.
        scores: shape (n,); a try is right when its score reaches the threshold; NaN left out.
        k: tries allowed.
        threshold: cut between wrong and right.
        seed: seed of the bootstrap.

    Returns:
        The mean over samples that have at least k scored tries; NaN with the reason when none has.

    >>> pass_at_k_interval(["a", "a", "b", "b"], [0, 1, 0, 0], k=2).mean
    0.5
    >>> pass_at_k_interval(["a", "a"], [0, 0], k=4).reason
    'no sample has 4 scored tries'
    """
    values = np.asarray(scores, dtype=np.float64).ravel()
    hits = np.where(np.isnan(values), NAN, (values >= threshold).astype(np.float64))
    tries = sample_means(ids, hits)
    n_right = np.rint(np.nan_to_num(tries.means) * tries.n_scored).astype(int)
    chances = [pass_at_k(int(n), int(c), k) for n, c in zip(tries.n_scored, n_right, strict=True)]
    if not np.isfinite(chances).any():
        return Interval(NAN, NAN, NAN, 0, 0, "", f"no sample has {k} scored tries")
    return mean_interval(chances, seed=seed)


def epoch_variance(ids: Sequence[Hashable], scores: npt.ArrayLike) -> EpochVariance:
    """Split the variance into between samples and within one sample (one-way random effects).

    Args:
        ids: n sample ids, repeated once per epoch.
        scores: shape (n,); NaN left out.

    Returns:
        Both parts in squared score units; `between` is not below 0.

    References:
        S. Searle, G. Casella, C. McCulloch, "Variance Components", 1992, chapter 3 (unbalanced analysis of variance).

    >>> result = epoch_variance(["a", "a", "b", "b"], [0, 0, 1, 1])
    >>> result.between, result.within
    (0.5, 0.0)
    """
    values = np.asarray(scores, dtype=np.float64).ravel()
    tries = sample_means(ids, values)
    n_samples, n_scores = int((tries.n_scored > 0).sum()), int(tries.n_scored.sum())
    if n_samples < 2 or n_scores == n_samples:
        return EpochVariance(NAN, NAN, "needs two samples, and one of them scored twice")
    total = float(np.nansum((values - np.nanmean(values)) ** 2))
    means, sizes = tries.means[tries.n_scored > 0], tries.n_scored[tries.n_scored > 0]
    among = float((sizes * (means - np.average(means, weights=sizes)) ** 2).sum())
    within = (total - among) / (n_scores - n_samples)
    typical = (n_scores - float((sizes**2).sum()) / n_scores) / (n_samples - 1)
    between = (among / (n_samples - 1) - within) / typical
    return EpochVariance(max(0.0, between), max(0.0, within))
