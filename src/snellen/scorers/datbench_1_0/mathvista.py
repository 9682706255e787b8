"""The public library's mathvista rule: substrings and numbers rounded to two decimals; faults kept.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import math
import re
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.refusals import Refusal, refused, refusing
from snellen.types import Sample, Score, ScoringContext

Prediction = float | str

_MARKERS = ("could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ")
_NO_KEYS = (":", ",", ".", "!", "?", ";", "'")
_COMMA_NUMBER = re.compile(r"-?\b\d{1,3}(?:,\d{3})+\b")
_POWER_NUMBER = re.compile(r"-?\d+(?:\.\d+)?[eE][+-]?\d+")
_SIMPLE_NUMBER = re.compile(r"-?(?:\d+\.\d+|\.\d+|\d+\b)(?![eE][+-]?\d+)(?![,\d])")
_LONGEST = 20_000


@refusing
def mathvista(sample: Sample, output: Any) -> Score:
    """One predicted text holds a reference text, or one number equals a reference number (faults kept)."""
    said = final_answer(str(output)).strip()
    predictions = normal_forms(said) if said else _open_answer(str(output))
    references = _reference_forms(sample.answer)
    value = float(any(_is_hit(one, references) for one in predictions))
    details = {
        "score": value,
        "ground_truth": sample.answer,
        "question_type": "free_form",
        "parsed_response": [_as_json(one) for one in predictions],
        "model_output": output,
    }
    return Score(value, answer=said, details=details)


def _as_json(prediction: Prediction) -> Prediction:
    """NaN and infinities as their names, which strict JSON takes."""
    if isinstance(prediction, str) or math.isfinite(prediction):
        return prediction
    return "NaN" if math.isnan(prediction) else "Infinity" if prediction > 0 else "-Infinity"


def _reference_forms(answer: Any) -> list[Prediction]:
    answers = answer if isinstance(answer, list) else [answer]
    if not all(isinstance(one, str) for one in answers):
        raise Refusal("AttributeError", f"the reference is no text: {answer!r}")
    return [form for one in answers for form in normal_forms(one)]


def _is_hit(prediction: Prediction, references: list[Prediction]) -> bool:
    if isinstance(prediction, str):
        return any(isinstance(one, str) and one in prediction for one in references)
    return any(isinstance(one, float) and one == prediction for one in references)


def normal_forms(text: str) -> list[Prediction]:
    """A number rounded to two decimals, or the lower-cased text; one character stands with a blank on either side.

    >>> normal_forms("1,234.567"), normal_forms("B"), normal_forms("Square")
    ([1234.57], [' b', 'b '], ['square'])
    """
    text = text.strip()
    try:
        return [round(float(text.replace(",", "")), 2)]
    except ValueError:
        text = text.lower()
    return [" " + text, text + " "] if len(text) == 1 else [text]


def _open_answer(response: str) -> list[Prediction]:
    """Key phrases of a text without a final answer, and the numbers in them."""
    text = response.strip().strip(".").lower()[-_LONGEST:]
    keys = _keys(text) or [text]
    found: list[str] = list(keys)
    for key in keys:
        found += _numbers(key)
    forms = {form for one in found for form in normal_forms(one)}
    return sorted(forms, key=lambda form: (type(form).__name__, str(form)))


def _keys(text: str) -> list[str]:
    pieces = text.split("\n")
    keys = []
    for at, piece in enumerate(pieces):
        markers = (*_MARKERS, "=") if at == len(pieces) - 1 else _MARKERS
        kept = _shortest_tail(piece, markers)
        if kept and kept.strip() not in _NO_KEYS:
            keys.append(kept)
    return keys


def _shortest_tail(piece: str, markers: tuple[str, ...]) -> str:
    kept = ""
    for marker in markers:
        if marker in piece:
            tail = piece.rsplit(marker, 1)[1].strip()
            if not kept or len(tail) < len(kept):
                kept = tail
    return kept


def _numbers(text: str) -> list[str]:
    return [match for pattern in (_COMMA_NUMBER, _POWER_NUMBER, _SIMPLE_NUMBER) for match in pattern.findall(text)]


def mathverse(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The public library has no rule for mathverse and ends with an exception; 0 here, with that reason."""
    return refused("NotImplementedError", "mathverse is graded by a judge only")
