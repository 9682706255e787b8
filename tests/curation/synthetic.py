"""Seeded response matrices for the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snellen.curation.matrix import ResponseMatrix

Floats = NDArray[np.float64]


def matrix(scores: Floats, *, strata: int = 1, families: int = 0) -> ResponseMatrix:
    """A matrix around scores: items i0 …, models m0 …, `strata` datasets, `families` families (0: each its own)."""
    n_models, n_items = scores.shape
    return ResponseMatrix(
        scores=scores,
        models=tuple(f"m{k}" for k in range(n_models)),
        items=tuple(f"i{k}" for k in range(n_items)),
        families=tuple(f"f{k % families if families else k}" for k in range(n_models)),
        strata=tuple(f"d{k % strata}" for k in range(n_items)),
    )


def rasch(n_models: int, n_items: int, seed: int = 0, *, guess: float = 0.0) -> Floats:
    """Right and wrong answers of models of spread ability on items of spread difficulty and discrimination."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(-1.5, 1.5, n_models)[:, None]
    slope, difficulty = rng.uniform(0.3, 2.0, n_items), rng.normal(0, 1, n_items)
    p = guess + (1 - guess) / (1 + np.exp(-slope * (ability - difficulty)))
    answers: Floats = (rng.random((n_models, n_items)) < p).astype(np.float64)
    return answers
