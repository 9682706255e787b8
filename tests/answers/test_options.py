"""Options found in metadata, questions and suffixes."""

from __future__ import annotations

import pytest

from snellen.answers.options import UNKNOWN, find_options, lettered, options_of


@pytest.mark.parametrize(
    "metadata",
    [
        {"options": ["left", "right"]},
        {"options": ["(A) left", "(B) right"]},
        {"options": ["A. left", "B. right"]},
        {"options": "['left', 'right']"},
        {"choices": ["left", "right"]},
        {"options_struct": [{"text": "left"}, {"text": "right"}]},
        {"index2ans": {"B": "right", "A": "left"}},
        {"options": None, "answer_choices": ["left", "right"]},
    ],
)
def test_options_in_metadata(metadata: dict[str, object]) -> None:
    """Every place and spelling gives the same two texts."""
    assert find_options(metadata, "Which?").texts == ("left", "right")


@pytest.mark.parametrize(
    "text",
    [
        "A. left\nB. right",
        "(A) left (B) right",
        "(A) left\n(B)right",
        "A) left B) right",
        "Pick.\n a . left\n b . right",
        "Select from A and B. (A) left (B) right",
        "A: left\nB: right",
        "Which? A. left B. right",
    ],
)
def test_options_in_a_question(text: str) -> None:
    """Lettered lines and lettered runs are options."""
    assert lettered(text).texts == ("left", "right")


def test_the_suffix_is_looked_at_last() -> None:
    """Metadata beats the question, the question beats the suffix."""
    assert find_options({}, "Which?", "A. x\nB. y").texts == ("x", "y")
    assert find_options({}, "A. p\nB. q", "A. x\nB. y").texts == ("p", "q")
    assert find_options({"options": ["m", "n"]}, "A. p\nB. q").texts == ("m", "n")


@pytest.mark.parametrize("metadata", [{}, {"options": "['cat', 'dog'"}, {"options": 3}, {"options": []}])
def test_no_options(metadata: dict[str, object]) -> None:
    """A row that states none, or states them unreadably, compares letters alone."""
    assert find_options(metadata, "Which one?") == UNKNOWN


def test_numbers_are_options_too() -> None:
    """Options that are numbers are used as their text."""
    assert options_of([2, 4]).texts == ("2", "4")


def test_more_options_than_letters() -> None:
    """Beyond Z nothing is lettered."""
    assert len(options_of(range(40)).letters) == 26
