"""OCRBench v2 as the public library scores it in a plain install: a rule for each question type, and the means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.ocrbench_fields import answer_with_box, field_f1
from snellen.scorers.datbench_1_0.ocrbench_text import (
    chinese_formula,
    chinese_vqa,
    counting,
    formula,
    full_page,
    multiple_choice,
    vqa,
    vqa_case_sensitive,
)
from snellen.types import Sample, Score, ScoringContext

Rule = Callable[[str, Sample], float]


def _by_eval(multiple: bool, cased: bool, other: str) -> Callable[[Sample], str]:
    """Method by the row's `eval`: choices and case-sensitive rows have their own where the type allows it."""

    def method(sample: Sample) -> str:
        kind = sample.metadata.get("eval")
        if multiple and kind == "multiple choice":
            return "multiple_choice"
        return "vqa_case_sensitive" if cased and kind == "case sensitive" else other

    return method


def _always(name: str) -> Callable[[Sample], str]:
    return lambda sample: name


_ENGLISH = _by_eval(multiple=True, cased=True, other="vqa")
_CHINESE = _by_eval(multiple=True, cased=True, other="cn_vqa")

TYPES: dict[str, tuple[Callable[[Sample], str], str]] = {
    **dict.fromkeys(
        ("APP agent en", "ASCII art classification en", "reasoning VQA en", "science QA en"), (_ENGLISH, "Reasoning")
    ),
    **dict.fromkeys(("text recognition en", "fine-grained text recognition en"), (_ENGLISH, "Recognition")),
    **dict.fromkeys(("document classification en", "cognition VQA en", "diagram QA en"), (_ENGLISH, "Understanding")),
    "cognition VQA cn": (_CHINESE, "CN_Understanding"),
    "reasoning VQA cn": (_CHINESE, "CN_Reasoning"),
    "text translation cn": (_always("cn_vqa"), "CN_Reasoning"),
    "formula recognition en": (_always("math_expression"), "Parsing"),
    "formula recognition cn": (_always("cn_math_expression"), "Parsing"),
    "math QA en": (_by_eval(multiple=True, cased=False, other="vqa"), "Calculation"),
    "text counting en": (_always("counting"), "Calculation"),
    "key information extraction en": (_always("kie_f1"), "Extraction"),
    "key information mapping en": (_always("kie_f1"), "Extraction"),
    "key information extraction cn": (_always("kie_f1"), "CN_Extraction"),
    "chart parsing en": (_always("chart_parsing_f1"), "Parsing"),
    **dict.fromkeys(("document parsing en", "document parsing cn"), (_always("doc_parsing_f1"), "Parsing")),
    **dict.fromkeys(("table parsing en", "table parsing cn"), (_always("teds"), "Parsing")),
    **dict.fromkeys(("text grounding en", "VQA with position en"), (_always("vqa_with_position"), "Referring")),
    "text spotting en": (_always("text_spotting"), "Spotting"),
    "full-page OCR en": (_always("full_page_ocr"), "Recognition"),
    "full-page OCR cn": (_always("full_page_ocr"), "CN_Recognition"),
    "handwritten answer extraction cn": (_always("handwritten_extraction"), "CN_Extraction"),
}
"""Question type → (its scoring method, the category that it is averaged into)."""

_RAW = frozenset({"kie_f1", "chart_parsing_f1", "doc_parsing_f1", "teds", "vqa_with_position", "text_spotting"})
_ENGLISH_CATEGORIES = (
    "Recognition", "Referring", "Spotting", "Extraction", "Parsing", "Calculation", "Understanding", "Reasoning",
)  # fmt: skip
_CHINESE_CATEGORIES = ("CN_Recognition", "CN_Extraction", "CN_Parsing", "CN_Understanding", "CN_Reasoning")
ESSAY_MARK = "简答"
"""Handwritten answers to such questions are scored as a page."""


def _counting(text: str, sample: Sample) -> float:
    return counting(text, sample.all_answers, sample.metadata.get("eval", "exact match"))


def _table(text: str, sample: Sample) -> float:
    if not sample.all_answers or "html" in sample.question.lower():
        return 0.0
    return vqa(text, sample.all_answers)


def _handwriting(text: str, sample: Sample) -> float:
    return (full_page if ESSAY_MARK in sample.question else chinese_vqa)(text, sample.all_answers)


def _of_references(rule: Callable[[str, Any], float]) -> Rule:
    return lambda text, sample: rule(text, sample.all_answers)


_RULES: dict[str, Rule] = {
    "multiple_choice": _of_references(multiple_choice),
    "vqa_case_sensitive": _of_references(vqa_case_sensitive),
    "vqa": _of_references(vqa),
    "vqa_fallback": _of_references(vqa),
    "cn_vqa": _of_references(chinese_vqa),
    "math_expression": _of_references(formula),
    "cn_math_expression": _of_references(chinese_formula),
    "counting": _counting,
    "kie_f1": _of_references(field_f1),
    "chart_parsing_f1": _of_references(field_f1),
    "doc_parsing_f1": _of_references(field_f1),
    "teds": _table,
    "vqa_with_position": lambda text, sample: answer_with_box(text, sample.all_answers, sample.metadata.get("bbox")),
    "text_spotting": _of_references(vqa),
    "full_page_ocr": _of_references(full_page),
    "handwritten_extraction": _handwriting,
}


def score_ocrbench(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Score one OCRBench v2 answer by the rule of its question type.

    Args:
        sample: metadata `type`, `eval` and `bbox`, references in `all_answers`.
        output: raw model text.
        context: not used.

    Returns:
        The score with the library's details. Rows on which the library itself raises score 0 with the reason.
    """
    task_type = sample.metadata.get("type", "")
    choose, _ = TYPES.get(task_type, (_always("vqa_fallback"), ""))
    method = choose(sample)
    text = (output if isinstance(output, str) else "") if method in _RAW else final_answer(output)
    details = {
        "task_type": task_type,
        "dataset_name": "",
        "scoring_method": method,
        "ground_truth": sample.all_answers,
        "model_output": output,
        "pred_answer": text,
    }
    try:
        value = _RULES[method](text, sample)
    except (AttributeError, TypeError, IndexError) as error:
        reason = f"the public library raises {type(error).__name__} on this row: {error}"
        return Score(0.0, answer=text, details={"score": 0.0, **details}, reason=reason)
    return Score(float(value), answer=text, details={"score": float(value), **details})


def aggregate_ocrbench(scores: list[Score]) -> dict[str, float]:
    """Mean per category (0 for an empty one) and the means of the English and the Chinese categories."""
    values: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        _, category = TYPES.get(score.details.get("task_type", ""), (None, ""))
        if score.value is not None:
            values[category].append(score.value)
    means = {name: _mean(values[name]) for name in (*_ENGLISH_CATEGORIES, *_CHINESE_CATEGORIES)}
    average = _mean([means[name] for name in _ENGLISH_CATEGORIES])
    chinese = _mean([means[name] for name in _CHINESE_CATEGORIES])
    return {**means, "Average": average, "CN_Average": chinese, "accuracy": average, "score": average}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
