"""Runs side by side on the samples they share: at what is B better, by how much, how sure, and at what price.

Pure: aligned rows in, numbers out; the same for the same rows and seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from snellen.reports.alignment import Alignment
from snellen.reports.rule_sets import rules_rows
from snellen.reports.run_data import NAN, SampleRow, clusters_of
from snellen.reports.weighted import weighted_rows
from snellen.stats.circular import circular_means
from snellen.stats.intervals import Interval, mean_interval
from snellen.stats.multiplicity import holm
from snellen.stats.paired import PairedDifference, paired_difference
from snellen.stats.ranks import RankInterval, pareto_front, rank_intervals
from snellen.stats.resampling import Floats

RIGHT = 0.5
"""Scores from here on count as right where right and wrong are told apart."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group of samples: each run against the baseline."""

    level: str
    """"overall", "capability", "dataset" or "category"."""
    name: str
    """Of the group."""
    n_samples: int
    """Shared samples."""
    scores: tuple[float, ...]
    """Mean score of each run over its scored ones of them; NaN when none is."""
    differences: tuple[PairedDifference, ...]
    """Run minus baseline, one for each run after the first."""
    p_holm: tuple[float, ...]
    """Corrected over all tests of this level."""

    def relative_gain(self, which: int = 0) -> float:
        """(run - baseline) / baseline on the shared samples; NaN where the baseline is 0."""
        base = self.differences[which].mean_a
        return self.differences[which].difference / base if base > 0 else NAN


@dataclass(frozen=True, slots=True)
class RunFigures:
    """What one run reaches, and what that takes, over the shared samples."""

    name: str
    """Short name."""
    score: Interval
    """Mean score."""
    n_missing: int
    """Shared samples without a score."""
    n_zeroed: int
    """Shared samples that no judge decided, counted 0 by the run's convention."""
    rank: RankInterval
    """Place among the runs."""
    on_front: bool
    """No other run has a higher score for no more tokens, or fewer tokens for no lower a score."""
    n_in_mean: float
    """Prompt tokens a sample; NaN where the server did not say."""
    n_out_mean: float
    """Answer tokens a sample, reasoning included."""
    n_out_right: float
    """The same over right answers."""
    n_out_wrong: float
    """The same over wrong answers."""
    latency_s_mean: float
    """Seconds a call."""
    latency_s_median: float
    """Seconds of the middle call."""
    cost: float
    """Money of the whole run; NaN without prices."""
    flags: dict[str, float]
    """Flag → share of the shared samples ("truncated", "looping", …)."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A sample that one run gets right and another one wrong."""

    position: int
    """Row in the baseline's benchmark."""
    id: str
    """Sample id."""
    capability: str
    """Its skill group."""
    dataset: str
    """Its source."""
    question: str
    """What was asked."""
    references: tuple[str, ...]
    """Accepted truths."""
    images: tuple[str, ...]
    """SHA-256 of its pictures."""
    answers: tuple[str, str]
    """What was read out of the baseline's and the run's answer."""
    scores: tuple[float, float]
    """Both scores."""
    run: int
    """Index of the run in the alignment (1, 2, …)."""


@dataclass(frozen=True, slots=True)
class FormatEffect:
    """Choice, circular and free response of the same questions."""

    name: str
    """Short name of the run."""
    n_questions: int
    """Questions (circular groups count once)."""
    per_answer: Interval
    """Mean score over answers, clustered by question."""
    all_rotations: Interval
    """Share of questions right on every rotation; the same as per_answer where nothing rotates."""
    share_with_choices: float
    """Share of answers that were asked with options."""
    guessing: float
    """Mean of 1 / options, 0 for free response."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything a comparison says."""

    alignment: Alignment
    """Which samples, and what else differs."""
    runs: tuple[RunFigures, ...]
    """In the order given; the first is the baseline."""
    groups: tuple[GroupRow, ...]
    """Overall, then capabilities, datasets, categories."""
    flips: tuple[Flip, ...]
    """Samples that changed sides, losses and gains."""
    formats: tuple[FormatEffect, ...]
    """One a run, where their formats differ; else empty."""
    seed: int
    """Of all draws."""

    def of_level(self, level: str) -> tuple[GroupRow, ...]:
        """The rows of one level."""
        return tuple(row for row in self.groups if row.level == level)

    @property
    def overall(self) -> GroupRow:
        """The row over all shared samples."""
        return self.groups[0]

    def as_record(self) -> dict[str, Any]:
        """For JSON; NaN becomes null when it is encoded."""
        alignment = self.alignment
        return {
            "kind": alignment.kind,
            "runs": [
                {"folder": str(run.folder), "model": run.model, **asdict(figures)}
                for run, figures in zip(alignment.runs, self.runs, strict=True)
            ],
            "n_matched": len(alignment.rows),
            "matched_by": alignment.matched_by,
            "mixed": list(alignment.allowed),
            "weighted": [{"run": row.name, **asdict(row.difference)} for row in weighted_rows(alignment)],
            "rule_sets": [asdict(row) for row in rules_rows(alignment, seed=self.seed)],
            "settings": {name: list(values) for name, values in alignment.settings.items()},
            "groups": [_group_record(row) for row in self.groups],
            "correction": "Holm, over all tests of a level",
            "flips": [asdict(flip) for flip in self.flips],
            "formats": [asdict(effect) for effect in self.formats],
            "seed": self.seed,
        }


def compare(alignment: Alignment, *, seed: int = 0) -> Comparison:
    """Compare aligned runs: each one against the first.

    Args:
        alignment: the shared samples.
        seed: of all draws.

    Returns:
        Every number of the comparison.
    """
    scores = _score_matrix(alignment)
    return Comparison(
        alignment=alignment,
        runs=_figures(alignment, scores, seed),
        groups=_groups(alignment, scores, seed),
        flips=_flips(alignment, scores),
        formats=_formats(alignment, seed),
        seed=seed,
    )


def _score_matrix(alignment: Alignment) -> Floats:
    """Shape (n_runs, n_shared)."""
    return np.array([[row.score for row in shared] for shared in alignment.rows], dtype=np.float64).T


def _clusters(alignment: Alignment) -> list[str] | None:
    """Pictures of the shared samples, from the first run that saw any (a blind twin saw none)."""
    for run in range(len(alignment.runs)):
        labels = clusters_of([shared[run] for shared in alignment.rows])
        if labels is not None:
            return labels
    return None


_LEVELS: tuple[tuple[str, Callable[[SampleRow], str]], ...] = (
    ("overall", lambda _: "overall"),
    ("capability", lambda row: row.capability),
    ("dataset", lambda row: row.dataset),
    ("category", lambda row: row.category),
)


def _groups(alignment: Alignment, scores: Floats, seed: int) -> tuple[GroupRow, ...]:
    clusters = _clusters(alignment)
    out: list[GroupRow] = []
    partitions: list[frozenset[tuple[int, ...]]] = []
    for level, name_of in _LEVELS:
        members: dict[str, list[int]] = {}
        for i, shared in enumerate(alignment.rows):
            members.setdefault(name_of(shared[0]), []).append(i)
        partition = frozenset(tuple(where) for where in members.values())
        if level != "overall" and (set(members) == {""} or partition in partitions[1:]):
            continue  # nothing is named, or the same groups stand above under other names
        partitions.append(partition)
        rows = [_group(level, name or "(none)", where, scores, clusters, seed) for name, where in members.items()]
        out += _corrected(rows)
    return tuple(out)


def _group(
    level: str, name: str, where: list[int], scores: Floats, clusters: list[str] | None, seed: int
) -> GroupRow:
    here = scores[:, where]
    labels = None if clusters is None else [clusters[i] for i in where]
    differences = tuple(paired_difference(here[0], other, clusters=labels, seed=seed) for other in here[1:])
    means = tuple(float(np.nanmean(row)) if not np.isnan(row).all() else NAN for row in here)
    return GroupRow(level, name, len(where), means, differences, ())


def _corrected(rows: list[GroupRow]) -> list[GroupRow]:
    adjusted = holm([difference.p_value for row in rows for difference in row.differences]).tolist()
    out = []
    for row in rows:
        own, adjusted = adjusted[: len(row.differences)], adjusted[len(row.differences) :]
        out.append(GroupRow(row.level, row.name, row.n_samples, row.scores, row.differences, tuple(own)))
    return out


def _figures(alignment: Alignment, scores: Floats, seed: int) -> tuple[RunFigures, ...]:
    clusters = _clusters(alignment)
    ranks = rank_intervals(scores, clusters=clusters, seed=seed)
    tokens = [[shared[m].n_out for shared in alignment.rows] for m in range(len(scores))]
    intervals = [mean_interval(row, clusters=clusters, seed=seed) for row in scores]
    front = pareto_front([interval.mean for interval in intervals], [_mean(row) for row in tokens])
    return tuple(
        _one_run(alignment, m, scores[m], intervals[m], ranks[m], bool(front[m])) for m in range(len(scores))
    )


def _one_run(
    alignment: Alignment, which: int, scores: Floats, interval: Interval, rank: RankInterval, on_front: bool
) -> RunFigures:
    rows = [shared[which] for shared in alignment.rows]
    latencies = [row.latency_s for row in rows if not math.isnan(row.latency_s)]
    flags = sorted({flag for row in rows for flag in row.flags})
    return RunFigures(
        name=alignment.names[which],
        score=interval,
        n_missing=int(np.isnan(scores).sum()),
        n_zeroed=sum(row.is_zeroed for row in rows),
        rank=rank,
        on_front=on_front,
        n_in_mean=_mean([row.n_in for row in rows]),
        n_out_mean=_mean([row.n_out for row in rows]),
        n_out_right=_mean([row.n_out for row in rows if row.score >= RIGHT]),
        n_out_wrong=_mean([row.n_out for row in rows if row.score < RIGHT]),
        latency_s_mean=_mean(latencies),
        latency_s_median=float(np.median(latencies)) if latencies else NAN,
        cost=alignment.runs[which].cost,
        flags={flag: sum(flag in row.flags for row in rows) / len(rows) for flag in flags},
    )


def _flips(alignment: Alignment, scores: Floats) -> tuple[Flip, ...]:
    """Losses first, then gains, each in the benchmark's order."""
    right = scores >= RIGHT
    known = ~np.isnan(scores)
    flips = []
    for run in range(1, len(scores)):
        changed = known[0] & known[run] & (right[0] != right[run])
        lost = [i for i in np.flatnonzero(changed) if right[0, i]]
        gained = [i for i in np.flatnonzero(changed) if not right[0, i]]
        flips += [_flip(alignment.rows[i][0], alignment.rows[i][run], run) for i in (*lost, *gained)]
    return tuple(flips)


def _flip(before: SampleRow, after: SampleRow, run: int) -> Flip:
    return Flip(
        position=before.position,
        id=before.id,
        capability=before.capability,
        dataset=before.dataset,
        question=before.question,
        references=before.references,
        images=before.images,
        answers=(before.answer, after.answer),
        scores=(before.score, after.score),
        run=run,
    )


def _formats(alignment: Alignment, seed: int) -> tuple[FormatEffect, ...]:
    """Only where one run asks with options or rotations and another does not."""
    kinds = [{(row.n_choices > 0, bool(row.group)) for row in run.samples} for run in alignment.runs]
    if all(kind == kinds[0] for kind in kinds):
        return ()
    return tuple(
        _format_effect(name, run.samples, seed) for name, run in zip(alignment.names, alignment.runs, strict=True)
    )


def _format_effect(name: str, samples: Sequence[SampleRow], seed: int) -> FormatEffect:
    questions = [row.group or row.id for row in samples]
    scores = [row.score for row in samples]
    per_question = circular_means(questions, scores)
    return FormatEffect(
        name=name,
        n_questions=len(per_question),
        per_answer=mean_interval(scores, clusters=questions, seed=seed),
        all_rotations=mean_interval(list(per_question.values()), seed=seed),
        share_with_choices=_mean([float(row.n_choices > 0) for row in samples]),
        guessing=_mean([1 / row.n_choices if row.n_choices else 0.0 for row in samples]),
    )


def _group_record(row: GroupRow) -> dict[str, Any]:
    return {
        "level": row.level,
        "name": row.name,
        "n_samples": row.n_samples,
        "scores": list(row.scores),
        "against_baseline": [
            {**asdict(difference), "p_holm": p, "relative_gain": row.relative_gain(i)}
            for i, (difference, p) in enumerate(zip(row.differences, row.p_holm, strict=True))
        ],
    }


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else NAN
