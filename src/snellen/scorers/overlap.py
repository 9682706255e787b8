"""Overlap of two boxes."""

from __future__ import annotations

from collections.abc import Sequence

Box = Sequence[float]
"""(x1, y1, x2, y2)."""


def iou(one: Box, other: Box) -> float:
    """Intersection over union of two boxes in the same unit; 0 when the union is empty.

    Args:
        one: corners as they are; a box whose corners are swapped has no area.
        other: the same.

    >>> iou((0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.5, 1.0))
    0.5
    """
    width = max(0.0, min(one[2], other[2]) - max(one[0], other[0]))
    height = max(0.0, min(one[3], other[3]) - max(one[1], other[1]))
    union = area(one) + area(other) - width * height
    return float(width * height / union) if union > 0 else 0.0


def area(box: Box) -> float:
    """Width times height, 0 for swapped corners.

    >>> area((0, 0, 2, 3))
    6.0
    """
    return float(max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1]))


def center_inside(box: Box, other: Box) -> bool:
    """Whether the centre of the first box lies in the second, borders included.

    >>> center_inside((0, 0, 2, 2), (1, 1, 3, 3))
    True
    """
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return bool(other[0] <= x <= other[2] and other[1] <= y <= other[3])
