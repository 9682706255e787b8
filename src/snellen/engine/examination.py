"""The main loop: prepared samples in, answers written down. Work-conserving: a free slot is filled at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from snellen.engine.ledger import Ledger
from snellen.engine.limits import Budget, Failure, Gate, Outcome, Retrier
from snellen.engine.preparation import Feed, Prepared
from snellen.engine.progress import LiveScores, Progress
from snellen.engine.records import outcome_record
from snellen.engine.run_files import RunFiles
from snellen.engine.sight import Sight, check_sight
from snellen.errors import StoreError
from snellen.store import Log
from snellen.types import GenerationOptions, Model, Prompt, Response, Sample

HOPELESS_AFTER = 12  # failures without one success, all of one kind: the rest would fail too


@dataclass(slots=True)
class Examination:
    """One attempt at a run: asks what is open, writes every outcome when it is made."""

    files: RunFiles
    """The open run directory."""
    model: Model
    """Who is asked."""
    generation: GenerationOptions
    """Sampling options."""
    gate: Gate
    """Requests in flight."""
    retrier: Retrier
    """Retries."""
    budget: Budget
    """Tokens and money."""
    progress: Progress
    """Counters for whoever draws them."""
    samples_log: Log
    """`samples.jsonl`."""
    responses_log: Log
    """`responses.jsonl` of this process."""
    epochs: int = 1
    """Repeats of each question."""
    retry_errors: bool = False
    """Ask final failures again."""
    live: LiveScores | None = None
    """Scores for the progress line."""
    lenders: Sequence[Ledger] = ()
    """Other runs whose answers to the same prompts are taken over."""
    on_answer: Callable[[Sample, str, int, Response], None] | None = None
    """Called with (sample, key, epoch, response) for each answer, new or old: live judging."""
    stopped: str = ""
    """Why the attempt ended early."""
    fatal: str = ""
    """The sentence of a failure that every question shares."""
    sight: Sight | None = None
    """What the sight check found."""
    n_known: int = 0
    """Samples that were complete before this attempt."""
    _pending: set[tuple[str, int]] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _feed: Feed | None = None
    _first_failures: list[Failure] = field(default_factory=list)
    _n_ok: int = 0
    _crash: BaseException | None = None

    @property
    def n_answered(self) -> int:
        """Answers of this attempt."""
        return self._n_ok

    async def run(self, feed: Feed, *, check_eyes: bool) -> None:
        """Ask everything that the feed brings; returns when all is answered, stopped or hopeless.

        Raises:
            BenchmarkError: the source broke in the middle (what is answered is kept).
            StoreError: the disk is full or the log cannot be written.
        """
        self._feed = feed
        eyes = asyncio.create_task(self._check_sight()) if check_eyes else None
        try:
            await self._ask_all(feed)
            if self._tasks:
                await asyncio.wait(self._tasks)
            if eyes is not None:
                await eyes
        finally:
            feed.close()
            if eyes is not None and not eyes.done():
                eyes.cancel()
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._crash is not None:
            raise self._crash

    def stop(self, reason: str, *, note: str = "") -> None:
        """Ask nothing more; what is in flight is finished and saved. The note is what is said of it right now."""
        if not self.stopped:
            self.stopped = reason
            self.progress.note = note or reason
        self.gate.close()
        if self._feed is not None:
            self._feed.close()

    def abort(self) -> None:
        """Stop now: what is in flight is dropped."""
        self.stop("stopped")
        for task in self._tasks:
            task.cancel()

    async def _ask_all(self, feed: Feed) -> None:
        while not self.stopped:
            prepared = await feed.get()
            if prepared is None:
                return
            self._write_sample(prepared)
            for epoch in self._open_epochs(prepared):
                if not await self._enter():
                    return
                self._start(prepared, epoch)

    async def _enter(self) -> bool:
        if not await self.gate.enter():
            return False
        if why := self.budget.reached(self.gate.in_flight - 1):
            self.gate.leave(ok=False)
            self.stop(f"{why}; the same command with a higher limit goes on")
            return False
        return True

    def _start(self, prepared: Prepared, epoch: int) -> None:
        task = asyncio.create_task(self._ask(prepared, epoch))
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and self._crash is None:
            self._crash = error
            self.stop(str(error) if isinstance(error, StoreError) else f"{type(error).__name__}: {error}")

    def _write_sample(self, prepared: Prepared) -> None:
        self.samples_log.append(prepared.record)
        if prepared.originals:
            self.files.keep_images(prepared.originals, {})

    def _open_epochs(self, prepared: Prepared) -> Iterator[int]:
        """Epochs still to ask; equal prompts are asked once, and an unreadable image is noted instead."""
        for epoch in range(self.epochs):
            place = (prepared.key, epoch)
            if place in self._pending:
                self._count_done()
                continue
            self._pending.add(place)
            if prepared.failure is not None:
                self._note_failure(prepared, epoch)
            elif self.files.ledger.needs_asking(prepared.key, epoch, retry_errors=self.retry_errors):
                if not self._borrow(prepared, epoch):
                    yield epoch
            else:
                self._replay(prepared, epoch)

    def _note_failure(self, prepared: Prepared, epoch: int) -> None:
        assert prepared.failure is not None
        if self.files.ledger.needs_asking(prepared.key, epoch, retry_errors=False):
            record = outcome_record(prepared.failure, key=prepared.key, epoch=epoch, sample_id=prepared.sample.id)
            self.responses_log.append(record)
        self.progress.failures["image"] += 1
        self._count_done()

    def _borrow(self, prepared: Prepared, epoch: int) -> bool:
        """Take over another run's answer to the same prompt under the same options."""
        for lender in self.lenders:
            entry = lender.state(prepared.key, epoch)
            record = lender.record(prepared.key, epoch) if entry is not None and entry.ok else None
            if record is not None:
                taken = {"sample_id": prepared.sample.id, "shared_from": lender.folder.name}
                self.responses_log.append(record | taken)
                self._answered(prepared, epoch, Response(str(record.get("text") or "")))
                self._count_done()
                return True
        return False

    def _replay(self, prepared: Prepared, epoch: int) -> None:
        """An answer that an earlier attempt wrote (the data changed, so the sample came by again)."""
        entry = self.files.ledger.state(prepared.key, epoch)
        if entry is not None and entry.ok:
            record = self.files.ledger.record(prepared.key, epoch) or {}
            self._answered(prepared, epoch, Response(str(record.get("text") or "")))
        elif entry is not None:
            self.progress.failures["earlier"] += 1
        self._count_done()

    async def _ask(self, prepared: Prepared, epoch: int) -> None:
        prompt = Prompt(
            prepared.sample.id,
            prepared.parts,
            prepared.system,
            prepared.sample.question,
            prepared.sample.choices,
            epoch,
        )
        self.progress.in_flight = self.gate.in_flight
        ok = False
        try:
            outcome = await self.retrier.ask(lambda: self.model.generate(prompt, self.generation))
            ok = isinstance(outcome, Response)
            self._write(prepared, epoch, outcome)
        finally:
            self.gate.leave(ok=ok)
            self.progress.in_flight = self.gate.in_flight

    def _write(self, prepared: Prepared, epoch: int, outcome: Outcome) -> None:
        record = outcome_record(outcome, key=prepared.key, epoch=epoch, sample_id=prepared.sample.id)
        self.responses_log.append(record)
        self.progress.n_asked_now += 1
        self._count_done()
        if isinstance(outcome, Failure):
            self._failed(outcome)
            return
        self._n_ok += 1
        self.budget.add(outcome.usage, outcome.text)
        self.progress.n_in, self.progress.n_out = self.budget.n_in, self.budget.n_out
        self._answered(prepared, epoch, outcome)

    def _answered(self, prepared: Prepared, epoch: int, response: Response) -> None:
        if self.live is not None:
            self.live.put(prepared.sample, response.text)
        if self.on_answer is not None:
            self.on_answer(prepared.sample, prepared.key, epoch, response)

    def _failed(self, failure: Failure) -> None:
        self.progress.failures[failure.kind] += 1
        if failure.stops_the_run:
            self._give_up(failure.message)
        elif failure.kind != "unsupported" and self._n_ok == 0 and not self.files.ledger.totals.n_answers:
            self._first_failures.append(failure)
            same = all(f.kind == failure.kind for f in self._first_failures)
            if same and len(self._first_failures) >= HOPELESS_AFTER:
                n_failed = len(self._first_failures)
                self._give_up(f"the first {n_failed} questions all failed alike, so the rest were not asked: "
                              f"{failure.message}")  # fmt: skip

    def _give_up(self, sentence: str) -> None:
        self.fatal = self.fatal or sentence
        self.stop(sentence)

    def _count_done(self) -> None:
        self.progress.n_done += 1

    async def _check_sight(self) -> None:
        async def ask(prompt: Prompt, options: GenerationOptions) -> Outcome:
            merged = GenerationOptions(options.max_tokens, self.generation.temperature, self.generation.params)
            return await self.retrier.ask(lambda: self.model.generate(prompt, merged))

        self.sight = await check_sight(ask)
        if self.sight.warning:
            self.progress.note = self.sight.warning
