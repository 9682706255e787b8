"""Faults seen in the field that concern a run: own data, locks, resuming, merging, what the terminal says."""

from __future__ import annotations

import json
import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from snellen import api, merging, scoring
from snellen.engine.progress import Progress
from snellen.errors import BenchmarkError, StoreError, UsageError
from tests.conftest import snellen, write_questions

Questions = Callable[..., Path]


def answer(prompt: object) -> str:
    """A model that always says 3."""
    return "Answer: 3"


def write_rows(path: Path, rows: list[dict[str, object]]) -> Path:
    """JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_row_without_an_answer_is_unscored_with_its_reason(tmp_path: Path) -> None:
    """Not a crash at the end of the run, not a 0: missing, and the note says why."""
    rows = [{"id": "a", "question": "1?", "answer": "3"}, {"id": "b", "question": "2?", "answer": None},
            {"id": "c", "question": "4?"}, {"id": "d", "question": "5?", "answer": ""}]  # fmt: skip
    file = write_rows(tmp_path / "q.jsonl", rows)
    result = api.run(f"file:{file}", model=answer, out=tmp_path / "runs")
    assert [row["state"] for row in result.rows()] == ["scored", "unscored", "unscored", "unscored"]
    assert result.score == 1.0
    assert any("unscored (3), such as: the sample has no reference" in note for note in result.facts["notes"])


def test_an_own_scorer_is_found_as_module_and_as_file(tmp_path: Path) -> None:
    """python:module:function from the working directory, python:file.py:function; a missing one is one sentence."""
    write_rows(tmp_path / "q.jsonl", [{"question": "1?", "answer": "x"}])
    (tmp_path / "my_rule.py").write_text("def mine(sample, text):\n    return 0.25\n")
    for spec in ("python:my_rule:mine", "python:my_rule.py:mine"):
        done = snellen("run", "file:q.jsonl", "-m", "prior", "--scorer", spec, "--json", "--fresh", cwd=tmp_path)
        assert json.loads(done.stdout)["score"] == 0.25, done.stderr
    done = snellen("run", "file:q.jsonl", "-m", "prior", "--scorer", "python:my_rule:nope", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.strip().endswith("module 'my_rule' has no attribute 'nope'")


def test_many_processes_that_find_a_dead_lock_do_not_all_take_it(tmp_path: Path) -> None:
    """The late one must not remove the lock that a quick one has just made."""
    code = (
        "import sys, time; from pathlib import Path; from snellen.store import Lock; from snellen.errors import *\n"
        "lock = Lock(Path(sys.argv[1])); time.sleep(max(0, float(sys.argv[2]) - time.time()))\n"
        "try: lock.acquire()\n"
        "except StoreError: sys.exit(3)\n"
        "time.sleep(1.0); lock.release()"
    )
    dead = {"pid": 2**22 + 7, "host": socket.gethostname(), "started": "1"}
    (tmp_path / "lock").write_text(json.dumps(dead))
    start = str(time.time() + 1.5)
    crowd = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), start]) for _ in range(5)]
    assert sorted(process.wait(30) for process in crowd) == [0, 3, 3, 3, 3]
    assert not (tmp_path / "lock").exists()


def test_half_written_files_of_a_killed_process_are_swept_up(questions: Questions, tmp_path: Path) -> None:
    """A kill while the scores are written leaves no rubbish for ever."""
    file = questions(["How many?"])
    folder = api.run(f"file:{file}", model=answer, out=tmp_path / "runs").folder
    (folder / ".scores.parquet.999.tmp").write_bytes(b"half")
    api.run(f"file:{file}", model=answer, out=tmp_path / "runs")
    assert not [path.name for path in folder.iterdir() if path.name.endswith(".tmp")]


def test_a_fresh_run_uses_no_old_answer_and_loses_none(questions: Questions, tmp_path: Path) -> None:
    """Also twice within a second, and where run.json is gone."""
    file = questions(["How many?"])
    asked: list[int] = []

    def count(prompt: object) -> str:
        asked.append(1)
        return "3"

    for n, spoil in enumerate((False, False, True), 1):
        result = api.run(f"file:{file}", model=count, out=tmp_path / "runs", fresh=True)
        assert len(asked) == n
        if spoil:
            (result.folder / "run.json").unlink()
    api.run(f"file:{file}", model=count, out=tmp_path / "runs", fresh=True)
    assert len(asked) == 4
    kept = sorted(path.parent.name for path in result.folder.glob("before-*/responses.jsonl"))
    assert len(kept) == 3


def test_merging_refuses_what_is_no_set_of_shards_and_names_what_is_absent(
    questions: Questions, tmp_path: Path
) -> None:
    """A shard that is being written, a shard named twice, a shard left out."""
    file = questions([f"How many {i}?" for i in range(9)])
    shards = [
        api.run(f"file:{file}", model=answer, out=tmp_path / "runs", shard=f"{k}/3", name="m").folder
        for k in (1, 2, 3)
    ]
    with pytest.raises(UsageError, match="named twice"):
        merging.merge([shards[0], shards[0]])
    owner = {"pid": os.getppid(), "host": socket.gethostname(), "started": None}
    (shards[1] / "lock").write_text(json.dumps(owner))
    with pytest.raises(StoreError, match="is being written"):
        merging.merge(shards)
    (shards[1] / "lock").unlink()
    part = merging.merge(shards[:2], out=tmp_path / "part")
    assert part.facts["notes"][-1] == "not all shards were merged; absent: 3/3"
    assert merging.merge(shards, out=tmp_path / "whole").summary.overall.n_scored == 9


def test_a_merge_that_was_ended_half_way_can_be_done_again(
    questions: Questions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """run.json comes last, so half a merge is no run."""
    file = questions([f"How many {i}?" for i in range(4)])
    shards = [
        api.run(f"file:{file}", model=answer, out=tmp_path / "runs", shard=f"{k}/2", name="m").folder for k in (1, 2)
    ]
    with monkeypatch.context() as broken:
        broken.setattr(merging.shutil, "copyfile", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            merging.merge(shards, out=tmp_path / "whole")
    result = merging.merge(shards, out=tmp_path / "whole")
    assert (result.summary.overall.n_asked, result.summary.overall.n_scored) == (4, 4)


def test_scoring_again_that_is_ended_half_way_forgets_no_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old index stays until the new one is whole."""
    file = write_questions(tmp_path / "data", [f"How many {i}?" for i in range(6)])
    folder = api.run(f"file:{file}", model=answer, out=tmp_path / "runs").folder
    file.write_text(file.read_text().replace('"answer": "3"', '"answer": "4"'))
    with monkeypatch.context() as broken:
        broken.setattr(scoring, "preparation_of", lambda *_: _EndsAfter(2))
        with pytest.raises(BenchmarkError):
            scoring.score(folder)
    result = scoring.score(folder)
    assert result.summary.overall.n_scored == 6
    assert result.score == 0.0


class _EndsAfter:
    def __init__(self, n: int) -> None:
        self._n = n

    def prepare(self, position: int, sample: object) -> object:
        """Break off after a few."""
        raise BenchmarkError("the power went")


def test_all_right_so_far_is_not_shown_as_certain() -> None:
    """The error bar of the progress line is not 0 at 100 % or 0 %."""
    progress = Progress(n_total=100)
    for _ in range(10):
        progress.add_score(1.0)
    assert 0.1 < progress.half_width < 0.2
    assert math.isnan(Progress().half_width)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--prompt", "cto"), "did you mean 'cot'"),
        (("--temperature", "-1"), "--temperature must be at least 0"),
        (("--temperature", "nan"), "--temperature must be at least 0"),
        (("--max-pixels", "0"), "--max-pixels must be more than 0"),
        (("--max-image-bytes", "0"), "--max-image-bytes must be more than 0"),
        (("--numeric-tolerance", "-1"), "--numeric-tolerance must be at least 0"),
        (("--param", "x={"), "is no JSON"),
        (("--param", "stream=true"), "--param stream cannot be set"),
        (("--param", 'model="z"'), "--param model cannot be set"),
        (("--model-option", "batch=2"), "--model-option is for hf:"),
        (("--judge-concurrency", "x"), "--judge-concurrency takes"),
    ],
)
def test_an_option_that_means_nothing_is_refused_before_anything_is_written(
    tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """One sentence, exit 2, no run directory."""
    done = snellen("run", "eyechart", "-m", "prior", "--limit", "2", *given, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_every_option_of_the_command_line_can_stand_in_a_file(tmp_path: Path) -> None:
    """Also those of the output and of single benchmarks; tables are joined key by key."""
    from snellen.cli.run import command
    from snellen.config import display_of, from_toml, merge

    names = [opt for param in command.params for opt in param.opts if opt.startswith("--")]
    path = tmp_path / "run.toml"
    for name in names:
        key = name.removeprefix("--")
        if key in ("config", "help"):
            continue
        path.write_text(f"{key} = []\n")
        try:
            from_toml(path)
            display_of(path)
        except UsageError as error:
            assert "unknown key" not in str(error), name
    path.write_text(
        'benchmark = "eyechart"\nmodel = "prior"\nhint = "user"\njson = true\n[param]\na = 1\n[option]\nb = 2\n'
    )
    options = merge(from_toml(path), {"params": {"c": 3}})
    assert (options.params, options.options) == ({"a": 1, "c": 3}, {"hint": "user", "b": 2})
    assert display_of(path) == {"json": True}
