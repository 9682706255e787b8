"""`snellen score`: score a run again, without the model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import config
from snellen.engine.preparation import preparation_of
from snellen.engine.records import position_of
from snellen.engine.rules import check_scorer, rulebook_of
from snellen.engine.run_files import RunFiles, SampleIndex, n_selected_of, open_benchmark
from snellen.errors import UsageError
from snellen.finishing import finish_run
from snellen.reports.results import RunResult
from snellen.store import read_log, read_spec, write_json
from snellen.types import Benchmark
from snellen.version import __version__


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to be different in the new scores; None keeps what the run had."""

    rules: str | None = None
    """Headline rule set."""
    scorer: str | None = None
    """Scorer for all samples; "" goes back to each dataset's own."""
    coordinates: str | None = None
    """Coordinate convention of boxes and points."""
    numeric_tolerance: float | None = None
    """Relative tolerance of the number scorer."""
    missing: str | None = None
    """Headline convention for missing samples."""


def score(folder: Path, changes: Changes | None = None, *, tick: Callable[[int], None] | None = None) -> RunResult:
    """Score a run again and write its reports.

    References are read afresh from the benchmark where its source is still there, so that a mended reference counts;
    the answers are those that were given.

    Args:
        folder: a run directory.
        changes: what is to be different.
        tick: called now and then with the number of samples scored.

    Raises:
        StoreError: this is no run directory, or another process writes it.
        UsageError: no such scorer or convention.
    """
    changes = changes or Changes()
    spec = _changed(read_spec(folder, whole=True), changes)
    check_scorer(str(spec["scorer"].get("forced") or ""))
    files = RunFiles.open(folder, spec)
    try:
        benchmark, notes = open_benchmark(spec)
        n_selected = n_selected_of(folder)
        if benchmark is not None:
            notes += refresh_samples(folder, spec, benchmark)
        write_json(folder / "run.json", spec)
        return finish_run(
            folder,
            spec,
            benchmark=benchmark,
            facts={"notes": [*files.notes, *notes, *files.damage()], "stopped": "", "rescored": True},
            n_selected=n_selected,
            rulebook=rulebook_of(spec),
            tick=tick,
        )
    finally:
        files.close()


def _changed(spec: dict[str, Any], changes: Changes) -> dict[str, Any]:
    own = dict(spec.get("scorer", {}))
    if changes.scorer is not None:
        own["forced"] = changes.scorer
    if changes.coordinates is not None:
        own["coordinates"] = changes.coordinates
    if changes.numeric_tolerance is not None:
        own["numeric_tolerance"] = changes.numeric_tolerance
    spec = {**spec, "scorer": own}
    if changes.rules is not None:
        spec["rules"] = changes.rules
    if changes.missing is not None:
        if changes.missing not in ("own", "wrong", "left-out"):
            raise UsageError(f"--missing must be own, wrong or left-out, got {changes.missing!r}")
        facts = spec.get("benchmark", {}).get("facts", {})
        spec["convention"] = changes.missing if changes.missing != "own" else facts.get("missing", "left-out")
    return spec


def refresh_samples(folder: Path, spec: Mapping[str, Any], benchmark: Benchmark) -> list[str]:
    """Index the samples again when the source changed since the run; answers stay with their prompts."""
    fingerprint = config.digest([benchmark.fingerprint, spec["identity"], __version__])
    positions = _positions(folder)
    path, new = folder / "samples.jsonl", folder / "samples.new.jsonl"
    new.unlink(missing_ok=True)
    index = SampleIndex.load(path, fingerprint, own=new)
    if not index.ids:
        index.path = path
    missing = [position for position in positions if position not in index.keys]
    preparation = preparation_of(spec, benchmark)
    with index.open_log() as log:
        for position, sample in zip(missing, benchmark.samples(missing), strict=False):
            log.append(preparation.prepare(position, sample).record)
    if not index.ids:
        return []
    os.replace(new, path)  # only now: until all are read, the old index tells which samples the run has
    n_read = len(missing)
    return [f"the data changed since the run: {n_read} samples read again; answers to changed prompts left out"]


def _positions(folder: Path) -> list[int]:
    found = {position_of(record.value) for record in read_log(folder / "samples.jsonl")}
    return sorted(position for position in found if position is not None)
