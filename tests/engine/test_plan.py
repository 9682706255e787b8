"""What a benchmark's preset states becomes the run's options, unless the user said otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen import running
from snellen.config import RunOptions, merge
from snellen.engine.plan import make_plan
from tests.benchmarks.pictures import jsonl
from tests.benchmarks.test_perceptionbench import row
from tests.servers import FaultyServer


def options(tmp_path: Path, **given: Any) -> RunOptions:
    """The tutorial's preset on twenty rows."""
    data = tmp_path / "PerceptionBench.jsonl"
    data.write_bytes(jsonl([row(i) for i in range(20)]))
    base = {"benchmark": "perceptionbench", "data": str(data), "out": str(tmp_path / "runs"), "sight_check": False}
    return merge({}, {**base, "options": {"preset": "tutorial"}, **given})


def test_the_tutorial_s_settings_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Image size, quality, tokens, judge, server, key and model; the answers are judged by the rule, without a call."""
    with FaultyServer(answer="Answer: three") as server:
        monkeypatch.setenv("PB_API_BASE", server.url)
        monkeypatch.setenv("PB_API_KEY", "pb-key-of-the-tutorial")
        monkeypatch.setenv("PB_API_MODEL", "tiny")
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        result = running.run(options(tmp_path))
        bodies, headers = server.bodies, server.headers
    assert result.spec["model"]["name"] == "openai:tiny"
    assert result.spec["images"]["max_side_px"] == 1024
    assert result.spec["judge"]["models"] == ["rule"]
    assert {body["max_tokens"] for body in bodies} == {512}
    assert {body["model"] for body in bodies} == {"tiny"}
    assert all("pb-key-of-the-tutorial" in header for header in headers)
    assert result.score == 1.0
    assert {one["scorer"].partition("@")[0] for one in result.rows()} == {"judge:perceptionbench"}


def test_the_user_s_own_options_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each on its own."""
    monkeypatch.setenv("PB_API_BASE", "http://127.0.0.1:9/v1")
    given = {"model": "openai:mine", "base_url": "http://127.0.0.1:8/v1", "max_side": 512, "max_tokens": 64}
    plan = make_plan(options(tmp_path, **given, judge=("rule:0.05",)))
    assert (plan.options.max_side, plan.generation.max_tokens, plan.options.judge) == (512, 64, ("rule:0.05",))
    assert plan.options.base_url == "http://127.0.0.1:8/v1"
    assert plan.model.name == "openai:mine"
    assert plan.options.jpeg_quality == 90


def test_without_a_preset_nothing_changes(tmp_path: Path) -> None:
    """The official protocol keeps pictures as they are."""
    plan = make_plan(options(tmp_path, model="prior", options={}))
    assert (plan.options.max_side, plan.options.judge) == (None, ())
