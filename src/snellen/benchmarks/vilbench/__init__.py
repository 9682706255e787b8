"""ViLBench's five source data sets, from their public layouts, or ViLBench's own file where the user has it.

Results on the sources are on the source sets, not on ViLBench's own selection of 600 items, and say so.

References: Tu et al., ViLBench: A Suite for Vision-Language Process Reward Modeling, EMNLP 2025, arXiv 2503.20271.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from weakref import finalize

from snellen.benchmarks import known_options
from snellen.benchmarks.fingerprints import fingerprint
from snellen.benchmarks.hub import HubRows
from snellen.benchmarks.row_sources import Row, RowSource
from snellen.benchmarks.tables import open_table
from snellen.benchmarks.vilbench.sources import SOURCES, FindImage, Source, own_row
from snellen.errors import BenchmarkError, UsageError
from snellen.types import IndexRow, Sample

CITATION = "Tu et al., ViLBench: A Suite for Vision-Language Process Reward Modeling, EMNLP 2025, arXiv 2503.20271"
LABEL = "source sets, not ViLBench's own selection"
_STRIDE = 10_000_000
"""Positions of the k-th data set begin at k times this; none has as many rows."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One opened data set."""

    source: Source
    rows: RowSource
    find_image: FindImage
    pictured_only: bool
    """Whether rows without an image are left out (they are looked at one by one)."""


class ViLBench:
    """One or several data sets, one after the other; see `snellen.types.Benchmark`."""

    def __init__(self, name: str, parts: tuple[_Part, ...], facts: Mapping[str, Any]) -> None:
        self.name = name
        self.title = "ViLBench: " + ", ".join(part.source.title for part in parts)
        self.citation = CITATION
        self.fingerprint = fingerprint([part.rows.fingerprint for part in parts])
        self.facts = facts
        self._parts = parts

    def index(self) -> Iterator[IndexRow]:
        """All samples in order, without their images."""
        for k, part in enumerate(self._parts):
            column = part.source.id_column
            for at, row in part.rows.rows(columns=None if part.pictured_only else (column or "id",)):
                if not part.pictured_only or row.get("image") is not None:
                    yield IndexRow(k * _STRIDE + at, _id(part.source, row, at), part.source.name)

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions (all when None), a few rows in memory at a time."""
        for k, part in enumerate(self._parts):
            inside = None if positions is None else sorted(p - k * _STRIDE for p in positions if p // _STRIDE == k)
            if inside is None or inside:
                yield from _samples(part, inside)


def _samples(part: _Part, inside: list[int] | None) -> Iterator[Sample]:
    for at, row in part.rows.rows(inside):
        if part.pictured_only and row.get("image") is None:
            continue
        sample_id = _id(part.source, row, at)
        try:
            yield part.source.read(row, sample_id, part.find_image)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            problem = f"{type(error).__name__} {error}"
            raise BenchmarkError(f"{part.source.title}, row {at} has another layout than known: {problem}") from error


def _id(source: Source, row: Row, at: int) -> str:
    own = row.get(source.id_column) if source.id_column else None
    return f"{source.name}-{at if own is None else own}"


def load(name: str, *, data: Any = None, options: Mapping[str, Any] | None = None) -> ViLBench:
    """Open ViLBench's sources.

    Args:
        name: "vilbench" (all five, or ViLBench's own file) or "vilbench/<source>".
        data: None for the hub; for one source its file, folder or a live table; for "vilbench" a folder with a folder
            or file for each source, or ViLBench's own file (.json, .jsonl, .parquet).
        options: load, max_scan, revision (of a single source).

    Raises:
        UsageError: an unknown source or option.
        BenchmarkError: the data cannot be had.
    """
    given = {key: value for key, value in (options or {}).items() if value is not None}
    known_options(name, given, ("load", "max_scan", "revision"))
    _, _, wanted = name.partition("/")
    if wanted and wanted not in SOURCES:
        raise UsageError(f"there is no {name!r}; the sources are {', '.join(SOURCES)}")
    if not wanted and isinstance(data, str | Path) and Path(data).is_file():
        return _own_file(Path(data), given)
    chosen = [SOURCES[wanted]] if wanted else list(SOURCES.values())
    notes = [LABEL]
    where = {source.name: _where(data, source, alone=bool(wanted)) for source in chosen}
    present = [source for source in chosen if data is None or where[source.name] is not None]
    if not present:
        raise BenchmarkError(f"{data} holds none of the folders {', '.join(SOURCES)}")
    notes += [f"not in {data}: {source.name}" for source in chosen if source not in present]
    opened = [_open(source, where[source.name], given) for source in present]
    return ViLBench(name, tuple(part for part, _ in opened), _facts(notes, {p.source.name: f for p, f in opened}))


def _open(source: Source, data: Any, options: Mapping[str, Any]) -> tuple[_Part, dict[str, Any]]:
    rows, facts = open_table(_table_in(data, source), source.hub, options)
    part = _Part(source, rows, _image_finder(source, rows, data), data is not None and source.name == "scienceqa")
    return part, facts


def _where(data: Any, source: Source, *, alone: bool) -> Any:
    """What holds a source's rows: its place in a folder of all sources; asked for alone, else the data itself."""
    if data is None or not isinstance(data, str | Path):
        return data
    inside = _inside(Path(data), source)
    return data if inside is None and alone else inside


def _inside(folder: Path, source: Source) -> Path | None:
    """Folder or file of a source within the user's folder."""
    found = [folder / source.name, *sorted(folder.glob(f"{source.name}.*"))]
    return next((path for path in found if path.exists()), None)


def _table_in(data: Any, source: Source) -> Any:
    """In a folder that holds images too, the table is the source's own JSON."""
    if isinstance(data, str | Path) and Path(data).is_dir():
        tables = [path for pattern in source.hub.files for path in sorted(Path(data).glob(Path(pattern).name))]
        if len(tables) == 1:
            return tables[0]
    return data


def _image_finder(source: Source, rows: RowSource, data: Any) -> FindImage:
    """How images that rows name by a path are found: in the archive beside the table, or in its folder."""
    if isinstance(rows, HubRows) and source.archive:
        hub = rows
        return _Archive(lambda: hub.open_file(source.archive)).read
    if not isinstance(data, str | Path):
        return lambda path: path
    folder = Path(data) if Path(data).is_dir() else Path(data).parent
    archive = folder / source.archive
    if source.archive and archive.is_file():
        return _Archive(lambda: archive.open("rb")).read
    root = folder / "images" if (folder / "images").is_dir() else folder
    return _in_folder(root)


def _in_folder(root: Path) -> FindImage:
    """Images by their path under a folder, which no path can leave; a text too long for a path is base64."""
    top = root.absolute()
    return lambda path: path if len(path) > 1024 else top / os.path.normpath("/" + path).lstrip("/" + os.sep)


class _Archive:
    """Images in a zip archive, opened when the first is asked for; a remote one is read piece by piece."""

    def __init__(self, opener: Callable[[], BinaryIO]) -> None:
        self._opener = opener
        self._zip: zipfile.ZipFile | None = None
        self._names: dict[str, str] = {}

    def read(self, path: str) -> bytes:
        """Bytes of one image, by its path or the end of it."""
        if self._zip is None:
            raw: Any = self._opener()
            stream = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw)
            finalize(self, stream.close)
            self._zip = zipfile.ZipFile(stream)
            for name in self._zip.namelist():
                self._names.setdefault(name.removeprefix("images/"), name)
        inside = self._names.get(path.lstrip("./").removeprefix("images/"))
        if inside is None:
            raise BenchmarkError(f"the archive of images holds no {path!r}")
        return self._zip.read(inside)


def _own_file(path: Path, options: Mapping[str, Any]) -> ViLBench:
    source = Source("vilbench", f"own file {path.name}", SOURCES["a-okvqa"].hub, own_row, id_column="id")
    rows, facts = open_table(path, source.hub, options)
    part = _Part(source, rows, _in_folder(path.parent), pictured_only=False)
    return ViLBench("vilbench", (part,), _facts([], {"vilbench": facts}))


def _facts(notes: list[str], sources: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    for facts in sources.values():
        notes += facts["notes"]
    return {
        "rules": "fair",
        "protocol": "vilbench",
        "max_tokens": 4096,
        "headline": "mean over the items",
        "sources": dict(sources),
        "notes": notes,
    }
