"""Rows of a user's own file, streamed with their line numbers, every text cell exactly as it is written.

"None", "NA", "null", "1.0" and leading zeros are texts like any other; a number in JSON keeps its spelling.
"""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from snellen.benchmarks.parquet import iter_rows
from snellen.errors import BenchmarkError, UsageError

SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
_FIELD_LIMIT = 2**31 - 1
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a file."""

    place: str
    """Where it stands, for messages ("line 12", "row 4")."""
    cells: Mapping[str, Any]
    """Column → value."""
    raw: str | bytes | None = None
    """The row's JSON text, from which the spelling of numbers is read."""
    problem: str = ""
    """Why the row could not be read though the next one can; its cells are then empty."""

    def spelled(self, column: str) -> Any:
        """The cell with every number in it as the text it was written as; other values unchanged.

        >>> Record("line 1", {"a": 1.1}, '{"a": 1.10}').spelled("a")
        '1.10'
        """
        value = self.cells.get(column)
        if value is None or isinstance(value, str) or self.raw is None:
            return value
        again = json.loads(self.raw, parse_int=str, parse_float=str, parse_constant=str)
        return again.get(column)


def read_records(path: Path) -> Iterator[Record]:
    """Stream the rows of a .jsonl, .json, .csv, .tsv or .parquet file.

    Raises:
        UsageError: another kind of file.
        BenchmarkError: unreadable, or a damaged row (its line and column are named).
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"{path.name} is no {', '.join(SUFFIXES)} file")
    if not path.is_file():
        raise BenchmarkError(f"the file {path} does not exist" if not path.exists() else f"{path} is no file")
    if suffix == ".parquet":
        return (Record(f"row {at + 1}", row) for at, row in iter_rows(path))
    if suffix in (".csv", ".tsv"):
        return _read_table(path, "\t" if suffix == ".tsv" else None)
    return _read_json(path) if suffix == ".json" else _read_json_lines(path)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered text lines, ends kept. Only a line feed ends a line: texts may hold any other separator."""
    encoding = _encoding(path)
    try:
        if encoding == "utf-16":
            with path.open(encoding=encoding, newline="\n") as text:
                yield from enumerate(text, 1)
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                yield number, _decoded(path, number, line)
    except OSError as error:
        raise BenchmarkError(f"the file {path} cannot be read: {error.strerror or error}") from None
    except UnicodeError as error:
        raise BenchmarkError(f"{path} is no UTF-16 text: {error}") from None


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(4)
    return "utf-16" if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


def _decoded(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        near = line[max(0, error.start - 10) : error.start + 5]
        raise BenchmarkError(f"{path.name}, line {number}: not UTF-8 near {near!r}; save the file as UTF-8") from None


def _read_json_lines(path: Path) -> Iterator[Record]:
    for number, line in _lines(path):
        if line.strip():
            row, problem = _json_object(line)
            yield Record(f"line {number}", row, line, f"line {number}: {problem}" if problem else "")


def _json_object(line: str) -> tuple[dict[str, Any], str]:
    """The object on a line, or {} and what is wrong with it."""
    try:
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            row = json.loads(line)  # takes what orjson refuses and Python writes: NaN, lone surrogates
    except (ValueError, RecursionError) as error:
        return {}, f"no JSON ({str(error)[:120]})"
    if not isinstance(row, dict):
        return {}, f"a JSON object expected, got {'null' if row is None else type(row).__name__}"
    return row, ""


def _read_json(path: Path) -> Iterator[Record]:
    """A list of objects; a file that begins with an object is read as JSON lines."""
    text = "".join(line for _, line in _lines(path))
    start = _skip(text, 0, " \t\r\n")
    if text[start : start + 1] != "[":
        yield from _read_json_lines(path)
        return
    at, counted, number = _skip(text, start + 1, " \t\r\n,"), 0, 1
    while at < len(text) and text[at] != "]":
        number += text.count("\n", counted, at)
        counted = at
        row, end = _next_value(path, number, text, at)
        yield Record(f"line {number}", row, text[at:end])
        at = _skip(text, end, " \t\r\n,")
    if at >= len(text):
        raise BenchmarkError(f"{path.name}: the list is cut off after line {number}")


def _next_value(path: Path, number: int, text: str, at: int) -> tuple[dict[str, Any], int]:
    try:
        row, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        raise BenchmarkError(f"{path.name}, the object at line {number}: no JSON ({str(error)[:120]})") from None
    if not isinstance(row, dict):
        raise BenchmarkError(f"{path.name}, line {number}: a JSON object expected, got {type(row).__name__}")
    return row, end


def _skip(text: str, at: int, what: str) -> int:
    while at < len(text) and text[at] in what:
        at += 1
    return at


def _read_table(path: Path, delimiter: str | None) -> Iterator[Record]:
    csv.field_size_limit(_FIELD_LIMIT)  # base64 images are longer than the reader's default of 128 KiB
    lines = _lines(path)
    head = next(lines, None)
    if head is None:
        raise BenchmarkError(f"{path.name} is empty")
    delimiter = delimiter or _guess_delimiter(head[1])
    reader = csv.reader(_again(head[1], lines), delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        first = reader.line_num + 1
        row = _next_row(path, reader, first)
        if row is None:
            return
        if not header:
            header = _checked_header(path, row)
        elif row:
            cells, problem = _cells(header, row)
            yield Record(f"line {first}", cells, problem=f"line {first}: {problem}" if problem else "")


def _again(first: str, rest: Iterator[tuple[int, str]]) -> Iterator[str]:
    yield first
    for _, line in rest:
        yield line


def _next_row(path: Path, reader: Iterator[list[str]], line: int) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        reason = "a quotation mark is opened and not closed" if "end of data" in str(error) else str(error)
        raise BenchmarkError(f"{path.name}, line {line}: {reason}") from None


def _guess_delimiter(header: str) -> str:
    """Spreadsheets of some countries write semicolons.

    >>> _guess_delimiter("question;answer")
    ';'
    """
    return max(",;\t", key=header.count)


def _checked_header(path: Path, row: list[str]) -> list[str]:
    names = [name.strip() for name in row]
    twice = sorted({name for name in names if names.count(name) > 1 and name})
    if twice:
        raise BenchmarkError(f"{path.name}, line 1: the column {twice[0]!r} stands twice in the header")
    return names


def _cells(header: list[str], row: list[str]) -> tuple[dict[str, Any], str]:
    if len(row) == len(header):
        return dict(zip(header, row, strict=True)), ""
    return {}, (
        f"{len(row)} fields where the header has {len(header)} (the first is {row[0][:40]!r}); "
        "quote fields that hold the separator"
    )
