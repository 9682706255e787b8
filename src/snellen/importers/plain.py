"""Any JSON lines, CSV, TSV or Excel table with an id and an answer a row."""

from __future__ import annotations

from pathlib import Path

from snellen.answers.thinking import split_thinking
from snellen.errors import UsageError
from snellen.importers import Prediction, Predictions, first
from snellen.importers.cells import as_text, choices_of, count, is_absent, key_of, number, references_of
from snellen.importers.rows import EXCEL_CELL_CHARS, Row, cut_note, rows_of
from snellen.types import Usage

ANSWERS = ("prediction", "response", "model_answer", "output", "raw_output", "model_output", "pred", "text")
"""Columns that may hold the model's answer, the first that is there counts."""
IDS = ("id", "sample_id", "index", "question_id", "doc_id", "item_id")
TRUTHS = ("answer", "target", "references", "reference", "ground_truth", "gold", "label")


def read(path: Path) -> Predictions:
    """Read a table of answers.

    Raises:
        UsageError: no column holds an answer.
    """
    rows = list(rows_of(path))
    column = next((name for name in ANSWERS if any(name in row for row in rows)), None)
    if rows and column is None:
        has = ", ".join(map(str, rows[0]))[:200]
        raise UsageError(f"{path.name} has no column for the answer ({', '.join(ANSWERS)}); it has {has}")
    is_table = path.suffix not in (".jsonl", ".json", ".ndjson")
    found = [_prediction(row, at, column or "", is_table) for at, row in enumerate(rows)]
    n_cut = sum(len(row.text or "") == EXCEL_CELL_CHARS for row in found) if path.suffix == ".xlsx" else 0
    model = as_text(first(rows[0], "model", "model_name")) if rows else ""
    return Predictions(model or path.stem, "", found, cut_note(path, column or "", n_cut))


def _prediction(row: Row, at: int, column: str, is_table: bool) -> Prediction:
    text, thought = split_thinking(as_text(row.get(column)))
    absent = is_absent(row.get(column), is_table)
    error = as_text(row.get("error"))
    epoch = count(row.get("epoch"))
    return Prediction(
        id=key_of(first(row, *IDS), at),
        text=None if absent else text,
        problem=error[:300] or "no answer in the file" if absent else "",
        question=as_text(first(row, "question", "problem", "prompt", "query")),
        references=references_of(first(row, *TRUTHS)),
        choices=choices_of(row),
        category=as_text(first(row, "category", "capability")),
        epoch=epoch or 0,
        reasoning="\n".join(one for one in (as_text(row.get("reasoning")), thought) if one),
        finish_reason=as_text(row.get("finish_reason")) or "stop",
        usage=Usage(count(row.get("n_in")), count(row.get("n_out"))),
        tool_score=number(first(row, "score", "correct", "is_correct")),
        model=as_text(first(row, "model", "model_name")),
    )
