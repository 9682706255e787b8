"""Tables of answers to one reference, sorted by the score they deserve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from snellen.scorers import score_answer
from snellen.types import Sample


@dataclass(frozen=True)
class Group:
    """Answers to one question and what they score."""

    dataset: str
    question: str
    reference: Any
    metadata: dict[str, Any] = field(default_factory=dict)
    all_answers: list[Any] | None = None
    right: list[Any] = field(default_factory=list)
    wrong: list[Any] = field(default_factory=list)
    partial: list[tuple[Any, float]] = field(default_factory=list)


def failures(group: Group) -> list[str]:
    """Answers of a group that score otherwise than they should, with the score and reason they got."""
    sample = Sample(
        id="1", parts=(), question=group.question, answer=group.reference, references=(str(group.reference),),
        all_answers=[group.reference] if group.all_answers is None else group.all_answers,
        metadata=group.metadata, dataset=group.dataset,
    )  # fmt: skip
    wanted = [(o, 1.0) for o in group.right] + [(o, 0.0) for o in group.wrong] + list(group.partial)
    scored = [(output, value, score_answer(sample, output, "fair")) for output, value in wanted]
    return [
        f"{output!r}: {score.value} ({score.reason or score.answer}), not {value}"
        for output, value, score in scored
        if score.value is None or abs(score.value - value) > 1e-9
    ]
