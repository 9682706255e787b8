"""OCRBench v2 by the public library's rules, quirk by quirk."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.datbench_1_0.ocrbench import score_ocrbench
from snellen.scorers.datbench_1_0.ocrbench_fields import field_f1, last_box, read_pairs
from snellen.types import Sample, Score, ScoringContext

BOX = [100, 200, 300, 400]


def score(task: str, references: Any, output: Any, question: str = "q", **metadata: Any) -> Score:
    """Score one answer."""
    sample = Sample("1", (), question, all_answers=references, metadata={"type": task, **metadata})
    return score_ocrbench(sample, output, ScoringContext())


QUIRKS: list[tuple[str, Any, Any, dict[str, Any], float]] = [
    ("text recognition en", ["cat"], "concatenate", {}, 1.0),
    ("text recognition en", [""], "x", {}, 1.0),
    ("text recognition en", ["Golden Gate"], "Golden\nGate", {}, 0.0),
    ("text recognition en", ["GoLd"], "gold", {"eval": "case sensitive"}, 0.0),
    ("science QA en", ["B"], "The answer is B", {"eval": "multiple choice"}, 0.0),
    ("science QA en", ["A", "B"], "A", {"eval": "multiple choice"}, 0.0),
    ("cognition VQA cn", ["a,b,c,d"], "a,b,c,e", {}, 6 / 7),
    ("text translation cn", ["AbC"], "a b c", {"eval": "case sensitive"}, 1.0),
    ("formula recognition en", [r"\text{a}"], "a", {}, 0.0),
    ("formula recognition cn", [r"\text{a}"], "a", {}, 1.0),
    ("formula recognition cn", [r"\text{a}", "b"], "a", {}, 0.0),
    ("text counting en", ["5"], "15", {}, 1.0),
    ("text counting en", ["5"], "five", {}, 0.0),
    ("text counting en", ["0"], "0", {"eval": "regression"}, 0.0),
    ("text counting en", ["10"], "3 or 10", {"eval": "regression"}, 0.0),
    ("text counting en", ["x", "10"], "10", {"eval": "regression"}, 1.0),
    ("text counting en", "10", "10", {"eval": "weird"}, 0.0),
    ("table parsing en", ["| a |"], "|a|", {}, 0.0),
    ("full-page OCR en", ["abc"], "abc", {}, 0.25),
    ("full-page OCR en", [], "abc", {}, 0.0),
    ("full-page OCR en", [""], "", {}, 0.25),
    ("text spotting en", ["EXIT", "1"], "EXIT 5,5,6,6", {}, 1.0),
    ("VQA with position en", ["hello"], '{"answer": "hello", "bbox": [0.1, 0.2, 0.3, 0.4]}', {"bbox": BOX}, 0.5),
    ("VQA with position en", ["hello"], '{"answer": "hello", "bbox": [300, 400, 100, 200]}', {"bbox": BOX}, 0.5),
    ("VQA with position en", ["hello"], "[100,200,300,400] [1,2,3,4] hello [100,200,300,400]", {"bbox": BOX}, 0.5),
    ("VQA with position en", ["hello"], "hello [100, 200, 300, 400]", {"bbox": str(BOX)}, 0.5),
    ("unknown", ["x"], "axb", {}, 1.0),
]


@pytest.mark.parametrize(("task", "references", "output", "metadata", "expected"), QUIRKS)
def test_quirks(task: str, references: Any, output: Any, metadata: dict[str, Any], expected: float) -> None:
    """The library's value, fault included."""
    assert score(task, references, output, **metadata).value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("task", "references", "output", "metadata"),
    [
        ("text recognition en", None, "x", {}),
        ("formula recognition en", [5], "5", {}),
        ("formula recognition cn", [5], "5", {}),
        ("text counting en", [10], "10", {"eval": "exact match"}),
        ("full-page OCR en", [5], "5", {}),
        ("VQA with position en", ["x"], '{"answer": ["x"], "bbox": [1, 2, 3, 4]}', {"bbox": BOX}),
        ("VQA with position en", ["x"], '{"answer": null}', {"bbox": BOX}),
        ("VQA with position en", ["x"], "[1, 2, 3, 4]", {"bbox": [1, 2]}),
    ],
)
def test_crashes_score_zero_with_a_reason(task: str, references: Any, output: Any, metadata: dict[str, Any]) -> None:
    """One bad row never ends a run."""
    got = score(task, references, output, **metadata)
    assert got.value == 0.0
    assert "raises" in got.reason


def test_html_tables_are_zero_in_a_plain_install() -> None:
    """A perfect table too."""
    assert score("table parsing cn", ["<table></table>"], "<table></table>", "请用HTML输出表格").value == 0.0


def test_essays_are_pages() -> None:
    """Handwritten short-answer questions get a quarter of the edit similarity."""
    assert score("handwritten answer extraction cn", ["北京"], "北京", "简答题").value == 0.25


def test_listed_reference_values_are_alternatives() -> None:
    """The best F1 over all combinations; an empty list empties the whole reference."""
    assert field_f1('{"a": "y", "b": "z"}', ["{'a': ['x', 'y'], 'b': 'z'}"]) == 1.0
    assert field_f1('{"a": "y"}', ["{'a': 'y', 'b': []}"]) == 0.0
    assert field_f1('{"a": 0}', ["{'a': 0}"]) == 1.0
    assert field_f1('{"a": 0}', ["{'a': '0'}"]) == 0.0
    assert field_f1("{}", ["[1]"]) == field_f1("{}", []) == field_f1("{}", ["nonsense"]) == 0.0


def test_many_alternatives_cost_little() -> None:
    """Thirty fields of ten alternatives each are 10³⁰ combinations, and one pass."""
    reference = {str(key): [str(value) for value in range(10)] for key in range(30)}
    assert field_f1(str(dict.fromkeys(reference, "9")), [reference]) == 1.0


def test_loose_pairs() -> None:
    """Runs of word characters and blanks before a colon or an equals sign; later pairs win."""
    assert read_pairs("name: Joe's Cafe\na b = 'x', a b = y") == {"name": "Joe", "s Cafe\na b": "x", "a b": "y"}
    assert read_pairs("word " * 50_000) == {}


def test_last_box_keeps_the_first_place_of_a_repeat() -> None:
    """A repeated box is not the last one; values above 1000 are no box."""
    assert last_box("[1,2,3,4] (5, 6, 7, 8) [1, 2, 3, 4]") == (5, 6, 7, 8)
    assert last_box("[1,2,3,1001]") is None
