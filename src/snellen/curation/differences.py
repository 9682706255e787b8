"""Two models on one two-part subset: told apart only where the estimate for the full set agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.curation.level import CERTAIN, estimates, t_quantile
from snellen.curation.matrix import Bools, Floats, Ints
from snellen.errors import UsageError


@dataclass(frozen=True, slots=True)
class SubsetDifference:
    """Second minus first model, on a weighted subset."""

    full_set: float
    """Estimated difference on the full set (unbiased)."""
    low: float
    """Lower end of its 95 % interval, over redraws of the probability part."""
    high: float
    """Upper end."""
    on_subset: float
    """Plain mean difference on the subset's items."""
    is_told_apart: bool
    """Significant at 95 %, and both differences have the same sign."""
    n: int
    """Items that both answered."""


def subset_difference(
    first: Sequence[float] | Floats,
    second: Sequence[float] | Floats,
    weights: Sequence[float] | Floats,
    strata: Sequence[int] | Ints,
) -> SubsetDifference:
    """Compare two models on a two-part subset.

    Args:
        first: scores of one model on the subset's items, NaN = missing.
        second: scores of the other.
        weights: of the items.
        strata: of the items, `CERTAIN` (-1) for the discriminating part; see `strata_of` when only weights are known.

    Raises:
        UsageError: lengths differ.

    >>> d = subset_difference([0, 0, 0, 1], [1, 0, 0, 1], [5, 5, 5, 5], [0, 0, 1, 1])
    >>> round(d.full_set, 2), d.is_told_apart
    (0.25, False)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    w, h = np.asarray(weights, dtype=np.float64), np.asarray(strata, dtype=np.int64)
    if not a.shape == b.shape == w.shape == h.shape:
        raise UsageError(
            f"{a.size} and {b.size} scores, {w.size} weights and {h.size} strata; they must be equally many"
        )
    difference = (b - a)[None, :]
    level = estimates(difference, w, h)
    half = float((t_quantile(level.df, 0.95) * level.se)[0])
    _, significant = two_part_test(difference, w, h)
    mean, _ = plain_test(difference)
    full = float(level.mean[0])
    return SubsetDifference(
        full, full - half, full + half, float(mean[0]), bool(significant[0]), int((~np.isnan(difference)).sum())
    )


def strata_of(weights: Sequence[float] | Floats, datasets: Sequence[str]) -> Ints:
    """Strata from weights and datasets alone: equal weight in a dataset is one stratum, weight 1 is certain.

    >>> strata_of([1.0, 8.0, 8.0, 7.5], ["a", "a", "a", "b"]).tolist()
    [-1, 0, 0, 1]
    """
    w = np.asarray(weights, dtype=np.float64)
    keys = [f"{name}:{weight:.6g}" for name, weight in zip(datasets, w, strict=True)]
    codes: Ints = np.full(w.size, CERTAIN, dtype=np.int64)
    drawn = w > 1 + 1e-9
    if drawn.any():
        codes[drawn] = np.unique(np.asarray(keys)[drawn], return_inverse=True)[1]
    return codes


def plain_test(difference: Floats) -> tuple[Floats, Bools]:
    """Paired t-test of each row at 95 %.

    Args:
        difference: shape (n_pairs, n_items), NaN = missing.

    Returns:
        Mean differences, and whether each is significant.
    """
    n = (~np.isnan(difference)).sum(axis=1).astype(np.float64)
    filled = np.nan_to_num(difference)
    mean = filled.sum(axis=1) / np.maximum(n, 1)
    squares = (filled**2).sum(axis=1) - n * mean**2
    se = np.sqrt(np.maximum(squares, 0.0) / np.maximum(n - 1, 1) / np.maximum(n, 1))
    return mean, (n > 1) & (np.abs(mean) > t_quantile(np.maximum(n - 1, 1), 0.95) * se) & (se > 0)


def two_part_test(difference: Floats, weights: Floats, strata: Ints) -> tuple[Floats, Bools]:
    """Tell two models apart on a two-part subset.

    Without a discriminating part: the stratified test of the full-set difference. With one: the paired test on all
    items, and only where the unbiased estimate of the full-set difference has the same sign.

    Args:
        difference: shape (n_pairs, n_items), NaN = missing.
        weights: of the items.
        strata: of the items, `CERTAIN` for the discriminating part.

    Returns:
        Estimated full-set differences, and whether each is significant.
    """
    level = estimates(difference, weights, strata)
    if not (strata == CERTAIN).any():
        return level.mean, np.abs(level.mean) > t_quantile(level.df, 0.95) * level.se
    mean, significant = plain_test(difference)
    return level.mean, significant & (np.sign(mean) == np.sign(level.mean))
