"""DatBench and DatBench-Full straight from the hub, or from a live `datasets` object; rows as in `datbench`.

References: data cards DatologyAI/DatBench and DatologyAI/DatBench-Full (nine configs, one split `test`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from snellen.benchmarks import CAPABILITIES, known_options
from snellen.benchmarks.datbench import CITATION, circular_group
from snellen.benchmarks.fingerprints import fingerprint
from snellen.benchmarks.hub import HubSet
from snellen.benchmarks.row_sources import RowSource
from snellen.benchmarks.tables import open_table
from snellen.errors import UsageError
from snellen.rows import sample_from_row
from snellen.types import IndexRow, Sample

REPOS = {"datbench": "DatologyAI/DatBench", "datbench-full": "DatologyAI/DatBench-Full"}
_STRIDE = 10_000_000
"""Positions of the k-th capability begin at k times this; none has as many rows."""
_INDEX_COLUMNS = ("id", "is_circular", "source_info")


class StreamedDatBench:
    """DatBench, one capability or all, read as it is asked; see `snellen.types.Benchmark`."""

    def __init__(self, name: str, parts: Mapping[str, RowSource], facts: Mapping[str, Any]) -> None:
        self.name = name
        repo, _, capability = name.partition("/")
        title = "DatBench-Full" if repo == "datbench-full" else "DatBench"
        self.title = title + (f", {capability}" if capability else ", all capabilities")
        self.citation = CITATION
        self.fingerprint = fingerprint(f"{capability} {rows.fingerprint}" for capability, rows in parts.items())
        self.facts = facts
        self._parts = parts

    def index(self) -> Iterator[IndexRow]:
        """All samples in order; the image column is not touched."""
        for k, (capability, rows) in enumerate(self._parts.items()):
            for at, row in rows.rows(columns=_INDEX_COLUMNS):
                yield IndexRow(k * _STRIDE + at, str(row["id"]), capability, circular_group(row))

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions (all when None), a few rows in memory at a time."""
        for k, (capability, rows) in enumerate(self._parts.items()):
            inside = None if positions is None else sorted(p - k * _STRIDE for p in positions if p // _STRIDE == k)
            if inside is None or inside:
                for _, row in rows.rows(inside):
                    yield sample_from_row(row, capability=capability, group=circular_group(row))


def load_from_hub(name: str, data: Any, options: Mapping[str, Any]) -> StreamedDatBench:
    """Open DatBench from the hub, or one capability from a live table.

    Args:
        name: "datbench" or "datbench-full", alone or with "/<capability>".
        data: None, or a `datasets` object (or other rows) of one capability.
        options: load, max_scan (rows of each capability), revision.

    Raises:
        UsageError: an unknown option, or rows without the name of their capability.
        BenchmarkError: the data cannot be had.
    """
    given = {key: value for key, value in options.items() if value is not None}
    known_options(name, given, ("load", "max_scan", "revision"))
    set_name, _, capability = name.partition("/")
    if data is not None and not capability:
        raise UsageError(f"name the capability of these rows: {name}/<capability>")
    parts: dict[str, RowSource] = {}
    facts: dict[str, dict[str, Any]] = {}
    for one in (capability,) if capability else CAPABILITIES:
        wanted = HubSet(REPOS[set_name], (f"{one}/test-*.parquet",), one, "test")
        parts[one], facts[one] = open_table(data, wanted, given)
    return StreamedDatBench(name, parts, _facts(facts))


def _facts(sources: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "rules": "datbench-1.0",
        "protocol": "datbench",
        "max_tokens": 4096,
        "headline": "mean score over the samples with a response; an unjudged sample counts 0",
        "sources": dict(sources),
        "notes": [note for facts in sources.values() for note in facts["notes"]],
    }
