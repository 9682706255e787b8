"""Pass 4 on synthetic matrices: methods, frames, budgets, refusals and fallbacks."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation.discrimination import item_rest
from snellen.curation.level import CERTAIN
from snellen.curation.select import n_chosen, representatives, select
from snellen.curation.share import choose_share
from snellen.errors import UsageError
from tests.curation.synthetic import matrix, rasch


def test_two_part_has_known_weights() -> None:
    """Weights sum to the full set; the discriminating part weighs 1 and is the better one inside its strata."""
    m = matrix(rasch(16, 600), strata=3)
    plan = select(m, 120, share=0.25, seed=1)
    assert plan.chosen.size == 120
    assert plan.part.count("discriminating") == 30
    assert plan.weights.sum() == pytest.approx(600)
    assert (plan.weights[plan.strata == CERTAIN] == 1).all()
    certain = np.array(plan.part) == "discriminating"
    assert np.nanmean(plan.r[certain]) > np.nanmean(plan.r[~certain]) + 0.1


def test_datbench_takes_the_highest_first() -> None:
    """Plain point-biserial order; no item left out has a higher one; no weights are made up."""
    m = matrix(rasch(16, 300))
    plan = select(m, 60, method="datbench")
    r = np.nan_to_num(item_rest(m.scores).r)
    left = np.setdiff1d(np.arange(300), plan.chosen)
    assert r[plan.chosen].min() >= r[left].max()
    assert np.isnan(plan.weights).all()
    assert not plan.is_weighted


def test_datbench_puts_negatives_last() -> None:
    """Items of unknown correlation come before negative ones."""
    y = rasch(16, 60)
    y[:, :5] = 0.0
    r = item_rest(y).r
    n_not_negative = int((np.nan_to_num(r) >= 0).sum())
    plan = select(matrix(y), n_not_negative, method="datbench")
    assert set(range(5)) <= set(plan.chosen.tolist())
    assert (np.nan_to_num(r[plan.chosen]) >= 0).all()


def test_frontier_reserve_is_capped() -> None:
    """At most a fifth of the subset is reserve, and it is marked."""
    y = rasch(16, 300)
    y[:, :60] = 0.0
    plan = select(matrix(y), 50, method="datbench", frontier=range(60))
    assert plan.part.count("frontier") == 10
    assert plan.chosen.size == 50


def test_probability_part_includes_all_fail_items() -> None:
    """Items that nobody solves stand in the sample in proportion: the frontier reserve comes by itself."""
    y = rasch(16, 1000)
    y[:, :200] = 0.0
    plan = select(matrix(y), 200, method="random", seed=3)
    assert 30 <= int((plan.chosen < 200).sum()) <= 50


def test_near_duplicates_stand_once() -> None:
    """One item a cluster, the preferred one; weights speak of clusters."""
    clusters = np.arange(100) // 2
    preference = np.tile([1.0, 2.0], 50)
    plan = select(matrix(rasch(12, 100)), 30, share=0.25, clusters=clusters, preference=preference)
    assert (plan.chosen % 2 == 1).all()
    assert plan.weights.sum() == pytest.approx(50)
    assert plan.dropped_duplicates.size == 50


def test_representatives_without_preference() -> None:
    """The first of a cluster stands for it."""
    kept, dropped = representatives(5, np.array([0, 1, 0, 1, 4]))
    assert kept.tolist() == [0, 1, 4]
    assert dropped.tolist() == [2, 3]


def test_cost_budget_is_kept() -> None:
    """Per token: the chosen items cost no more than the budget, cheap ones are taken more often."""
    rng = np.random.default_rng(4)
    cost = rng.choice([1.0, 20.0], 600)
    plan = select(matrix(rasch(16, 600)), 60, share=0.25, cost=cost)
    assert cost[plan.chosen].sum() <= 60 * cost.mean()
    assert plan.chosen.size > 60
    assert plan.weights.sum() == pytest.approx(600)
    assert cost[plan.chosen].mean() < cost.mean()


@pytest.mark.parametrize("size, n", [(0.1, 100), (1, 1000), (250, 250)])
def test_size_is_a_share_or_a_count(size: float, n: int) -> None:
    """At most 1 is a share, above it a count."""
    assert n_chosen(size, 1000) == n


@pytest.mark.parametrize("size", [0, -1, 2000, 0.0001])
def test_impossible_size_is_refused(size: float) -> None:
    """Nothing and more than there is are refused with both numbers."""
    with pytest.raises(UsageError, match="of 1000 items"):
        n_chosen(size, 1000)


def test_unknown_method_is_refused() -> None:
    """A misspelt method names the choices."""
    with pytest.raises(UsageError, match="two-part, datbench, random"):
        select(matrix(rasch(9, 50)), 5, method="best")


@pytest.mark.parametrize("n_models", [1, 2, 5])
def test_few_models_fall_back_to_a_sample(n_models: int) -> None:
    """Too few models for item statistics: a plain probability sample, and it says so."""
    plan = select(matrix(rasch(n_models, 100)), 20, share=0.25)
    assert set(plan.part) == {"probability"}
    assert any("plain stratified random sample" in note for note in plan.notes)
    assert plan.weights.sum() == pytest.approx(100)


def test_equal_models_fall_back_to_a_sample() -> None:
    """When all items are answered alike nothing discriminates, and it says so."""
    y = np.tile(rasch(1, 100), (12, 1))
    plan = select(matrix(y), 20, share=0.25)
    assert set(plan.part) == {"probability"}
    assert any("no item–rest correlation" in note for note in plan.notes)


def test_one_family_is_said() -> None:
    """Models of one family are one witness."""
    plan = select(matrix(rasch(12, 100), families=1), 20)
    assert any("one family" in note for note in plan.notes)


def test_empty_matrix_is_refused() -> None:
    """No model or no item: nothing to select from."""
    with pytest.raises(UsageError, match="empty"):
        select(matrix(np.zeros((0, 10))), 3)


def test_nan_columns_and_missing_cells() -> None:
    """Items nobody answered keep their chance, a tenth missing changes nothing of the bookkeeping."""
    y = rasch(16, 300)
    y[np.random.default_rng(5).random(y.shape) < 0.1] = np.nan
    y[:, :10] = np.nan
    plan = select(matrix(y), 60, share=0.25)
    assert plan.chosen.size == 60
    assert plan.weights.sum() == pytest.approx(300)


def test_share_is_chosen_by_validation() -> None:
    """Half the items are pure noise: a discriminating part pays, and the sentence says by how much."""
    rng = np.random.default_rng(6)
    noise = (rng.random((24, 500)) < 0.5).astype(float)
    ability = np.linspace(0.2, 0.8, 24)[:, None]
    y = np.concatenate([noise, (rng.random((24, 100)) < ability).astype(float)], axis=1)
    choice = choose_share(y, np.zeros(600, dtype=np.int64), 60)
    assert choice.share == 0.25
    assert "25%" in choice.reason


def test_share_is_zero_where_nothing_is_gained() -> None:
    """Models that all guess: no share is better than none."""
    y = (np.random.default_rng(7).random((16, 400)) < 0.5).astype(float)
    choice = choose_share(y, np.zeros(400, dtype=np.int64), 40)
    assert choice.candidates[0] == 0.0
    assert len(choice.tau_all) == len(choice.candidates)


def test_share_with_few_models_is_zero() -> None:
    """Too few models to split again: 0, with the reason."""
    choice = choose_share(rasch(5, 100), np.zeros(100, dtype=np.int64), 10)
    assert choice.share == 0.0
    assert "too few" in choice.reason
