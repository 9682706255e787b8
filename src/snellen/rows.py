"""A row in DatBench's public schema → Sample. Pure: no image is read, nothing raises on odd metadata.

Source: schema and defaults as set out in the public data card and library README (DatBench, arXiv 2601.02316).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from snellen.errors import BenchmarkError
from snellen.types import ImagePart, Part, Sample, TextPart

REQUIRED = ("id", "image", "question", "answer")
PLACEHOLDER = re.compile(r"<\|?image[ _](\d{1,4})\|?>")
"""Where an image stands within a text: <|image_1|>, <|image 1|>, <image 1>."""


def sample_from_row(row: Mapping[str, Any], *, capability: str = "", group: str = "") -> Sample:
    """Turn one DatBench row into a sample.

    Args:
        row: mapping with at least id, image, question, answer.
        capability: the config the row came from ("chart"); never derived from the source dataset.
        group: key shared by the rows of one circular item.

    Raises:
        BenchmarkError: a required column is absent.
    """
    for column in REQUIRED:
        if column not in row:
            raise BenchmarkError(
                f"row {row.get('id', '?')!r} has no column {column!r}; a DatBench row needs {', '.join(REQUIRED)}"
            )
    metadata, metadata_error = read_metadata(row.get("metadata", "{}"))
    prefix, suffix = _prompt_format(row)
    question = _text(row["question"])
    source = row.get("source_info") or {}
    metrics = row.get("eval_metrics") or {}
    answer = row["answer"]
    all_answers = row.get("all_answers", [answer])
    return Sample(
        id=str(row["id"]),
        parts=_parts(row["image"], prefix + question + suffix),
        question=question,
        references=references_of(answer, all_answers),
        choices=choices_of(metadata),
        dataset=str(source.get("dataset") or "") if isinstance(source, Mapping) else "",
        capability=capability,
        mode=str(row.get("eval_mode", "direct") or "direct"),
        judge_prompt=_text(row.get("judge_prompt", "")),
        group=group,
        metadata=metadata,
        metadata_error=metadata_error,
        answer=answer,
        all_answers=all_answers,
        prefix=prefix,
        suffix=suffix,
        discrimination=metrics.get("discrimination") if isinstance(metrics, Mapping) else None,
        weight=_weight(row.get("weight")),
    )


def read_metadata(value: Any) -> tuple[dict[str, Any], str]:
    """Parse a row's metadata column.

    Returns:
        The mapping ({} when it cannot be read) and the reason it could not ("" when it could).

    >>> read_metadata('{"options": ["a"]}')
    ({'options': ['a']}, '')
    >>> read_metadata(None)
    ({}, '')
    >>> read_metadata("[1]")[1]
    'metadata is a list, not an object'
    """
    if value is None:
        return {}, ""
    if isinstance(value, Mapping):
        return dict(value), ""
    if not isinstance(value, str | bytes):
        return {}, f"metadata is a {type(value).__name__}, not an object"
    try:
        parsed = _parsed_json(value)
    except (ValueError, RecursionError) as error:
        return {}, f"metadata is no JSON: {error}"
    if not isinstance(parsed, dict):
        kind = "null" if parsed is None else type(parsed).__name__
        return {}, f"metadata is a {kind}, not an object" if kind != "null" else "metadata is null"
    return parsed, ""


def _parsed_json(value: str | bytes) -> Any:
    """The value of a JSON text; NaN and lone surrogates, which the fast reader refuses, are read as Python does."""
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return json.loads(value)


def interleave(text: str, images: Sequence[Any]) -> tuple[tuple[Part, ...], int]:
    """Split a text at its image placeholders into text and image parts, in order.

    Args:
        text: text with placeholders, numbered from 1.
        images: the sources they number.

    Returns:
        The parts (numbers without an image are dropped; images that no placeholder names follow at the end) and how
        many placeholders were filled.

    >>> interleave("Is <|image_1|> like <|image_2|>?", ["a", "b"])[0][1]
    ImagePart(source='a')
    """
    parts: list[Part] = []
    named: set[int] = set()
    at = 0
    for match in PLACEHOLDER.finditer(text):
        if text[at : match.start()]:
            parts.append(TextPart(text[at : match.start()]))
        at = match.end()
        number = int(match[1])
        if 1 <= number <= len(images):
            parts.append(ImagePart(images[number - 1]))
            named.add(number)
    if text[at:]:
        parts.append(TextPart(text[at:]))
    parts += [ImagePart(image) for number, image in enumerate(images, 1) if number not in named]
    return tuple(parts), len(named)


def references_of(answer: Any, all_answers: Any) -> tuple[str, ...]:
    """Accepted truths as text: the canonical answer first, then the others, without repeats.

    >>> references_of("b", ["a", "b"])
    ('b', 'a')
    """
    rest = all_answers if isinstance(all_answers, list | tuple) else [all_answers]
    seen: dict[str, None] = {}
    for value in (answer, *rest):
        if value is not None:
            seen.setdefault(value if isinstance(value, str) else str(value))
    return tuple(seen)


def choices_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Option texts where the metadata holds a plain list of them, else empty.

    >>> choices_of({"options": ["red", "blue"]})
    ('red', 'blue')
    """
    options = metadata.get("options")
    if isinstance(options, list) and options and all(isinstance(o, str | int | float) for o in options):
        return tuple(str(o) for o in options)
    return ()


def _prompt_format(row: Mapping[str, Any]) -> tuple[str, str]:
    layout = row.get("prompt_format") or {}
    if not isinstance(layout, Mapping):
        return "", ""
    return _text(layout.get("prefix", "")), _text(layout.get("suffix", ""))


def _weight(value: Any) -> float | None:
    """Survey weight of a curated subset's row; None where there is no such column."""
    return float(value) if isinstance(value, int | float) and 0 <= value < float("inf") else None


def _parts(image: Any, text: str) -> tuple[Part, ...]:
    images = image if isinstance(image, list | tuple) else [image]
    shown: list[Part] = [ImagePart(one) for one in images if one is not None]
    return (*shown, TextPart(text))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
