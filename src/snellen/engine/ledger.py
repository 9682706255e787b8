"""What a run directory already holds: which questions are answered, where, and what they cost.

Only a digest, an offset and two flags a question stay in memory; texts stay on disk.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from snellen.store import Log, read_at, read_log


@dataclass(frozen=True, slots=True)
class Entry:
    """Where the record of one question stands."""

    file: int
    """Index into `Ledger.paths`."""
    offset: int
    """Byte offset of the line."""
    ok: bool
    """Answered, or failed."""
    retryable: bool
    """A failure that a later try may mend."""


@dataclass(slots=True)
class Totals:
    """Sums over all attempts of a run."""

    n_in: int = 0
    """Prompt tokens."""
    n_out: int = 0
    """Completion tokens."""
    n_calls: int = 0
    """Calls that ended, retries included."""
    n_answers: int = 0
    """Answers."""
    n_answers_without_usage: int = 0
    """Answers whose server stated no tokens."""
    n_shared: int = 0
    """Answers taken over from other runs, which cost nothing here."""


@dataclass(slots=True)
class Ledger:
    """All `responses*.jsonl` of a run."""

    folder: Path
    """The run directory."""
    paths: list[Path] = field(default_factory=list)
    """The logs read."""
    entries: dict[tuple[bytes, int], Entry] = field(default_factory=dict)
    """(prompt key, epoch) → record; an answer is never replaced by a failure."""
    damaged: list[str] = field(default_factory=list)
    """Lines that could not be read, named."""
    totals: Totals = field(default_factory=Totals)
    """Tokens and calls over all attempts."""
    latencies_s: array[float] = field(default_factory=lambda: array("d"))
    """Seconds of each answer."""
    failures: Counter[str] = field(default_factory=Counter)
    """Failures by kind among the records that count."""
    _open_files: dict[int, BinaryIO] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Ledger:
        """Read all logs of a run directory; linear in their size."""
        ledger = cls(folder)
        for path in sorted(folder.glob("responses*.jsonl")):
            ledger._load_file(path)
        return ledger

    def _load_file(self, path: Path) -> None:
        self.paths.append(path)
        for record in read_log(path):
            try:
                self.note(record.value or {}, file=len(self.paths) - 1, offset=record.offset)
            except (KeyError, TypeError, ValueError):  # no JSON, or JSON of something else: a flipped bit, an editor
                self.damaged.append(f"{path.name} line {record.line}")

    def open_log(self, worker: str = "") -> Log:
        """The log that this process appends to; a torn tail is cut first."""
        path = self.folder / (f"responses-{worker}.jsonl" if worker else "responses.jsonl")
        log = Log(path)
        if log.n_bytes_cut:
            self.damaged.append(f"{path.name} ended in half a record ({log.n_bytes_cut} bytes), which was cut off")
        if path not in self.paths:
            self.paths.append(path)
        return log

    def note(self, record: Mapping[str, Any], *, file: int, offset: int) -> None:
        """Count one record."""
        ok = record.get("status") == "ok"
        if "shared_from" in record:
            self.totals.n_shared += 1
            self.latencies_s.append(float(record.get("latency_s") or 0.0))
        else:
            self._sum(record, ok)
        place = (bytes.fromhex(record["key"]), int(record.get("epoch", 0)))
        before = self.entries.get(place)
        if before is not None and before.ok and not ok:
            return
        self.entries[place] = Entry(file, offset, ok, bool(record.get("retryable", False)))

    def _sum(self, record: Mapping[str, Any], ok: bool) -> None:
        n_calls = int(record.get("n_attempts") or 1)
        n_in, n_out = (int(record.get(name) or 0) for name in ("n_in", "n_out"))
        latency_s = float(record.get("latency_s") or 0.0)
        self.totals.n_calls += n_calls
        if not ok:
            self.failures[str(record.get("kind"))] += 1
            return
        self.totals.n_answers += 1
        self.latencies_s.append(latency_s)
        self.totals.n_in += n_in
        self.totals.n_out += n_out
        if record.get("n_in") is None and record.get("n_out") is None:
            self.totals.n_answers_without_usage += 1

    def state(self, key: str, epoch: int) -> Entry | None:
        """The entry of a question, None when it was never recorded."""
        return self.entries.get((bytes.fromhex(key), epoch))

    def needs_asking(self, key: str, epoch: int, *, retry_errors: bool) -> bool:
        """Whether the question is open: missing, failed in a way that may pass, or failed and asked for again."""
        entry = self.state(key, epoch)
        return entry is None or (not entry.ok and (entry.retryable or retry_errors))

    def record(self, key: str, epoch: int) -> dict[str, Any] | None:
        """The record of a question, read from disk."""
        entry = self.state(key, epoch)
        if entry is None:
            return None
        file = self._open_files.get(entry.file)
        if file is None:
            file = self._open_files[entry.file] = self.paths[entry.file].open("rb")
        return read_at(file, entry.offset)

    def close(self) -> None:
        """Close the files; may be called twice."""
        for file in self._open_files.values():
            file.close()
        self._open_files.clear()
