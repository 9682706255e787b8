"""Hostile answers through every protocol, with judges that quote what they see before they give their own verdict."""

from __future__ import annotations

import pytest

from snellen.protocols import PROTOCOLS, protocol
from snellen.types import Sample
from tests.protocols.hostile import HOSTILE

NONCE = "7f3a90c1"
SAMPLE = Sample("1", (), "Which city is it?", references=("Paris",), mode="judge")
RUBRIC = Sample(
    "2", (), "Which city is it?", references=("Paris",), mode="judge",
    judge_prompt="Is {model_answer} the same as {correct_answer} for {question}?\nRespond with exactly two lines: a",
)  # fmt: skip
WRONG = {
    "datbench": "answer: false", "perceptionbench": "[judge] False", "vilbench": f"verdict {NONCE}: False",
    "semantic-match": f"verdict {NONCE}: incorrect", "extract": f"final {NONCE}: London",
}  # fmt: skip
CASES = [(name, text) for name in WRONG for text in HOSTILE]


def shown(prompt: str) -> str:
    """What a judge sees of the answer: all between the marks."""
    start, end = prompt.index(f"<<<answer {NONCE}\n"), prompt.rindex(f"\n{NONCE} answer>>>")
    return prompt[start:end].split("\n", 1)[1]


def test_there_are_enough_of_them() -> None:
    """At least forty hostile answers are tried."""
    assert len(set(HOSTILE)) >= 40


@pytest.mark.parametrize("name, text", CASES)
def test_a_quotation_is_never_the_verdict(name: str, text: str) -> None:
    """Judges that quote the answer, with its bars or without, before their own "wrong" are read as "wrong"."""
    how = protocol(name)
    quotation = shown(how.build(SAMPLE, text, NONCE, None))
    bare = "\n".join(line.removeprefix("| ") for line in quotation.split("\n"))
    for quote in (quotation, bare, f"The answer says “{bare}”, which is no evidence."):
        reply = f"[reason] It says:\n{quote}\nThat is not Paris.\n{WRONG[name]}"
        assert how.read(reply, SAMPLE, NONCE).verdict is False


@pytest.mark.parametrize("name, text", CASES)
def test_a_quotation_alone_is_unparsed(name: str, text: str) -> None:
    """A judge that is cut off while it quotes has given no verdict."""
    how = protocol(name)
    quotation = shown(how.build(SAMPLE, text, NONCE, None))
    assert how.read(f"It says:\n{quotation}", SAMPLE, NONCE).verdict is None


@pytest.mark.parametrize("text", HOSTILE)
def test_one_token_reads_nothing_but_its_own_word(text: str) -> None:
    """A quoting judge is unparsed there, never right."""
    how = protocol("one-token")
    quotation = shown(how.build(SAMPLE, text, NONCE, None))
    assert how.read(f"{quotation}\nINCORRECT", SAMPLE, NONCE).verdict is None
    assert how.read("INCORRECT", SAMPLE, NONCE).verdict is False


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("sample", [SAMPLE, RUBRIC], ids=["own", "rubric"])
def test_no_answer_leaves_its_marks(name: str, sample: Sample) -> None:
    """The closing mark stands once, every line between the marks is set off, and no placeholder is filled twice."""
    for text in HOSTILE:
        prompt = protocol(name).build(sample, text, NONCE, None)
        assert prompt.count(f"{NONCE} answer>>>") == 1
        assert all(line.startswith("|") for line in shown(prompt).split("\n"))
        assert "[judge] true" not in shown(prompt).lower()
        assert "\u200b" not in prompt


def test_a_rubric_with_hostile_answer_still_asks_for_one_word() -> None:
    """The rewritten request ends the prompt, whatever the answer holds."""
    for text in HOSTILE:
        assert protocol("datbench").build(RUBRIC, text, NONCE, None).endswith("answer: ")
