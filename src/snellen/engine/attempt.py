"""One attempt at a run: the event loop, the threads, Ctrl-C, and what is noted about the attempt."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from snellen import config
from snellen.config import RunOptions
from snellen.engine import ranks
from snellen.engine.examination import Examination
from snellen.engine.judge_check import check_judges
from snellen.engine.judge_panel import open_judging, sweep
from snellen.engine.judging import Judging
from snellen.engine.ledger import Ledger, Totals
from snellen.engine.limits import Budget, Gate, Retrier
from snellen.engine.plan import Plan, panel_options, prices_of, server_of
from snellen.engine.preparation import Feed
from snellen.engine.progress import LiveScores, Progress
from snellen.engine.run_files import RunFiles, SampleIndex
from snellen.errors import SnellenError
from snellen.store import read_log
from snellen.types import Sample, ScoringContext
from snellen.version import __version__


def attempt(
    plan: Plan, files: RunFiles, watch: Callable[[Progress], None] | None, share: Sequence[Path] = ()
) -> Examination:
    """Ask everything that is open in a run; also inside a running event loop (a notebook).

    Args:
        plan: the run.
        files: its open directory.
        watch: called a few times a second with the counters; None for a quiet run.
        share: run directories whose answers to the same prompts are taken over.
    """
    coroutine = _examine_async(plan, files, watch, [Ledger.load(folder) for folder in share])
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    # Inside a notebook: its loop goes on, ours has a thread of its own.
    return _in_thread(coroutine)


def _in_thread(coroutine: Any) -> Examination:
    box: dict[str, Any] = {}
    done = threading.Event()

    def work() -> None:
        try:
            box["value"] = asyncio.run(coroutine)
        except BaseException as error:
            box["error"] = error
        finally:
            done.set()

    thread = threading.Thread(target=work, name="snellen-run", daemon=True)
    thread.start()
    while not done.is_set():
        try:
            done.wait()  # not thread.join(): interrupted, that takes a living thread for a dead one
        except KeyboardInterrupt:  # the notebook's stop button: as Ctrl-C, once to finish, twice to stop now
            _interrupt(thread, done)
    thread.join()
    if "error" in box:
        raise box["error"]
    value: Examination = box["value"]
    return value


def _interrupt(thread: threading.Thread, done: threading.Event) -> None:
    handler = None
    while not done.is_set() and handler is None:  # the run is still being opened
        handler = _RUNNING.get(thread.ident)
        time.sleep(0 if handler else 0.02)
    if handler is not None:
        handler()


_RUNNING: dict[int | None, Callable[[], object]] = {}
"""Thread of a run inside somebody else's loop → how it is interrupted."""


async def _examine_async(
    plan: Plan, files: RunFiles, watch: Callable[[Progress], None] | None, lenders: Sequence[Ledger]
) -> Examination:
    options = plan.options
    fingerprint = config.digest([plan.benchmark.fingerprint, plan.spec["identity"], __version__])
    index = _index(files, fingerprint)
    positions = files.rank.share(plan.positions)
    todo = _todo(plan, positions, files, index)
    samples_log, responses_log = index.open_log(), files.ledger.open_log(files.rank.worker)
    if files.rank.leads:
        ranks.announce(files.folder, files.rank)
    totals = files.ledger.totals
    progress = Progress(n_total=len(positions) * options.epochs, n_in=totals.n_in, n_out=totals.n_out)
    progress.n_done = (len(positions) - len(todo)) * options.epochs
    limit = config.concurrency(options.concurrency)
    gate = Gate(limit, start=getattr(plan.model, "start_concurrency", 16))
    exam = Examination(
        files=files, model=plan.model, generation=plan.generation, gate=gate,
        retrier=Retrier(options.retries, on_throttle=gate.throttled),
        budget=_budget(options, plan, totals, files.rank.size), progress=progress,
        samples_log=samples_log, responses_log=responses_log, epochs=options.epochs,
        retry_errors=_asks_errors_again(plan, files), live=_live(plan, progress) if watch is not None else None,
        n_known=len(positions) - len(todo), lenders=lenders,
    )  # fmt: skip
    judges = options.judge and files.rank.leads  # the first rank judges for all, at the end what the others asked
    judging = open_judging(files.folder, panel_options(options, plan.benchmark.facts)) if judges else None
    if judging is not None:
        _warn_of_self_judging(plan)
        exam.on_answer = lambda sample, key, epoch, answer: judging.put(sample, key, epoch, answer.text)
    files.session("start", n_selected=len(plan.positions), n_open=len(todo), concurrency=options.concurrency)
    _warn_of_changes(plan, index)
    watcher = asyncio.create_task(_watch(watch, progress)) if watch is not None else None
    if hasattr(plan.model, "use_folder"):  # a model with a server keeps its log in the run
        plan.model.use_folder(files.folder)
    started = time.monotonic()
    try:
        with _interrupts(exam, judging):
            if judging is not None:
                await check_judges(judging, files.folder, self_test=options.judge_self_test)
            feed = _feed(plan, todo, limit)
            await exam.run(feed, check_eyes=_wants_sight_check(plan, files) and bool(todo))
            if files.rank.size > 1 and files.rank.leads:
                await _gather_ranks(plan, files, fingerprint, exam)
            if judging is not None:
                await _judge_the_rest(judging, plan, files, exam)
    finally:
        if watcher is not None:
            watcher.cancel()
        if exam.live is not None:
            exam.live.close()
        for lender in lenders:
            lender.close()
        samples_log.close()
        responses_log.close()
        with suppress(SnellenError):
            files.session(
                "end", stopped=exam.stopped, n_asked=progress.n_asked_now, max_in_flight=gate.max_in_flight,
                active_s=round(time.monotonic() - started, 3),
                **({"sight": exam.sight.as_record()} if exam.sight else {}),
            )  # fmt: skip
        if judging is not None:
            await judging.aclose()
        await _close_model(plan)
    if watch is not None:
        watch(progress)
    return exam


async def _close_model(plan: Plan) -> None:
    """Answers that are written down are not lost to a model that cannot be closed."""
    try:
        await plan.model.aclose()
    except Exception as error:
        plan.notes.append(f"closing the model failed: {type(error).__name__}: {str(error)[:200]}")


async def _judge_the_rest(judging: Judging, plan: Plan, files: RunFiles, exam: Examination) -> None:
    """Answers of earlier attempts that nobody judged, then wait for all verdicts."""
    if not exam.stopped:
        answers = Ledger.load(files.folder)
        sweep(judging, files.folder, answers, plan.options.epochs)
        answers.close()
    await judging.drain()
    plan.notes.extend(judging.notes())


def _warn_of_self_judging(plan: Plan) -> None:
    for name in plan.options.judge:
        if name in (plan.options.model, plan.model.name):
            plan.notes.append(f"the judge {name} is the examined model itself: its verdicts are not independent")


def _index(files: RunFiles, fingerprint: str) -> SampleIndex:
    """The run's sample index, with what other ranks of an earlier attempt added to it."""
    path = files.folder / "samples.jsonl"
    if not files.rank.leads:
        return SampleIndex.load(path, fingerprint, own=files.own / "samples.jsonl")
    index = SampleIndex.load(path, fingerprint)
    if any((files.folder / "ranks").glob("*/samples.jsonl")):
        index.open_log().close()
        ranks.fold(files.folder, fingerprint)
        index = SampleIndex.load(path, fingerprint)
    return index


async def _gather_ranks(plan: Plan, files: RunFiles, fingerprint: str, exam: Examination) -> None:
    """Wait for the other ranks and take their samples into the run's index."""
    problems = await asyncio.to_thread(ranks.wait_for_others, files.folder, files.rank)
    ranks.fold(files.folder, fingerprint)
    plan.notes.extend(problems)
    if problems and not exam.stopped:
        exam.stopped = problems[0]


def _todo(plan: Plan, positions: list[int], files: RunFiles, index: SampleIndex) -> list[int]:
    """Positions that must be read: not indexed yet, or with an open question."""
    again = _asks_errors_again(plan, files)
    return [
        position
        for position in positions
        if position not in index.keys
        or any(
            files.ledger.needs_asking(index.keys[position], epoch, retry_errors=again)
            for epoch in range(plan.options.epochs)
        )
    ]


def _asks_errors_again(plan: Plan, files: RunFiles) -> bool:
    """Where nothing was ever answered, what failed was the set-up; it is mended before the same command is given."""
    return plan.options.retry_errors or not files.ledger.totals.n_answers


def _warn_of_changes(plan: Plan, index: SampleIndex) -> None:
    if index.ids:
        plan.notes.append(
            f"the data changed since the last attempt: its {len(index.ids)} samples were read again; "
            "only those whose prompt changed are asked again"
        )


def _feed(plan: Plan, todo: list[int], limit: int | None) -> Feed:
    samples: Iterator[tuple[int, Sample]] = zip(todo, plan.benchmark.samples(todo), strict=False)
    n_ahead = min(16, max(4, (limit or 16) // 4))
    return Feed(samples, plan.preparation.prepare, n_threads=min(4, os.cpu_count() or 1), n_ahead=n_ahead)


def _budget(options: RunOptions, plan: Plan, totals: Totals, n_ranks: int) -> Budget:
    """The run's budget; of what is left of it, each rank has its share."""
    budget = Budget(options.max_total_tokens, options.max_cost, prices_of(options, plan.model.name))
    budget.n_in, budget.n_out, budget.n_calls = totals.n_in, totals.n_out, totals.n_answers
    if n_ranks > 1 and budget.max_tokens is not None:
        used = totals.n_in + totals.n_out
        budget.max_tokens = used + max(0, budget.max_tokens - used) // n_ranks
    if n_ranks > 1 and budget.max_cost is not None and budget.cost is not None:
        budget.max_cost = budget.cost + max(0.0, budget.max_cost - budget.cost) / n_ranks
    return budget


def _live(plan: Plan, progress: Progress) -> LiveScores:
    context = ScoringContext(plan.options.coordinates, (), plan.options.numeric_tolerance)

    def score(sample: Sample, text: str) -> float | None:
        return None if sample.mode == "judge" else plan.rulebook.score(sample, text, context).headline.value

    return LiveScores(score, progress)


def _wants_sight_check(plan: Plan, files: RunFiles) -> bool:
    if not plan.options.sight_check or plan.options.blind or server_of(plan.model) is None or not files.rank.leads:
        return False
    return not any(r.value and r.value.get("sight") for r in read_log(files.folder / "sessions.jsonl"))


async def _watch(watch: Callable[[Progress], None], progress: Progress) -> None:
    while True:
        watch(progress)
        await asyncio.sleep(0.2)


class _interrupts:
    """Ctrl-C once finishes what is in flight; twice stops now."""

    def __init__(self, exam: Examination, judging: Judging | None) -> None:
        self._exam = exam
        self._judging = judging
        self._n = 0
        self._before: Any = None

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self._interrupted))
        else:
            _RUNNING[threading.get_ident()] = lambda: loop.call_soon_threadsafe(self._interrupted)

    def _interrupted(self) -> None:
        self._n += 1
        if self._judging is not None:
            self._judging.stop("interrupted")
        if self._n == 1:
            note = "interrupted: finishing what is in flight (Ctrl-C again stops now)"
            self._exam.stop("interrupted; the same command goes on from here", note=note)
        else:
            self._exam.abort()

    def __exit__(self, *_: object) -> None:
        _RUNNING.pop(threading.get_ident(), None)
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
