"""Judges at work: beside the model while it answers, or later over a finished run. Judging never touches the model.

Each verdict is written when it is made. A failed call is `unjudged`, a reply without a verdict `unparsed`; neither is
ever turned into something else.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from snellen.engine.limits import Failure, Gate, Retrier
from snellen.engine.verdict_ledger import VerdictLedger, verdict_key
from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.quoting import clean, imitates, visible
from snellen.protocols.rule import VERSION as RULE_VERSION
from snellen.store import Log
from snellen.types import GenerationOptions, Model, Prompt, Response, Sample, TextPart

HOPELESS_AFTER = 8  # failed calls of one judge in a row: it cannot be reached


@dataclass(slots=True)
class Judge:
    """One member of the panel."""

    name: str
    """Its spec, as in verdict keys."""
    model: Model | None
    """Who is asked; None for the rule judge."""
    gate: Gate
    """Its requests in flight."""
    retrier: Retrier
    """Its retries."""
    grade: Callable[[Sample, str], Reading] | None = None
    """How the rule judge grades; None for a model."""
    n_done: int = 0
    """Verdicts made in this attempt."""
    n_dropped: int = 0
    """Answers it was not asked about after it stopped."""
    n_failed_in_a_row: int = 0
    """Failed calls since the last answer."""
    stopped: str = ""
    """Why it is asked nothing more."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One answer to be judged by one judge."""

    judge: Judge
    sample: Sample
    prompt_key: str
    epoch: int
    text: str
    key: str


@dataclass(slots=True)
class Judging:
    """All judges of a run over a stream of answers."""

    judges: Sequence[Judge]
    """The panel."""
    protocol: JudgeProtocol
    """How they are asked and read."""
    ledger: VerdictLedger
    """What is judged already."""
    log: Log
    """`verdicts.jsonl`."""
    reference_key: Callable[[Sample], str]
    """Hash of what an answer is compared with."""
    template: str | None = None
    """Text that replaces the protocol's prompt."""
    is_certain: Callable[[Sample, str], Reading | None] = lambda _sample, _text: None
    """What the rule settles without a call (`--judge-when rule-unsure`)."""
    wants: Callable[[Sample], bool] = lambda sample: sample.mode == "judge"
    """Which samples are judged."""
    generation: GenerationOptions | None = None
    """Options of the judge; the protocol's own when None."""
    counts: Counter[str] = field(default_factory=Counter)
    """States of this attempt."""
    _waiting: dict[int, deque[_Item]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _pumps: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _crash: BaseException | None = None

    @property
    def protocol_id(self) -> str:
        """Name and version, as in verdict keys."""
        return f"{self.protocol.name}@{self.protocol.version}"

    @property
    def template_id(self) -> str:
        """Hash of a replaced prompt text, "" for the protocol's own."""
        return hashlib.sha256(self.template.encode()).hexdigest()[:16] if self.template is not None else ""

    def put(self, sample: Sample, prompt_key: str, epoch: int, text: str) -> None:
        """Hand over one answer; call it on the loop's own thread."""
        if not self.wants(sample):
            return
        sample = replace(sample, parts=())  # a slow judge's queue holds no pictures
        for number, judge in enumerate(self.judges):
            key = verdict_key(
                judge=judge.name, protocol=self.protocol_id, template=self.template_id, sample=sample,
                reference_key=self.reference_key(sample), text=text,
            )  # fmt: skip
            if key in self._seen or not self.ledger.is_open(key):
                continue
            self._seen.add(key)
            self._queue(number, _Item(judge, sample, prompt_key, epoch, text, key))

    def _queue(self, number: int, item: _Item) -> None:
        if item.judge.grade is not None:
            self._write(item, item.judge.grade(item.sample, item.text), None)
            return
        settled = self.protocol.settle(item.sample, item.text)
        if settled is not None:
            self._write(item, settled, None)
            return
        certain = self.is_certain(item.sample, item.text)
        if certain is not None:
            self._write(item, certain, None, skipped=True)
            return
        self._waiting.setdefault(number, deque()).append(item)
        pump = self._pumps.get(number)
        if pump is None or pump.done():
            self._pumps[number] = asyncio.get_running_loop().create_task(self._pump(number))

    async def _pump(self, number: int) -> None:
        """Start calls of one judge as its slots become free."""
        waiting = self._waiting[number]
        while waiting:
            judge = waiting[0].judge
            if judge.stopped or not await judge.gate.enter():
                judge.n_dropped += len(waiting)
                waiting.clear()
                return
            task = asyncio.create_task(self._ask(waiting.popleft()))
            self._tasks.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and self._crash is None:
            self._crash = task.exception()
            self.stop()

    async def drain(self) -> None:
        """Wait until everything that was handed over is judged, or its judge has given up.

        Raises:
            StoreError: a verdict could not be written down.
        """
        while self._tasks or any(not pump.done() for pump in self._pumps.values()):
            pending = {*self._tasks, *(pump for pump in self._pumps.values() if not pump.done())}
            await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        if self._crash is not None:
            raise self._crash

    async def aclose(self) -> None:
        """Close the judges and the log."""
        for task in [*self._tasks, *self._pumps.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._pumps.values(), return_exceptions=True)
        self.log.close()
        for judge in self.judges:
            if judge.model is not None:
                await judge.model.aclose()

    def notes(self) -> list[str]:
        """One sentence a judge that stopped before its work was done."""
        return [
            f"{judge.stopped} (stopped after {judge.n_done} verdicts of this attempt, {judge.n_dropped} answers "
            "wait; nothing is lost, `snellen judge RUN` with the same --judge goes on)"
            for judge in self.judges
            if judge.stopped
        ]

    def stop(self, why: str = "stopped") -> None:
        """Ask nothing more; what is in flight is finished."""
        for judge in self.judges:
            judge.stopped = judge.stopped or f"judge {judge.name}: {why}"
            judge.gate.close()

    async def _ask(self, item: _Item) -> None:
        judge = item.judge
        assert judge.model is not None
        ask = judge.model.generate
        nonce = nonce_of(item.key)
        prompt_text = self.protocol.build(item.sample, item.text, nonce, self.template)
        options = self.generation or GenerationOptions(self.protocol.max_tokens, self.protocol.temperature)
        prompt = Prompt(item.sample.id, (TextPart(prompt_text),), question=item.sample.question)
        ok = False
        try:
            outcome = await judge.retrier.ask(lambda: ask(prompt, options))
            ok = isinstance(outcome, Response)
            if isinstance(outcome, Failure):
                self._failed(item, outcome)
                return
            judge.n_failed_in_a_row = 0
            self._write(item, self.protocol.read(outcome.text, item.sample, nonce), outcome)
        finally:
            judge.gate.leave(ok=ok)

    def _failed(self, item: _Item, failure: Failure) -> None:
        judge = item.judge
        judge.n_failed_in_a_row += 1
        self._append(item, state="unjudged", reason=failure.message, n_attempts=failure.n_attempts)
        if failure.stops_the_run or judge.n_failed_in_a_row >= HOPELESS_AFTER:
            judge.stopped = judge.stopped or f"judge {judge.name}: {failure.message}"
            judge.gate.close()

    def _write(self, item: _Item, reading: Reading, response: Response | None, *, skipped: bool = False) -> None:
        state = {True: "correct", False: "incorrect", None: "unparsed"}[reading.verdict]
        facts: dict[str, Any] = {"reason": reading.reason}
        if reading.answer:
            facts["answer"] = reading.answer
        if skipped:
            facts["skipped"] = True
        if imitates(item.text):
            facts["imitates"] = True
        if response is not None:
            item.judge.n_done += 1
            facts |= {
                "raw": response.text, "n_in": response.usage.n_in, "n_out": response.usage.n_out,
                "latency_s": round(response.latency_s, 4), "served_model": response.served_model,
                "n_attempts": response.n_attempts,
            }  # fmt: skip
            if clean(response.text) != response.text:
                facts["raw_visible"] = visible(response.text)
        self._append(item, state=state, **facts)

    def _append(self, item: _Item, *, state: str, **facts: Any) -> None:
        protocol = f"rule@{RULE_VERSION}" if item.judge.grade is not None else self.protocol_id
        record = {
            "key": item.key, "prompt_key": item.prompt_key, "epoch": item.epoch, "sample_id": item.sample.id,
            "judge": item.judge.name, "protocol": protocol, "state": state, **facts,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }  # fmt: skip
        self.log.append(record)
        self.ledger.note(record)
        self.counts[state] += 1


def nonce_of(key: str) -> str:
    """A word that the judged answer cannot know: it depends on the answer itself."""
    return hashlib.sha256(f"nonce {key}".encode()).hexdigest()[:8]
