"""How far two or more raters agree beyond chance: observed agreement, Cohen's κ, Gwet's AC1, Krippendorff's α.

κ falls towards 0 when nearly all items are of one class, however well the raters agree; AC1 stays stable there.
α takes many raters and missing ratings.

References:
    J. Cohen, Educ. Psychol. Meas. 20, 1960. K. Gwet, Br. J. Math. Stat. Psychol. 61, 2008.
    K. Krippendorff, "Content Analysis", 2004, chapter 11.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, Interval
from snellen.stats.resampling import Floats

Rating = Hashable | None
"""A class, or None for a missing rating."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two raters over the items both rated."""

    observed: Interval
    """Share of items with equal ratings."""
    kappa: Interval
    """Cohen's κ."""
    ac1: Interval
    """Gwet's AC1."""
    alpha: Interval
    """Krippendorff's α (nominal)."""
    n: int
    """Items both rated."""
    categories: tuple[str, ...]
    """Classes seen, in the order of `table`."""
    table: tuple[tuple[int, ...], ...]
    """Counts, rows = first rater, columns = second."""


def agreement(
    first: Sequence[Rating], second: Sequence[Rating], *, seed: int = 0, n_draws: int = 4000, level: float = 0.95
) -> Agreement:
    """Agreement of two raters with bootstrap intervals over items.

    Args:
        first: n ratings; None = missing, the item is left out.
        second: n ratings of the same items.
        seed: seed of the draws.
        n_draws: bootstrap resamples.
        level: coverage, in (0, 1).

    Returns:
        All four measures; NaN with a reason where one cannot be computed.

    Raises:
        ValueError: lengths differ.

    >>> result = agreement(["y", "y", "n", "n"], ["y", "n", "n", "n"])
    >>> result.observed.mean, result.kappa.mean, round(result.ac1.mean, 3), round(result.alpha.mean, 3)
    (0.75, 0.5, 0.529, 0.533)
    """
    categories, table = contingency(first, second)
    n = int(table.sum())
    rng = np.random.default_rng(seed)
    draws = rng.multinomial(n, table.ravel() / n, size=n_draws) if n else table.ravel()[None]

    def interval(measure: Callable[[Floats], Floats]) -> Interval:
        return _measured(measure, table, draws.reshape(len(draws), *table.shape).astype(np.float64), level)

    return Agreement(
        observed=interval(_observed),
        kappa=interval(_kappa),
        ac1=interval(_ac1),
        alpha=interval(_alpha_of_two),
        n=n,
        categories=tuple(str(name) for name in categories),
        table=tuple(tuple(int(cell) for cell in row) for row in table),
    )


def contingency(
    first: Sequence[Rating], second: Sequence[Rating]
) -> tuple[tuple[Hashable, ...], npt.NDArray[np.int64]]:
    """Count how two raters' classes meet.

    Args:
        first: n ratings, None = missing.
        second: n ratings.

    Returns:
        The classes in a fixed order, and counts of shape (n_classes, n_classes).

    >>> contingency(["a", "b", None], ["a", "a", "b"])[1].tolist()
    [[1, 0], [1, 0]]
    """
    if len(first) != len(second):
        raise ValueError(f"two raters need equal lengths, got {len(first)} and {len(second)}")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    names = sorted({name for pair in pairs for name in pair}, key=lambda name: (str(type(name)), str(name)))
    place = {name: position for position, name in enumerate(names)}
    table = np.zeros((len(names), len(names)), dtype=np.int64)
    for a, b in pairs:
        table[place[a], place[b]] += 1
    return tuple(names), table


def krippendorff_alpha(
    ratings: Sequence[Sequence[Rating]], *, seed: int = 0, n_draws: int = 4000, level: float = 0.95
) -> Interval:
    """Krippendorff's α (nominal) of any number of raters, missing ratings allowed, with interval over items.

    Args:
        ratings: n_raters sequences of n_items ratings; None = missing.
        seed: seed of the draws.
        n_draws: bootstrap resamples.
        level: coverage, in (0, 1).

    Returns:
        α (1 = perfect, 0 = chance); NaN with a reason when no item has two ratings, or only one class is used.

    References:
        Krippendorff 2004, chapter 11; the example is his first one (two observers, ten items, α = 0.095).

    >>> a = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    >>> b = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> round(krippendorff_alpha([a, b]).mean, 3)
    0.095
    """
    items = list(zip(*ratings, strict=True))
    patterns, counts = _patterns(items)
    n = int(counts.sum())
    if not n:
        return Interval(NAN, NAN, NAN, 0, 0, "", "no item has two ratings")
    alpha = _alpha(patterns, counts[None])[0]
    if np.isnan(alpha):
        return Interval(NAN, NAN, NAN, n, n, "", "all ratings are of one class")
    times = np.random.default_rng(seed).multinomial(n, counts / n, size=n_draws)
    return _percentiles(float(alpha), _alpha(patterns, times), n, level)


def _patterns(items: Sequence[Sequence[Rating]]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Distinct class counts of items with two ratings or more, shape (n_patterns, n_classes), and how often each."""
    names = sorted(
        {name for item in items for name in item if name is not None}, key=lambda name: (str(type(name)), str(name))
    )
    place = {name: position for position, name in enumerate(names)}
    rows = np.zeros((len(items), len(names)))
    for row, item in zip(rows, items, strict=True):
        for name in item:
            if name is not None:
                row[place[name]] += 1
    rows = rows[rows.sum(axis=1) >= 2]
    if not len(rows):
        return rows, np.zeros(0, dtype=np.int64)
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    return distinct, counts.astype(np.int64)


def _alpha(rows: Floats, times: npt.NDArray[np.int64]) -> Floats:
    """α for each row of `times` (how often each pattern of class counts in `rows` occurs)."""
    sizes = rows.sum(axis=1)
    disagreeing = (sizes**2 - (rows**2).sum(axis=1)) / (sizes - 1)
    totals = times @ rows
    n_ratings = totals.sum(axis=1)
    expected = (n_ratings**2 - (totals**2).sum(axis=1)) / (n_ratings - 1)
    return _divide(expected - times @ disagreeing, expected)


def _measured(
    measure: Callable[[Floats], Floats], table: npt.NDArray[np.int64], draws: Floats, level: float
) -> Interval:
    n = int(table.sum())
    if not n:
        return Interval(NAN, NAN, NAN, 0, 0, "", "no item was rated by both")
    value = float(measure(table[None].astype(np.float64))[0])
    if np.isnan(value):
        return Interval(NAN, NAN, NAN, n, n, "", "all ratings are of one class")
    return _percentiles(value, measure(draws), n, level)


def _percentiles(value: float, draws: Floats, n: int, level: float) -> Interval:
    usable = draws[~np.isnan(draws)]
    if n < 2 or not len(usable):
        return Interval(value, NAN, NAN, n, n, "", "one item has no spread")
    tail = (1 - level) / 2
    low, high = np.quantile(usable, [tail, 1 - tail])
    return Interval(value, float(low), float(high), n, n, "bootstrap")


def _observed(tables: Floats) -> Floats:
    return np.asarray(np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2)))


def _kappa(tables: Floats) -> Floats:
    n = tables.sum(axis=(1, 2))
    by_chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / n**2
    return _divide(_observed(tables) - by_chance, 1 - by_chance)


def _ac1(tables: Floats) -> Floats:
    n_classes = tables.shape[1]
    if n_classes < 2:
        return np.full(len(tables), NAN)
    shares = (tables.sum(axis=1) + tables.sum(axis=2)) / (2 * tables.sum(axis=(1, 2)))[:, None]
    by_chance = (shares * (1 - shares)).sum(axis=1) / (n_classes - 1)
    return _divide(_observed(tables) - by_chance, 1 - by_chance)


def _alpha_of_two(tables: Floats) -> Floats:
    n = tables.sum(axis=(1, 2))
    totals = tables.sum(axis=1) + tables.sum(axis=2)
    expected = ((2 * n) ** 2 - (totals**2).sum(axis=1)) / (2 * n - 1)
    return _divide(expected - 2 * n * (1 - _observed(tables)), expected)


def _divide(above: Floats, below: Floats) -> Floats:
    usable = np.abs(below) > 1e-12
    return np.asarray(np.divide(above, below, out=np.full(above.shape, NAN), where=usable))
