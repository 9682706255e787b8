"""Fair rule for boxes: the refcoco family.

References:
    Kazemzadeh et al., "ReferItGame", 2014; Yu et al., "Modeling Context in Referring Expressions", 2016; Mao et al.,
    "Generation and Comprehension of Unambiguous Object Descriptions", 2016 (accuracy at IoU 0.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from snellen.answers import boxes
from snellen.answers.boxes import WrittenBox
from snellen.scorers.coordinates import CoordinateReport as CoordinateReport
from snellen.scorers.coordinates import Size
from snellen.scorers.coordinates import detect_coordinates as detect_coordinates
from snellen.scorers.overlap import Box, center_inside, iou
from snellen.types import Sample, Score, ScoringContext

RECALL_AT = (0.3, 0.5, 0.7)
ENOUGH_OVERLAP = 0.5


def refcoco(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Accuracy at IoU 0.5 of one referring expression.

    Args:
        sample: `metadata["bbox"]` is the reference, [x1, y1, x2, y2] in fractions, or in pixels when above 1.5.
        output: raw model text.
        context: the convention of the model's coordinates, when it is known.

    Returns:
        1 or 0; unscored (None) when the row has no readable reference box.
    """
    reference = read_reference_box(sample.metadata.get("bbox"))
    if reference is None:
        return Score(None, reason=f"metadata: bbox is no box: {str(sample.metadata.get('bbox'))[:80]}")
    return score_box(reference, output, context, sample.image_sizes[:1])


def read_reference_box(value: Any) -> tuple[float, float, float, float] | None:
    """A reference box with its corners in order; None when it is none.

    >>> read_reference_box([0.5, 0.5, 0.1, 0.2])
    (0.1, 0.2, 0.5, 0.5)
    """
    if not isinstance(value, list | tuple) or len(value) != 4:
        return None
    try:
        x1, y1, x2, y2 = (float(one) for one in value)
    except (TypeError, ValueError):
        return None
    if not all(map(math.isfinite, (x1, y1, x2, y2))):
        return None
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def score_box(reference: Box, output: Any, context: ScoringContext, sizes: Sequence[Size] = ()) -> Score:
    """Score one text against one box.

    Args:
        reference: corners in order, in fractions, or in pixels of the original image when above 1.5.
        output: raw model text.
        context: convention and sizes of the images as sent.
        sizes: (width, height) of the original image, when known.

    Returns:
        1 when IoU reaches 0.5, else 0; details hold iou, pred_bbox, gt_bbox, center_acc, recall@…, n_boxes.
    """
    found = boxes.read_boxes(output)
    if len(found) != 1:
        reason = f"{len(found)} different boxes" if found else "no box found"
        return _box_score(None, reference, reason, n_boxes=len(found))
    mine, theirs = _same_unit(found[0], reference, context, sizes)
    return _box_score(mine, theirs, "", n_boxes=1)


def _same_unit(found: WrittenBox, reference: Box, context: ScoringContext, sizes: Sequence[Size]) -> tuple[Box, Box]:
    """Both boxes in fractions; a reference in pixels of unknown size is compared in its own units."""
    sent = context.image_sizes_sent[:1] or tuple(sizes[:1])
    size = sent[0] if sent else None
    if max(map(abs, reference)) <= boxes.FRACTIONS_UP_TO:
        return boxes.to_fractions(found, context.coordinates, size), reference
    is_plain = found.convention == "auto" and context.coordinates in ("auto", "pixel") and found.largest > 1.5
    if sizes and not (is_plain and sent == tuple(sizes[:1])):
        width, height = sizes[0]
        whole = (reference[0] / width, reference[1] / height, reference[2] / width, reference[3] / height)
        return boxes.to_fractions(found, "pixel" if is_plain else context.coordinates, size), whole
    x1, y1, x2, y2 = found.values
    return (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), reference


def _box_score(found: Box | None, reference: Box, reason: str, *, n_boxes: int) -> Score:
    overlap = iou(reference, found) if found is not None else 0.0
    details = {
        "iou": overlap,
        "center_acc": float(found is not None and center_inside(found, reference)),
        "pred_bbox": list(found) if found is not None else None,
        "gt_bbox": list(reference),
        "n_boxes": n_boxes,
        **{f"recall@{limit}": float(overlap >= limit) for limit in RECALL_AT},
        "score": float(overlap >= ENOUGH_OVERLAP),
    }
    answer = "" if found is None else "[" + ", ".join(f"{value:g}" for value in found) + "]"
    return Score(float(overlap >= ENOUGH_OVERLAP), answer=answer, details=details, reason=reason)
