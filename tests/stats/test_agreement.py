"""Agreement of raters."""

import csv
import math
import os
from pathlib import Path

import numpy as np
import pytest

from snellen.stats.agreement import agreement, contingency, krippendorff_alpha

SHARED = Path(os.environ.get("SNELLEN_SHARED", Path(__file__).parents[2] / "../shared"))
JUDGES = SHARED / "data/matrices/judges/arena_judges.csv"

# Krippendorff's example of four observers, twelve units, five classes (nominal α = 0.743).
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)


@pytest.mark.skipif(not JUDGES.exists(), reason="real judge table is not in this checkout")
@pytest.mark.parametrize(
    ("raters", "expected"),
    [
        (("human", "gpt-4o-mini"), (0.626, 0.2527, 0.2536, 0.2491)),
        (("human", "gpt-5.2"), (0.561, 0.1219, 0.1215, 0.1210)),
        (("gpt-4o-mini", "gpt-5.2"), (0.570, 0.1320, 0.1473, 0.1316)),
    ],
)
def test_real_judges(raters: tuple[str, str], expected: tuple[float, ...]) -> None:
    """Two judges and a human on 876 pairs give the known values."""
    rows = list(csv.DictReader(JUDGES.read_text(encoding="utf-8").splitlines()))
    first, second = ([row[name] or None for row in rows] for name in raters)
    result = agreement(first, second)
    assert result.n == 876
    assert result.observed.mean == pytest.approx(expected[0], abs=5e-4)
    measured = (result.kappa.mean, result.ac1.mean, result.alpha.mean)
    assert measured == pytest.approx(expected[1:], abs=5e-5)
    assert krippendorff_alpha([first, second]).mean == pytest.approx(expected[3], abs=5e-5)
    assert result.kappa.low < result.kappa.mean < result.kappa.high


def test_alpha_of_four_observers_with_gaps() -> None:
    """Krippendorff's published example."""
    assert krippendorff_alpha(OBSERVERS).mean == pytest.approx(0.743, abs=5e-4)


def test_ac1_stays_stable_where_kappa_does_not() -> None:
    """118 of 125 equal with nearly all of one class: κ is about 0, AC1 high (Gwet's paradox)."""
    first = ["+"] * 118 + ["+"] * 5 + ["-"] * 2
    second = ["+"] * 118 + ["-"] * 5 + ["+"] * 2
    result = agreement(first, second)
    assert result.kappa.mean == pytest.approx(-0.0234, abs=5e-4)
    assert result.ac1.mean == pytest.approx(0.9408, abs=5e-4)


def test_perfect_and_opposite() -> None:
    """Equal raters reach 1; opposite ones go below 0."""
    labels = ["a", "b"] * 20
    assert agreement(labels, labels).kappa.mean == 1.0
    assert agreement(labels, labels[::-1]).kappa.mean == -1.0


def test_degenerate_is_nan_with_reason() -> None:
    """No shared item, or one class only: NaN and why."""
    assert agreement([None], ["a"]).kappa.reason == "no item was rated by both"
    one_class = agreement(["a", "a"], ["a", "a"])
    assert math.isnan(one_class.kappa.mean)
    assert one_class.observed.mean == 1.0
    assert krippendorff_alpha([["a", None], [None, "b"]]).reason == "no item has two ratings"
    assert krippendorff_alpha([["a"], ["a"]]).reason == "all ratings are of one class"


def test_raters_can_be_swapped() -> None:
    """All four measures are symmetric, and unequal lengths are refused."""
    rng = np.random.default_rng(0)
    first, second = (list(rng.choice(list("abc"), 50)) for _ in range(2))
    forward, backward = agreement(first, second), agreement(second, first)
    assert forward.kappa.mean == pytest.approx(backward.kappa.mean)
    assert contingency(first, second)[1].tolist() == contingency(second, first)[1].T.tolist()
    with pytest.raises(ValueError, match="equal lengths"):
        contingency(["a"], [])


@pytest.mark.slow
def test_coverage_of_kappa() -> None:
    """95 % bootstrap intervals of κ hold the true κ 93 to 97 times in a hundred."""
    truth, hits, n_runs = 0.5, 0, 1000
    for run in range(n_runs):
        rng = np.random.default_rng([5, run])
        first = rng.random(400) < 0.5
        second = np.where(rng.random(400) < 0.75, first, ~first)
        result = agreement(list(first), list(second), seed=run, n_draws=1000).kappa
        hits += result.low <= truth <= result.high
    assert 0.93 <= hits / n_runs <= 0.97
