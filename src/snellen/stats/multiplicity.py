"""Many tests at once: p values corrected so that a table of twenty rows does not invent a finding."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.stats.resampling import Floats


def holm(p_values: npt.ArrayLike) -> Floats:
    """Holm's step-down correction: the chance of even one false finding in the table stays below the level.

    Args:
        p_values: shape (n,), in [0, 1]; NaN = no test was made, stays NaN and is not counted.

    Returns:
        Adjusted p values, shape (n,), not below the given ones, at most 1.

    References:
        S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64).ravel()
    order, n = _ordered(given)
    stepped = np.maximum.accumulate(given[order] * (n - np.arange(n)))
    return _placed(given, order, stepped)


def benjamini_hochberg(p_values: npt.ArrayLike) -> Floats:
    """Benjamini and Hochberg's correction: of the findings, at most this share is expected to be false.

    Args:
        p_values: shape (n,), in [0, 1]; NaN = no test was made, stays NaN and is not counted.

    Returns:
        Adjusted p values ("q values"), shape (n,).

    References:
        Y. Benjamini, Y. Hochberg, "Controlling the False Discovery Rate", JRSS B 57, 1995.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    given = np.asarray(p_values, dtype=np.float64).ravel()
    order, n = _ordered(given)
    scaled = given[order] * n / np.arange(1, n + 1)
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return _placed(given, order, stepped)


def _ordered(given: Floats) -> tuple[npt.NDArray[np.int64], int]:
    """Positions of the tests made, smallest p first, and how many they are."""
    n = int((~np.isnan(given)).sum())
    return np.argsort(given, kind="stable")[:n].astype(np.int64), n


def _placed(given: Floats, order: npt.NDArray[np.int64], stepped: Floats) -> Floats:
    adjusted = np.full(len(given), np.nan)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
