"""Where each record of a growing log stands, so that one of 50,000 is read without reading the others.

Only keys and offsets stay in memory. A log may grow while it is read: `refresh` takes in what was added, no lock is
taken and nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from snellen.store import read_at

_CHUNK_BYTES = 8 << 20
_POSITION = re.compile(rb'\{"position":(\d{1,18}),')
_ANSWER = re.compile(
    rb'\{"key":"([0-9a-f]{64})","epoch":(\d{1,9}),"sample_id":"(?:[^"\\]|\\.){0,2000}","status":"(\w{1,20})"'
)

Place = tuple[Path, int]
"""File and byte offset of a record."""
Key = Any
"""What a record is found by: a position, or (prompt key, epoch)."""


@dataclass(slots=True)
class LogIndex:
    """Places of the last record of each key over one or several logs."""

    folder: Path
    """The run directory."""
    pattern: str
    """Which logs ("responses*.jsonl")."""
    key_of: Callable[[bytes], tuple[Key, bool] | None]
    """Line → (key, whether it outranks an earlier record that holds no answer), None for a line without one."""
    places: dict[Key, Place] = field(default_factory=dict)
    """Key → place."""
    answered: set[Key] = field(default_factory=set)
    """Keys whose record is an answer; a later failure does not replace it."""
    n_lines_read: int = 0
    """Lines looked at so far, in all refreshes together."""
    _sizes: dict[Path, int] = field(default_factory=dict)

    def refresh(self) -> list[Key]:
        """Take in what was appended since the last call.

        Returns:
            The keys whose record is new.
        """
        new: dict[Key, None] = {}
        for path in sorted(self.folder.glob(self.pattern)):
            start = self._sizes.get(path, 0)
            size = path.stat().st_size
            if size < start:  # the log was made anew
                self._forget(path)
                start = 0
            for offset, line in lines_from(path, start, size):
                self.n_lines_read += 1
                self._sizes[path] = offset + len(line)
                self._note(path, offset, line, new)
        return list(new)

    def _note(self, path: Path, offset: int, line: bytes, new: dict[Key, None]) -> None:
        found = self.key_of(line)
        if found is None:
            return
        key, is_answer = found
        if not is_answer and key in self.answered:
            return
        if is_answer:
            self.answered.add(key)
        self.places[key] = (path, offset)
        new[key] = None

    def _forget(self, path: Path) -> None:
        gone = [key for key, place in self.places.items() if place[0] == path]
        for key in gone:
            del self.places[key]
            self.answered.discard(key)

    def read(self, key: Key) -> dict[str, Any] | None:
        """The record of a key, None when there is none or its line is damaged."""
        place = self.places.get(key)
        if place is None:
            return None
        try:
            with place[0].open("rb") as file:
                return read_at(file, place[1])
        except OSError:
            return None

    def records(self) -> Iterator[dict[str, Any]]:
        """All records that count, read through from the logs' beginnings; quicker than one by one."""
        wanted = {place: key for key, place in self.places.items()}
        for path in sorted({path for path, _ in wanted}):
            for offset, line in lines_from(path, 0, self._sizes.get(path, 0)):
                if (path, offset) in wanted and (record := _object(line)):
                    yield record


def sample_index(folder: Path) -> LogIndex:
    """Samples of a run by position."""
    return LogIndex(folder, "samples.jsonl", _position_of)


def answer_index(folder: Path) -> LogIndex:
    """Responses and failures of a run by (prompt key, epoch)."""
    return LogIndex(folder, "responses*.jsonl", _answer_of)


def verdict_index(folder: Path) -> dict[tuple[str, int], list[Place]]:
    """Places of all verdicts on each answer, in the order they were made."""
    found: dict[tuple[str, int], list[Place]] = {}
    for path in sorted(folder.glob("verdicts*.jsonl")):
        for offset, line in lines_from(path, 0, path.stat().st_size):
            record = _object(line)
            if record.get("prompt_key"):
                found.setdefault((str(record["prompt_key"]), _epoch(record)), []).append((path, offset))
    return found


def lines_from(path: Path, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of the whole lines between two offsets; a torn last line is left for later."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            offset = start
            for line in file:
                if offset >= stop or not line.endswith(b"\n"):
                    return
                yield offset, line
                offset += len(line)
    except OSError:
        return


def chunks_of(path: Path) -> Iterator[bytes]:
    """A log in pieces of some megabytes that end at line ends."""
    rest = b""
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK_BYTES):
                cut = piece.rfind(b"\n") + 1
                if cut:
                    yield rest + piece[:cut]
                    rest = piece[cut:]
                else:
                    rest += piece
    except OSError:
        return


def position_of(line: bytes) -> int | None:
    """Position of a line of `samples.jsonl`, None for its head and for damaged lines.

    >>> position_of(b'{"position":7,"key":"ab"}')
    7
    """
    match = _POSITION.match(line)
    if match:
        return int(match[1])
    value = _object(line).get("position")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def answer_key_of(line: bytes) -> tuple[str, int] | None:
    """(prompt key, epoch) of a line of `responses.jsonl`, None for a damaged one."""
    found = _answer_of(line)
    return found[0] if found else None


def _position_of(line: bytes) -> tuple[Key, bool] | None:
    position = position_of(line)
    return None if position is None else (position, True)


def _answer_of(line: bytes) -> tuple[Any, bool] | None:
    match = _ANSWER.match(line)
    if match:
        return (match[1].decode("ascii"), int(match[2])), match[3] == b"ok"
    record = _object(line)
    if "key" not in record:
        return None
    return (str(record["key"]), _epoch(record)), record.get("status") == "ok"


def _epoch(record: dict[str, Any]) -> int:
    value = record.get("epoch")
    return value if isinstance(value, int) else 0


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
