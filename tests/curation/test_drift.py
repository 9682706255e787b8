"""Drift: the alarm fires for stronger models and stays silent for more of the same."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation.drift import drift
from snellen.curation.validate import splits_of
from snellen.errors import UsageError
from tests.curation.synthetic import matrix, rasch


def test_strongest_third_raises_the_alarm() -> None:
    """Models above the calibrating range: alarm, and what to do."""
    m = matrix(rasch(18, 400))
    (split,) = splits_of(m, "strongest-third", 1, 0)
    found = drift(m.take_models(split.train), m.take_models(split.rows))
    assert found.alarm
    assert any("probability part alone" in line for line in found.advice)
    assert all(model.gain_over_best > 0 for model in found.models)


def test_random_thirds_stay_silent() -> None:
    """Models from the same range: no alarm."""
    m = matrix(rasch(18, 400))
    alarms = [
        drift(m.take_models(s.train), m.take_models(s.rows)).alarm for s in splits_of(m, "random-thirds", 10, 1)
    ]
    assert not any(alarms)


def test_saturated_items_raise_the_alarm() -> None:
    """New models that all solve almost everything leave no live items."""
    y = rasch(12, 300)
    new = np.ones((4, 300))
    new[:, :20] = rasch(4, 20)
    found = drift(matrix(y), matrix(new))
    assert found.alarm
    assert found.after.live_share < 0.1


def test_misfit_is_named() -> None:
    """A model that solves the hard items and fails the easy ones stands out."""
    y = rasch(14, 300)
    odd = 1.0 - y.mean(axis=0)
    found = drift(matrix(y), matrix((odd[None, :] > 0.5).astype(float)))
    assert found.models[0].is_misfit
    assert any("m0" in line for line in found.findings)


def test_few_shared_items_are_refused() -> None:
    """Without shared items there is nothing to compare."""
    with pytest.raises(UsageError, match="at least 20"):
        drift(matrix(rasch(9, 10)), matrix(rasch(9, 10)))
