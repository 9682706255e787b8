"""Matching of points."""

from __future__ import annotations

import itertools
import random

import pytest

from snellen.scorers.assignment import MatchingTooLarge, nearest_pairs


def test_least_total_distance() -> None:
    """The pairing is as short as the best of all permutations."""
    draw = random.Random(3)
    found = [(draw.random(), draw.random()) for _ in range(5)]
    references = [(draw.random(), draw.random()) for _ in range(5)]

    def length(pairs: list[tuple[int, int]]) -> float:
        return sum(
            ((found[i][0] - references[j][0]) ** 2 + (found[i][1] - references[j][1]) ** 2) ** 0.5 for i, j in pairs
        )

    best = min(length(list(enumerate(order))) for order in itertools.permutations(range(5)))
    assert length(nearest_pairs(found, references)) == pytest.approx(best)


def test_far_values_do_no_harm() -> None:
    """Infinite coordinates are matched like any others."""
    assert nearest_pairs([(float("inf"), 0.0), (0.1, 0.1)], [(0.1, 0.1)]) == [(1, 0)]


def test_the_work_bound() -> None:
    """Two large sets are refused before anything is computed."""
    with pytest.raises(MatchingTooLarge):
        nearest_pairs([(0.0, 0.0)] * 2000, [(0.0, 0.0)] * 2000)
