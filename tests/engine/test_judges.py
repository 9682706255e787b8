"""Verdict keys, the panel's decision, and the check of judges before a run."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from snellen.engine.judge_check import OWN_PAIRS, PAIRS, TUTORIAL_PAIRS, check_judges, checks_of
from snellen.engine.judge_facts import _corrected
from snellen.engine.judge_panel import PanelOptions, open_judging
from snellen.engine.verdict_ledger import Panel, VerdictLedger, answer_hash, decide, verdict_key
from snellen.errors import JudgeError, UsageError
from snellen.types import Sample

SAMPLE = Sample("1", (), "How many?", references=("3",), mode="judge")
KEY = {
    "judge": "openai:j",
    "protocol": "one-token@1",
    "template": "",
    "sample": SAMPLE,
    "reference_key": "r",
    "text": "3",
}


@pytest.mark.parametrize(
    "change",
    [{"judge": "openai:k"}, {"protocol": "one-token@2"}, {"template": "x"}, {"reference_key": "s"}, {"text": "4"},
     {"sample": replace(SAMPLE, question="How few?")}],
)  # fmt: skip
def test_what_makes_another_verdict(change: dict[str, object]) -> None:
    """Judge, protocol, prompt, references, answer and question are in the key; the sample's id is not."""
    assert verdict_key(**{**KEY, **change}) != verdict_key(**KEY)  # type: ignore[arg-type]
    assert verdict_key(**{**KEY, "sample": replace(SAMPLE, id="2")}) == verdict_key(**KEY)  # type: ignore[arg-type]


def test_the_rule_judge_has_no_prompt_in_its_key() -> None:
    """Another protocol or prompt leaves its verdicts; its tolerance does not."""
    rule = {**KEY, "judge": "rule"}
    assert verdict_key(**{**rule, "protocol": "datbench@1", "template": "x"}) == verdict_key(**rule)  # type: ignore[arg-type]
    assert verdict_key(**{**rule, "judge": "rule:0.05"}) != verdict_key(**rule)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "states, decided",
    [
        (["correct"], "correct"), (["correct", "incorrect"], "unparsed"),
        (["correct", "correct", "incorrect"], "correct"),
        (["incorrect", "unparsed", "unjudged"], "incorrect"), (["unparsed", "unjudged"], "unparsed"),
        (["unjudged", "unjudged"], "unjudged"), (["correct", "unparsed", "incorrect"], "unparsed"),
    ],
)  # fmt: skip
def test_majority(states: list[str], decided: str) -> None:
    """Readable verdicts decide; a tie is unparsed; nobody's verdict is unjudged. All votes are kept."""
    votes = {f"judge {i}": {"state": state} for i, state in enumerate(states)}
    found = decide(votes, "one-token")
    assert found["state"] == decided
    assert found["value"] == {"correct": 1.0, "incorrect": 0.0}.get(decided)
    assert list(found["votes"].values()) == states


def test_a_person_wins_for_the_answer_that_was_seen() -> None:
    """The judges' votes stay beside the person's word; on another answer it does not count."""
    ledger = VerdictLedger()
    ledger.note({"key": verdict_key(**KEY), "prompt_key": "p", "judge": "openai:j", "state": "correct"})  # type: ignore[arg-type]
    word = {"state": "incorrect", "value": 0.0, "reason": "", "answer_hash": answer_hash("3")}
    panel = Panel(ledger, ["openai:j"], "one-token@1", people={("p", 0): word})
    found = panel.find(SAMPLE, "p", 0, "r", "3")
    assert found is not None
    assert (found["state"], found["judged"], found["votes"]) == ("incorrect", "correct", {"openai:j": "correct"})
    assert panel.find(SAMPLE, "p", 0, "r", "4") is None


def test_a_failed_call_never_replaces_a_verdict() -> None:
    """A verdict stays when a later record says unjudged; an unjudged one is open."""
    ledger = VerdictLedger()
    ledger.note({"key": "k", "prompt_key": "p", "judge": "j", "state": "unjudged"})
    assert ledger.is_open("k")
    for state in ("correct", "unjudged"):
        ledger.note({"key": "k", "prompt_key": "p", "judge": "j", "state": state, "n_in": 5})
    assert (ledger.by_key["k"]["state"], ledger.n_in["j"]) == ("correct", 10)


def test_the_pairs() -> None:
    """Nine of the tutorial and ten of our own, right and wrong ones among both."""
    assert (len(TUTORIAL_PAIRS), len(OWN_PAIRS)) == (9, 10)
    assert {pair.is_correct for pair in OWN_PAIRS} == {True, False}


def checked(folder: Path, spec: str, protocol: str = "one-token") -> dict[str, object]:
    """Check one judge; what is kept of it."""
    judging = open_judging(folder, PanelOptions((spec,), protocol, n_retries=0))

    async def check() -> None:
        try:
            await check_judges(judging, folder)
        finally:
            await judging.aclose()

    asyncio.run(check())
    return dict(checks_of(folder, spec, judging.protocol_id, judging.template_id))


def test_a_check_is_kept_and_not_asked_again(tmp_path: Path) -> None:
    """The second time the scripted judge would answer otherwise, but it is not asked."""
    script = tmp_path / "judge.toml"
    script.write_text('default = "CORRECT"')
    first = checked(tmp_path, f"scripted:{script}")
    assert first["n_agreeing"] == sum(pair.is_correct for pair in PAIRS)
    script.write_text('default = "INCORRECT"')
    assert checked(tmp_path, f"scripted:{script}") == first
    assert checked(tmp_path, f"scripted:{script}", "datbench")["n_unparsed"] == 0


def test_a_judge_that_cannot_be_asked_stops_everything(tmp_path: Path) -> None:
    """One sentence with judge, status and cause."""
    script = tmp_path / "judge.jsonl"
    script.write_text('{"status": 401}\n')
    with pytest.raises(JudgeError, match=r"judge scripted:.*401"):
        checked(tmp_path, f"scripted:{script}")


def test_rule_tolerance_is_checked(tmp_path: Path) -> None:
    """Behind "rule:" stands a share below 1."""
    for spec in ("rule:x", "rule:-1", "rule:2"):
        with pytest.raises(UsageError, match="tolerance"):
            open_judging(tmp_path, PanelOptions((spec,), "one-token"))


def test_an_audit_without_errors_has_no_interval_of_width_zero() -> None:
    """The bound is what the audit could have missed."""
    found = _corrected([1.0, 0.0] * 20, [(1.0, 1.0), (0.0, 0.0)] * 5)
    assert found.mean == 0.5
    assert found.low < 0.3
    assert "no error among 10" in found.reason
