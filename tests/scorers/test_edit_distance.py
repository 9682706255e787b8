"""Edit distance and similarity."""

from __future__ import annotations

import pytest

from snellen.errors import ScorerError
from snellen.scorers.edit_distance import edit_distance, edit_distances, edit_similarity, similarity_with_cut


def test_by_hand() -> None:
    """Unit costs over code points."""
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("", "abc") == 3
    assert edit_distance("\ud800a", "a") == 1


def test_similarity() -> None:
    """1 − distance over the longer text; two empty texts are alike."""
    assert edit_similarity("abcd", "abcx") == 0.75
    assert edit_similarity("", "") == 1.0
    assert edit_similarity("", "x") == 0.0


def test_cut_is_inclusive() -> None:
    """Exactly the cut counts, anything below is 0."""
    assert similarity_with_cut("abcd", "abxy") == 0.5
    assert similarity_with_cut("abcd", "axyz") == 0.0
    assert similarity_with_cut("a" * 1000, "a") == 0.0


def test_too_long_texts_are_refused() -> None:
    """Beyond the bound there is an error, not an endless wait; equal texts are free."""
    text = "ab" * 500_000
    with pytest.raises(ScorerError, match="work bound"):
        edit_distance(text, text + "x")
    assert edit_distance(text, text) == 0
    with pytest.raises(ScorerError, match="work bound"):
        edit_distances([text], [text])


def test_all_pairs() -> None:
    """A matrix of distances."""
    assert edit_distances(["a", "ab"], ["a", "b", ""]).tolist() == [[0, 1, 1], [1, 1, 2]]
