"""CountBench and TallyQA as the public library scores them, faults included.

References:
    Paiss et al., Teaching CLIP to Count to Ten, 2023, arXiv 2302.12066 (CountBench).
    Acharya et al., TallyQA, 2019, arXiv 1810.12440.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.text import mean_detail
from snellen.types import Sample, Score, ScoringContext

_DIGITS = re.compile(r"\b\d+\b")
_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_NUMBERS = {word: n for n, word in enumerate((*_UNITS, *_TEENS))} | _TENS | {"hundred": 100, "thousand": 1000}
_COMPOUND = re.compile(rf"\b({'|'.join(_TENS)})[-\s]+({'|'.join(_UNITS)})\b")
_NUMBER_OF = r"number\s+of\s+\w+\s+is\s+"
_SENTENCES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:therefore|thus|hence|so),?\s*(?:the\s+)?(?:{_NUMBER_OF}|answer\s+is\s+)(\w+)",
        rf"(?:{_NUMBER_OF}|count\s+is\s+)(\w+)",
        r"(?:i\s+count|there\s+are)\s+(\w+)",
        r"answer\s+is\s+(\w+)",
        r"final\s+answer:?\s*(\w+)",
        r"result:?\s*(\w+)",
        r"there\s+are\s+(\w+)\s+\w+\s+in\s+the\s+image",
        r"there\s+are\s+(\w+)\s+\w+",
        r"i\s+(?:can\s+)?see\s+(\w+)\s+\w+",
        r"contains\s+(\w+)\s+\w+",
        r"shows\s+(\w+)\s+\w+",
    )
)
_NON_WORD = re.compile(r"\W")
_MAX_DIGITS = 9
_MAX_COUNT = 1_000_000


def countbench(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Exact count: the last bare run of digits, else the first small number word found anywhere."""
    text = final_answer(output)
    truth, parsed = _countbench_reference(sample.answer), _countbench_number(text)
    value = float(parsed is not None and parsed == truth)
    details = {"score": value, "ground_truth": truth, "parsed_answer": parsed, "model_output": output}
    return Score(value, text, details)


def _countbench_reference(answer: Any) -> Any:
    if not answer:
        return None
    if not isinstance(answer, str):
        return answer
    try:
        return int(answer.strip())
    except ValueError:
        return answer


def _countbench_number(text: str) -> int | None:
    if runs := _DIGITS.findall(text):
        try:
            return int(runs[-1])
        except ValueError:  # more digits than Python converts
            pass
    lowered = text.lower()
    return next((n for n, word in enumerate((*_UNITS, "ten")) if word in lowered), None)


def tallyqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Exact count, read by a list of sentence patterns.

    Raises:
        ValueError: as the library does, when a pattern captures digits that are no decimal number.
    """
    text = final_answer(output)
    truth, parsed = _tallyqa_reference(sample.answer), tallyqa_number(text)
    value = float(parsed is not None and truth is not None and parsed == truth)
    details = {
        "score": value,
        "ground_truth": sample.answer or None,
        "parsed_answer": parsed,
        "extracted_output": text,
        "model_output": output,
        "is_simple": sample.metadata.get("is_simple"),
        "reparsed_answer": parsed if parsed is not None else _reparsed(text, output),
    }
    return Score(value, text, details)


def _tallyqa_reference(answer: Any) -> Any:
    if not isinstance(answer, str):
        return answer or None
    return int(answer.strip()) if answer.strip().isdecimal() else None


def tallyqa_number(text: str) -> int | None:
    """The count that the library's patterns read, None when they read none."""
    trimmed = text.strip()
    lowered = trimmed.lower()
    for read in (_compound, _sentence):
        if (number := read(lowered)) is not None:
            return number
    runs = _DIGITS.findall(trimmed)
    if runs and len(runs[-1]) <= _MAX_DIGITS:
        return int(runs[-1])
    return _last_word(lowered)


def _compound(lowered: str) -> int | None:
    found = _COMPOUND.findall(lowered)
    return _TENS[found[-1][0]] + _UNITS.index(found[-1][1]) if found else None


def _sentence(lowered: str) -> int | None:
    for pattern in _SENTENCES:
        captured = pattern.findall(lowered)
        if captured and captured[-1].isdigit():
            return int(captured[-1])
        if captured and captured[-1] in _NUMBERS:
            return _NUMBERS[captured[-1]]
    return None


def _last_word(lowered: str) -> int | None:
    words = (_NON_WORD.sub("", piece) for piece in reversed(lowered.split()))
    return next((_NUMBERS[word] for word in words if word in _NUMBERS), None)


def _reparsed(text: str, output: Any) -> int | None:
    """The library's summary reads samples without a number again, from the answer and then from the whole output."""
    for source in (text, output if isinstance(output, str) else ""):
        try:
            if (number := tallyqa_number(source)) is not None:
                return number
        except ValueError:  # the library's whole summary fails here
            return None
    return None


def summarise_countbench(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of CountBench."""
    return {
        "accuracy__CountBench-Accuracy": mean_detail(scores, lambda score: score.value),
        **_errors("CountBench", scores, lambda score: score.details.get("parsed_answer")),
    }


def summarise_tallyqa(scores: list[Score]) -> dict[str, Any]:
    """The library's summary of TallyQA; simple and complex questions apart."""
    return {
        "accuracy__TallyQA-Accuracy": mean_detail(scores, lambda score: score.value),
        "accuracy__TallyQA-AccuracySimple": _mean_where(scores, simple=True),
        "accuracy__TallyQA-AccuracyComplex": _mean_where(scores, simple=False),
        **_errors("TallyQA", scores, lambda score: score.details.get("reparsed_answer")),
    }


def _mean_where(scores: list[Score], *, simple: bool) -> float:
    return mean_detail([s for s in scores if s.details.get("is_simple") is simple], lambda score: score.value)


def _errors(name: str, scores: list[Score], parsed: Callable[[Score], Any]) -> dict[str, float]:
    scored = [score for score in scores if score.value is not None]
    numbers = [parsed(score) for score in scored]
    truths = [_whole(score.details.get("ground_truth")) for score in scored]
    errors = [abs(p - t) for p, t in zip(numbers, truths, strict=True) if p is not None and t is not None]
    errors = [error for error in errors if error <= _MAX_COUNT]
    n = max(1, len(scored))
    return {
        f"accuracy__{name}-ParseRate": sum(p is not None and 0 <= p <= _MAX_COUNT for p in numbers) / n,
        f"accuracy__{name}-MAE": sum(errors) / len(errors) if errors else 0.0,
        f"accuracy__{name}-Within1": sum(error <= 1 for error in errors) / n,
        f"accuracy__{name}-Within3": sum(error <= 3 for error in errors) / n,
    }


def _whole(truth: Any) -> Any:
    if isinstance(truth, str):
        return int(truth.strip()) if truth.strip().isdecimal() else None
    return truth
