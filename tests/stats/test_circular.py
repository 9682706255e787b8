"""Circular scoring."""

import math

import numpy as np
import pytest

from snellen.stats.circular import circular_means, circular_score, circular_slope, guessing_slope

NAN = float("nan")


def test_always_one_letter_scores_nothing() -> None:
    """A model that always says A is right in one rotation of four, and circularly never."""
    groups = [f"q{i}" for i in range(30) for _ in range(4)]
    result = circular_score(groups, [1, 0, 0, 0] * 30, [4] * 120)
    assert result.circular.mean == 0.0
    assert result.vanilla.mean == result.vanilla_floor == 0.25
    assert result.floor == pytest.approx(1 / 256)


def test_a_missing_rotation_is_missing_unless_another_is_wrong() -> None:
    """Missing is not wrong, but one wrong rotation settles the question."""
    assert math.isnan(circular_means(["q", "q"], [1, NAN])["q"])
    assert circular_means(["q", "q"], [0, NAN])["q"] == 0.0
    assert circular_score(["q", "q"], [1, NAN], [2, 2]).n_incomplete == 1


def test_nothing_complete_is_nan() -> None:
    """Without a complete question all is NaN."""
    result = circular_score(["q"], [NAN], [4])
    assert math.isnan(result.circular.mean)
    assert math.isnan(result.floor)


def test_slope_of_knowing_and_guessing() -> None:
    """Models that know a share and guess the rest lie on the expected line."""
    known = np.linspace(0, 1, 11)
    vanilla, circular = known + (1 - known) / 4, known + (1 - known) / 256
    result = circular_slope(vanilla, circular)
    assert result.slope == pytest.approx(guessing_slope(4)) == pytest.approx(result.expected_slope)
    assert circular_slope([0.5, NAN], [0.1, 0.2]).reason != ""
    assert math.isnan(guessing_slope(1))
    with pytest.raises(ValueError, match="as many groups"):
        circular_means(["q"], [1, 1])
