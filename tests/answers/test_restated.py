"""Yes and no said by restating the question."""

from __future__ import annotations

import pytest

from snellen.answers.restated import restated_truth

LIGHT = "Is the light green?"


@pytest.mark.parametrize(
    ("question", "answer", "truth"),
    [
        (LIGHT, "It is not green.", "no"), (LIGHT, "The light is green", "yes"), (LIGHT, "It isn't.", "no"),
        (LIGHT, "The light is red.", ""), (LIGHT, "green", ""), (LIGHT, "It is not that it is not green", ""),
        ("Does the line cross zero?", "It does not.", "no"),
        ("Does the line cross zero?", "The line crosses zero", "yes"),
        ("Is A larger than B?", "B is larger than A", ""), ("Is it red or blue?", "It is blue.", ""),
        ("Isn't it red?", "It is red", ""), ("How many are red?", "They are red", ""), ("", "It is not", ""),
        ("See the chart. Can we turn left?\nA. Yes\nB. No", "We cannot turn left.", "no"),
    ],
)  # fmt: skip
def test_a_restated_claim(question: str, answer: str, truth: str) -> None:
    """Only the question's own words in their order, with at most one denial, restate it."""
    assert restated_truth(question, answer) == truth


def test_long_texts_end() -> None:
    """Endless questions and answers are bounded."""
    assert restated_truth(". is " * 100_000, "It is not.") == ""
    assert restated_truth(LIGHT, "not " * 100_000) == ""
