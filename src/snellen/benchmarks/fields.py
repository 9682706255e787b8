"""Cells of a user's row → Sample: column names, choices in all their spellings, images, placeholders."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from snellen.benchmarks.records import Record
from snellen.errors import BenchmarkError, UsageError, did_you_mean
from snellen.prompts import LETTER_HINT, choice_lines, stands_in
from snellen.rows import interleave, read_metadata, sample_from_row
from snellen.types import ImagePart, Part, Sample, TextPart

COLUMNS: dict[str, tuple[str, ...]] = {
    "id": ("id", "index", "question_id"),
    "image": ("image", "images", "image_path"),
    "question": ("question",),
    "answer": ("answer",),
    "references": ("references", "all_answers"),
    "choices": ("choices", "options"),
    "category": ("category",),
    "capability": ("capability",),
    "dataset": ("dataset",),
    "scorer": ("scorer",),
    "hint": ("hint",),
    "system": ("system",),
    "mode": ("mode", "eval_mode"),
    "judge_prompt": ("judge_prompt",),
    "group": ("group",),
    "weight": ("weight",),
    "metadata": ("metadata",),
}
"""What a column means → the names under which it is found, in order, unless --columns says otherwise."""
MAX_CHOICES = 26
_LETTERS = string.ascii_uppercase
_DATBENCH_MARKS = ("prompt_format", "source_info", "eval_mode")
_EXTRA_CHARS = 1000


@dataclass(frozen=True, slots=True)
class Layout:
    """How the columns of a file are to be understood."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Meaning → column, as the user mapped them."""

    def __post_init__(self) -> None:
        for meaning in self.columns:
            if meaning not in COLUMNS:
                hint = did_you_mean(meaning, COLUMNS, otherwise=f"known are {', '.join(COLUMNS)}")
                raise UsageError(f"--columns does not know {meaning!r}; {hint}")

    def column(self, meaning: str, cells: Mapping[str, Any]) -> str | None:
        """Name of the column that holds a meaning in this row, None when there is none."""
        if meaning in self.columns:
            return self.columns[meaning]
        return next((name for name in COLUMNS[meaning] if name in cells), None)


def to_sample(record: Record, layout: Layout, default_id: str) -> Sample:
    """Turn one row of an own file into a sample.

    Args:
        record: the row.
        layout: column names.
        default_id: id of a row that has none.

    Raises:
        BenchmarkError: a needed column is absent or a cell cannot be understood; place and column are named.
    """
    if all(mark in record.cells for mark in _DATBENCH_MARKS) and not layout.columns:
        return sample_from_row(record.cells, capability=_text(record, layout, "capability"))
    question = _text(record, layout, "question", needed=True)
    choices = _choices(record, layout)
    suffix = _suffix(question, _text(record, layout, "hint"), choices)
    metadata, problem = _metadata(record, layout)
    return Sample(
        id=_text(record, layout, "id") or default_id,
        parts=_parts(_images(record, layout), question, suffix),
        question=question,
        references=_references(record, layout),
        choices=choices,
        dataset=_text(record, layout, "dataset"),
        capability=_text(record, layout, "capability"),
        category=_text(record, layout, "category"),
        mode=_mode(record, layout),
        judge_prompt=_text(record, layout, "judge_prompt"),
        system=_text(record, layout, "system") or None,
        group=_text(record, layout, "group"),
        scorer=_text(record, layout, "scorer"),
        metadata=metadata,
        metadata_error=problem,
        answer=_answer(record, layout),
        all_answers=list(_references(record, layout)),
        suffix=suffix,
        weight=_weight(record, layout),
    )


def _cell(record: Record, layout: Layout, meaning: str) -> Any:
    name = layout.column(meaning, record.cells)
    return None if name is None else record.cells.get(name)


def _answer(record: Record, layout: Layout) -> Any:
    """Lists and mappings (boxes, points, several truths) as they are; everything else as it is spelled."""
    value = _cell(record, layout, "answer")
    return value if value is None or isinstance(value, list | dict) else as_text(_spelled(record, layout, "answer"))


def _spelled(record: Record, layout: Layout, meaning: str) -> Any:
    name = layout.column(meaning, record.cells)
    return None if name is None else record.spelled(name)


def _text(record: Record, layout: Layout, meaning: str, *, needed: bool = False) -> str:
    value = _spelled(record, layout, meaning)
    if isinstance(value, list | tuple | dict):
        raise _damage(record, layout, meaning, f"a text expected, got a {type(value).__name__}")
    text = as_text(value)
    if needed and not text.strip():
        raise _absent(record, layout, meaning)
    return text


def as_text(value: Any) -> str:
    """A cell as text: texts unchanged, absent ones empty, truth values as JSON spells them.

    >>> as_text("None"), as_text(None), as_text(True), as_text(1.0), as_text(float("nan"))
    ('None', '', 'true', '1.0', '')
    """
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def _damage(record: Record, layout: Layout, meaning: str, what: str) -> BenchmarkError:
    name = layout.column(meaning, record.cells) or meaning
    return BenchmarkError(f"{record.place}, column {name!r}: {what}")


def _absent(record: Record, layout: Layout, meaning: str) -> BenchmarkError:
    name = layout.column(meaning, record.cells)
    if name is not None and name in record.cells:
        return _damage(record, layout, meaning, "is empty")
    near = get_close_matches(meaning, list(record.cells), n=1)
    column = near[0] if near else "COLUMN"
    return BenchmarkError(
        f"{record.place} has no column {name or meaning!r}; it has {', '.join(map(str, record.cells))[:200]} "
        f"(map another with --columns {meaning}={column})"
    )


def _choices(record: Record, layout: Layout) -> tuple[str, ...]:
    value = _spelled(record, layout, "choices")
    texts = _listed(record, layout, value) if value not in (None, "", [], ()) else _letter_columns(record)
    if len(texts) > MAX_CHOICES:
        raise _damage(record, layout, "choices", f"{len(texts)} options; at most {MAX_CHOICES} can be lettered")
    return texts


def _listed(record: Record, layout: Layout, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = _parsed_list(value)
    if isinstance(value, Mapping):
        value = [value[key] for key in sorted(value)]
    if not isinstance(value, list | tuple) or any(isinstance(one, list | dict) for one in value):
        raise _damage(record, layout, "choices", 'a list of options expected, such as ["red", "blue"]')
    return tuple(as_text(one) for one in value)


def _parsed_list(text: str) -> Any:
    """JSON, with numbers as they are spelled, or a list as Python prints it; None for anything else."""
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text) if text.lstrip().startswith(("[", "(")) else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _letter_columns(record: Record) -> tuple[str, ...]:
    """Options in columns A, B, C, …: empty ones may only stand at the end, or letters would shift."""
    if "A" not in record.cells or "B" not in record.cells:
        return ()
    texts = []
    for letter in _LETTERS:
        if letter not in record.cells:
            break
        texts.append(as_text(record.spelled(letter)))
    while texts and not texts[-1]:
        texts.pop()
    for letter, text in zip(_LETTERS, texts, strict=False):
        if not text:
            raise BenchmarkError(f"{record.place}, column {letter!r}: is empty while a later option is not")
    return tuple(texts)


def _references(record: Record, layout: Layout) -> tuple[str, ...]:
    """Accepted truths, the answer first; a structured answer (box, points) has none as text but its JSON."""
    texts: dict[str, None] = {}
    more = _spelled(record, layout, "references")
    if isinstance(more, str) and more.lstrip().startswith("["):
        more = _parsed_list(more)
    for value in (_spelled(record, layout, "answer"), more):
        for one in value if isinstance(value, list | tuple) and not _is_structure(value) else [value]:
            text = json.dumps(_cell(record, layout, "answer")) if isinstance(one, list | dict) else as_text(one)
            if text:
                texts.setdefault(text)
    return tuple(texts)


def _is_structure(value: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list is a box or points rather than several accepted answers."""
    numbers = [one for one in value if not isinstance(one, str) or _is_number(one)]
    return any(isinstance(one, list | dict) for one in value) or (len(value) == 4 and len(numbers) == 4)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _suffix(question: str, hint: str, choices: tuple[str, ...]) -> str:
    suffix = f"\nHint: {hint}" if hint else ""
    if choices and not stands_in(choices, question):
        suffix += f"\n{choice_lines(choices)}"
    return suffix + (f"\n{LETTER_HINT}" if choices else "")


def _images(record: Record, layout: Layout) -> list[Any]:
    value = _cell(record, layout, "image")
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = _parsed_list(value)
    found = value if isinstance(value, list | tuple) else [value]
    return [one for one in found if one is not None and one != ""]


def _parts(images: list[Any], question: str, suffix: str) -> tuple[Part, ...]:
    """Placeholders (<image 1>, <|image_1|>) are replaced by their images; without any, images come first."""
    parts, n_placed = interleave(question + suffix, images)
    if n_placed:
        return parts
    return (*(ImagePart(one) for one in images), TextPart(question + suffix))


def _mode(record: Record, layout: Layout) -> str:
    mode = _text(record, layout, "mode") or "direct"
    if mode not in ("direct", "judge"):
        raise _damage(record, layout, "mode", f'"direct" or "judge" expected, got {mode[:40]!r}')
    return mode


def _metadata(record: Record, layout: Layout) -> tuple[dict[str, Any], str]:
    metadata, problem = read_metadata(_cell(record, layout, "metadata") or {})
    used = {layout.column(meaning, record.cells) for meaning in COLUMNS}
    for name, value in record.cells.items():
        plain = isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _EXTRA_CHARS)
        if name not in used and plain and name not in _LETTERS:
            metadata.setdefault(str(name), value)
    return metadata, problem


def _weight(record: Record, layout: Layout) -> float | None:
    value = _cell(record, layout, "weight")
    if value is None or value == "":
        return None
    try:
        weight = float(value)
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 <= weight < float("inf"):
        raise _damage(record, layout, "weight", f"a number of at least 0 expected, got {str(value)[:40]!r}")
    return weight
