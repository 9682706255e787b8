"""Fair rule for points: pixmo_points_eval.

References:
    Deitke et al., "Molmo and PixMo", 2024, arXiv 2409.17146 (points inside masks after one-to-one matching).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from snellen.answers import points
from snellen.answers.marked import answer_text, read_marked
from snellen.scorers.assignment import MatchingTooLarge, nearest_pairs
from snellen.types import Sample, Score, ScoringContext

_DENIAL = re.compile(
    r"\b(?:no|none|not|nothing|nowhere|zero|never|without|cannot|can'?t|unable|missing|absent|neither|null|nil|lacks?|lacking|empty|"
    r"(?:is|are|was|were|do|does|did|could|has|have|would)n'?t|fail(?:s|ed)? to|n/a"
    r"|(?:is|are|was|were|see|found|finds?|count|contains?|shows?)\s+0(?![.,]?\d))\b|[:=]\s?\[\s?\]|没有|不存在|ない|없",
    re.IGNORECASE,
)
_NOTHING_LISTED = re.compile(r"\W*(?:0(?:\s+[^\W\d]\w*)*|\[\s*\]|\{\s*\}|\(\s*\))\W*")
_FENCE = re.compile(r"```\w*")


def pixmo_points(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """F1 of predicted points that fall inside the mask of their nearest reference; a denial where nothing is there.

    Args:
        sample: metadata holds points_target, points_mask (one 2-D mask per point, same order) and has_target.
        output: raw model text.
        context: the convention of the model's coordinates, when it is known.

    Returns:
        F1 in [0, 1]; unscored (None) when references and masks are unreadable or do not fit, or beyond the bound.
    """
    if sample.metadata.get("has_target") is None:
        return Score(None, reason="metadata: has_target is missing")
    found = points.read_points(output)
    if not sample.metadata["has_target"]:
        return _no_target(output, found.pairs)
    masks = sample.metadata.get("points_mask")
    references = read_reference_points(sample.metadata.get("points_target"))
    if not references or not _fit(masks, references):
        return Score(None, reason="metadata: points_target and points_mask are unreadable or do not fit")
    size = (context.image_sizes_sent or sample.image_sizes)[:1]
    placed = points.to_fractions(found, context.coordinates, size[0] if size else None)
    try:
        hits = _hits(placed, references, masks)
    except MatchingTooLarge as limit:
        return Score(None, reason=str(limit))
    return _points_score(placed, references, hits)


def _no_target(output: Any, found: Sequence[points.Pair]) -> Score:
    denied = not found and isinstance(output, str) and denies(output)
    details = {
        "score": float(denied),
        "predicted_points": [list(pair) for pair in found],
        "ground_truth_points": [],
        "has_target": False,
        "precision": 0.0,
        "recall": 0.0,
    }
    reason = "" if denied else "points are given where nothing is there" if found else "no denial found"
    return Score(float(denied), answer="none" if denied else "", details=details, reason=reason)


def denies(output: str) -> bool:
    """Whether a text plainly says that the thing is not there.

    >>> denies("There are no cups."), denies("[]"), denies("I see a cup"), denies("")
    (True, True, False, False)
    """
    body, _ = answer_text(output)
    if _DENIAL.search(body):
        return True
    pieces = (_FENCE.sub("", body), read_marked(body).answer)
    return any(_NOTHING_LISTED.fullmatch(piece) for piece in pieces)


def read_reference_points(target: Any) -> list[tuple[float, float]]:
    """Reference points as fractions, one scale for all of them; empty when one cannot be read.

    >>> read_reference_points([{"x": 50, "y": 0.5}, [10, 20]])
    [(0.5, 0.005), (0.1, 0.2)]
    """
    if not isinstance(target, list | tuple):
        return []
    try:
        pairs = [_reference_pair(entry) for entry in target]
    except (TypeError, ValueError, KeyError, IndexError):
        return []
    largest = max((abs(value) for pair in pairs for value in pair), default=0.0)
    scale = 1.0 if largest <= 1 else 100.0 if largest <= 100 else 1000.0
    return [(x / scale, y / scale) for x, y in pairs]


def _reference_pair(entry: Any) -> tuple[float, float]:
    x, y = (entry["x"], entry["y"]) if isinstance(entry, Mapping) else (entry[0], entry[1])
    pair = float(x), float(y)
    if not all(map(math.isfinite, pair)):
        raise ValueError("no finite point")
    return pair


def _fit(masks: Any, references: Sequence[points.Pair]) -> bool:
    return (
        isinstance(masks, list | tuple)
        and len(masks) == len(references)
        and all(
            isinstance(mask, list | tuple) and mask and isinstance(mask[0], list | tuple) and mask[0]
            for mask in masks
        )
    )


def _hits(placed: Sequence[points.Pair], references: Sequence[points.Pair], masks: Any) -> int:
    if not placed:
        return 0
    return sum(inside_mask(placed[mine], masks[theirs]) for mine, theirs in nearest_pairs(placed, references))


def inside_mask(point: points.Pair, mask: Sequence[Sequence[Any]]) -> bool:
    """Whether a point (in fractions) lies in a mask; exactly 1 is the last row or column, beyond is outside.

    Args:
        point: (x, y) in fractions of the image.
        mask: rows of truthy (inside) and falsy cells, shape (height, width); a missing cell is outside.

    >>> inside_mask((1.0, 0.0), [[0, 1], [0, 0]])
    True
    """
    x, y = point
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return False
    row = mask[min(int(y * len(mask)), len(mask) - 1)]
    column = min(int(x * len(mask[0])), len(mask[0]) - 1)
    return column < len(row) and bool(row[column])


def _points_score(placed: Sequence[points.Pair], references: Sequence[points.Pair], hits: int) -> Score:
    value = 2 * hits / (len(placed) + len(references))
    details = {
        "score": value,
        "predicted_points": [list(pair) for pair in placed],
        "ground_truth_points": [list(pair) for pair in references],
        "has_target": True,
        "precision": hits / len(placed) if placed else 0.0,
        "recall": hits / len(references),
    }
    return Score(
        value, answer=str(details["predicted_points"]), details=details, reason="" if placed else "no point found"
    )
