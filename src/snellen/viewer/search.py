"""Text search over a run: the logs are read through as bytes, so nothing is kept in memory and nothing goes stale.

What is searched: id, question, references and options of a sample; text and reasoning of an answer. Letters match in
either case (ASCII; others in the case typed, in capitals, and in small letters).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson

from snellen.viewer.logs import answer_key_of, chunks_of, position_of

MAX_NEEDLE_CHARS = 200
_SAMPLE_FIELDS = ("id", "question", "references", "choices")
_ANSWER_FIELDS = ("text", "reasoning")


def search(folder: Path, needle: str) -> tuple[set[int], set[tuple[str, int]]]:
    """Find a text in the samples and answers of a run.

    Args:
        folder: the run directory.
        needle: what to look for; spaces at its ends are dropped.

    Returns:
        Positions of samples and (prompt key, epoch) of answers that hold it.
    """
    wanted = _forms(needle)
    if not wanted:
        return set(), set()
    positions: set[int] = set()
    small = needle.strip()[:MAX_NEEDLE_CHARS].lower()
    for line in _matching(folder / "samples.jsonl", wanted, small, _SAMPLE_FIELDS):
        position = position_of(line)
        if position is not None:
            positions.add(position)
    keys: set[tuple[str, int]] = set()
    for path in sorted(folder.glob("responses*.jsonl")):
        keys.update(key for line in _matching(path, wanted, small, _ANSWER_FIELDS) if (key := answer_key_of(line)))
    return positions, keys


def _forms(needle: str) -> list[bytes]:
    """How a needle may stand in a line of JSON, ASCII letters small."""
    text = needle.strip()[:MAX_NEEDLE_CHARS]
    if not text:
        return []
    forms = dict.fromkeys(_as_json(one).lower() for one in (text, text.lower(), text.upper()))
    return list(forms)


def _as_json(text: str) -> bytes:
    safe = text.encode("utf-8", "replace").decode("utf-8")
    return orjson.dumps(safe)[1:-1]


def _matching(path: Path, wanted: list[bytes], needle: str, fields: tuple[str, ...]) -> Iterator[bytes]:
    if not path.exists():
        return
    for chunk in chunks_of(path):
        for start, stop in _hits(chunk.lower(), wanted):
            line = chunk[start:stop]
            if _holds(line, needle, fields):
                yield line


def _hits(small: bytes, wanted: list[bytes]) -> Iterator[tuple[int, int]]:
    """Bounds of the lines that hold any of the forms, each once."""
    bounds: set[tuple[int, int]] = set()
    for form in wanted:
        at = 0
        while (hit := small.find(form, at)) >= 0:
            start, stop = small.rfind(b"\n", 0, hit) + 1, small.find(b"\n", hit)
            stop = len(small) if stop < 0 else stop
            bounds.add((start, stop))
            at = stop + 1
    yield from sorted(bounds)


def _holds(line: bytes, needle: str, fields: tuple[str, ...]) -> bool:
    """Whether one of the fields, and not merely the line, holds the needle."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    if not isinstance(record, dict):
        return False
    for name in fields:
        value = record.get(name)
        for text in value if isinstance(value, list) else (value,):
            if text is not None and needle in str(text).lower():
                return True
    return False
