"""Opening models by name, and the small models: prior, oracle, replay, scripted, your own function."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from snellen.errors import ModelError, UsageError
from snellen.images import ImagePolicy, prepare
from snellen.models import MODELS, open_model, wrap
from snellen.models.prior import guess
from snellen.types import GenerationOptions, Model, PreparedImage, Prompt, Response, Sample, SentPart, TextPart

OPTIONS = GenerationOptions()


def ask(model: Model, question: str = "How many?", **fields: Any) -> Response:
    """One call, with the model closed after it."""

    async def once() -> Response:
        try:
            parts: tuple[SentPart, ...] = fields.pop("parts", (TextPart(question),))
            prompt = Prompt(fields.pop("sample_id", "s1"), parts, question=question, **fields)
            return await model.generate(prompt, OPTIONS)
        finally:
            await model.aclose()

    return asyncio.run(once())


def picture(colour: tuple[int, int, int] = (200, 0, 0)) -> PreparedImage:
    """A prepared image."""
    buffer = io.BytesIO()
    Image.new("RGB", (12, 8), colour).save(buffer, "PNG")
    return prepare(buffer.getvalue(), ImagePolicy())


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("opnai:gpt", "did you mean 'openai:NAME'"),
        ("gpt-4o", "for a server write openai:gpt-4o"),
        ("replay:", "needs a file"),
        ("replay:/no/such/file", "no JSONL file"),
        ("scripted:/no/such.toml", "cannot be read"),
        ("python:os", "needs a module and a function"),
        ("python:no_such_module:f", "cannot be loaded"),
        ("python:os:no_such_function", "cannot be loaded"),
        ("python:os:name", "no model"),
        ("prior:x", "takes nothing"),
        ("prior-oracle", "needs the benchmark"),
    ],
)
def test_a_wrong_spec_is_one_sentence(spec: str, says: str) -> None:
    """Every slip in a model's name is a usage error that says what to write."""
    with pytest.raises(UsageError, match=says):
        open_model(spec)


def test_every_kind_is_described() -> None:
    """What `snellen list` prints is complete, and each loader names a module and a function."""
    assert all(row.title and row.spec.startswith(kind) and ":" in row.loader for kind, row in MODELS.items())


@pytest.mark.parametrize(
    ("question", "choices", "answer"),
    [
        ("How many dots?", (), "2"),
        ("Count the circles in the image. Answer with a number in curly brackets e.g. {3}.", (), "2"),
        ("Are the two circles overlapping? Answer with Yes/No.", (), "Yes"),
        ("Is the car red?", (), "Yes"),
        ("What color is the car?", (), "white"),
        ("Give the bounding box of the dog.", (), "[0.25, 0.25, 0.75, 0.75]"),
        ("How many rows and columns are in the table?", (), "(5, 5)"),
        ("Which?", ("red", "blue"), "A"),
        ("", (), "2"),
    ],
)
def test_the_prior_guesses_by_form(question: str, choices: tuple[str, ...], answer: str) -> None:
    """The guess depends on the question's form alone."""
    assert guess(question, choices) == answer
    assert ask(open_model("prior"), question, choices=choices, parts=(picture(),)).text == answer


def test_the_prior_survives_hostile_questions() -> None:
    """A huge question costs little."""
    assert guess("is " * 200_000) == "Yes"


class Bench:
    """A benchmark of three samples."""

    def samples(self) -> list[Sample]:
        """All of them."""
        truths = [("7", "seven"), ("no",), ("a cat",)]
        return [Sample(str(i), (), "q", references=one) for i, one in enumerate(truths)]


def test_the_oracle_draws_from_the_pools_of_truths() -> None:
    """Counting gets whole numbers, yes/no questions get those, the rest gets any answer; same seed, same draw."""
    model = open_model("prior-oracle", benchmark=Bench(), seed=3)
    assert ask(model, "How many cats?").text == "7"
    assert ask(model, "Is it a cat?").text == "no"
    drawn = {ask(model, "Which animal?", sample_id=str(i)).text for i in range(40)}
    assert drawn == {"7", "no", "a cat"}
    again = open_model("prior-oracle", references=["7", "no", "a cat"], seed=3)
    assert [ask(model, "Which?", sample_id=str(i)).text for i in range(9)] == [
        ask(again, "Which?", sample_id=str(i)).text for i in range(9)
    ]
    assert "no fair baseline" in model.notes[0]  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="no answers"):
        open_model("prior-oracle", references=[])


@pytest.mark.parametrize("key", ["response", "text", "output"])
def test_replay_gives_recorded_answers(tmp_path: Path, key: str) -> None:
    """A file of ids and texts is a model; an id it lacks is a final failure, not an empty answer."""
    file = tmp_path / "old.jsonl"
    rows = [{"id": "s1", key: "four"}, {"id": 2, key: None}, {"id": "s3", key: {"text": "x"}, "reasoning": "hm"}]
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    model = open_model(f"replay:{file}")
    assert ask(model).text == "four"
    assert ask(model, sample_id="2").text == ""
    assert ask(model, sample_id="s3").reasoning == "hm"
    with pytest.raises(ModelError, match="no answer for sample 's9'") as caught:
        ask(model, sample_id="s9")
    assert not caught.value.retryable


def test_replay_reads_a_run_directory(tmp_path: Path) -> None:
    """Answers of an earlier run, epochs apart, failures left out."""
    rows = [
        {"key": "k", "epoch": 0, "sample_id": "s1", "status": "ok", "text": "first", "finish_reason": "length"},
        {"key": "k", "epoch": 1, "sample_id": "s1", "status": "ok", "text": "second"},
        {"key": "m", "epoch": 0, "sample_id": "s2", "status": "error", "kind": "timeout", "message": "…"},
    ]
    (tmp_path / "responses.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    model = open_model(f"replay:{tmp_path}")
    assert (ask(model).text, ask(model).finish_reason, ask(model, epoch=1).text) == ("first", "length", "second")
    with pytest.raises(ModelError):
        ask(model, sample_id="s2")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{torn", "line 1: no JSON"),
        ("[1]", "an object|JSON object"),
        ('{"text": "a"}', "no id"),
        ('{"id": 1}', "no text"),
    ],
)
def test_replay_names_what_is_wrong(tmp_path: Path, line: str, says: str) -> None:
    """A broken file is a usage error with its line."""
    (tmp_path / "a.jsonl").write_text(line)
    with pytest.raises(UsageError, match=says):
        open_model(f"replay:{tmp_path / 'a.jsonl'}")


SCRIPT = """
default = "no idea"
[[rules]]
match = "how many.*dots"
text = "3"
finish_reason = "length"
n_out = 5
[[rules]]
id = "bad"
status = 429
retry_after_s = 2
times = 1
[[rules]]
id = "bad"
text = "at last"
[[rules]]
id = "gone"
error = "auth"
"""


def test_a_script_answers_by_its_rules(tmp_path: Path) -> None:
    """Patterns, ids, failures, counted rules and the default."""
    (tmp_path / "s.toml").write_text(SCRIPT)
    model = open_model(f"scripted:{tmp_path / 's.toml'}")
    found = ask(model, "HOW MANY\nblue dots?")
    assert (found.text, found.finish_reason, found.usage.n_out) == ("3", "length", 5)
    assert ask(model, "What?").text == "no idea"
    with pytest.raises(ModelError) as caught:
        ask(model, "What?", sample_id="bad")
    assert (caught.value.status, caught.value.kind, caught.value.retryable) == (429, "rate_limit", True)
    assert caught.value.retry_after_s == 2
    assert ask(model, "What?", sample_id="bad").text == "at last"
    with pytest.raises(ModelError) as caught:
        ask(model, "What?", sample_id="gone")
    assert caught.value.stops_the_run


def test_another_content_is_another_model(tmp_path: Path) -> None:
    """A run must not resume with the answers of a file that has changed since."""
    for kind, first, second in (
        ("replay", '{"id": 1, "text": "a"}', '{"id": 1, "text": "b"}'),
        ("scripted", '{"text": "a"}', '{"text": "b"}'),
    ):
        names = []
        for content in (first, second, first):
            (tmp_path / "x.jsonl").write_text(content)
            names.append(open_model(f"{kind}:{tmp_path / 'x.jsonl'}").name)
        assert names[0] == names[2] != names[1]
        assert names[0].startswith(f"{kind}:x.jsonl#")


def test_a_script_may_be_lines(tmp_path: Path) -> None:
    """One rule a line; without a default, what no rule fits is a failure."""
    (tmp_path / "s.jsonl").write_text('{"match": "red", "text": "yes"}\n')
    model = open_model(f"scripted:{tmp_path / 's.jsonl'}")
    assert ask(model, "Is it red?").text == "yes"
    with pytest.raises(ModelError, match="no rule"):
        ask(model, "Is it blue?")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rules = 3 4", "no valid TOML"),
        ("[[rules]]\nmach = 'x'", "unknown key 'mach'"),
        ("[[rules]]\nmatch = '('", "rule 1"),
        ("defalt = 'x'", "unknown key 'defalt'"),
    ],
)
def test_a_broken_script_is_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    """Slips are named with their rule."""
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(UsageError, match=says):
        open_model(f"scripted:{tmp_path / 's.toml'}")


PARTS = (picture((200, 0, 0)), TextPart("Which colour?"), picture((0, 0, 200)))


def by_images(images: list[Any], text: str) -> str:
    """As a training loop would write it."""
    return f"{len(images)} {images[1].getpixel((0, 0))} {text}"


async def by_prompt(prompt: Prompt, options: GenerationOptions) -> Response:
    """The full protocol."""
    await asyncio.sleep(0)
    return Response(f"{prompt.sample_id} {options.max_tokens}", reasoning="r")


def by_position(x: Prompt, y: GenerationOptions) -> str:
    """Names nobody knows."""
    return f"{x.sample_id} {y.max_tokens}"


def by_one(p: Prompt) -> str:
    """A single parameter."""
    return p.sample_id


def by_image_and_prompt(image: Any, prompt: str, temperature: float = 1.0) -> str:
    """A first image and a text called prompt, with an option of its own."""
    return f"{image.size} {prompt} {temperature}"


def by_question(question: str) -> str:
    """Text only."""
    return question.upper()


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        (by_images, "2 (0, 0, 200) Which colour?"),
        (by_prompt, "s1 4096"),
        (by_position, "s1 4096"),
        (by_one, "s1"),
        (by_image_and_prompt, "(12, 8) Which colour? 1.0"),
        (by_question, "BARE?"),
        (lambda *everything: str(len(everything)), "2"),
        (lambda: "nothing", "nothing"),
    ],
)
def test_a_function_is_given_what_its_parameters_say(function: Any, answer: str) -> None:
    """Images and text, prompt and options, by name or by position."""
    assert ask(wrap(function), "bare?", parts=PARTS).text == answer


class Loop:
    """An object with an async __call__, and state."""

    def __init__(self) -> None:
        self.n_calls = 0

    async def __call__(self, images: list[Any], text: str) -> str:
        """Count."""
        self.n_calls += 1
        return str(self.n_calls)


def test_live_objects_are_models() -> None:
    """An object that can be called is one; a model is used as it is; a class without arguments is made."""
    loop = Loop()
    model = wrap(loop, name="step-100")
    assert (model.name, ask(model, parts=PARTS).text, ask(model, parts=PARTS).text) == ("step-100", "1", "2")
    assert wrap(model) is model
    with pytest.raises(UsageError, match="a int is no model"):
        wrap(3)


def test_a_sync_function_is_never_entered_twice() -> None:
    """Concurrent questions wait for each other, off the event loop."""
    inside, most, threads = 0, 0, set()
    lock = threading.Lock()

    def slow(prompt: Prompt) -> str:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        threads.add(threading.current_thread().name)
        threading.Event().wait(0.005)
        with lock:
            inside -= 1
        return "x"

    async def many() -> None:
        model = wrap(slow)
        await asyncio.gather(*(model.generate(Prompt(str(i), ()), OPTIONS) for i in range(8)))
        await model.aclose()

    asyncio.run(many())
    assert most == 1
    assert threads.isdisjoint({"MainThread"})


def test_errors_of_a_function_are_model_errors() -> None:
    """What it raises becomes a typed failure; what it returns must be text."""

    def breaks(prompt: Prompt) -> str:
        raise KeyError("weights")

    def full(prompt: Prompt) -> str:
        raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")

    with pytest.raises(ModelError, match="KeyError: 'weights'") as caught:
        ask(wrap(breaks))
    assert not caught.value.retryable
    with pytest.raises(ModelError) as caught:
        ask(wrap(full))
    assert caught.value.kind == "out_of_memory"
    with pytest.raises(ModelError, match="returned a int"):
        ask(wrap(lambda prompt: 3))
    assert ask(wrap(lambda prompt: None)).text == ""


def test_a_function_in_a_file_is_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By path, and by module from the working directory."""
    (tmp_path / "my_own_model.py").write_text("def answer(images, text):\n    return text[::-1]\n")
    model = open_model(f"python:{tmp_path / 'my_own_model.py'}:answer")
    assert ask(model, "abc").text == "cba"
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert ask(open_model("python:my_own_model:answer"), "abc").text == "cba"


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that installs it is named."""
    import sys

    monkeypatch.setitem(sys.modules, "rapidocr", None)
    monkeypatch.delitem(sys.modules, "snellen.models.ocr", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'snellen\[ocr\]'"):
        open_model("ocr")
