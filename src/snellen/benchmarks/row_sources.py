"""Rows of a table, wherever it lies: Parquet, JSON lines or JSON, a `datasets` object, a list of mappings.

Each source streams rows in order, returns chosen rows by position, and holds only a few at a time.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar

import orjson

from snellen.benchmarks.fingerprints import file_sha256, fingerprint
from snellen.benchmarks.parquet import iter_rows, open_parquet
from snellen.errors import BenchmarkError

Row = Mapping[str, Any]
_T = TypeVar("_T")
MAX_LINE_BYTES = 256 * 1024 * 1024
"""A longer line of JSON is refused instead of read."""

Opener = Callable[[], BinaryIO]
"""Opens a file anew, for reading at any place."""


class RowSource(Protocol):
    """Rows with a number, streamed or by position."""

    fingerprint: str
    """Hash of the content or revision."""

    def rows(
        self, positions: Sequence[int] | None = None, *, columns: Sequence[str] | None = None, start: int = 0
    ) -> Iterator[tuple[int, Row]]:
        """(position, row) pairs in ascending order: the asked positions, or all; none before `start`."""
        ...


class ParquetRows:
    """Rows of one or several Parquet files, one after the other; a file is opened only when a row in it is asked."""

    def __init__(self, files: Sequence[tuple[str, Opener]], fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._files = tuple(files)
        self._n_rows: dict[int, int] = {}

    def rows(
        self, positions: Sequence[int] | None = None, *, columns: Sequence[str] | None = None, start: int = 0
    ) -> Iterator[tuple[int, Row]]:
        """See `RowSource.rows`."""
        wanted = None if positions is None else sorted({p for p in positions if p >= start})
        first = 0
        for i, (name, opener) in enumerate(self._files):
            if wanted is not None and (not wanted or wanted[-1] < first):
                return
            end = first + self._count(i)
            inside = _inside(wanted, max(start, first), end, first)
            if inside is None or inside:
                for at, row in _parquet_rows(name, opener, inside, columns):
                    yield first + at, row
            first = end

    def _count(self, i: int) -> int:
        if i not in self._n_rows:
            name, opener = self._files[i]
            with opener() as stream:
                self._n_rows[i] = _named(name, lambda: int(open_parquet(stream).metadata.num_rows))
        return self._n_rows[i]


def _inside(wanted: list[int] | None, low: int, end: int, first: int) -> Sequence[int] | None:
    """Row numbers within the file that begins at `first`; None for all of them."""
    if wanted is not None:
        return [p - first for p in wanted if low <= p < end]
    return None if low == first else range(low - first, end - first)


def _parquet_rows(
    name: str, opener: Opener, inside: Sequence[int] | None, columns: Sequence[str] | None
) -> Iterator[tuple[int, Row]]:
    with opener() as stream:
        rows = iter_rows(stream, columns=columns, positions=inside, batch_size=16 if columns is None else 1024)
        while True:
            pair = _named(name, lambda: next(rows, None))
            if pair is None:
                return
            yield pair


def _named(name: str, call: Callable[[], _T]) -> _T:
    """A call whose failure names the file."""
    try:
        return call()
    except BenchmarkError as error:
        if name in str(error):
            raise
        raise type(error)(f"{name}: {error}") from error
    except (OSError, ValueError) as error:
        raise BenchmarkError(f"{name} cannot be read: {' '.join(str(error).split())[:200]}") from error


class JsonLinesRows:
    """Rows of a JSON-lines file; where each line begins is remembered, so that going back is one seek."""

    def __init__(self, name: str, opener: Opener, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._name = name
        self._opener = opener
        self._starts = array("Q", [0])

    def rows(
        self, positions: Sequence[int] | None = None, *, columns: Sequence[str] | None = None, start: int = 0
    ) -> Iterator[tuple[int, Row]]:
        """See `RowSource.rows`."""
        wanted = None if positions is None else sorted({p for p in positions if p >= start})
        with self._opener() as raw:
            stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw, 1 << 16)  # type: ignore[type-var]
            for position, line in self._lines(stream, wanted, start):
                yield position, _projected(self._parsed(position, line), columns)

    def _lines(self, stream: Any, wanted: list[int] | None, start: int) -> Iterator[tuple[int, bytes]]:
        at, targets = -1, iter(wanted) if wanted is not None else None
        target = next(targets, None) if targets is not None else start
        while target is not None:
            if target != at:
                at = min(target, len(self._starts) - 1)
                stream.seek(self._starts[at])
            line = _named(self._name, lambda: stream.readline(MAX_LINE_BYTES))
            if not line:
                return
            if not line.strip():
                if not stream.read(1):
                    return
                raise BenchmarkError(f"{self._name}, line {at + 1} is empty")
            if at == len(self._starts) - 1:
                self._starts.append(stream.tell())
            at += 1
            if at == target + 1:
                yield target, line
                target = next(targets, None) if targets is not None else at

    def _parsed(self, position: int, line: bytes) -> Row:
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            cut = "" if line.endswith(b"\n") else "; the file may be cut short"
            raise BenchmarkError(f"{self._name}, line {position + 1} is no JSON: {error}{cut}") from None
        if not isinstance(row, dict):
            raise BenchmarkError(f"{self._name}, line {position + 1} is a {type(row).__name__}, not an object")
        return row


class ObjectRows:
    """Rows of a `datasets` object, a DataFrame's records, or any iterable or sequence of mappings."""

    def __init__(self, rows: Any) -> None:
        self._rows = _undecoded(rows)
        known = getattr(rows, "_fingerprint", None)
        self.fingerprint = fingerprint([str(known)]) if known else _content_hash(self.rows())

    def rows(
        self, positions: Sequence[int] | None = None, *, columns: Sequence[str] | None = None, start: int = 0
    ) -> Iterator[tuple[int, Row]]:
        """See `RowSource.rows`."""
        if positions is not None and hasattr(self._rows, "__len__") and hasattr(self._rows, "__getitem__"):
            for position in sorted({p for p in positions if p >= start and p < len(self._rows)}):
                yield position, _projected(self._rows[position], columns)
            return
        wanted = None if positions is None else frozenset(positions)
        for position, row in enumerate(self._rows):
            if position >= start and (wanted is None or position in wanted):
                yield position, _projected(row, columns)


def _undecoded(rows: Any) -> Any:
    """A `datasets` object whose images stay as their bytes instead of being decoded row by row."""
    features = getattr(rows, "features", None)
    if not isinstance(features, Mapping) or not hasattr(rows, "cast_column"):
        return rows
    for name, feature in features.items():
        if type(feature).__name__ == "Image":
            rows = rows.cast_column(name, type(feature)(decode=False))
    return rows


def _content_hash(rows: Iterator[tuple[int, Row]]) -> str:
    """Hash of all that is text or number in the rows; images count by their size."""
    return fingerprint(repr(sorted((key, _outline(value)) for key, value in row.items())) for _, row in rows)


def _outline(value: Any) -> str:
    if isinstance(value, bytes | str) and len(value) > 4096:
        return f"{type(value).__name__} {len(value)}"
    if isinstance(value, Mapping):
        return str(sorted((str(key), _outline(inner)) for key, inner in value.items()))
    size = getattr(value, "size", None)
    return f"{type(value).__name__} {size}" if size is not None and hasattr(value, "save") else str(value)


def open_local(path: Path) -> RowSource:
    """Open a local table by its ending: .parquet (a file or a folder of shards), .jsonl or .json.

    Raises:
        BenchmarkError: nothing there, or another kind of file.
    """
    if path.is_dir():
        shards = sorted(path.glob("*.parquet")) or sorted(path.glob("*.jsonl"))
        if not shards:
            raise BenchmarkError(f"{path} holds neither .parquet nor .jsonl files")
        if shards[0].suffix == ".parquet":
            return _local_parquet(shards)
        path = shards[0]
    if not path.is_file():
        raise BenchmarkError(f"there is no file {path}")
    if path.suffix == ".parquet":
        return _local_parquet([path])
    if path.suffix == ".jsonl":
        return JsonLinesRows(str(path), lambda: path.open("rb"), file_sha256(path))
    if path.suffix == ".json":
        return json_rows(str(path), lambda: path.open("rb"), file_sha256(path))
    raise BenchmarkError(f"{path} is no .parquet, .jsonl or .json file")


def json_rows(name: str, opener: Opener, fingerprint: str) -> RowSource:
    """Rows of one JSON file that holds a list of objects; the whole list is held in memory, as its form demands."""
    with opener() as stream:
        try:
            rows = orjson.loads(stream.read())
        except orjson.JSONDecodeError as error:
            raise BenchmarkError(f"{name} is no JSON: {error}") from None
    if isinstance(rows, dict):
        rows = next((value for value in rows.values() if isinstance(value, list)), None)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BenchmarkError(f"{name} holds no list of objects")
    source = ObjectRows(rows)
    source.fingerprint = fingerprint
    return source


def _local_parquet(paths: Sequence[Path]) -> ParquetRows:
    def opener(path: Path) -> Opener:
        return lambda: path.open("rb")

    files = [(str(path), opener(path)) for path in paths]
    return ParquetRows(files, fingerprint(file_sha256(path) for path in paths))


def _projected(row: Row, columns: Sequence[str] | None) -> Row:
    return row if columns is None else {key: row[key] for key in columns if key in row}
