"""Several models at once: rank intervals, Pareto front, and whether a model is a specialist or even."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, cluster_codes
from snellen.stats.resampling import MAX_CELLS, Floats


@dataclass(frozen=True, slots=True)
class RankInterval:
    """Where one model stands among the others, and how sure that is."""

    score: float
    """Mean score over the samples it has; NaN when it has none."""
    rank: float
    """1 = best; ties share the mean of their places; NaN without a score."""
    low: float
    """Best rank within the interval."""
    high: float
    """Worst rank within the interval."""
    p_best: float
    """Share of resamples in which it is first (ties split evenly)."""


@dataclass(frozen=True, slots=True)
class RankSpread:
    """How evenly good a model is over capabilities, by its ranks among the same models."""

    ranks: Mapping[str, float]
    """Capability → rank (1 = best)."""
    best: str
    """Capability with its best rank."""
    worst: str
    """Capability with its worst rank."""
    spread: float
    """Standard deviation of the ranks over the one that ranks drawn at random would have: 0 = perfectly even,
    about 1 = as uneven as chance; NaN for fewer than two capabilities or models."""


def average_ranks(scores: npt.ArrayLike) -> Floats:
    """Ranks of scores, 1 = highest; ties share the mean of their places; NaN keeps NaN.

    Args:
        scores: shape (n_models,) or (n_draws, n_models).

    Returns:
        The same shape.

    >>> average_ranks([0.5, 0.9, 0.5, float("nan")]).tolist()
    [2.5, 1.0, 2.5, nan]
    """
    values = np.asarray(scores, dtype=np.float64)
    ranks = np.empty(values.shape)
    for place in range(values.shape[-1]):
        own = values[..., place : place + 1]
        above, level = (values > own).sum(axis=-1), (values == own).sum(axis=-1)
        ranks[..., place] = np.where(np.isnan(own[..., 0]), NAN, above + (level + 1) / 2)
    return ranks


def rank_intervals(
    matrix: npt.ArrayLike,
    *,
    clusters: Sequence[Any] | None = None,
    seed: int = 0,
    n_draws: int = 2000,
    level: float = 0.95,
) -> list[RankInterval]:
    """Ranks of models with bootstrap intervals over the shared samples (or clusters of them).

    Args:
        matrix: scores, shape (n_models, n_samples); NaN = missing, left out of that model's mean.
        clusters: n_samples labels of dependent samples; None or "" = on its own.
        seed: seed of the draws.
        n_draws: bootstrap resamples.
        level: coverage, in (0, 1).

    Returns:
        One interval per model, in the order of the rows. All NaN for a model without scores.

    References:
        H. Goldstein, D. Spiegelhalter, "League Tables and Their Limitations", JRSS A 159, 1996.

    >>> first, second = rank_intervals([[1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]])
    >>> first.rank, first.low, first.high, first.p_best, second.rank
    (1.0, 1.0, 1.0, 1.0, 2.0)
    """
    scores = np.asarray(matrix, dtype=np.float64)
    if scores.ndim != 2:
        raise ValueError(f"the matrix must have shape (n_models, n_samples), got {scores.shape}")
    sums, counts = _per_unit(scores, clusters)
    means = _ratio(sums.sum(axis=0), counts.sum(axis=0))
    draws = _mean_draws(sums, counts, seed, n_draws)
    ranks = average_ranks(draws)
    tail = (1 - level) / 2
    first = draws == np.fmax.reduce(draws, axis=1, keepdims=True) if len(scores) else draws
    shares = first / np.maximum(first.sum(axis=1, keepdims=True), 1)
    return [
        _rank_interval(means[m], rank, ranks[:, m], float(shares[:, m].mean()), tail)
        for m, rank in enumerate(average_ranks(means))
    ]


def pareto_front(scores: npt.ArrayLike, costs: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Which models no other one beats: higher score at no higher costs, or lower cost at no lower score.

    Args:
        scores: shape (n_models,), higher is better.
        costs: shape (n_models,) or (n_models, n_costs), lower is better (tokens, seconds, money).

    Returns:
        Shape (n_models,); False where a number is NaN.

    >>> pareto_front([0.9, 0.8, 0.7], [3.0, 1.0, 2.0]).tolist()
    [True, True, False]
    """
    gains = np.asarray(scores, dtype=np.float64).reshape(-1, 1)
    losses = np.asarray(costs, dtype=np.float64).reshape(len(gains), -1)
    goods = np.hstack([gains, -losses])
    known = ~np.isnan(goods).any(axis=1)
    front = np.zeros(len(goods), dtype=bool)
    for m in np.flatnonzero(known):
        others = goods[known]
        beaten = (others >= goods[m]).all(axis=1) & (others > goods[m]).any(axis=1)
        front[m] = not beaten.any()
    return front


def rank_spread(scores: Mapping[str, Mapping[str, float]], model: str) -> RankSpread:
    """Is this model a specialist, or even over capabilities?

    Args:
        scores: capability → {model → score}; higher is better.
        model: whose ranks.

    Returns:
        Its rank per capability and their spread against chance.

    >>> table = {"chart": {"a": 3, "b": 2, "c": 1}, "math": {"a": 1, "b": 2, "c": 3}}
    >>> rank_spread(table, "b").spread, rank_spread(table, "a").worst
    (0.0, 'math')
    """
    ranks: dict[str, float] = {}
    n_models = []
    for capability, column in scores.items():
        known = [name for name, value in column.items() if not np.isnan(value)]
        if model in known:
            ranks[capability] = float(average_ranks([column[name] for name in known])[known.index(model)])
            n_models.append(len(known))
    if len(ranks) < 2 or min(n_models) < 2:
        return RankSpread(ranks, "", "", NAN)
    by_chance = np.sqrt(np.mean([(n * n - 1) / 12 for n in n_models]))
    spread = float(np.std(list(ranks.values()), ddof=0) / by_chance)
    return RankSpread(ranks, min(ranks, key=ranks.__getitem__), max(ranks, key=ranks.__getitem__), spread)


def _per_unit(scores: Floats, clusters: Sequence[Any] | None) -> tuple[Floats, Floats]:
    """Sums and counts of observed scores, shape (n_units, n_models)."""
    present = ~np.isnan(scores)
    sums, counts = np.where(present, scores, 0.0).T, present.T.astype(np.float64)
    if clusters is None:
        return sums, counts
    code = cluster_codes(clusters)
    shape = (int(code.max(initial=-1)) + 1, scores.shape[0])
    gathered = np.zeros(shape), np.zeros(shape)
    np.add.at(gathered[0], code, sums)
    np.add.at(gathered[1], code, counts)
    return gathered


def _mean_draws(sums: Floats, counts: Floats, seed: int, n_draws: int) -> Floats:
    """Bootstrap means of all models on the same resampled units, shape (n_draws, n_models)."""
    rng = np.random.default_rng(seed)
    n_units = len(sums)
    if not n_units:
        return np.full((n_draws, sums.shape[1]), NAN)
    patterns, repeats = np.unique(np.hstack([sums, counts]), axis=0, return_counts=True)
    sums, counts = np.hsplit(patterns, 2)  # units with equal scores of all models are interchangeable
    step = max(1, MAX_CELLS // len(patterns))
    parts = []
    for start in range(0, n_draws, step):
        n_now = min(step, n_draws - start)
        times = rng.multinomial(n_units, repeats / n_units, size=n_now).astype(np.float64)
        parts.append(_ratio(times @ sums, times @ counts))
    return np.concatenate(parts)


def _ratio(sums: Floats, counts: Floats) -> Floats:
    """Means, rounded so that equal models tie whatever the order of addition was."""
    return np.asarray(np.round(np.divide(sums, counts, out=np.full(sums.shape, NAN), where=counts > 0), 12))


def _rank_interval(score: float, rank: float, ranks: Floats, p_best: float, tail: float) -> RankInterval:
    if np.isnan(score) or np.isnan(ranks).all():
        return RankInterval(float(score), NAN, NAN, NAN, NAN)
    low, high = np.nanquantile(ranks, [tail, 1 - tail])
    return RankInterval(float(score), float(rank), float(min(low, rank)), float(max(high, rank)), p_best)
