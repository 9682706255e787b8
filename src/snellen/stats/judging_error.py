"""A judge errs: how often, and what the true accuracy is once that is taken into account.

A small human-checked sample gives the judge's sensitivity and specificity. Prediction-powered inference then corrects
the mean of all verdicts; Rogan and Gladen's estimator does it from the two rates alone.

References:
    A. Angelopoulos, J. Duchi, T. Zrnic, "PPI++: Efficient Prediction-Powered Inference", arXiv:2311.01453.
    W. Rogan, B. Gladen, "Estimating prevalence from the results of a screening test", Am. J. Epidemiol. 107, 1978.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from snellen.stats.intervals import NAN, Interval, wilson
from snellen.stats.resampling import Floats


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """A judge against human truth."""

    sensitivity: Interval
    """Share of truly right answers that the judge calls right."""
    specificity: Interval
    """Share of truly wrong answers that the judge calls wrong."""
    accuracy: Interval
    """Share of answers judged as the human did."""
    bias: float
    """Mean verdict minus mean truth: positive = lenient."""


def judge_quality(verdicts: npt.ArrayLike, truths: npt.ArrayLike) -> JudgeQuality:
    """Sensitivity and specificity of a judge, with Wilson intervals.

    Args:
        verdicts: shape (n,), 1 = judged right, 0 = judged wrong, NaN = missing.
        truths: shape (n,), the human's grade, same coding.

    Returns:
        NaN with a reason where a class has no example.

    >>> result = judge_quality([1, 1, 0, 0, 1], [1, 1, 1, 0, 0])
    >>> round(result.sensitivity.mean, 3), result.specificity.mean, result.bias
    (0.667, 0.5, 0.0)
    """
    judged, true = _pairs(verdicts, truths)
    return JudgeQuality(
        sensitivity=_share(judged[true == 1] == 1, "no answer was truly right"),
        specificity=_share(judged[true == 0] == 0, "no answer was truly wrong"),
        accuracy=_share(judged == true, "no answer was checked"),
        bias=float(judged.mean() - true.mean()) if len(true) else NAN,
    )


def corrected_mean(
    unchecked: npt.ArrayLike, checked_verdicts: npt.ArrayLike, checked_truths: npt.ArrayLike, *, level: float = 0.95
) -> Interval:
    """True mean from many verdicts and a few human-checked ones (PPI++).

    The checked ones must be a random sample of all. The weight λ = cov(y, f) / ((1 + n/N) var f) makes the interval
    no wider than that of the human grades alone.

    Args:
        unchecked: shape (N,), verdicts (any scores in [0, 1]) without a human grade; NaN left out.
        checked_verdicts: shape (n,), verdicts with one.
        checked_truths: shape (n,), the human grades.
        level: coverage, in (0, 1).

    Returns:
        Normal interval cut to [0, 1]; its n counts the checked and unchecked; `reason` names λ.

    >>> result = corrected_mean([1, 0] * 200, [1, 0] * 20, [1, 0] * 20)
    >>> round(result.mean, 3), round(result.half_width, 3)
    (0.5, 0.047)
    """
    f_all = np.asarray(unchecked, float).ravel()
    f_all = f_all[~np.isnan(f_all)]
    f, y = _pairs(checked_verdicts, checked_truths)
    n, n_all = len(y), len(f_all)
    if n < 2 or n_all < 2:
        return Interval(NAN, NAN, NAN, n + n_all, n, "", "needs two checked and two unchecked verdicts")
    weight = _ppi_weight(f_all, f, y)
    mean = weight * f_all.mean() + (y - weight * f).mean()
    variance = weight**2 * f_all.var(ddof=1) / n_all + (y - weight * f).var(ddof=1) / n
    half = NormalDist().inv_cdf(0.5 + level / 2) * float(variance) ** 0.5
    low, high = max(0.0, float(mean) - half), min(1.0, float(mean) + half)
    note = f"weight of the verdicts {weight:.2f}"
    return Interval(float(mean), low, high, n + n_all, n, "PPI++", note)


def rogan_gladen(verdicts: npt.ArrayLike, quality: JudgeQuality, *, level: float = 0.95) -> Interval:
    """True share of right answers from the judged share and the judge's two rates.

    Args:
        verdicts: shape (n,), 1 or 0, NaN left out; not the ones that `quality` was found on.
        quality: from `judge_quality`.
        level: coverage, in (0, 1).

    Returns:
        (p + specificity - 1) / (sensitivity + specificity - 1) with a delta-method interval, cut to [0, 1]; NaN with
        a reason when the judge is no better than chance or a rate is unknown.

    >>> quality = judge_quality([1] * 90 + [0] * 10 + [0] * 80 + [1] * 20, [1] * 100 + [0] * 100)
    >>> round(rogan_gladen([1] * 55 + [0] * 45, quality).mean, 3)
    0.5
    """
    values = np.asarray(verdicts, float).ravel()
    values = values[~np.isnan(values)]
    n, se, sp = len(values), quality.sensitivity, quality.specificity
    youden = se.mean + sp.mean - 1
    if not n or np.isnan(youden):
        return Interval(NAN, NAN, NAN, n, n, "", "no verdicts, or a rate of the judge is unknown")
    if youden <= 0:
        return Interval(NAN, NAN, NAN, n, n, "", "the judge is no better than chance")
    judged = float(values.mean())
    share = (judged + sp.mean - 1) / youden
    variance = judged * (1 - judged) / n + share**2 * _variance(se) + (1 - share) ** 2 * _variance(sp)
    half = NormalDist().inv_cdf(0.5 + level / 2) * variance**0.5 / youden
    mean, low, high = (min(1.0, max(0.0, value)) for value in (share, share - half, share + half))
    reason = "outside [0, 1] before it was cut" if mean != share else ""
    return Interval(mean, low, high, n, n, "Rogan-Gladen", reason)


def _ppi_weight(f_all: Floats, f: Floats, y: Floats) -> float:
    spread = float(np.concatenate([f_all, f]).var(ddof=1))
    if spread == 0:
        return 0.0
    together = float(np.cov(y, f, ddof=1)[0, 1])
    return min(1.0, max(0.0, together / ((1 + len(y) / len(f_all)) * spread)))


def _pairs(verdicts: npt.ArrayLike, truths: npt.ArrayLike) -> tuple[Floats, Floats]:
    judged, true = np.asarray(verdicts, float).ravel(), np.asarray(truths, float).ravel()
    if len(judged) != len(true):
        raise ValueError(f"verdicts and truths need equal lengths, got {len(judged)} and {len(true)}")
    present = ~(np.isnan(judged) | np.isnan(true))
    return judged[present], true[present]


def _share(hits: npt.NDArray[np.bool_], reason: str) -> Interval:
    n = len(hits)
    if not n:
        return Interval(NAN, NAN, NAN, 0, 0, "", reason)
    low, high = wilson(int(hits.sum()), n)
    return Interval(float(hits.mean()), low, high, n, n, "wilson")


def _variance(share: Interval) -> float:
    return share.mean * (1 - share.mean) / share.n
