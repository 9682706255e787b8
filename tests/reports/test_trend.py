"""Checkpoints over steps."""

import math
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UsageError
from snellen.reports import trend
from snellen.reports.alignment import align
from snellen.reports.run_data import load_run
from tests.reports.scored_runs import write_run


def runs(tmp_path: Path, steps: list[str], shares: list[float]) -> list:
    """One run a step with this share right."""
    return [
        load_run(write_run(tmp_path / f"r{i}", [float(j < share * 50) for j in range(50)], tags={"step": step}))
        for i, (step, share) in enumerate(zip(steps, shares, strict=True))
    ]


def test_steps_are_put_in_order(tmp_path: Path) -> None:
    """Order of the arguments does not matter; the change is against the step before."""
    ordered = trend.in_order(runs(tmp_path, ["3000", "1,000", "2_000"], [0.8, 0.4, 0.6]))
    result = trend.trend(align(ordered))
    (curve,) = result.curves
    assert [step.step for step in curve.steps] == [1000, 2000, 3000]
    assert [step.score.mean for step in curve.steps] == pytest.approx([0.4, 0.6, 0.8])
    assert curve.steps[0].change is None
    assert curve.steps[2].change.difference == pytest.approx(0.2)
    assert max(map(len, trend.terminal(result).splitlines())) <= 80
    assert "| 3,000 | 80.0 |" in trend.markdown(result)


def test_a_step_is_needed_once(tmp_path: Path) -> None:
    """A run without a step, or two with the same, are refused with the tag to give."""
    with pytest.raises(UsageError, match="--tag step=1000"):
        trend.in_order(runs(tmp_path / "a", ["1", "last"], [0.1, 0.2]))
    with pytest.raises(UsageError, match="same step"):
        trend.in_order(runs(tmp_path / "b", ["1", "1.0"], [0.1, 0.2]))


def test_noise_is_the_spread_around_the_line() -> None:
    """A known spread is found again; too few checkpoints give NaN."""
    rng = np.random.default_rng(1)
    found = [trend.noise_of_last(range(5), 0.1 * np.arange(5) + rng.normal(0, 0.02, 5))[0] for _ in range(2000)]
    assert np.mean(np.square(found)) == pytest.approx(0.02**2, rel=0.1)
    assert math.isnan(trend.noise_of_last([1, 2, 3], [0.1, 0.2, 0.3])[0])
    assert trend.noise_of_last([1, 2, 3, 4], [0.1, float("nan"), 0.3, 0.4])[1] == 3
