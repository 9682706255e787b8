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
from typing import NoReturn

import pytest

from snellen import api, comparing, merging, reporting, scoring
from snellen.engine.progress import Progress
from snellen.errors import BenchmarkError, ModelError, StoreError, UsageError
from snellen.types import Prompt, Response, Usage
from tests.conftest import snellen, write_questions
from tests.servers import FaultyServer

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


def complaint(path: Path) -> str:
    """What is said against a config file, "" for nothing."""
    from snellen.config import from_toml

    try:
        from_toml(path)
    except UsageError as error:
        return str(error)
    return ""


def test_every_option_of_the_command_line_can_stand_in_a_file(tmp_path: Path) -> None:
    """Also those of the output and of single benchmarks; tables are joined key by key."""
    from snellen.cli.run import command
    from snellen.config import display_of, from_toml, merge

    path = tmp_path / "run.toml"
    keys = [opt.removeprefix("--") for param in command.params for opt in param.opts if opt.startswith("--")]
    for key in set(keys) - {"config", "help"}:
        path.write_text(f"{key} = []\n")
        assert "unknown key" not in complaint(path), key
    path.write_text(
        'benchmark = "eyechart"\nmodel = "prior"\nhint = "user"\njson = true\n[param]\na = 1\n[option]\nb = 2\n'
    )
    options = merge(from_toml(path), {"params": {"c": 3}})
    assert (options.params, options.options) == ({"a": 1, "c": 3}, {"hint": "user", "b": 2})
    assert display_of(path) == {"json": True}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line[: len(line) // 2],
        lambda line: line.replace('"key":"', '"key":"zz'),
        lambda line: line.replace('"key"', '"kex"'),
        lambda line: line.replace('"epoch":0', '"epoch":"x"').replace('"position":1', '"position":"x"'),
        lambda line: "[1, 2]",
        lambda line: "\x00" * 40,
    ],
)
@pytest.mark.parametrize("log", ["responses.jsonl", "samples.jsonl"])
def test_a_damaged_line_of_any_kind_costs_one_answer_at_most(
    questions: Questions, tmp_path: Path, log: str, spoil: Callable[[str], str]
) -> None:
    """Also one that is still JSON: the run opens, says which line, and asks again what is lost."""
    file = questions([f"How many {i}?" for i in range(4)])
    asked: list[int] = []

    def count(prompt: object) -> str:
        asked.append(1)
        return "3"

    folder = api.run(f"file:{file}", model=count, out=tmp_path / "runs", scorer="number").folder
    lines = (folder / log).read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"q1"' in line)
    lines[at] = spoil(lines[at])
    (folder / log).write_text("\n".join(lines) + "\n")
    result = scoring.score(folder)
    assert result.summary.overall.n_scored == 3
    assert any(f"line {at + 1}" in note and "damaged" in note for note in result.facts["notes"])
    result = api.run(f"file:{file}", model=count, out=tmp_path / "runs", scorer="number")
    assert result.summary.overall.n_scored == 4
    assert len(asked) == (5 if log == "responses.jsonl" else 4)


@pytest.mark.parametrize("fault", ["402", "429-quota"])
def test_an_empty_account_stops_the_run_at_once_with_its_own_sentence(
    questions: Questions, tmp_path: Path, fault: str
) -> None:
    """Waiting does not help; and the word "budget" in a server's message is not our budget (exit 1, not 4)."""
    file = questions([f"[q{i}] [fault:{fault}] How many?" for i in range(40)])
    with FaultyServer() as server:
        done = snellen(
            "run", f"file:{file}", "-m", "openai:m", "--base-url", server.url, "--out", tmp_path / "runs",
            "--concurrency", "2", "--no-sight-check",
        )  # fmt: skip
        assert sum(server.seen.values()) < 10
    assert done.returncode == 1
    assert f"HTTP {fault[:3]}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_odd_success_replies(questions: Questions, tmp_path: Path) -> None:
    """201 is an answer, 204 is none, a redirect names where it leads without its token, whole floats are counts."""
    faults = ["201", "204", "302", "float-usage"]
    file = questions([f"[q{i}] [fault:{fault}] How many?" for i, fault in enumerate(faults)])
    with FaultyServer() as server:
        result = api.run(
            f"file:{file}", model="openai:m", base_url=server.url, out=tmp_path / "runs", scorer="number",
            sight_check=False, retries=0,
        )  # fmt: skip
    rows = dict(zip(faults, result.rows(), strict=True))
    assert [rows[fault]["value"] for fault in faults] == [1.0, None, None, 1.0]
    assert rows["204"]["error_kind"] == "bad_reply"
    assert "elsewhere.example/v1?token=[redacted]" in rows["302"]["reason"]
    assert result.facts["tokens"]["input"] == 20


def test_after_a_wrong_key_is_mended_the_same_command_asks_everything(questions: Questions, tmp_path: Path) -> None:
    """The questions that met the 401 are not errors for ever."""
    file = questions([f"[q{i}] How many?" for i in range(12)])
    options = {"model": "openai:m", "out": tmp_path / "runs", "scorer": "number", "sight_check": False}
    with FaultyServer() as server:
        server.refuse = 401
        with pytest.raises(ModelError, match="401"):
            api.run(f"file:{file}", base_url=server.url, **options)
        server.refuse = 0
        assert api.run(f"file:{file}", base_url=server.url, **options).summary.overall.n_scored == 12


def test_after_a_set_up_that_failed_for_all_is_mended_the_same_command_asks_everything(
    questions: Questions, tmp_path: Path
) -> None:
    """400 to the first dozen (a server started with too short a context), then it is started again."""
    file = questions([f"[q{i}] How many?" for i in range(20)])
    options = {"model": "openai:m", "out": tmp_path / "runs", "scorer": "number", "sight_check": False}
    with FaultyServer() as server:
        server.refuse = 400
        with pytest.raises(ModelError, match="all failed alike"):
            api.run(f"file:{file}", base_url=server.url, **options)
        server.refuse = 0
        assert api.run(f"file:{file}", base_url=server.url, **options).summary.overall.n_scored == 20


class Odd:
    """A model object that does what its function says."""

    takes_images = True

    def __init__(self, name: str, said: Callable[[Prompt], object], close: Callable[[], None] = lambda: None) -> None:
        self.name, self._said, self._close = name, said, close

    async def generate(self, prompt: Prompt, options: object) -> object:
        """Whatever the function says."""
        return self._said(prompt)

    async def aclose(self) -> None:
        """Whatever the function does."""
        self._close()


def fail(error: Exception) -> NoReturn:
    """Raise, as an expression."""
    raise error


def test_what_a_live_model_raises_or_returns_concerns_one_sample(questions: Questions, tmp_path: Path) -> None:
    """No exception of a model object ends the run; a str is an answer; a number is a failure, not an answer."""
    file = questions([f"{i} How many?" for i in range(20)])
    says: dict[str, Callable[[Prompt], object]] = {
        "raises": lambda prompt: fail(KeyError("boom")) if prompt.question.startswith("7") else Response("3"),
        "number": lambda prompt: 3 if prompt.question.startswith("7") else Response("3"),
        "text": lambda prompt: "3",
        "usage": lambda prompt: Response("3", usage=Usage("many", None)),  # type: ignore[arg-type]
    }
    got = {}
    for name, said in says.items():
        for _ in range(2):  # again: what was written can be read
            result = api.run(f"file:{file}", model=Odd(name, said), out=tmp_path / "runs", scorer="number")
        got[name] = (result.summary.overall.n_scored, result.score)
    assert got == {"raises": (19, 1.0), "number": (19, 1.0), "text": (20, 1.0), "usage": (20, 1.0)}


def test_a_model_that_cannot_be_closed_costs_no_result(questions: Questions, tmp_path: Path) -> None:
    """The answers are there; the note says what happened."""
    file = questions(["How many?"])
    model = Odd("m", lambda prompt: Response("3"), lambda: fail(RuntimeError("stuck")))
    result = api.run(f"file:{file}", model=model, out=tmp_path / "runs", scorer="number")
    assert result.score == 1.0
    assert "closing the model failed: RuntimeError: stuck" in result.facts["notes"]


def test_a_second_parameter_with_a_default_stays_the_users(questions: Questions, tmp_path: Path) -> None:
    """`lambda prompt, step=step: …` in a training loop; and answers kept from an earlier live model are told."""
    file = questions(["How many?"])
    for n in range(2):
        result = api.run(f"file:{file}", model=lambda p, step=3: str(step), name="m", out=tmp_path, scorer="number")
        assert result.score == 1.0
        assert any("answers of an earlier run of a live model" in note for note in result.facts["notes"]) == (n == 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"limit": "5"}, "limit must be a number, got '5'"),
        ({"epochs": 1.5}, "epochs must be a whole number"),
        ({"params": "x"}, "params must be a table"),
        ({"blind": "yes"}, "blind must be true or false"),
    ],
)
def test_an_option_of_the_wrong_type_is_one_sentence_from_python_too(options: dict[str, object], said: str) -> None:
    """Not a TypeError from somewhere inside."""
    with pytest.raises(UsageError, match=said):
        api.run("eyechart", model="prior", **options)


def test_a_path_works_where_a_name_does(questions: Questions, tmp_path: Path) -> None:
    """As text and as a Path, in the same run directory as file:…; headers=None is no headers."""
    file = questions(["How many?"])
    runs = {
        api.run(name, model="prior", out=tmp_path / "runs", headers=None).folder
        for name in (file, str(file), f"file:{file}")
    }
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda spec: spec | {"format_version": 99}, "run format 99"),
        (lambda spec: spec | {"format_version": "x"}, "run format 'x'"),
        (lambda spec: {"format_version": 1, "identity": {}}, "lacks benchmark, model"),
    ],
)
@pytest.mark.parametrize("verb", ["run", "score", "report", "merge", "compare"])
def test_a_run_of_a_newer_version_or_an_edited_one_is_refused_by_every_verb(
    questions: Questions, tmp_path: Path, verb: str, edit: Callable[[dict[str, object]], dict[str, object]], said: str
) -> None:
    """One sentence that says what is the matter."""
    file = questions(["How many?"])
    folder = api.run(f"file:{file}", model=answer, name="m", out=tmp_path / "runs", scorer="number").folder
    path = folder / "run.json"
    path.write_text(json.dumps(edit(json.loads(path.read_text()))))
    verbs: dict[str, Callable[[], object]] = {
        "run": lambda: api.run(f"file:{file}", model=answer, name="m", out=tmp_path / "runs", scorer="number"),
        "score": lambda: scoring.score(folder),
        "report": lambda: reporting.report(folder),
        "merge": lambda: merging.merge([folder, folder]),
        "compare": lambda: comparing.compare([folder, tmp_path]),
    }
    if verb in ("report", "compare") and said.startswith("lacks"):
        pytest.skip("tables need less of the spec")
    with pytest.raises(StoreError, match=said):
        verbs[verb]()


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_the_stop_button_of_a_notebook_finishes_and_saves(questions: Questions, tmp_path: Path) -> None:
    """A KeyboardInterrupt inside somebody else's loop stops the run cleanly, and leaves nothing running behind."""
    file = questions([f"{i} How many?" for i in range(60)])
    code = (
        "import asyncio, os, signal, sys, threading\n"
        "from snellen import api\n"
        "async def slow(prompt):\n"
        "    await asyncio.sleep(0.2)\n"
        "    return '3'\n"
        "async def cell():\n"
        "    def interrupt(*_): raise KeyboardInterrupt\n"
        "    signal.signal(signal.SIGINT, interrupt)\n"
        "    threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "    r = api.run(sys.argv[1], slow, out=sys.argv[2], concurrency=2, scorer='number')\n"
        "    print(r.stopped, 0 < r.summary.overall.n_scored < 60, [t.name for t in threading.enumerate()])\n"
        "asyncio.run(cell())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, f"file:{file}", str(tmp_path / "runs")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == "interrupted; the same command goes on from here True ['MainThread']", done.stderr
