"""DatBench from the hub and from live rows equals DatBench from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from snellen import benchmarks
from snellen.benchmarks import CAPABILITIES
from snellen.errors import UsageError
from snellen.types import Benchmark
from tests.benchmarks.hub_server import CONVERTED, Hub
from tests.benchmarks.pictures import cell, parquet


def row(i: int) -> dict[str, Any]:
    """A row in DatBench's public schema."""
    return {
        "id": f"d{i}",
        "image": cell(),
        "question": f"Question {i}?",
        "prompt_format": {"prefix": "P ", "suffix": " S"},
        "answer": "a",
        "eval_mode": "direct",
        "judge_prompt": "",
        "is_circular": i >= 4,
        "source_info": {"dataset": "mmbench", "original_idx": "7"},
        "eval_metrics": {"discrimination": 0.5, "is_frontier": False},
        "all_answers": ["a"],
        "metadata": "{}",
    }


ROWS = [row(i) for i in range(6)]


def test_hub_equals_file(hub: Hub, tmp_path: Path) -> None:
    """The same rows give the same samples and index, from the conversion, the original and a file."""
    repo = hub.repo("DatologyAI/DatBench")
    repo.publish({"chart/test/0000.parquet": parquet(ROWS)}, CONVERTED)
    shards = {
        "chart/test-00000-of-00002.parquet": parquet(ROWS[:3]),
        "chart/test-00001-of-00002.parquet": parquet(ROWS[3:]),
    }
    sha = repo.publish(shards | {"math/test-00000-of-00001.parquet": parquet(ROWS[:1])})
    (tmp_path / "chart.parquet").write_bytes(parquet(ROWS))
    local = benchmarks.load("datbench/chart", data=tmp_path / "chart.parquet")
    remote = benchmarks.load("datbench/chart")
    assert isinstance(remote, Benchmark)
    assert list(remote.index()) == list(local.index())
    assert list(remote.samples()) == list(local.samples())
    assert remote.facts["sources"]["chart"]["revision"] == sha
    hub.misbehave("/convert", "404")
    hub.misbehave("test/0000.parquet", "404")
    original = benchmarks.load("datbench/chart", options={"revision": sha})
    assert list(original.samples([1, 5])) == list(local.samples([1, 5]))


def test_full_set_and_all_capabilities(hub: Hub) -> None:
    """DatBench-Full lies in its own repository; without a capability all nine are one benchmark."""
    hub.repo("DatologyAI/DatBench-Full").publish(
        {f"{capability}/test-00000-of-00001.parquet": parquet(ROWS[:2]) for capability in CAPABILITIES}
    )
    bench = benchmarks.load("datbench-full")
    index = list(bench.index())
    assert [r.category for r in index] == [capability for capability in CAPABILITIES for _ in range(2)]
    assert len({r.position for r in index}) == 18
    (last,) = bench.samples([index[-1].position])
    assert (last.capability, last.id) == ("table", "d1")
    assert "DatBench-Full" in bench.title


def test_live_rows_need_their_capability() -> None:
    """A `datasets` object is one capability's rows and must say which."""
    assert len(list(benchmarks.load("datbench/chart", data=ROWS).samples())) == 6
    with pytest.raises(UsageError, match="name the capability"):
        benchmarks.load("datbench", data=ROWS)


def test_datasets_object_keeps_its_image_bytes() -> None:
    """A real `datasets` object is read without decoding its images."""
    datasets = pytest.importorskip("datasets")
    features = datasets.Features.from_arrow_schema(pa.Table.from_pylist(ROWS).schema) | {"image": datasets.Image()}
    table = datasets.table.InMemoryTable(pa.Table.from_pylist(ROWS))
    info = datasets.DatasetInfo(features=datasets.Features(features))
    live = datasets.Dataset(table, info=info, fingerprint="known")
    for rows in (live, live.to_iterable_dataset()):
        (sample,) = benchmarks.load("datbench/chart", data=rows).samples([2])
        assert sample.id == "d2"
        assert sample.parts[0].source["bytes"] == cell()["bytes"]  # type: ignore[union-attr]
