"""The scores of a run as an Arrow table that is small enough to keep: one row a sample and epoch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from snellen.errors import StoreError

if TYPE_CHECKING:
    import pyarrow as pa

_WORDS = ("dataset", "capability", "category", "mode", "state", "error_kind", "verdict", "scorer")
"""Columns with few different values."""
_TEXTS = ("sample_id", "key", "answer", "reason")
_INTEGERS = ("position", "epoch", "n_images", "long_side_px", "n_choices")
_NUMBERS = ("value", "fair", "datbench_1_0")
KEPT = (*_INTEGERS, *_TEXTS, *_WORDS, *_NUMBERS, "flags")
"""Columns that stay in memory."""
MAX_SHOWN_CHARS = 300
"""The answer and the reason are kept this far; the sample's own page reads them whole."""
_BATCH_ROWS = 4096


def load_table(path: Path) -> pa.Table:
    """Read `scores.parquet`, a batch at a time, with its long texts cut.

    Raises:
        StoreError: it is missing or damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            known = [name for name in KEPT if name in file.schema_arrow.names]
            batches = [slim(pa.Table.from_batches([b])) for b in file.iter_batches(_BATCH_ROWS, columns=known)]
            schema = file.schema_arrow
    except (OSError, pa.ArrowInvalid) as error:
        raise StoreError(f"{path} is missing or damaged ({error}); `snellen score {path.parent}` makes it") from error
    if not batches:
        return slim(schema.empty_table().select(known))
    return pa.concat_tables(batches, promote_options="permissive").unify_dictionaries()


def table_of(rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Score rows as the same table."""
    import pyarrow as pa

    found = list(rows)
    columns: dict[str, Any] = {}
    for name in KEPT:
        values = [row.get(name) for row in found]
        if name == "flags":
            columns[name] = pa.array([value or [] for value in values], pa.list_(pa.string()))
        elif name in _INTEGERS:
            columns[name] = pa.array([value or 0 for value in values], pa.int64())
        elif name in _NUMBERS:
            columns[name] = pa.array(values, pa.float64())
        else:
            columns[name] = pa.array([_text(value) for value in values], pa.string())
    return slim(pa.table(columns))


def _text(value: Any) -> str:
    return "" if value is None else str(value)[: MAX_SHOWN_CHARS + 1].encode("utf-8", "replace").decode("utf-8")


def slim(table: pa.Table) -> pa.Table:
    """Cut long texts, put words into dictionaries, make flags one text a row, add what filters ask for."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns: dict[str, Any] = {}
    for name in KEPT:
        column = table[name] if name in table.column_names else pa.nulls(table.num_rows, pa.string())
        if name in ("answer", "reason"):
            column = pc.utf8_slice_codeunits(column, 0, MAX_SHOWN_CHARS)
        if name == "flags":
            column = pc.fill_null(pc.binary_join(column, " "), "")
        columns[name] = pc.dictionary_encode(pc.fill_null(column, "")) if name in (*_WORDS, "flags") else column
    missing = pc.not_equal(pc.cast(columns["state"], pa.string()), "scored")
    kind = pc.if_else(
        pc.equal(pc.cast(columns["state"], pa.string()), "error"),
        pc.binary_join_element_wise("error: ", pc.cast(columns["error_kind"], pa.string()), ""),
        pc.cast(columns["state"], pa.string()),
    )
    columns["failure"] = pc.dictionary_encode(pc.if_else(missing, kind, ""))
    gap = pc.abs(pc.subtract(columns["fair"], columns["datbench_1_0"]))
    columns["differs"] = pc.fill_null(pc.greater(gap, 1e-9), fill_value=False)
    return pa.table(columns)


def details_at(path: Path, row: int) -> dict[str, Any]:
    """Everything that `scores.parquet` holds of one row; only the row's own group is read.

    Args:
        path: the score file.
        row: 0-based row.

    Returns:
        Column → value, details parsed; {} when the file is not there.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                n_rows = file.metadata.row_group(group).num_rows
                if row < n_rows:
                    found: dict[str, Any] = file.read_row_group(group).slice(row, 1).to_pylist()[0]
                    return _parsed(found)
                row -= n_rows
    except (OSError, pa.ArrowInvalid, IndexError):
        return {}
    return {}


def _parsed(row: dict[str, Any]) -> dict[str, Any]:
    for name in ("details", "fair_details"):
        try:
            value = orjson.loads(row.get(name) or "{}")
        except orjson.JSONDecodeError:
            value = {}
        row[name] = value if isinstance(value, dict) else {}
    return row
