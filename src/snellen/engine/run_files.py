"""A run directory as one thing: opened, resumed, its sample index kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from snellen import benchmarks
from snellen.engine.ledger import Ledger
from snellen.engine.ranks import Rank, own_folder, report_started, wait_until_open
from snellen.engine.records import position_of
from snellen.errors import SnellenError, StoreError
from snellen.redaction import redact_line
from snellen.store import (
    FORMAT_VERSION,
    Lock,
    Log,
    encode,
    make_folder,
    read_json,
    read_log,
    read_spec,
    write_bytes,
    write_json,
)
from snellen.types import Benchmark


@dataclass(slots=True)
class SampleIndex:
    """What `samples.jsonl` tells: position → prompt key, so that a resume need not hash every image again."""

    path: Path
    """The file."""
    fingerprint: str = ""
    """Of the source and the options it was made from."""
    keys: dict[int, str] = field(default_factory=dict)
    """Position → prompt key, for samples whose images are unchanged."""
    ids: dict[str, str] = field(default_factory=dict)
    """Sample id → prompt key of an index made from other data, to tell what changed."""

    @classmethod
    def load(cls, path: Path, fingerprint: str, *, own: Path | None = None) -> SampleIndex:
        """Read the index; one made from other data is put aside and only compared with.

        Args:
            path: the run's index.
            fingerprint: of the source and the options.
            own: where this process writes, when another one owns the run's index.
        """
        index = cls(path, fingerprint)
        records = read_log(path)
        head = next(records, None)
        same = head is not None and head.value is not None and head.value.get("fingerprint") == fingerprint
        for record in records:
            position = position_of(record.value)
            if record.value is None or position is None:
                continue
            if not same:
                index.ids[str(record.value.get("id"))] = record.value["key"]
            elif _images_unchanged(record.value):
                index.keys[position] = record.value["key"]
        if own is not None:
            index.path = own
        elif not same and path.exists():
            path.unlink()
        return index

    def open_log(self) -> Log:
        """The log that new samples are appended to; its first line states what it was made from."""
        log = Log(self.path)
        if self.path.stat().st_size == 0:
            log.append({"fingerprint": self.fingerprint, "format_version": FORMAT_VERSION})
        return log


def _images_unchanged(record: Mapping[str, Any]) -> bool:
    if "error" in record:
        return False
    for image in record.get("images", ()):
        if "stat" in image:
            try:
                stat = os.stat(image["path"])
            except OSError:
                return False
            if [stat.st_size, stat.st_mtime_ns] != image["stat"]:
                return False
    return True


@dataclass(slots=True)
class RunFiles:
    """An open run directory with its lock held."""

    folder: Path
    """The run directory."""
    spec: dict[str, Any]
    """`run.json`."""
    lock: Lock
    """Held until closed."""
    ledger: Ledger
    """What is answered already."""
    resumed: bool
    """Whether there was a run before."""
    notes: list[str] = field(default_factory=list)
    """What was mended or taken over while opening."""
    rank: Rank = field(default_factory=Rank)
    """This process among those that make the run together."""

    @classmethod
    def open(cls, folder: Path, spec: Mapping[str, Any], *, fresh: bool = False) -> RunFiles:
        """Create or resume a run.

        Raises:
            StoreError: locked by a live process, damaged, full, read-only, or made by a newer version.
        """
        make_folder(folder)
        lock = Lock(folder)
        lock.acquire()
        try:
            _sweep_up(folder)
            if fresh:
                _move_aside(folder)
            resumed = (folder / "run.json").exists()
            notes = [lock.note] if lock.note else []
            frozen = _resume_spec(folder, spec) if resumed else dict(spec)
            if not resumed or frozen != read_json(folder / "run.json"):
                write_json(folder / "run.json", frozen)
            return cls(folder, frozen, lock, Ledger.load(folder), resumed, notes)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def join(cls, folder: Path, spec: Mapping[str, Any], rank: Rank) -> RunFiles:
        """Take part in a run that the first rank opens; waits for it.

        Raises:
            StoreError: it was not opened, holds another run, or this rank is running already.
        """
        wait_until_open(folder, rank)
        own = own_folder(folder, rank)
        make_folder(own)
        lock = Lock(own)
        lock.acquire()
        try:
            frozen = _resume_spec(folder, spec)
            report_started(folder, rank)
            return cls(folder, frozen, lock, Ledger.load(folder), True, [], rank)
        except BaseException:
            lock.release()
            raise

    @property
    def own(self) -> Path:
        """Folder of this process's own logs: the run directory, unless another process leads."""
        return own_folder(self.folder, self.rank)

    def damage(self) -> list[str]:
        """A sentence about the log lines that could not be read, if there are any."""
        lines = self.ledger.damaged
        more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
        return [f"damaged log lines, treated as missing: {', '.join(lines[:5])}{more}"] if lines else []

    def session(self, event: str, **facts: Any) -> None:
        """Note the start or the end of an attempt."""
        with Log(self.own / "sessions.jsonl") as log:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            log.append({"event": event, "at": at, "pid": os.getpid(), **facts})

    def keep_images(self, originals: Iterable[tuple[str, bytes]], mimes: Mapping[str, str]) -> None:
        """Store images once each, under their hash."""
        folder = self.folder / "images"
        for sha256, data in originals:
            path = folder / f"{sha256}.{_ending(data)}"
            if not path.exists():
                make_folder(folder)
                write_bytes(path, data)

    def close(self) -> None:
        """Give the lock back."""
        self.ledger.close()
        self.lock.release()


def _ending(data: bytes) -> str:
    known = {
        b"\xff\xd8": "jpg",
        b"\x89P": "png",
        b"RI": "webp",
        b"GI": "gif",
        b"BM": "bmp",
        b"II": "tif",
        b"MM": "tif",
    }
    return known.get(data[:2], "bin")


def _sweep_up(folder: Path) -> None:
    """Remove half-written files of processes that died; whoever writes here now holds the lock."""
    for path in folder.glob(".*.tmp"):
        with suppress(OSError):
            path.unlink()


def _move_aside(folder: Path) -> None:
    """Keep an earlier run's files beside, under the time they were moved; run.json goes last.

    So a run that dies in the middle of this begins with whatever was not moved yet, never with half of two runs.
    """
    old = [path for path in folder.iterdir() if path.name != "lock" and not path.name.startswith("before-")]
    if not old:
        return
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    aside = next(p for n in count() if not (p := folder / f"before-{stamp}{f'-{n}' if n else ''}").exists())
    make_folder(aside)
    for path in sorted(old, key=lambda path: (path.name == "run.json", not path.name.startswith("responses"))):
        path.rename(aside / path.name)


def _resume_spec(folder: Path, spec: Mapping[str, Any]) -> dict[str, Any]:
    frozen = read_spec(folder, whole=True)
    if frozen.get("identity") != _plain(spec.get("identity")):
        raise StoreError(f"{folder} holds another run (its options differ); choose another --out or give --fresh")
    taken = {k: spec[k] for k in ("rules", "scorer", "judge", "tags", "convention") if k in spec}
    if not (taken.get("judge") or {}).get("models"):
        taken.pop("judge", None)  # a run that was judged stays judged
    return {**frozen, **taken}


def _plain(value: Any) -> Any:
    """As it stands in a file: strict JSON without secrets."""
    import orjson

    return orjson.loads(redact_line(encode({"v": value})))["v"]


def open_benchmark(spec: Mapping[str, Any]) -> tuple[Benchmark | None, list[str]]:
    """The benchmark a run was made from, None (with a note) when its source is no longer there."""
    about = spec.get("benchmark", {})
    try:
        return benchmarks.load(str(about.get("name")), data=about.get("data"), options=about.get("options") or {}), []
    except SnellenError as error:
        return None, [f"the benchmark's source could not be opened, so the samples are those of the run ({error})"]


def n_selected_of(folder: Path) -> int:
    """Samples that the last attempt was to ask."""
    starts = [r.value for r in read_log(folder / "sessions.jsonl") if r.value and r.value.get("event") == "start"]
    return int(starts[-1]["n_selected"]) if starts else 0
