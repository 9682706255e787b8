"""Calls that come one by one, run in batches: a thread that owns a local model and gathers what waits for it.

A batch holds calls of about one length, so that little is padded; it begins with the call that waits longest, so that
none starves. When memory runs out the batch is halved and tried again; what fails alone fails alone.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from snellen.errors import ModelError
from snellen.types import GenerationOptions, Prompt, Response

WINDOW_S = 0.01
"""How long the thread waits for company once a call is there."""
GROWS_AFTER = 16
"""Batches without trouble after which a halved batch size is doubled again."""


@dataclass(slots=True, eq=False)
class Call:
    """One prompt that waits for its answer."""

    prompt: Prompt
    """What is asked."""
    options: GenerationOptions
    """How."""
    length: int
    """Its size in any unit; calls of like size share a batch."""
    group: Hashable
    """Only calls of one group share a batch."""
    loop: asyncio.AbstractEventLoop
    """Who waits."""
    future: asyncio.Future[Response]
    """For what."""

    def settle(self, outcome: Response | BaseException) -> None:
        """Hand the outcome to whoever waits; a loop that is gone waits no more."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._settle, outcome)

    def _settle(self, outcome: Response | BaseException) -> None:
        if self.future.done():
            return
        if isinstance(outcome, BaseException):
            self.future.set_exception(outcome)
        else:
            self.future.set_result(outcome)


Runner = Callable[[Sequence[Call]], list[Response]]


@dataclass(slots=True)
class Batcher:
    """A thread that answers calls in batches."""

    run: Runner
    """Answers a batch, on the thread; raises whatever the model raises."""
    is_out_of_memory: Callable[[BaseException], bool]
    """Tells exhausted memory from other trouble."""
    max_batch: int = 8
    """Calls a batch may have."""
    window_s: float = WINDOW_S
    """Seconds to wait for company."""
    free_memory: Callable[[], None] = lambda: None
    """Called after memory ran out, before the next try."""
    n_halved: int = 0
    """Times memory ran out with more than one call in the batch."""
    _limit: int = 0
    _n_good: int = 0
    _waiting: list[Call] = field(default_factory=list)
    _change: threading.Condition = field(default_factory=threading.Condition)
    _thread: threading.Thread | None = None
    _closed: bool = False

    async def ask(
        self, prompt: Prompt, options: GenerationOptions, *, length: int, group: Hashable = None
    ) -> Response:
        """Queue one prompt and wait for its answer.

        Raises:
            ModelError: the model cannot answer it.
        """
        loop = asyncio.get_running_loop()
        call = Call(prompt, options, length, group, loop, loop.create_future())
        with self._change:
            self._waiting.append(call)
            self._start()
            self._change.notify()
        return await call.future

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is wanted; a long batch looks at it now and then."""
        return self._closed

    def widen(self, max_batch: int) -> None:
        """Set the batch size once it is known what the model runs on."""
        self.max_batch = self._limit = max_batch

    def close(self) -> None:
        """End the thread after the batch it is at; calls that wait are refused. May be called twice."""
        with self._change:
            self._closed = True
            self._change.notify()
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        for call in self._waiting:
            call.settle(ModelError("the model was closed", retryable=True, kind="gone"))
        self._waiting.clear()

    def _start(self) -> None:
        if self._thread is None:
            self._closed = False
            self._limit = self._limit or self.max_batch
            self._thread = threading.Thread(target=self._work, name="snellen-batches", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (batch := self._gather()) is not None:
            self._answer(batch)

    def _gather(self) -> list[Call] | None:
        """The next batch; None at the end."""
        with self._change:
            while True:
                self._waiting[:] = [call for call in self._waiting if not call.future.cancelled()]
                if self._closed:
                    return None
                if self._waiting:
                    break
                self._change.wait()
            self._wait_for_company()
            if not self._waiting:
                return []
            oldest = self._waiting[0]
            like = [call for call in self._waiting if call.group == oldest.group]
            like.sort(key=lambda call: abs(call.length - oldest.length))
            batch = like[: self._limit]
            chosen = set(map(id, batch))
            self._waiting[:] = [call for call in self._waiting if id(call) not in chosen]
            return batch

    def _wait_for_company(self) -> None:
        until = time.monotonic() + self.window_s
        while len(self._waiting) < self._limit and not self._closed:
            left_s = until - time.monotonic()
            if left_s <= 0 or not self._change.wait(left_s):
                return

    def _answer(self, batch: list[Call]) -> None:
        """Run a batch; on trouble its parts, so that only what fails alone is lost. Never raises."""
        todo = [batch]
        while todo:
            part = [call for call in todo.pop() if not call.future.cancelled()]
            if not part:
                continue
            error = self._try(part)
            if error is None:
                continue
            if len(part) == 1:
                part[0].settle(error)
            elif error.kind == "out_of_memory":
                half = len(part) // 2
                todo += [part[half:], part[:half]]
            else:
                todo += [[call] for call in reversed(part)]

    def _try(self, part: list[Call]) -> ModelError | None:
        """Run one batch; its answers are handed out, its trouble is returned."""
        try:
            answers = self.run(part)
        except BaseException as error:  # the thread must outlive any model
            trouble = self._trouble(error, len(part))
        else:
            for call, answer in zip(part, answers, strict=True):
                call.settle(answer)
            self._note_good()
            return None
        if trouble.kind == "out_of_memory":  # outside of `except`: its traceback held the tensors
            self.free_memory()
        return trouble

    def _trouble(self, error: BaseException, n_calls: int) -> ModelError:
        if isinstance(error, ModelError):
            return error
        if self.is_out_of_memory(error):
            if n_calls > 1:
                self.n_halved += 1
                self._limit, self._n_good = max(1, n_calls // 2), 0
            return ModelError(
                f"out of memory, even alone: {_first_line(error)} (lower --max-side or --max-tokens)",
                kind="out_of_memory",
            )
        return ModelError(f"{type(error).__name__}: {_first_line(error)}", kind="server")

    def _note_good(self) -> None:
        self._n_good += 1
        if self._limit < self.max_batch and self._n_good >= GROWS_AFTER:
            self._limit, self._n_good = min(self.max_batch, 2 * self._limit), 0


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else "no message"
