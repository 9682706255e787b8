"""The public library's OCRBench v2 rules for structured answers: field F1, and an answer with its box."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from typing import Any

from snellen.scorers.datbench_1_0.ocrbench_text import vqa

MAX_LITERAL_CHARS = 200_000
"""Longer texts are not read as a Python literal."""

_FENCE_START = re.compile(r"```(?:python|json)?\n")
_KEY_RUN = re.compile(r"[\w\s]+")
_REST_OF_PAIR = re.compile(r"[\"']?\s*[:=]\s*[\"']?([^\n,\"'{}]+)")
_BOX = re.compile(r"[(\[]\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*[)\]]")
_LARGEST = 1000


def field_f1(text: str, references: Any) -> float:
    """F1 of key-value pairs against the first reference; listed values are alternatives.

    >>> field_f1('{"a": "x", "b": "y"}', ["{'a': ['x', 'z'], 'b': 'w'}"])
    0.5
    """
    if not references:
        return 0.0
    reference = references if isinstance(references, str) else references[0]
    if isinstance(reference, str):
        reference = read_literal(reference)
    if not isinstance(reference, dict):
        return 0.0
    predicted = read_pairs(text)
    if any(isinstance(value, list) and not value for value in reference.values()):
        reference = {}
    outcomes = [_outcome(predicted.get(key), reference.get(key)) for key in predicted.keys() | reference.keys()]
    return _f1(outcomes)


def _outcome(predicted: Any, expected: Any) -> tuple[int, int, int]:
    """(tp, fp, fn) of one key under its best alternative; each key's best choice is best for the whole F1."""
    alternatives = expected if isinstance(expected, list) else [expected]
    return max((_compared(_tight(predicted), _tight(one)) for one in alternatives), key=_rank)


def _compared(predicted: Any, expected: Any) -> tuple[int, int, int]:
    if predicted is None:
        return (0, 0, 0 if expected is None else 1)
    if expected is None:
        return (0, 1, 0)
    return (1, 0, 0) if predicted == expected else (0, 1, 1)


def _rank(outcome: tuple[int, int, int]) -> int:
    return 3 * outcome[0] - outcome[1] - outcome[2]


def _tight(value: Any) -> Any:
    return str(value).lower().strip().replace("\n", " ").replace(" ", "") if value else value


def _f1(outcomes: Sequence[tuple[int, int, int]]) -> float:
    n_true, n_false, n_missed = (sum(one[place] for one in outcomes) for place in range(3))
    if not n_true:
        return 0.0
    precision, recall = n_true / (n_true + n_false), n_true / (n_true + n_missed)
    return 2 * precision * recall / (precision + recall)


def read_literal(text: str) -> Any:
    """A Python literal (no expression is run); None when the text is none or is too long."""
    if len(text) > MAX_LITERAL_CHARS:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def read_pairs(text: str) -> dict[Any, Any]:
    r"""Key-value pairs: strict JSON, else a Python dict, else loose `key: value` runs.

    >>> read_pairs("name: Joe\ntotal = 12.50")
    {'name': 'Joe', 'total': '12.50'}
    """
    body = _fenced(text)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        found = read_literal(body)
    return found if isinstance(found, dict) else _loose_pairs(body)


def _fenced(text: str) -> str:
    start = _FENCE_START.search(text)
    end = text.find("\n```", start.end()) if start else -1
    return text[start.end() : end] if start and end >= 0 else text.strip()


def _loose_pairs(text: str) -> dict[str, str]:
    """A run of word characters and blanks, a colon or an equals sign, and what follows; in linear time."""
    pairs: dict[str, str] = {}
    position = 0
    while (key := _KEY_RUN.search(text, position)) is not None:
        position = key.end()
        rest = _REST_OF_PAIR.match(text, position)
        if rest:
            pairs[key[0].strip()] = rest[1].strip()
            position = rest.end()
            if text[position : position + 1] in ("'", '"'):
                position += 1
    return pairs


def answer_with_box(text: str, references: Any, box: Any) -> float:
    """Mean of the answer's `vqa` score and the overlap of its box with the reference box.

    >>> answer_with_box('{"answer": "hello", "bbox": [0, 0, 10, 10]}', ["hello"], [0, 0, 10, 20])
    0.75
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = read_literal(text)
    if isinstance(found, dict) and "answer" in found:
        return (vqa(found["answer"], references) + _written_overlap(found.get("bbox"), box)) / 2
    written = last_box(text)
    return (vqa(text, references) + (_free_overlap(written, box) if written else 0.0)) / 2


def last_box(text: str) -> tuple[int, ...] | None:
    """Last distinct bracketed group of four whole numbers up to 1000; a repeated one keeps its first place."""
    found: dict[tuple[int, ...], None] = {}
    for match in _BOX.finditer(text):
        if all(len(number.lstrip("0")) <= 4 for number in match.groups()):
            numbers = tuple(map(int, match.groups()))
            if max(numbers) <= _LARGEST:
                found.setdefault(numbers)
    return list(found)[-1] if found else None


def _written_overlap(written: Any, box: Any) -> float:
    if not box or not written:
        return 0.0
    try:
        return overlap(read_literal(str(written)), box)
    except (ValueError, TypeError, IndexError, KeyError, OverflowError):
        return 0.0


def _free_overlap(written: tuple[int, ...], box: Any) -> float:
    if not box:
        return 0.0
    if len(box) < 4:
        raise IndexError("the reference box has fewer than four numbers")
    try:
        return overlap(written, box)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def overlap(first: Any, second: Any) -> float:
    """Intersection over union of two boxes cut to whole numbers, corners as given.

    >>> overlap([0, 0, 10, 10], [0, 0, 10, 20])
    0.5
    """
    a, b = ([int(box[place]) for place in range(4)] for box in (first, second))
    inner = max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inner
    return inner / union if union else 0.0
