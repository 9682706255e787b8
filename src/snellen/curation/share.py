"""How large the discriminating part should be, found by validation inside the calibrating models.

Each calibrating model is left out in turn (in folds, where the matrix is large): the others choose the discriminating
items, and the model is scored on them together with a probability part that all share. The rankings that come of it
are compared with the full scores, over all pairs of models and over the stronger half alone. A weak-to-strong split
is looked at too. A discriminating part is taken only where it ranks models better that had no say in it: it costs
probability items, and where the models cannot tell, the subset should stay a plain probability sample. Shares above a
quarter were not safe for stronger models (docs/decisions/0051-curation-selection.md), so they are not offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from snellen.curation.matrix import Floats, Ints, model_means
from snellen.curation.ranking import all_pairs, tau_b
from snellen.curation.sampling import allocate, difficulty, draw, stratify
from snellen.curation.select import Picker, statistics

CANDIDATES = (0.0, 0.25)
"""Shares that are tried."""
MIN_GAIN = 0.03
"""Tau-b that a share must gain over all pairs of left-out models."""
WEIGHTS = (0.4, 0.4, 0.2)
"""Of the gains over all pairs, over the stronger half, and on the weak-to-strong splits."""
MIN_MODELS = 8
"""Fewer calibrating models are not split again: the share is 0."""
STRONG_FRACTIONS = (1 / 3, 0.4, 0.5)
"""Sizes of the strong side in the weak-to-strong splits."""
_INNER_MIN_MODELS = 4
_LARGE = 50_000


@dataclass(frozen=True, slots=True)
class ShareChoice:
    """The chosen share and what it was chosen by."""

    share: float
    """Share of the discriminating part."""
    candidates: tuple[float, ...]
    """Shares tried."""
    tau_all: tuple[float, ...]
    """Tau-b of left-out models over all pairs, one a candidate."""
    tau_stronger_half: tuple[float, ...]
    """The same over pairs of the stronger half."""
    tau_weak_to_strong: tuple[float, ...]
    """Mean tau-b of strong models whose items were chosen by weaker ones."""
    reason: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class _Task:
    scores: Floats
    groups: Ints
    frame: Ints
    n: int
    n_draws: int
    n_folds: int
    fractions: tuple[float, ...]
    seed: int

    def rng(self, *more: int) -> np.random.Generator:
        """A generator of its own for each part, so that all candidates meet the same draws."""
        return np.random.default_rng([self.seed, 7, *more])


def choose_share(scores: Floats, groups: Ints, n: int, *, frame: Ints | None = None, seed: int = 0) -> ShareChoice:
    """Choose the share of the discriminating part.

    Args:
        scores: calibrating models, shape (n_models, n_items).
        groups: dataset code of each item.
        n: size of the subset.
        frame: positions that may be chosen (None: all).
        seed: of the draws.
    """
    n_models, n_items = scores.shape
    frame = np.arange(n_items) if frame is None else frame
    if n_models < MIN_MODELS or n >= frame.size:
        why = f"{n_models} calibrating models are too few to validate on" if n < frame.size else "all items are taken"
        nothing = (float("nan"),)
        return ShareChoice(0.0, (0.0,), nothing, nothing, nothing, why)
    task = _Task(scores, groups, frame, n, 6, n_models, STRONG_FRACTIONS, seed)
    if n_items > _LARGE:
        task = _Task(scores, groups, frame, n, 2, 4, STRONG_FRACTIONS[:1], seed)
    everyone, stronger = _left_out(task)
    return _decide(everyone, stronger, _weak_to_strong(task))


def _left_out(task: _Task) -> tuple[Floats, Floats]:
    """Tau-b per candidate over all pairs and over the stronger half, from scores without own influence."""
    n_models = task.scores.shape[0]
    truth = model_means(task.scores[:, task.frame])
    shared = [_probability_parts(task, share) for share in CANDIDATES]
    found = np.full((len(CANDIDATES), task.n_draws, n_models), np.nan)
    for fold in _folds(n_models, task):
        picker = _picker(task, np.delete(task.scores, fold, axis=0))
        for c, share in enumerate(CANDIDATES):
            certain = picker.discriminating(round(share * task.n))
            for k, drawn in enumerate(shared[c]):
                both = np.concatenate([certain, drawn])
                found[c, k, fold] = model_means(task.scores[np.ix_(fold, both)])
    strong = np.zeros(n_models, dtype=bool)
    strong[np.argsort(-np.nan_to_num(truth, nan=-1.0), kind="stable")[: max(4, (n_models + 1) // 2)]] = True
    pairs = all_pairs(n_models)
    return _mean_taus(found, truth, pairs), _mean_taus(found, truth, pairs & strong[:, None] & strong[None, :])


def _probability_parts(task: _Task, share: float) -> list[Ints]:
    """Samples that all left-out models share; drawn from the whole frame, with the difficulty all models give."""
    n_drawn = task.n - round(share * task.n)
    strata = stratify(difficulty(task.scores)[task.frame], task.groups[task.frame], n_draws=n_drawn)
    quota = allocate(strata, np.ones(task.frame.size), n_drawn)
    return [task.frame[draw(strata, quota, task.rng(1, k)).chosen] for k in range(task.n_draws)]


def _folds(n_models: int, task: _Task) -> Iterator[Ints]:
    order = task.rng(2).permutation(n_models)
    for part in np.array_split(order, min(task.n_folds, n_models)):
        yield np.sort(part)


def _picker(task: _Task, train: Floats) -> Picker:
    return Picker(statistics(train, task.groups, min_models=_INNER_MIN_MODELS), task.groups, task.frame)


def _mean_taus(found: Floats, truth: Floats, pairs: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Floats:
    return np.array([_mean([tau_b(scores, truth, pairs) for scores in draws]) for draws in found])


def _weak_to_strong(task: _Task) -> Floats:
    """Mean tau-b per candidate of strong models on items that weaker ones chose."""
    order = np.argsort(np.nan_to_num(model_means(task.scores)), kind="stable")
    taus = np.full((len(task.fractions), len(CANDIDATES)), np.nan)
    for row, fraction in enumerate(task.fractions):
        held = np.sort(order[-max(3, round(order.size * fraction)) :])
        picker = _picker(task, np.delete(task.scores, held, axis=0))
        test = task.scores[held]
        truth = model_means(test[:, task.frame])
        for c, share in enumerate(CANDIDATES):
            draws = [picker.sample(share, task.n, task.rng(3, row, k))[0] for k in range(task.n_draws)]
            taus[row, c] = _mean([tau_b(model_means(test[:, chosen]), truth) for chosen in draws])
    return np.array([_mean(taus[:, c].tolist()) for c in range(len(CANDIDATES))])


def _mean(values: list[float]) -> float:
    known = [v for v in values if np.isfinite(v)]
    return sum(known) / len(known) if known else float("nan")


def _decide(everyone: Floats, stronger: Floats, weak_to_strong: Floats) -> ShareChoice:
    gains = [np.nan_to_num(taus - taus[0]) for taus in (everyone, stronger, weak_to_strong)]
    value = sum(weight * gain for weight, gain in zip(WEIGHTS, gains, strict=True))
    value = np.where(gains[0] > MIN_GAIN, value, -np.inf)
    value[0] = 0.0
    best = int(np.argmax(value))
    said = f"{gains[0][best or 1]:+.3f} tau-b over all pairs, {gains[1][best or 1]:+.3f} over the stronger half, "
    said += f"{gains[2][best or 1]:+.3f} from weak to strong"
    reason = (
        f"a discriminating share of {CANDIDATES[best]:.0%} ranks left-out calibrating models better ({said})"
        if best
        else f"no discriminating share ranks left-out calibrating models clearly better (25 %: {said})"
    )
    taus = [tuple(t.tolist()) for t in (everyone, stronger, weak_to_strong)]
    return ShareChoice(CANDIDATES[best], CANDIDATES, taus[0], taus[1], taus[2], reason)
