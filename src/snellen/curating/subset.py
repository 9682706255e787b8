"""A chosen subset on disk: Parquet in DatBench's schema, weights, provenance, a dataset card."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.curation.reformat import datbench_row
from snellen.images import read_bytes
from snellen.types import Benchmark, ImagePart, Sample

_BATCH_ROWS = 32


@dataclass(frozen=True, slots=True)
class Entry:
    """What a kept item carries into the subset."""

    weight: float | None = None
    """Items of the full set it stands for; None where the method knows none."""
    stratum: int = 0
    """Stratum of the draw."""
    part: str = ""
    """"discriminating", "probability", "frontier"; "" for a filtered full set."""
    discrimination: float | None = None
    """Item–rest correlation over the calibrating models."""
    is_frontier: bool = False
    """No calibrating model solves it."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What happened to one item, by which pass, on what evidence."""

    item: str
    """Sample id (or the group of a circular item)."""
    kept: bool
    """Whether it is in the result."""
    by: str
    """Pass that decided: "blind", "labels", "redundancy", "select"."""
    evidence: str
    """One sentence with the numbers."""


def write_benchmark(folder: Path, benchmark: Benchmark, entries: Mapping[str, Entry]) -> dict[str, int]:
    """Write the named samples as `<capability>/test-00000-of-00001.parquet`, streamed in flat memory.

    Args:
        folder: target, made if need be.
        benchmark: where the samples come from.
        entries: sample id or circular group → its weight and statistics; all others are left out.

    Returns:
        Rows written per capability.
    """
    writers: dict[str, _Writer] = {}
    try:
        for sample in benchmark.samples():
            entry = entries.get(sample.id) or (entries.get(sample.group) if sample.group else None)
            if entry is not None:
                name = sample.capability or "items"
                if name not in writers:
                    writers[name] = _Writer(folder / name / "test-00000-of-00001.parquet")
                writers[name].add(_row(sample, entry))
    finally:
        for writer in writers.values():
            writer.close()
    return {name: writer.n_rows for name, writer in writers.items()}


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows that already are in DatBench's schema; returns how many."""
    writer = _Writer(path)
    try:
        for row in rows:
            writer.add(dict(row))
    finally:
        writer.close()
    return writer.n_rows


def _row(sample: Sample, entry: Entry) -> dict[str, Any]:
    row = datbench_row(sample, images_of(sample))
    row["eval_metrics"] = {"discrimination": entry.discrimination, "is_frontier": entry.is_frontier}
    return {**row, "weight": entry.weight, "stratum": entry.stratum, "part": entry.part}


def images_of(sample: Sample) -> list[dict[str, Any]]:
    """The sample's pictures, byte for byte as the benchmark holds them."""
    parts = [part for part in sample.parts if isinstance(part, ImagePart)]
    return [{"bytes": read_bytes(part.source), "path": _path(part.source)} for part in parts]


def _path(source: Any) -> str:
    if isinstance(source, Mapping):
        return str(source.get("path") or "")
    return Path(source).name if isinstance(source, str | Path) and len(str(source)) < 500 else ""


class _Writer:
    """Parquet in DatBench's column order, a few rows at a time; the image is a list where any item has several."""

    def __init__(self, path: Path) -> None:
        self.path, self.n_rows = path, 0
        self._rows: list[dict[str, Any]] = []
        self._file: Any = None
        path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        self.n_rows += 1
        if len(self._rows) >= _BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._rows:
            return
        if self._file is None:
            several = any(isinstance(row["image"], list) for row in self._rows)
            self._file = pq.ParquetWriter(self.path, _schema(pa, several=several), compression="zstd")
        schema = self._file.schema
        several = pa.types.is_list(schema.field("image").type)
        rows = [{**row, "image": _fitted(row["image"], several=several)} for row in self._rows]
        self._file.write_table(pa.Table.from_pylist(rows, schema=schema))
        self._rows = []

    def close(self) -> None:
        self._flush()
        if self._file is not None:
            self._file.close()


def _fitted(image: Any, *, several: bool) -> Any:
    if several:
        return image if isinstance(image, list) else [image]
    return image[0] if isinstance(image, list) and image else image or None


def _schema(pa: Any, *, several: bool) -> Any:
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    return pa.schema(
        [
            ("id", pa.string()),
            ("image", pa.list_(picture) if several else picture),
            ("question", pa.string()),
            ("prompt_format", pa.struct([("prefix", pa.string()), ("suffix", pa.string())])),
            ("answer", pa.string()),
            ("eval_mode", pa.string()),
            ("judge_prompt", pa.string()),
            ("is_circular", pa.bool_()),
            ("source_info", pa.struct([("dataset", pa.string()), ("original_idx", pa.string())])),
            ("eval_metrics", pa.struct([("discrimination", pa.float64()), ("is_frontier", pa.bool_())])),
            ("all_answers", pa.list_(pa.string())),
            ("metadata", pa.string()),
            ("weight", pa.float64()),
            ("stratum", pa.int64()),
            ("part", pa.string()),
        ]
    )


def write_table(path: Path, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file; what is not known stays an empty cell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def write_provenance(path: Path, fates: Sequence[Fate]) -> None:
    """`provenance.csv`: each item, whether it was kept, by which pass and on what evidence."""
    write_table(path, ("item", "kept", "by", "evidence"), ((f.item, int(f.kept), f.by, f.evidence) for f in fates))


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a dataset card says."""

    title: str
    """Name of the subset."""
    source: str
    """Benchmark it was taken from."""
    citation: str
    """Of the benchmark."""
    method: str
    """How it was made, one sentence."""
    command: str
    """Command line that made it."""
    counts: Mapping[str, tuple[int, int]]
    """Dataset → (items kept, items before)."""
    licences: Mapping[str, str]
    """Dataset or item source → licence, as far as the source states it."""
    notes: Sequence[str]
    """Warnings a user must know."""
    previous: Sequence[str] | None
    """Item names of the version before, None when there is none."""
    items: Sequence[str]
    """Item names now."""


def write_card(folder: Path, facts: CardFacts) -> None:
    """`README.md` of the subset, and `items.json` by which the next version is compared."""
    added, gone = _difference(facts)
    lines = [f"# {facts.title}", "", facts.method, "", f"Made by `{facts.command}`.", ""]
    lines += ["## Use", "", "```", f"snellen run datbench --data {folder} --model MODEL", "```", ""]
    lines += [
        "The column `weight` says how many items of the full set each item stands for; weighted means estimate the "
        "score on the full set. Unweighted means do not.",
        "",
        "## Sources",
        "",
        f"Taken from {facts.source}. {facts.citation}".rstrip(),
        "",
        "| dataset | items | of | licence |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {name or '(not named)'} | {kept} | {n} | {facts.licences.get(name, 'see the source')} |"
        for name, (kept, n) in facts.counts.items()
    ]
    lines += ["", "## Changes against the version before", ""]
    if facts.previous is None:
        lines.append("First version.")
    else:
        lines.append(f"{len(added)} items added, {len(gone)} removed, {len(facts.items) - len(added)} kept.")
        lines += [
            f"- added: {', '.join(added[:20])}" if added else "",
            f"- removed: {', '.join(gone[:20])}" if gone else "",
        ]
    if facts.notes:
        lines += ["", "## What to be careful about", "", *[f"- {note}" for note in facts.notes]]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
    (folder / "items.json").write_text(
        json.dumps({"items": list(facts.items), "added": added, "removed": gone}, ensure_ascii=True), encoding="utf-8"
    )


def _difference(facts: CardFacts) -> tuple[list[str], list[str]]:
    if facts.previous is None:
        return [], []
    now, before = set(facts.items), set(facts.previous)
    return [i for i in facts.items if i not in before], [i for i in facts.previous if i not in now]


def previous_items(folder: Path | None) -> list[str] | None:
    """Item names of an earlier version, from its `items.json`; None when there is none."""
    if folder is None or not (folder / "items.json").is_file():
        return None
    found = json.loads((folder / "items.json").read_text(encoding="utf-8"))
    return [str(name) for name in found.get("items", [])]


def licences_of(benchmark: Benchmark, data: Path | None) -> dict[str, str]:
    """Licences as the source states them: `SOURCES.jsonl` beside the data, or a `license` in the items' metadata."""
    found: dict[str, set[str]] = {}
    stated = dict(_stated(data))
    for sample in benchmark.samples():
        licence = sample.metadata.get("license") or stated.get(sample.id.split("_", 2)[-1]) or stated.get(sample.id)
        if licence:
            found.setdefault(sample.dataset, set()).add(str(licence))
    return {name: ", ".join(sorted(licences)) for name, licences in found.items()}


def _stated(data: Path | None) -> Iterator[tuple[str, str]]:
    path = None if data is None else (data if data.is_dir() else data.parent) / "SOURCES.jsonl"
    if path is None or not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line) if line.strip() else {}
        if record.get("id") and record.get("license"):
            yield str(record["id"]), str(record["license"])
