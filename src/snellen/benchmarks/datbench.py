"""DatBench from local Parquet files in its public schema, streamed batch by batch.

References: Datology AI, DatBench: Discriminative, Faithful, and Efficient VLM Evaluations, 2026, arXiv 2601.02316;
data card DatologyAI/DatBench.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.benchmarks import CAPABILITIES, known_options
from snellen.benchmarks.fingerprints import file_sha256, fingerprint
from snellen.benchmarks.parquet import iter_rows, open_parquet
from snellen.errors import BenchmarkError, UsageError
from snellen.rows import REQUIRED, sample_from_row
from snellen.types import Benchmark, IndexRow, Sample

CITATION = "Datology AI, DatBench: Discriminative, Faithful, and Efficient VLM Evaluations, 2026, arXiv 2601.02316"
HUB = "DatologyAI/DatBench"
SHARD = re.compile(r"(\w+)-(\d{5})-of-(\d{5})\.parquet")
_INDEX_COLUMNS = ("id", "is_circular", "source_info")


@dataclass(frozen=True, slots=True)
class _Shard:
    """One Parquet file of one capability."""

    capability: str
    path: Path
    n_rows: int


class DatBench:
    """DatBench, one capability or all; see `snellen.types.Benchmark`."""

    def __init__(self, name: str, shards: tuple[_Shard, ...], notes: list[str]) -> None:
        self.name = name
        self.title = "DatBench" + (f", {name.partition('/')[2]}" if "/" in name else ", all capabilities")
        self.citation = CITATION
        self.fingerprint = fingerprint(f"{shard.capability} {file_sha256(shard.path)}" for shard in shards)
        self.facts: Mapping[str, Any] = {
            "rules": "datbench-1.0",
            "protocol": "datbench",
            "missing": "datbench",
            "max_tokens": 4096,
            "headline": "mean score over the samples with a response; an unjudged sample counts 0",
            "source": HUB,
            "files": [str(shard.path) for shard in shards],
            "notes": notes,
        }
        self._shards = shards

    def __len__(self) -> int:
        return sum(shard.n_rows for shard in self._shards)

    def index(self) -> Iterator[IndexRow]:
        """All samples in order; the image column is not touched."""
        start = 0
        for shard in self._shards:
            for at, row in iter_rows(shard.path, columns=_INDEX_COLUMNS, batch_size=4096):
                yield IndexRow(start + at, str(row["id"]), shard.capability, circular_group(row))
            start += shard.n_rows

    def references(self) -> Iterator[str]:
        """The canonical answers of all samples in order; the image column is not touched."""
        for shard in self._shards:
            for _, row in iter_rows(shard.path, columns=("answer",), batch_size=4096):
                if row["answer"] is not None:
                    yield str(row["answer"])

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions (all when None), a few rows in memory at a time."""
        start = 0
        for shard in self._shards:
            end = start + shard.n_rows
            wanted = None if positions is None else sorted({p - start for p in positions if start <= p < end})
            if wanted is None or wanted:
                yield from self._of_shard(shard, wanted)
            start = end

    def _of_shard(self, shard: _Shard, wanted: list[int] | None) -> Iterator[Sample]:
        for at, row in iter_rows(shard.path, positions=wanted):
            if row["question"] is None or row["id"] is None:
                column = "id" if row["id"] is None else "question"
                raise BenchmarkError(f"{shard.path}, row {at}: the column {column!r} is empty")
            yield sample_from_row(row, capability=shard.capability, group=circular_group(row))


def circular_group(row: Mapping[str, Any]) -> str:
    """Key shared by the rows of one circular item (same source data set and original index), "" for all others.

    >>> circular_group({"is_circular": True, "source_info": {"dataset": "mmbench", "original_idx": "7"}})
    'mmbench:7'
    >>> circular_group({"is_circular": False, "source_info": {"dataset": "mmbench", "original_idx": "7"}})
    ''
    """
    source = row.get("source_info")
    if not row.get("is_circular") or not isinstance(source, Mapping) or source.get("original_idx") is None:
        return ""
    return f"{source.get('dataset') or ''}:{source['original_idx']}"


def load(name: str, *, data: Any, options: Mapping[str, Any]) -> Benchmark:
    """Open "datbench" or "datbench/<capability>", or their "datbench-full" twins, from files or the hub.

    Args:
        name: "datbench" for every capability that is there, or one.
        data: folder with `<capability>/test-*.parquet` (the layout of the hub), the capability's own folder, or,
            for one capability, a single file or a `datasets` object; None loads from the hub.
        options: for the hub: load, max_scan, revision.

    Raises:
        UsageError: the path does not exist.
        BenchmarkError: no files, a shard is missing, or the schema is another.
    """
    if not isinstance(data, Path):
        from snellen.benchmarks.datbench_hub import load_from_hub

        return load_from_hub(name, data, options)
    known_options(name, options, ())
    if not data.exists():
        raise UsageError(f"--data {data} does not exist")
    wanted = CAPABILITIES if "/" not in name else (name.partition("/")[2],)
    found = {capability: _files_of(data, capability, alone=len(wanted) == 1) for capability in wanted}
    missing = [capability for capability, paths in found.items() if not paths]
    if len(missing) == len(wanted):
        raise BenchmarkError(
            f"no file {wanted[0]}/test-*.parquet under {data}; is it the folder that holds the capabilities?"
        )
    shards = tuple(_shard(capability, path) for capability, paths in found.items() for path in paths)
    notes = [f"not in {data}: {', '.join(missing)}"] if missing else []
    return DatBench(name, shards, notes)


def _files_of(data: Path, capability: str, *, alone: bool) -> list[Path]:
    if data.is_file():
        if not alone:
            raise UsageError(f"--data {data} is one file; name its capability: datbench/<capability>")
        return [data]
    folder = data / capability
    if not folder.is_dir() and alone:
        folder = data
    paths = sorted(folder.glob("test*.parquet")) or sorted(folder.glob("*.parquet"))
    _check_complete(paths)
    return paths


def _check_complete(paths: list[Path]) -> None:
    """A half-finished download must not pass for the benchmark."""
    named = [match for path in paths if (match := SHARD.fullmatch(path.name))]
    if not named:
        return
    n_shards = int(named[0][3])
    absent = sorted(set(range(n_shards)) - {int(match[2]) for match in named})
    if absent:
        raise BenchmarkError(
            f"{paths[0].parent} holds {len(named)} of {n_shards} files; missing is number {absent[0]:05d}"
            " (for a part of the benchmark give that file as --data)"
        )


def _shard(capability: str, path: Path) -> _Shard:
    file = open_parquet(path)
    columns = set(file.schema_arrow.names)
    absent = [column for column in REQUIRED if column not in columns]
    n_rows = file.metadata.num_rows
    file.close()
    if absent:
        raise BenchmarkError(f"{path} has no column {absent[0]!r}; it has {', '.join(sorted(columns))}")
    return _Shard(capability, path, n_rows)
