"""Rows of a Parquet file, streamed: only the asked columns are read, only a few rows are held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from snellen.errors import BenchmarkError

BATCH_ROWS = 16
"""Rows held at a time; DatBench's images reach some megabytes each."""
BUFFER_BYTES = 1 << 20
"""Read-ahead per column: without it a whole row group (hundreds of images) would be held."""


def open_parquet(path: Path | BinaryIO) -> Any:
    """Open a Parquet file, by its path or as a stream that seeks; close it when done.

    Raises:
        BenchmarkError: it cannot be read.
    """
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path, buffer_size=BUFFER_BYTES, pre_buffer=False)
    except BenchmarkError:
        raise
    except Exception as error:
        name = path if isinstance(path, Path) else "this"
        raise BenchmarkError(f"{name} is no readable Parquet file: {_first_line(error)}") from error


def iter_rows(
    path: Path | BinaryIO,
    *,
    columns: Sequence[str] | None = None,
    positions: Sequence[int] | None = None,
    batch_size: int = BATCH_ROWS,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Stream (0-based row number, row) pairs in order.

    Args:
        path: the file, or a stream that seeks.
        columns: columns to read (those that exist), None for all.
        positions: ascending row numbers to return, None for all; row groups without any are skipped.
        batch_size: rows decoded at a time.

    Raises:
        BenchmarkError: a part of the file is damaged.
    """
    file = open_parquet(path)
    try:
        present = None if columns is None else [c for c in columns if c in file.schema_arrow.names]
        start = 0
        for group in range(file.num_row_groups):
            n_rows = file.metadata.row_group(group).num_rows
            if positions is None or any(start <= p < start + n_rows for p in positions):
                yield from _rows_of_group(file, group, start, present, positions, batch_size)
            start += n_rows
    finally:
        file.close()


def _rows_of_group(
    file: Any, group: int, start: int, columns: list[str] | None, positions: Sequence[int] | None, batch_size: int
) -> Iterator[tuple[int, dict[str, Any]]]:
    wanted = None if positions is None else frozenset(positions)
    at = start
    for batch in _batches(file, group, columns, batch_size):
        chosen = [i for i in range(batch.num_rows) if wanted is None or at + i in wanted]
        for i in chosen:
            yield at + i, batch.slice(i, 1).to_pylist()[0]
        at += batch.num_rows
        if positions is not None and at > positions[-1]:
            return


def _batches(file: Any, group: int, columns: list[str] | None, batch_size: int) -> Iterator[Any]:
    try:
        yield from file.iter_batches(batch_size=batch_size, row_groups=[group], columns=columns, use_threads=False)
    except OSError as error:
        raise BenchmarkError(f"row group {group} of the Parquet file is damaged: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
