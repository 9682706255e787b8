"""Which options a reference means, and how choices are scored."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.answers.options import UNKNOWN, options_of
from snellen.scorers.choice import gold_letters, options_for, score_choice
from snellen.types import Sample

ANIMALS = options_of(["cat", "dog", "sheep"])


def sample(answer: Any, **metadata: Any) -> Sample:
    """A question about animals."""
    return Sample(
        "1", (), "Which animal is it?", metadata={"options": ["cat", "dog", "sheep"], **metadata}, answer=answer
    )


@pytest.mark.parametrize(
    ("gold", "letters"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(B)", "B"),
        ("B.", "B"),
        ("Answer: B", "B"),
        ("dog", "B"),
        ("The dog.", "B"),
        ("A, C", "AC"),
        ("AC", "AC"),
        ("A & C", "AC"),
        ("bird", ""),
        ("7", ""),
        ("", ""),
        (None, ""),
        (True, ""),
    ],
)
def test_gold_letters(gold: Any, letters: str) -> None:
    """A reference is a letter in any dress, several letters, or an option's text."""
    assert gold_letters(gold, ANIMALS) == frozenset(letters)


def test_a_letter_without_options() -> None:
    """Where the row states no options the letter alone is the reference."""
    assert gold_letters("C", UNKNOWN) == {"C"}


def test_an_unknown_list_reaches_to_the_reference() -> None:
    """A reference beyond J is read although the options are not known."""
    late = Sample("1", (), "Which?", answer="M")
    assert score_choice(late, "Answer: M", "M").value == 1
    assert score_choice(late, "Answer: N", "M").value == 0


def test_options_come_from_question_and_suffix() -> None:
    """Options that stand only in the prompt are seen."""
    assert options_for(Sample("1", (), "Which?", suffix="\nA. cat\nB. dog")).texts == ("cat", "dog")


@pytest.mark.parametrize(
    ("gold", "output", "value"),
    [
        ("B", "dog", 1),
        ("B", "A", 0),
        (["B", "C"], "C", 1),
        (["B", "C"], "A", 0),
        (["B", "C"], "B or C", 0),
        ("A, C", "C and A", 1),
        ("A, C", "A", 0),
        ("A, C", "A, B, C", 0),
        ("dog", "(b)", 1),
        ("B", None, 0),
    ],
)
def test_values(gold: Any, output: Any, value: float) -> None:
    """The asserted set must be the reference's; of a list of references any one."""
    assert score_choice(sample(gold), output, gold).value == value


def test_reasons() -> None:
    """A zero says why when that is not plain."""
    assert score_choice(sample("B"), "B or C", "B").reason == "several options are named"
    assert score_choice(sample("B"), "I cannot tell.", "B").reason == "the response declines to answer"
    assert score_choice(sample("B"), "bird", "B").reason == "no option found"
    assert score_choice(sample("bird"), "B", "bird").reason == "the reference names no option"
