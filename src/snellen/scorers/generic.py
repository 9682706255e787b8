"""Fair rules for users' own data, by name: exact, choice, number, box, point, and auto, which picks among them.

A box or point reference is in fractions of the image (0–1), or in pixels of the original image when above 1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from snellen.answers import points
from snellen.answers.boxes import FRACTIONS_UP_TO, boxes_in
from snellen.answers.numbers import read_number
from snellen.scorers.choice import gold_letters, options_for, score_choice
from snellen.scorers.coordinates import Size
from snellen.scorers.grounding import read_reference_box, score_box
from snellen.scorers.overlap import Box
from snellen.scorers.pointing import inside_mask
from snellen.scorers.questions import score_open
from snellen.scorers.values import rule_for
from snellen.types import Sample, Score, ScoringContext


def exact(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The answer says the same as one of the references: wording, case and number spelling aside."""
    return score_open(output, sample.references)


def number(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The answer is the reference number, within `context.numeric_tolerance` of it (relative, 0 by default)."""
    rule = rule_for(sample.question, Fraction(str(context.numeric_tolerance)))
    return score_open(output, sample.references, rule)


def choice(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The answer chooses the option that the first reference names, by letter or by text."""
    gold = sample.references[0] if sample.references else None
    if gold is None:
        return Score(None, reason="the sample has no reference")
    if not gold_letters(gold, options_for(sample)):
        return Score(None, reason=f"the reference {gold[:80]!r} names none of the options")
    return score_choice(sample, output, gold)


def box(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The answer's box overlaps one of the reference boxes by at least one half (IoU); details hold the IoU."""
    references = _reference_boxes(sample)
    if not references:
        return Score(None, reason='the sample has no reference box: give metadata "bbox" or "[x1, y1, x2, y2]"')
    scores = [score_box(reference, output, context, sample.image_sizes[:1]) for reference in references]
    return max(scores, key=lambda score: float(score.details["iou"]))


def _reference_boxes(sample: Sample) -> list[Box]:
    value = sample.metadata.get("bbox")
    if value is not None:
        several = (
            value if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple) else [value]
        )
        return [one for one in map(read_reference_box, several) if one is not None]
    written = [found.values for reference in sample.references for found in boxes_in(reference)]
    return [one for one in map(read_reference_box, written) if one is not None]


def point(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The answer's point lies in the reference box or mask, or within `metadata["radius"]` of the reference point.

    Args:
        sample: metadata holds "bbox", or "mask" (rows of truthy cells over the whole image), or "radius" beside
            "point" (or a reference text "[x, y]"), in fractions or in pixels of the original image.
        output: raw model text.
        context: the convention of the model's coordinates, when it is known.
    """
    if _is_hit((0.0, 0.0), sample) is None:
        reason = 'the sample has no place to hit: give metadata "bbox", "mask", or "point" with "radius"'
        return Score(None, reason=reason)
    found = points.read_points(output)
    distinct = tuple(dict.fromkeys(found.pairs))
    if len(distinct) != 1:
        reason = f"{len(distinct)} different points" if distinct else "no point found"
        return Score(0.0, details={"score": 0.0, "pred_point": None}, reason=reason)
    size = (context.image_sizes_sent or sample.image_sizes)[:1]
    placed = points.to_fractions(found, context.coordinates, size[0] if size else None)[0]
    hit = bool(_is_hit(placed, sample))
    details = {"score": float(hit), "pred_point": list(placed)}
    return Score(float(hit), answer=f"({placed[0]:g}, {placed[1]:g})", details=details)


def _is_hit(placed: points.Pair, sample: Sample) -> bool | None:
    """Whether a point in fractions hits the sample's place; None when the sample states none."""
    mask = sample.metadata.get("mask")
    if isinstance(mask, list | tuple) and mask and isinstance(mask[0], list | tuple) and mask[0]:
        return inside_mask(placed, mask)
    if sample.metadata.get("bbox") is not None:
        boxes = [_in_fractions(reference, sample.image_sizes) for reference in _reference_boxes(sample)]
        return any(x1 <= placed[0] <= x2 and y1 <= placed[1] <= y2 for x1, y1, x2, y2 in boxes) if boxes else None
    return _is_near(placed, sample)


def _in_fractions(reference: Box, sizes: Sequence[Size]) -> Box:
    if max(map(abs, reference)) <= FRACTIONS_UP_TO or not sizes:
        return reference
    width, height = sizes[0]
    return reference[0] / width, reference[1] / height, reference[2] / width, reference[3] / height


def _is_near(placed: points.Pair, sample: Sample) -> bool | None:
    """Distance in the reference's own unit, so that a radius in pixels is a circle."""
    radius, target = sample.metadata.get("radius"), _reference_point(sample)
    if target is None or isinstance(radius, bool) or not isinstance(radius, int | float):
        return None
    in_pixels = max(map(abs, target)) > FRACTIONS_UP_TO
    if in_pixels and not sample.image_sizes:
        return None
    across, down = sample.image_sizes[0] if in_pixels else (1, 1)
    gap_x, gap_y = placed[0] * across - target[0], placed[1] * down - target[1]
    return gap_x * gap_x + gap_y * gap_y <= radius * radius


def _reference_point(sample: Sample) -> points.Pair | None:
    value = sample.metadata.get("point")
    text = str(list(value)) if isinstance(value, list | tuple) else sample.references[0] if sample.references else ""
    pairs = points.points_in(text).pairs
    return pairs[0] if len(pairs) == 1 else None


def auto(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """By choice when the sample offers options, by number when its first reference is one, else by exact text."""
    if sample.choices and sample.references and gold_letters(sample.references[0], options_for(sample)):
        return choice(sample, output, context)
    if sample.references and read_number(sample.references[0]) is not None:
        return number(sample, output, context)
    return exact(sample, output, context)
