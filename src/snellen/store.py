"""The run directory: append-only logs, a lock, atomic small files. The format is plain JSON lines and Parquet.

    run.json          the frozen spec (never a secret)
    samples.jsonl     one record a sample: everything a scorer, judge or viewer needs, images by hash
    responses*.jsonl  one record a call that ended; key = (prompt key, epoch)
    verdicts*.jsonl   one record a judge call that ended
    sessions.jsonl    one record at the start and the end of each attempt
    scores.parquet    one row a sample and epoch
    report.*          what people read

A record is written in one system call when it is made, so it survives kill -9; fsync is grouped (at most 0.5 s or
64 records behind), so that all but the last half second survives a power loss.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import orjson

from snellen.errors import StoreError
from snellen.redaction import redact_line

FORMAT_VERSION: Final = 1
SYNC_AFTER_S: Final = 0.5
SYNC_AFTER_RECORDS: Final = 64
_TEXTS: Final = (".json", ".md", ".html", ".csv", ".txt", ".toml")


class Log:
    """An append-only log of JSON records, one a line; a torn last line is cut before anything is appended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.n_bytes_cut = _cut_torn_tail(path)
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise store_error(path, error) from error
        self._size = os.fstat(self._fd).st_size
        self._write_lock = threading.Lock()
        self._n_unsynced = 0
        self._wake = threading.Event()
        self._closed = False
        self._syncer: threading.Thread | None = None

    def append(self, record: Mapping[str, Any]) -> int:
        """Write one record now; it survives the death of this process.

        Returns:
            The byte offset at which the record begins.

        Raises:
            StoreError: the disk is full or the file cannot be written; the log is left whole.
        """
        line = redact_line(encode(record) + b"\n")
        with self._write_lock:
            offset = self._size
            self._write_whole(line)
            self._size += len(line)
            self._n_unsynced += 1
            if self._syncer is None:
                self._syncer = threading.Thread(target=self._sync_loop, name=f"sync {self.path.name}", daemon=True)
                self._syncer.start()
            if self._n_unsynced >= SYNC_AFTER_RECORDS:
                self._wake.set()
        return offset

    def _write_whole(self, line: bytes) -> None:
        try:
            n_written = os.write(self._fd, line)
            while n_written < len(line):  # a short write: the disk is nearly full, or a signal came in between
                n_written += os.write(self._fd, line[n_written:])
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._fd, self._size)
            raise store_error(self.path, error) from error

    def _sync_loop(self) -> None:
        while not self._closed:
            self._wake.wait(SYNC_AFTER_S)
            self._wake.clear()
            if self._n_unsynced and not self._closed:
                self._n_unsynced = 0
                with suppress(OSError):  # a failing disk shows at the next write, with a sentence
                    os.fsync(self._fd)

    def close(self) -> None:
        """Sync and close; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._wake.set()
        if self._syncer is not None:
            self._syncer.join()
        with suppress(OSError):
            os.fsync(self._fd)
        os.close(self._fd)

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def encode(record: Mapping[str, Any]) -> bytes:
    """One record as strict JSON: NaN becomes null, lone surrogates become U+FFFD, numpy numbers become numbers."""
    try:
        return orjson.dumps(record, option=orjson.OPT_SERIALIZE_NUMPY, default=_plain)
    except TypeError:  # lone surrogates or keys that are no text: rare, so the slow road is fine
        return orjson.dumps(
            _clean(record), option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS, default=_plain
        )


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bytes):
        return {"n_bytes": len(value)}
    return str(value)


def _clean(value: Any) -> Any:
    """Replace lone surrogates, without recursion on depth beyond what the record holder built."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {(_clean(k) if isinstance(k, str) else k): _clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(v) for v in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return str(value)
    return value


class Record:
    """One line of a log: where it stands and what it holds (None = damaged)."""

    __slots__ = ("line", "offset", "value")

    def __init__(self, line: int, offset: int, value: dict[str, Any] | None) -> None:
        self.line, self.offset, self.value = line, offset, value


def read_log(path: Path) -> Iterator[Record]:
    """All lines of a log in order; a damaged one has the value None; a torn last line is left out."""
    if not path.exists():
        return
    offset = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n"):
                    if line.strip():
                        yield Record(number, offset, _parse(line))
                    offset += len(line)
    except OSError as error:
        raise store_error(path, error) from error


def read_at(file: Any, offset: int) -> dict[str, Any] | None:
    """The record at a byte offset of an open binary log."""
    file.seek(offset)
    return _parse(file.readline())


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _cut_torn_tail(path: Path) -> int:
    """Cut what follows the last newline; returns the number of bytes cut."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise store_error(path, error) from error
    if size == 0:
        return 0
    try:
        with path.open("r+b") as file:
            keep = _last_newline(file, size)
            if keep < size:
                file.truncate(keep)
            return size - keep
    except OSError as error:
        raise store_error(path, error) from error


def _last_newline(file: Any, size: int) -> int:
    end, block = size, 65536
    while end > 0:
        start = max(0, end - block)
        file.seek(start)
        at = file.read(end - start).rfind(b"\n")
        if at >= 0:
            return int(start + at + 1)
        end = start
    return 0


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a small file whole or not at all."""
    write_bytes(path, orjson.dumps(orjson.loads(encode(value)), option=orjson.OPT_INDENT_2) + b"\n")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: a reader sees the old one or the new one, never half of either.

    No registered secret gets into a text (a report).
    """
    if path.suffix in _TEXTS:
        data = redact_line(data)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise store_error(path, error) from error


def read_json(path: Path) -> dict[str, Any]:
    """Read a small JSON file of the run directory.

    Raises:
        StoreError: it is missing or damaged.
    """
    try:
        value = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        raise StoreError(f"{path} is missing: is {path.parent} a run directory?") from None
    except orjson.JSONDecodeError as error:
        raise StoreError(f"{path} is damaged ({error}); restore it or start the run afresh with --fresh") from error
    except OSError as error:
        raise store_error(path, error) from error
    if not isinstance(value, dict):
        raise StoreError(f"{path} holds a {type(value).__name__}, not an object")
    return value


_SPEC_KEYS: Final = ("identity", "benchmark", "model", "prompt", "images", "generation", "scorer")


def read_spec(folder: Path, *, whole: bool = False) -> dict[str, Any]:
    """The frozen spec of a run directory.

    Args:
        folder: a run directory.
        whole: whether it must hold all that asking and scoring need, not only what tables are made of.

    Raises:
        StoreError: it is missing, damaged, made by a newer version, or no longer holds what a run needs.
    """
    spec = read_json(folder / "run.json")
    version = spec.get("format_version", FORMAT_VERSION)
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise StoreError(
            f"{folder} has run format {version!r}; this snellen reads up to {FORMAT_VERSION}: use a newer snellen"
        )
    absent = [key for key in _SPEC_KEYS if not isinstance(spec.get(key), dict)]
    if absent and whole:
        raise StoreError(f"{folder / 'run.json'} was edited: it lacks {', '.join(absent)}; restore it")
    return spec


class Lock:
    """One writer a run: a file that names process and host; a lock left by a dead process is taken over."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lock"
        self.note = ""
        self._held = False

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            StoreError: another live process writes this run, or the folder cannot be written.
        """
        for _ in range(5):
            if self._create():
                self._held = True
                return
            self._take_over_if_dead()
        raise StoreError(f"{self.path} changes hands all the time; is another process starting this run?")

    def _create(self) -> bool:
        owner = orjson.dumps(_this_process())
        try:
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            return False
        except OSError as error:
            raise store_error(self.path, error) from error
        try:
            os.write(fd, owner)
        finally:
            os.close(fd)
        return True

    def _take_over_if_dead(self) -> None:
        with _alone_in(self.path.parent):
            owner = self._owner()
            if owner is None:
                return
            if _is_alive(owner):
                raise StoreError(
                    f"run {self.path.parent} is being written by process {owner.get('pid')} on {owner.get('host')}; "
                    f"wait for it, or delete {self.path} if that process is gone"
                )
            # Nobody else can have put a living lock here meanwhile: that takes this file to be gone first.
            try:
                self.path.unlink(missing_ok=True)
            except OSError as error:
                raise store_error(self.path, error) from error
            self.note = f"took over the lock of process {owner.get('pid')}, which is gone"

    def _owner(self) -> dict[str, Any] | None:
        try:
            value = orjson.loads(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except (orjson.JSONDecodeError, OSError):
            # Half written: its writer is starting this very moment, or died at it. Give it a moment, then decide.
            if _is_old(self.path):
                return {"pid": None, "host": None}
            time.sleep(0.1)
            return None
        return value if isinstance(value, dict) else {"pid": None, "host": None}

    def release(self) -> None:
        """Give the lock back; may be called twice."""
        if self._held:
            self._held = False
            self.path.unlink(missing_ok=True)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One process at a time judges and removes the lock of a dead one; else a late one would remove a living lock.

    Where a folder cannot be locked (Windows, some network disks), as good as it gets.
    """
    try:
        import fcntl

        fd = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def owner_of(folder: Path) -> dict[str, Any] | None:
    """The living process that holds the lock of a folder, None when there is none."""
    try:
        owner = orjson.loads((folder / "lock").read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return owner if isinstance(owner, dict) and _is_alive(owner) else None


def _is_old(path: Path) -> bool:
    with suppress(OSError):
        return time.time() - path.stat().st_mtime > 2.0
    return False


def _this_process() -> dict[str, Any]:
    import socket

    pid = os.getpid()
    return {"pid": pid, "host": socket.gethostname(), "started": _process_start(pid)}


def _process_start(pid: int) -> str | None:
    """Start time of a process in clock ticks since boot, where the system tells (so that a reused pid is noticed)."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return None


def _is_alive(owner: Mapping[str, Any]) -> bool:
    import socket

    pid = owner.get("pid")
    if not isinstance(pid, int):
        return False
    if owner.get("host") != socket.gethostname():
        return True  # cannot be told from here: never take over a run from another machine
    if pid == os.getpid():
        return owner.get("started") == _process_start(pid)
    if not _exists(pid):
        return False
    started = _process_start(pid)
    return started is None or owner.get("started") is None or started == owner.get("started")


def _exists(pid: int) -> bool:
    if os.name == "nt":  # there os.kill(pid, 0) would send a console event
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, pid)  # type: ignore[attr-defined]  # Windows only
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)  # type: ignore[attr-defined]  # Windows only
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def make_folder(path: Path) -> None:
    """Create a folder with its parents.

    Raises:
        StoreError: it cannot be created or written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(path, error) from error
    if not os.access(path, os.W_OK):
        raise StoreError(f"cannot write in {path}: the folder is read-only; choose another with --out")


def store_error(path: Path, error: OSError) -> StoreError:
    """An error of the disk as one sentence that says what to do."""
    if error.errno == errno.ENOSPC:
        return StoreError(f"no space left on the disk of {path}; free some and run the same command again to resume")
    if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        return StoreError(f"cannot write {path}: {error.strerror}; choose another folder with --out")
    return StoreError(f"cannot use {path}: {error.strerror or error}")
