"""lmms-eval and lm-evaluation-harness: `--log_samples` writes `MODEL/DATE_samples_TASK.jsonl`, a line a document.

Fields: doc_id, doc (the row), target, arguments or input (the prompt), resps (raw answers, one a repeat),
filtered_resps (after the task's filters). The raw answer is taken: it is scored here. Several filters write several
lines for one document; the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.errors import UsageError
from snellen.importers import Prediction, Predictions, first
from snellen.importers.cells import as_text, choices_of, key_of, references_of
from snellen.importers.rows import Row, rows_of

_TASK = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\d[T_].*)?$")


def read(path: Path) -> Predictions:
    """Read the samples of a task.

    Raises:
        UsageError: the rows have neither resps nor filtered_resps.
    """
    rows = list(rows_of(path))
    if rows and not ("resps" in rows[0] or "filtered_resps" in rows[0]):
        raise UsageError(f"{path.name} has no 'resps'; it has {', '.join(map(str, rows[0]))[:200]}")
    seen: set[str] = set()
    found: list[Prediction] = []
    n_again = 0
    for at, row in enumerate(rows):
        key = key_of(row.get("doc_id"), at)
        if key in seen:
            n_again += 1
            continue
        seen.add(key)
        found += _predictions(row, key)
    match = _TASK.search(path.stem)
    notes = [f"{n_again} rows repeat a doc_id (other filters of the task) and were left out"] if n_again else []
    return Predictions(path.parent.name.replace("__", "/"), match["task"] if match else path.stem, found, notes)


def _predictions(row: Row, key: str) -> list[Prediction]:
    doc = row.get("doc") if isinstance(row.get("doc"), Mapping) else {}
    assert isinstance(doc, Mapping)
    target = row.get("target")
    about: dict[str, Any] = {
        "question": _question(row, doc),
        "references": references_of(target if target is not None else first(doc, "answer", "answers", "label")),
        "choices": choices_of(doc),
        "category": as_text(first(doc, "category", "sub_task", "subject", "question_type")),
    }
    texts = _answers(row)
    if not texts:
        why = "the task compares likelihoods, no text was generated" if row.get("resps") else "no answer in the file"
        return [Prediction(key, None, why, **about)]
    return [Prediction(key, text, epoch=epoch, **about) for epoch, text in enumerate(texts)]


def _answers(row: Row) -> list[str]:
    """Raw answers, one a repeat; [] where the task generated none."""
    found = row.get("resps") if row.get("resps") is not None else row.get("filtered_resps")
    while isinstance(found, list) and len(found) == 1 and isinstance(found[0], list):
        found = found[0]
    if isinstance(found, str):
        return [found]
    if not isinstance(found, list):
        return []
    flat = [one[0] if isinstance(one, list) and one else one for one in found]
    return [one for one in flat if isinstance(one, str)] if all(isinstance(one, str) for one in flat) else []


def _question(row: Row, doc: Mapping[str, Any]) -> str:
    said = first(doc, "question", "problem", "query", "prompt")
    if isinstance(said, str):
        return said
    arguments = first(row, "input", "arguments", "prompt_text")
    while isinstance(arguments, list | dict) and arguments:  # [["text", {...}]] or {"gen_args_0": {"arg_0": "text"}}
        arguments = arguments[0] if isinstance(arguments, list) else next(iter(arguments.values()))
    return arguments if isinstance(arguments, str) else ""
