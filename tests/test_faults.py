"""What real servers, disks and people do to a run, done for real against a misbehaving loopback server."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from snellen import api
from snellen.errors import ModelError, StoreError
from tests.conftest import snellen, write_questions
from tests.servers import FaultyServer

Questions = Callable[..., Path]
FAST = {"concurrency": 8, "sight_check": False, "timeout": 2.0, "retries": 2}


def run_faults(questions: Questions, tmp_path: Path, faults: list[str]):
    """One question a fault; returns the result and rows by fault."""
    file = questions([f"[q{i}] [fault:{fault}] How many?" for i, fault in enumerate(faults)])
    with FaultyServer() as server:
        result = api.run(
            f"file:{file}", model="openai:m", base_url=server.url, out=tmp_path / "runs", scorer="number", **FAST
        )
    return result, dict(zip(faults, result.rows(), strict=True)), server


GOOD = [
    "ok", "429-twice", "429-bare-once", "500-once", "parts", "no-usage", "think", "reasoning", "10mb", "surrogate"
]  # fmt: skip
BAD = {
    "500": "server", "502-html": "server", "reset": "connection", "hang": "timeout", "drip": "timeout",
    "half": "bad_reply", "empty-choices": "bad_reply", "400": "bad_request", "413": "too_large", "422": "bad_request",
}  # fmt: skip
FLAGGED = {
    "null": "empty", "missing-content": "empty", "length": "truncated", "filter": "filtered", "refusal": "refused"
}  # fmt: skip


def test_every_server_fault_ends_as_a_typed_state_or_flag(questions: Questions, tmp_path: Path) -> None:
    """Good answers score, failures are missing with their kind, odd answers carry a flag: no silent 0."""
    result, rows, _ = run_faults(questions, tmp_path, [*GOOD, *BAD, *FLAGGED])
    assert {fault: rows[fault]["value"] for fault in GOOD} == dict.fromkeys(GOOD, 1.0)
    assert {fault: (rows[fault]["state"], rows[fault]["error_kind"]) for fault in BAD} == {
        fault: ("error", kind) for fault, kind in BAD.items()
    }
    assert all(rows[fault]["value"] is None for fault in BAD)
    assert all(flag in rows[fault]["flags"] for fault, flag in FLAGGED.items())
    overall = result.summary.overall
    assert overall.n_asked == len(GOOD) + len(BAD) + len(FLAGGED)
    assert sum(overall.missing.values()) == len(BAD)
    assert overall.if_wrong == pytest.approx(len(GOOD) / overall.n_asked)


def test_thoughts_are_kept_apart_and_never_scored(questions: Questions, tmp_path: Path) -> None:
    """Reasoning in tags or in a field of its own stands in the record, not in the answer."""
    result, _, _ = run_faults(questions, tmp_path, ["think", "reasoning"])
    records = [json.loads(line) for line in (result.folder / "responses.jsonl").read_text().splitlines()]
    by_id = {record["sample_id"]: record for record in records}
    assert by_id["q0"]["reasoning"] == "maybe 4 or 5"
    assert by_id["q0"]["text"] == "Answer: 3"
    assert by_id["q1"]["reasoning"] == "I count"


def test_a_permanent_fault_is_not_asked_again_but_a_passing_one_is(questions: Questions, tmp_path: Path) -> None:
    """400 is asked once; a bare 500 a bounded number of times."""
    _, _, server = run_faults(questions, tmp_path, ["400", "500"])
    assert server.seen["0"] == 1
    assert server.seen["1"] == 3


def test_a_wrong_key_stops_the_run_at_once_with_one_sentence(questions: Questions, tmp_path: Path) -> None:
    """401 for one is 401 for all: one sentence, exit 1, and the key stands nowhere."""
    file = questions([f"[q{i}] [fault:401] How many?" for i in range(200)])
    key = "sk-test-0123456789abcdef"
    with FaultyServer() as server:
        done = snellen(
            "run", f"file:{file}", "--model", "openai:m", "--base-url", server.url, "--out", tmp_path / "runs",
            "--concurrency", "4", env={"OPENAI_API_KEY": key},
        )  # fmt: skip
        assert sum(server.seen.values()) < 20
    assert done.returncode == 1
    assert done.stderr.strip().count("\n") == 0
    assert "401" in done.stderr
    assert key not in done.stderr + done.stdout
    for path in (tmp_path / "runs").rglob("*"):
        assert path.is_dir() or key.encode() not in path.read_bytes(), path


def test_a_server_that_fails_everything_gives_no_score_and_a_failing_exit_code(
    questions: Questions, tmp_path: Path
) -> None:
    """500 to everything: no accuracy, the cause is named, not all are asked in vain."""
    file = questions([f"[q{i}] [fault:400] How many?" for i in range(60)])
    with FaultyServer() as server:
        done = snellen(
            "run", f"file:{file}", "--model", "openai:m", "--base-url", server.url, "--out", tmp_path / "runs",
            "--concurrency", "2", "--no-sight-check",
        )  # fmt: skip
        assert sum(server.seen.values()) < 60
    assert done.returncode == 1
    assert "image too small" in done.stderr
    assert "score" not in done.stdout


def test_a_server_that_is_not_there_is_named_quickly(questions: Questions, tmp_path: Path) -> None:
    """Connection refused: one sentence with the address."""
    file = questions(["How many?"] * 30)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9"):
        api.run(f"file:{file}", model="openai:m", base_url="http://127.0.0.1:9", out=tmp_path / "runs", retries=2)


def start(file: Path, url: str, out: Path, *more: str) -> subprocess.Popen[str]:
    """Start a run as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "snellen", "run", f"file:{file}", "--model", "openai:m", "--base-url", url, "--out",
         str(out), "--concurrency", "8", "--no-sight-check", "--scorer", "number", "--json", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def only_run(out: Path) -> Path:
    """The one run directory in a folder."""
    (folder,) = out.iterdir()
    return folder


def test_kill_9_at_random_points_then_resume_loses_nothing_and_asks_nothing_twice(tmp_path: Path) -> None:
    """After any number of kills the scores are those of an undisturbed run, byte for byte."""
    n = 120
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(n)])
    rng = random.Random(7)
    with FaultyServer(latency_s=0.02) as server:
        calm_process = start(file, server.url, tmp_path / "calm")
        calm_process.communicate(timeout=120)
        assert calm_process.returncode == 0
        server.seen.clear()
        server.answered.clear()
        for _ in range(4):
            n_target = sum(server.answered.values()) + rng.randrange(3, 25)
            process = start(file, server.url, tmp_path / "rough")
            while sum(server.answered.values()) < n_target and process.poll() is None:
                time.sleep(0.005)
            process.kill()
            process.communicate()
        written = {json.loads(line)["sample_id"] for line in lines_of(only_run(tmp_path / "rough"))}
        before = dict(server.seen)
        done = start(file, server.url, tmp_path / "rough")
        out, err = done.communicate(timeout=120)
        assert done.returncode == 0, err
        asked_again = {f"q{name}" for name, count in server.seen.items() if count > before.get(name, 0)}
        assert not asked_again & written
        assert sum(server.seen.values()) <= n + 4 * 8
    calm, rough = only_run(tmp_path / "calm"), only_run(tmp_path / "rough")
    assert (calm / "scores.parquet").read_bytes() == (rough / "scores.parquet").read_bytes()
    results = [json.loads((folder / "report.json").read_bytes())["results"] for folder in (calm, rough)]
    assert results[0] == results[1]
    assert json.loads(out)["n_scored"] == n


def lines_of(folder: Path) -> list[str]:
    """Whole lines of the response log."""
    text = (folder / "responses.jsonl").read_text()
    return text[: text.rfind("\n") + 1].splitlines()


def test_a_torn_last_line_is_cut_and_a_damaged_middle_line_costs_one_answer(tmp_path: Path) -> None:
    """Only the damaged answers are asked again, and the report says so."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(10)])
    with FaultyServer() as server:
        options = {"model": "openai:m", "base_url": server.url, "out": tmp_path / "runs", "scorer": "number", **FAST}
        api.run(f"file:{file}", **options)
        log = only_run(tmp_path / "runs") / "responses.jsonl"
        rows = log.read_bytes().splitlines(keepends=True)
        damaged = json.loads(rows[4])["sample_id"]
        torn = json.loads(rows[-1])["sample_id"]
        rows[4] = b'{"key": "oops\n'
        log.write_bytes(b"".join(rows[:-1]) + rows[-1][: len(rows[-1]) // 2])
        server.seen.clear()
        result = api.run(f"file:{file}", **options)
        assert {f"q{name}" for name in server.seen} == {damaged, torn}
    assert result.summary.overall.n_scored == 10
    assert any("line 5" in note for note in result.facts["notes"])


def test_an_edited_row_is_asked_again_with_a_note_and_a_deleted_row_leaves_the_score(tmp_path: Path) -> None:
    """The key holds all that the model is shown: an edited question is asked again, a deleted row is gone."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(6)])
    with FaultyServer() as server:
        options = {"model": "openai:m", "base_url": server.url, "out": tmp_path / "runs", "scorer": "number", **FAST}
        api.run(f"file:{file}", **options)
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        rows[2]["question"] = "[qnew] How many now?"
        rows[4]["answer"] = "4"
        del rows[0]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        server.seen.clear()
        result = api.run(f"file:{file}", **options)
        assert dict(server.seen) == {"new": 1}
    assert result.summary.overall.n_asked == 5
    assert {row["sample_id"]: row["value"] for row in result.rows()}["q4"] == 0.0
    assert any("data changed" in note for note in result.facts["notes"])


def test_an_image_file_changed_between_runs_is_noticed(tmp_path: Path) -> None:
    """The question file is the same, the picture is not: that sample is asked again."""
    from PIL import Image

    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(4)])
    with FaultyServer() as server:
        options = {"model": "openai:m", "base_url": server.url, "out": tmp_path / "runs", "scorer": "number", **FAST}
        api.run(f"file:{file}", **options)
        Image.new("RGB", (20, 20), "red").save(tmp_path / "data" / "images" / "1.png")
        server.seen.clear()
        api.run(f"file:{file}", **options)
        assert dict(server.seen) == {"1": 1}


def test_two_processes_on_one_run_do_not_write_together(tmp_path: Path) -> None:
    """The second is told who writes; the first goes on unharmed."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(30)])
    with FaultyServer(latency_s=1.5) as server:
        first = start(file, server.url, tmp_path / "runs")
        while not server.seen:
            time.sleep(0.01)
        second = start(file, server.url, tmp_path / "runs")
        _, complaint = second.communicate(timeout=60)
        out, _ = first.communicate(timeout=60)
    assert second.returncode == 1
    assert f"process {first.pid}" in complaint
    assert json.loads(out)["n_scored"] == 30


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
def test_ctrl_c_once_finishes_what_is_in_flight_and_twice_stops_now(tmp_path: Path) -> None:
    """Both exit with 130 and can be resumed."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(60)])
    with FaultyServer(latency_s=0.5) as server:
        once = start(file, server.url, tmp_path / "once")
        while sum(server.answered.values()) < 8:
            time.sleep(0.01)
        once.send_signal(signal.SIGINT)
        out, _ = once.communicate(timeout=60)
        assert once.returncode == 130
        assert json.loads(out)["n_scored"] == sum(server.answered.values()) < 60
        server.latency_s = 30
        twice = start(file, server.url, tmp_path / "twice")
        while sum(server.seen.values()) < sum(server.answered.values()) + 8:
            time.sleep(0.01)
        twice.send_signal(signal.SIGINT)
        time.sleep(0.2)
        twice.send_signal(signal.SIGINT)
        twice.communicate(timeout=20)
        assert twice.returncode in (1, 130)


def test_a_full_disk_stops_with_its_name_and_keeps_what_was_written(
    questions: Questions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No space left: one sentence with the path; the log stays whole and the resume works."""
    file = questions([f"[q{i}] How many?" for i in range(20)])
    real_write, n_written = os.write, 0

    def write(fd: int, data: bytes) -> int:
        nonlocal n_written
        if b'"finish_reason"' in data:
            n_written += 1
            if 8 <= n_written < 100:
                real_write(fd, data[:10])
                raise OSError(28, "No space left on device")
        return real_write(fd, data)

    with FaultyServer() as server:
        options = {"model": "openai:m", "base_url": server.url, "out": tmp_path / "runs", "scorer": "number", **FAST}
        monkeypatch.setattr(os, "write", write)
        with pytest.raises(StoreError, match="no space left"):
            api.run(f"file:{file}", **options)
        monkeypatch.undo()
        assert len(lines_of(only_run(tmp_path / "runs"))) == 7
        result = api.run(f"file:{file}", **options)
    assert result.summary.overall.n_scored == 20
    assert not any("damaged" in note for note in result.facts["notes"])


def test_the_token_budget_stops_the_run_with_a_code_of_its_own_and_it_can_go_on(tmp_path: Path) -> None:
    """Answers are kept, exit 4, the same command without the limit finishes."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(40)])
    with FaultyServer() as server:
        stopped = start(file, server.url, tmp_path / "runs", "--max-total-tokens", "200")
        out, _ = stopped.communicate(timeout=60)
        assert stopped.returncode == 4
        first = json.loads(out)
        assert 0 < first["n_scored"] < 40
        assert first["tokens"]["input"] + first["tokens"]["output"] <= 200 + 8 * 12
        done = start(file, server.url, tmp_path / "runs")
        out, _ = done.communicate(timeout=60)
        assert done.returncode == 0
        assert sum(server.seen.values()) == 40


def test_an_unreadable_image_is_missing_with_its_reason_and_the_run_goes_on(tmp_path: Path) -> None:
    """0 bytes, text, a torn PNG: each an `error` of its own sample; mended, it is asked."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(5)])
    folder = tmp_path / "data" / "images"
    good = (folder / "1.png").read_bytes()
    (folder / "0.png").write_bytes(b"")
    (folder / "1.png").write_bytes(good[: len(good) // 2])
    (folder / "2.png").write_text("<svg/>")
    with FaultyServer() as server:
        options = {"model": "openai:m", "base_url": server.url, "out": tmp_path / "runs", "scorer": "number", **FAST}
        result = api.run(f"file:{file}", **options)
        rows = {row["sample_id"]: row for row in result.rows()}
        assert result.summary.overall.n_scored == sum(server.seen.values())
        assert rows["q0"]["state"] == "error"
        assert "q0" in rows["q0"]["reason"]
        assert rows["q2"]["error_kind"] == "image"
        (folder / "0.png").write_bytes((folder / "3.png").read_bytes())
        assert {row["sample_id"]: row["state"] for row in api.run(f"file:{file}", **options).rows()}["q0"] == "scored"


def test_equal_prompts_are_asked_once_and_score_both_rows(tmp_path: Path) -> None:
    """The key is what is shown, not the row."""
    file = write_questions(tmp_path / "data", ["[q0] How many?"])
    row = json.loads(file.read_text())
    file.write_text("".join(json.dumps({**row, "id": f"r{i}"}) + "\n" for i in range(5)))
    with FaultyServer() as server:
        result = api.run(
            f"file:{file}", model="openai:m", base_url=server.url, out=tmp_path / "runs", scorer="number", **FAST
        )
        assert sum(server.seen.values()) == 1
    assert result.summary.overall.n_scored == 5
