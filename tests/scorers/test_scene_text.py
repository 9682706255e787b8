"""Fair multi-scene OCR: bag F1 over words and characters."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.answers.whole_text import read_whole
from snellen.scorers import score_answer
from snellen.scorers.scene_text import tokens


def value_of(reference: Any, output: Any) -> float | None:
    """The fair score."""
    row = {
        "id": "1", "image": None, "question": "q", "answer": reference, "all_answers": [reference],
        "source_info": {"dataset": "cc-ocr-multi_scene_ocr"},
    }  # fmt: skip
    return score_answer(row, output).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Grand-Hotel, est. 1932", ["grandhotel", "est", "1932"]),
        ("北京 Peking", ["北", "京", "peking"]),
        ("北京Peking", ["北", "京", "peking"]),
        ("カタ", ["カ", "タ"]),
        ("한국", ["한", "국"]),
        ("مر", ["م", "ر"]),
        ("###SALE*** 50%", ["sale", "50"]),
        ("Cafe\u0301 ΑΒΓ", ["café", "αβγ"]),
        ("snake_case ＯＰＥＮ", ["snakecase", "open"]),
        ("!!! – …", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    """Words with letters and digits only for spaced scripts, single characters for the others."""
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("reference", "output", "value"),
    [
        ("OPEN 24 HOURS", "hours 24 open", 1),
        ("OPEN 24 HOURS", "NEPO 42 SRUOH", 0),
        ("a b", "a", 2 / 3),
        ("a b", "a b a b", 2 / 3),
        ("新年快乐", "新年", 2 / 3),
        ("新年快乐", "我不知道", 0),
        ("!!!", "!!!", 1),
        ("!!!", "???", 0),
        ("", "", 1),
        ("", "x", 0),
        ("x", "", 0),
        ("x", None, 0),
        (None, "x", 0),
    ],
)
def test_f1(reference: Any, output: Any, value: float) -> None:
    """Order inside the bag is free, two empty texts are alike, marks count where there is nothing else."""
    assert value_of(reference, output) == pytest.approx(value)


@pytest.mark.parametrize(
    "wrapped",
    ["<|begin_of_box|>OPEN NOW<|end_of_box|>", r"\boxed{OPEN NOW}", "Answer: OPEN NOW", "**Final Answer:** OPEN NOW",
     "<think>It says CLOSED</think>OPEN NOW",
     "```\nOPEN NOW\n```", "<answer>OPEN NOW</answer>", r"The text is \boxed{OPEN NOW}"],
)  # fmt: skip
def test_wrappers_are_no_text(wrapped: str) -> None:
    """Box, label, fence and reasoning are not part of what was read."""
    assert read_whole(wrapped) == "OPEN NOW"
    assert value_of("OPEN NOW", wrapped) == 1
