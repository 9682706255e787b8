"""The run directory's logs, locks and small files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from snellen.errors import StoreError
from snellen.redaction import register_secret
from snellen.store import Lock, Log, encode, make_folder, read_at, read_json, read_log, write_bytes, write_json


def test_a_record_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    """Nothing waits in a buffer that a kill -9 would take along."""
    log = Log(tmp_path / "log.jsonl")
    offset = log.append({"a": 1})
    assert (tmp_path / "log.jsonl").read_bytes() == b'{"a":1}\n'
    assert (offset, log.append({"a": 2})) == (0, 8)
    log.close()
    log.close()


def test_offsets_lead_back_to_records(tmp_path: Path) -> None:
    """What append returned is where read_at finds the record."""
    with Log(tmp_path / "log.jsonl") as log:
        offsets = [log.append({"n": n, "text": "é" * n}) for n in range(5)]
    with (tmp_path / "log.jsonl").open("rb") as file:
        assert [(read_at(file, at) or {})["n"] for at in offsets] == list(range(5))


@pytest.mark.parametrize("tail", [b'{"half": ', b"x" * 200_000, b"\x00\xff"])
def test_a_torn_tail_is_cut_before_anything_is_appended(tmp_path: Path, tail: bytes) -> None:
    """The next record never gets glued to half a record."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"n":1}\n' + tail)
    with Log(path) as log:
        assert log.n_bytes_cut == len(tail)
        log.append({"n": 2})
    assert [record.value for record in read_log(path)] == [{"n": 1}, {"n": 2}]


def test_a_file_without_any_newline_is_all_tail(tmp_path: Path) -> None:
    """A crash in the very first record leaves an empty log."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"n":')
    Log(path).close()
    assert path.read_bytes() == b""


def test_a_damaged_middle_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    """One bad line costs one record."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"n":1}\n\x00garbage\n[1]\n{"n":2}\n')
    assert [(r.line, r.value) for r in read_log(path)] == [(1, {"n": 1}), (2, None), (3, None), (4, {"n": 2})]


def test_records_are_strict_json_whatever_they_hold() -> None:
    """NaN, sets, numpy numbers, lone surrogates, huge integers: valid JSON, never a pickle."""
    import numpy as np

    odd = {
        "nan": float("nan"),
        "inf": float("inf"),
        "set": {1},
        "np": np.float64(1.5),
        "half": "a\ud83d",
        "big": 2**70,
    }
    value = json.loads(encode(odd))
    assert value == {"nan": None, "inf": None, "set": [1], "np": 1.5, "half": "a?", "big": str(2**70)}


def test_a_registered_secret_never_reaches_a_file(tmp_path: Path) -> None:
    """In logs and small files alike."""
    register_secret("hunter2-very-secret")
    with Log(tmp_path / "log.jsonl") as log:
        log.append({"message": "key hunter2-very-secret was refused"})
    write_json(tmp_path / "run.json", {"url": "http://me:hunter2-very-secret@host"})
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"hunter2" not in written
    assert written.count(b"[redacted]") == 2


def test_a_small_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure on the way leaves the old file and no litter."""
    path = tmp_path / "a.json"
    write_bytes(path, b"old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(StoreError, match="no space left"):
        write_bytes(path, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert path.read_bytes() == b"old"


def test_a_lock_of_a_dead_process_is_taken_over_with_a_note(tmp_path: Path) -> None:
    """Resume does not depend on a clean end."""
    code = f"from snellen.store import Lock; from pathlib import Path; Lock(Path({str(tmp_path)!r})).acquire()"
    subprocess.run([sys.executable, "-c", code], check=True)
    lock = Lock(tmp_path)
    lock.acquire()
    assert "gone" in lock.note
    lock.release()
    assert not (tmp_path / "lock").exists()


def test_a_reused_pid_does_not_keep_a_dead_lock_alive(tmp_path: Path) -> None:
    """The owner is known by pid and start time."""
    import socket

    owner = {"pid": os.getpid(), "host": socket.gethostname(), "started": "1"}
    (tmp_path / "lock").write_bytes(orjson.dumps(owner))
    Lock(tmp_path).acquire()


def test_a_lock_of_another_host_is_never_taken_over(tmp_path: Path) -> None:
    """Whether that process lives cannot be told from here."""
    (tmp_path / "lock").write_bytes(orjson.dumps({"pid": 1, "host": "elsewhere"}))
    with pytest.raises(StoreError, match="elsewhere"):
        Lock(tmp_path).acquire()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    """A file where a folder should be."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot use"):
        make_folder(tmp_path / "file" / "runs")


def test_a_damaged_or_missing_run_json_says_what_to_do(tmp_path: Path) -> None:
    """One sentence each."""
    with pytest.raises(StoreError, match="is missing"):
        read_json(tmp_path / "run.json")
    (tmp_path / "run.json").write_bytes(b"{")
    with pytest.raises(StoreError, match="damaged"):
        read_json(tmp_path / "run.json")
