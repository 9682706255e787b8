"""Means with error bars."""

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats as scipy_stats

from snellen.stats.intervals import (
    beta_interval,
    cluster_codes,
    mean_interval,
    standard_error,
    stratified_interval,
    wilson,
)
from snellen.stats.resampling import percentile_bounds, ratio_draws, student_quantile


@pytest.mark.parametrize(("n_right", "n"), [(0, 1), (1, 1), (0, 20), (3, 20), (50, 100), (999, 1000)])
def test_wilson_agrees_with_scipy(n_right: int, n: int) -> None:
    """Wilson's bounds are scipy's."""
    expected = scipy_stats.binomtest(n_right, n).proportion_ci(method="wilson")
    assert wilson(n_right, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_beta_interval_agrees_with_scipy_and_is_closed_at_the_ends() -> None:
    """Jeffreys' bounds are quantiles of Beta(x + 1/2, n - x + 1/2), and touch 0 and 1 at the ends."""
    posterior = scipy_stats.beta(3.5, 17.5)
    assert beta_interval(3, 20) == pytest.approx((posterior.ppf(0.025), posterior.ppf(0.975)))
    assert beta_interval(0, 5)[0] == 0.0
    assert beta_interval(5, 5)[1] == 1.0
    assert math.isnan(beta_interval(0, 0)[0])


@pytest.mark.parametrize("n_degrees", [1, 2, 3, 5, 10, 100])
def test_student_quantile_agrees_with_scipy(n_degrees: int) -> None:
    """The quantile without scipy is within 1 % of scipy's."""
    for probability in (0.005, 0.025, 0.1, 0.975):
        expected = scipy_stats.t.ppf(probability, n_degrees)
        assert student_quantile(probability, n_degrees) == pytest.approx(expected, rel=0.01)


def test_bootstrap_and_closed_form_agree() -> None:
    """The bootstrap's half width is 1.96 standard errors within a few per cent (ST-bootse)."""
    rng = np.random.default_rng(1)
    for scores in ((rng.random(2000) < 0.7).astype(float), rng.random(2000), rng.beta(0.5, 2, 700)):
        result = mean_interval(scores)
        assert result.method == "bootstrap"
        assert result.half_width == pytest.approx(1.96 * standard_error(scores), rel=0.06)


def test_bucketed_and_index_draws_agree() -> None:
    """Draws over buckets have the spread of draws of single units."""
    rng = np.random.default_rng(2)
    scores = rng.random(3000)
    by_bucket = ratio_draws(scores, np.ones(3000), seed=5)
    assert by_bucket.std() == pytest.approx(scores.std() / 3000**0.5, rel=0.05)
    weighted = ratio_draws(scores, rng.random(3000) + 0.5, seed=5)
    assert weighted.std() == pytest.approx(scores.std() / 3000**0.5, rel=0.15)


def test_heavy_tails_are_not_bucketed_away() -> None:
    """Numbers with a huge outlier keep their spread."""
    tokens = np.random.default_rng(3).lognormal(5, 2, 3000)
    result = mean_interval(tokens)
    assert result.half_width == pytest.approx(1.96 * standard_error(tokens), rel=0.15)


def test_small_binary_gets_wilson_and_large_gets_bootstrap() -> None:
    """The stated borders hold: below 100, or fewer than 10 right or wrong."""
    assert mean_interval([1, 0] * 49).method == "wilson"
    assert mean_interval([1, 0] * 50).method == "bootstrap"
    assert mean_interval([1] * 9 + [0] * 991).method == "wilson"
    assert mean_interval([1] * 10 + [0] * 990).method == "bootstrap"


def test_clustering_widens_and_is_said() -> None:
    """100 questions over 10 images are wider than 100 independent ones (ST-cluster)."""
    scores = [1.0] * 50 + [0.0] * 50
    images = [f"image {i // 10}" for i in range(100)]
    clustered, naive = mean_interval(scores, clusters=images), mean_interval(scores)
    assert clustered.method == "clustered bootstrap"
    assert clustered.n_clusters == 10
    assert clustered.half_width > 2 * naive.half_width


def test_singleton_clusters_change_nothing() -> None:
    """A cluster of one is no cluster, whether named, None or empty."""
    scores = [1, 0, 1, 1, 0, 1]
    plain = mean_interval(scores)
    for clusters in (list("abcdef"), [None] * 6, [""] * 6):
        assert mean_interval(scores, clusters=clusters) == plain


def test_clustered_standard_error_by_hand() -> None:
    """Two clusters of two: deviations sum to ±1, so SE = sqrt(2) · sqrt(2/1) / 4."""
    assert standard_error([0, 0, 1, 1], clusters=["a", "a", "b", "b"]) == pytest.approx(0.5)
    assert standard_error([1, 2, 3, 4.0]) == pytest.approx(scipy_stats.sem([1, 2, 3, 4.0]))
    assert math.isnan(standard_error([1.0]))
    assert math.isnan(standard_error([]))


def test_missing_scores_are_left_out() -> None:
    """NaN is neither 0 nor counted."""
    result = mean_interval([1, float("nan"), 0, 1], clusters=["a", "a", "b", "c"])
    assert result.n == 3
    assert result.mean == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [([], "no scores"), ([float("nan")], "no scores"), ([float("inf"), 0], "a score is infinite")],
)
def test_nothing_to_average_is_nan_with_reason(scores: list[float], reason: str) -> None:
    """No usable score: NaN everywhere, and why."""
    result = mean_interval(scores)
    assert math.isnan(result.mean)
    assert math.isnan(result.low)
    assert result.reason == reason


def test_one_unit_has_no_bounds() -> None:
    """One graded score, or one cluster, has a mean but no spread."""
    assert math.isnan(mean_interval([0.7]).low)
    one_cluster = mean_interval([1, 0, 1], clusters=["a"] * 3)
    assert math.isnan(one_cluster.high)
    assert one_cluster.reason == "all scores are in one cluster"
    assert mean_interval([0.5], weights=[0]).reason == "all weights are zero"


def test_all_right_never_claims_certainty() -> None:
    """All right over clusters or with weights still has a lower bound below 1."""
    assert mean_interval([1] * 40, clusters=[i // 4 for i in range(40)]).low == pytest.approx(wilson(10, 10)[0])
    assert mean_interval([0] * 40, weights=[1, 2] * 20).high > 0.05


def test_equal_graded_scores_are_pointed_out() -> None:
    """Equal scores give a width of zero and say so."""
    result = mean_interval([0.5] * 20)
    assert result.low == result.high == 0.5
    assert result.reason == "all scores are equal"


def test_weights_act_like_repeats() -> None:
    """A weight of 3 gives the mean of three copies."""
    assert mean_interval([1, 0], weights=[3, 1]).mean == 0.75


def test_bad_arguments_are_refused() -> None:
    """Unequal lengths and impossible weights raise."""
    with pytest.raises(ValueError, match="as many clusters"):
        mean_interval([1, 0], clusters=["a"])
    with pytest.raises(ValueError, match="not negative"):
        mean_interval([1, 0], weights=[1, -1])


def test_stratified_mean_by_hand() -> None:
    """Means of strata, weighted by share; variance from within."""
    result = stratified_interval([0, 1, 0, 1, 1, 1], list("aaaabb"), shares={"a": 1, "b": 1})
    assert result.mean == pytest.approx(0.75)
    assert result.half_width == pytest.approx(1.96 * 0.5 * (1 / 3 / 4) ** 0.5, rel=1e-3)
    assert "stratum 'b'" in stratified_interval([0, 1, 1], list("aab")).reason
    with pytest.raises(ValueError, match="lack the strata b"):
        stratified_interval([0, 1], list("ab"), shares={"a": 1})


def test_cluster_codes_number_in_order() -> None:
    """Labels of any hashable kind are numbered; None and "" stand alone."""
    assert cluster_codes([(1, 2), None, (1, 2), None, ""]).tolist() == [0, 1, 0, 2, 3]


def test_few_units_are_widened() -> None:
    """Five units get wider bounds than plain percentiles."""
    draws = ratio_draws([0, 0.2, 0.5, 0.6, 1.0], np.ones(5))
    low, high = percentile_bounds(draws, level=0.95, n_units=5)
    plain_low, plain_high = np.quantile(draws, [0.025, 0.975])
    assert low < plain_low
    assert high > plain_high


def test_the_run_path_loads_no_scipy() -> None:
    """mean_interval of every kind of input works without scipy."""
    code = (
        "import sys; from snellen.stats.intervals import mean_interval as m\n"
        "m([1, 0]); m([0.1, 0.5, 0.7]); m([1, 0, 1], clusters=['a', 'a', 'b']); m([0.5, 1], weights=[1, 2])\n"
        "assert not any(name.split('.')[0] == 'scipy' for name in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def _coverage(draw: object, truth: float, n_runs: int, **options: object) -> float:
    hits = 0
    for run in range(n_runs):
        scores, clusters = draw(np.random.default_rng([7, run]))  # type: ignore[operator]
        result = mean_interval(scores, clusters=clusters, seed=run, n_draws=1000)
        hits += result.low <= truth <= result.high
    return hits / n_runs


def _graded(rng: np.random.Generator) -> tuple[np.ndarray, None]:
    return rng.beta(2, 1, 60), None


def _binary(rng: np.random.Generator) -> tuple[np.ndarray, None]:
    return (rng.random(300) < 0.6).astype(float), None


def _small_binary(rng: np.random.Generator) -> tuple[np.ndarray, None]:
    return (rng.random(40) < 0.3).astype(float), None


def _clustered(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    images = np.repeat(np.arange(60), rng.integers(1, 6, 60))
    ability = rng.beta(2, 2, 60)
    return (rng.random(len(images)) < ability[images]).astype(float), images


def _few_graded(rng: np.random.Generator) -> tuple[np.ndarray, None]:
    return np.clip(rng.normal(0.5, 0.1, 8), 0, 1), None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "truth"),
    [(_graded, 2 / 3), (_binary, 0.6), (_small_binary, 0.3), (_clustered, 0.5), (_few_graded, 0.5)],
)
def test_coverage_of_the_mean(draw: object, truth: float) -> None:
    """95 % intervals hold the truth 93 to 97 times in a hundred."""
    assert 0.93 <= _coverage(draw, truth, 3000) <= 0.97
