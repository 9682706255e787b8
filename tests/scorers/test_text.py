"""Fair ANLS and exact match: DocVQA, InfographicVQA, OCR-VQA and datasets without a rule."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import score_answer
from snellen.scorers.references import comparable, references_of
from snellen.scorers.text import anls_similarity
from snellen.types import Sample


def row(dataset: str, references: Any, answer: Any = ...) -> dict[str, Any]:
    """A DatBench row with these references."""
    canonical = (references[0] if references else "") if answer is ... else answer
    return {
        "id": "1", "image": None, "question": "q", "answer": canonical, "all_answers": references,
        "source_info": {"dataset": dataset},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "output", "value"),
    [
        ("abcdefghij", "abcdefghzz", 0.8),
        ("klmnopqrst", "klmnop", 0.6),
        ("klmnopqrst", "klmno", 0.0),
        ("1,000", "1000", 0.8),
        ("42", "42.0", 0.0),
        ("ß", "ss", 0.0),
        ("Große Straße", "grosse strasse", 1 - 4 / 14),
        ("ﬁx", "fix", 1.0),
        ("Café", "Café", 1.0),
        ("full width", "ｆｕｌｌ　ｗｉｄｔｈ", 1.0),
        ("Hello world", "hello   WORLD", 1.0),
        ("O'Neill", "O’Neill", 1.0),
    ],
)
@pytest.mark.parametrize("dataset", ["docvqa", "infovqa"])
def test_anls(dataset: str, reference: str, output: str, value: float) -> None:
    """Distance over the longer length, folded and in lower case, 0 from one half wrong on."""
    assert score_answer(row(dataset, [reference]), output).value == pytest.approx(value)


@pytest.mark.parametrize("dataset", ["docvqa", "infovqa", "ocr-vqa"])
def test_best_of_all_references(dataset: str) -> None:
    """Every accepted answer counts, and the one that matched is told."""
    score = score_answer(row(dataset, ["37.5%", "37.5"]), "Answer: 37.5")
    assert (score.value, score.details["matched_reference"]) == (1.0, "37.5")


@pytest.mark.parametrize("dataset", ["docvqa", "infovqa", "ocr-vqa"])
@pytest.mark.parametrize(
    ("reference", "output", "value"),
    [
        ("No", "no.", 1), ("東京都", "東京都。", 1), ("Dune", "dune!", 1), ("Dune", "Dune;", 1), ("Dune", "Dune,", 1),
        ("Acme Inc.", "Acme Inc.", 1), ("yes", "Yes, it does", 1), ("no", "No - it is not", 1), ("no", "No it is", 1),
        ("yes", "yesterday", 0), ("Dune", "Dune (the novel)", 0),
    ],
)  # fmt: skip
def test_tolerances(dataset: str, reference: str, output: str, value: float) -> None:
    """One closing mark and what follows a yes or no are forgiven, no more."""
    assert score_answer(row(dataset, [reference]), output).value == value


@pytest.mark.parametrize("output", ["abcdefghiz", "A Brief History", "Dun"])
def test_ocr_vqa_has_no_partial_credit(output: str) -> None:
    """OCR-VQA reports accuracy: a one-letter slip is wrong."""
    assert score_answer(row("ocr-vqa", ["abcdefghij", "A Brief History of Time", "Dune"]), output).value == 0


def test_a_reference_of_several_lines_may_be_repeated_as_it_stands() -> None:
    """A whole response that equals a reference is right, also where the reader would take one line of it."""
    assert score_answer(row("ocr-vqa", ["The  Art\nof War"]), "The Art\nof War").value == 1
    assert score_answer(row("docvqa", ['"Dune"']), '"Dune"').value == 1


def test_a_passage_is_compared_as_a_whole() -> None:
    """A reference of several lines or many words earns what the whole response earns, labels and fences aside."""
    passage = "3 MovieShots Dataset\nTo facilitate the shot type analysis\nin videos, we collect shots."
    typed = passage.replace("facilitate", "facilitata")
    for output in (
        typed,
        f"Answer: {typed}",
        f"```\n{typed}\n```",
        typed.replace("\n", " "),
        f"<answer>{typed}</answer>",
    ):
        assert score_answer(row("docvqa", [passage]), output).value == pytest.approx(1 - 1 / len(passage))
    assert score_answer(row("docvqa", ["short answer"]), "short answer\nand more\nlines").value == 0


@pytest.mark.parametrize(
    ("all_answers", "answer", "expected"),
    [
        (None, "a", ["a"]),
        ([], "a", ["a"]),
        (["b", " ", None, 5], "a", ["b", "5"]),
        (["  "], "a", []),
        ("b", "a", ["b"]),
        (None, None, ["r"]),
    ],
)
def test_references(all_answers: Any, answer: Any, expected: list[str]) -> None:
    """Missing references fall back to the answer, blank ones are none."""
    sample = Sample("1", (), "q", references=("r",), answer=answer, all_answers=all_answers)
    assert references_of(sample) == expected


def test_no_reference_scores_zero_and_says_so() -> None:
    """A blank reference is matched by nothing, not even by an empty response."""
    for output in ("", "hello", "   "):
        score = score_answer(row("docvqa", ["   "]), output)
        assert (score.value, score.reason) == (0.0, "no reference")


def test_no_answer_is_told() -> None:
    """A response that holds no answer says so."""
    assert score_answer(row("docvqa", ["x"]), "<think>x").reason == "no answer found"


@pytest.mark.parametrize(
    ("one", "other", "value"), [("", "", 1.0), ("a", "", 0.0), ("ab", "ac", 0.0), ("abc", "abd", 2 / 3)]
)
def test_anls_similarity(one: str, other: str, value: float) -> None:
    """Two empty texts are alike, exactly half wrong is 0."""
    assert anls_similarity(one, other) == pytest.approx(value)


def test_comparable_is_stable() -> None:
    """Making a text comparable twice changes nothing more."""
    for text in ("ﬁ ’x’", "ＡＢＣ\u200b", "a\u0301", "İ"):
        assert comparable(comparable(text)) == comparable(text)


@pytest.mark.parametrize(
    ("reference", "output", "value"),
    [
        ("R. J. Reynolds Tobacco Company", "R. J. Reynolds Tobacco Company or Philip Morris", 0.0),
        ("yes", "yes or no", 0.0),
        ("yes", "Yes, it does", 1.0),
        ("black or white", "Black or white", 1.0),
        ("Paris", "Lyon. No wait, Paris", 1.0),
        ("Paris", "Paris, no, Lyon", 0.0),
        ("Invoice No. 5", "invoice no. 6", 12 / 13),
    ],
)
def test_an_open_or_corrected_answer(reference: str, output: str, value: float) -> None:
    """Two candidates earn nothing, also where one is a yes or resembles the truth; a correction counts."""
    assert score_answer(row("docvqa", [reference]), output, "fair").value == pytest.approx(value)
