"""Document, infographic and book-cover questions, and unknown datasets, as the public library scores them.

References:
    Biten et al., Scene Text Visual Question Answering, 2019, arXiv 1905.13648 (ANLS).
    Mathew et al., DocVQA, 2021, arXiv 2007.00398; InfographicVQA, 2022, arXiv 2104.12756.
    Mishra et al., OCR-VQA, 2019.

Deviates: DocVQA and OCR-VQA lack the cut at one half; InfographicVQA takes its length after upper-casing and sees the
canonical answer only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rapidfuzz.distance import Levenshtein

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.types import Sample, Score, ScoringContext


def normal(text: Any) -> str:
    """Lower case with collapsed blanks; "" for anything empty or missing.

    >>> normal("  The  Old   Man ")
    'the old man'
    """
    return " ".join(str(text).lower().split()) if text else ""


def similarity(prediction: str, reference: str) -> float:
    """1 − edit distance / longer length; 1 for two empty texts, 0 for one.

    >>> similarity("abcd", "abce")
    0.75
    """
    if not prediction or not reference:
        return float(prediction == reference)
    return 1 - Levenshtein.distance(prediction, reference) / max(len(prediction), len(reference))


def docvqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Best similarity over all references, without a cut."""
    prediction = final_answer(output)
    references = _references(sample)
    value = max((similarity(normal(prediction), normal(r)) for r in references), default=0.0)
    details = _cut_details(value) | {
        "ground_truth": sample.answer or None,
        "all_ground_truth_answers": references,
        "model_output": output,
        "pred_answer": prediction,
    }
    return Score(value, prediction, details)


def ocr_vqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Similarity to the canonical answer, with exact match beside it."""
    prediction = final_answer(output)
    value = similarity(normal(prediction), normal(sample.answer)) if sample.answer else 0.0
    details = _cut_details(value) | {
        "exact_match": float(normal(prediction) == normal(sample.answer)),
        "ground_truth": sample.answer or None,
        "model_output": output,
        "pred_answer": prediction,
    }
    return Score(value, prediction, details)


def infovqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """ANLS against the canonical answer: exactly half wrong is 0."""
    prediction = final_answer(output)
    references = [sample.answer] if sample.answer else []
    value = _anls(normal(prediction), normal(sample.answer)) if references else 0.0
    details = {
        "score": value,
        "anls": value,
        "ground_truth": sample.answer or None,
        "all_ground_truth_answers": references,
        "model_output": output,
        "pred_answer": prediction,
    }
    return Score(value, prediction, details)


def exact(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Exact match, case and outer blanks aside, for datasets without a scorer of their own."""
    prediction = final_answer(output)
    correct = prediction.strip().lower() == str(sample.answer).strip().lower()
    return Score(float(correct), prediction, {"score": float(correct), "pred_answer": prediction})


def _references(sample: Sample) -> list[Any]:
    answers = sample.all_answers or ([sample.answer] if sample.answer else [])
    return [a for a in ([answers] if isinstance(answers, str) else answers) if a]


def _cut_details(value: float) -> dict[str, Any]:
    return {
        "score": value,
        "anls": value,
        "anls_thresholded_0_5": value if value >= 0.5 else 0.0,
        "threshold_0_5_accuracy": float(value >= 0.5),
    }


def _anls(prediction: str, reference: str) -> float:
    longest = max(len(prediction.upper()), len(reference.upper()))
    distance = Levenshtein.distance(prediction, reference) / longest if longest else 0.0
    return 1 - distance if distance < 0.5 else 0.0


def mean_detail(scores: list[Score], read: Callable[[Score], Any]) -> float:
    """Mean of one figure over the scored samples, 0.0 for none; a sample that failed counts 0."""
    values = [float(read(score) or 0.0) for score in scores if score.value is not None]
    return sum(values) / len(values) if values else 0.0


def _mean(scores: list[Score], key: str) -> float:
    return mean_detail(scores, lambda score: score.details.get(key))


def _matches_a_reference(score: Score) -> bool:
    prediction = normal(score.details.get("pred_answer"))
    return any(prediction == normal(r) for r in score.details.get("all_ground_truth_answers") or ())


def summarise_docvqa(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of DocVQA."""
    return {
        "accuracy__DocVQA-ANLS": _mean(scores, "anls"),
        "accuracy__DocVQA-ANLS-thresholded-0.5": _mean(scores, "anls_thresholded_0_5"),
        "accuracy__DocVQA-threshold@0.5": _mean(scores, "threshold_0_5_accuracy"),
        "accuracy__DocVQA-ExactMatch": mean_detail(scores, _matches_a_reference),
    }


def summarise_infovqa(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of InfographicVQA."""
    return {
        "accuracy__InfoVQA-ANLS": _mean(scores, "anls"),
        "accuracy__InfoVQA-ExactMatch": mean_detail(scores, _matches_a_reference),
    }


def summarise_ocr_vqa(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of OCR-VQA."""
    keys = ("anls", "anls_thresholded_0_5", "threshold_0_5_accuracy", "exact_match")
    summary = {key: _mean(scores, key) for key in keys}
    return summary | {"accuracy": summary["anls"], "score": summary["anls"]}
