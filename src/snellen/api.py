"""What a notebook or a training loop calls: `snellen.run`, `snellen.load`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from snellen import benchmarks, config, running
from snellen.engine.progress import Progress
from snellen.errors import UsageError
from snellen.reports.results import RunResult
from snellen.types import Benchmark, Model, Prompt, Response


def load(name: str, *, data: str | PathLike[str] | None = None, **options: Any) -> Benchmark:
    """Open a benchmark.

    Args:
        name: as on the command line ("eyechart", "datbench/chart", "file:questions.jsonl").
        data: folder or file that holds its data.
        options: options of the benchmark itself (seed=1, columns={"question": "prompt"}, …).

    Returns:
        A benchmark: iterate `benchmark.samples()`; it can be handed to `snellen.run`.

    Raises:
        UsageError: no such benchmark.
        BenchmarkError: its data is missing or unreadable.

    >>> len(list(load("eyechart", per_level=1).index())) > 20
    True
    """
    return benchmarks.load(name, data=Path(data) if data is not None else None, options=options)


def run(
    benchmark: str | PathLike[str] | Benchmark,
    model: str | Model | Callable[..., str | Response] | Any,
    *,
    name: str | None = None,
    watch: Callable[[Progress], None] | None = None,
    config_file: str | PathLike[str] | None = None,
    **options: Any,
) -> RunResult:
    """Examine a model on a benchmark; the same call again resumes. Works inside a running event loop, too.

    Args:
        benchmark: a name, the path of a file of your own, or an open benchmark.
        model: a spec ("ocr", "openai:NAME"), a live Model, a (transformers model, processor) pair, or a callable that
            gets a `Prompt` and returns its answer.
        name: how a live model is called in the run and its reports.
        watch: called a few times a second with the counters while the run goes on.
        config_file: TOML file of options; those given here win.
        options: as on the command line, with underscores (limit=100, base_url="http://127.0.0.1:8000", …).

    Returns:
        Numbers, tables and rows of the run; shows itself as a table in a notebook.

    Raises:
        UsageError: an option is unknown (the nearest is named) or cannot be meant.
        BenchmarkError, ModelError, StoreError: as `snellen run`.
    """
    known = list(config.RunOptions.__dataclass_fields__)
    for key in options:
        if key not in known:
            raise UsageError(f"snellen.run has no option {key!r}{config.nearest(key, known)}")
    base: Mapping[str, Any] = config.from_toml(Path(config_file)) if config_file else {}
    chosen = {key: _plain(key, value) for key, value in options.items() if value is not None or key in _MAY_BE_NONE}
    benchmark = f"file:{fspath(benchmark)}" if isinstance(benchmark, PathLike) else benchmark
    chosen["benchmark"] = benchmark if isinstance(benchmark, str) else benchmark.name
    chosen["model"] = model if isinstance(model, str) else (name or _name_of(model))
    return running.run(
        config.merge(base, chosen),
        model=None if isinstance(model, str) else model,
        benchmark=None if isinstance(benchmark, str) else benchmark,
        watch=watch,
    )


_MAY_BE_NONE = ("temperature",)
"""Options to which None says something (leave it to the server); elsewhere it means: as usual."""


def _plain(key: str, value: Any) -> Any:
    if key in ("concurrency", "judge_concurrency"):
        return str(value)
    if key == "judge":
        return (value,) if isinstance(value, str) else tuple(value)
    value = fspath(value) if isinstance(value, PathLike) else value
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a number of numpy
        value = value.item()
    return config.checked(key, value, "snellen.run")


def _name_of(model: Any) -> str:
    if isinstance(model, tuple):  # a transformers model and its processor: named after its weights
        return "live"
    return str(getattr(model, "name", None) or getattr(model, "__name__", None) or type(model).__name__)


__all__ = ["Prompt", "load", "run"]
