"""The runs under a folder, each opened once and kept up to date; no lock is taken, nothing is written."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.engine.run_files import n_selected_of
from snellen.errors import StoreError
from snellen.store import read_at, read_json
from snellen.viewer.adjudications import FILE_NAME, Adjudication, adjudications
from snellen.viewer.filters import Filter, Found, facets, rows_of
from snellen.viewer.live import LiveScores
from snellen.viewer.logs import LogIndex, Place, answer_index, sample_index, verdict_index
from snellen.viewer.scores import details_at, load_table
from snellen.viewer.search import search

if TYPE_CHECKING:
    import pyarrow as pa

MAX_RUNS = 5000
_MAX_DEPTH = 3
_MAX_OPEN = 6
_KEPT_SEARCHES = 16


@dataclass(slots=True)
class RunView:
    """One run directory as the viewer sees it."""

    name: str
    """Its name in addresses: the path under the folder, "/" as "~"."""
    folder: Path
    """The run directory."""
    spec: dict[str, Any] = field(default_factory=dict)
    """Its spec."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    """Held while the view is brought up to date."""
    _samples: LogIndex | None = None
    _answers: LogIndex | None = None
    _verdicts: tuple[int, dict[tuple[str, int], list[Place]]] = (-1, {})
    _newer: tuple[Any, bool] = (None, False)
    _live: LiveScores | None = None
    _table: Any = None
    _table_stamp: Any = None
    _facets: tuple[Any, dict[str, dict[str, int]]] = (None, {})
    _searches: dict[Any, tuple[set[int], set[tuple[str, int]]]] = field(default_factory=dict)
    _people: tuple[int, dict[tuple[str, int], Adjudication]] = (-1, {})

    def is_live(self) -> bool:
        """Whether there are answers that `scores.parquet` does not know; times alone lie after a copy."""
        scores = self.folder / "scores.parquet"
        logs = [self.folder / "samples.jsonl", *sorted(self.folder.glob("responses*.jsonl"))]
        if all(_modified(path) <= _modified(scores) for path in logs):
            return not scores.exists()
        if not scores.exists():
            return True
        stamp = (_stamp(scores), *(_stamp(path) for path in logs))
        with self.lock:
            if self._newer[0] != stamp:
                self._newer = (stamp, self._has_news())
            return self._newer[1]

    def _has_news(self) -> bool:
        """Whether a sample or an answer of the logs is not in `scores.parquet`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        try:
            table = load_table(self.folder / "scores.parquet")
        except StoreError:
            return False
        samples, answers = self.samples(), self.answers()
        if len(samples.places) > pc.count_distinct(table["position"]).as_py():
            return True
        open_states = pa.array(["not_asked", "error"])
        is_open = pc.is_in(pc.cast(table["state"], pa.string()), value_set=open_states)
        rows = table.filter(is_open).select(["key", "epoch"]).to_pylist()
        return any((row["key"], row["epoch"]) in answers.answered for row in rows)

    def is_being_written(self) -> bool:
        """Whether a process holds the run's lock."""
        return (self.folder / "lock").exists()

    def table(self) -> pa.Table:
        """The score table as it stands now.

        Raises:
            StoreError: `scores.parquet` is damaged.
        """
        with self.lock:
            if self.is_live():
                if self._live is None:
                    self._live = LiveScores(self.folder, self.spec, self.samples(), self.answers())
                if self._live.refresh() or self._table_stamp != "live":
                    self._table, self._table_stamp = self._live.table(), "live"
                    self._facets = (None, {})
            else:
                self._live = None
                stamp = _stamp(self.folder / "scores.parquet")
                if stamp != self._table_stamp:
                    self._table, self._table_stamp = load_table(self.folder / "scores.parquet"), stamp
                    self._facets = (None, {})
            return self._table

    def rows(self, wanted: Filter) -> tuple[pa.Table, Any]:
        """The table and the row numbers in it that pass a filter, sorted."""
        with self.lock:
            table = self.table()
            positions, keys = self._search(wanted.q)
            words = {place: word.state for place, word in self.people().items()}
            return table, rows_of(table, wanted, Found(positions, keys, words))

    def facets(self) -> dict[str, dict[str, int]]:
        """What can be filtered by, in the table that was asked for last."""
        with self.lock:
            table = self.table() if self._table is None else self._table
            if self._facets[0] is not table:
                self._facets = (table, facets(table))
            return self._facets[1]

    def _search(self, text: str) -> tuple[set[int], set[tuple[str, int]]]:
        if not text.strip():
            return set(), set()
        logs = [self.folder / "samples.jsonl", *sorted(self.folder.glob("responses*.jsonl"))]
        stamp = (text.strip(), tuple(_stamp(path) for path in logs))
        if stamp not in self._searches:
            self._searches[stamp] = search(self.folder, text)
            while len(self._searches) > _KEPT_SEARCHES:
                self._searches.pop(next(iter(self._searches)))
        return self._searches[stamp]

    def samples(self) -> LogIndex:
        """Places of the samples; brought up to date unless the live scores do it."""
        with self.lock:
            if self._samples is None:
                self._samples = sample_index(self.folder)
            if self._live is None:
                self._samples.refresh()
            return self._samples

    def answers(self) -> LogIndex:
        """Places of the answers; brought up to date unless the live scores do it."""
        with self.lock:
            if self._answers is None:
                self._answers = answer_index(self.folder)
            if self._live is None:
                self._answers.refresh()
            return self._answers

    def verdicts(self, key: str, epoch: int) -> list[dict[str, Any]]:
        """All verdicts on an answer, oldest first."""
        with self.lock:
            n_bytes = sum(path.stat().st_size for path in self.folder.glob("verdicts*.jsonl"))
            if n_bytes != self._verdicts[0]:
                self._verdicts = (n_bytes, verdict_index(self.folder))
            places = self._verdicts[1].get((key, epoch), [])
        found = []
        for path, offset in places[-50:]:
            with suppress(OSError), path.open("rb") as file:
                record = read_at(file, offset)
                found += [record] if record else []
        return found

    def people(self) -> dict[tuple[str, int], Adjudication]:
        """What people decided: (prompt key, epoch) → the last word."""
        with self.lock:
            path = self.folder / FILE_NAME
            n_bytes = path.stat().st_size if path.exists() else 0
            if n_bytes != self._people[0]:
                self._people = (n_bytes, adjudications(self.folder))
            return self._people[1]

    def details(self, table: pa.Table, row: int) -> dict[str, Any]:
        """Everything about one row: its score, what was read, why."""
        shown: dict[str, Any] = table.slice(row, 1).to_pylist()[0]
        with self.lock:
            if self._live is not None:
                full = self._live.details(shown["position"], shown["epoch"])
                return {**shown, **full, "waiting": shown["state"] == "waiting"}
        return {**shown, **details_at(self.folder / "scores.parquet", row)}

    def report(self) -> dict[str, Any]:
        """`report.json`, {} where there is none."""
        with suppress(StoreError):
            return read_json(self.folder / "report.json")
        return {}

    def n_selected(self) -> int:
        """Samples that the last attempt was to ask."""
        with suppress(StoreError, KeyError, ValueError, TypeError):
            return n_selected_of(self.folder)
        return 0


class Library:
    """All runs under one folder, found by name only: no name from outside is ever made into a path."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._views: dict[str, RunView] = {}
        self._lock = threading.Lock()

    def names(self) -> dict[str, Path]:
        """Name → folder of all runs there are now, newest first."""
        found = list(_run_folders(self.root))[:MAX_RUNS]
        found.sort(key=lambda path: _modified(path / "run.json"), reverse=True)
        return {self._name(path): path for path in found}

    def _name(self, folder: Path) -> str:
        relative = folder.relative_to(self.root).as_posix()
        return (self.root.resolve().name or "run") if relative == "." else relative.replace("/", "~")

    def open(self, name: str) -> RunView | None:
        """The run of a name, None when there is none."""
        with self._lock:
            view = self._views.get(name)
            if view is None or not (view.folder / "run.json").exists():
                folder = self.names().get(name)
                if folder is None:
                    self._views.pop(name, None)
                    return None
                view = RunView(name, folder)
            self._views.pop(name, None)
            self._views[name] = view  # most recently used last
            while len(self._views) > _MAX_OPEN:
                self._views.pop(next(iter(self._views)))
        with suppress(StoreError):
            view.spec = read_json(view.folder / "run.json")
        return view


def _run_folders(root: Path, depth: int = 0) -> Iterator[Path]:
    if (root / "run.json").is_file():
        yield root
        return
    if depth >= _MAX_DEPTH:
        return
    with suppress(OSError):
        for path in sorted(root.iterdir()):
            if path.is_dir() and not path.is_symlink() and not path.name.startswith((".", "before-")):
                yield from _run_folders(path, depth + 1)


def model_of(spec: Mapping[str, Any]) -> str:
    """Name of the examined model."""
    return str(_part(spec, "model").get("name") or "?")


def benchmark_of(spec: Mapping[str, Any]) -> str:
    """Name of the benchmark."""
    return str(_part(spec, "benchmark").get("name") or "?")


def _part(spec: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = spec.get(name)
    return value if isinstance(value, Mapping) else {}


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _stamp(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_mtime_ns, stat.st_size)
