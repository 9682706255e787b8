"""OCRBench v2 as the public library scores it in a plain install: a rule for each scoring method."""

from __future__ import annotations

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
from snellen.scorers.ocrbench_types import ESSAY_MARK, category_means, scoring_method
from snellen.types import Sample, Score, ScoringContext

Rule = Callable[[str, Sample], float]


_RAW = frozenset({"kie_f1", "chart_parsing_f1", "doc_parsing_f1", "teds", "vqa_with_position", "text_spotting"})


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
    method = scoring_method(task_type, sample.metadata.get("eval"))
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
    """Means per category, as published; unscored samples are left out."""
    return category_means((one.details.get("task_type", ""), one.value) for one in scores if one.value is not None)
