"""Tables and JSON files of other tools as rows, every cell as it was written: "NA" stays "NA", a long text whole."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from snellen.errors import UsageError

EXCEL_CELL_CHARS = 32_767
"""What an Excel cell holds at most; a text of just this length was cut when the file was written."""
_FIELD_LIMIT = 2**31 - 1
_ESCAPED = re.compile(r"_x(00[01][0-9A-Fa-f]|005[Ff])_")
_LISTS = ("logs", "samples", "data", "results")
"""Where a JSON object keeps its rows."""

Row = dict[str, Any]


def rows_of(path: Path) -> Iterator[Row]:
    """Rows of a .jsonl, .json (a list, or an object of rows), .csv, .tsv or .xlsx file.

    Raises:
        UsageError: another kind of file, or one that cannot be read (with the line).
    """
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        return _json_lines(path)
    if suffix == ".json":
        return _json_rows(path)
    if suffix in (".csv", ".tsv", ".txt"):
        return _table(path, "\t" if suffix != ".csv" else ",")
    if suffix in (".xlsx", ".xlsm"):
        return _excel(path)
    if suffix in (".pkl", ".pickle"):
        raise UsageError(f"{path.name}: pickles can run code and are not read; save the table as .tsv or .xlsx")
    raise UsageError(f"{path.name}: a .jsonl, .json, .csv, .tsv or .xlsx file is expected")


def _json_lines(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        for at, line in enumerate(file, 1):
            if line.strip():
                value = parse(line.removeprefix(b"\xef\xbb\xbf"), f"{path.name}, line {at}")
                if not isinstance(value, dict):
                    raise UsageError(f"{path.name}, line {at}: a JSON object expected, got {type(value).__name__}")
                yield value


def _json_rows(path: Path) -> Iterator[Row]:
    """A list of objects, an object of objects by id, or an object that holds the list under a name in _LISTS."""
    value = parse(path.read_bytes(), path.name)
    if isinstance(value, dict):
        inner = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
        value = [_named(key, row) for key, row in value.items()] if inner is None else inner
    if not isinstance(value, list):
        raise UsageError(f"{path.name}: a list of objects expected, got {type(value).__name__}")
    for at, row in enumerate(value, 1):
        if not isinstance(row, dict):
            raise UsageError(f"{path.name}, item {at}: an object expected, got {type(row).__name__}")
        yield row


def _named(key: str, row: Any) -> Any:
    """A value of an object by ids: a row with its id, or the answer itself."""
    return {"id": key, **row} if isinstance(row, dict) else {"id": key, "prediction": row}


def parse(data: bytes, place: str) -> Any:
    """JSON, also as Python writes it (NaN, lone surrogates).

    Raises:
        UsageError: it is none.
    """
    try:
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            return json.loads(data.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: no JSON ({str(error)[:100]})") from None


def _table(path: Path, delimiter: str) -> Iterator[Row]:
    csv.field_size_limit(_FIELD_LIMIT)  # a base64 picture in a cell
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file, delimiter=delimiter):
                row.pop(None, None)  # fields beyond the header stand under None
                yield dict(row)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path.name} cannot be read: {error}") from None


def _excel(path: Path) -> Iterator[Row]:
    try:
        import openpyxl
    except ModuleNotFoundError:
        raise UsageError(f"{path.name}: Excel files need openpyxl: pip install 'snellen[excel]'") from None
    try:
        # Formulas are kept as text: an answer that begins with "=" is one to Excel.
        book = openpyxl.load_workbook(path, read_only=True, data_only=False)
    except Exception as error:
        raise UsageError(f"{path.name} is no readable Excel file: {error}") from None
    try:
        lines = book.worksheets[0].iter_rows(values_only=True)
        header = [str(cell) if cell is not None else "" for cell in next(lines, ())]
        for line in lines:
            row = {name: _unescaped(cell) for name, cell in zip(header, line, strict=False) if name}
            if any(cell is not None for cell in row.values()):
                yield row
    finally:
        book.close()


def _unescaped(cell: Any) -> Any:
    """Excel's spelling of control characters (`_x000D_`) as the characters."""
    if not isinstance(cell, str) or "_x00" not in cell:
        return cell
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), cell)


def cut_note(path: Path, column: str, n_cut: int) -> list[str]:
    """What is said about answers that a spreadsheet has cut."""
    if not n_cut:
        return []
    where = f"{n_cut} answers in the column {column!r} of {path.name} have {EXCEL_CELL_CHARS:,} characters"
    return [f"{where}, Excel's limit: they were cut when the file was written"]
