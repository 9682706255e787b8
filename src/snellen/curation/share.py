"""How large the discriminating part should be, found by validation inside the calibrating models.

The calibrating models are split again and again: into random thirds, and into weak and strong ones. In each inner
split the items are chosen by one side and the other side is ranked. A discriminating part is taken only where it
ranks random thirds better and stronger models not clearly worse: it costs probability items, and where the models
cannot tell, the subset should stay a plain probability sample. Larger shares than a quarter were not safe for
stronger models (docs/decisions/curation-selection.md), so they are not offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from snellen.curation.matrix import Floats, Ints
from snellen.curation.ranking import tau_b
from snellen.curation.select import Picker, statistics

CANDIDATES = (0.0, 0.25)
"""Shares that are tried."""
MIN_GAIN = 0.01
"""Tau-b that a share must gain on random thirds."""
STRONG_TOLERANCE = 0.1
"""Loss of tau-b on stronger models beyond which a share is refused (about the noise of the inner estimate)."""
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
    tau_thirds: tuple[float, ...]
    """Mean tau-b over the random inner splits, one a candidate."""
    tau_strong: tuple[float, ...]
    """Mean tau-b over the weak-to-strong inner splits."""
    reason: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class _Effort:
    n_thirds: int
    n_draws_thirds: int
    n_draws_strong: int


def choose_share(scores: Floats, groups: Ints, n: int, *, frame: Ints | None = None, seed: int = 0) -> ShareChoice:
    """Choose the share of the discriminating part.

    Args:
        scores: calibrating models, shape (n_models, n_items).
        groups: dataset code of each item.
        n: size of the subset.
        frame: positions that may be chosen (None: all).
        seed: of the inner splits and draws.
    """
    n_models, n_items = scores.shape
    frame = np.arange(n_items) if frame is None else frame
    if n_models < MIN_MODELS or n >= frame.size:
        why = f"{n_models} calibrating models are too few to validate on" if n < frame.size else "all items are taken"
        return ShareChoice(0.0, (0.0,), (float("nan"),), (float("nan"),), why)
    effort = _Effort(5, 1, 1) if n_items > _LARGE else _Effort(16, 2, 6)
    rng = np.random.default_rng([seed, 7])
    thirds = [
        _taus(scores, groups, n, frame, held, effort.n_draws_thirds, rng) for held in _thirds(n_models, effort, rng)
    ]
    strong = [_taus(scores, groups, n, frame, held, effort.n_draws_strong, rng) for held in _strong(scores)]
    return _decide(_column_means(thirds), _column_means(strong))


def _thirds(n_models: int, effort: _Effort, rng: np.random.Generator) -> Iterator[Ints]:
    for _ in range(effort.n_thirds):
        yield np.sort(rng.permutation(n_models)[: max(3, round(n_models / 3))])


def _strong(scores: Floats) -> Iterator[Ints]:
    order = np.argsort(np.nan_to_num(np.nanmean(scores, axis=1)), kind="stable")
    for fraction in STRONG_FRACTIONS:
        yield np.sort(order[-max(3, round(order.size * fraction)) :])


def _taus(
    scores: Floats, groups: Ints, n: int, frame: Ints, held: Ints, n_draws: int, rng: np.random.Generator
) -> Floats:
    """Mean tau-b of the held-out models, one a candidate share."""
    train = np.delete(scores, held, axis=0)
    test = scores[held]
    truth = np.nanmean(test[:, frame], axis=1)
    picker = Picker(statistics(train, groups, min_models=_INNER_MIN_MODELS), groups, frame)
    found = np.empty(len(CANDIDATES))
    for k, share in enumerate(CANDIDATES):
        draws = [picker.sample(share, n, rng)[0] for _ in range(n_draws)]
        found[k] = _mean([tau_b(_row_means(test[:, chosen]), truth) for chosen in draws])
    return found


def _row_means(y: Floats) -> Floats:
    """Mean of each row; the check for missing cells is cheaper than numpy's nanmean."""
    means: Floats = y.mean(axis=1)
    if np.isnan(means).any():
        means = np.nanmean(y, axis=1)
    return means


def _mean(values: list[float]) -> float:
    known = [v for v in values if np.isfinite(v)]
    return sum(known) / len(known) if known else float("nan")


def _column_means(rows: list[Floats]) -> Floats:
    table = np.stack(rows)
    return np.array([_mean(table[:, k].tolist()) for k in range(table.shape[1])])


def _decide(thirds: Floats, strong: Floats) -> ShareChoice:
    gain_thirds, gain_strong = _gains(thirds), _gains(strong)
    admissible = (gain_thirds > MIN_GAIN) & (gain_strong > -STRONG_TOLERANCE)
    value = np.where(admissible, gain_thirds + gain_strong, -np.inf)
    value[0] = -np.inf if admissible.any() else 0.0
    best = int(np.argmax(value))
    reason = (
        f"a discriminating share of {CANDIDATES[best]:.0%} ranks held-out calibrating models better than a plain "
        f"probability sample ({gain_thirds[best]:+.3f} tau-b on random thirds, "
        f"{gain_strong[best]:+.3f} on stronger ones)"
        if best
        else "no discriminating share ranks held-out calibrating models better than a plain probability sample"
    )
    return ShareChoice(CANDIDATES[best], CANDIDATES, tuple(thirds.tolist()), tuple(strong.tolist()), reason)


def _gains(taus: Floats) -> Floats:
    gains: Floats = np.nan_to_num(taus - taus[0])
    return gains
