"""Wrong answers as cards: picture with boxes and points, options, truth, what was said, how it was read, why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from snellen.reports.examples import Example, thumbnail
from snellen.reports.marks import Marks, marks_of
from snellen.reports.page import escape, picture
from snellen.reports.run_page_data import PageData

_SHOWN_DETAILS = (
    "iou", "center_acc", "anls", "edit_distance", "f1", "precision", "recall", "similarity", "teds", "rule", "metric",
    "matched", "matched_reference", "votes",
)  # fmt: skip
"""Details that say why a score is what it is."""


def examples_section(data: PageData) -> str:
    """All chosen examples; "" when there are none."""
    if not data.examples:
        return ""
    positions = [example.position for example in data.examples]
    found = data.pictures(positions) if data.pictures is not None else {}
    cards = "".join(_card(example, data, found.get(example.position, [])) for example in data.examples)
    return f"<h2>Instructive errors ({len(data.examples)})</h2><div class='cards'>{cards}</div>"


def _card(example: Example, data: PageData, originals: Iterable[bytes]) -> str:
    record, row = data.records.get(example.position, {}), example.row
    marks = _marks(example, record)
    small = [thumbnail(raw, marks=marks if i == 0 else None) for i, raw in enumerate(list(originals)[:4])]
    pictures = "".join(picture(*one, alt="picture of the sample") for one in small if one is not None)
    choices = "\n".join(f"{chr(65 + i)}. {text}" for i, text in enumerate(list(record.get("choices") or ())[:26]))
    drawn = "(drawn in green)" if marks.true_boxes or marks.true_points else "(structured, see the metadata)"
    facts = {
        "options": choices[:600],
        "truth": "; ".join(map(str, (record.get("references") or [drawn])[:3]))[:300],
        "said": data.responses.get(example.position, "")[:500] or "(empty)",
        "read as": str(row["answer"])[:200] or "(nothing)",
        "score": _score(row),
        "why": why(row, example.details)[:400],
        "flags": ", ".join(row["flags"] or ()),
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value)
    where = " · ".join(str(v) for v in (row["capability"], row["dataset"], row["sample_id"]) if v)
    question = escape(str(record.get("question") or "")[:600])
    head = f'<div class="soft">{escape(where)}</div>{pictures}<div>{question}</div>'
    return f'<div class="card">{head}<dl>{listed}</dl></div>'


def _score(row: Mapping[str, Any]) -> str:
    told = f"{row['value']:.2f} by {row['scorer']}"
    fair = row.get("fair")
    return f"{told}; fair rules {fair:.2f}" if fair is not None and fair != row["value"] else told


def why(row: Mapping[str, Any], details: Mapping[str, Any]) -> str:
    """Why an answer scored so: the rule's own reason and the parts of the metric, else that it is no reference.

    >>> why({"reason": ""}, {"iou": 0.25, "pred_bbox": [0, 0, 1, 1]})
    'iou 0.25'
    """
    parts = [str(row["reason"])] if row.get("reason") else []
    for name in _SHOWN_DETAILS:
        value = details.get(name)
        if value not in (None, "", [], {}):
            shown = f"{value:.3g}" if isinstance(value, float) else str(value)[:120]
            parts.append(f"{name.replace('_', ' ')} {shown}")
    if not parts and row.get("answer") and row.get("value") == 0.0:
        parts.append("what was read is none of the references")
    return "; ".join(parts)


def _marks(example: Example, record: Mapping[str, Any]) -> Marks:
    metadata = record.get("metadata")
    images = [one for one in record.get("images") or () if "width" in one]
    size = (int(images[0]["width"]), int(images[0]["height"])) if images else None
    return marks_of(example.details, metadata if isinstance(metadata, dict) else None, size)
