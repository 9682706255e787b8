"""The public library's rule for the six refcoco names; faults kept for comparable numbers.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from snellen.scorers.datbench_1_0.boxed import boxed_blocks
from snellen.scorers.datbench_1_0.refusals import Refusal, refusing
from snellen.scorers.overlap import center_inside, iou
from snellen.types import Sample, Score

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_FRACTIONS_UP_TO = 1.5
_SCALE = 1000.0
RECALL_AT = (0.3, 0.5, 0.7)


@refusing
def refcoco(sample: Sample, output: Any) -> Score:
    """Accuracy at IoU 0.5 of the first four numbers of the last box or the first bracket."""
    if "bbox" not in sample.metadata:
        raise Refusal("ValueError", "metadata has no bbox")
    reference = sample.metadata["bbox"]
    found = read_box(output)
    overlap = iou(reference, found)
    details = {
        "iou": overlap,
        "center_acc": float(center_inside(found, reference)),
        "pred_bbox": found,
        "gt_bbox": reference,
        "model_output": output,
        **{f"recall@{limit}": float(overlap >= limit) for limit in RECALL_AT},
        "score": float(overlap >= 0.5),
    }
    return Score(float(overlap >= 0.5), answer=str(found), details=details)


def read_box(output: Any) -> list[float]:
    """Four fractions; all zeros when no candidate holds four numbers. Corners stay as they are (fault kept)."""
    for candidate in _candidates(output or ""):
        numbers = [float(found[0]) for found in islice(_NUMBER.finditer(candidate), 4)]
        if len(numbers) == 4:
            scale = 1.0 if max(map(abs, numbers)) <= _FRACTIONS_UP_TO else _SCALE
            return [max(0.0, min(1.0, value / scale)) for value in numbers]
    return [0.0, 0.0, 0.0, 0.0]


def _candidates(text: str) -> Iterator[str]:
    boxed = boxed_blocks(text)
    if boxed:
        yield boxed[-1]
    bracket = _first_bracket(text)
    if bracket is not None:
        yield bracket


def _first_bracket(text: str) -> str | None:
    start = text.find("[")
    while start >= 0 and text.startswith("]", start + 1):
        start = text.find("[", start + 1)
    end = text.find("]", start + 1) if start >= 0 else -1
    return text[start + 1 : end] if end >= 0 else None


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Means under the public library's keys."""
    means = {key: _mean(scores, key) for key in (*(f"recall@{limit}" for limit in RECALL_AT), "iou", "center_acc")}
    return {**means, "iou_mean": means["iou"]}


def _mean(scores: Sequence[Score], key: str) -> float:
    return sum(score.details.get(key, 0.0) for score in scores) / len(scores) if scores else 0.0
