"""How well one ranking of models agrees with another."""

from __future__ import annotations

import numpy as np

from snellen.curation.matrix import Bools, Floats


def all_pairs(n_models: int) -> Bools:
    """Upper triangle: each pair of models once."""
    return np.triu(np.ones((n_models, n_models), dtype=bool), 1)


def pairs_touching(rows: Bools) -> Bools:
    """Pairs with at least one of the marked models.

    Args:
        rows: shape (n_models,).
    """
    return all_pairs(rows.size) & (rows[:, None] | rows[None, :])


def tau_b(x: Floats, y: Floats, pairs: Bools | None = None) -> float:
    """Kendall's tau-b, over all pairs or some.

    Args:
        x: scores, shape (n_models,).
        y: scores of the same models.
        pairs: shape (n_models, n_models), upper triangle; None takes all.

    Returns:
        Value in [-1, 1]; NaN when one of them ties all pairs.

    >>> tau_b(np.array([1, 2, 3.0]), np.array([1, 3, 2.0]))
    0.3333333333333333
    """
    chosen = all_pairs(x.size) if pairs is None else pairs
    dx = np.sign(x[:, None] - x[None, :])[chosen]
    dy = np.sign(y[:, None] - y[None, :])[chosen]
    known = np.isfinite(dx) & np.isfinite(dy)
    dx, dy = dx[known], dy[known]
    untied = float(np.count_nonzero(dx)) * float(np.count_nonzero(dy))
    return float((dx * dy).sum() / np.sqrt(untied)) if untied > 0 else float("nan")


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rho; NaN for fewer than three models or when one ranking is flat."""
    from scipy.stats import rankdata

    if x.size < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])
