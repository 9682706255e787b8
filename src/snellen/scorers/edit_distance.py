"""Levenshtein distance and similarity of texts, within a work bound.

References:
    Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", Soviet Physics Doklady 10
    (1966).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from snellen.errors import ScorerError

MAX_CELLS = 12_000_000_000
"""Largest product of both lengths; about half a second on one core."""


def edit_distance(first: str, second: str) -> int:
    """Least number of insertions, deletions and substitutions of characters that turns one text into the other.

    Raises:
        ScorerError: both texts are too long for the work bound.

    >>> edit_distance("kitten", "sitting")
    3
    """
    if first == second:
        return 0
    if len(first) * len(second) > MAX_CELLS:
        raise ScorerError(f"work bound: texts of {len(first)} and {len(second)} characters are too long to compare")
    return Levenshtein.distance(first, second)


def edit_similarity(first: str, second: str) -> float:
    """1 − distance / longer length, in [0, 1]; 1 when both are empty.

    >>> edit_similarity("abcd", "abcx"), edit_similarity("", "")
    (0.75, 1.0)
    """
    longer = max(len(first), len(second))
    return 1.0 - edit_distance(first, second) / longer if longer else 1.0


def similarity_with_cut(first: str, second: str, cut: float = 0.5) -> float:
    """Edit similarity where it reaches the cut, else 0 (ANLS; a cheap no where the lengths alone rule it out).

    >>> similarity_with_cut("abcd", "abcx"), similarity_with_cut("abcd", "wxyz")
    (0.75, 0.0)
    """
    longer = max(len(first), len(second))
    if longer and min(len(first), len(second)) / longer < cut:
        return 0.0
    value = edit_similarity(first, second)
    return value if value >= cut else 0.0


def edit_distances(first: Sequence[str], second: Sequence[str]) -> NDArray[np.float64]:
    """All distances between two lists of texts, shape (n_first, n_second).

    Raises:
        ScorerError: the texts together are too long for the work bound.
    """
    n_cells = sum(map(len, first)) * sum(map(len, second))
    if n_cells > MAX_CELLS:
        raise ScorerError(f"work bound: labels need {n_cells} character comparisons")
    return cdist(list(first), list(second), scorer=Levenshtein.distance, dtype=np.int32).astype(np.float64)
