"""What every protocol has in common, and what each reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import UsageError
from snellen.protocols import PROTOCOLS, JudgeProtocol, protocol
from snellen.types import Sample

NONCE = "7f3a90c1"
SAMPLE = Sample("1", (), "Which colour?", references=("blue", "navy"), choices=(), mode="judge")
CHOICE = Sample("2", (), "Which animal?", references=("B",), choices=("cat", "dog"), mode="judge")
RIGHT = {
    "datbench": "answer: true", "perceptionbench": "[reason] same [judge] True", "vilbench": f"verdict {NONCE}: True",
    "semantic-match": f"Same.\nverdict {NONCE}: correct", "extract": f"final {NONCE}: navy", "one-token": "CORRECT",
}  # fmt: skip
MALFORMED = ("truefalse", "correct/incorrect", "GRADE: IC", "C", "", "GRAD=C", "I would say so", "true or false")


@pytest.fixture(params=list(PROTOCOLS))
def how(request: pytest.FixtureRequest) -> JudgeProtocol:
    """Each protocol in turn."""
    return protocol(request.param)


def test_the_prompt_holds_question_references_and_answer(how: JudgeProtocol) -> None:
    """All three stand in it, the answer between its marks; `extract` alone hides the references."""
    prompt = how.build(SAMPLE, "It is navy.", NONCE, None)
    assert "Which colour?" in prompt
    assert "| It is navy." in prompt
    assert ("blue" in prompt) is (how.name != "extract")


def test_prompts_begin_alike(how: JudgeProtocol) -> None:
    """Everything that does not change from call to call stands first, so that server caches work."""
    prompts = [how.build(sample, text, nonce, None)
               for sample, text, nonce in ((SAMPLE, "x", "11111111"), (CHOICE, "y", "22222222"))]  # fmt: skip
    alike = next(i for i, (a, b) in enumerate(zip(*prompts, strict=False)) if a != b)
    assert alike >= 350


def test_a_right_reply_is_read(how: JudgeProtocol) -> None:
    """The protocol's own form gives True."""
    assert how.read(RIGHT[how.name], SAMPLE, NONCE).verdict is True


def test_invisible_characters_do_not_hide_a_verdict(how: JudgeProtocol) -> None:
    """Zero-width marks, byte-order marks and no-break spaces are removed first."""
    reply = RIGHT[how.name].replace(" ", "\u00a0\u200b") + "\ufeff"
    assert how.read(reply, SAMPLE, NONCE).verdict is True


@pytest.mark.parametrize("token", MALFORMED)
def test_a_token_that_is_no_verdict_is_unparsed(how: JudgeProtocol, token: str) -> None:
    """Alone or in the place of the verdict, it gives neither right nor wrong."""
    assert how.read(token, SAMPLE, NONCE).verdict is None
    if how.name != "extract":  # there anything is an answer
        replaced = RIGHT[how.name].replace("True", token).replace("true", token).replace("correct", token)
        assert how.read(replaced.replace("CORRECT", token), SAMPLE, NONCE).verdict is None


@given(reply=st.text(max_size=300))
def test_reading_never_raises(reply: str) -> None:
    """Any text is read as right, wrong or nothing."""
    for name in PROTOCOLS:
        assert protocol(name).read(reply, CHOICE, NONCE).verdict in (True, False, None)


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\ufeff"])
def test_empty_answers_are_wrong_without_a_call(how: JudgeProtocol, text: str) -> None:
    """All but DatBench, whose verdict alone decides, settle them."""
    settled = how.settle(SAMPLE, text)
    assert settled is None if how.name == "datbench" else (settled is not None and settled.verdict is False)


@pytest.mark.parametrize("text", ["[error] timeout", "Failed to obtain answer via API."])
def test_perceptionbench_settles_failed_answers(text: str) -> None:
    """The official harness scores them 0 without a judge."""
    settled = protocol("perceptionbench").settle(SAMPLE, text)
    assert settled is not None
    assert settled.verdict is False


def test_a_users_prompt_replaces_the_text(how: JudgeProtocol) -> None:
    """Placeholders are filled, other braces stay, a missing place for the answer is added."""
    template = "Q={question} R={references} JSON={'a': 1} N={nonce}"
    prompt = how.build(SAMPLE, "{question}", NONCE, template)
    assert prompt.startswith(f"Q=Which colour? R=blue\nnavy JSON={{'a': 1}} N={NONCE}")
    assert prompt.count("Which colour?") == 1
    assert "| {question}" in prompt


def test_perceptionbench_reads_behind_the_last_tag() -> None:
    """Earlier tags are reasons; a reply without [judge] is unparsed."""
    read = protocol("perceptionbench").read
    assert read("[reason] I first wrote [judge] True. [judge] False", SAMPLE, NONCE).verdict is False
    assert read("[reason] fine. True", SAMPLE, NONCE).verdict is None
    assert read("[reason] fine [judge] True.", SAMPLE, NONCE).reason == "fine"


@pytest.mark.parametrize(
    "reply, verdict",
    [("B", True), ("b", True), ("(B)", True), ("dog", True), ("B. dog", True), ("A", False), ("NONE", False)],
)
def test_extract_compares_with_the_key(reply: str, verdict: bool) -> None:
    """Letter, text and both are the key's option; another letter and NONE are not."""
    assert protocol("extract").read(f"final {NONCE}: {reply}", CHOICE, NONCE).verdict is verdict


def test_semantic_match_shows_meanings_not_letters() -> None:
    """Where the choices were taken away, the judge compares with the option's text."""
    prompt = protocol("semantic-match").build(CHOICE, "a dog", NONCE, None)
    assert "dog" in prompt.split("Answer to grade")[0]
    assert "A. cat" not in prompt


def test_datbench_fills_the_rubric_and_supplies_what_it_lacks() -> None:
    """Placeholders are filled; a rubric without them gets question, references and answer beside it."""
    filled = Sample("1", (), "Q?", references=("4",), judge_prompt="{question}|{correct_answer}|{model_answer}")
    prompt = protocol("datbench").build(filled, "5", NONCE, None)
    assert prompt.startswith(f"Q?|4|<<<answer {NONCE}\n| 5")
    assert "Reference answer:" not in prompt
    bare = Sample("1", (), "Q?", references=("4",), judge_prompt="Judge it. Respond with exactly two lines: x")
    prompt = protocol("datbench").build(bare, "5", NONCE, None)
    assert prompt.startswith("Judge it.\n\nQuestion:\nQ?\n\nReference answer:\n4\n\nAnswer to grade:\n")
    assert prompt.endswith("answer: ")


def test_an_unknown_protocol_names_the_nearest() -> None:
    """A misspelt name is answered with the right one."""
    with pytest.raises(UsageError, match="vilbench"):
        protocol("vilbench2")
