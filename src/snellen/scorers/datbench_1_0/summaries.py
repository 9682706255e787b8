"""Per-dataset summaries under the public library's keys."""

from __future__ import annotations

from collections.abc import Callable

from snellen.types import Score

Summary = Callable[[list[Score]], dict[str, float]]


def mean_as(*keys: str) -> Summary:
    """A summary that gives the mean score (0.0 for none, unscored ones left out) under each of these keys.

    >>> mean_as("accuracy")([Score(1.0), Score(0.0)])
    {'accuracy': 0.5}
    """

    def summary(scores: list[Score]) -> dict[str, float]:
        values = [score.value for score in scores if score.value is not None]
        return dict.fromkeys(keys, sum(values) / len(values) if values else 0.0)

    return summary
