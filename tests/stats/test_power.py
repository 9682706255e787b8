"""Minimum detectable difference and required n."""

import math

import numpy as np
import pytest

from snellen.stats.paired import paired_difference
from snellen.stats.power import minimum_detectable_difference, required_n


def test_known_value() -> None:
    """(1.95996 + 0.84162) standard errors at level 0.95 and power 0.8."""
    assert minimum_detectable_difference(0.02) == pytest.approx(0.0560317, rel=1e-5)


def test_required_n_undoes_the_minimum_detectable_difference() -> None:
    """The n needed for the difference that n samples can detect is n."""
    assert required_n(0.02, 500, minimum_detectable_difference(0.02)) == pytest.approx(500, abs=1)
    assert required_n(0.02, 500, minimum_detectable_difference(0.02) / 2) == pytest.approx(2000, abs=1)


def test_unknowable_is_nan() -> None:
    """No spread, no difference or no samples: NaN."""
    assert math.isnan(minimum_detectable_difference(0.0))
    assert math.isnan(minimum_detectable_difference(float("nan")))
    assert math.isnan(required_n(0.02, 100, 0.0))
    assert math.isnan(required_n(float("nan"), 100, 0.1))


@pytest.mark.slow
def test_the_stated_power_is_reached() -> None:
    """A true difference as large as the minimum detectable one is found four times out of five."""
    found = n_runs = 0
    for run in range(1500):
        rng = np.random.default_rng([3, run])
        a = rng.normal(0.5, 0.2, 300)
        noise = rng.normal(0, 0.1, 300)
        b = a + noise + minimum_detectable_difference(0.1 / 300**0.5)
        found += paired_difference(a, b, seed=run, n_draws=500).p_value < 0.05
        n_runs += 1
    assert 0.77 <= found / n_runs <= 0.83
