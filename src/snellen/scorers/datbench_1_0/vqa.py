"""TextVQA and VQA v2 as the public library scores them: answer processors and soft accuracy, faults included.

References:
    Antol et al., VQA, 2015, arXiv 1505.00468; Goyal et al., VQA v2, 2017, arXiv 1612.00837.
    Singh et al., Towards VQA Models That Can Read, 2019, arXiv 1904.08920 (TextVQA).

Deviates: number words and articles of the references are normalised as well; TextVQA gives a price full credit when a
single reference holds the same digits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.text import mean_detail
from snellen.scorers.vqa_tables import ARTICLES, CONTRACTIONS, NUMBER_WORDS, PUNCTUATION
from snellen.types import Sample, Score, ScoringContext

_MARK = re.compile("[" + re.escape("".join(PUNCTUATION)) + "]")
_PERIOD = re.compile(r"\.(?!\d)")
_MAX_PERIODS = 32
_DIGIT_COMMA_DIGIT = re.compile(r"\d,\d")
_NOT_NUMERIC = re.compile(r"[^0-9.]")
_SYMBOLS = re.compile("[$£€¥₹%]")


def soft_accuracy(n_references: int, n_equal: int) -> float:
    """Mean over the references of min(1, how many *others* agree / 3).

    >>> [round(soft_accuracy(10, k), 9) for k in range(5)]
    [0.0, 0.3, 0.6, 0.9, 1.0]
    """
    if not n_references or not n_equal:
        return 0.0
    same = n_equal * min(1.0, (n_equal - 1) / 3)
    return (same + (n_references - n_equal) * min(1.0, n_equal / 3)) / n_references


def process_textvqa(text: Any) -> str:
    """Normal form of a TextVQA answer.

    >>> process_textvqa("The Coca-Cola, two!")
    'coca cola 2'
    """
    kept = str(text).lower().replace(",", "").replace("?", "").replace("'s", " 's").strip()
    kept = kept.replace("\n", " ").replace("\t", " ").strip()
    return _words(_without_marks(kept, delete_all=False))


def process_vqa(text: Any) -> str:
    """Normal form of a VQA v2 answer.

    >>> process_vqa("1,000 dogs"), process_vqa("red/blue")
    ('1000 dogs', 'red blue')
    """
    kept = str(text).lower().strip().replace("\n", " ").replace("\t", " ").strip()
    return _words(_without_marks(kept, delete_all=bool(_DIGIT_COMMA_DIGIT.search(kept))))


def _without_marks(text: str, *, delete_all: bool) -> str:
    present = set(_MARK.findall(text))
    if not present:
        return text
    spaced = (mark for mark in present if not (delete_all or mark + " " in text or " " + mark in text))
    return text.translate(dict.fromkeys(map(ord, present), None) | dict.fromkeys(map(ord, spaced), " "))


def _words(text: str) -> str:
    if "." in text:
        text = _PERIOD.sub("", text, count=_MAX_PERIODS)
    words = (NUMBER_WORDS.get(word, word) for word in text.lower().split())
    return " ".join(CONTRACTIONS.get(word, word) for word in words if word not in ARTICLES)


def _base(prediction: str, references: list[Any], process: Callable[[Any], str]) -> float:
    wanted = process(prediction)
    forms = {reference: process(reference) for reference in set(map(str, references))}
    return soft_accuracy(len(references), sum(forms[str(reference)] == wanted for reference in references))


def text_vqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Soft accuracy, else full credit for the same digits beside a currency or percent sign."""
    prediction = final_answer(output)
    if sample.all_answers is None:
        raise TypeError("all_answers is null")
    references = list(sample.all_answers)
    value = _base(prediction, references, process_textvqa)
    if value == 0 and _same_digits(prediction, references):
        value = 1.0
    details = {
        "score": value,
        "ground_truth_answers": sample.all_answers,
        "model_output": output,
        "pred_answer": prediction,
    }
    return Score(value, prediction, details)


def vqa_v2(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Soft accuracy against all references."""
    prediction = final_answer(output)
    value = _base(prediction, list(sample.all_answers or ()), process_vqa)
    details = {
        "score": value,
        "ground_truth_answers": sample.all_answers,
        "model_output": output,
        "pred_answer": prediction,
        "answer_type": sample.metadata.get("answer_type"),
        "question_type": sample.metadata.get("question_type"),
    }
    return Score(value, prediction, details)


def _same_digits(prediction: str, references: list[Any]) -> bool:
    texts = [str(reference) for reference in references]
    if not any(map(_SYMBOLS.search, (prediction, *texts))) or not _has_digit(prediction):
        return False
    number = _digits(prediction)
    return bool(number) and any(_has_digit(text) and _digits(text) == number for text in texts)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _digits(text: str) -> str:
    kept = _NOT_NUMERIC.sub("", text)
    if kept.count(".") > 1:
        pieces = [piece for piece in kept.split(".") if piece]
        kept = pieces[0] + "." + "".join(pieces[1:]) if pieces else ""
    return kept.strip(".")


def summarise_text_vqa(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of TextVQA."""
    return {"accuracy__TextVQA-OCR": mean_detail(scores, lambda score: score.value)}


def summarise_vqa_v2(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of VQA v2: overall, and by answer type and question type."""
    return {
        "accuracy": mean_detail(scores, lambda score: score.value),
        "accuracy-by-answer-type": _by(scores, "answer_type"),
        "accuracy-by-question-type": _by(scores, "question_type"),
    }


def _by(scores: list[Score], key: str) -> dict[Any, float]:
    groups: dict[Any, list[Score]] = defaultdict(list)
    for score in scores:
        if score.value is not None and key in score.details:
            groups[score.details[key]].append(score)
    return {name: mean_detail(group, lambda score: score.value) for name, group in groups.items()}
