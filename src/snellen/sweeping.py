"""`snellen sweep`: a grid of ordinary runs that differ in image size, prompt, crop or any other option.

Each cell is a run directory like any other. A prompt that is the same in several cells (a picture below all size
limits, a sample without a region) is asked once; the cells share its answer.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen import benchmarks, comparing, config, models, running
from snellen.config import RunOptions
from snellen.engine.plan import benchmark_options
from snellen.engine.progress import Progress
from snellen.engine.selection import select
from snellen.errors import UsageError
from snellen.reports.comparison import Comparison
from snellen.reports.comparison_text import bounds, fit, number, p_text, points
from snellen.reports.results import RunResult
from snellen.reports.tables import interval_text, percent
from snellen.types import GenerationOptions, Model, Prompt, Response

MAX_CELLS = 64
_VARIED = tuple(name for name in config.IDENTITY if name not in ("benchmark", "data", "columns", "shard"))
"""Options that make a run another run; the others would change nothing."""
_STAYS_OPEN = ("hf", "serve")


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination of values and its run."""

    values: Mapping[str, Any]
    """Axis → value."""
    result: RunResult
    """The finished run."""

    @property
    def label(self) -> str:
        """Values as text ("max_side=512 prompt=cot")."""
        return label_of(self.values)

    @property
    def n_shared(self) -> int:
        """Answers taken over from other cells."""
        return int(self.result.facts.get("n_shared") or 0)


@dataclass(frozen=True, slots=True)
class Sweep:
    """A finished grid."""

    cells: tuple[Cell, ...]
    """In the order of the axes; the first is the baseline."""
    comparison: Comparison | None
    """Paired differences to the first cell; None for a single one."""
    notes: tuple[str, ...] = ()
    """What is worth knowing."""

    def lines(self) -> list[str]:
        """The table for a terminal."""
        return _lines(self)

    def as_record(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "cells": [
                {
                    "values": dict(cell.values), "run": str(cell.result.folder), "score": cell.result.score,
                    "interval": list(cell.result.ci95), "n_scored": cell.result.summary.overall.n_scored,
                    "n_asked": cell.result.summary.overall.n_asked, "n_shared": cell.n_shared,
                    "tokens": cell.result.facts.get("tokens"), "cost": cell.result.facts.get("cost"),
                }
                for cell in self.cells
            ],
            "comparison": self.comparison.as_record() if self.comparison else None,
            "notes": list(self.notes),
        }  # fmt: skip


def sweep(
    options: RunOptions,
    axes: Mapping[str, Sequence[Any]],
    *,
    model: Any = None,
    watch: Callable[[Progress], None] | None = None,
    on_cell: Callable[[str], None] = lambda _label: None,
) -> Sweep:
    """Run every combination of some options; the same call again resumes.

    Args:
        options: what all cells share.
        axes: name of an option (max_side, prompt, crop, temperature, params.NAME, …) → its values; the first of each
            makes the baseline.
        model: a live model instead of the spec in the options.
        watch: called a few times a second while a cell runs.
        on_cell: called with the label of each cell when it begins.

    Raises:
        UsageError: no axis, an unknown one, or crop=region without any region in the benchmark.
        BenchmarkError, ModelError, StoreError: as `snellen.running.run`.
    """
    grid = grid_of(axes)
    planned = [(values, cell_options(options, values)) for values in grid]
    notes = _check_crop(options, axes)
    live = model if model is not None else _kept_open(options)
    cells: list[Cell] = []
    try:
        for values, own in planned:
            on_cell(label_of(values))
            share = [cell.result.folder for cell in cells]
            cells.append(Cell(values, running.run(own, model=live, watch=watch, share=share)))
            if cells[-1].result.stopped:
                notes.append(f"stopped in {cells[-1].label}: {cells[-1].result.stopped}; the same command goes on")
                break
    finally:
        if isinstance(live, KeptOpen):
            live.close()
    return Sweep(tuple(cells), _compared(cells, options.seed), tuple(notes))


def grid_of(axes: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations, the last axis changing fastest.

    Raises:
        UsageError: no axis, an empty one, a value given twice, or too many combinations.

    >>> grid_of({"max_side": [512, 1024], "prompt": ["direct", "cot"]})[1]
    {'max_side': 512, 'prompt': 'cot'}
    """
    if not axes:
        raise UsageError("a sweep needs something to vary: --max-side 512,1024 or --prompt direct,cot or --vary …")
    for name, values in axes.items():
        if not values or len({repr(value) for value in values}) < len(values):
            raise UsageError(f"--{name.replace('_', '-')}: values must be there and differ, got {list(values)}")
    if math.prod(map(len, axes.values())) > MAX_CELLS:
        raise UsageError(f"the grid has more than {MAX_CELLS} cells; vary less at a time")
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def cell_options(options: RunOptions, values: Mapping[str, Any]) -> RunOptions:
    """The options of one cell; its values become tags, so that reports name it.

    Raises:
        UsageError: there is no such option, or it cannot be varied.
    """
    for name, value in values.items():
        head, _, rest = name.partition(".")
        if name == "crop":
            options = replace(options, options={**options.options, "crop": value})
        elif rest and head in ("params", "options"):
            changed: dict[str, Any] = {head: {**getattr(options, head), rest: value}}
            options = replace(options, **changed)
        elif name in _VARIED:
            options = replace(options, **dict[str, Any]({name: value}))
        else:
            raise UsageError(f"a sweep cannot vary {name!r}{config.nearest(name, ['crop', *_VARIED])}")
    tags = {**options.tags, **{name: _said(value) for name, value in values.items()}}
    return config.check(replace(options, tags=tags))


def label_of(values: Mapping[str, Any]) -> str:
    """Values of a cell as text."""
    return " ".join(f"{name.rpartition('.')[2]}={_said(value)}" for name, value in values.items())


def _said(value: Any) -> str:
    return "full" if value is None else str(value)


def _check_crop(options: RunOptions, axes: Mapping[str, Sequence[Any]]) -> list[str]:
    """Refuse to crop where no sample has a region; say how many have one."""
    if "region" not in axes.get("crop", ()):
        return []
    from snellen.benchmarks.cropping import region_of

    bench = benchmarks.load(options.benchmark, data=options.data, options=benchmark_options(options))
    positions = select(
        bench.index(), limit=options.limit, per_category=options.per_category, seed=options.seed,
        shard=config.shard(options.shard),
    )  # fmt: skip
    n_with = sum(region_of(sample) is not None for sample in bench.samples(positions))
    if n_with == 0:
        raise UsageError(
            f"--crop region: none of the {len(positions)} samples of {bench.name} has a region in its metadata "
            "(bbox or region as x1, y1, x2, y2); leave --crop out"
        )
    if n_with < len(positions):
        return [f"crop: {n_with} of {len(positions)} samples have a region; the others are shown whole in all cells"]
    return []


class KeptOpen:
    """A local model that several runs use in turn: loaded once, closed at the end of the sweep."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name, self.takes_images = model.name, model.takes_images
        self.start_concurrency: int = getattr(model, "start_concurrency", 16)
        self._keep: Callable[[Path], None] | None = getattr(model, "use_folder", None)

    @property
    def base_url(self) -> str | None:
        """Of a served model."""
        return getattr(self._model, "base_url", None)

    @property
    def facts(self) -> dict[str, Any]:
        """What the report says about the model."""
        return dict(getattr(self._model, "facts", {}))

    def use_folder(self, folder: Path) -> None:
        """A served model keeps its log in the first cell."""
        keep, self._keep = self._keep, None
        if keep is not None:
            keep(folder)

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Ask the model."""
        return await self._model.generate(prompt, options)

    async def aclose(self) -> None:
        """Close what belongs to one run's event loop only."""
        rest = getattr(self._model, "rest", None)
        if rest is not None:
            await rest()

    def close(self) -> None:
        """Close the model itself."""
        asyncio.run(self._model.aclose())


def _kept_open(options: RunOptions) -> KeptOpen | None:
    kind = options.model.partition(":")[0]
    if kind not in _STAYS_OPEN:
        return None
    settings = {"timeout_s": options.timeout, "model_options": dict(options.model_options)}
    return KeptOpen(models.open_model(options.model, **settings))


def _compared(cells: Sequence[Cell], seed: int) -> Comparison | None:
    folders: list[Path] = [cell.result.folder for cell in cells]
    if len(set(folders)) < 2:
        return None
    return comparing.compare(folders, allow=("data", "prompts"), seed=seed).comparison


def _lines(done: Sweep) -> list[str]:
    width = max(len("baseline"), *(len(cell.label) for cell in done.cells))
    head = f"{'':<{width}} {'scored':>9} {'score':>6} {'95 % interval':>15} {'difference':>10} {'95 % interval':>15}"
    lines = [f"{head} {'p':>6} {'in':>7} {'out':>6} {'shared':>6}"]
    lines += [f"{fit(cell.label, width)} {_row(done, i)}" for i, cell in enumerate(done.cells)]
    lines.append(
        f"difference: to {done.cells[0].label}, paired by sample, in points; p corrected over the cells (Holm)"
    )
    lines.append("in, out: tokens a sample; shared: answers to equal prompts, asked once in another cell")
    if done.comparison is not None:
        lines.append(_tokens_line(done))
    return [*lines, *(f"note: {note}" for note in done.notes)]


def _row(done: Sweep, which: int) -> str:
    cell = done.cells[which]
    overall = cell.result.summary.overall
    scored = f"{overall.n_scored}/{overall.n_asked}"
    text = f"{scored:>9} {percent(cell.result.score):>6} {interval_text(overall):>15} "
    text += f"{'baseline':>10} {'':>15} {'':>6} " if which == 0 else _difference(done, which)
    run = done.comparison.runs[which] if done.comparison is not None else None
    tokens = (run.n_in_mean, run.n_out_mean) if run is not None else (math.nan, math.nan)
    return f"{text}{number(tokens[0]):>7} {number(tokens[1]):>6} {cell.n_shared:>6}"


def _difference(done: Sweep, which: int) -> str:
    if done.comparison is None:
        return f"{'–':>10} {'–':>15} {'–':>6} "
    row = done.comparison.overall
    found, p_value = row.differences[which - 1], row.p_holm[which - 1]
    return f"{points(found.difference):>10} {bounds(found.low, found.high):>15} {p_text(p_value):>6} "


def _tokens_line(done: Sweep) -> str:
    spent = [cell.result.facts.get("tokens") or {} for cell in done.cells]
    n_in = sum(int(one.get("input") or 0) for one in spent)
    n_out = sum(int(one.get("output") or 0) for one in spent)
    costs = [cell.result.facts.get("cost") for cell in done.cells]
    money = f", cost {sum(c or 0.0 for c in costs):.4g}" if any(cost is not None for cost in costs) else ""
    return f"spent: {n_in:,} tokens in, {n_out:,} out{money}"
