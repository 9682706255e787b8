"""A server for one run: started by the first question, stopped whatever happens, nothing left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import snellen
from snellen import models
from snellen.errors import ModelError, UsageError
from snellen.models.serving import ServedModel, find_engine
from snellen.store import read_log
from snellen.types import GenerationOptions, Prompt, TextPart
from tests.conftest import SHARED
from tests.models.shapes import write_shapes

TINY = SHARED / "data" / "tiny-vlm"
FAKE = Path(__file__).with_name("fake_server.py")
REAL = Path(sys.executable).with_name("transformers")
PROMPT = Prompt("a", (TextPart("Hi"),))
OPTIONS = GenerationOptions(max_tokens=4)


@pytest.fixture
def fake(tmp_path: Path) -> str:
    """An executable stand-in server."""
    path = tmp_path / "fake-serve"
    path.write_text(f"#!{sys.executable} -I\nimport runpy, sys\nrunpy.run_path({str(FAKE)!r}, run_name='__main__')\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A folder that looks like a checkpoint."""
    folder = tmp_path / "my model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


def served(checkpoint: Path, fake: str, tmp_path: Path, **options: Any) -> ServedModel:
    """The model behind the stand-in, its log in the test's folder."""
    model = models.open_model(f"serve:{checkpoint}", model_options={"executable": fake, **options}, timeout_s=20)
    assert isinstance(model, ServedModel)
    model.use_folder(tmp_path)
    return model


def is_gone(pid: int, *, within_s: float = 30) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


def pids_in(path: Path) -> list[int]:
    """Processes that the stand-in wrote down."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if path.exists() and len(path.read_text().split()) == 2:
            return [int(pid) for pid in path.read_text().split()]
        time.sleep(0.05)
    raise AssertionError("the stand-in never started")


def test_it_serves_and_leaves_nothing_behind(
    checkpoint: Path, fake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many first questions start one server; the key of another server is not handed to it; its child dies, too."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-the-child-server")
    pids = tmp_path / "pids"

    async def scenario() -> tuple[list[str], dict[str, Any]]:
        model = served(checkpoint, fake, tmp_path, args=f"--child {pids}")
        assert model.facts == {}
        said = await asyncio.gather(*(model.generate(PROMPT, OPTIONS) for _ in range(8)))
        await model.aclose()
        await model.aclose()
        return [response.text for response in said], model.facts

    said, facts = asyncio.run(scenario())
    assert said == [f"{checkpoint} no key"] * 8
    assert facts["n_starts"] == 1
    assert facts["port"] > 0
    assert "stand-in starts" in Path(facts["log"]).read_text()
    assert all(is_gone(pid) for pid in pids_in(pids))


def test_a_server_that_dies_is_started_again_but_not_for_ever(checkpoint: Path, fake: str, tmp_path: Path) -> None:
    """Its death may pass (an answer is tried again) until it has died too often; then the run stops, resumable."""

    async def scenario() -> list[Any]:
        model = served(checkpoint, fake, tmp_path, args="--die-after 1")
        outcomes: list[Any] = []
        for _ in range(8):
            try:
                outcomes.append((await model.generate(PROMPT, OPTIONS)).text)
            except ModelError as error:
                outcomes.append((error.kind, error.retryable))
        await model.aclose()
        return outcomes

    good, died = f"{checkpoint} no key", ("connection", True)
    assert asyncio.run(scenario()) == [good, died, good, died, good, died, ("gone", True), ("gone", True)]


@pytest.mark.parametrize(
    ("args", "options", "says"),
    [("--fail", {}, "no such model weights"), ("--never-ready", {"startup_s": 1}, "not ready within 1 s")],
)
def test_a_server_that_cannot_start_says_why(
    checkpoint: Path, fake: str, tmp_path: Path, args: str, options: dict[str, Any], says: str
) -> None:
    """The end of its log stands in the sentence."""

    async def scenario() -> None:
        model = served(checkpoint, fake, tmp_path, args=args, **options)
        try:
            with pytest.raises(ModelError, match=says) as caught:
                await model.generate(PROMPT, OPTIONS)
            assert caught.value.stops_the_run
        finally:
            await model.aclose()

    asyncio.run(scenario())


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_with_its_owner_however_that_ends(
    checkpoint: Path, fake: str, tmp_path: Path, sign: signal.Signals
) -> None:
    """Even by kill -9, with no line of ours run."""
    pids = tmp_path / "pids"
    script = (
        "import asyncio, sys\nfrom snellen import models\nfrom snellen.types import *\n"
        f"model = models.open_model({f'serve:{checkpoint}'!r}, model_options={{'executable': {fake!r}, "
        f"'args': '--child {pids}'}})\n"
        "async def go():\n await model.generate(Prompt('a', (TextPart('Hi'),)), GenerationOptions())\n"
        " print('up', flush=True)\n await asyncio.sleep(60)\nasyncio.run(go())\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"up\n"
        os.kill(owner.pid, sign)
        owner.wait(30)
        assert all(is_gone(pid) for pid in pids_in(pids))
    finally:
        owner.kill()
        owner.wait()
        if owner.stdout is not None:
            owner.stdout.close()


def test_options_are_checked_before_anything_starts(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt one is named; without any server the sentence says what to install."""
    with pytest.raises(UsageError, match="did you mean 'engine'"):
        models.open_model(f"serve:{checkpoint}", model_options={"engin": "vllm"})
    with pytest.raises(UsageError, match="vllm or transformers"):
        models.open_model(f"serve:{checkpoint}", model_options={"engine": "tgi"})
    monkeypatch.setattr("snellen.models.serving._find", lambda _name: None)
    with pytest.raises(UsageError, match=r"snellen\[serve\]"):
        models.open_model(f"serve:{checkpoint}")


def test_vllm_is_preferred_and_gets_the_model_s_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name in requests is the path for both."""
    monkeypatch.setattr("snellen.models.serving._find", lambda name: f"/bin/{name}")
    engine = find_engine("a/b", {"args": "--max-model-len 2048", "dtype": "float32"})
    assert engine.command(9) == [
        "/bin/vllm", "serve", "a/b", "--host", "127.0.0.1", "--port", "9", "--dtype", "float32",
        "--served-model-name", "a/b", "--max-model-len", "2048",
    ]  # fmt: skip
    assert find_engine("a/b", {"engine": "transformers"}).executable == "/bin/transformers"


def texts_of(result: Any) -> dict[str, str]:
    """Sample id → raw answer."""
    records = [r.value for path in result.folder.glob("responses*.jsonl") for r in read_log(path)]
    return {record["sample_id"]: record["text"] for record in records if record}


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_file(), reason="no `transformers serve` beside this Python (extra serve)")
@pytest.mark.skipif(not TINY.is_dir(), reason=f"no tiny model at {TINY}")
@pytest.mark.parametrize("bench", ["shapes", "perceptionbench", "datbench/counting"])
def test_a_real_server_answers_as_the_model_in_this_process(tmp_path: Path, bench: str) -> None:
    """`serve:` and `hf:` agree to the letter on every sample, and the server is gone afterwards."""
    options: dict[str, Any] = {"max_tokens": 12, "out": tmp_path / "runs", "limit": 90}
    name = bench
    if bench == "shapes":
        name = f"file:{write_shapes(tmp_path, {'count': 40, 'colour': 20, 'form': 30})}"
    else:
        options |= {"data": SHARED / "data" / f"{bench.partition('/')[0]}-mini", "limit": 12, "max_side": 512}
    through = snellen.run(name, f"serve:{TINY}", model_options={"engine": "transformers"}, **options)
    here = snellen.run(name, f"hf:{TINY}", **options)
    assert texts_of(through) == texts_of(here)
    assert through.score == here.score
    facts = through.facts["model"]
    assert facts["version"]
    assert Path(facts["log"]) == through.folder / "server.log"
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", facts["port"]), 1)
