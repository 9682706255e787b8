"""The public library's count readers, faults included."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import score_answer
from snellen.scorers.datbench_1_0.counting import countbench, summarise_countbench, tallyqa_number
from snellen.types import Sample, Score, ScoringContext


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7people", None),
        ("3rd", None),
        ("5_", None),
        ("1,234", 234),
        ("7.0", 0),
        ("3/5", 5),
        ("-3", 3),
        ("٣", 3),
        ("7 (4 left, 3 right)", 3),
        ("fourteen", 4),
        ("ninety", 9),
        ("none", 1),
        ("weight", 8),
        ("often", 10),
        ("one, two, three", 1),
        ("twenty-one", 1),
        ("cats", None),
        ("9" * 5000 + " two", 2),
        ("", None),
    ],
)
def test_countbench_number(text: str, number: int | None) -> None:
    """The last bare run of digits, else the first small number word in table order, also inside other words."""
    sample = Sample("1", (), "q", answer="5")
    assert countbench(sample, text, ScoringContext()).details["parsed_answer"] == number


@pytest.mark.parametrize(
    ("answer", "kept"), [("5", 5), (" 5 ", 5), ("5.0", "5.0"), ("nine", "nine"), (7, 7), (0, None), ("", None)]
)
def test_countbench_reference(answer: Any, kept: Any) -> None:
    """Text that is no plain integer is kept and never equals a number; a zero is lost."""
    assert countbench(Sample("1", (), "q", answer=answer), "5", ScoringContext()).details["ground_truth"] == kept


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twenty-one and 5", 21),
        ("sixty  \n two", 62),
        ("one hundred twenty five", 25),
        ("two hundred", 100),
        ("Therefore, the number of cats is five, although 6 are seen", 5),
        ("thus the answer is 5 (not 6)", 5),
        ("so the number of birds is 5 while the number of trees is 7", 5),
        ("the count is 4", 4),
        ("I count 5 of 9", 5),
        ("there are 5 cups and there are 3 plates", 3),
        ("answer is four", 4),
        ("final answer: 5 x", 5),
        ("result: 8 of 9", 8),
        ("results 5", 5),
        ("I can see 4 dogs, 2 cats", 4),
        ("contains 5 apples on 2 plates", 5),
        ("shows five people with 3 hats", 5),
        ("there are many. five", 5),
        ("number of red cars is 8 of 10", 10),
        ("1234567890", None),
        ("123456789", 123456789),
        ("1234567890 five", 5),
        ("five-six", None),
        ("Four.", 4),
        ("none", None),
        ("a dozen", None),
        ("THREE", 3),
        ("also the answer is 3", 3),
    ],
)
def test_tallyqa_number(text: str, number: int | None) -> None:
    """Compound words, then the sentence patterns in order (each by its last match), digits, words."""
    assert tallyqa_number(text) == number


@pytest.mark.parametrize("text", ["there are ² cats", "the answer is ⑤", "there are " + "7" * 5000 + " cats"])
def test_tallyqa_crashes_become_zero(text: str) -> None:
    """Where the public library fails, the sample scores 0 and says why."""
    row = {
        "id": "1", "image": None, "question": "q", "answer": "4", "metadata": {"is_simple": True},
        "source_info": {"dataset": "tallyqa"},
    }  # fmt: skip
    score = score_answer(row, text, "datbench-1.0")
    assert score.value == 0
    assert "ValueError" in score.reason


def test_errors_beyond_a_million_are_left_out() -> None:
    """A number beyond a million counts as unparsed for the rate and is left out of the mean error."""
    scores = [
        Score(0.0, details={"parsed_answer": number, "ground_truth": 5}) for number in (6, 2_000_000, None, 9, -1)
    ]
    summary = summarise_countbench(scores)
    assert summary["accuracy__CountBench-ParseRate"] == pytest.approx(2 / 5)
    assert summary["accuracy__CountBench-MAE"] == pytest.approx((1 + 4 + 6) / 3)
    assert summary["accuracy__CountBench-Within1"] == pytest.approx(1 / 5)
