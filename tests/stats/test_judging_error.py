"""Correcting for a judge's errors."""

import math

import numpy as np
import pytest

from snellen.stats.judging_error import corrected_mean, judge_quality, rogan_gladen

NAN = float("nan")


def _simulated(seed: list[int], n: int, truth: float = 0.6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    true = (rng.random(n) < truth).astype(float)
    judged = np.where(true == 1, rng.random(n) < 0.9, rng.random(n) < 0.25).astype(float)
    return judged, true


def test_rates_by_hand() -> None:
    """Sensitivity 2 of 3, specificity 1 of 2, missing left out."""
    result = judge_quality([1, 1, 0, 0, 1, 1], [1, 1, 1, 0, 0, NAN])
    assert result.sensitivity.mean == pytest.approx(2 / 3)
    assert result.specificity.mean == 0.5
    assert result.accuracy.n == 5


def test_a_lenient_judge_is_corrected() -> None:
    """Both corrections move the mean verdict (0.64) back to the truth (0.6)."""
    judged, true = _simulated([1], 40_000)
    checked = slice(0, 4000)
    quality = judge_quality(judged[checked], true[checked])
    assert quality.bias > 0.02
    assert corrected_mean(judged[4000:], judged[checked], true[checked]).mean == pytest.approx(0.6, abs=0.02)
    assert rogan_gladen(judged[4000:], quality).mean == pytest.approx(0.6, abs=0.03)


def test_correction_is_narrower_than_the_checked_ones_alone() -> None:
    """Many verdicts help; a judge of noise does not hurt (its weight is 0)."""
    judged, true = _simulated([2], 5000)
    alone = 1.96 * true[:200].std(ddof=1) / 200**0.5
    assert corrected_mean(judged[200:], judged[:200], true[:200]).half_width < alone
    noise = corrected_mean([1.0] * 500, [1.0] * 200, true[:200])
    assert noise.half_width == pytest.approx(alone, rel=0.01)
    assert "0.00" in noise.reason


def test_degenerate_is_nan_with_reason() -> None:
    """Too few checked, no class, a judge of chance: NaN and why."""
    assert "two checked" in corrected_mean([1], [1], [1]).reason
    assert judge_quality([1], [1]).specificity.reason == "no answer was truly wrong"
    chance = judge_quality([1, 0, 1, 0], [1, 1, 0, 0])
    assert rogan_gladen([1, 0], chance).reason == "the judge is no better than chance"
    assert math.isnan(rogan_gladen([], judge_quality([1], [1])).mean)
    with pytest.raises(ValueError, match="equal lengths"):
        judge_quality([1], [])


def test_impossible_shares_are_cut_and_said() -> None:
    """A judged share below the false-positive rate is cut at 0."""
    quality = judge_quality([1] * 9 + [0] + [0] * 7 + [1] * 3, [1] * 10 + [0] * 10)
    result = rogan_gladen([0] * 50, quality)
    assert result.mean == 0.0
    assert "outside" in result.reason


@pytest.mark.slow
@pytest.mark.parametrize("method", ["ppi", "rogan-gladen"])
def test_coverage(method: str) -> None:
    """95 % intervals hold the truth 93 to 97 times in a hundred."""
    hits, n_runs = 0, 3000
    for run in range(n_runs):
        judged, true = _simulated([8, run], 3300)
        if method == "ppi":
            result = corrected_mean(judged[300:], judged[:300], true[:300])
        else:
            result = rogan_gladen(judged[300:], judge_quality(judged[:300], true[:300]))
        hits += result.low <= 0.6 <= result.high
    assert 0.93 <= hits / n_runs <= 0.97
