"""Do new models still fit the benchmark? Saturation, live items, misfit, and whether the calibration holds.

Each item keeps the difficulty that the calibrating models gave it. A new model's expected score on an item follows
from its own level (Rasch model with fixed difficulties); the outfit mean square says how far its pattern is from
that. Few calibrating models give rough difficulties, so each outfit is read against theirs, each left out in turn.

References: Wright and Masters, Rating Scale Analysis (1982), for outfit; DatBench, arXiv 2601.02316, for the setting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.curation.discrimination import item_rest
from snellen.curation.matrix import Floats, ResponseMatrix, item_means, model_means, without_silent_models
from snellen.curation.profile import Saturation, saturation
from snellen.curation.sampling import difficulty
from snellen.errors import UsageError

OUTFIT_HIGH = 1.25
"""A pattern does not fit when its mean square is above this multiple of the worst calibrating model's."""
LIVE_LOW = 0.25
"""Share of live items under which the new models are hardly told apart."""
TOP_GAP_LOW = 2.0
"""Top gap in standard errors under which first and second cannot be told apart."""


@dataclass(frozen=True, slots=True)
class NewModel:
    """One new model against the calibration."""

    model: str
    """Name."""
    level: float
    """Mean score on the shared items."""
    outfit: float
    """Mean square of standardised residuals; about 1 when it fits."""
    gain_over_best: float
    """Level minus the best calibrating model's."""
    is_above_range: bool
    """Stronger than the best calibrating model by more than two paired standard errors."""
    is_misfit: bool
    """Its outfit is far above that of the calibrating models."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How the benchmark holds up under new models."""

    models: tuple[NewModel, ...]
    """One a new model."""
    before: Saturation
    """Of the calibrating models."""
    after: Saturation
    """Of the new models."""
    r_agreement: float
    """Correlation of the items' discrimination, calibrating against all models; NaN when unknown."""
    ks: float
    """Kolmogorov–Smirnov distance of the item difficulties, calibrating against new models."""
    alarm: bool
    """Whether to curate again."""
    findings: tuple[str, ...]
    """Plain sentences."""
    advice: tuple[str, ...]
    """What to do."""


def drift(calibrating: ResponseMatrix, new: ResponseMatrix) -> Drift:
    """Compare new models with the ones that calibrated the benchmark.

    Args:
        calibrating: models that chose the items.
        new: later models; only shared items count.

    Raises:
        UsageError: fewer than 20 shared items, or no model on a side.
    """
    shared = [item for item in new.items if item in set(calibrating.items)]
    if len(shared) < 20 or not calibrating.n_models or not new.n_models:
        raise UsageError(f"{len(shared)} shared items; drift needs at least 20 and a model on each side")
    calibrating, _ = without_silent_models(calibrating)
    new, _ = without_silent_models(new)
    old_y, new_y = _columns(calibrating, shared), _columns(new, shared)
    level = difficulty(old_y)
    best = old_y[int(np.argmax(np.nan_to_num(model_means(old_y), nan=-1.0)))]
    usual = max(_outfit(y, difficulty(np.delete(old_y, k, axis=0))) for k, y in enumerate(old_y))
    models = tuple(_new_model(name, y, (level, best, usual)) for name, y in zip(new.models, new_y, strict=True))
    before, after = saturation(old_y), saturation(new_y)
    agreement = _agreement(old_y, np.concatenate([old_y, new_y]))
    findings, advice, alarm = _judge(models, after, new.n_models, agreement)
    return Drift(models, before, after, agreement, _ks(old_y, new_y), alarm, findings, advice)


def _columns(matrix: ResponseMatrix, items: list[str]) -> Floats:
    position = {name: i for i, name in enumerate(matrix.items)}
    block: Floats = matrix.scores[:, [position[name] for name in items]]
    return block


def _new_model(name: str, y: Floats, known: tuple[Floats, Floats, float]) -> NewModel:
    """One row; `known` is (difficulties, best calibrating model's scores, worst calibrating outfit)."""
    level, best, usual = known
    gap = y - best
    gap = gap[np.isfinite(gap)]
    gain = float(gap.mean()) if gap.size else float("nan")
    se = float(gap.std(ddof=1) / np.sqrt(gap.size)) if gap.size > 1 else 0.0
    outfit = _outfit(y, level)
    mean = float(np.nanmean(y)) if np.isfinite(y).any() else float("nan")
    return NewModel(name, mean, outfit, gain, gain > 2 * se, outfit > OUTFIT_HIGH * usual)


def _outfit(y: Floats, level: Floats) -> float:
    seen = ~np.isnan(y)
    if not seen.any():
        return float("nan")
    expected = _expected(np.log(level[seen] / (1 - level[seen])), float(y[seen].mean()))
    return float(((y[seen] - expected) ** 2 / np.maximum(expected * (1 - expected), 1e-3)).mean())


def _expected(easiness: Floats, mean: float) -> Floats:
    """Expected scores at the ability whose expected mean is the model's own (bisection)."""
    low, high = -15.0, 15.0
    for _ in range(60):
        middle = (low + high) / 2
        if _logistic(easiness + middle).mean() < mean:
            low = middle
        else:
            high = middle
    return _logistic(easiness + low)


def _logistic(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def _agreement(old: Floats, everyone: Floats) -> float:
    if old.shape[0] < 8:
        return float("nan")
    first, second = item_rest(old).r, item_rest(everyone).r
    known = np.isfinite(first) & np.isfinite(second)
    return float(np.corrcoef(first[known], second[known])[0, 1]) if known.sum() > 10 else float("nan")


def _ks(old: Floats, new: Floats) -> float:
    first, second = (np.sort(m[np.isfinite(m)]) for m in (item_means(old), item_means(new)))
    grid = np.concatenate([first, second])
    gap = (
        np.searchsorted(first, grid, side="right") / first.size
        - np.searchsorted(second, grid, side="right") / second.size
    )
    return float(np.abs(gap).max())


def _judge(
    models: tuple[NewModel, ...], after: Saturation, n_new: int, agreement: float
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    findings: list[str] = []
    advice: list[str] = []
    above = [m for m in models if m.gain_over_best > 0]
    clearly = [m for m in above if m.is_above_range]
    misfit = [m for m in models if m.is_misfit]
    alarm = 2 * len(above) >= n_new and bool(clearly)
    if above:
        findings.append(
            f"{len(above)} of {n_new} new models are stronger than every calibrating model, {len(clearly)} clearly so"
        )
    if alarm:
        advice += [
            "score these models on the probability part alone: the discriminating part was chosen by weaker ones",
            "curate again with the new models among the calibrating ones (`snellen curate all`)",
        ]
    if n_new >= 3 and after.live_share < LIVE_LOW:
        findings.append(f"only {after.live_share:.0%} of the items are live among the new models")
        advice.append("add harder items: too few still tell these models apart")
        alarm = True
    if n_new >= 2 and after.top_gap_in_se < TOP_GAP_LOW:
        findings.append(
            f"the two best new models are {after.top_gap_in_se:.1f} standard errors apart: not told apart"
        )
    if misfit:
        names = ", ".join(m.model for m in misfit[:5])
        findings.append(
            f"{len(misfit)} of {n_new} new models solve other items than their level lets expect: {names}"
        )
        advice.append("look at the items that the misfitting models miss or solve against expectation")
    if np.isfinite(agreement):
        findings.append(f"item discrimination with and without the new models correlates {agreement:.2f}")
    return tuple(findings), tuple(advice) or ("nothing to do",), alarm
