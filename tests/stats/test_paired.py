"""Paired comparison."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from snellen.stats.paired import bonett_price, mcnemar_exact, paired_difference, sign_flip_p

RNG = np.random.default_rng(11)
A = (RNG.random(400) < 0.6).astype(float)
B = np.where(RNG.random(400) < 0.8, A, RNG.random(400) < 0.75).astype(float)


@pytest.mark.parametrize(("wins", "losses"), [(5, 0), (12, 3), (30, 30), (200, 150)])
def test_mcnemar_is_the_binomial_test(wins: int, losses: int) -> None:
    """McNemar's exact p is scipy's two-sided binomial test."""
    assert mcnemar_exact(wins, losses) == pytest.approx(scipy_stats.binomtest(wins, wins + losses).pvalue)


def test_counts_and_means() -> None:
    """Wins, losses and ties add up to the pairs, and the difference is that of the means."""
    result = paired_difference(A, B)
    assert result.n_wins + result.n_losses + result.n_ties == result.n_pairs == 400
    assert result.difference == pytest.approx(B.mean() - A.mean())
    assert result.low < result.difference < result.high


def test_pairing_narrows() -> None:
    """The paired standard error is that of the differences, below the unpaired one for correlated scores."""
    result = paired_difference(A, B)
    assert result.standard_error == pytest.approx(scipy_stats.sem(B - A))
    assert result.standard_error < math.hypot(scipy_stats.sem(A), scipy_stats.sem(B))
    assert result.minimum_detectable == pytest.approx(2.8016 * result.standard_error, rel=1e-3)


def test_permutation_agrees_with_scipy() -> None:
    """The sign-flip p is scipy's exact permutation p within simulation error."""
    differences = np.random.default_rng(4).normal(0.3, 1, 12)
    exact = scipy_stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert sign_flip_p(differences, n_permutations=50_000) == pytest.approx(exact.pvalue, abs=0.01)


def test_permutation_of_many_distinct_sizes_agrees_with_the_t_test() -> None:
    """Merging sizes into groups keeps p."""
    differences = np.random.default_rng(5).normal(0.05, 1, 2000)
    expected = scipy_stats.ttest_1samp(differences, 0).pvalue
    assert sign_flip_p(differences, n_permutations=50_000) == pytest.approx(expected, abs=0.01)


def test_missing_on_either_side_drops_the_pair() -> None:
    """A pair needs both scores."""
    result = paired_difference([1, float("nan"), 0, 1], [1, 1, float("nan"), 0])
    assert result.n_pairs == 2
    nothing = paired_difference([float("nan")], [1])
    assert math.isnan(nothing.difference)
    assert nothing.reason == "no sample has both scores"


def test_few_discordant_pairs_keep_a_width() -> None:
    """Identical answers are no proof of equality: the interval stays open."""
    same = paired_difference([1, 0, 1, 1], [1, 0, 1, 1])
    assert same.p_value == 1.0
    assert same.low < 0 < same.high
    assert math.isfinite(same.minimum_detectable)
    clustered = paired_difference([1, 0, 1, 1], [1, 0, 1, 1], clusters=["a", "a", "b", "c"])
    assert clustered.low < 0 < clustered.high


def test_clusters_are_flipped_whole() -> None:
    """Twenty equal answers about one image are one piece of evidence, not twenty."""
    a, b = np.zeros(60), np.concatenate([np.ones(20), np.zeros(40)])
    images = ["one"] * 20 + [f"other {i}" for i in range(40)]
    assert paired_difference(a, b).p_value < 1e-4
    clustered = paired_difference(a, b, clusters=images)
    assert clustered.p_value > 0.5
    assert clustered.n_clusters == 41


def test_one_cluster_cannot_be_tested() -> None:
    """A single image has no p value."""
    result = paired_difference([0, 0, 1], [1, 1, 1], clusters=["a"] * 3)
    assert math.isnan(result.p_value)
    assert math.isnan(result.low)


def test_unequal_lengths_are_refused() -> None:
    """Pairs need partners."""
    with pytest.raises(ValueError, match="equal lengths"):
        paired_difference([1], [1, 0])


def test_bonett_price_is_symmetric_and_bounded() -> None:
    """Turning the sides turns the interval; bounds stay in [-1, 1]."""
    low, high = bonett_price(4, 1, 20)
    assert bonett_price(1, 4, 20) == pytest.approx((-high, -low))
    assert bonett_price(1, 0, 1)[1] <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("n_pairs", [60, 400])
@pytest.mark.parametrize("clustered", [False, True])
def test_coverage_and_false_alarms(n_pairs: int, clustered: bool) -> None:
    """95 % intervals hold the true difference 93 to 97 times in a hundred; p < 0.05 at most so often by chance."""
    hits = alarms = 0
    n_runs = 2000
    for run in range(n_runs):
        rng = np.random.default_rng([9, run])
        images = np.repeat(np.arange(n_pairs // 2), 2)
        hard = np.repeat(rng.beta(2, 2, n_pairs // 2), 2)
        shift = np.repeat(rng.choice([-0.2, 0.2], n_pairs // 2), 2) if clustered else 0.0
        a = (rng.random(n_pairs) < np.clip(hard, 0, 1)).astype(float)
        b = (rng.random(n_pairs) < np.clip(hard + shift, 0, 1)).astype(float)
        result = paired_difference(a, b, clusters=images if clustered else None, seed=run, n_draws=1000)
        hits += result.low <= 0 <= result.high
        alarms += result.p_value < 0.05
    assert 0.93 <= hits / n_runs <= 0.97
    assert alarms / n_runs <= 0.065
