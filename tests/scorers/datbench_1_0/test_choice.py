"""Parity rules of choice and grounding, clause by clause, faults included."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.datbench_1_0 import choice, grounding, logicvista, points, realworld
from snellen.scorers.datbench_1_0.ladder import climb
from snellen.scorers.datbench_1_0.refusals import Refusal
from snellen.types import Sample, Score, ScorerFunction, ScoringContext

TEXTS = {"A": "a cat", "B": "a dog"}


def score(rule: ScorerFunction, output: Any, answer: Any, question: str = "Which?", **metadata: Any) -> Score:
    """One output by one rule."""
    return rule(Sample("1", (), question, metadata=metadata, answer=answer), output, ScoringContext())


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("(A) or (B)", "B"),
        ("DNA tests", "A"),
        ("A or B", "B"),
        ("B.\n", "B"),
        ("A.b. and B.c", "A"),
        ("no letter", None),
        ("I can see that this is a dog", "B"),
        ("a dog", None),
        ("!!B??", "B"),
        ("it was a cat and then a dog there", "B"),
    ],
)
def test_the_ladder(text: str, letter: str | None) -> None:
    """Brackets, then spaces, then dots, then option texts in longer answers; the last place wins."""
    assert climb(text, ["A", "B"], TEXTS) == letter


def test_the_ladder_refuses_what_the_library_cannot_take() -> None:
    """No text, or an option that is no text, ends the public library's call."""
    with pytest.raises(Refusal):
        climb(None, ["A"], {})
    with pytest.raises(Refusal):
        climb("one two three four five six", ["A"], {"A": 3})


@pytest.mark.parametrize(
    ("output", "answer", "value"),
    [("B", 1, 1), ("A", 0, 0), ("B", "1", 0), ("B", "B", 0), ("a dog", 0, 0), ("no", None, 0)],
)
def test_ai2d(output: str, answer: Any, value: float) -> None:
    """Only an integer from 1 on can score."""
    assert score(choice.ai2d, output, answer).value == value


def test_mmbench_reads_the_last_line_and_a_bar() -> None:
    """The article is read as A, and a bar between words hides the answer."""
    options = {"options": ["cat", "dog"]}
    assert score(choice.mmbench, "This is a dog.", "A", **options).value == 1
    assert score(choice.mmbench, "x|y", "B", **options).details["extracted_output"] == "|"
    assert score(choice.mmbench, "B", "b", **options).value == 1
    assert score(choice.mmbench, "B", "B").value == 0


def test_mmmupro_reads_options_from_text() -> None:
    """Options may be a list written as text; malformed text ends the call."""
    assert score(choice.mmmupro, "B", ["A", "B"], options="['cat', 'dog']").value == 1
    refused = score(choice.mmmupro, "B", "B", options="['cat'")
    assert (refused.value, refused.details["raises"]) == (0.0, "SyntaxError")


def test_mmmu_takes_answer_lines_to_e_and_loses_open_questions() -> None:
    """`Answer: e.g. G` is E, an open answer scores 0, and the text None meets a miss."""
    assert score(choice.mmmu, "Answer: e.g. G", "E").value == 1
    assert score(choice.mmmu, "Answer: 24.5", "24.5").value == 0
    assert score(choice.mmmu, "whatever", "None").value == 1
    assert score(choice.mmmu, "B", ["A", "B"], all_choices=["A", "B"], index2ans={}).value == 1
    null = score(choice.mmmu, "one two three four five six", "None", all_choices=["A"], index2ans=None)
    assert (null.value, null.details["raises"]) == (0.0, "AttributeError")


@pytest.mark.parametrize(
    ("output", "answer", "value"),
    [
        ("two", "2", 1),
        ("two.", "2", 0),
        ("Stop.", "Stop.", 0),
        ("Stop.", "stop", 1),
        ("", "", 0),
        ("the red sofa", "A", 1),
        ("a", "A", 1),
        ("<think>B</think>A", "A", 1),
        ("Answer: (B)", "B", 1),
    ],
)
def test_realworldqa(output: str, answer: str, value: float) -> None:
    """Number words to ten, trailing dots of the prediction, options from lettered lines, overlap of words."""
    question = "Where?\nA. red sofa\nB. table" if answer in ("A", "B") else "How many?"
    assert score(realworld.realworldqa, output, answer, question).value == value


@pytest.mark.parametrize(
    ("output", "answer", "value"),
    [
        ("", "A", 1),
        ("(", "A", 1),
        ("The best answer is", "A", 1),
        ("E is out. Answer: C", "E", 1),
        ("red", "A", 1),
        ("x|y", "", 1),
    ],
)
def test_mme_realworld(output: str, answer: str, value: float) -> None:
    """The first letter wins and the empty text is found in the first option."""
    assert score(realworld.mme_realworld, output, answer, options=["(A) Red", "(B) Green"]).value == value


@pytest.mark.parametrize(
    ("output", "answer", "value"),
    [
        ("C", "C", 1),
        ("The answer is C.", "C", 0),
        ("I don't know", "D", 1),
        ("9", "7", 1),
        ("A C", "A, C", 1),
        ("", "", 1),
    ],
)
def test_logicvista(output: str, answer: str, value: float) -> None:
    """Every letter A to H of the final answer counts, and two empty sets are equal."""
    assert score(logicvista.logicvista, output, answer).value == value


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("[1, 2, 3, 4]", [0.001, 0.002, 0.003, 0.004]),
        ("(1, 2, 3, 4)", [0, 0, 0, 0]),
        ("[.5, .5, .6, .6]", [0.005, 0.005, 0.006, 0.006]),
        ("[1] [1, 2, 3, 4]", [0, 0, 0, 0]),
        ("[] [0.1, 0.2, 0.3, 0.4]", [0.1, 0.2, 0.3, 0.4]),
        ("", [0, 0, 0, 0]),
        (None, [0, 0, 0, 0]),
        (r"\boxed{1,2} [0.1,0.2,0.3,0.4]", [0.1, 0.2, 0.3, 0.4]),
        ("[100-300, 2, 3]", [0.1, 0.0, 0.002, 0.003]),
    ],
)
def test_boxes(text: Any, box: list[float]) -> None:
    """The last box or the first bracket with four numbers, one rule for the scale, no reordering."""
    assert grounding.read_box(text) == pytest.approx(box)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("120, 870, 300, 400", [[0.12, 0.87], [0.3, 0.4]]),
        ("1,2,3", [[0.001, 0.002]]),
        ("( 500, 500 )", [[0.5, 0.5]]),
        (r"\boxed{10, 20" + "\n30, 40}", [[0.01, 0.02], [0.03, 0.04], [0.02, 0.03]]),
        ("500 500", []),
        ("1.2.3, 4", [[0.0023, 0.004]]),
        (r"\boxed{1, 1} \boxed{500, 500}", [[0.5, 0.5]]),
        ("(1, 0.5)", [[1.0, 0.5]]),
        ("(-500, 500)", [[0.5, 0.5]]),
    ],
)
def test_points(text: str, found: list[list[float]]) -> None:
    """The last box with a pair, then round, square and bare pairs; each pair has its own scale."""
    got = points.read_points(text)
    assert len(got) == len(found)
    assert [value for pair in got for value in pair] == pytest.approx([value for pair in found for value in pair])


def test_missing_keys_end_the_call() -> None:
    """Rows without their metadata are 0 with the reason."""
    assert score(grounding.refcoco, "[1,2,3,4]", "").details["raises"] == "ValueError"
    assert score(grounding.refcoco, "[1,2,3,4]", "", bbox=None).details["raises"] == "TypeError"
    assert score(points.pixmo_points, "(1, 2)", "", points_target=[]).details["raises"] == "ValueError"


def test_summaries_of_nothing() -> None:
    """No scores give zeros under the same keys."""
    assert set(grounding.summary([]).values()) == {0.0}
    assert set(points.summary([]).values()) == {0.0}
