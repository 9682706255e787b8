"""A user's own questions: `file:questions.jsonl`, also .json, .csv, .tsv and .parquet.

The file is read once when it is opened (every row is checked before any model is asked) and streamed again when it is
run. Ids that stand more than once are made unique by their row ("q7", "q7#12"); `snellen check` reports them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.benchmarks import known_options
from snellen.benchmarks.fields import Layout, to_sample
from snellen.benchmarks.fingerprints import file_sha256
from snellen.benchmarks.records import Record, read_records
from snellen.errors import BenchmarkError, UsageError
from snellen.types import ImagePart, IndexRow, Sample

_REFERENCE_CHARS = 64
"""An image cell up to this long that equals another row's id stands for that row's image (VLMEvalKit's form)."""


class FileBenchmark:
    """Questions from one file; see `snellen.types.Benchmark`."""

    def __init__(
        self, name: str, path: Path, layout: Layout, *, root: Path | None = None, skip_damaged: bool = False
    ) -> None:
        self.name = name
        self.root = (root or path.parent).absolute()
        """Folder that relative image paths start from and may not leave."""
        self.title = f"Questions of {path.name}"
        self.citation = ""
        self.duplicate_ids: list[tuple[str, str, str]] = []
        """(id, place of its first row, place of a later one)."""
        self._path, self._layout, self._skip = path, layout, skip_damaged
        self.damaged: list[str] = []
        """What was wrong with the rows left out (with `skip_damaged`)."""
        self._rows: list[IndexRow] = []
        self._borrowed: frozenset[str] = frozenset()
        self._scan()
        self.fingerprint = file_sha256(path)
        self.facts: Mapping[str, Any] = {"files": [str(path)], "notes": self._notes()}

    def __len__(self) -> int:
        return len(self._rows)

    def index(self) -> Iterator[IndexRow]:
        """All samples in order."""
        return iter(self._rows)

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions (all when None), one row in memory at a time."""
        wanted = None if positions is None else frozenset(positions)
        last = len(self._rows) if wanted is None else max(wanted, default=-1)
        lent: dict[str, Any] = {}
        for at, (_, sample) in enumerate(self._stream([])):
            if at > last:
                return
            sample = self._with_borrowed(sample, lent)
            if wanted is None or at in wanted:
                yield replace(sample, id=self._rows[at].id)

    def _stream(self, damaged: list[str]) -> Iterator[tuple[str, Sample]]:
        """(place, sample) of every sound row; damage is collected, or raised unless it may be skipped."""
        for number, record in enumerate(read_records(self._path), 1):
            sample, problem = self._read(record, f"row-{number}")
            if sample is not None:
                yield record.place, sample
            elif self._skip:
                damaged.append(problem)
            else:
                raise BenchmarkError(f"{self._path.name}, {problem}")

    def _read(self, record: Record, default_id: str) -> tuple[Sample | None, str]:
        if record.problem:
            return None, record.problem
        try:
            return to_sample(record, self._layout, default_id), ""
        except BenchmarkError as error:
            return None, str(error)

    def _scan(self) -> None:
        first: dict[str, str] = {}
        cells: set[str] = set()
        for at, (place, sample) in enumerate(self._stream(self.damaged)):
            unique = sample.id if sample.id not in first else f"{sample.id}#{at + 1}"
            if unique != sample.id:
                self.duplicate_ids.append((sample.id, first[sample.id], place))
            first.setdefault(unique, place)
            cells.update(_short_cell(part) for part in sample.parts if isinstance(part, ImagePart))
            self._rows.append(IndexRow(at, unique, sample.category or sample.capability, sample.group))
        if not self._rows:
            raise BenchmarkError(f"{self._path} holds no questions")
        self._borrowed = frozenset(cell for cell in cells if cell and cell in first)

    def _with_borrowed(self, sample: Sample, lent: dict[str, Any]) -> Sample:
        """Give a row that names another row's id in place of an image that row's image."""
        if not self._borrowed:
            return sample
        parts = tuple(_lend(part, lent, self._borrowed) for part in sample.parts)
        if sample.id in self._borrowed:
            lent.setdefault(sample.id, next((p for p in parts if isinstance(p, ImagePart)), None))
        return replace(sample, parts=parts)

    def _notes(self) -> list[str]:
        notes = [f"skipped, damaged: {what}" for what in self.damaged[:20]]
        if len(self.damaged) > 20:
            notes.append(f"and {len(self.damaged) - 20} more damaged rows")
        if self.duplicate_ids:
            one = self.duplicate_ids[0]
            where = f"{one[0]!r} on {one[1]} and {one[2]}"
            notes.append(f"{len(self.duplicate_ids)} rows repeat an id ({where}); they carry their row")
        return notes


def _short_cell(part: ImagePart) -> str:
    cell = part.source
    return cell if isinstance(cell, str) and len(cell) <= _REFERENCE_CHARS else ""


def _lend(part: Any, lent: Mapping[str, Any], borrowed: frozenset[str]) -> Any:
    cell = _short_cell(part) if isinstance(part, ImagePart) else ""
    return lent.get(cell) or part if cell in borrowed else part


def load(name: str, *, data: Path | None, options: Mapping[str, Any]) -> FileBenchmark:
    """Open "file:<path>".

    Args:
        name: the path stands behind "file:", relative to the working directory.
        data: folder that relative image paths start from; the file's own folder when None.
        options: `columns` (meaning → column name), `skip_damaged` (leave damaged rows out); `allow_urls` is for
            whoever reads the images.

    Raises:
        UsageError: no such kind of file, or an unknown meaning in `columns`.
        BenchmarkError: the file is missing, empty, or a row is damaged (its line and column are named).
    """
    path = Path(name.removeprefix("file:")).expanduser()
    if str(path) in ("", "."):
        raise UsageError("file: needs a path, such as file:questions.jsonl")
    known_options(name, options, ("columns", "allow_urls", "skip_damaged"))
    if data is not None and not data.is_dir():
        raise UsageError(f"--data {data} is no folder; for file: it is the folder that image paths start from")
    layout = Layout(dict(options.get("columns") or {}))
    return FileBenchmark(name, path, layout, root=data, skip_damaged=bool(options.get("skip_damaged")))
