"""`scores.parquet`: one row a sample and epoch, written in batches, the same bytes for the same scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.errors import StoreError
from snellen.store import encode, store_error

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS: dict[str, str] = {
    "position": "int64", "sample_id": "string", "epoch": "int32", "key": "string", "reference_key": "string",
    "dataset": "string", "capability": "string", "category": "string", "group": "string", "mode": "string",
    "cluster": "string", "n_images": "int32", "long_side_px": "int32", "n_choices": "int32", "weight": "float64",
    "state": "string", "error_kind": "string", "value": "float64", "fair": "float64", "datbench_1_0": "float64",
    "rule_value": "float64", "verdict": "string", "flags": "strings", "answer": "string", "reason": "string",
    "scorer": "string", "scorer_version": "string", "details": "json", "fair_details": "json",
}  # fmt: skip
"""Column → kind. `state` is "scored", "error", "unjudged", "unscored" or "not_asked"; `value` is the headline score,
null unless scored; `details` and `fair_details` are JSON texts."""
_BATCH_ROWS = 2048
_MAX_ANSWER_CHARS = 4000


def write_scores(path: Path, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Write rows as they come and hand each on; the file appears whole when the last has passed.

    Raises:
        StoreError: the disk is full or the folder read-only.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(pa)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with pq.ParquetWriter(beside, schema, compression="zstd") as writer:
            batch: list[dict[str, Any]] = []
            for row in rows:
                batch.append(_storable(row))
                yield row
                if len(batch) >= _BATCH_ROWS:
                    writer.write_table(pa.Table.from_pylist(batch, schema=schema))
                    batch = []
            if batch:
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
        os.replace(beside, path)
    except OSError as error:
        raise store_error(path, error) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def read_scores(path: Path, columns: list[str] | None = None) -> list[dict[str, Any]]:
    """Rows of a score file; JSON columns stay texts.

    Raises:
        StoreError: it is missing or damaged.
    """
    rows: list[dict[str, Any]] = score_table(path, columns).to_pylist()
    return rows


def stream_scores(path: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Rows of a score file in order, a batch in memory at a time.

    Raises:
        StoreError: it is missing or damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=columns):
                yield from batch.to_pylist()
    except (OSError, pa.ArrowInvalid) as error:
        raise StoreError(f"{path} is missing or damaged ({error}); `snellen score {path.parent}` makes it") from error


def score_table(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The score file as an Arrow table.

    Raises:
        StoreError: it is missing or damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path, columns=columns)
    except FileNotFoundError:
        raise StoreError(f"{path} is missing; `snellen score {path.parent}` makes it") from None
    except (OSError, pa.ArrowInvalid) as error:
        raise StoreError(f"{path} is damaged ({error}); `snellen score {path.parent}` makes it again") from error


def _schema(pa: Any) -> Any:
    kinds = {"int64": pa.int64(), "int32": pa.int32(), "float64": pa.float64(), "strings": pa.list_(pa.string())}
    return pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in COLUMNS.items()])


def _storable(row: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, kind in COLUMNS.items():
        value = row.get(name)
        if kind == "json":
            value = encode(value).decode() if value else None
        elif kind == "string":
            value = _text(value)
        out[name] = value
    return out


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = str(value)
    if len(text) > _MAX_ANSWER_CHARS:  # the whole text stays in responses.jsonl
        text = text[:_MAX_ANSWER_CHARS] + "…"
    return text.encode("utf-8", "replace").decode("utf-8")
