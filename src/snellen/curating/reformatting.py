"""`snellen curate reformat`: a benchmark with its choice items made free or circular, on disk."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.curating.subset import images_of, write_rows, write_table
from snellen.curation.reformat import CIRCULAR, FREE, KEEP, Reformat, datbench_row, decide, reformatted
from snellen.reports.blocks import Report, percent
from snellen.types import Benchmark, Sample


@dataclass(frozen=True, slots=True)
class ReformatResult:
    """What became of the items."""

    decisions: tuple[Reformat, ...]
    """One an item."""
    n_rows: int
    """Rows written (a circular item has one a rotation)."""

    def as_record(self) -> dict[str, Any]:
        """JSON-able summary."""
        return {
            "n": len(self.decisions),
            "n_rows": self.n_rows,
            "actions": dict(Counter(d.action for d in self.decisions)),
            "rules": dict(Counter(f"{d.action}: {d.rule}" for d in self.decisions)),
            "guessing_floor_before": floor(self.decisions, after=False),
            "guessing_floor_after": floor(self.decisions, after=True),
        }


def floor(decisions: tuple[Reformat, ...], *, after: bool) -> float:
    """Mean score of a guesser over the items: 1/N as choice, (1/N)^N circular, 0 free."""
    total = 0.0
    for d in decisions:
        if d.n_options >= 2:
            chance = 1 / d.n_options
            total += chance if not after or d.action == KEEP else chance**d.n_options if d.action == CIRCULAR else 0.0
    return total / len(decisions) if decisions else 0.0


def reformat(benchmark: Benchmark, folder: Path) -> ReformatResult:
    """Write the reformatted benchmark in DatBench's schema, one folder a capability.

    Args:
        benchmark: open benchmark.
        folder: target.
    """
    by_capability: dict[str, list[int]] = {}
    decisions: list[Reformat] = []
    for position, sample in enumerate(benchmark.samples()):
        by_capability.setdefault(sample.capability or "items", []).append(position)
        decisions.append(decide(sample))
    n_rows = 0
    for capability, positions in by_capability.items():
        rows = _rows(benchmark.samples(positions), [decisions[p] for p in positions])
        n_rows += write_rows(folder / capability / "test-00000-of-00001.parquet", rows)
    result = ReformatResult(tuple(decisions), n_rows)
    table = ((d.item, d.action, d.rule, d.n_options) for d in decisions)
    write_table(folder / "provenance.csv", ("item", "action", "rule", "n_options"), table)
    (folder / "reformat.json").write_text(json.dumps(result.as_record(), indent=1), encoding="utf-8")
    report_of(result).write(folder, "report")
    return result


def _rows(samples: Iterator[Sample], decisions: list[Reformat]) -> Iterator[dict[str, Any]]:
    for sample, decision in zip(samples, decisions, strict=True):
        yield from reformatted(sample, decision, datbench_row(sample, images_of(sample)))


def report_of(result: ReformatResult) -> Report:
    """The pass as a report."""
    report = Report("Reformatted choice items")
    counts = Counter(d.action for d in result.decisions)
    report.text(
        f"{counts[FREE]} items became free response (scored by a judge for meaning), {counts[CIRCULAR]} are asked "
        f"once per rotation and count only when right on all, {counts[KEEP]} stay as they were."
    )
    before, after = floor(result.decisions, after=False), floor(result.decisions, after=True)
    report.text(f"A guesser scores {percent(before)} before and {percent(after)} after.")
    rules = Counter((d.action, d.rule) for d in result.decisions)
    report.table(("action", "rule", "items"), [(a, r, n) for (a, r), n in rules.most_common()])
    return report
