"""Boxes and points of a scored answer, as fractions of the image, to be drawn over it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_MAX_POINTS = 500


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn over the first image."""

    true_boxes: tuple[tuple[float, float, float, float], ...] = ()
    """Reference boxes (left, top, width, height), fractions."""
    said_boxes: tuple[tuple[float, float, float, float], ...] = ()
    """Answered boxes."""
    true_points: tuple[tuple[float, float], ...] = ()
    """Reference points (x, y), fractions."""
    said_points: tuple[tuple[float, float], ...] = ()
    """Answered points."""

    def __bool__(self) -> bool:
        """Whether there is anything to draw."""
        return bool(self.true_boxes or self.said_boxes or self.true_points or self.said_points)


def marks_of(
    details: Mapping[str, Any], metadata: Mapping[str, Any] | None = None, size: tuple[int, int] | None = None
) -> Marks:
    """Read boxes and points out of a score's details; what is no box or point is passed over.

    Args:
        details: of a score by a grounding or pointing rule.
        metadata: of the sample, whose `bbox` is the reference where the details hold none.
        size: (width, height) in pixels of the image, for coordinates that are pixels.

    >>> marks_of({"gt_bbox": [0.1, 0.2, 0.5, 0.4]}).true_boxes
    ((0.1, 0.2, 0.4, 0.2),)
    """
    about = metadata or {}
    reference = details.get("gt_bbox", about.get("bbox"))
    return Marks(
        _boxes(reference, size),
        _boxes(details.get("pred_bbox"), size),
        _points(details.get("ground_truth_points"), size),
        _points([*_listed(details.get("predicted_points")), details.get("pred_point")], size),
    )


def _boxes(value: Any, size: tuple[int, int] | None) -> tuple[tuple[float, float, float, float], ...]:
    many = value if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple) else [value]
    found = []
    for one in many[:_MAX_POINTS]:
        numbers = _fractions(one, 4, size)
        if numbers:
            x1, y1, x2, y2 = numbers
            found.append((_r(min(x1, x2)), _r(min(y1, y2)), _r(abs(x2 - x1)), _r(abs(y2 - y1))))
    return tuple(found)


def _points(value: Any, size: tuple[int, int] | None) -> tuple[tuple[float, float], ...]:
    found = (_fractions(one, 2, size) for one in _listed(value)[:_MAX_POINTS])
    return tuple((_r(numbers[0]), _r(numbers[1])) for numbers in found if numbers)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else []


def _fractions(value: Any, n: int, size: tuple[int, int] | None) -> list[float] | None:
    """So many numbers as fractions; pixels become fractions where the image's size is known; else None."""
    if not isinstance(value, list | tuple) or len(value) != n:
        return None
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in value):
        return None
    numbers = [float(v) for v in value]
    if max(abs(v) for v in numbers) > 1.5:
        if size is None:
            return None
        numbers = [v / size[i % 2] for i, v in enumerate(numbers)]
    return [min(2.0, max(-1.0, v)) for v in numbers]


def _r(value: float) -> float:
    return round(value, 5)
