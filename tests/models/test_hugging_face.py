"""A real vision-language model of transformers: the tiny one beside the checkout counts shapes and names colours."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import snellen
from snellen import models
from snellen.errors import ModelError, UsageError
from snellen.models.generation import generation_arguments, messages_of, without_mark
from snellen.models.hugging_face import HuggingFaceModel, digest_of, is_out_of_memory, length_of, loading_of, name_of
from snellen.types import GenerationOptions, PreparedImage, Prompt, Response, TextPart
from tests.conftest import SHARED
from tests.models.shapes import QUESTIONS, draw, write_shapes

TINY = SHARED / "data" / "tiny-vlm"
SHORT = GenerationOptions(max_tokens=12)
needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "transformers")),
    reason="torch and transformers are not installed (extra local)",
)
needs_tiny = pytest.mark.skipif(not TINY.is_dir(), reason=f"no tiny model at {TINY}")


def picture(data: bytes, side: int = 56) -> PreparedImage:
    """A drawn picture as it would be sent."""
    return PreparedImage(data, "image/png", side, side, "0" * 64, side, side)


def prompt_of(kind: str, seed: int, *, extra: str = "") -> Prompt:
    """A question on a drawn picture."""
    drawn = draw(seed, kind)
    return Prompt(f"{kind}-{seed}", (picture(drawn.png), TextPart(drawn.question + extra)))


def test_a_checkpoint_that_changed_is_another_model(tmp_path: Path) -> None:
    """A training loop that writes over its last checkpoint must not be given old answers."""
    (tmp_path / "config.json").write_text("{}")
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(bytes(3_000_000))
    before = digest_of(tmp_path)
    weights.write_bytes(bytes(2_999_999) + b"\1")
    assert digest_of(tmp_path) != before


@pytest.mark.parametrize(
    ("path", "options", "says"),
    [
        ("./nowhere", {}, "no such folder"),
        ("a/b", {"bach": 4}, "did you mean 'batch'"),
        ("a/b", {"batch": 0}, "above 0"),
    ],
)
def test_a_wrong_path_or_option_is_one_sentence(path: str, options: dict[str, Any], says: str) -> None:
    """Before anything is loaded."""
    with pytest.raises(UsageError, match=says):
        name_of(loading_of(path, options))


def test_the_number_type_is_part_of_the_name() -> None:
    """It changes answers, so it makes another run."""
    assert name_of(loading_of("a/b", {"dtype": "float16"})) == "hf:a/b float16"
    assert name_of(loading_of("a/b", {"batch": 3})) == "hf:a/b"


def test_an_image_token_in_a_question_is_no_image() -> None:
    """A question about the token itself must not shift the pictures."""
    parts = (TextPart("before"), picture(b""), TextPart("what is <image>?"))
    content = messages_of(Prompt("a", parts, system="be <image> brief"), "<image>")[1]["content"]
    assert [part["type"] for part in content] == ["text", "image", "text"]
    assert "<image>" not in content[2]["text"]
    assert without_mark("no mark", "") == "no mark"


def test_length_grows_with_text_and_pixels() -> None:
    """What sorts calls into batches."""
    small, large = Prompt("a", (picture(b"", 56),)), Prompt("a", (picture(b"", 560),))
    assert length_of(small) < length_of(large)
    assert length_of(Prompt("a", (TextPart("x" * 400),))) > length_of(Prompt("a", (TextPart("x"),)))


def test_memory_errors_are_told_from_others() -> None:
    """By type or by what devices say."""
    assert is_out_of_memory(RuntimeError("CUDA out of memory. Tried to allocate 2 GiB"))
    assert is_out_of_memory(RuntimeError("DefaultCPUAllocator: can't allocate memory"))
    assert not is_out_of_memory(ValueError("shape"))


class Config:
    """What a model's generation settings look like."""

    top_p = 1.0
    eos_token_id = 2


class Bare:
    """A model without weights."""

    generation_config = Config()


def test_generation_is_greedy_unless_a_temperature_is_given() -> None:
    """And an unknown setting is refused, not ignored."""
    assert generation_arguments(Bare(), GenerationOptions())["do_sample"] is False
    hot = generation_arguments(Bare(), GenerationOptions(temperature=0.7, params={"top_p": 0.9}))
    assert hot == {"do_sample": True, "temperature": 0.7, "top_p": 0.9}
    assert generation_arguments(Bare(), GenerationOptions(temperature=None)) == {}
    with pytest.raises(ModelError, match="topp"):
        generation_arguments(Bare(), GenerationOptions(params={"topp": 1}))


def test_a_checkpoint_that_cannot_be_loaded_stops_the_run_and_can_be_resumed() -> None:
    """One sentence; nobody is asked a second time."""
    loads = []

    def broken() -> tuple[Any, Any]:
        loads.append(1)
        raise ModelError("hf:x cannot be loaded", retryable=True, kind="gone")

    async def ask() -> list[Any]:
        model = HuggingFaceModel("hf:x", broken)
        prompt = Prompt("a", (TextPart("a"),))
        outcomes = await asyncio.gather(*(model.generate(prompt, SHORT) for _ in range(3)), return_exceptions=True)
        await model.aclose()
        return outcomes

    outcomes = asyncio.run(ask())
    assert all(isinstance(error, ModelError) and error.stops_the_run and error.retryable for error in outcomes)
    assert len(loads) == 1


@pytest.fixture(scope="module")
def tiny() -> Callable[..., list[Response]]:
    """Ask the tiny model several prompts at once, with a batch size."""

    def ask(prompts: list[Prompt], *, batch: int, options: GenerationOptions = SHORT) -> list[Any]:
        async def gather() -> list[Any]:
            model = models.open_model(f"hf:{TINY}", model_options={"batch": batch})
            model.batcher.window_s = 0.2  # type: ignore[attr-defined]  # all of them must have arrived
            outcomes = await asyncio.gather(*(model.generate(p, options) for p in prompts), return_exceptions=True)
            await model.aclose()
            return outcomes

        return asyncio.run(gather())

    return ask


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_the_tiny_model_reaches_its_known_accuracy_on_fresh_shapes(tmp_path: Path) -> None:
    """Counts about 92 %, colours about 100 %, as measured when it was trained."""
    path = write_shapes(tmp_path, {"count": 300, "colour": 100})
    result = snellen.run(f"file:{path}", f"hf:{TINY}", max_tokens=12, out=tmp_path / "runs")
    right: dict[str, list[float]] = {}
    for row in result.rows():
        right.setdefault(row["category"], []).append(row["value"])
    assert sum(right["count"]) / 300 >= 0.86
    assert sum(right["colour"]) / 100 >= 0.97
    assert result.facts["model"]["device"] == "cpu" or result.facts["model"]["device"].startswith(("cuda", "mps"))
    assert result.facts["tokens"]["output"] > 0


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_a_batch_answers_as_single_calls_do(tiny: Callable[..., list[Response]]) -> None:
    """Prompts of several lengths, padded on the left."""
    prompts = [prompt_of(kind, seed, extra=" Be brief." * (seed % 3)) for kind in QUESTIONS for seed in range(40, 48)]
    together, alone = tiny(prompts, batch=8), tiny(prompts, batch=1)
    assert [a.text for a in together] == [a.text for a in alone]
    assert [a.usage for a in together] == [a.usage for a in alone]


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_length_several_images_and_no_image(tiny: Callable[..., list[Response]]) -> None:
    """A cut answer says so, only new tokens count, and the number of images is free."""
    drawn = draw(1, "count")
    prompts = [
        prompt_of("form", 3),
        Prompt("two", (picture(drawn.png), TextPart("and"), picture(drawn.png), TextPart(drawn.question))),
        Prompt("none", (TextPart("What color are the shapes? Answer with one word."),), system="Be <image> brief."),
    ]
    cut = tiny(prompts, batch=4, options=GenerationOptions(max_tokens=1))
    assert [answer.finish_reason for answer in cut] == ["length"] * 3
    assert [answer.usage.n_out for answer in cut] == [1] * 3
    whole = tiny(prompts, batch=4)
    assert whole[0].finish_reason == "stop"
    (one,) = tiny([prompt_of("count", 1)], batch=4)
    assert whole[1].usage.n_in >= one.usage.n_in + 16  # sixteen patches of a second picture
    assert "color" not in whole[0].text


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_a_live_pair_is_examined_and_given_back_in_training_mode(tmp_path: Path) -> None:
    """As a training loop passes it; another step's weights make another run."""
    import torch
    from transformers import AutoModelForImageTextToText, AutoProcessor

    torch.set_num_threads(1)
    pair = AutoModelForImageTextToText.from_pretrained(TINY).train(), AutoProcessor.from_pretrained(TINY)
    path = write_shapes(tmp_path, {"colour": 12})
    first = snellen.run(f"file:{path}", pair, max_tokens=8, out=tmp_path / "runs")
    assert first.score > 0.9
    assert pair[0].training
    with torch.no_grad():
        for parameter in pair[0].parameters():
            parameter.mul_(0.5)
    second = snellen.run(f"file:{path}", pair, max_tokens=8, out=tmp_path / "runs")
    assert second.folder != first.folder
    assert second.facts["resumed"] is False


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_out_of_memory_on_the_way_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that bears three at a time."""
    from snellen.models import hugging_face

    genuine = hugging_face.answer

    def tight(model: Any, processor: Any, prompts: Any, *args: Any, **more: Any) -> list[Response]:
        if len(prompts) > 3:
            raise RuntimeError("CUDA out of memory. Tried to allocate 20.00 MiB")
        return genuine(model, processor, prompts, *args, **more)

    monkeypatch.setattr(hugging_face, "answer", tight)
    path = write_shapes(tmp_path, {"colour": 24})
    result = snellen.run(f"file:{path}", f"hf:{TINY}", max_tokens=8, out=tmp_path / "runs")
    assert result.summary.overall.n_scored == 24
    assert result.facts["model"]["n_batches_halved"] > 0


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_a_long_batch_ends_when_the_model_is_closed() -> None:
    """Ctrl-C twice does not wait for thousands of tokens."""

    async def scenario() -> Any:
        model = models.open_model(f"hf:{TINY}")
        await model.generate(prompt_of("count", 1), SHORT)
        endless = GenerationOptions(max_tokens=3000, params={"min_new_tokens": 3000})
        task = asyncio.create_task(model.generate(prompt_of("count", 1), endless))
        await asyncio.sleep(1.0)
        await model.aclose()
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
        return outcome

    outcome = asyncio.run(scenario())
    assert isinstance(outcome, ModelError)
    assert outcome.kind == "gone"


@pytest.mark.slow
@needs_torch
@needs_tiny
def test_a_sweep_loads_the_model_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells share the loaded weights, and answers to pictures that no limit touches."""
    from snellen import config, sweeping
    from snellen.models import hugging_face

    loads = []
    genuine = hugging_face.load_checkpoint
    monkeypatch.setattr(hugging_face, "load_checkpoint", lambda loading: loads.append(1) or genuine(loading))
    path = write_shapes(tmp_path, {"colour": 8})
    options = {"benchmark": f"file:{path}", "model": f"hf:{TINY}", "max_tokens": 6, "out": str(tmp_path / "runs")}
    done = sweeping.sweep(config.merge({}, options), {"max_side": [None, 100, 28]})
    assert len(loads) == 1
    assert [cell.n_shared for cell in done.cells] == [0, 8, 0]


@pytest.mark.slow
@needs_torch
def test_a_folder_that_is_no_checkpoint_of_transformers_is_one_sentence(tmp_path: Path) -> None:
    """The run ends with what is wrong, and asks again when it is mended."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    path = write_shapes(tmp_path, {"colour": 3})
    with pytest.raises(ModelError, match="cannot be loaded"):
        snellen.run(f"file:{path}", f"hf:{tmp_path / 'broken'}", out=tmp_path / "runs")
