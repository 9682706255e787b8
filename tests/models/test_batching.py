"""Calls gathered into batches: like length together, nothing lost when memory runs out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from snellen.errors import ModelError
from snellen.models.batching import Batcher, Call
from snellen.types import GenerationOptions, Prompt, Response, TextPart

OPTIONS = GenerationOptions()


def echo(calls: Sequence[Call]) -> list[Response]:
    """Answer each prompt with its own text."""
    return [Response(call.prompt.parts[0].text) for call in calls]  # type: ignore[union-attr]


def is_memory(error: BaseException) -> bool:
    """The only sign of exhausted memory here."""
    return isinstance(error, MemoryError)


async def ask_all(batcher: Batcher, lengths: Sequence[int], groups: Sequence[Any] | None = None) -> list[Any]:
    """Ask one prompt a length at once; the outcomes in order, errors as values."""
    groups = groups or [None] * len(lengths)
    calls = [
        batcher.ask(Prompt(str(i), (TextPart(f"text {i}"),)), OPTIONS, length=length, group=group)
        for i, (length, group) in enumerate(zip(lengths, groups, strict=True))
    ]
    try:
        return await asyncio.gather(*calls, return_exceptions=True)
    finally:
        batcher.close()


def run(batcher: Batcher, lengths: Sequence[int], groups: Sequence[Any] | None = None) -> list[Any]:
    """The same, from outside of a loop."""
    return asyncio.run(ask_all(batcher, lengths, groups))


def test_every_call_gets_its_own_answer_and_batches_hold_like_lengths() -> None:
    """Sixteen calls of two sizes in turn: no batch mixes them."""
    batches: list[list[int]] = []

    def watch(calls: Sequence[Call]) -> list[Response]:
        batches.append([call.length for call in calls])
        return echo(calls)

    said = run(Batcher(watch, is_memory, max_batch=8, window_s=0.2), [10, 1000] * 8)
    assert [answer.text for answer in said] == [f"text {i}" for i in range(16)]
    assert sorted(map(len, batches)) == [8, 8]
    assert all(len(set(batch)) == 1 for batch in batches)


def test_groups_never_share_a_batch() -> None:
    """Prompts with other options, or without images, are asked apart."""
    batches: list[set[Any]] = []

    def watch(calls: Sequence[Call]) -> list[Response]:
        batches.append({call.group for call in calls})
        return echo(calls)

    run(Batcher(watch, is_memory, max_batch=8, window_s=0.1), [5] * 6, ["a", "b"] * 3)
    assert sorted(map(len, batches)) == [1, 1]


def test_out_of_memory_halves_the_batch_and_all_are_answered() -> None:
    """A model that bears two at a time answers eight, and is asked no more than two from then on."""
    sizes: list[int] = []

    def small(calls: Sequence[Call]) -> list[Response]:
        sizes.append(len(calls))
        if len(calls) > 2:
            raise MemoryError("too much")
        return echo(calls)

    freed = []
    batcher = Batcher(small, is_memory, max_batch=8, window_s=0.2, free_memory=lambda: freed.append(1))
    said = run(batcher, [1] * 12)
    assert [answer.text for answer in said] == [f"text {i}" for i in range(12)]
    assert batcher.n_halved == len(freed) > 0
    assert max(sizes[sizes.index(2) :][4:], default=2) <= 2


def test_a_sample_too_large_alone_fails_alone() -> None:
    """Its failure is final and of the kind out_of_memory; its batchmates are answered."""

    def small(calls: Sequence[Call]) -> list[Response]:
        if any(call.length > 100 for call in calls):
            raise MemoryError("too much")
        return echo(calls)

    said = run(Batcher(small, is_memory, max_batch=4, window_s=0.2), [1, 1, 500, 1])
    failed = said.pop(2)
    assert isinstance(failed, ModelError)
    assert (failed.kind, failed.retryable) == ("out_of_memory", False)
    assert [answer.text for answer in said] == ["text 0", "text 1", "text 3"]


def test_one_bad_input_does_not_spoil_its_batch() -> None:
    """Whatever a model raises on one prompt, the others are asked again without it."""

    def picky(calls: Sequence[Call]) -> list[Response]:
        if any(call.length == 13 for call in calls):
            raise IndexError("13")
        return echo(calls)

    said = run(Batcher(picky, is_memory, max_batch=4, window_s=0.2), [1, 13, 1])
    assert isinstance(said[1], ModelError)
    assert "IndexError: 13" in str(said[1])
    assert said[0].text == "text 0"


def test_a_batch_size_grows_again_after_quiet_batches() -> None:
    """One large image does not slow the rest of the run."""
    batcher = Batcher(echo, is_memory, max_batch=8)
    batcher._limit = 2
    for _ in range(16):
        batcher._note_good()
    assert batcher._limit == 4


def test_a_cancelled_call_is_not_asked() -> None:
    """Ctrl-C twice drops what waits."""
    started, go = threading.Event(), threading.Event()
    asked: list[str] = []

    def slow(calls: Sequence[Call]) -> list[Response]:
        asked.extend(call.prompt.sample_id for call in calls)
        started.set()
        go.wait(10)
        return echo(calls)

    async def scenario() -> None:
        batcher = Batcher(slow, is_memory, max_batch=1, window_s=0)
        first = asyncio.create_task(batcher.ask(Prompt("a", (TextPart("a"),)), OPTIONS, length=1))
        await asyncio.to_thread(started.wait, 10)
        second = asyncio.create_task(batcher.ask(Prompt("b", (TextPart("b"),)), OPTIONS, length=1))
        await asyncio.sleep(0.01)
        second.cancel()
        await asyncio.sleep(0.01)
        go.set()
        assert (await first).text == "a"
        batcher.close()

    asyncio.run(scenario())
    assert asked == ["a"]


def test_what_waits_when_the_model_is_closed_is_refused() -> None:
    """Nobody waits for ever."""
    batcher = Batcher(echo, is_memory)

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        call = Call(Prompt("a", ()), OPTIONS, 1, None, loop, loop.create_future())
        batcher._waiting.append(call)
        batcher.close()
        with pytest.raises(ModelError, match="closed"):
            await call.future

    asyncio.run(scenario())
