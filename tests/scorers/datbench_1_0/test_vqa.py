"""The public library's VQA answer processors, faults included."""

from __future__ import annotations

import pytest

from snellen.scorers import score_answer
from snellen.scorers.datbench_1_0.vqa import process_textvqa, process_vqa


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("The coca-cola", "coca cola"),
        ("coca - cola", "coca cola"),
        ("coca- cola-x", "coca colax"),
        ("1,000?", "1000"),
        ("john's", "john 's"),
        ("u.s.a.", "usa"),
        (".5", ".5"),
        ("3.5.", "3.5"),
        ("a" + "." * 40, "a........"),
        ("none", "0"),
        ("eleven", "eleven"),
        ("Im", "im"),
        ("dont", "don't"),
        ("a", ""),
        ("a\nb\tc", "b c"),
        ("**stop**", "**stop**"),
    ],
)
def test_textvqa_form(text: str, form: str) -> None:
    """Commas and question marks go first; other marks become blanks unless they stand next to one."""
    assert process_textvqa(text) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("1,000 x-y", "1000 xy"),
        ("1, 000", "1 000"),
        ("a,b", "b"),
        ("john's", "john's"),
        ("", ""),
        ("a_b", "b"),
        ("1,234 - 5", "1234 5"),
    ],
)
def test_vqa_form(text: str, form: str) -> None:
    """A digit-comma-digit anywhere deletes every mark."""
    assert process_vqa(text) == form


@pytest.mark.parametrize(
    ("references", "output", "value"),
    [
        (["$5"], "5", 1),
        (["$5"] * 10, "5%", 1),
        (["5"] + ["six"] * 9, "$5", 1),
        (["5"] + ["six"] * 9, "5", 0.3),
        (["5"] * 10, "-5", 1),
        (["$5.0.0"] * 10, "5.00", 1),
        (["$"] * 10, "5", 0),
        (["blue"], "blue", 0),
        (["blue"] * 2, "blue", 1 / 3),
        (["blue"] * 3, "blue", 2 / 3),
        (["blue"] * 4, "blue", 1),
        ([], "x", 0),
    ],
)
def test_text_vqa(references: list[str], output: str, value: float) -> None:
    """Few references give no full score, and a symbol anywhere lets the same digits earn everything."""
    row = {
        "id": "1", "image": None, "question": "q", "answer": "x", "all_answers": references,
        "source_info": {"dataset": "text-vqa"},
    }  # fmt: skip
    assert score_answer(row, output, "datbench-1.0").value == pytest.approx(value)


@pytest.mark.parametrize(("dataset", "reason"), [("text-vqa", "TypeError"), ("vqa-v2", "")])
def test_null_references(dataset: str, reason: str) -> None:
    """Without references TextVQA fails as published and VQA v2 scores 0."""
    row = {
        "id": "1", "image": None, "question": "q", "answer": "x", "all_answers": None,
        "metadata": {"answer_type": "a", "question_type": "b"}, "source_info": {"dataset": dataset},
    }  # fmt: skip
    score = score_answer(row, "x", "datbench-1.0")
    assert score.value == 0
    assert reason in score.reason
