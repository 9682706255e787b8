"""VLMEvalKit: one table a model and data set, `outputs/MODEL/MODEL_DATASET.xlsx` (or .tsv, .csv, .json).

Columns: index, question, answer, prediction, the options A, B, C, …, category. A row of a circular set has the index
of its question plus a million for each rotation. What could not be asked holds a sentence instead of an answer.
"""

from __future__ import annotations

from pathlib import Path

from snellen.errors import UsageError
from snellen.importers import Prediction, Predictions
from snellen.importers.cells import as_text, choices_of, is_absent, key_of, number, references_of
from snellen.importers.rows import EXCEL_CELL_CHARS, Row, cut_note, rows_of

_FAILED = ("failed to obtain answer via api", "failed to obtain answer")
_ROTATION = 1_000_000


def read(path: Path) -> Predictions:
    """Read a prediction table.

    Raises:
        UsageError: it has no column index or prediction.
    """
    rows = list(rows_of(path))
    if rows and "prediction" not in rows[0]:
        raise UsageError(f"{path.name} has no column 'prediction'; it has {', '.join(map(str, rows[0]))[:200]}")
    model, task = names_of(path)
    is_circular = any(_index(row) >= _ROTATION for row in rows)
    found = [_prediction(row, at, is_circular) for at, row in enumerate(rows)]
    n_cut = sum(len(row.text or "") == EXCEL_CELL_CHARS for row in found) if path.suffix == ".xlsx" else 0
    return Predictions(model, task, found, cut_note(path, "prediction", n_cut))


def names_of(path: Path) -> tuple[str, str]:
    """(model, data set) from the file's name and its folders, which are named after the model.

    >>> names_of(Path("outputs/Qwen2-VL-7B/T2025_x/Qwen2-VL-7B_MMBench_DEV_EN.xlsx"))
    ('Qwen2-VL-7B', 'MMBench_DEV_EN')
    >>> names_of(Path("my_answers.tsv"))
    ('my_answers', '')
    """
    for folder in path.parents[:3]:
        if folder.name and path.stem.startswith(f"{folder.name}_"):
            return folder.name, path.stem.removeprefix(f"{folder.name}_")
    return path.stem, ""


def _prediction(row: Row, at: int, is_circular: bool) -> Prediction:
    text = as_text(row.get("prediction"))
    failed = text.strip().lower().startswith(_FAILED)
    absent = is_absent(row.get("prediction"), True)
    return Prediction(
        id=key_of(row.get("index"), at),
        text=None if failed or absent else text,
        problem=text.strip()[:200] if failed else "the cell is empty" if absent else "",
        question=as_text(row.get("question")),
        references=references_of(row.get("answer")),
        choices=choices_of(row),
        category=as_text(row.get("category")),
        group=str(_index(row) % _ROTATION) if is_circular else "",
        tool_score=number(row.get("hit")),
    )


def _index(row: Row) -> int:
    try:
        return int(float(as_text(row.get("index"))))
    except ValueError:
        return 0
