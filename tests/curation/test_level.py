"""The level estimate: unbiased, exact by hand, and its interval covers."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation.differences import strata_of, subset_difference
from snellen.curation.level import CERTAIN, level_estimate
from snellen.curation.redraws import coverage
from snellen.curation.sampling import allocate, difficulty, draw, stratify
from snellen.errors import UsageError
from tests.curation.synthetic import rasch


def test_hand_value() -> None:
    """Certain items count once, drawn ones as often as their weight says."""
    level = level_estimate([1, 0, 1, 1, 0, 0], [1, 1, 4, 4, 6, 6], [-1, -1, 0, 0, 1, 1])
    assert level.mean == pytest.approx((1 + 0 + 4 * 2 + 6 * 0) / 22)
    assert level.se == 0.0
    assert level.low < level.mean < level.high


def test_standard_error_by_hand() -> None:
    """Sum over strata of N²(1 - f)s²/n, over N²."""
    level = level_estimate([1, 0, 1, 0, 0, 1], [5, 5, 5, 5, 5, 5], [0, 0, 0, 1, 1, 1])
    s2 = 1 / 3
    expected = np.sqrt(2 * 15**2 * (1 - 3 / 15) * s2 / 3) / 30
    assert level.se == pytest.approx(expected)


def test_all_items_taken_leaves_no_doubt() -> None:
    """A subset that is the full set has its mean and no interval."""
    level = level_estimate([1, 0, 1, 1], [1, 1, 1, 1], [-1, -1, 0, 0])
    assert (level.mean, level.low, level.high) == (0.75, 0.75, 0.75)


def test_missing_is_not_zero() -> None:
    """A missing cell leaves both sums; all missing gives NaN."""
    assert level_estimate([1, np.nan, 1, 1], [2, 2, 2, 2], [0, 0, 0, 0]).mean == 1.0
    assert np.isnan(level_estimate([np.nan, np.nan], [2, 2], [0, 0]).mean)


def test_bounds_stay_inside() -> None:
    """A model that is wrong everywhere has a lower bound of at least 0 and an upper bound above it."""
    level = level_estimate([0.0] * 30, [10.0] * 30, [0] * 15 + [1] * 15)
    assert level.mean == 0.0
    assert level.low >= -1e-12
    assert 0.01 < level.high < 0.2


def test_refuses_bad_weights() -> None:
    """Lengths must agree and a weight below 1 is impossible."""
    with pytest.raises(UsageError, match="equally many"):
        level_estimate([1, 0], [1.0], [0, 0])
    with pytest.raises(UsageError, match="below 1"):
        level_estimate([1, 0], [0.5, 1.0], [0, 0])


def test_unbiased_over_redraws() -> None:
    """The mean of many estimates is the full mean, certain items included."""
    y = rasch(12, 400, seed=1)[5]
    level = difficulty(rasch(12, 400, seed=1))
    certain, rest = np.arange(0, 400, 20), np.setdiff1d(np.arange(400), np.arange(0, 400, 20))
    strata = stratify(level[rest], np.zeros(rest.size, dtype=np.int64), n_draws=40)
    quota = allocate(strata, np.ones(rest.size), 40)
    means = []
    for seed in range(600):
        drawn = draw(strata, quota, np.random.default_rng(seed))
        scores = np.concatenate([y[certain], y[rest][drawn.chosen]])
        weights = np.concatenate([np.ones(certain.size), 1 / drawn.inclusion[drawn.chosen]])
        codes = np.concatenate([np.full(certain.size, CERTAIN), strata[drawn.chosen]])
        means.append(level_estimate(scores, weights, codes).mean)
    assert np.mean(means) == pytest.approx(y.mean(), abs=4 * np.std(means) / np.sqrt(600))


@pytest.mark.parametrize("share, missing", [(0.1, 0.0), (0.4, 0.0), (0.1, 0.1)])
def test_interval_covers(share: float, missing: float) -> None:
    """95 % intervals hold the full-set score in 93–97 % of 2,000 redraws, missing cells too."""
    rng = np.random.default_rng(2)
    y = rasch(20, 1000, seed=2, guess=0.2)
    y[rng.random(y.shape) < missing] = np.nan
    groups = (np.arange(1000) % 3).astype(np.int64)
    strata = stratify(difficulty(y[:12]), groups, n_draws=round(1000 * share))
    quota = allocate(strata, np.ones(1000), round(1000 * share))
    none = np.zeros(0, dtype=np.int64)
    covered = coverage(y[12:], strata, quota, certain=none, n_redraws=2000, rng=rng)
    assert 0.93 <= covered <= 0.97


def test_difference_is_antisymmetric() -> None:
    """Swapping the models swaps the sign and the bounds."""
    y = rasch(2, 60, seed=3)
    weights, strata = [10.0] * 60, [k // 10 for k in range(60)]
    one, two = subset_difference(y[0], y[1], weights, strata), subset_difference(y[1], y[0], weights, strata)
    assert one.full_set == pytest.approx(-two.full_set)
    assert one.low == pytest.approx(-two.high)
    assert one.is_told_apart == two.is_told_apart


def test_difference_needs_the_probability_part_to_agree() -> None:
    """A contrast that only the discriminating part shows, and the weighted estimate denies, is not reported."""
    first = np.array([0.0] * 40 + [1.0] * 4 + [0.0] * 36)
    second = np.array([1.0] * 30 + [0.0] * 50)
    weights, strata = [1.0] * 40 + [25.0] * 40, [CERTAIN] * 40 + [0] * 40
    found = subset_difference(first, second, weights, strata)
    assert found.on_subset > 0
    assert found.full_set < 0
    assert not found.is_told_apart


def test_strata_from_weights() -> None:
    """Equal weights in one dataset are one stratum."""
    assert strata_of([1, 4, 4, 4, 6], ["a", "a", "a", "b", "b"]).tolist() == [-1, 0, 0, 1, 2]
