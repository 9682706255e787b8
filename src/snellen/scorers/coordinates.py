"""The convention of a model's coordinates, found over a whole run before anything is scored."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.answers import boxes, points
from snellen.answers.coordinates import CONVENTIONS

MIN_READ = 3
"""Outputs with coordinates that a run needs before a convention is stated."""
MIN_CONFIDENCE = 0.95
UNKNOWN_SIDE_PX = 4096
"""Side that is assumed where the image as sent is not known: a convention of its own range beats it."""
OUTLIER_SHARE = 0.001

Size = tuple[int, int]
"""(width, height) in pixels."""


@dataclass(frozen=True, slots=True)
class CoordinateReport:
    """Which convention a model writes its coordinates in, as found over a whole run."""

    convention: str
    """"fraction", "percent", "thousand" or "pixel"; "auto" when the run does not tell."""
    confidence: float
    """Share of the likelihood that the convention holds, 0–1."""
    n_read: int
    """Outputs whose coordinates were counted."""
    counts: Mapping[str, int]
    """Outputs that each convention explains (one output may count for several)."""


def detect_coordinates(outputs: Iterable[Any], sizes: Iterable[Size | None]) -> CoordinateReport:
    """Find the convention of a model's boxes and points over a run, before anything is scored.

    Every written value is taken as a place drawn evenly from the convention's range; the convention under which the
    run is likeliest wins. Values whose notation states its own scale (tags, location tokens, % signs) say nothing.

    Args:
        outputs: raw model texts.
        sizes: for each output the (width, height) in pixels of the image as sent, None when unknown.

    Returns:
        The convention, "auto" when fewer than MIN_READ outputs hold coordinates or none is clearly likeliest.

    >>> detect_coordinates(["[0.1, 0.2, 0.5, 0.9]"] * 5, [None] * 5).convention
    'fraction'
    >>> detect_coordinates(["[120, 210, 980, 900]", "[10, 20, 300, 400]"] * 3, [(640, 480)] * 6).convention
    'thousand'
    """
    logs: dict[str, float] = dict.fromkeys(CONVENTIONS, 0.0)
    counts: dict[str, int] = dict.fromkeys(CONVENTIONS, 0)
    n_read = 0
    for output, size in zip(outputs, sizes, strict=False):
        pairs = written_pairs(output)
        n_read += bool(pairs)
        for convention in CONVENTIONS if pairs else ():
            fits, log = _fit_of(pairs, convention, size)
            logs[convention] += log
            counts[convention] += fits
    best = max(logs, key=lambda convention: logs[convention])
    confidence = 1 / sum(math.exp(max(-700.0, log - logs[best])) for log in logs.values())
    known = n_read >= MIN_READ and confidence >= MIN_CONFIDENCE
    return CoordinateReport(best if known else "auto", confidence if n_read else 0.0, n_read, counts)


def written_pairs(output: Any) -> tuple[points.Pair, ...]:
    """Corners of the one box, or the points, that a text writes without stating their scale; empty for none."""
    found = boxes.read_boxes(output)
    if found:
        plain = [box.values for box in found if box.convention == "auto"]
        return tuple(pair for x1, y1, x2, y2 in plain for pair in ((x1, y1), (x2, y2)))
    written = points.read_points(output)
    return written.pairs if written.convention == "auto" else ()


def _fit_of(pairs: Sequence[points.Pair], convention: str, size: Size | None) -> tuple[bool, float]:
    """Whether all values lie in a convention's range, and the log-likelihood of the values under it."""
    if convention == "pixel":
        across, down = size or (UNKNOWN_SIDE_PX, UNKNOWN_SIDE_PX)
    else:
        across = down = {"fraction": 1, "percent": 100, "thousand": 1000}[convention]
    inside = [0 <= x <= across and 0 <= y <= down for x, y in pairs]
    density = -math.log(max(1, across)) - math.log(max(1, down))
    outlier = math.log(OUTLIER_SHARE) - 2 * math.log(UNKNOWN_SIDE_PX)
    return all(inside), sum(density if one else outlier for one in inside)
