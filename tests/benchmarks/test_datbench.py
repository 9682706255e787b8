"""DatBench from local Parquet: order, grouping, streaming, fingerprints, and what is wrong with a download."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from snellen.benchmarks import BENCHMARKS, load
from snellen.errors import BenchmarkError, UsageError
from snellen.types import Benchmark, ImagePart, TextPart

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        ("question", pa.string()),
        ("prompt_format", pa.struct([("prefix", pa.string()), ("suffix", pa.string())])),
        ("answer", pa.string()),
        ("eval_mode", pa.string()),
        ("judge_prompt", pa.string()),
        ("is_circular", pa.bool_()),
        ("source_info", pa.struct([("dataset", pa.string()), ("original_idx", pa.string())])),
        ("eval_metrics", pa.struct([("discrimination", pa.float64()), ("is_frontier", pa.bool_())])),
        ("all_answers", pa.list_(pa.string())),
        ("metadata", pa.string()),
    ]
)


def picture() -> bytes:
    """A small encoded picture."""
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 10, 10)).save(buffer, "PNG")
    return buffer.getvalue()


def row(number: int, **changes: Any) -> dict[str, Any]:
    """One row in the public schema."""
    return {
        "id": f"s{number}",
        "image": {"bytes": picture(), "path": None},
        "question": f"What is {number}?",
        "prompt_format": {"prefix": "Look. ", "suffix": "\nAnswer:"},
        "answer": str(number),
        "eval_mode": "direct",
        "judge_prompt": "",
        "is_circular": False,
        "source_info": {"dataset": "chartqa", "original_idx": str(number)},
        "eval_metrics": {"discrimination": 0.25, "is_frontier": False},
        "all_answers": [str(number), "or so"],
        "metadata": "{}",
        **changes,
    }


def write(
    folder: Path, rows: list[dict[str, Any]], name: str = "test-00000-of-00001.parquet", **options: Any
) -> Path:
    """Write one shard."""
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), folder / name, **options)
    return folder / name


def test_a_row_becomes_a_sample(tmp_path: Path) -> None:
    """Prefix, question and suffix are the prompt; answers, capability and discrimination come along."""
    write(tmp_path / "chart", [row(7)])
    bench = load("datbench/chart", data=tmp_path)
    assert isinstance(bench, Benchmark)
    (sample,) = bench.samples()
    assert sample.parts[1] == TextPart("Look. What is 7?\nAnswer:")
    assert isinstance(sample.parts[0], ImagePart)
    assert sample.parts[0].source["bytes"] == picture()
    assert (sample.capability, sample.dataset, sample.discrimination) == ("chart", "chartqa", 0.25)
    assert sample.references == ("7", "or so")
    assert bench.facts["rules"] == "datbench-1.0"


def test_positions_run_over_shards_and_capabilities(tmp_path: Path) -> None:
    """All capabilities together: table order, then shard order, then row order; positions pick out of it."""
    write(tmp_path / "math", [row(i) for i in range(5)], row_group_size=2)
    write(tmp_path / "chart", [row(10), row(11)], "test-00000-of-00002.parquet")
    write(tmp_path / "chart", [row(12)], "test-00001-of-00002.parquet")
    bench = load("datbench", data=tmp_path)
    ids = ["s10", "s11", "s12", "s0", "s1", "s2", "s3", "s4"]
    assert [one.id for one in bench.index()] == ids
    assert [one.position for one in bench.index()] == list(range(8))
    assert [one.id for one in bench.samples()] == ids
    assert [one.id for one in bench.samples([7, 2, 3])] == ["s12", "s0", "s4"]
    assert list(bench.samples([])) == []
    assert [one.category for one in bench.index()][2:4] == ["chart", "math"]
    assert "counting" in bench.facts["notes"][0]


def test_answers_can_be_had_without_images(tmp_path: Path) -> None:
    """A guesser that needs only the truths reads only them."""
    write(tmp_path / "chart", [row(i) for i in range(3)])
    assert list(load("datbench/chart", data=tmp_path).references()) == ["0", "1", "2"]  # type: ignore[attr-defined]


def test_circular_rows_share_a_group(tmp_path: Path) -> None:
    """Rotations of one item are grouped by source and original index; other rows stand alone."""
    same = {"dataset": "mmbench", "original_idx": "9"}
    rows = [row(i, is_circular=True, source_info=same) for i in range(4)]
    rows += [row(4, source_info=same), row(5, is_circular=True, source_info={"dataset": "ai2d", "original_idx": "9"})]
    write(tmp_path / "general", rows)
    bench = load("datbench/general", data=tmp_path)
    assert [one.group for one in bench.index()] == ["mmbench:9"] * 4 + ["", "ai2d:9"]
    assert [one.group for one in bench.samples()] == [one.group for one in bench.index()]


def test_the_fingerprint_is_of_the_content(tmp_path: Path) -> None:
    """An edited row changes it, a touched file and another folder do not."""
    first = write(tmp_path / "a" / "chart", [row(1)])
    print_1 = load("datbench/chart", data=tmp_path / "a").fingerprint
    os.utime(first, (1, 1))
    assert load("datbench/chart", data=tmp_path / "a").fingerprint == print_1
    write(tmp_path / "b" / "chart", [row(1)])
    assert load("datbench/chart", data=tmp_path / "b").fingerprint == print_1
    write(tmp_path / "a" / "chart", [row(1, answer="2")])
    assert load("datbench/chart", data=tmp_path / "a").fingerprint != print_1


def test_the_capability_folder_or_one_file_will_do(tmp_path: Path) -> None:
    """The path may be the hub's layout, the folder of the capability, or a single file."""
    file = write(tmp_path / "scene", [row(1)])
    for data in (tmp_path, tmp_path / "scene", file):
        assert [one.capability for one in load("datbench/scene", data=data).samples()] == ["scene"]


def test_the_index_reads_no_images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choosing samples touches three light columns."""
    from snellen.benchmarks import datbench

    write(tmp_path / "chart", [row(1)])
    seen = []
    real = datbench.iter_rows
    monkeypatch.setattr(datbench, "iter_rows", lambda path, **how: seen.append(how["columns"]) or real(path, **how))
    list(load("datbench/chart", data=tmp_path).index())
    assert "image" not in seen[0]


@pytest.mark.parametrize(
    ("metadata", "says"), [("not json", "no JSON"), ("[1]", "list"), ("null", "null"), (None, "")]
)
def test_odd_metadata_never_raises(tmp_path: Path, metadata: Any, says: str) -> None:
    """Metadata that cannot be read is said on the sample."""
    write(tmp_path / "chart", [row(1, metadata=metadata)])
    (sample,) = load("datbench/chart", data=tmp_path).samples()
    assert says in sample.metadata_error


def test_a_missing_shard_is_an_error(tmp_path: Path) -> None:
    """A half-finished download does not pass for the benchmark."""
    write(tmp_path / "chart", [row(1)], "test-00000-of-00003.parquet")
    write(tmp_path / "chart", [row(2)], "test-00002-of-00003.parquet")
    with pytest.raises(BenchmarkError, match="2 of 3 files; missing is number 00001"):
        load("datbench/chart", data=tmp_path)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    """A table in another schema is refused with the column."""
    (tmp_path / "chart").mkdir()
    pq.write_table(pa.table({"id": ["1"], "question": ["?"]}), tmp_path / "chart" / "test-00000-of-00001.parquet")
    with pytest.raises(BenchmarkError, match="no column 'image'"):
        load("datbench/chart", data=tmp_path)


def test_an_empty_question_is_named_with_its_row(tmp_path: Path) -> None:
    """A damaged row says where it stands."""
    write(tmp_path / "chart", [row(1), row(2, question=None)])
    with pytest.raises(BenchmarkError, match=r"row 1: the column 'question' is empty"):
        list(load("datbench/chart", data=tmp_path).samples())


@pytest.mark.parametrize("damage", ["torn", "text"])
def test_a_damaged_file_is_an_error(tmp_path: Path, damage: str) -> None:
    """A cut-off Parquet file or a text in its place is one sentence."""
    file = write(tmp_path / "chart", [row(i) for i in range(50)])
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] if damage == "torn" else b"version https://git-lfs.github.com/spec/v1")
    with pytest.raises(BenchmarkError, match="no readable Parquet file"):
        load("datbench/chart", data=tmp_path)


def test_no_data_is_a_usage_error(tmp_path: Path) -> None:
    """A path that is not there is a usage error; an empty folder says what it lacks."""
    with pytest.raises(UsageError, match="does not exist"):
        load("datbench/chart", data=tmp_path / "gone")
    with pytest.raises(BenchmarkError, match=r"no file chart/test-\*\.parquet"):
        load("datbench", data=tmp_path)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("datbench/charts", "datbench/chart"),
        ("eyechat", "eyechart"),
        ("q.jsonl", "no such file"),
        ("zzz", "file:<path>"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, near: str) -> None:
    """Typing slips are met with the name that was meant."""
    with pytest.raises(UsageError) as caught:
        load(name)
    assert near in str(caught.value)


def test_every_row_of_the_table_has_a_title() -> None:
    """What `snellen list` prints is complete."""
    assert all(one.title and one.pattern and ":" in one.loader for one in BENCHMARKS)


SHARED = Path(os.environ.get("SNELLEN_SHARED", Path(__file__).parents[2] / ".." / "shared"))


@pytest.mark.skipif(not (SHARED / "data/datbench-mini").is_dir(), reason="the shared data is not here")
def test_the_mini_set_is_read() -> None:
    """All 130 real rows load, with pictures and answers."""
    bench = load("datbench", data=SHARED / "data/datbench-mini")
    samples = list(bench.samples())
    assert len(samples) == len(list(bench.index())) == 130
    assert all(one.references and isinstance(one.parts[0], ImagePart) for one in samples)
    assert {one.mode for one in samples if one.capability == "table"} == {"judge"}
