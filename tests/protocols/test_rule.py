"""The rule judge: the tutorial's pairs, its mended faults, its reasons, and what it is certain of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.engine.judge_check import TUTORIAL_PAIRS
from snellen.protocols.rule import certain, grade, reading, same_value
from snellen.protocols.rule_reading import final_answer, normal
from snellen.types import Sample


@pytest.mark.parametrize("pair", TUTORIAL_PAIRS, ids=lambda pair: pair.answer[:20])
def test_the_nine_pairs_of_the_tutorial(pair) -> None:
    """Each is graded as the tutorial says."""
    assert len(TUTORIAL_PAIRS) == 9
    assert grade(pair.answer, (pair.reference,)).is_correct is pair.is_correct


@pytest.mark.parametrize(
    "answer, reference",
    [
        ("not blue", "blue"), ("It is not blue.", "blue"), ("isn't blue", "blue"), ("It isn’t blue", "blue"),
        ("red rather than blue", "blue"), ("blue or green", "blue"), ("yes and no", "yes"), ("yes and no", "no"),
        ("not true", "true"), ("the", "A"), ("B", "A"), ("a cat", "A"), ("3 or 4", "3"), ("7-10", "7"),
        ("7–10", "10"), ("7 to 10", "7"), ("between 3 and 5", "3"), ("-5", "5"), ("3.5", "3"), ("12", "2"),
        ("1/2", "1"), ("maybe 3", "3"), ("not 3", "3"), ("no blue car", "blue car"),
    ],
)  # fmt: skip
def test_denied_hedged_and_ranged_mentions_are_wrong(answer: str, reference: str) -> None:
    """The faults of the tutorial's rule are mended."""
    assert not grade(answer, (reference,)).is_correct


@pytest.mark.parametrize(
    "answer, reference, reason",
    [
        ("", "3", "empty"), ("__ERROR__ Timeout: x", "3", "empty"), ("Blue.", "blue", "exact"),
        ("4 hinges", "4", "numeric"), ("7", "8", "numeric-mismatch"), ("Yes, I think so", "yes", "bool"),
        ("The car is blue.", "blue", "contains"), ("red", "blue", "mismatch"), ("7-10", "7-10", "exact"),
        ("A", "A", "exact"), ("(A)", "A", "exact"), ("A. cat", "A", "exact"), ("1,000", "1000", "exact"),
        ("$5", "5", "numeric"), ("The total: 15,400 people", "15400", "numeric"),
    ],
)  # fmt: skip
def test_reasons(answer: str, reference: str, reason: str) -> None:
    """The rule that decided is kept."""
    assert grade(answer, (reference,)).reason == reason


def test_tolerance() -> None:
    """A relative tolerance widens numbers only, and is said."""
    assert grade("104", ("100",), tolerance=0.05).reason == "numeric~tol"
    assert not grade("106", ("100",), tolerance=0.05).is_correct
    assert not grade("104", ("100",)).is_correct


def test_any_reference_may_match() -> None:
    """The best of several references counts."""
    assert grade("navy", ("blue", "navy")).is_correct


def test_choices() -> None:
    """A letter stands for its option, and the option for its letter."""
    choices = ("cat", "dog")
    assert grade("B", ("dog",), choices=choices).is_correct
    assert grade("dog", ("B",), choices=choices).is_correct
    assert not grade("cat", ("B",), choices=choices).is_correct


@pytest.mark.parametrize(
    "text, answer",
    [
        (r"\boxed{1} then \boxed{\text{B}}", "B"), ("Final answer: blue\nbye", "blue"),
        ("answer: 3\nanswer: 4", "4"), ("one\ntwo\n\n", "two"), ("<think>answer: 3</think>5", "5"),
        ("**Answer:** 7", "7"), (r"\boxed{", r"\boxed{"),
    ],
)  # fmt: skip
def test_final_answer(text: str, answer: str) -> None:
    """Box, final answer, answer line, last line; thinking apart."""
    assert final_answer(text) == answer


def test_certain_settles_only_what_is_plain() -> None:
    """Exact and empty answers are settled, everything arguable is left to the judge."""
    sample = Sample("1", (), "?", references=("3",))
    assert certain(sample, "Answer: three").verdict is True  # type: ignore[union-attr]
    assert certain(sample, "").verdict is False  # type: ignore[union-attr]
    for text in ("about 3 of them, I think", "4", "3 or 4", "I cannot tell"):
        assert certain(sample, text) is None


def test_reading_as_a_judge() -> None:
    """As a judge of its own it always decides, with its reason and what it read."""
    found = reading(Sample("1", (), "?", references=("100",)), "Answer: 104", 0.05)
    assert (found.verdict, found.reason, found.answer) == (True, "numeric~tol", "104")


def test_normal_form_keeps_a_lone_letter() -> None:
    """The articles are dropped, but an answer that is one letter stays."""
    assert (normal("A"), normal("the cat"), normal("The A")) == ("a", "cat", "")
    assert same_value("7.0", "7")


@given(answer=st.text(max_size=200), reference=st.text(max_size=30))
def test_any_text_is_graded(answer: str, reference: str) -> None:
    """Never raises; an answer equal to its reference is right unless it is empty."""
    grade(answer, (reference,), choices=("a", "b"))


@pytest.mark.parametrize("piece", ["answer: ", "not ", "\\boxed{", "1-", "(", "a ", "final answer ", "-", "9" * 50])
def test_megabytes_are_graded(piece: str) -> None:
    """Long repetitive answers, on which a quadratic rule would not come to an end, are graded."""
    assert not grade(piece * (1_000_000 // len(piece)), ("blue",)).is_correct
