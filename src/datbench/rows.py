"""Rows from anywhere: a `datasets` Dataset or stream, any iterable of mappings, a snellen benchmark.

Rows are taken up without their pictures; a picture is fetched and decoded when it is looked at.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from datbench.schema import DatBenchSample, InferenceTask
from snellen import images
from snellen.rows import REQUIRED
from snellen.types import ImagePart, Sample

Fetch = Callable[[], Any]
"""Brings a picture."""


class _Pictured:
    """A record whose picture is fetched each time it is looked at; copies and pickles hold the picture itself."""

    _fetch: Fetch

    @property
    def image(self) -> Any:
        """The picture, decoded."""
        return self._fetch()

    @image.setter
    def image(self, value: Any) -> None:
        self._fetch = lambda: value

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name != "image")  # type: ignore[arg-type]
        return f"{type(self).__mro__[2].__name__}(image=<read when looked at>, {shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        plain = type(self).__mro__[2]
        return plain, tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]


class LazySample(_Pictured, DatBenchSample):
    """A sample whose picture is fetched each time it is looked at."""

    def __init__(self, fetch: Fetch, **values: Any) -> None:
        super().__init__(image=None, **values)
        self._fetch = fetch


class LazyTask(_Pictured, InferenceTask):
    """A task whose picture is fetched each time it is looked at."""

    def __init__(self, fetch: Fetch, **values: Any) -> None:
        super().__init__(image=None, **values)
        self._fetch = fetch


def read_samples(source: Any, capability: str) -> Iterator[LazySample]:
    """All samples of a source, in order, none of their pictures decoded.

    Args:
        source: a `datasets` Dataset or IterableDataset, an iterable of mappings, or a snellen benchmark.
        capability: given by the caller.

    Raises:
        KeyError: a row lacks a required column.
    """
    for row, fetch in _rows(source):
        for column in REQUIRED:
            if column not in row and column != "image":
                raise KeyError(f"no column {column}: row {row.get('id', '?')!r} has {', '.join(map(str, row))}")
        yield LazySample(fetch, **_fields(row), capability=capability)


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row's columns; a default stands only where the column is absent, an explicit null is kept."""
    return {
        "id": str(row["id"]),
        "question": row["question"],
        "answer": row["answer"],
        "all_answers": row.get("all_answers", [row["answer"]]),
        "eval_mode": row.get("eval_mode", "direct"),
        "judge_prompt": row.get("judge_prompt", ""),
        "is_circular": row.get("is_circular", False),
        "metadata": row.get("metadata", "{}"),
        "source_info": row.get("source_info", {}),
        "eval_metrics": row.get("eval_metrics", {}),
        "prompt_format": row.get("prompt_format", {"prefix": "", "suffix": ""}),
    }


def _rows(source: Any) -> Iterator[tuple[Mapping[str, Any], Fetch]]:
    if hasattr(source, "cast_column") and hasattr(source, "remove_columns"):
        yield from _of_datasets(source)
    elif hasattr(source, "samples") and hasattr(source, "index"):
        yield from _of_benchmark(source)
    else:
        yield from _of_iterable(source)


def _of_iterable(source: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Fetch]]:
    for row in source:
        if "image" not in row:
            raise KeyError(f"no column image: row {row.get('id', '?')!r} has {', '.join(map(str, row))}")
        yield row, _decoder(row["image"])


def _decoder(cell: Any) -> Fetch:
    return lambda: decoded(cell)


def decoded(cell: Any) -> Any:
    """A picture as PIL image where the row holds its bytes; anything else as it is.

    Raises:
        snellen.errors.ImageError: the bytes are no picture.
    """
    if isinstance(cell, bytes | bytearray | memoryview) or (
        isinstance(cell, Mapping) and ("bytes" in cell or "path" in cell)
    ):
        return images.decode(images.read_bytes(bytes(cell) if not isinstance(cell, Mapping) else cell))
    return cell


def _of_datasets(source: Any) -> Iterator[tuple[Mapping[str, Any], Fetch]]:
    """Without the image column for the first pass; pictures come by position, or by going along the stream."""
    plain = _undecoded(source)
    at = _ByPosition(plain) if hasattr(source, "__len__") else _AlongStream(plain)
    light = plain.remove_columns(["image"]) if "image" in _columns(plain) else _without_images(plain)
    for position, row in enumerate(light):
        yield row, lambda position=position: decoded(at.image(position))  # type: ignore[misc]  # bound now


def _without_images(rows: Any) -> Iterator[dict[str, Any]]:
    for row in rows:
        if "image" not in row:
            raise KeyError("image")
        yield {key: value for key, value in row.items() if key != "image"}


def _columns(source: Any) -> list[str]:
    return list(getattr(source, "column_names", None) or getattr(source, "features", None) or [])


def _undecoded(source: Any) -> Any:
    feature: Any = (getattr(source, "features", None) or {}).get("image")
    if type(feature).__name__ == "Image":
        return source.cast_column("image", type(feature)(decode=False))
    return source


class _ByPosition:
    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def image(self, position: int) -> Any:
        return self._rows[position]["image"]


class _AlongStream:
    """A stream read forwards; looking back begins it anew."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self._at = -1
        self._image: Any = None
        self._live: Iterator[Any] = iter(())
        self._lock = threading.Lock()

    def image(self, position: int) -> Any:
        with self._lock:
            return self._walk_to(position)

    def _walk_to(self, position: int) -> Any:
        if position < self._at or self._at < 0:
            self._live, self._at = iter(self._rows), -1
        while self._at < position:
            self._image = next(self._live)["image"]
            self._at += 1
        return self._image


def _of_benchmark(benchmark: Any) -> Iterator[tuple[Mapping[str, Any], Fetch]]:
    for position, sample in enumerate(benchmark.samples()):
        yield _row_of(sample), _from_benchmark(benchmark, position)


def _from_benchmark(benchmark: Any, position: int) -> Fetch:
    def fetch() -> Any:
        sample = next(iter(benchmark.samples([position])))
        pictures = [
            images.decode(images.read_bytes(part.source, root=getattr(benchmark, "root", None)))
            for part in sample.parts
            if isinstance(part, ImagePart)
        ]
        return pictures[0] if len(pictures) == 1 else pictures or None

    return fetch


def _row_of(sample: Sample) -> dict[str, Any]:
    first = sample.references[0] if sample.references else None
    return {
        "id": sample.id,
        "question": sample.question,
        "answer": sample.answer if sample.answer is not None else first,
        "all_answers": sample.all_answers if sample.all_answers is not None else list(sample.references),
        "eval_mode": sample.mode,
        "judge_prompt": sample.judge_prompt,
        "is_circular": bool(sample.group),
        "metadata": sample.metadata,
        "source_info": {"dataset": sample.dataset},
        "eval_metrics": {} if sample.discrimination is None else {"discrimination": sample.discrimination},
        "prompt_format": {"prefix": sample.prefix, "suffix": sample.suffix},
    }
