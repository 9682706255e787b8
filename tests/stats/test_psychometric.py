"""Psychometric curves."""

import math

import numpy as np
import pytest

from snellen.stats.psychometric import Harder, fit_curve, level_shares

SIZES = np.array([6, 8, 10, 12, 16, 20, 24, 32, 48, 64.0])


def _simulated(seed: list[int], threshold: float, chance: float, harder: Harder, n_each: int = 20) -> tuple:
    rng = np.random.default_rng(seed)
    levels = np.repeat(SIZES, n_each)
    sign = -1 if harder == "high" else 1
    lapse, slope = 0.02, 4.0
    at = (1 - chance) / 2 / (1 - chance - lapse)
    logit = slope * sign * (np.log2(levels) - np.log2(threshold)) + np.log(at / (1 - at))
    p = chance + (1 - chance - lapse) / (1 + np.exp(-logit))
    return levels, (rng.random(len(levels)) < p).astype(float)


@pytest.mark.parametrize(("chance", "harder"), [(0.0, "low"), (0.25, "low"), (0.5, "low"), (0.0, "high")])
def test_threshold_is_found_again(chance: float, harder: Harder) -> None:
    """A simulated threshold of 14 comes back within 15 %, and P there is half above chance."""
    levels, right = _simulated([1], 14, chance, harder, n_each=80)
    curve = fit_curve(levels, right, chance, harder=harder)
    assert curve.threshold == pytest.approx(14, rel=0.15)
    assert curve.low < curve.threshold < curve.high
    assert curve.probability(curve.threshold) == pytest.approx(chance + (1 - chance) / 2)
    assert curve.reason == ""


def test_curve_rises_towards_the_easy_side() -> None:
    """Sizes rise, counts fall."""
    levels, right = _simulated([2], 14, 0.0, "low")
    assert np.all(np.diff(fit_curve(levels, right, 0.0).probability(SIZES)) > 0)
    levels, right = _simulated([2], 20, 0.0, "high")
    assert np.all(np.diff(fit_curve(levels, right, 0.0, harder="high").probability(SIZES)) < 0)


@pytest.mark.parametrize(
    ("levels", "scores", "chance", "reason"),
    [
        ([], [], 0.0, "no answers"),
        ([8, 8], [0, 1], 0.0, "only one level was tested"),
        ([8, 16], [1, 1], 0.0, "right at every level"),
        ([8, 16], [0, 0], 0.0, "not above chance at any level"),
        ([8] * 20 + [16] * 20, [1, 0] * 20, 0.5, "not above chance at any level"),
        ([8] * 20 + [16] * 20, [1] * 20 + [0] * 20, 0.0, "no better at easy levels than at hard ones"),
    ],
)
def test_degenerate_is_nan_with_reason(levels: list, scores: list, chance: float, reason: str) -> None:
    """Data without a threshold say why."""
    curve = fit_curve(levels, scores, chance)
    assert math.isnan(curve.threshold)
    assert curve.reason == reason


def test_an_unbracketed_threshold_is_said() -> None:
    """One error in the smallest size leaves the lower bound open."""
    curve = fit_curve([8] * 20 + [16] * 20, [1] * 19 + [0] + [1] * 20, 0.0)
    assert "open" in curve.reason


def test_levels_may_be_zero_or_negative() -> None:
    """Then the axis is linear."""
    rng = np.random.default_rng(0)
    angle = np.repeat(np.arange(0, 50, 5), 30)
    right = rng.random(len(angle)) < 1 / (1 + np.exp((angle - 20) / 3))
    curve = fit_curve(angle, right.astype(float), 0.0, harder="high")
    assert not curve.logarithmic
    assert curve.threshold == pytest.approx(20, abs=3)


def test_chance_per_answer_and_missing() -> None:
    """Chance may differ per answer; NaN scores are left out; impossible chance is refused."""
    levels, right = _simulated([3], 14, 0.25, "low")
    right[0] = np.nan
    assert fit_curve(levels, right, np.full(len(levels), 0.25)).n == len(levels) - 1
    with pytest.raises(ValueError, match="chance"):
        fit_curve([1, 2], [0, 1], 1.0)
    with pytest.raises(ValueError, match="as many levels"):
        fit_curve([1], [0, 1], 0.0)


def test_level_shares_count() -> None:
    """Shares per level with their intervals."""
    rows = level_shares([4, 4, 2, 4], [1, 0, 1, float("nan")])
    assert [(row.level, row.share, row.n) for row in rows] == [(2.0, 1.0, 1), (4.0, 0.5, 2)]
    assert rows[1].low < 0.5 < rows[1].high


@pytest.mark.slow
@pytest.mark.parametrize(("chance", "harder", "n_each"), [(0.0, "low", 20), (0.25, "low", 30), (0.0, "high", 20)])
def test_coverage_of_the_threshold(chance: float, harder: Harder, n_each: int) -> None:
    """95 % intervals hold the true threshold 93 to 97 times in a hundred."""
    hits, n_runs = 0, 1500
    for run in range(n_runs):
        levels, right = _simulated([6, run], 18, chance, harder, n_each)
        curve = fit_curve(levels, right, chance, harder=harder)
        hits += curve.low <= 18 <= curve.high
    assert 0.93 <= hits / n_runs <= 0.97


def test_one_lucky_guess_is_no_threshold() -> None:
    """Five questions of four options, the easiest and one more right: a blind guesser does that one time in five."""
    levels = [4, 8, 16, 32, 64]
    assert fit_curve(levels, [0, 0, 0, 1, 1], 0.25).reason == "not above chance at any level"
    assert fit_curve(levels, [0, 1, 1, 1, 1], 0.25).reason != "not above chance at any level"
    assert not math.isnan(fit_curve(levels, [0, 0, 0, 1, 1], 0.0).threshold)
