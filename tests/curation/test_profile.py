"""Profiles: correlations, trees, gains, lines, reliability, saturation."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation import profile as p
from snellen.errors import UsageError
from tests.curation.synthetic import rasch


def _profile(scores: list[list[float]]) -> p.Profile:
    n = len(scores[0])
    return p.Profile(tuple(f"m{k}" for k in range(len(scores))), tuple("abcdef"[:n]), np.array(scores))


def test_correlations_leave_incomplete_models_out() -> None:
    """Listwise: the model with a hole has no part in any pair."""
    found = p.correlate(_profile([[1, 2, 9], [2, 4, 8], [3, 6, 1], [9, 0, np.nan]]))
    assert found.n_models == 3
    assert found.between("a", "b") == pytest.approx(1.0)


def test_too_few_models_are_refused() -> None:
    """Two complete models correlate with everything: refused."""
    with pytest.raises(UsageError, match="at least 3"):
        p.correlate(_profile([[1, 2], [2, 1]]))


def test_tree_joins_the_closest_first() -> None:
    """Two pairs of twins form two clusters."""
    rng = np.random.default_rng(0)
    x, y = rng.random(20), rng.random(20)
    scores = np.stack([x, y, x + 0.01 * rng.random(20), y + 0.01 * rng.random(20)], axis=1)
    found = p.correlate(_profile(scores.tolist()))
    tree = p.link(found)
    assert set(p.cut(tree, found.capabilities, 2)) == {frozenset("ac"), frozenset("bd")}
    assert len(tree.merges) == 3
    assert tree.merges[0][2] <= tree.merges[1][2] <= tree.merges[2][2]


def test_gain_is_the_mean_of_ratios() -> None:
    """Mean of (second - first) / first; a missing score leaves its pair out."""
    profile = p.Profile(("i", "t", "j", "u"), ("a",), np.array([[10.0], [15.0], [20.0], [np.nan]]))
    assert p.relative_gain(profile, [("i", "t"), ("j", "u")]) == {"a": 0.5}
    with pytest.raises(UsageError, match="no model 'z'"):
        p.relative_gain(profile, [("i", "z")])


def test_line_through_known_points() -> None:
    """Slope, intercept and tau of a line."""
    line = p.subset_line(np.array([0.1, 0.2, 0.3, np.nan]), np.array([0.1, 0.3, 0.5, 0.9]))
    assert (line.slope, line.intercept, line.tau, line.n) == pytest.approx((2.0, -0.1, 1.0, 3))


def test_specialists_spread() -> None:
    """A model that is best at one and worst at another is less even than one in the middle."""
    rows = p.evenness(_profile([[1, 3, 2], [2, 2, 2], [3, 1, 2.5]]))
    assert rows[1].spread < rows[0].spread
    assert (rows[0].best, rows[0].worst) == ("b", "a")


def test_reliability_grows_with_items() -> None:
    """More items of a kind, higher alpha; guessing alone has none."""
    y = rasch(20, 400)
    assert p.reliability(y[:, :20]) < p.reliability(y) < 1
    noise = (np.random.default_rng(1).random((20, 400)) < 0.5).astype(float)
    assert abs(p.reliability(noise)) < 0.6
    assert np.isnan(p.reliability(y[:1]))


def test_saturation_of_a_solved_set() -> None:
    """Everything solved: nothing is live, the top gap is unknown."""
    found = p.saturation(np.ones((4, 50)))
    assert (found.live_share, found.best, found.top_gap) == (0.0, 1.0, 0.0)
    assert np.isnan(found.top_gap_in_se)
