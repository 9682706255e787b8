"""`snellen run`: a benchmark, a model, and everything between them, resumable at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from snellen.config import RunOptions
from snellen.engine import ranks
from snellen.engine.attempt import attempt
from snellen.engine.examination import Examination
from snellen.engine.plan import Plan, make_plan
from snellen.engine.progress import Progress
from snellen.engine.rules import rulebook_of
from snellen.engine.run_files import RunFiles
from snellen.errors import ModelError
from snellen.finishing import finish_run, read_result
from snellen.reports.results import RunResult
from snellen.types import Benchmark

EXIT_BUDGET = 4
"""Exit code of a run that stopped at its own budget."""


def run(
    options: RunOptions,
    *,
    model: Any = None,
    benchmark: Benchmark | None = None,
    watch: Callable[[Progress], None] | None = None,
    share: Sequence[Path] = (),
) -> RunResult:
    """Examine a model on a benchmark; the same call again resumes.

    Args:
        options: what to run.
        model: a live model or callable, instead of the spec in the options.
        benchmark: an open benchmark, instead of the name in the options.
        watch: called a few times a second with the counters while the run goes on.
        share: run directories whose answers to the very same prompts are taken over instead of asked again.

    Returns:
        The finished run: numbers, tables, rows.

    Raises:
        UsageError: the options cannot be meant.
        BenchmarkError: the data cannot be read.
        ModelError: the model cannot be used at all (wrong key, no such model, server not there).
        StoreError: the run directory is locked, full or read-only.
    """
    plan = make_plan(options, model=model, benchmark=benchmark)
    rank = ranks.this_rank() if options.ranks else ranks.Rank()
    if not rank.leads:
        return _take_part(plan, rank)
    files = RunFiles.open(plan.folder, plan.spec, fresh=options.fresh)
    files.rank = rank
    try:
        plan.spec["judge"] = files.spec["judge"]
        plan.rulebook = rulebook_of(plan.spec)
        started = time.monotonic()
        exam = attempt(plan, files, watch, share)
        if model is not None and exam.n_known:
            plan.notes.append(
                f"{exam.n_known} samples keep the answers of an earlier run of a live model called "
                f"{plan.model.name!r}; if it has changed since, give it another name or ask for a fresh run"
            )
        facts = _facts(plan, files, exam, time.monotonic() - started)
        if exam.fatal and not files.ledger.totals.n_answers and not exam.n_answered:
            raise ModelError(exam.fatal)
        result = finish_run(
            plan.folder, plan.spec, benchmark=plan.benchmark, facts=facts, n_selected=len(plan.positions),
            rulebook=plan.rulebook,
        )  # fmt: skip
        ranks.report_finished(plan.folder, rank, result.facts)
        return result
    finally:
        files.close()


def _take_part(plan: Plan, rank: ranks.Rank) -> RunResult:
    """Ask this rank's share of a run that the first rank finishes; the result is that of the whole run."""
    files = RunFiles.join(plan.folder, plan.spec, rank)
    problem = "it was ended"
    try:
        exam = attempt(plan, files, None)
        problem = exam.fatal or (f"it stopped early ({exam.stopped})" if exam.stopped else "")
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise
    finally:
        ranks.report_done(plan.folder, rank, problem=problem)
        files.close()
    facts = ranks.wait_until_finished(plan.folder)
    return read_result(plan.folder, plan.spec, facts=facts, n_selected=len(plan.positions))


def _facts(plan: Plan, files: RunFiles, exam: Examination, wall_s: float) -> dict[str, Any]:
    notes = [*files.notes, *plan.notes, *files.damage()]
    if exam.stopped:
        notes.append(f"stopped early: {exam.stopped}")
    return {
        "notes": notes,
        "stopped": exam.stopped,
        "wall_s": round(wall_s, 3),
        "resumed": files.resumed,
        "cost": exam.budget.cost,
        "max_failed": plan.options.max_failed,
        "model": getattr(plan.model, "facts", None) or None,
    }


def exit_code(result: RunResult, *, max_failed: float) -> int:
    """0; 1 when too much is missing; 4 at the budget; 130 after Ctrl-C."""
    if result.stopped.startswith("interrupted") or result.stopped == "stopped":
        return 130
    if result.stopped.startswith(("the token budget", "the cost budget")):
        return EXIT_BUDGET
    overall = result.summary.overall
    n_missing = overall.n_asked - overall.n_scored
    return 1 if n_missing > max_failed * overall.n_asked or overall.n_scored == 0 else 0
