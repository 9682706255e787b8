"""Questions that are multiple choice in some rows and open in others."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import score_answer
from snellen.scorers.questions import score_open


def row(dataset: str, answer: Any, question: str = "Which?", **metadata: Any) -> dict[str, Any]:
    """A row in the public schema."""
    return {
        "id": "1",
        "image": None,
        "question": question,
        "answer": answer,
        "all_answers": [answer],
        "metadata": metadata,
        "source_info": {"dataset": dataset},
    }


@pytest.mark.parametrize(
    ("answer", "output", "value"),
    [
        ("1", "B", 1),
        (1, "dog", 1),
        (0, "(A)", 1),
        ("B", "b", 1),
        ("dog", "Answer: B", 1),
        ("1", "A", 0),
        (True, "B", 0),
    ],
)
def test_ai2d_counts_from_zero(answer: Any, output: str, value: float) -> None:
    """The reference of ai2d is an index, its digits, a letter or a text."""
    assert score_answer(row("ai2d", answer, options=["cat", "dog"]), output).value == value


@pytest.mark.parametrize(
    ("answer", "output", "value"),
    [
        ("2", "two", 1),
        ("2", "2 people", 1),
        ("2", "2.0", 1),
        ("2", "3", 0),
        ("No", "no!", 1),
        ("No", "No, it is not", 1),
        ("Stop.", "STOP", 1),
        ("24.5", "The answer is 24.5 V.", 1),
        ("1,250", "1250", 1),
        ("photosynthesis", "respiration", 0),
        ("None", "", 0),
        ("None", "none", 1),
        ("", "x", 0),
        (3, "three", 1),
        ("7", "9", 0),
    ],
)
def test_open_answers(answer: Any, output: str, value: float) -> None:
    """Without options the exact value in any spelling, or the same wording, is right."""
    assert score_answer(row("mmmu", answer, options=[]), output).value == value


@pytest.mark.parametrize("metadata", [{"options": None}, {"options": [3, 4]}, {"options": "['cat', "}, {}])
def test_damaged_options_do_no_harm(metadata: dict[str, Any]) -> None:
    """Null, numeric, malformed and missing options still let a letter be compared."""
    for dataset in ("mmbench", "mmmupro", "mmmu", "logicvista", "realworldqa", "mme-realworld-ocr"):
        assert score_answer(row(dataset, "A", **metadata), "Answer: A").value == 1


def test_a_tolerance_can_be_given() -> None:
    """`score_open` is exact unless a rule says otherwise, and says what is missing."""
    assert score_open("100", ["101"]).value == 0
    assert score_open("100", []).reason == "the row has no reference"
    assert score_open("", ["1"]).reason == "no answer found"
