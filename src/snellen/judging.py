"""`snellen judge`: judge a finished run, without touching the model."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.engine.judge_check import check_judges
from snellen.engine.judge_panel import PanelOptions, open_judging, sweep
from snellen.engine.ledger import Ledger
from snellen.engine.rules import rulebook_of
from snellen.engine.run_files import RunFiles, n_selected_of, open_benchmark
from snellen.errors import UsageError
from snellen.finishing import finish_run
from snellen.reports.results import RunResult
from snellen.store import read_spec, write_json


def judge(folder: Path, options: PanelOptions) -> RunResult:
    """Let a panel judge every answer of a run that it has not judged yet, and score the run from the verdicts.

    Args:
        folder: a run directory.
        options: the panel; an empty protocol takes the run's own.

    Raises:
        UsageError: no judge, or no such protocol.
        StoreError: this is no run directory, or another process writes it.
    """
    if not options.models:
        raise UsageError("give at least one --judge SPEC")
    before = read_spec(folder)
    spec = dict(before)
    own = str((spec.get("benchmark") or {}).get("facts", {}).get("protocol") or "")
    options = replace(options, protocol=options.protocol or own or "one-token", judge_all=own != "datbench")
    spec["judge"] = options.as_record()
    files = RunFiles.open(folder, before)
    try:
        notes = asyncio.run(_judge(folder, spec, options))
        notes += [
            f"the judge {name} is the examined model itself: its verdicts are not independent"
            for name in options.models
            if name in (spec["model"]["spec"], spec["model"]["name"])
        ]
        benchmark, more = open_benchmark(spec)
        facts: dict[str, Any] = {"notes": [*files.notes, *notes, *more], "stopped": ""}
        return finish_run(
            folder,
            spec,
            benchmark=benchmark,
            facts=facts,
            n_selected=n_selected_of(folder),
            rulebook=rulebook_of(spec),
        )
    finally:
        files.close()


async def _judge(folder: Path, spec: dict[str, Any], options: PanelOptions) -> list[str]:
    judging = open_judging(folder, options)
    answers = Ledger.load(folder)
    try:
        await check_judges(judging, folder, self_test=options.self_test)
        write_json(folder / "run.json", spec)  # not before: a judge that cannot be used changes nothing
        sweep(judging, folder, answers, int(spec.get("epochs", 1)))
        await judging.drain()
    finally:
        answers.close()
        await judging.aclose()
    return judging.notes()
