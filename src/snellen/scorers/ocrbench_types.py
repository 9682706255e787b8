"""OCRBench v2's question types: which rule each gets, and the category that it is averaged into.

References:
    Fu et al., "OCRBench v2" (2024), arXiv:2501.00321.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class QuestionType:
    """How answers of one question type are scored."""

    method: str
    """Scoring method of ordinary rows ("vqa", "kie_f1", …)."""
    category: str = ""
    """Category of the published averages, "" for none."""
    has_choices: bool = False
    """Rows with eval "multiple choice" are scored as choices."""
    is_cased: bool = False
    """Rows with eval "case sensitive" keep case."""


def _english(category: str) -> QuestionType:
    return QuestionType("vqa", category, has_choices=True, is_cased=True)


def _chinese(category: str) -> QuestionType:
    return QuestionType("cn_vqa", category, has_choices=True, is_cased=True)


UNKNOWN_TYPE = QuestionType("vqa_fallback")
QUESTION_TYPES: dict[str, QuestionType] = {
    "APP agent en": _english("Reasoning"),
    "ASCII art classification en": _english("Reasoning"),
    "reasoning VQA en": _english("Reasoning"),
    "science QA en": _english("Reasoning"),
    "text recognition en": _english("Recognition"),
    "fine-grained text recognition en": _english("Recognition"),
    "document classification en": _english("Understanding"),
    "cognition VQA en": _english("Understanding"),
    "diagram QA en": _english("Understanding"),
    "cognition VQA cn": _chinese("CN_Understanding"),
    "reasoning VQA cn": _chinese("CN_Reasoning"),
    "text translation cn": QuestionType("cn_vqa", "CN_Reasoning"),
    # The public library averages the Chinese parsing types into the English category too.
    "formula recognition en": QuestionType("math_expression", "Parsing"),
    "formula recognition cn": QuestionType("cn_math_expression", "Parsing"),
    "math QA en": QuestionType("vqa", "Calculation", has_choices=True),
    "text counting en": QuestionType("counting", "Calculation"),
    "key information extraction en": QuestionType("kie_f1", "Extraction"),
    "key information mapping en": QuestionType("kie_f1", "Extraction"),
    "key information extraction cn": QuestionType("kie_f1", "CN_Extraction"),
    "chart parsing en": QuestionType("chart_parsing_f1", "Parsing"),
    "document parsing en": QuestionType("doc_parsing_f1", "Parsing"),
    "document parsing cn": QuestionType("doc_parsing_f1", "Parsing"),
    "table parsing en": QuestionType("teds", "Parsing"),
    "table parsing cn": QuestionType("teds", "Parsing"),
    "text grounding en": QuestionType("vqa_with_position", "Referring"),
    "VQA with position en": QuestionType("vqa_with_position", "Referring"),
    "text spotting en": QuestionType("text_spotting", "Spotting"),
    "full-page OCR en": QuestionType("full_page_ocr", "Recognition"),
    "full-page OCR cn": QuestionType("full_page_ocr", "CN_Recognition"),
    "handwritten answer extraction cn": QuestionType("handwritten_extraction", "CN_Extraction"),
}
ENGLISH_CATEGORIES = (
    "Recognition", "Referring", "Spotting", "Extraction", "Parsing", "Calculation", "Understanding", "Reasoning",
)  # fmt: skip
CHINESE_CATEGORIES = ("CN_Recognition", "CN_Extraction", "CN_Parsing", "CN_Understanding", "CN_Reasoning")
ESSAY_MARK = "简答"
"""Handwritten answers to questions with these characters are scored as a page."""


def type_of(name: Any) -> QuestionType:
    """The question type of a name; any other name (or none) gets the fallback."""
    return QUESTION_TYPES.get(name, UNKNOWN_TYPE) if isinstance(name, str) else UNKNOWN_TYPE


def scoring_method(name: Any, evaluation: Any) -> str:
    """Scoring method of a row by its type and its `eval`.

    >>> scoring_method("science QA en", "multiple choice"), scoring_method("math QA en", "case sensitive")
    ('multiple_choice', 'vqa')
    """
    kind = type_of(name)
    if kind.has_choices and evaluation == "multiple choice":
        return "multiple_choice"
    return "vqa_case_sensitive" if kind.is_cased and evaluation == "case sensitive" else kind.method


def category_means(scored: Iterable[tuple[Any, float]]) -> dict[str, float]:
    """Mean per category (0 for an empty one), then the means of the English and of the Chinese categories.

    Args:
        scored: (type name, score) of each scored sample.
    """
    values: dict[str, list[float]] = defaultdict(list)
    for name, value in scored:
        values[type_of(name).category].append(value)
    means = {name: _mean(values[name]) for name in (*ENGLISH_CATEGORIES, *CHINESE_CATEGORIES)}
    average = _mean([means[name] for name in ENGLISH_CATEGORIES])
    chinese = _mean([means[name] for name in CHINESE_CATEGORIES])
    return {**means, "Average": average, "CN_Average": chinese, "accuracy": average, "score": average}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
