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

N_EXAMPLES = 20
_SIDE_PX = 360


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


def thumbnail(
    data: bytes, *, boxes: Iterable[tuple[str, list[float]]] = (), side_px: int = _SIDE_PX
) -> tuple[str, bytes] | None:
    """A small copy of an image with boxes drawn on it; None when it cannot be read.

    Args:
        data: encoded image.
        boxes: (colour, [x1, y1, x2, y2] in fractions of the image).
        side_px: longest side of the copy.

    Returns:
        (MIME type, bytes).
    """
    try:
        small = images.prepare(data, images.ImagePolicy(max_side_px=side_px, jpeg_quality=80))
        drawn = list(boxes)
        if not drawn:
            return small.mime, small.data
        return "image/png", _with_boxes(small.data, drawn)
    except (SnellenError, OSError, ValueError):
        return None


def _with_boxes(data: bytes, boxes: list[tuple[str, list[float]]]) -> bytes:
    from PIL import ImageDraw

    picture = images.decode(data)
    draw = ImageDraw.Draw(picture)
    for colour, (x1, y1, x2, y2) in boxes:
        w, h = picture.size
        draw.rectangle((min(x1, x2) * w, min(y1, y2) * h, max(x1, x2) * w, max(y1, y2) * h), outline=colour, width=3)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def boxes_of(details: Mapping[str, Any]) -> list[tuple[str, list[float]]]:
    """Reference (green) and answered (orange) boxes of a grounding score, where they are in fractions."""
    found = []
    for name, colour in (("gt_bbox", "#009e73"), ("pred_bbox", "#d55e00")):
        box = details.get(name)
        if (
            isinstance(box, list)
            and len(box) == 4
            and all(isinstance(v, int | float) and -0.5 <= v <= 1.5 for v in box)
        ):
            found.append((colour, [float(v) for v in box]))
    return found
