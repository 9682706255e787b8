"""PerceptionBench, ViLBench's five sources and DatBench: from the hub and from files, with every kind of model."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import snellen
from snellen.benchmarks.vilbench.sources import SOURCES
from tests.benchmarks.conftest import hub as hub
from tests.benchmarks.hub_server import CONVERTED, Hub
from tests.benchmarks.pictures import parquet
from tests.benchmarks.test_vilbench import ROWS as VILBENCH
from tests.benchmarks.test_vilbench import archive, on_disk
from tests.conftest import SHARED

TINY = SHARED / "data" / "tiny-vlm"
HAS_LOCAL = all(find_spec(name) is not None for name in ("torch", "transformers")) and TINY.is_dir()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not TINY.is_dir(), reason=f"no shared data at {SHARED}")]
LOCAL = pytest.mark.skipif(not HAS_LOCAL, reason="torch or transformers is not installed (extra local)")
OCR = pytest.mark.skipif(find_spec("rapidocr") is None, reason="rapidocr is not installed (extra ocr)")
NAMES = ["perceptionbench", "datbench/counting", "datbench/table", *(f"vilbench/{name}" for name in VILBENCH)]


def publish(hub: Hub, name: str) -> None:
    """Put one benchmark on the stand-in of the hub, in its public layout."""
    kind, _, part = name.partition("/")
    if kind == "perceptionbench":
        raw = (SHARED / "data" / "perceptionbench-mini" / "PerceptionBench.jsonl").read_bytes()
        hub.repo("moonshotai/PerceptionBench").publish({"PerceptionBench.jsonl": raw})
    elif kind == "datbench":
        (shard,) = (SHARED / "data" / "datbench-mini" / part).glob("*.parquet")
        hub.repo("DatologyAI/DatBench").publish({f"{part}/{shard.name}": shard.read_bytes()})
    else:
        wanted = SOURCES[part].hub
        repo = hub.repo(wanted.repo)
        repo.publish({"images.zip": archive()} if part == "geoqa170k" else {"README.md": b"#"})
        repo.publish({f"{wanted.config}/{wanted.split}/0000.parquet": parquet(VILBENCH[part])}, CONVERTED)


def files_of(name: str, folder: Path) -> Path:
    """The same benchmark on disk."""
    kind = name.partition("/")[0]
    return on_disk(folder / "vilbench") if kind == "vilbench" else SHARED / "data" / f"{kind}-mini"


def texts(result: Any) -> dict[str, tuple[str, float | None]]:
    """Sample → what was read and its score; every sample must have got an answer."""
    assert not [row for row in result.rows() if row["state"] == "error"]
    return {row["sample_id"]: (row["answer"], row["value"]) for row in result.rows()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", ["prior", pytest.param("ocr", marks=OCR), pytest.param(f"hf:{TINY}", marks=LOCAL)])
def test_from_the_hub_as_from_files(hub: Hub, tmp_path: Path, name: str, model: str) -> None:
    """The same answers and the same scores, wherever the rows come from."""
    publish(hub, name)
    options: dict[str, Any] = {"limit": 5, "max_tokens": 12, "max_side": 512}
    remote = snellen.run(name, model, out=tmp_path / "remote", **options)
    local = snellen.run(name, model, out=tmp_path / "local", data=files_of(name, tmp_path), **options)
    assert texts(remote) == texts(local) != {}


@LOCAL
@pytest.mark.parametrize("name", ["perceptionbench", "vilbench"])
def test_a_real_server_scores_as_the_model_here(hub: Hub, tmp_path: Path, name: str) -> None:
    """`serve:` and `hf:` agree; DatBench and drawn shapes are compared beside the models' own tests."""
    options: dict[str, Any] = {
        "limit": 5,
        "max_tokens": 12,
        "data": files_of(name, tmp_path),
        "out": tmp_path / "runs",
    }
    served = snellen.run(name, f"serve:{TINY}", model_options={"engine": "transformers"}, **options)
    here = snellen.run(name, f"hf:{TINY}", **options)
    assert texts(served) == texts(here) != {}
