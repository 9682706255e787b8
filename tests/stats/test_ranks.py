"""Ranks, Pareto front and spread."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from snellen.stats.ranks import average_ranks, pareto_front, rank_intervals, rank_spread


def test_ranks_agree_with_scipy() -> None:
    """Average ranks, best first."""
    scores = np.array([0.3, 0.9, 0.3, 0.5, 0.9])
    assert average_ranks(scores) == pytest.approx(scipy_stats.rankdata(-scores))


def test_clear_order_has_narrow_ranks_and_twins_share() -> None:
    """A clear winner is first for sure; two equal models share second and third place."""
    rng = np.random.default_rng(0)
    best = (rng.random(500) < 0.9).astype(float)
    twin = (rng.random(500) < 0.5).astype(float)
    first, second, third = rank_intervals([best, twin, twin])
    assert (first.low, first.high, first.p_best) == (1.0, 1.0, 1.0)
    assert second.rank == third.rank == 2.5
    noisy = rank_intervals([twin, rng.permutation(twin)])[0]
    assert (noisy.low, noisy.high) == (1.0, 2.0)


def test_clusters_widen_ranks() -> None:
    """An advantage on one image only is no sure first place."""
    a = np.array([1.0] * 20 + [0.0] * 20)
    b = np.array([0.0] * 20 + [0.5] * 20)
    images = ["x"] * 20 + [f"y{i}" for i in range(20)]
    assert rank_intervals([a, b], clusters=images)[0].high == 2.0


def test_a_model_without_scores_has_no_rank() -> None:
    """NaN in, NaN out, and the others are ranked without it."""
    known, unknown = rank_intervals([[1, 0, 1], [float("nan")] * 3])
    assert known.rank == 1.0
    assert math.isnan(unknown.rank)
    assert math.isnan(unknown.low)
    assert math.isnan(rank_intervals(np.zeros((2, 0)))[0].rank)
    with pytest.raises(ValueError, match="shape"):
        rank_intervals([1, 0])


def test_pareto_front_with_ties_and_several_costs() -> None:
    """Equal points do not beat each other; a model must be beaten on every axis."""
    assert pareto_front([0.9, 0.9, 0.8], [1, 1, 1]).tolist() == [True, True, False]
    assert pareto_front([0.9, 0.8], [[2, 1], [1, 5]]).tolist() == [True, True]
    assert pareto_front([0.9, float("nan")], [1, 0]).tolist() == [True, False]


def test_spread_tells_specialist_from_even() -> None:
    """Always the same rank is 0; first and last in turn is more than chance."""
    table = {c: {"even": 2.0, "odd": 3.0 if i % 2 else 1.0, "x": 1.0 if i % 2 else 3.0} for i, c in enumerate("abcd")}
    assert rank_spread(table, "even").spread == 0.0
    odd = rank_spread(table, "odd")
    assert odd.spread > 1
    assert odd.ranks["b"] == 1.0
    assert math.isnan(rank_spread({"a": {"m": 1.0}}, "m").spread)
