"""The most instructive errors of a run: wrong answers from all over the benchmark, those that say most first."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from snellen import images
from snellen.errors import SnellenError
from snellen.reports.marks import Marks

N_EXAMPLES = 20
_SIDE_PX = 360
_TRUE, _SAID = "#009e73", "#d55e00"


@dataclass(frozen=True, slots=True)
class Example:
    """One wrong answer."""

    position: int
    """Row in the benchmark."""
    row: Mapping[str, Any]
    """Its line of `scores.parquet`."""
    details: Mapping[str, Any]
    """Details of its score."""


def choose(rows: Iterable[Mapping[str, Any]], n: int = N_EXAMPLES) -> list[Example]:
    """Pick wrong answers in turn from each category: first answers that were read and are plainly wrong, then those
    where the rule sets differ, then cut-off, refused and unread ones. The same rows give the same picks.

    Args:
        rows: score rows of the first epoch, with details as JSON text.
        n: how many.
    """
    queues: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["state"] == "scored" and row["value"] < 0.5 and row["epoch"] == 0:
            queues[str(row["category"] or row["dataset"])].append(row)
    for queue in queues.values():
        queue.sort(key=_rank)
    picked: list[Mapping[str, Any]] = []
    while len(picked) < n and any(queues.values()):
        for queue in queues.values():
            if queue and len(picked) < n:
                picked.append(queue.pop(0))
    return [Example(row["position"], row, _details(row.get("details"))) for row in picked]


def _rank(row: Mapping[str, Any]) -> tuple[int, int]:
    differs = row.get("fair") is not None and row.get("fair") != row["value"]
    flags = set(row["flags"] or ())
    order = 1 if differs else 0 if row["answer"] and not flags else 2
    return order, int(row["position"])


def _details(text: Any) -> dict[str, Any]:
    with suppress(orjson.JSONDecodeError, TypeError):
        value = orjson.loads(text)
        return value if isinstance(value, dict) else {}
    return {}


def thumbnail(data: bytes, *, marks: Marks | None = None, side_px: int = _SIDE_PX) -> tuple[str, bytes] | None:
    """A small copy of an image with boxes and points drawn on it; None when it cannot be read.

    Args:
        data: encoded image.
        marks: what is drawn: references green, answers orange.
        side_px: longest side of the copy.

    Returns:
        (MIME type, bytes).
    """
    try:
        small = images.prepare(data, images.ImagePolicy(max_side_px=side_px, jpeg_quality=80))
        if not marks:
            return small.mime, small.data
        return "image/png", _with_marks(small.data, marks)
    except (SnellenError, OSError, ValueError):
        return None


def _with_marks(data: bytes, marks: Marks) -> bytes:
    from PIL import ImageDraw

    picture = images.decode(data)
    draw = ImageDraw.Draw(picture)
    w, h = picture.size
    for colour, boxes, points in (
        (_TRUE, marks.true_boxes, marks.true_points), (_SAID, marks.said_boxes, marks.said_points)
    ):  # fmt: skip
        for x, y, width, height in boxes:
            draw.rectangle((x * w, y * h, (x + width) * w, (y + height) * h), outline=colour, width=3)
        for x, y in points:
            draw.ellipse((x * w - 4, y * h - 4, x * w + 4, y * h + 4), fill=colour, outline="white")
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
