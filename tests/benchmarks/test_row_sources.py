"""Rows wherever they lie: JSON lines, JSON, Parquet, live objects; streamed, by position, projected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.benchmarks.row_sources import ObjectRows, RowSource, open_local
from snellen.benchmarks.tables import FirstRows
from snellen.errors import BenchmarkError
from tests.benchmarks.pictures import jsonl, parquet

ROWS = [{"id": f"r{i}", "n": i, "text": "x" * (i * 37 % 200)} for i in range(50)]
FORMS: dict[str, Callable[[Path], RowSource]] = {}


def form(function: Callable[[Path], RowSource]) -> Callable[[Path], RowSource]:
    """Register a way to hold ROWS."""
    FORMS[function.__name__] = function
    return function


@form
def json_lines(folder: Path) -> RowSource:
    """A .jsonl file."""
    (folder / "a.jsonl").write_bytes(jsonl(ROWS))
    return open_local(folder / "a.jsonl")


@form
def json_list(folder: Path) -> RowSource:
    """A .json file that holds the list under a key."""
    (folder / "a.json").write_bytes(orjson.dumps({"version": 1, "data": ROWS}))
    return open_local(folder / "a.json")


@form
def parquet_shards(folder: Path) -> RowSource:
    """A folder of three Parquet files."""
    for i, (low, high) in enumerate(((0, 7), (7, 8), (8, 50))):
        (folder / f"{i}.parquet").write_bytes(parquet(ROWS[low:high]))
    return open_local(folder)


@form
def live_list(folder: Path) -> RowSource:
    """A list in memory."""
    return ObjectRows(ROWS)


@pytest.mark.parametrize("name", ["json_lines", "json_list", "parquet_shards", "live_list"])
def test_all_forms_yield_the_same(name: str, tmp_path: Path) -> None:
    """Streaming, positions in any order, a start, a projection and positions beyond the end agree in every form."""
    source = FORMS[name](tmp_path)
    numbered = list(enumerate(ROWS))
    assert list(source.rows()) == numbered
    assert list(source.rows([49, 3, 3, 7])) == [numbered[i] for i in (3, 7, 49)]
    assert list(source.rows([0])) == numbered[:1]
    assert list(source.rows(start=48)) == numbered[48:]
    assert list(source.rows([3, 30], start=4)) == [numbered[30]]
    assert list(source.rows([2], columns=["n", "gone"])) == [(2, {"n": 2})]
    assert list(source.rows([60])) == list(source.rows([])) == []
    assert len(list(source.rows(columns=["gone"]))) == 50


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 60), max_size=6), max_size=5))
def test_any_order_of_reading_gives_the_same_lines(tmp_path_factory: Any, orders: list[list[int]]) -> None:
    """Remembered line starts never depend on what was read before."""
    source = json_lines(tmp_path_factory.mktemp("rows"))
    for positions in orders:
        expected = [(i, ROWS[i]) for i in sorted(set(positions)) if i < 50]
        assert list(source.rows(positions)) == expected


def test_fingerprint_follows_content(tmp_path: Path) -> None:
    """Another content is another fingerprint; the cap on rows is part of it."""
    one = json_lines(tmp_path)
    (tmp_path / "b.jsonl").write_bytes(jsonl(ROWS[:-1]))
    assert open_local(tmp_path / "b.jsonl").fingerprint != one.fingerprint
    assert ObjectRows(ROWS).fingerprint != ObjectRows(ROWS[1:]).fingerprint
    assert FirstRows(one, 3).fingerprint != one.fingerprint
    assert [position for position, _ in FirstRows(one, 3).rows()] == [0, 1, 2]
    assert [position for position, _ in FirstRows(one, 3).rows([1, 9])] == [1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a": 1}\n[2]\n', "line 2 is a list, not an object"),
        (b'{"a": 1}\n\n{"a": 2}\n', "line 2 is empty"),
        (b'{"a": 1}\n{"a": ', "line 2 is no JSON.*may be cut short"),
    ],
)
def test_damaged_lines_are_named(content: bytes, words: str, tmp_path: Path) -> None:
    """A bad line is reported with its number; nothing is skipped in silence."""
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(BenchmarkError, match=words):
        list(open_local(tmp_path / "a.jsonl").rows())


def test_last_empty_line_is_no_row(tmp_path: Path) -> None:
    """A line break more at the end is no damage."""
    (tmp_path / "a.jsonl").write_bytes(b'{"a": 1}\n\n')
    assert list(open_local(tmp_path / "a.jsonl").rows()) == [(0, {"a": 1})]


@pytest.mark.parametrize("name", ["gone.jsonl", "a.txt", "empty"])
def test_what_is_no_table_is_refused(name: str, tmp_path: Path) -> None:
    """Nothing there, another kind of file, a folder without tables."""
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BenchmarkError):
        open_local(tmp_path / name)
