"""Epochs and pass@k."""

import itertools
import math

import numpy as np
import pytest

from snellen.stats.epochs import epoch_variance, pass_at_k, pass_at_k_interval, sample_means
from snellen.stats.intervals import mean_interval


@pytest.mark.parametrize(("n", "c", "k"), [(5, 2, 1), (5, 2, 3), (6, 1, 6), (4, 0, 2), (4, 4, 2)])
def test_pass_at_k_counts_subsets(n: int, c: int, k: int) -> None:
    """pass@k is the share of subsets of size k that hold a right try."""
    subsets = list(itertools.combinations(range(n), k))
    expected = sum(any(i < c for i in subset) for subset in subsets) / len(subsets)
    assert pass_at_k(n, c, k) == pytest.approx(expected)


def test_pass_at_more_than_the_tries_is_unknown() -> None:
    """pass@4 of two wrong tries is NaN, not 1 (ST-passk)."""
    assert math.isnan(pass_at_k(2, 0, 4))
    assert math.isnan(pass_at_k(3, 1, 0))
    assert math.isnan(pass_at_k_interval(["a", "a"], [0, 0], 4).mean)


def test_more_epochs_are_no_more_samples() -> None:
    """Repeating every answer five times leaves the interval as it was (ST-epochs)."""
    rng = np.random.default_rng(0)
    scores = (rng.random(150) < 0.6).astype(float)
    ids = [f"s{i}" for i in range(150)]
    once = mean_interval(sample_means(ids, scores).means)
    repeated = sample_means(ids * 5, np.tile(scores, 5))
    assert mean_interval(repeated.means) == once
    assert repeated.n_scored.tolist() == [5] * 150


def test_missing_epochs_are_left_out() -> None:
    """A sample's mean is over the epochs that were scored."""
    result = sample_means(["a", "a", "b"], [1, float("nan"), float("nan")])
    assert result.means[0] == 1.0
    assert math.isnan(result.means[1])


def test_unequal_lengths_are_refused() -> None:
    """Ids and scores go together."""
    with pytest.raises(ValueError, match="as many ids"):
        sample_means(["a"], [1, 0])


def test_variance_is_split() -> None:
    """Known parts are found again on simulated data."""
    rng = np.random.default_rng(3)
    ability = rng.normal(0.5, 0.2, 4000)
    scores = (ability[:, None] + rng.normal(0, 0.1, (4000, 3))).ravel()
    result = epoch_variance(list(np.repeat(np.arange(4000), 3)), scores)
    assert result.between == pytest.approx(0.04, rel=0.1)
    assert result.within == pytest.approx(0.01, rel=0.1)


def test_one_epoch_cannot_be_split() -> None:
    """Without a repeat the parts are NaN with the reason."""
    result = epoch_variance(["a", "b"], [0, 1])
    assert math.isnan(result.between)
    assert "scored twice" in result.reason
