"""Cells and JSON values of other tools as texts, lists and numbers; nothing is guessed and nothing is cut."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping, Sequence
from typing import Any

from snellen.answers.thinking import split_thinking


def as_text(value: Any) -> str:
    """A value as text; numbers without a needless ".0", lists and mappings as JSON.

    >>> as_text("NA"), as_text(None), as_text(3.0), as_text(["a"])
    ('NA', '', '3', '["a"]')
    """
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def references_of(value: Any) -> tuple[str, ...]:
    """Accepted truths: a text alone, or the texts of a list; structured ones as JSON."""
    values = value if isinstance(value, list | tuple) else [value]
    if any(isinstance(one, list | dict) for one in values):
        return (as_text(value),)
    return tuple(dict.fromkeys(text for one in values if (text := as_text(one)) != ""))


def choices_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Options in columns A, B, C, … or in a list or mapping named choices or options."""
    for name in ("choices", "options"):
        value = row.get(name)
        if isinstance(value, str) and value.lstrip().startswith("["):
            value = _json(value)
        if isinstance(value, Mapping):
            value = value.get("text", list(value.values()))
        if isinstance(value, Sequence) and not isinstance(value, str) and value:
            return tuple(as_text(one) for one in value)
    texts: list[str] = []
    for letter in string.ascii_uppercase:
        if as_text(row.get(letter)) == "":
            break
        texts.append(as_text(row[letter]))
    return tuple(texts) if len(texts) > 1 else ()


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def content_text(content: Any) -> tuple[str, str]:
    """(text, reasoning) of a message's content: a text, or a list of typed parts."""
    if isinstance(content, str):
        return split_thinking(content)
    texts, thoughts = [], []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and part.get("type") == "reasoning":
            thoughts.append(as_text(part.get("reasoning")))
        elif isinstance(part, Mapping) and isinstance(part.get("text"), str):
            texts.append(part["text"])
    said, thought = split_thinking("".join(texts))
    return said, "\n".join(one for one in (*thoughts, thought) if one)


def is_absent(value: Any, is_table: bool) -> bool:
    """Whether a cell holds no answer: in a table an empty one and a missing one look alike, and neither is a zero."""
    return value is None or (is_table and value == "")


def count(value: Any) -> int | None:
    """A number of tokens, None where there is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def number(value: Any) -> float | None:
    """A score as a number, None where it is none."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, Mapping):
        return next((found for one in value.values() if (found := number(one)) is not None), None)
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def key_of(value: Any, at: int) -> str:
    """A sample's id as text; its place in the file where it has none."""
    text = as_text(value).strip()
    return text or str(at)
