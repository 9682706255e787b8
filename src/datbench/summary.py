"""Results → the summary of a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from datbench.schema import SampleScore
from snellen.scorers import SCORERS
from snellen.types import Score


def summarise(results: Sequence[SampleScore], scores: Sequence[Score | None]) -> dict[str, Any]:
    """All numbers of an evaluation.

    Args:
        results: one a scored sample.
        scores: the rule's score of each, None for judge-mode samples.
    """
    direct = [r for r in results if r.metadata["eval_mode"] != "judge"]
    judged = [r for r in results if r.metadata["eval_mode"] == "judge"]
    by_capability: dict[str, list[SampleScore]] = defaultdict(list)
    for result in results:
        by_capability[result.metadata["capability"]].append(result)
    return {
        "overall_accuracy": _mean(results),
        "total_samples": len(results),
        "total_correct": int(sum(result.score for result in results)),
        "capability_accuracy": {name: _mean(members) for name, members in by_capability.items()},
        "capability_counts": {name: len(members) for name, members in by_capability.items()},
        "direct_samples": len(direct),
        "direct_accuracy": _mean(direct),
        **_judge_numbers(judged),
        "dataset_metrics": _by_dataset(results, scores),
    }


def _mean(results: Sequence[SampleScore]) -> float:
    return sum(result.score for result in results) / len(results) if results else 0.0


def _judge_numbers(judged: Sequence[SampleScore]) -> dict[str, Any]:
    states = [result.metadata["score_details"]["judge_verdict"] for result in judged]
    return {
        "judge_samples": len(judged),
        "judge_accuracy": _mean(judged),
        "judge_missing_responses": states.count("missing"),
        "judge_unparsed_verdicts": states.count("unparsed"),
    }


def _by_dataset(results: Sequence[SampleScore], scores: Sequence[Score | None]) -> dict[str, Any]:
    """The scorer's own metrics over the direct samples of each data set, the judge's numbers beside them."""
    ruled: dict[str, list[Score]] = defaultdict(list)
    judged: dict[str, list[SampleScore]] = defaultdict(list)
    for result, score in zip(results, scores, strict=True):
        dataset = result.metadata["dataset"]
        if score is None:
            judged[dataset].append(result)
        elif dataset in SCORERS:
            ruled[dataset].append(score)
    metrics: dict[str, Any] = {name: _aggregate(name, members) for name, members in ruled.items()}
    for name, members in judged.items():
        metrics.setdefault(name, {}).update(_judge_numbers(members))
    return metrics


def _aggregate(dataset: str, scores: list[Score]) -> dict[str, Any]:
    """The public library's own aggregate; one that cannot be computed says why and ends nothing."""
    try:
        return dict(SCORERS[dataset].aggregate(scores))
    except Exception as error:  # a sample that could not be scored may lack what an aggregate needs
        whole = [score for score in scores if not score.reason]
        return {**_retry(dataset, whole), "error": f"{type(error).__name__}: {error}"}


def _retry(dataset: str, scores: list[Score]) -> dict[str, Any]:
    try:
        return dict(SCORERS[dataset].aggregate(scores)) if scores else {}
    except Exception:
        return {}
