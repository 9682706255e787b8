"""The BENCHMARKS table: a name on the command line → who loads it. Each loader is imported only when it is asked for.

To add a benchmark: write `load(name, *, data, options) -> Benchmark` in a module here and add one row.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from snellen.errors import UsageError, did_you_mean
from snellen.types import Benchmark

CAPABILITIES = ("chart", "counting", "document", "general", "grounding", "math", "scene", "spatial", "table")
"""DatBench's nine skill groups, in the order of its data card."""
_PARTS = tuple(f"/{capability}" for capability in CAPABILITIES)


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """One row of the BENCHMARKS table."""

    pattern: str
    """How its names are written: "eyechart", "datbench/<capability>", "file:<path>"."""
    names: tuple[str, ...]
    """All names it goes by; one that ends in ":" or "/" is a prefix."""
    loader: str
    """"module:function" with the signature of `load`."""
    title: str
    """One line for people."""
    citation: str = ""
    """Authors, title, year, identifier."""


BENCHMARKS: tuple[BenchmarkRow, ...] = (
    BenchmarkRow(
        pattern="eyechart, eyechart/<part>",
        names=("eyechart", "eyechart/"),
        loader="snellen.benchmarks.eyechart:load",
        title="Drawn here, nothing to download: nine skills, each on a ladder from easy to too fine to see",
    ),
    BenchmarkRow(
        pattern="datbench, datbench/<capability>, datbench-full, datbench-full/<capability>",
        names=tuple(f"{name}{part}" for name in ("datbench", "datbench-full") for part in ("", *_PARTS)),
        loader="snellen.benchmarks.datbench:load",
        title="DatBench: discriminative, faithful and efficient items from 35 vision-language data sets",
        citation="Datology AI, DatBench: Discriminative, Faithful, and Efficient VLM Evaluations, 2026, "
        "arXiv 2601.02316",
    ),
    BenchmarkRow(
        pattern="perceptionbench",
        names=("perceptionbench",),
        loader="snellen.benchmarks.perceptionbench:load",
        title="PerceptionBench: 3,000 questions on ten kinds of failing to see",
        citation="Moonshot AI, PerceptionBench, 2026, arXiv 2607.24957",
    ),
    BenchmarkRow(
        pattern="vilbench, vilbench/<source>",
        names=("vilbench", "vilbench/"),
        loader="snellen.benchmarks.vilbench:load",
        title="ViLBench's source sets: MAVIS-Geometry, A-OKVQA, GeoQA170K, CLEVR-Math, ScienceQA",
        citation="Tu et al., ViLBench: A Suite for Vision-Language Process Reward Modeling, EMNLP 2025, "
        "arXiv 2503.20271",
    ),
    BenchmarkRow(
        pattern="file:<path>",
        names=("file:",),
        loader="snellen.benchmarks.files:load",
        title="Your own questions in a .jsonl, .json, .csv, .tsv or .parquet file",
    ),
)


_OWN_FILES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")


def load(name: str, *, data: Any = None, options: Mapping[str, Any] | None = None) -> Benchmark:
    """Open a benchmark by name.

    Args:
        name: as on the command line ("eyechart", "datbench/chart", "file:questions.jsonl").
        data: folder or file that holds its data (or, where its schema is public, a `datasets` object or other rows);
            None for a benchmark that brings its own or lies on the hub.
        options: options of the benchmark itself (seed, columns, allow_urls, …); each loader takes what it knows.
            Every benchmark takes crop ("full", or "region" for pictures cut to the region in a sample's metadata).

    Raises:
        UsageError: no benchmark of that name (the nearest is named), or --data is missing.
        BenchmarkError: the data is missing or not what it should be.
    """
    if Path(name).suffix.lower() in _OWN_FILES and Path(name).is_file():
        name = f"file:{name}"  # a path works where a name does
    row = find(name)
    module, _, function = row.loader.partition(":")
    loader = getattr(importlib.import_module(module), function)
    where = Path(data) if isinstance(data, str | os.PathLike) else data
    own = dict(options or {})
    how = own.pop("crop", None)
    benchmark: Benchmark = loader(name, data=where, options=own)
    if how is None:
        return benchmark
    from snellen.benchmarks.cropping import wrap

    return wrap(benchmark, how)


def find(name: str) -> BenchmarkRow:
    """Row of the table that a name belongs to.

    Raises:
        UsageError: none does.

    >>> find("file:a.csv").pattern
    'file:<path>'
    """
    for row in BENCHMARKS:
        if any(name == known or (known.endswith((":", "/")) and name.startswith(known)) for known in row.names):
            return row
    raise UsageError(_unknown(name))


def known_options(name: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Refuse options that a benchmark does not take; the seed is handed to all and may be ignored.

    Raises:
        UsageError: with the nearest option.
    """
    for option in options:
        if option != "seed" and option not in known:
            near = get_close_matches(option, known, n=1)
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise UsageError(f"{name} has no option {option!r}; {f'did you mean {near[0]!r}?' if near else takes}")


def _unknown(name: str) -> str:
    if Path(name).suffix.lower() in _OWN_FILES:
        return f"there is no benchmark {name!r} and no such file"
    known = [one for row in BENCHMARKS for one in row.names]
    hint = did_you_mean(name.lower(), known, otherwise=f"there are {', '.join(row.pattern for row in BENCHMARKS)}")
    return f"there is no benchmark {name!r}; {hint}"
