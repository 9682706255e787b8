"""Fair consensus accuracy: TextVQA and VQA v2."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import score_answer
from snellen.scorers.vqa import consensus


def score_of(dataset: str, references: list[str], output: str) -> float | None:
    """The fair score of an output against these references."""
    row: dict[str, Any] = {
        "id": "1", "image": None, "question": "q", "answer": references[0], "all_answers": references,
        "source_info": {"dataset": dataset},
    }  # fmt: skip
    return score_answer(row, output).value


@pytest.mark.parametrize("n_agreeing", range(11))
def test_ten_references_give_the_published_rule(n_agreeing: int) -> None:
    """The mean over leaving one reference out of min(1, agreeing others / 3)."""
    references = [i < n_agreeing for i in range(10)]
    by_hand = sum(min(1, (sum(references) - references[i]) / 3) for i in range(10)) / 10
    assert consensus(10, n_agreeing) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("n", "n_agreeing", "value"),
    [
        (1, 1, 1),
        (1, 0, 0),
        (2, 2, 1),
        (2, 1, 0.5),
        (3, 2, 1),
        (4, 4, 1),
        (5, 2, (2 * 0.75 + 3) / 5),
        (12, 3, (3 * (2 / 3) + 9) / 12),
    ],
)
def test_fewer_references_need_fewer_others(n: int, n_agreeing: int, value: float) -> None:
    """Of fewer than ten, max(1, 3(n−1)/9) others are needed; of more than ten, three."""
    assert consensus(n, n_agreeing) == pytest.approx(value)


@pytest.mark.parametrize("dataset", ["text-vqa", "vqa-v2"])
@pytest.mark.parametrize(
    ("reference", "output", "agrees"),
    [
        ("coca-cola", "coca cola", True),
        ("coca-cola", "cocacola", True),
        ("cocacola", "coca-cola", True),
        ("coca cola", "cocacola", False),
        ("t-shirt", "tshirt", True),
        ("a/b", "a b", True),
        ("a_b", "a b", True),
        ("1,000", "1000", True),
        ("1,000", "1 000", True),
        ("stop!", "STOP", True),
        ("u.s.a.", "usa", True),
        ("3.5", "3.5.", True),
        ("3.5", "35", False),
        ("a" + "." * 40, "a", True),
        ("the dog", "a dog", True),
        ("the", "the", True),
        ("the", "a", False),
        ("a", "", False),
        ("a", "an", False),
        ("twenty three", "23", True),
        ("23", "twenty-three", True),
        ("ninety nine", "99", True),
        ("none", "0", True),
        ("Im here", "i'm here", True),
        ("dont walk", "don't walk", True),
        ("john's", "johns", False),
        ("9:00", "9 00", False),
        ("9:00", "9:00 am", False),
        ("café", "cafe", False),
        ("ﬁx", "fix", True),
        ("5%", "-5%", False),
        ("-5", "5", False),
        ("-5", "−5", True),
        ("7-eleven", "7 eleven", True),
        ("no", "No, it's not", True),
        ("yes", "Yes, it is.", True),
        ("no", "No it isn't", True),
        ("no", "no parking", False),
        ("no", "nothing", False),
        (".5", "0.5", False),
        ("new york\ncity", "New York\nCity", True),
    ],
)
def test_agreement(dataset: str, reference: str, output: str, agrees: bool) -> None:
    """Two answers agree when they share one of the three normal forms."""
    assert score_of(dataset, [reference] * 10, output) == (1.0 if agrees else 0.0)


@pytest.mark.parametrize(
    ("reference", "output", "agrees"),
    [
        ("$5", "5", True),
        ("$5", "5%", False),
        ("$5", "5 dollars", True),
        ("$5", "£5", False),
        ("$5", "-5", False),
        ("$5.00", "5", True),
        ("50%", "50 percent", True),
        ("¥1200", "1200 yen", True),
        ("₹500", "Rs 500", True),
        ("€12", "12 euro", True),
        ("100%", "100 % cotton, 20 sizes", False),
        ("5", "5.0", False),
        ("$1,000", "1000", True),
        ("0%", "none", False),
    ],
)
def test_amounts_agree_in_textvqa_only(reference: str, output: str, agrees: bool) -> None:
    """One number of the same value without a conflicting unit agrees in TextVQA; VQA v2 compares text."""
    assert score_of("text-vqa", [reference] * 10, output) == (1.0 if agrees else 0.0)
    if "$" in reference and agrees:
        assert score_of("vqa-v2", [reference] * 10, output) == 0.0


def test_amounts_give_no_full_credit_to_a_minority() -> None:
    """One of ten references with the same amount earns what one of ten earns."""
    assert score_of("text-vqa", ["5"] + ["six"] * 9, "$5") == pytest.approx(0.3)


def test_missing_types_do_not_matter() -> None:
    """A VQA v2 row without answer and question type is scored by the fair rule."""
    assert score_of("vqa-v2", ["blue"] * 10, "blue") == 1
