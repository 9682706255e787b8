"""The scoring pass: again, with other rules, over several processes, with mended references."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snellen import api, merging, scoring
from snellen.engine import scoring_pool
from snellen.engine.scoring import flags_of, is_looping
from snellen.errors import UsageError
from snellen.store import read_json
from tests.conftest import write_questions
from tests.servers import FaultyServer


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A finished run of twelve questions, all answered 3."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(12)])
    with FaultyServer() as server:
        return api.run(
            f"file:{file}", model="openai:m", base_url=server.url, out=tmp_path / "runs", sight_check=False
        ).folder


def test_scoring_again_gives_the_same_bytes_and_asks_nobody(run_folder: Path) -> None:
    """The server is gone; the scores are the same."""
    before = (run_folder / "scores.parquet").read_bytes()
    scoring.score(run_folder)
    assert (run_folder / "scores.parquet").read_bytes() == before


def test_several_processes_give_the_same_rows(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, in order."""
    before = (run_folder / "scores.parquet").read_bytes()
    monkeypatch.setattr(scoring_pool, "_WORTH_MS", 0.0)
    monkeypatch.setattr(scoring_pool, "_CHUNK", 5)
    monkeypatch.setattr(scoring_pool.os, "cpu_count", lambda: 2)
    scoring.score(run_folder)
    assert (run_folder / "scores.parquet").read_bytes() == before


def test_a_mended_reference_counts_without_asking_again(run_folder: Path) -> None:
    """The data file is read afresh."""
    file = Path(read_json(run_folder / "run.json")["identity"]["data"])
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows[0]["answer"] = "4"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = scoring.score(run_folder)
    assert result.summary.overall.n_scored == 12
    assert result.score == pytest.approx(11 / 12)


def test_own_scorers_and_conventions_can_be_changed_later(run_folder: Path, tmp_path: Path) -> None:
    """A python scorer, a wrong value, None, an exception: a score or unscored with the reason."""
    (tmp_path / "mine.py").write_text(
        "def half(sample, text): return 0.5\n"
        "def none(sample, text): return None\n"
        "def two(sample, text): return 2\n"
        "def boom(sample, text): raise KeyError('x')\n"
    )
    spec = f"python:{tmp_path / 'mine.py'}"
    assert scoring.score(run_folder, scoring.Changes(scorer=f"{spec}:half")).score == 0.5
    for name, reason in (("none", "no score"), ("two", "not in 0 to 1"), ("boom", "KeyError")):
        result = scoring.score(run_folder, scoring.Changes(scorer=f"{spec}:{name}"))
        assert result.summary.overall.missing == {"unscored": 12}
        assert reason in result.rows()[0]["reason"]
    wrong = scoring.score(run_folder, scoring.Changes(scorer=f"{spec}:none", missing="wrong"))
    assert wrong.score == 0.0
    with pytest.raises(UsageError, match="cannot be loaded"):
        scoring.score(run_folder, scoring.Changes(scorer=f"{spec}:nowhere"))


def test_shards_are_merged_into_the_run_they_are_parts_of(tmp_path: Path) -> None:
    """Same rows, same numbers as the undivided run; runs that differ in more are refused."""
    file = write_questions(tmp_path / "data", [f"[q{i}] How many?" for i in range(11)])
    with FaultyServer() as server:
        options = {"model": "openai:m", "base_url": server.url, "out": tmp_path / "runs", "sight_check": False}
        parts = [api.run(f"file:{file}", shard=f"{k}/3", **options).folder for k in (1, 2, 3)]
        whole = api.run(f"file:{file}", **{**options, "out": tmp_path / "whole"})
        other = api.run(f"file:{file}", max_tokens=7, **options).folder
    merged = merging.merge(parts)
    assert [(r["sample_id"], r["value"]) for r in merged.rows()] == [
        (r["sample_id"], r["value"]) for r in whole.rows()
    ]
    assert merged.summary.as_record() == whole.summary.as_record()
    with pytest.raises(UsageError, match="max_tokens"):
        merging.merge([parts[0], other])


@pytest.mark.parametrize(
    ("response", "text", "flags"),
    [
        ({"finish_reason": "length"}, "half an ans", ["truncated"]),
        ({"finish_reason": "content_filter"}, "", ["filtered", "empty"]),
        ({"finish_reason": "stop"}, " \n", ["empty"]),
        ({"finish_reason": "stop"}, "I'm sorry, but I can't help with that.", ["refused"]),
        ({"finish_reason": "length"}, "and so on " * 900, ["truncated", "looping"]),
        ({"finish_reason": "stop"}, "Answer: 3", []),
    ],
)
def test_flags_say_why_a_score_may_be_low(response: dict[str, str], text: str, flags: list[str]) -> None:
    """Of an answered sample; they change no score."""
    assert flags_of(response, text, {"state": "scored", "answer": "x"}) == flags


def test_varied_long_text_is_no_loop() -> None:
    """A long honest derivation."""
    assert not is_looping(" ".join(str(i * i) for i in range(3000)))
