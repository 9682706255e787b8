"""A model over its checkpoints: scores with intervals by step, what is noise, what is progress.

References:
    AI2, "Signal and Noise: A Framework for Reducing Uncertainty in Language Model Evaluation", 2025 (spread of the
    last checkpoints as noise).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from snellen.errors import UsageError
from snellen.reports.alignment import Alignment
from snellen.reports.comparison_text import bounds, fit, interval, number, p_text, points
from snellen.reports.run_data import NAN, RunData, clusters_of
from snellen.reports.tables import percent
from snellen.stats.intervals import Interval, mean_interval
from snellen.stats.paired import PairedDifference, paired_difference

N_LAST = 5
"""Checkpoints that the noise is read from, at most."""


@dataclass(frozen=True, slots=True)
class Step:
    """One checkpoint."""

    step: float
    """Training step, from the run's tag."""
    name: str
    """Short name of the run."""
    score: Interval
    """Mean score over the shared samples."""
    change: PairedDifference | None
    """Against the checkpoint before; None for the first."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One group of samples over all checkpoints."""

    name: str
    """"overall" or a capability."""
    steps: tuple[Step, ...]
    """In order of the steps."""
    noise: float
    """Standard deviation of the last checkpoints around a straight line; NaN for fewer than four."""
    n_last: int
    """Checkpoints it was read from."""
    signal: float
    """Best minus worst checkpoint, in score units."""

    @property
    def signal_to_noise(self) -> float:
        """How many times the checkpoints' noise the whole movement is; NaN where the noise is not known or 0."""
        return self.signal / self.noise if self.noise > 0 else NAN


@dataclass(frozen=True, slots=True)
class Trend:
    """All curves of a series of checkpoints."""

    curves: tuple[Curve, ...]
    """Overall first, then capabilities."""
    n_samples: int
    """Samples that all checkpoints share."""
    tag: str
    """Tag that holds the step."""

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "tag": self.tag,
            "n_samples": self.n_samples,
            "curves": [{**asdict(curve), "signal_to_noise": curve.signal_to_noise} for curve in self.curves],
        }


def step_of(run: RunData, tag: str = "step") -> float:
    """The training step of a run.

    Raises:
        UsageError: the run has no such tag, or it is no number.
    """
    text = run.spec.get("tags", {}).get(tag)
    try:
        step = float(str(text).replace(",", "").replace("_", ""))
    except ValueError:
        step = NAN
    if text is None or not math.isfinite(step):
        raise UsageError(f"{run.folder} has no number in its tag {tag!r} ({text!r}); run it with --tag {tag}=1000")
    return step


def in_order(runs: Sequence[RunData], tag: str = "step") -> list[RunData]:
    """Runs by ascending step.

    Raises:
        UsageError: a step is missing or two runs share one.
    """
    ordered = sorted(runs, key=lambda run: step_of(run, tag))
    for before, after in pairwise(ordered):
        if step_of(before, tag) == step_of(after, tag):
            raise UsageError(f"{before.folder} and {after.folder} have the same {tag} {step_of(after, tag):g}")
    return ordered


def trend(alignment: Alignment, *, tag: str = "step", seed: int = 0) -> Trend:
    """Scores over checkpoints.

    Args:
        alignment: runs in order of their steps, with the samples they share.
        tag: tag that holds the step.
        seed: of all draws.
    """
    groups: dict[str, list[int]] = {"overall": list(range(len(alignment.rows)))}
    for i, shared in enumerate(alignment.rows):
        if shared[0].capability:
            groups.setdefault(shared[0].capability, []).append(i)
    curves = [_curve(alignment, name, where, tag, seed) for name, where in groups.items()]
    if len(curves) == 2:  # one capability: the same samples twice
        curves = curves[:1]
    return Trend(tuple(curves), len(alignment.rows), tag)


def _curve(alignment: Alignment, name: str, where: list[int], tag: str, seed: int) -> Curve:
    rows = [alignment.rows[i] for i in where]
    clusters = clusters_of([shared[0] for shared in rows])
    scores = np.array([[row.score for row in shared] for shared in rows]).T
    steps = []
    for m, run in enumerate(alignment.runs):
        change = paired_difference(scores[m - 1], scores[m], clusters=clusters, seed=seed) if m else None
        score = mean_interval(scores[m], clusters=clusters, seed=seed)
        steps.append(Step(step_of(run, tag), alignment.names[m], score, change))
    means = [step.score.mean for step in steps]
    noise, n_last = noise_of_last([step.step for step in steps], means)
    known = [value for value in means if not math.isnan(value)]
    return Curve(name, tuple(steps), noise, n_last, max(known) - min(known) if known else NAN)


def noise_of_last(steps: Sequence[float], scores: Sequence[float]) -> tuple[float, int]:
    """Spread of the last checkpoints around the straight line through them.

    Args:
        steps: n training steps, ascending.
        scores: n scores.

    Returns:
        Standard deviation (two degrees of freedom go to the line) and how many checkpoints it was read from; NaN for
        fewer than four.

    >>> noise_of_last([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4])[0] < 1e-9
    True
    """
    x, y = np.asarray(steps, float)[-N_LAST:], np.asarray(scores, float)[-N_LAST:]
    known = ~np.isnan(y)
    x, y = x[known], y[known]
    if len(x) < 4:
        return NAN, len(x)
    residuals = y - np.polyval(np.polyfit((x - x[0]) / (x[-1] - x[0]), y, 1), (x - x[0]) / (x[-1] - x[0]))
    return float(np.sqrt((residuals**2).sum() / (len(x) - 2))), len(x)


def terminal(result: Trend) -> str:
    """The trend as text, at most 80 columns wide."""
    lines = [f"{result.n_samples:,} samples in all checkpoints"]
    for curve in result.curves:
        head = f"{'step':>12}  {'score':>5}  {'95 % interval':>13}  {'change':>6}  {'95 % interval':>15}  {'p':>5}"
        lines += ["", curve.name, head, "─" * len(head), *(_step_line(step) for step in curve.steps)]
        lines.append(_noise_line(curve))
    return "\n".join(lines)


def _step_line(step: Step) -> str:
    start = f"{step.step:>12,g}  {percent(step.score.mean):>5}  {interval(step.score):>13}"
    if step.change is None:
        return start
    d = step.change
    return f"{start}  {points(d.difference):>6}  {bounds(d.low, d.high):>15}  {p_text(d.p_value):>5}"


def _noise_line(curve: Curve) -> str:
    if math.isnan(curve.noise):
        return "noise of the last checkpoints: needs four checkpoints or more"
    ratio = number(curve.signal_to_noise, 1)
    noise = points(curve.noise).lstrip("+")
    return f"noise of the last {curve.n_last}: {noise} points around their line; all movement is {ratio} times that"


def markdown(result: Trend) -> str:
    """The trend as Markdown."""
    lines = [f"# Trend over {result.tag}", "", f"{result.n_samples:,} samples in all checkpoints"]
    for curve in result.curves:
        lines += ["", f"## {curve.name}", "", f"| {result.tag} | score | 95 % interval | change | interval | p |"]
        lines.append("|---|---|---|---|---|---|")
        for step in curve.steps:
            d = step.change
            cells = (points(d.difference), bounds(d.low, d.high), p_text(d.p_value)) if d else ("", "", "")
            numbers = (f"{step.step:,g}", percent(step.score.mean), interval(step.score), *cells)
            lines.append(f"| {' | '.join(numbers)} |")
        lines += ["", _noise_line(curve)]
    return "\n".join([*lines, ""])


def summary_line(curve: Curve) -> str:
    """First and last score of a curve, for a figure's caption."""
    first, last = curve.steps[0], curve.steps[-1]
    return f"{fit(curve.name, 20).strip()}: {percent(first.score.mean)} → {percent(last.score.mean)}"
