"""One-to-one matching of points by least total distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MOST_WORK = 1_000_000_000
"""Bound on min(n, m)² · max(n, m), the matching's worst-case steps."""

FAR = 1e6
"""Coordinates are cut to this size (in image widths)."""


class MatchingTooLarge(Exception):
    """The two sets are too large to be matched within the work bound; the sample is unscored."""


def nearest_pairs(found: Sequence[Sequence[float]], references: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Pair found points with reference points so that the summed Euclidean distance is least.

    Args:
        found: shape (n, 2).
        references: shape (m, 2), same unit.

    Returns:
        min(n, m) pairs (index into found, index into references).

    Raises:
        MatchingTooLarge: beyond the work bound.

    >>> nearest_pairs([[0.9, 0.9], [0.1, 0.1]], [[0.1, 0.2]])
    [(1, 0)]
    """
    fewer, more = sorted((len(found), len(references)))
    if fewer * fewer * more > MOST_WORK:
        raise MatchingTooLarge(f"{len(found)} points against {len(references)} are beyond the work bound")
    if fewer == 1 and more == 1:
        return [(0, 0)]
    from scipy.optimize import linear_sum_assignment

    # Far outside is far enough: unbounded values would overflow to an invalid distance.
    mine, theirs = (np.clip(np.asarray(points, dtype=float), -FAR, FAR) for points in (found, references))
    gaps = mine[:, None, :] - theirs[None, :, :]
    rows, columns = linear_sum_assignment(np.sqrt((gaps * gaps).sum(axis=2)))
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
