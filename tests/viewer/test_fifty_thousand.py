"""50,000 samples stay quick: what a page does is counted, not timed."""

import hashlib
import tracemalloc
from pathlib import Path

import orjson
import pytest

from snellen.scores_file import write_scores
from snellen.store import write_json
from snellen.viewer import logs, search
from snellen.viewer.filters import Filter
from snellen.viewer.library import Library
from snellen.viewer.scores import load_table
from tests.viewer.viewed import client

N = 50_000


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of 50,000 samples with long answers and details."""
    run = tmp_path_factory.mktemp("big") / "run"
    run.mkdir()
    write_json(run / "run.json", {"model": {"name": "m"}, "benchmark": {"name": "file:gone.jsonl"}, "epochs": 1})
    with (run / "samples.jsonl").open("wb") as samples, (run / "responses.jsonl").open("wb") as responses:
        for i in range(N):
            key = hashlib.sha256(str(i).encode()).hexdigest()
            question = f"what is written on sign number {i}, and where does it stand? " * 2
            samples.write(orjson.dumps({"position": i, "key": key, "id": f"s{i}", "question": question}) + b"\n")
            answer = {"key": key, "epoch": 0, "sample_id": f"s{i}", "status": "ok", "text": f"word{i} " * 40}
            responses.write(orjson.dumps(answer) + b"\n")
    rows = (
        {
            "position": i, "sample_id": f"s{i}", "epoch": 0, "key": hashlib.sha256(str(i).encode()).hexdigest(),
            "dataset": f"d{i % 30}", "capability": f"c{i % 9}", "state": "scored", "value": float(i % 3 == 0),
            "fair": float(i % 3 == 0), "datbench_1_0": float(i % 5 == 0), "flags": ["truncated"] if i % 7 == 0 else [],
            "answer": f"word{i} " * 300, "scorer": "exact", "details": {"text": "x" * 500},
        }
        for i in range(N)
    )  # fmt: skip
    for _ in write_scores(run / "scores.parquet", rows):
        pass
    return run


def test_a_page_reads_only_its_own_lines(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first look, a page of 50 rows parses 50 records, and no log is gone through again."""
    visitor = client(big.parent)
    assert visitor.get("/runs/run/samples").status_code == 200
    n_parsed = 0
    read_at = logs.read_at

    def counted(*args):
        nonlocal n_parsed
        n_parsed += 1
        return read_at(*args)

    monkeypatch.setattr(logs, "read_at", counted)
    monkeypatch.setattr("snellen.viewer.library.load_table", lambda path: pytest.fail("the table is read again"))
    got = visitor.get("/runs/run/samples?outcome=wrong&capability=c4&flag=truncated&sort=-answer&page=7")
    assert got.status_code == 200
    assert n_parsed == 50


def test_the_index_is_made_once(big: Path) -> None:
    """Lines are looked at once, however many pages follow."""
    view = Library(big.parent).open("run")
    for wanted in (Filter(), Filter(outcome="wrong"), Filter(differs="yes", sort="-gap")):
        view.rows(wanted)
        view.samples().read(40_000)
        view.answers().read((hashlib.sha256(b"40000").hexdigest(), 0))
    assert view.samples().n_lines_read == N
    assert view.answers().n_lines_read == N


def test_a_search_parses_only_what_it_finds(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text is looked for in the bytes; only lines that hold it are parsed; the next page asks nothing again."""
    holds, n_parsed = search._holds, 0

    def counted(*args):
        nonlocal n_parsed
        n_parsed += 1
        return holds(*args)

    monkeypatch.setattr(search, "_holds", counted)
    view = Library(big.parent).open("run")
    _, rows = view.rows(Filter(q="WORD4321"))
    assert len(rows) == 11
    assert n_parsed == 11
    monkeypatch.setattr("snellen.viewer.library.search", lambda *args: pytest.fail("searched again"))
    assert len(view.rows(Filter(q=" WORD4321 ", sort="-score"))[1]) == 11


def test_filters_find_the_right_numbers(big: Path) -> None:
    """Counts of some filters over all 50,000 rows."""
    view = Library(big.parent).open("run")
    assert len(view.rows(Filter(outcome="right"))[1]) == sum(i % 3 == 0 for i in range(N))
    assert len(view.rows(Filter(flag="truncated", capability="c3"))[1]) == sum(
        i % 7 == 0 and i % 9 == 3 for i in range(N)
    )
    assert len(view.rows(Filter(differs="yes"))[1]) == sum((i % 3 == 0) != (i % 5 == 0) for i in range(N))
    assert len(view.rows(Filter(q="sign number 4999"))[1]) == 11


def test_the_table_in_memory_is_small(big: Path) -> None:
    """Long answers are cut and details stay on disk: the table of 50,000 rows is below 40 MB, the index too."""
    table = load_table(big / "scores.parquet")
    assert table.num_rows == N
    assert table.nbytes < 40e6
    assert "details" not in table.column_names
    view = Library(big.parent).open("run")
    tracemalloc.start()
    view.samples()
    view.answers()
    n_bytes = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert n_bytes < 60e6
    assert view.details(table, 49_999)["details"] == {"text": "x" * 500}
