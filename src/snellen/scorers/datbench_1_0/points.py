"""The public library's rule for pixmo_points_eval; faults kept for comparable numbers.

Source: behaviour of the public DatBench library 1.0.0; the metric is that of Molmo (Deitke et al. 2024).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from snellen.scorers.assignment import MatchingTooLarge, nearest_pairs
from snellen.scorers.datbench_1_0.boxed import boxed_blocks
from snellen.scorers.datbench_1_0.refusals import Refusal, refusing
from snellen.types import Sample, Score

Point = list[float]
"""[x, y] in fractions of the image."""

_NUM = r"\d++(?:\.\d++)?+"
_COMMA_PAIR = re.compile(rf"(?<!\d)({_NUM})\s*+,\s*+({_NUM})")
_BLANK_PAIR = re.compile(rf"(?<!\d)({_NUM})\s++({_NUM})")
_ROUND_PAIR = re.compile(rf"\(({_NUM})\s*+,\s*+({_NUM})\)")
_SQUARE_PAIR = re.compile(rf"\[({_NUM})\s*+,\s*+({_NUM})\]")
_REQUIRED = ("points_target", "points_mask", "has_target")

_DENIALS = (
    "no target",
    "no such object",
    "no object",
    "no object found",
    "no target found",
    "no target present",
    "target not found",
    "object not found",
    "not present",
    "is not present",
    "absent",
    "missing",
    "cannot find",
    "cannot locate",
    "can't find",
    "can't locate",
)


@refusing
def pixmo_points(sample: Sample, output: Any) -> Score:
    """F1 of predicted points inside the masks of their nearest references; a phrase list where there is no target."""
    for key in _REQUIRED:
        if key not in sample.metadata:
            raise Refusal("ValueError", f"metadata has no {key}")
    if not isinstance(output, str):
        raise Refusal("AttributeError", "the output is no text")
    masks, has_target = sample.metadata["points_mask"], sample.metadata["has_target"]
    references = _references(sample.metadata["points_target"])
    found = read_points(output)
    try:
        value, precision, recall = _value(output, found, references, masks, has_target)
    except MatchingTooLarge as limit:
        return Score(None, reason=str(limit))
    details = {
        "score": value,
        "predicted_points": found,
        "ground_truth_points": references,
        "has_target": has_target,
        "precision": precision,
        "recall": recall,
        "model_output": output,
    }
    return Score(value, answer=str(found), details=details)


def _value(
    output: str, found: list[Point], references: list[Point], masks: Any, has_target: Any
) -> tuple[float, float, float]:
    if not has_target:
        lowered = output.lower()
        return float(any(phrase in lowered for phrase in _DENIALS)), 0.0, 0.0
    if not found or not references:
        return 0.0, 0.0, 0.0
    try:
        hits = sum(
            _inside(found[mine], masks[theirs])
            for mine, theirs in nearest_pairs(found, references)
            if theirs < len(masks)
        )
    except (TypeError, IndexError, KeyError, AttributeError):
        return 0.0, 0.0, 0.0
    precision, recall = hits / len(found), hits / len(references)
    total = precision + recall
    return (2 * precision * recall / total if total else 0.0), precision, recall


def _inside(point: Point, mask: Any) -> bool:
    if not mask or not mask[0]:
        return False
    column, row = int(point[0] * len(mask[0])), int(point[1] * len(mask))
    return bool(row < len(mask) and column < len(mask[0]) and mask[row][column])


def _references(target: Any) -> list[Point]:
    if target is None:
        raise Refusal("TypeError", "points_target is null")
    points = (_reference(entry) for entry in target)
    return [point for point in points if point is not None]


def _reference(entry: Any) -> Point | None:
    try:
        pair = (entry["x"], entry["y"]) if isinstance(entry, Mapping) else _first_two(entry)
        x, y = (float(value) for value in pair)
    except (TypeError, ValueError, KeyError):
        return None
    largest = max(abs(x), abs(y))
    if largest > 100 and min(x, y) < 0:
        return None
    divisor = 1.0 if largest <= 1 else 100.0 if largest <= 100 else 1000.0
    return [max(0.0, min(1.0, value / divisor)) for value in (x, y)]


def _first_two(entry: Any) -> Sequence[Any]:
    if not isinstance(entry, list | tuple) or len(entry) < 2:
        raise TypeError("no pair")
    return entry[:2]


def read_points(output: str) -> list[Point]:
    """Points as fractions, by the first reading that yields any.

    >>> read_points("(500, 250)")
    [[0.5, 0.25]]
    """
    text = output.strip()
    for block in reversed(boxed_blocks(text)):
        pairs = [*_COMMA_PAIR.findall(block), *_BLANK_PAIR.findall(block)]
        if pairs:
            return [_fraction(*pair) for pair in pairs]
    for pattern in (_ROUND_PAIR, _SQUARE_PAIR, _COMMA_PAIR):
        pairs = pattern.findall(text)
        if pairs:
            return [_fraction(*pair) for pair in pairs]
    return []


def _fraction(x_text: str, y_text: str) -> Point:
    x, y = float(x_text), float(y_text)
    if max(x, y) <= 1:
        return [x, y]
    return [min(x, 1000.0) / 1000.0, min(y, 1000.0) / 1000.0]


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Means under the public library's keys; samples without a target enter precision, recall and F1 as 0."""
    n = len(scores)
    if not n:
        return dict.fromkeys(_summary_keys(), 0.0)
    absent = [score for score in scores if not score.details.get("has_target")]
    unread = [s for s in scores if s.details.get("has_target") and not s.details.get("predicted_points")]
    values = (
        sum(score.details.get("precision", 0.0) for score in scores) / n,
        sum(score.details.get("recall", 0.0) for score in scores) / n,
        sum(_f1(score) for score in scores) / n,
        sum(score.is_correct for score in absent) / len(absent) if absent else 0.0,
        len(unread) / n,
    )
    return dict(zip(_summary_keys(), values, strict=True))


def _f1(score: Score) -> float:
    precision, recall = score.details.get("precision", 0.0), score.details.get("recall", 0.0)
    total = precision + recall
    return float(2 * precision * recall / total) if total else 0.0


def _summary_keys() -> tuple[str, ...]:
    return (
        "precision__PixmoPointsEval-Precision",
        "recall__PixmoPointsEval-Recall",
        "f1__PixmoPointsEval-F1",
        "accuracy__PixmoPointsEval-NoTargetAccuracy",
        "accuracy__PixmoPointsEval-ParsingFailureRate",
    )
