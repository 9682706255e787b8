"""The public library's rule for logicvista: every letter A to H counts, inside words too (fault kept).

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.scorers.datbench_1_0.choice import answer_line_letter
from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.ladder import climb
from snellen.scorers.datbench_1_0.refusals import Refusal, refusing
from snellen.types import Sample, Score

_RUNS = (
    re.compile(r"(?:final\s+)?answer\s*:\s*([A-H,\s]+)", re.IGNORECASE),
    re.compile(r"answer is\s+([A-H,\s]+)", re.IGNORECASE),
    re.compile(r"correct answer is\s+([A-H,\s]+)", re.IGNORECASE),
)
_LETTERS = frozenset("ABCDEFGH")
_MOST_LETTERS = 4
_OPTION = re.compile(r"([A-H])\.\s+(.*)")
_ANSWER_A_TO_H = re.compile(r"(?:final\s+)?answer\s*:\s*([A-H])\b", re.IGNORECASE)
_MOST_OPTIONS = 8


@refusing
def logicvista(sample: Sample, output: Any) -> Score:
    """Set of letters against set of letters; two empty sets are equal (fault kept)."""
    expected, said = _letters(sample.answer), _letters(output)
    options = _options(sample)
    if options:
        letter = _chosen(output, options)
        said = said | {letter} if letter else said
    correct = said == expected
    shown = ", ".join(sorted(said)) or None
    details = {
        "score": float(correct),
        "extracted_output": shown,
        "predicted_index": ord(min(said)) - ord("A") if len(said) == 1 else None,
        "is_correct": correct,
        "pred_answer": shown,
    }
    return Score(float(correct), answer=shown or "", details=details)


def _letters(text: Any) -> frozenset[str]:
    if not text:
        return frozenset()
    found = _LETTERS & set(final_answer(text).upper())
    if found:
        return found
    whole = str(text)
    for run in _RUNS:
        match = run.search(whole)
        if match and (found := _LETTERS & set(match[1].upper())):
            return found
    found = _LETTERS & set(whole.upper())
    return found if len(found) <= _MOST_LETTERS else frozenset()


def _options(sample: Sample) -> list[Any]:
    found = sorted(_OPTION.findall(sample.question), key=lambda option: str(option[0]))
    if found:
        return [text for _, text in found]
    return list(sample.metadata.get("options") or [])


def _chosen(output: Any, options: list[Any]) -> str | None:
    if not isinstance(output, str):
        raise Refusal("AttributeError", "the output is no text")
    letter = answer_line_letter(output, _ANSWER_A_TO_H)
    if letter:
        return letter
    texts = {chr(ord("A") + place): text for place, text in enumerate(options)}
    return climb(output, list(texts)[:_MOST_OPTIONS], texts)
