"""Fair exact count: CountBench and TallyQA."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import score_answer
from snellen.scorers.counting import true_count
from snellen.types import Sample


def row(dataset: str, answer: Any, question: str = "How many are there?") -> dict[str, Any]:
    """A counting row without metadata."""
    return {
        "id": "1", "image": None, "question": question, "answer": answer, "all_answers": [str(answer)],
        "source_info": {"dataset": dataset},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "count"),
    [("9", 9), ("9.0", 9), (9.0, 9), ("1,000", 1000), ("nine", 9), ("Nine.", 9), (0, 0), ("0", 0), ("-2", -2),
     ("twenty-one", 21), ("3.5", None), ("some", None), ("", None), (None, None), ("9 or 10", None), ("50%", None),
     (float("nan"), None), (float("inf"), None), ("9 cats", None)],
)  # fmt: skip
def test_reference(answer: Any, count: int | None) -> None:
    """Any text or number that denotes a whole number is a reference, nothing else is."""
    assert true_count(Sample("1", (), "q", answer=answer)) == count


@pytest.mark.parametrize("dataset", ["countbench", "tallyqa"])
def test_exact_count(dataset: str) -> None:
    """Only the exact number is right, however it is written, and what was read is told."""
    score = score_answer(row(dataset, "12"), "There are a dozen eggs.")
    assert (score.value, score.details["parsed_answer"]) == (1.0, 12)
    assert score_answer(row(dataset, "12"), "11").value == 0


def test_noun_of_the_question() -> None:
    """Of two things counted the asked one counts."""
    question = "How many dogs are there?"
    assert score_answer(row("tallyqa", "2", question), "There are 5 cats and 2 dogs.").value == 1


def test_reasons() -> None:
    """A row without a number and a response without a count say so."""
    assert score_answer(row("countbench", ""), "5").reason == "no reference"
    assert score_answer(row("countbench", "5"), "Answer: unknown").reason == "no count found"


def test_reference_that_is_no_number() -> None:
    """An option's letter or a word as reference is compared as such."""
    lettered = row("countbench", "C") | {"metadata": {"options": ["red", "blue", "green"]}}
    assert [score_answer(lettered, output).value for output in ("(C)", "(B)", "3")] == [1, 0, 0]
    assert [score_answer(row("tallyqa", "several"), output).value for output in ("Several.", "7")] == [1, 0]
