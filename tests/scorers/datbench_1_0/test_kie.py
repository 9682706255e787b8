"""CC-OCR key information by the public library's rules."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.datbench_1_0.kie import (
    aggregate_kie,
    normal_values,
    read_json,
    score_kie,
    set_f1,
    tree_similarity,
)
from snellen.types import Sample, Score, ScoringContext


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1, NaN]", None),
        ("42", 42),
        ('Sure: {"a": 1} done', {"a": 1}),
        ("{'a': 1}", {}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        (r'\boxed{{"a": 1}}', {"a": 1}),
        ('{"k": "v}"} x', {}),
        ('{"k": "}{"} x', {"k": "}{"}),
        ('{key: value} {"a": 1}', {}),
        ("", {}),
        (None, {}),
        ('{"a": 1} {"b": 2}', {"a": 1}),
        ('<|begin_of_box|>{"a": 1}<|end_of_box|> {"b": 2}', {"a": 1}),
        ('wrapped [{"a": 1}]', {"a": 1}),
    ],
)
def test_json_reading(text: Any, expected: Any) -> None:
    """Strict JSON, else from the first brace to where the counted braces balance, else {}."""
    found = read_json(text)
    assert found == expected if expected is not None else isinstance(found, list)


def test_values() -> None:
    """Only what stands inside dicts is brought to half width; nested lists become their printed form."""
    assert normal_values({"a": " Ａ  b ", "c": ["１", 2, [3], {"d": "ｘ"}], "e": 1}) == {
        "a": "A b",
        "c": ["1", "2", "[3]", {"d": "x"}],
        "e": 1,
    }
    assert normal_values([" Ａ "]) == [" Ａ "]


def test_f1() -> None:
    """Sets of dotted path and printed value, with the rounding term."""
    assert set_f1({"a": ["x", "x", "y"]}, {"a": ["x", "y"]}) == pytest.approx(2 / (2 + 1e-6))
    assert set_f1({"a.b": 1}, {"a": {"b": 1}}) == pytest.approx(1 / (1 + 1e-6))
    assert set_f1({"a": True}, {"a": "true"}) == set_f1({}, {}) == 0.0


def test_trees() -> None:
    """Costs are label lengths; null and blank add no leaf; the reference's labels divide."""
    assert tree_similarity({}, {}) == 1.0
    assert tree_similarity({"a": "x"}, {}) == 0.0
    assert tree_similarity({}, {"a": "x"}) == 0.0
    assert tree_similarity({"a": [None, " "]}, {"a": ["x", "y"]}) == pytest.approx(1 - 2 / 11)
    assert tree_similarity("text", {"ab": "cd"}) == pytest.approx(0.0)


def test_very_deep_records_score_zero_with_a_reason() -> None:
    """Where the public library crashes, the row is 0 and says why."""
    for depth in (950, 200_000):
        score = score_kie(Sample("1", (), "", answer="{}"), '{"a":' * depth + "1" + "}" * depth, ScoringContext())
        assert score.value == 0.0
        assert "RecursionError" in score.reason


def test_summary_leaves_out_what_is_unscored() -> None:
    """Means under the library's names."""
    scores = [Score(1.0, details={"f1_score": 1.0, "nted_score": 1.0}), Score(None, reason="bound")]
    assert aggregate_kie(scores) == {"f1_score": 1.0, "nted_score": 1.0, "accuracy": 1.0, "score": 1.0}
    assert aggregate_kie([Score(0.5, details={"f1_score": 0.5})]) == {"f1_score": 0.5, "accuracy": 0.5, "score": 0.5}
