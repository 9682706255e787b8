"""Answers that are taken back or left open."""

from __future__ import annotations

import pytest

from snellen.answers.second_thoughts import corrected, leaves_open


@pytest.mark.parametrize(
    ("text", "final"),
    [
        ("Lyon, no, Paris", "Paris"), ("Lyon. No wait, Paris", "Paris"), ("Lyon... actually, Paris", "Paris"),
        ("12, I mean 13", "13"), ("red - sorry, blue", "blue"), ("a, no, b, no, c", "c"), ("Invoice No. 5", ""),
        ("No, it is red", ""), ("Dr. No", ""), ("yes", ""), ("", ""),
    ],
)  # fmt: skip
def test_the_last_thought_counts(text: str, final: str) -> None:
    """What stands behind the last turn is the answer; a "no" that opens a text or names something is no turn."""
    assert corrected(text) == final


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("paris or lyon", True), ("lyon or paris", True), ("either paris or lyon", True),
        ("it's paris, or lyon", True),
        ("paris", False), ("oregon", False), ("paris or bust", False), ("lyon or nice", False),
    ],
)  # fmt: skip
def test_a_truth_named_beside_another_answer_leaves_it_open(text: str, is_open: bool) -> None:
    """Only a truth that stands beside another candidate is left open, not a truth that holds "or" itself."""
    assert leaves_open(text, ["paris", "paris or bust"]) is is_open


def test_long_texts_end() -> None:
    """Endless turns and alternatives are read once."""
    assert corrected("a, no, " * 100_000 + "b") == "b"
    assert not leaves_open("a or " * 100_000, ["b"])
