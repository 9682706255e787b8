"""Small pictures and tables for the benchmark tests."""

from __future__ import annotations

import base64
import io
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image


def png(colour: str = "red", size: tuple[int, int] = (12, 8)) -> bytes:
    """A plain picture."""
    stream = io.BytesIO()
    Image.new("RGB", size, colour).save(stream, "PNG")
    return stream.getvalue()


def data_uri(colour: str = "red", size: tuple[int, int] = (12, 8)) -> str:
    """A plain picture as a data URI."""
    return "data:image/png;base64," + base64.b64encode(png(colour, size)).decode()


def cell(colour: str = "red") -> dict[str, Any]:
    """A picture as Parquet image columns hold it."""
    return {"bytes": png(colour), "path": "x.png"}


def parquet(rows: list[dict[str, Any]]) -> bytes:
    """Rows as a Parquet file."""
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), stream)
    return stream.getvalue()


def jsonl(rows: list[dict[str, Any]]) -> bytes:
    """Rows as JSON lines."""
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)
