"""Several processes, one run: shares, the barrier without a process group, and what happens when one is gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from snellen.engine import ranks
from snellen.engine.ranks import Rank, this_rank
from snellen.errors import StoreError
from snellen.scores_file import read_scores
from snellen.store import Lock, Log, read_log

COMMAND = [sys.executable, "-m", "snellen", "run", "eyechart", "--model", "prior"]


def start(number: int, size: int, out: Path, *args: str) -> subprocess.Popen[str]:
    """One rank, as a launcher starts it."""
    env = {**os.environ, "RANK": str(number), "WORLD_SIZE": str(size)}
    return subprocess.Popen(
        [*COMMAND, "--out", str(out), *args], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_the_ranks_share_every_position_once() -> None:
    """Whatever their number."""
    shares = [Rank(number, 3).share(list(range(10))) for number in range(3)]
    assert sorted(position for share in shares for position in share) == list(range(10))


@pytest.mark.parametrize(
    "env", [{}, {"RANK": "2"}, {"RANK": "4", "WORLD_SIZE": "2"}, {"RANK": "x", "WORLD_SIZE": "2"}]
)
def test_without_a_launcher_a_process_is_alone(env: dict[str, str]) -> None:
    """Half a setting is none."""
    assert this_rank(env) == Rank(0, 1)


def test_two_processes_make_the_run_that_one_makes(tmp_path: Path) -> None:
    """The same scores; no question asked twice; only the first prints; a later run by one finds all answered."""
    processes = [start(number, 2, tmp_path / "two") for number in (1, 0)]
    outputs = [process.communicate(timeout=100) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert outputs[0][0] == ""
    assert "overall" in outputs[1][0]
    alone = subprocess.run(
        [*COMMAND, "--out", str(tmp_path / "one")], capture_output=True, text=True, timeout=100, check=True
    )
    assert "overall" in alone.stdout
    (two,), (one,) = list((tmp_path / "two").iterdir()), list((tmp_path / "one").iterdir())
    assert two.name == one.name
    columns = ["sample_id", "value", "state", "key"]
    assert read_scores(two / "scores.parquet", columns) == read_scores(one / "scores.parquet", columns)
    keys = [r.value["key"] for path in two.glob("responses-rank*.jsonl") for r in read_log(path) if r.value]
    assert len(keys) == len(set(keys)) == len(read_scores(one / "scores.parquet", ["key"]))
    assert not list(two.glob("ranks/*/samples.jsonl"))
    again = subprocess.run(
        [*COMMAND, "--out", str(tmp_path / "two"), "--json"], capture_output=True, text=True, timeout=100, check=True
    )
    assert json.loads(again.stdout)["n_scored"] == len(keys)
    assert (two / "responses.jsonl").stat().st_size == 0


def test_a_rank_that_dies_is_said_and_its_share_is_asked_at_the_next_run(tmp_path: Path) -> None:
    """The first rank finishes with what there is, exit code 1 for the missing half."""
    leader = start(0, 2, tmp_path)
    follower = start(1, 2, tmp_path, "--seed", "0")
    follower.communicate(timeout=100)
    leader.communicate(timeout=100)
    (folder,) = list(tmp_path.iterdir())
    (folder / "responses-rank1.jsonl").unlink()
    dead = folder / "ranks" / "1"
    problems = _problems_with_a_dead_rank(folder, dead)
    assert problems == ["rank 1: ended without a word; its open questions are asked when the run is resumed"]
    again = subprocess.run(
        [*COMMAND, "--out", str(tmp_path), "--json"], capture_output=True, text=True, timeout=100, check=True
    )
    assert json.loads(again.stdout)["n_scored"] == 110


def _problems_with_a_dead_rank(folder: Path, dead: Path) -> list[str]:
    """The first rank waits for one that started and is gone."""
    lock = Lock(folder)
    lock.acquire()
    ranks.announce(folder, Rank(0, 2))
    ranks.report_started(folder, Rank(1, 2))
    (dead / "lock").write_text(json.dumps({"pid": 2**22 + 1, "host": __import__("socket").gethostname()}))
    try:
        return ranks.wait_for_others(folder, Rank(0, 2))
    finally:
        lock.release()


def test_a_single_caller_under_a_launcher_can_say_so(tmp_path: Path) -> None:
    """It asks everything and waits for nobody."""
    alone = start(0, 8, tmp_path, "--no-ranks", "--json")
    output, _ = alone.communicate(timeout=60)
    assert json.loads(output)["n_scored"] == 110


def test_a_rank_that_never_begins_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says what may be meant."""
    monkeypatch.setattr(ranks, "START_S", 0.3)
    assert "--no-ranks" in ranks.wait_for_others(tmp_path, Rank(0, 2))[0]


def test_a_rank_of_another_launch_is_refused(tmp_path: Path) -> None:
    """What an earlier launch left is not taken for an open run."""
    with pytest.raises(StoreError, match="did not open"):
        ranks.wait_until_open(tmp_path, Rank(1, 2), wait_s=0.2)
    lock = Lock(tmp_path)
    lock.acquire()
    ranks.announce(tmp_path, Rank(0, 3))
    with pytest.raises(StoreError, match="3 processes"):
        ranks.wait_until_open(tmp_path, Rank(1, 2), wait_s=5)
    lock.release()
    with pytest.raises(StoreError, match="did not open"):
        ranks.wait_until_open(tmp_path, Rank(1, 3), wait_s=0.2)


def test_samples_of_a_killed_launch_are_folded_in_or_dropped(tmp_path: Path) -> None:
    """Only those of the same source and options."""
    for number, fingerprint in ((1, "same"), (2, "other")):
        own = tmp_path / "ranks" / str(number)
        own.mkdir(parents=True)
        with Log(own / "samples.jsonl") as log:
            log.append({"fingerprint": fingerprint})
            log.append({"key": "ab", "position": number})
    ranks.fold(tmp_path, "same")
    assert [r.value["position"] for r in read_log(tmp_path / "samples.jsonl") if r.value] == [1]
    assert not list(tmp_path.glob("ranks/*/samples.jsonl"))
