"""Psychometric curves: at what size, number, contrast or angle is a model right half of the time above chance?

P(right at level x) = c + (1 - c - lapse) · logistic(slope · (x - threshold) + k), with the chance level c known,
x the level (its logarithm where all levels are positive), and k set so that P(threshold) = c + (1 - c) / 2 exactly.

The fit lays a grid over threshold, slope and lapse and weighs each point by its likelihood and a mild prior, so it
needs no starting values and cannot diverge.

References:
    F. Wichmann, N. Hill, "The psychometric function I", Percept. Psychophys. 63, 2001 (chance level and lapses).
    H. Schütt et al., "Painfree and accurate Bayesian estimation of psychometric functions for (potentially)
    overdispersed data", Vision Research 122, 2016 (grid posterior).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, wilson
from snellen.stats.resampling import Floats

Harder = Literal["low", "high"]

N_THRESHOLDS = 161
SLOPES_PER_RANGE = np.geomspace(1.5, 60, 24)
"""Logistic slopes per range of levels tested: from "barely rises over all levels" to "a step"."""
LAPSES = np.array([0.0, 0.01, 0.02, 0.04, 0.07, 0.1])
_EXACT_UP_TO = 200
"""Answers up to which the guessing distribution is computed rather than approximated."""
BEYOND = 0.5
"""Thresholds are looked for this share of the tested range beyond either end."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A fitted psychometric curve."""

    threshold: float
    """Level with P = half above chance, in the levels' own unit; NaN when the data do not hold it."""
    low: float
    """Lower bound of the threshold; NaN where it is open."""
    high: float
    """Upper bound of the threshold; NaN where it is open."""
    slope: float
    """Logistic slope per unit of log2(level) (or of level), always positive towards the easy side."""
    lapse: float
    """Share wrong even at the easiest levels, beyond chance."""
    chance: float
    """Mean chance level."""
    harder: Harder
    """Which end of the levels is hard: "low" (sizes) or "high" (counts)."""
    logarithmic: bool
    """Whether the fit is over log2(level)."""
    n: int
    """Answers used."""
    reason: str = ""
    """Why the threshold is NaN ("right at every level"), or what to be careful about."""

    def probability(self, levels: npt.ArrayLike) -> Floats:
        """Fitted share right at these levels.

        Args:
            levels: any shape, in the levels' own unit.

        Returns:
            The same shape; NaN when there is no fit.
        """
        x = _axis(np.asarray(levels, dtype=np.float64), self.harder, self.logarithmic)
        middle = float(_axis(np.asarray([self.threshold]), self.harder, self.logarithmic)[0])
        return _curve(x, middle, self.slope, self.lapse, self.chance)


@dataclass(frozen=True, slots=True)
class LevelShare:
    """What was seen at one level."""

    level: float
    """In the levels' own unit."""
    share: float
    """Share right."""
    low: float
    """Wilson lower bound."""
    high: float
    """Wilson upper bound."""
    n: int
    """Answers at this level."""


def level_shares(levels: npt.ArrayLike, scores: npt.ArrayLike) -> list[LevelShare]:
    """Share right at each level, with Wilson intervals.

    Args:
        levels: shape (n,).
        scores: shape (n,); right means at least 0.5; NaN left out.

    Returns:
        One row per level, ascending.

    >>> [(row.level, row.share, row.n) for row in level_shares([8, 8, 16], [0, 1, 1])]
    [(8.0, 0.5, 2), (16.0, 1.0, 1)]
    """
    x, right, _ = _observed(levels, scores, 0.0)
    rows = []
    for level in np.unique(x):
        here = right[x == level]
        low, high = wilson(int(here.sum()), len(here))
        rows.append(LevelShare(float(level), float(here.mean()), low, high, len(here)))
    return rows


def fit_curve(
    levels: npt.ArrayLike,
    scores: npt.ArrayLike,
    chance: npt.ArrayLike,
    *,
    harder: Harder = "low",
    level: float = 0.95,
) -> Curve:
    """Fit a psychometric curve and read off the threshold with its interval.

    Args:
        levels: shape (n,), what was varied (pixels, number of objects, contrast, degrees).
        scores: shape (n,); right means at least 0.5; NaN = missing, left out.
        chance: scalar or shape (n,), share right by guessing, in [0, 1).
        harder: which end of the levels is hard: "low" for sizes and contrasts, "high" for counts.
        level: credibility of the interval, in (0, 1).

    Returns:
        The curve. Fewer than two levels, all right, nothing above chance or no rise: NaN threshold and the reason.

    Raises:
        ValueError: lengths differ, or a chance level is outside [0, 1).

    >>> sizes = [4] * 10 + [8] * 10 + [16] * 10
    >>> right = [0] * 10 + [1, 0] * 5 + [1] * 10
    >>> curve = fit_curve(sizes, right, 0.0)
    >>> round(curve.threshold), curve.low < 8 < curve.high
    (8, True)
    >>> fit_curve(sizes, [1] * 30, 0.0).reason
    'right at every level'
    """
    x, right, floor = _observed(levels, scores, chance)
    logarithmic = bool(len(x)) and bool((x > 0).all())
    reason = _unfit(x, right, floor, harder)
    if reason:
        base = float(floor.mean()) if len(x) else NAN
        return Curve(NAN, NAN, NAN, NAN, NAN, base, harder, logarithmic, len(x), reason)
    posterior = _grid_posterior(_axis(x, harder, logarithmic), right, floor)
    return _read_off(posterior, floor, harder, logarithmic, level)


@dataclass(frozen=True, slots=True)
class _Posterior:
    thresholds: Floats
    slopes: Floats
    density: Floats
    n: int


def _grid_posterior(axis: Floats, right: Floats, floor: Floats) -> _Posterior:
    """Posterior over (threshold, slope, lapse); answers are pooled by level and chance first."""
    cells, cell_of = np.unique(np.column_stack([axis, floor]), axis=0, return_inverse=True)
    n_right = np.bincount(cell_of.ravel(), weights=right)
    n_all = np.bincount(cell_of.ravel())
    low, high = axis.min(), axis.max()
    span = high - low
    thresholds = np.linspace(low - BEYOND * span, high + BEYOND * span, N_THRESHOLDS)
    slopes = SLOPES_PER_RANGE / span
    log_density = np.zeros((len(thresholds), len(slopes), len(LAPSES)))
    for (x, c), hits, n in zip(cells, n_right, n_all, strict=True):
        p = _curve(x, thresholds[:, None, None], slopes[None, :, None], LAPSES[None, None, :], c)
        p = np.clip(p, 1e-6, 1 - 1e-6)
        log_density += hits * np.log(p) + (n - hits) * np.log1p(-p)
    log_density -= 10 * LAPSES  # lapses above a few per cent need evidence
    density = np.exp(log_density - log_density.max())
    return _Posterior(thresholds, slopes, density / density.sum(), len(axis))


def _read_off(posterior: _Posterior, floor: Floats, harder: Harder, logarithmic: bool, level: float) -> Curve:
    over_thresholds = posterior.density.sum(axis=(1, 2))
    cumulative = np.cumsum(over_thresholds)
    tail = (1 - level) / 2
    at = [float(np.interp(q, cumulative, posterior.thresholds)) for q in (0.5, tail, 1 - tail)]
    slope = float((posterior.density.sum(axis=(0, 2)) * posterior.slopes).sum())
    lapse = float((posterior.density.sum(axis=(0, 1)) * LAPSES).sum())
    middle, *bounds = (_level(value, harder, logarithmic) for value in at)
    low, high = sorted(bounds)
    reason = _open_ends(over_thresholds)
    return Curve(middle, low, high, slope, lapse, float(floor.mean()), harder, logarithmic, posterior.n, reason)


def _open_ends(over_thresholds: Floats) -> str:
    edge = 3
    if over_thresholds[:edge].sum() > 0.02 or over_thresholds[-edge:].sum() > 0.02:
        return "the levels tested do not bracket the threshold: its interval is open"
    return ""


def _unfit(x: Floats, right: Floats, floor: Floats, harder: Harder) -> str:
    if not len(x):
        return "no answers"
    if len(np.unique(x)) < 2:
        return "only one level was tested"
    if right.all():
        return "right at every level"
    if not _above_chance(right, floor) and not _above_chance_at_easiest(x, right, floor, harder):
        return "not above chance at any level"
    axis = -x if harder == "high" else x
    if float(np.cov(axis, right - floor)[0, 1]) <= 0:
        return "no better at easy levels than at hard ones"
    return ""


def _above_chance(right: Floats, floor: Floats) -> bool:
    """Whether guessing gives so many right answers in fewer than one case in twenty."""
    n_right = int(right.sum())
    if len(right) > _EXACT_UP_TO:
        spread = float(np.sqrt((floor * (1 - floor)).sum()))
        return n_right - float(floor.sum()) > 1.645 * spread
    guessed = np.ones(1)  # P(0, 1, 2, … right by guessing); few answers are far from a bell curve
    for chance in floor:
        guessed = np.convolve(guessed, [1 - chance, chance])
    return n_right > 0 and float(guessed[n_right:].sum()) < 0.05


def _above_chance_at_easiest(x: Floats, right: Floats, floor: Floats, harder: Harder) -> bool:
    easiest = x == (x.min() if harder == "high" else x.max())
    return _above_chance(right[easiest], floor[easiest])


def _curve(
    x: Floats | float, threshold: Floats | float, slope: Floats | float, lapse: Floats | float, chance: float
) -> Floats:
    rise = 1 - chance - np.asarray(lapse)
    at_threshold = (1 - chance) / 2 / rise
    offset = np.log(at_threshold / (1 - at_threshold))
    return np.asarray(chance + rise / (1 + np.exp(-np.clip(slope * (x - threshold) + offset, -60, 60))))


def _axis(levels: Floats, harder: Harder, logarithmic: bool) -> Floats:
    scale = np.log2(levels) if logarithmic else levels
    return np.asarray(-scale if harder == "high" else scale)


def _level(value: float, harder: Harder, logarithmic: bool) -> float:
    upright = -value if harder == "high" else value
    return float(2**upright) if logarithmic else upright


def _observed(levels: npt.ArrayLike, scores: npt.ArrayLike, chance: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    x, values = np.asarray(levels, float).ravel(), np.asarray(scores, float).ravel()
    floor = np.broadcast_to(np.asarray(chance, float), values.shape)
    if len(x) != len(values):
        raise ValueError(f"{len(values)} scores need as many levels, got {len(x)}")
    if len(floor) and not ((floor >= 0) & (floor < 1)).all():
        raise ValueError("chance levels must be in [0, 1)")
    present = ~(np.isnan(values) | np.isnan(x))
    return x[present], (values[present] >= 0.5).astype(np.float64), floor[present]
