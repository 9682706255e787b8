"""Corrections for many tests."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from snellen.stats.multiplicity import benjamini_hochberg, holm

P = np.array([0.001, 0.2, 0.013, 0.04, 0.04, 0.8])


def test_benjamini_hochberg_agrees_with_scipy() -> None:
    """Adjusted p values are scipy's."""
    assert benjamini_hochberg(P) == pytest.approx(scipy_stats.false_discovery_control(P))


def test_holm_by_hand() -> None:
    """Sorted p times 6, 5, 4, …, made monotone: 0.006, 0.065, 0.16, 0.16, 0.4, 0.8."""
    assert holm(P) == pytest.approx([0.006, 0.4, 0.065, 0.16, 0.16, 0.8])


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_missing_tests_are_not_counted(correct: object) -> None:
    """A NaN stays NaN and costs the others nothing."""
    result = correct([0.01, float("nan"), 0.04])  # type: ignore[operator]
    assert math.isnan(result[1])
    assert result[[0, 2]] == pytest.approx(correct([0.01, 0.04]))  # type: ignore[operator]
    assert len(correct([])) == 0  # type: ignore[operator]
