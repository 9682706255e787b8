"""How well an item tells strong models from weak ones: item–rest correlation, its jackknife and its shrinkage.

The item–rest point-biserial correlation of item i is Pearson's r, over the models that saw i, between the item's
score and each model's mean score on all *other* items it saw. With A = s/(n-1) and B = 1/(n-1) of a model (s its
summed score, n its number of scored items) the rest score is T = A - B·y, so that all six sums of every item are a
handful of matrix products; scores may be graded.

References: Lord and Novick, Statistical Theories of Mental Test Scores (1968), ch. 15; Efron and Morris, Data
analysis using Stein's estimator (1975); DatBench, arXiv 2601.02316, section 3.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.curation.matrix import Floats, Ints, model_means
from snellen.errors import UsageError

MIN_MODELS = 8
"""Fewer observed models give no item–rest correlation worth printing (NaN)."""

_BLOCK = 8192
_FLAT = 1e-12


@dataclass(frozen=True, slots=True)
class Discrimination:
    """Item statistics, each of shape (n_items,)."""

    r: Floats
    """Item–rest correlation; NaN where it cannot be had (too few models, or all models score the same)."""
    n: Floats
    """Models observed."""
    p: Floats
    """Mean score of the observed models; NaN for an item nobody saw."""


@dataclass(frozen=True, slots=True)
class Jackknife:
    """What happens to r when one model is left out."""

    se: Floats
    """Jackknife standard error of r, shape (n_items,)."""
    low: Floats
    """r - 1.645·se: one-sided 95 % lower bound."""
    minimum: Floats
    """Smallest r over the deletions."""
    left_out: NDArray[np.float32]
    """r with model k deleted, shape (n_models, n_items)."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """Empirical-Bayes estimate of the item–rest correlation."""

    r: Floats
    """Posterior mean, back on the r scale, shape (n_items,); NaN where r is."""
    reliability: float
    """Mean weight given to the item's own r, 0–1: how much the models say about single items."""
    tau2: float
    """Variance of the true z = atanh r around its regression."""


@dataclass(frozen=True, slots=True)
class _Ability:
    """Terms of the rest score T = a - b·(y - d) of each model, with d the item's difficulty offset."""

    a: Floats
    b: Floats
    offset: Floats | None


def item_rest(scores: Floats, *, min_models: int = MIN_MODELS, ability: str = "rest") -> Discrimination:
    """Item–rest correlation of every item, exact with missing cells and graded scores.

    Args:
        scores: shape (n_models, n_items), in [0, 1], NaN = missing.
        min_models: items that fewer models answered get NaN.
        ability: "rest" (mean score on the other items seen) or "additive" (the same after each item's difficulty is
            taken off, for matrices in which the models saw different items).

    Returns:
        r, n and p of each item.

    >>> y = np.array([[1, 1, 1.0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> item_rest(y, min_models=3).r.round(3).tolist()
    [0.522, 0.707, 0.522]
    """
    terms = _ability(scores, ability)
    r = np.empty(scores.shape[1])
    n = np.empty(scores.shape[1])
    total = np.empty(scores.shape[1])
    for part in _blocks(scores.shape[1]):
        sums = _six_sums(*_block_cells(scores, terms, part), terms)
        r[part] = _correlation(*sums)
        n[part], total[part] = sums[0], sums[1]
    r[n < min_models] = np.nan
    p = np.divide(total, n, out=np.full_like(n, np.nan), where=n > 0)
    return Discrimination(r, n, p)


def jackknife(scores: Floats, *, min_models: int = MIN_MODELS, ability: str = "rest") -> Jackknife:
    """Leave-one-model-out r of every item in closed form: one model's terms are taken off the six sums.

    Args:
        scores: shape (n_models, n_items), NaN = missing.
        min_models: as for `item_rest`; the deletions may have one model fewer.
        ability: as for `item_rest`.
    """
    terms = _ability(scores, ability)
    n_models, n_items = scores.shape
    left_out = np.empty((n_models, n_items), dtype=np.float32)
    se, minimum = np.empty(n_items), np.empty(n_items)
    for part in _blocks(n_items):
        y, w, d = _block_cells(scores, terms, part)
        without = _leave_one_out(y, w, d, terms)
        n = w.sum(axis=0)
        without[:, n < min_models] = np.nan
        left_out[:, part] = without
        se[part], minimum[part] = _spread(without, w)
    return Jackknife(se, _r_minus(scores, se, min_models, ability), minimum, left_out)


def _r_minus(scores: Floats, se: Floats, min_models: int, ability: str) -> Floats:
    return item_rest(scores, min_models=min_models, ability=ability).r - 1.645 * se


def _ability(scores: Floats, ability: str) -> _Ability:
    if ability not in ("rest", "additive"):
        raise UsageError(f"unknown ability {ability!r}; choose rest or additive")
    seen = ~np.isnan(scores)
    n = seen.sum(axis=1).astype(np.float64)
    total = np.nansum(scores, axis=1)
    offset = _item_offsets(scores, seen) if ability == "additive" else None
    if offset is not None:
        total = total - seen @ offset
    usable = n > 1
    b = np.divide(1.0, n - 1, out=np.zeros_like(n), where=usable)
    a = total * b
    centre = a[usable].mean() if usable.any() else 0.0
    return _Ability(np.where(usable, a - centre, np.nan), b, offset)


def _item_offsets(scores: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Item effects of the two-way additive fit y ≈ model + item, by alternating least squares."""
    y = np.where(seen, scores, 0.0)
    n_model = np.maximum(seen.sum(axis=1), 1)
    n_item = np.maximum(seen.sum(axis=0), 1)
    item = np.zeros(scores.shape[1])
    for _ in range(20):
        model = (y.sum(axis=1) - seen @ item) / n_model
        item = (y.sum(axis=0) - model @ seen) / n_item
    return item


def _blocks(n_items: int) -> Iterator[slice]:
    for start in range(0, n_items, _BLOCK):
        yield slice(start, min(start + _BLOCK, n_items))


def _block_cells(scores: Floats, terms: _Ability, part: slice) -> tuple[Floats, Floats, Floats | None]:
    block = scores[:, part]
    w = (~np.isnan(block)).astype(np.float64)
    w[np.isnan(terms.a)] = 0.0
    y = np.where(w > 0, block, 0.0)
    return y, w, None if terms.offset is None else terms.offset[part]


def _six_sums(y: Floats, w: Floats, d: Floats | None, terms: _Ability) -> tuple[Floats, ...]:
    a = np.nan_to_num(terms.a)
    b = terms.b
    one = np.ones_like(a)
    on_w = np.stack([one, a, a * a, b, a * b, b * b]) @ w
    on_y = np.stack([one, a, b, a * b, b * b]) @ y
    on_yy = np.stack([one, b, b * b]) @ (y * y)
    n, sum_y, sum_yy = on_w[0], on_y[0], on_yy[0]
    sum_t = on_w[1] - on_y[2]
    sum_yt = on_y[1] - on_yy[1]
    sum_tt = on_w[2] - 2 * on_y[3] + on_yy[2]
    if d is not None:
        sum_t = sum_t + d * on_w[3]
        sum_yt = sum_yt + d * on_y[2]
        sum_tt = sum_tt + 2 * d * (on_w[4] - on_y[4]) + d * d * on_w[5]
    return n, sum_y, sum_yy, sum_t, sum_tt, sum_yt


def _correlation(n: Floats, sy: Floats, syy: Floats, st: Floats, stt: Floats, syt: Floats) -> Floats:
    var_y = n * syy - sy * sy
    var_t = n * stt - st * st
    known = (var_y > _FLAT * n * n) & (var_t > _FLAT * _FLAT * n * n)
    product = np.where(known, var_y * var_t, 1.0)
    return np.where(known, np.clip((n * syt - sy * st) / np.sqrt(product), -1.0, 1.0), np.nan)


def _leave_one_out(y: Floats, w: Floats, d: Floats | None, terms: _Ability) -> Floats:
    n, sy, syy, st, stt, syt = _six_sums(y, w, d, terms)
    a = np.nan_to_num(terms.a)[:, None]
    rest = w * (a - terms.b[:, None] * (y if d is None else y - d))
    return _correlation(n - w, sy - y, syy - y * y, st - rest, stt - rest * rest, syt - y * rest)


def _spread(without: Floats, w: Floats) -> tuple[Floats, Floats]:
    """Jackknife standard error and minimum over the deletions of models that were observed."""
    used = (w > 0) & ~np.isnan(without)
    n = used.sum(axis=0).astype(np.float64)
    values = np.where(used, without, 0.0)
    mean = values.sum(axis=0) / np.maximum(n, 1)
    squares = np.where(used, (without - mean) ** 2, 0.0).sum(axis=0)
    se = np.where(n > 1, np.sqrt(squares * (n - 1) / np.maximum(n, 1)), np.nan)
    minimum = np.where(used, without, np.inf).min(axis=0)
    return se, np.where(np.isfinite(minimum), minimum, np.nan)


def shrink(item: Discrimination, strata: Ints | None = None) -> Shrunk:
    """Shrink each r towards what its difficulty and stratum let one expect.

    z = atanh r has sampling variance 1/(n-3); the prior mean is a regression of z on p, p² and the stratum; the prior
    variance is what the residuals hold beyond sampling.

    Args:
        item: from `item_rest`.
        strata: integer code of each item's dataset or category, or None.
    """
    known = np.isfinite(item.r) & (item.n > 3)
    if known.sum() < 8:
        return Shrunk(np.where(known, 0.0, np.nan), 0.0, 0.0)
    z = np.arctanh(np.clip(item.r[known], -0.999, 0.999))
    design = _design(item.p[known], None if strata is None else strata[known])
    # Normal equations: a tall least-squares problem costs a hundred times the small one, and is not better here.
    gram = design.T @ design
    mean = design @ (np.linalg.pinv(gram, hermitian=True) @ (design.T @ z))
    noise = 1.0 / (item.n[known] - 3)
    spare = max(z.size - int(np.linalg.matrix_rank(gram, hermitian=True)), 1)
    tau2 = max(0.0, float(((z - mean) ** 2).sum() / spare - noise.mean()))
    weight = tau2 / (tau2 + noise)
    r = np.full(item.r.shape, np.nan)
    r[known] = np.tanh(weight * z + (1 - weight) * mean)
    return Shrunk(r, float(weight.mean()), tau2)


def _design(p: Floats, strata: Ints | None) -> Floats:
    centred = p - p.mean()
    columns = [np.ones_like(p), centred, centred * centred]
    if strata is not None:
        levels, counts = np.unique(strata, return_counts=True)
        columns += [(strata == level).astype(np.float64) for level in levels[counts >= 20][1:]]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True)
class Leverage:
    """How much one model decides."""

    variance_share: Floats
    """Each model's share of the between-model variance of mean scores, sums to 1; shape (n_models,)."""
    overlap: Floats
    """Share of the top-k items that stay when the model is deleted, shape (n_models,)."""
    warnings: tuple[str, ...]
    """Plain sentences; empty when no model decides alone."""


def score_variance_share(means: Floats) -> Floats:
    """Each model's share of the variance of the mean scores.

    >>> score_variance_share(np.array([0.5, 0.5, 0.8])).round(3).tolist()
    [0.167, 0.167, 0.667]
    """
    known = means[np.isfinite(means)]
    squares = (means - (known.mean() if known.size else 0.0)) ** 2
    total = float(np.nansum(squares))
    return squares / total if total > 0 else np.zeros_like(means)


def leverage(scores: Floats, models: tuple[str, ...], n_top: int, loo: Jackknife | None = None) -> Leverage:
    """Find models that decide the ranking of the items alone.

    Args:
        scores: shape (n_models, n_items).
        models: names for the warnings.
        n_top: size of the subset whose picks are compared.
        loo: a jackknife already at hand.
    """
    loo = loo or jackknife(scores)
    share = score_variance_share(model_means(scores))
    full = _top(item_rest(scores).r, n_top)
    overlap = np.array([len(np.intersect1d(full, _top(row, n_top))) / max(full.size, 1) for row in loo.left_out])
    warnings = [
        f"{models[k]} alone carries {share[k]:.0%} of the variance between models (more than 30 %)"
        for k in np.flatnonzero(share > 0.30)
    ]
    warnings += [
        f"without {models[k]} only {overlap[k]:.0%} of the {n_top} most discriminating items stay (less than 80 %)"
        for k in np.flatnonzero(overlap < 0.8)
        if full.size
    ]
    return Leverage(share, overlap, tuple(warnings))


def _top(r: NDArray[np.floating], n_top: int) -> Ints:
    known = np.flatnonzero(np.isfinite(r))
    order = np.argsort(-r[known], kind="stable")[: min(n_top, known.size)]
    return known[order].astype(np.int64)
