"""Strata, allocation and draws of the probability part."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.curation.sampling import allocate, difficulty, draw, stratify


@given(st.integers(8, 200), st.integers(1, 6), st.data())
def test_allocation_adds_up(n_units: int, n_strata: int, data: st.DataObject) -> None:
    """Draws sum to what was asked, never exceed a stratum, and reach every stratum when there are enough."""
    n_draws = data.draw(st.integers(1, n_units))
    strata = np.arange(n_units) % n_strata
    quota = allocate(strata, np.ones(n_units), n_draws)
    sizes = np.bincount(strata, minlength=n_strata)
    assert quota.sum() == n_draws
    assert (quota <= sizes).all()
    if n_draws >= 2 * n_strata:
        assert (quota >= np.minimum(2, sizes)).all()


@given(st.integers(20, 300), st.integers(1, 8), st.integers(4, 20))
def test_every_item_has_a_chance(n_units: int, n_groups: int, n_draws: int) -> None:
    """Stratified in any way, no item's inclusion probability is 0."""
    rng = np.random.default_rng(n_units)
    strata = stratify(rng.random(n_units), rng.integers(0, n_groups, n_units), n_draws=n_draws)
    found = draw(strata, allocate(strata, np.ones(n_units), n_draws), rng)
    assert (found.inclusion > 0).all()
    assert found.inclusion.sum() == pytest.approx(n_draws)
    assert found.chosen.size == n_draws


def test_inclusion_probabilities_are_true() -> None:
    """Items are drawn as often as their inclusion probability says."""
    strata = np.repeat([0, 1, 2], [10, 40, 50])
    quota = np.array([5, 10, 5])
    hits = np.zeros(100)
    for seed in range(3000):
        found = draw(strata, quota, np.random.default_rng(seed))
        hits[found.chosen] += 1
    np.testing.assert_allclose(hits / 3000, found.inclusion, atol=0.04)


def test_same_seed_same_draw() -> None:
    """A draw can be made again."""
    strata, quota = np.zeros(50, dtype=np.int64), np.array([7])
    one, two = (draw(strata, quota, np.random.default_rng(5)).chosen for _ in range(2))
    assert one.tolist() == two.tolist()


def test_difficulty_of_an_unseen_item_is_the_grand_mean() -> None:
    """Nobody's item is of average difficulty, and nothing is NaN."""
    y = np.array([[1, 0, np.nan], [1, 1, np.nan]])
    found = difficulty(y)
    assert found[2] == pytest.approx(0.75)
    assert found[0] > found[1]
