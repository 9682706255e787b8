"""Strata, allocation and draws: the probability part of a subset. Seeded; every inclusion probability is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.curation.matrix import Floats, Ints

MIN_PER_STRATUM = 2
"""Two draws are needed to see the spread inside a stratum."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A stratified random sample without replacement."""

    chosen: Ints
    """Positions drawn, ascending."""
    inclusion: Floats
    """Inclusion probability of every unit of the frame, shape (n_units,)."""
    strata: Ints
    """Stratum of every unit of the frame."""


def difficulty(scores: Floats) -> Floats:
    """Smoothed mean score of each item: one pseudo-model that scores the average everywhere.

    Args:
        scores: shape (n_models, n_items), NaN = missing.

    Returns:
        Shape (n_items,), never NaN: an item nobody saw gets the grand mean.
    """
    n = (~np.isnan(scores)).sum(axis=0)
    total = np.nansum(scores, axis=0)
    grand = float(total.sum() / n.sum()) if n.sum() else 0.5
    return np.asarray((total + grand) / (n + 1), dtype=np.float64)


def stratify(level: Floats, groups: Ints, *, n_draws: int, per_stratum: float = 4, max_bins: int = 5) -> Ints:
    """Cut each group into bins of equal count by difficulty, fine enough that each gets `per_stratum` draws.

    Args:
        level: predicted difficulty, shape (n_units,).
        groups: dataset or category code, shape (n_units,); groups too small for a draw of their own are pooled.
        n_draws: size of the sample to come.
        per_stratum: expected draws per stratum.
        max_bins: bins per group at most.

    Returns:
        Stratum codes 0 … n_strata-1.
    """
    rate = n_draws / max(level.size, 1)
    groups = _pool_small(groups, rate)
    strata = np.zeros(level.size, dtype=np.int64)
    n_strata = 0
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        n_bins = int(np.clip(round(rate * members.size / per_stratum), 1, max_bins))
        ordered = members[np.argsort(level[members], kind="stable")]
        for block in np.array_split(ordered, n_bins):
            if block.size:
                strata[block] = n_strata
                n_strata += 1
    return strata


def _pool_small(groups: Ints, rate: float) -> Ints:
    """Put groups that expect fewer than two draws into one, so that no item's probability is 0."""
    codes, inverse, counts = np.unique(groups, return_inverse=True, return_counts=True)
    small = counts * rate < MIN_PER_STRATUM
    mapped = np.where(small, -1, np.arange(codes.size))
    return mapped[inverse].astype(np.int64)


def allocate(strata: Ints, size: Floats, n_draws: int) -> Ints:
    """Draws per stratum, proportional to its summed size, at least two (or all), never more than it holds.

    Args:
        strata: codes 0 … n_strata-1.
        size: what one unit counts for (1 each: proportional allocation).
        n_draws: total.

    Returns:
        Shape (n_strata,), summing to min(n_draws, n_units).
    """
    n_units = np.bincount(strata)
    weight = np.maximum(np.bincount(strata, weights=size, minlength=n_units.size), 1e-12)
    floor = np.minimum(MIN_PER_STRATUM if n_draws >= MIN_PER_STRATUM * n_units.size else 0, n_units)
    share = _fill(np.asarray(floor, dtype=np.float64), n_units.astype(np.float64), weight, n_draws)
    whole = np.floor(share + 1e-9).astype(np.int64)
    short = min(n_draws, int(n_units.sum())) - int(whole.sum())
    order = np.argsort(-(share - whole), kind="stable")
    open_strata = order[whole[order] < n_units[order]]
    whole[open_strata[:short]] += 1
    return whole


def _fill(floor: Floats, ceiling: Floats, weight: Floats, total: float) -> Floats:
    """Water-filling: amounts ∝ weight within [floor, ceiling] that sum to `total`, by bisection on the level."""
    low, high = 0.0, float((ceiling / weight).max(initial=0.0))
    for _ in range(80):
        middle = (low + high) / 2
        if np.clip(middle * weight, floor, ceiling).sum() < total:
            low = middle
        else:
            high = middle
    return np.clip(high * weight, floor, ceiling)


def draw(strata: Ints, n_per_stratum: Ints, rng: np.random.Generator) -> Draw:
    """Simple random sample without replacement inside each stratum.

    Args:
        strata: codes 0 … n_strata-1 of the frame.
        n_per_stratum: from `allocate`.
        rng: seeded generator.
    """
    n_units = np.bincount(strata, minlength=n_per_stratum.size)
    order = np.lexsort((rng.random(strata.size), strata))
    rank = np.empty(strata.size, dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(n_units)[:-1]])
    rank[order] = np.arange(strata.size) - start[strata[order]]
    chosen = np.flatnonzero(rank < n_per_stratum[strata])
    rate = n_per_stratum / np.maximum(n_units, 1)
    return Draw(chosen, rate[strata], strata)
