"""Choice questions asked once per rotation of their options: one point only when every rotation is right.

A model that always picks the same letter is right in exactly one rotation; circular scoring gives it nothing.

References:
    Y. Liu et al., "MMBench: Is Your Multi-modal Model an All-around Player?", arXiv:2307.06281 (CircularEval).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, Interval, mean_interval
from snellen.stats.resampling import Floats


@dataclass(frozen=True, slots=True)
class CircularScore:
    """Circular and plain accuracy of the same answers."""

    circular: Interval
    """Share of questions with all rotations right, over questions."""
    vanilla: Interval
    """Share of right answers over rotations, clustered by question."""
    floor: float
    """Circular score that independent guessing would reach."""
    vanilla_floor: float
    """Plain score that guessing would reach."""
    n_groups: int
    """Questions with all their rotations scored."""
    n_incomplete: int
    """Questions left out because a rotation is missing."""


@dataclass(frozen=True, slots=True)
class Slope:
    """Least-squares line of circular on plain accuracy."""

    slope: float
    """Points of circular per point of plain accuracy."""
    intercept: float
    """Circular accuracy at plain accuracy 0."""
    expected_slope: float
    """Slope if every wrong answer were an independent guess; steeper or lower means consistent misreading or bias."""
    reason: str = ""
    """Why it is NaN."""


def circular_means(groups: Sequence[Hashable], scores: npt.ArrayLike) -> dict[Hashable, float]:
    """One score per question: 1 when every rotation is right, 0 when any is wrong, NaN when a rotation is missing.

    Args:
        groups: n group keys, one per rotation asked.
        scores: shape (n,); right means at least 0.5; NaN = missing.

    Returns:
        Group → 1, 0 or NaN, in order of first appearance. A group already known to fail is 0 even with one missing.

    >>> circular_means(["q", "q", "r", "r"], [1, 1, 1, float("nan")])
    {'q': 1.0, 'r': nan}
    """
    values = np.asarray(scores, dtype=np.float64).ravel()
    if len(values) != len(groups):
        raise ValueError(f"{len(values)} scores need as many groups, got {len(groups)}")
    rotations: dict[Hashable, list[float]] = {}
    for group, value in zip(groups, values, strict=True):
        rotations.setdefault(group, []).append(float(value))
    return {group: _all_right(row) for group, row in rotations.items()}


def circular_score(
    groups: Sequence[Hashable], scores: npt.ArrayLike, n_choices: npt.ArrayLike, *, seed: int = 0
) -> CircularScore:
    """Circular accuracy beside the plain one, with what guessing would reach.

    Args:
        groups: n group keys.
        scores: shape (n,); right means at least 0.5; NaN = missing.
        n_choices: shape (n,), options of each question, at least 1.
        seed: seed of the bootstrap.

    Returns:
        Both accuracies and both floors; NaN with reasons where no group is complete.

    >>> result = circular_score(["q"] * 4 + ["r"] * 4, [1, 1, 1, 1, 0, 0, 1, 0], [4] * 8)
    >>> result.circular.mean, result.vanilla.mean, result.floor, result.vanilla_floor
    (0.5, 0.625, 0.00390625, 0.25)
    """
    means = circular_means(groups, scores)
    values, choices = np.asarray(scores, float).ravel(), np.asarray(n_choices, float).ravel()
    complete = np.array([not np.isnan(means[group]) for group in groups], dtype=bool)
    right = np.where(np.isnan(values), NAN, (values >= 0.5).astype(float))[complete]
    kept = [group for group, here in zip(groups, complete, strict=True) if here]
    floors: dict[Hashable, float] = {}
    for group, k in zip(kept, choices[complete], strict=True):
        floors[group] = floors.get(group, 1.0) / k
    known = [value for value in means.values() if not np.isnan(value)]
    return CircularScore(
        circular=mean_interval(known, seed=seed),
        vanilla=mean_interval(right, clusters=kept, seed=seed),
        floor=float(np.mean(list(floors.values()))) if floors else NAN,
        vanilla_floor=float(np.mean(1 / choices[complete])) if kept else NAN,
        n_groups=len(known),
        n_incomplete=len(means) - len(known),
    )


def guessing_slope(n_choices: int, n_rotations: int | None = None) -> float:
    """Slope of circular on plain accuracy for a model that knows a share of the answers and guesses the rest.

    Knowing a share q gives plain q + (1-q)/k and circular q + (1-q)/k^r, so the slope is (1 - k^-r) / (1 - 1/k).

    Args:
        n_choices: options k, at least 2.
        n_rotations: rotations r; None = k.

    >>> guessing_slope(2), round(guessing_slope(4), 3)
    (1.5, 1.328)
    """
    k = float(n_choices)
    if k < 2:
        return NAN
    return (1 - k ** -(n_rotations or n_choices)) / (1 - 1 / k)


def circular_slope(vanilla: npt.ArrayLike, circular: npt.ArrayLike, *, n_choices: int = 4) -> Slope:
    """Line through several models' (or datasets') plain and circular accuracies.

    Args:
        vanilla: shape (n,), plain accuracies in [0, 1]; NaN pairs are left out.
        circular: shape (n,), circular accuracies.
        n_choices: options, for the slope that guessing would give.

    Returns:
        The line; NaN with a reason for fewer than two different points.

    >>> result = circular_slope([0.25, 0.625, 1.0], [0.0, 0.5, 1.0])
    >>> round(result.slope, 3), round(result.intercept, 3)
    (1.333, -0.333)
    """
    x, y = np.asarray(vanilla, float).ravel(), np.asarray(circular, float).ravel()
    present = ~(np.isnan(x) | np.isnan(y))
    x, y = x[present], y[present]
    expected = guessing_slope(n_choices)
    if len(x) < 2 or x.min() == x.max():
        return Slope(NAN, NAN, expected, "needs two different plain accuracies")
    slope = _least_squares_slope(x, y)
    return Slope(slope, float(y.mean() - slope * x.mean()), expected)


def _least_squares_slope(x: Floats, y: Floats) -> float:
    centred = x - x.mean()
    return float((centred * y).sum() / (centred**2).sum())


def _all_right(row: list[float]) -> float:
    known = [value for value in row if not np.isnan(value)]
    if any(value < 0.5 for value in known):
        return 0.0
    return 1.0 if len(known) == len(row) else NAN
