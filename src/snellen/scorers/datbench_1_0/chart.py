"""The public library's chart rules: relaxed accuracy of chartqa, string matching of charxiv; faults kept.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.refusals import Refusal, refusing
from snellen.types import Sample, Score

RELATIVE_LIMIT = 0.05
_TINY = 1e-6
_NO_WORD = re.compile(r"[^\w\s]")


@refusing
def chartqa(sample: Sample, output: Any) -> Score:
    """Relaxed accuracy against any reference: 5 % for numbers, else texts without punctuation (faults kept)."""
    references = _references(sample)
    answer = final_answer(output)
    value = float(any(is_match(answer, reference) for reference in references))
    details = {
        "score": value,
        "ground_truth": sample.answer or None,
        "all_ground_truth_answers": references,
        "model_output": output,
        "pred_answer": answer,
    }
    return Score(value, answer=answer, details=details)


def _references(sample: Sample) -> list[Any]:
    stored = sample.all_answers
    if not stored:
        stored = [sample.answer] if sample.answer else []
    if not isinstance(stored, list):
        stored = [stored]
    return [one for one in stored if one]


def is_match(answer: str, reference: Any, *, limit: float = RELATIVE_LIMIT) -> bool:
    """Whether an answer is near enough to a reference by the relaxed rule.

    >>> is_match("95", "100"), is_match("0.24", "24%"), is_match("35", "-3.5")
    (True, True, True)
    """
    if not isinstance(reference, str):
        raise Refusal("AttributeError", f"a reference is no text: {reference!r}")
    left, right = number(answer), number(reference)
    if left is not None and right is not None:
        guess, truth = on_one_scale(left, right)
        if is_near(guess, truth, limit):
            return True
    listed = same_lists(answer, reference)
    return plain_text(answer) == plain_text(reference) if listed is None else listed


def number(text: str) -> tuple[float, bool] | None:
    """(value, ends with a percent sign) of a plain number without its commas, None when it is none."""
    text = text.strip().replace(",", "")
    is_percent = text.endswith("%")
    try:
        return float(text.rstrip("%") if is_percent else text), is_percent
    except ValueError:
        return None


def on_one_scale(answer: tuple[float, bool], reference: tuple[float, bool]) -> tuple[float, float]:
    """Multiply a fraction by 100 where only the other side has a percent sign."""
    (guess, guess_percent), (truth, truth_percent) = answer, reference
    if guess_percent != truth_percent:
        if not guess_percent and truth >= 2 and 0 <= guess <= 1.5:
            guess *= 100
        if not truth_percent and guess >= 2 and 0 <= truth <= 1.5:
            truth *= 100
    return guess, truth


def is_near(guess: float, truth: float, limit: float) -> bool:
    """The relative limit in plain binary arithmetic, and an absolute one for tiny references."""
    if truth == 0:
        return False
    difference = abs(guess - truth)
    return difference / abs(truth) <= limit or (abs(truth) < _TINY and difference <= _TINY)


def same_lists(answer: str, reference: str) -> bool | None:
    """Whether two bracketed lists hold the same texts in any order; None when they are no two filled lists."""
    answer, reference = answer.strip(), reference.strip()
    if not all(text.startswith("[") and text.endswith("]") for text in (answer, reference)):
        return None
    left, right = _items(answer), _items(reference)
    return left == right if left and right else None


def _items(text: str) -> list[str]:
    return sorted(item for item in (plain_text(part) for part in text[1:-1].split(",")) if item)


def plain_text(text: str) -> str:
    """Lower case without punctuation, blanks collapsed."""
    return " ".join(_NO_WORD.sub("", text.lower().strip()).split()) if text else ""


@refusing
def charxiv(sample: Sample, output: Any) -> Score:
    """Exact text or number for descriptive questions, substrings either way for the others (faults kept)."""
    kind = sample.metadata.get("question_type") or "descriptive"
    answer, reference = final_answer(output), sample.answer or ""
    value = 0.0
    if answer and reference:
        if not isinstance(reference, str):
            raise Refusal("AttributeError", f"the reference is no text: {reference!r}")
        rule = _is_descriptive_match if kind == "descriptive" else _is_reasoning_match
        value = float(rule(answer.strip().lower(), reference.strip().lower()))
    details = {
        "score": value,
        "ground_truth": reference,
        "model_output": output,
        "pred_answer": answer,
        "question_type": kind,
    }
    return Score(value, answer=answer, details=details)


def _is_descriptive_match(answer: str, reference: str) -> bool:
    if reference == "not applicable":
        return "not applicable" in answer
    if answer == reference:
        return True
    try:
        difference = abs(_bare_float(answer) - _bare_float(reference))
    except ValueError:
        return False
    return difference < _TINY


def _bare_float(text: str) -> float:
    return float(text.replace(",", "").replace("%", ""))


def _is_reasoning_match(answer: str, reference: str) -> bool:
    return answer == reference or reference in answer or answer in reference


def charxiv_aggregate(scores: list[Score]) -> dict[str, float]:
    """Overall accuracy, and the accuracy of each kind of question that occurs."""
    parts: dict[str, list[float]] = {"Overall": [], "Descriptive": [], "Reasoning": []}
    for score in scores:
        value = score.value or 0.0
        is_descriptive = score.details.get("question_type", "descriptive") == "descriptive"
        parts["Overall"].append(value)
        parts["Descriptive" if is_descriptive else "Reasoning"].append(value)
    return {
        f"accuracy__CharXiv-{name}": sum(values) / len(values) if values else 0.0
        for name, values in parts.items()
        if values or name == "Overall"
    }
