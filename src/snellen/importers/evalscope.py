"""EvalScope: `outputs/DATE/predictions/MODEL/DATASET_SUBSET.jsonl` and, of the same name, `reviews/MODEL/…`.

A prediction holds index, model_output (choices with messages, usage, time), messages and metadata; a review index,
input, target and sample_score with the score. Given either file, the other is read where it lies beside. Lines of
versions before 1.0 hold choices with messages and review (gold, pred).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.errors import UsageError
from snellen.importers import Prediction, Predictions
from snellen.importers.cells import as_text, choices_of, content_text, count, key_of, number, references_of
from snellen.importers.rows import Row, rows_of
from snellen.types import Usage

_SIDES = ("predictions", "reviews")


def read(path: Path) -> Predictions:
    """Read the predictions of one subset, with their reviews where they are there.

    Raises:
        UsageError: the rows are of neither kind.
    """
    mine = _by_index(path)
    other = _twin(path)
    beside = _by_index(other) if other is not None else {}
    some = next(iter(mine.values()), {})
    if mine and not any(key in some for key in ("model_output", "sample_score", "choices")):
        has = ", ".join(map(str, some))[:200]
        raise UsageError(f"{path.name} is no prediction or review of EvalScope; it has {has}")
    rows = [_prediction(key, {**beside.get(key, {}), **row}) for key, row in mine.items()]
    is_alone = other is None and path.parent.parent.name == "predictions"
    notes = ["no reviews beside the predictions, so there are no reference answers"] if is_alone else []
    return Predictions(path.parent.name, path.stem, rows, notes)


def _by_index(path: Path) -> dict[str, Row]:
    return {key_of(row.get("index"), at): row for at, row in enumerate(rows_of(path))}


def _twin(path: Path) -> Path | None:
    """The file of the same name on the other side."""
    folder = path.parent.parent
    if folder.name not in _SIDES:
        return None
    other = folder.parent / _SIDES[1 - _SIDES.index(folder.name)] / path.parent.name / path.name
    return other if other.is_file() else None


def _prediction(key: str, row: Row) -> Prediction:
    output = _mapping(row.get("model_output")) or row
    text, reasoning, stop = _answer(output, row)
    usage = _mapping(output.get("usage"))
    score = _mapping(_mapping(row.get("sample_score")).get("score"))
    return Prediction(
        id=key,
        text=text,
        problem=as_text(output.get("error"))[:300] or ("no answer in the file" if text is None else ""),
        question=_question(row),
        references=references_of(_target(row)),
        choices=choices_of(_mapping(row.get("metadata"))) or choices_of(_mapping(row.get("raw_input"))),
        category=as_text(_mapping(row.get("metadata")).get("category")),
        reasoning=reasoning,
        finish_reason="length" if stop in ("max_tokens", "length") else stop or "stop",
        usage=Usage(
            count(usage.get("input_tokens", usage.get("prompt_tokens"))),
            count(usage.get("output_tokens", usage.get("completion_tokens"))),
        ),
        latency_s=number(output.get("time")) or 0.0,
        tool_score=number(score.get("value")),
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _answer(output: Mapping[str, Any], row: Row) -> tuple[str | None, str, str]:
    """(text, reasoning, stop reason): of the model's output, else as the review repeats it."""
    choices = output.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        message = _mapping(choices[0].get("message"))
        if message.get("content") is not None:
            stop = as_text(choices[0].get("stop_reason", choices[0].get("finish_reason")))
            text, reasoning = content_text(message["content"])
            return text, reasoning or as_text(message.get("reasoning_content")), stop
    said = _mapping(_mapping(row.get("sample_score")).get("score")).get("prediction")
    return (as_text(said), "", "") if said is not None else (None, "", "")


def _target(row: Row) -> Any:
    if row.get("target") is not None:
        return row["target"]
    choices = row.get("choices")
    if isinstance(choices, list) and choices:
        return _mapping(_mapping(choices[0]).get("review")).get("gold")
    return None


def _question(row: Row) -> str:
    raw = _mapping(row.get("raw_input"))
    if isinstance(raw.get("question"), str):
        return str(raw["question"])
    for message in reversed(row.get("messages") or []):
        if isinstance(message, Mapping) and message.get("role") == "user":
            return content_text(message.get("content"))[0]
    said = row.get("input")
    return said if isinstance(said, str) else ""
