"""The public library's multiple-choice rules: ai2d, mmbench, mmmu, mmmupro; faults kept for comparable numbers.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.ladder import climb
from snellen.scorers.datbench_1_0.refusals import Refusal, refusing
from snellen.types import Sample, Score

_A_TO_D = re.compile(r"\b([A-D])\b")
_ANSWER_A_TO_E = re.compile(r"(?:final\s+)?answer\s*:\s*([A-E])\b", re.IGNORECASE)
_LONGEST_LIST = 100_000


@refusing
def ai2d(sample: Sample, output: Any) -> Score:
    """Letter A to D against an index stored as an integer; a text reference can never match (fault kept)."""
    letter = _ai2d_letter(output)
    index = None if letter is None else ord(letter) - ord("A")
    answer = sample.answer or None
    correct = index is not None and index == answer
    details = {
        "score": float(correct),
        "extracted_output": letter,
        "predicted_index": index,
        "is_correct": correct,
        "pred_answer": letter,
        "ground_truth": answer,
    }
    return Score(float(correct), answer=letter or "", details=details)


def _ai2d_letter(output: Any) -> str | None:
    said = final_answer(str(output)).strip().upper()
    found = _A_TO_D.search(said)
    if found:
        return found[1]
    if output is None:
        raise Refusal("AttributeError", "the output is no text")
    return None


@refusing
def mmbench(sample: Sample, output: Any) -> Score:
    """Letter of the last line, else the ladder over the whole text, against one reference letter."""
    choices, texts = _choices(sample, sample.metadata.get("options", []))
    letter = _letter(output, choices, texts)
    return _letter_score(letter, letter is not None and letter.upper() == str(sample.answer).upper())


@refusing
def mmmupro(sample: Sample, output: Any) -> Score:
    """As mmbench; options may be a list written as text, and the reference a list of letters."""
    choices, texts = _choices(sample, sample.metadata.get("options", []), parse=True)
    letter = _letter(output, choices, texts)
    answers = sample.answer if isinstance(sample.answer, list) else [sample.answer]
    return _letter_score(letter, letter is not None and letter.upper() in {str(one).upper() for one in answers})


@refusing
def mmmu(sample: Sample, output: Any) -> Score:
    """The last answer line with a letter A to E, else the ladder; open questions always score 0 (fault kept)."""
    letter = answer_line_letter(str(output), _ANSWER_A_TO_E)
    if letter is None:
        choices = sample.metadata.get("all_choices", [])
        if choices is None:
            raise Refusal("TypeError", "all_choices is null")
        letter = climb(output, choices, sample.metadata.get("index2ans", {}))
    answer = sample.answer
    return _letter_score(letter, letter in answer if isinstance(answer, list) else str(answer) == str(letter))


def answer_line_letter(text: str, pattern: re.Pattern[str]) -> str | None:
    """Letter of the last line that opens with an answer label, in upper case; None without one."""
    for line in reversed(text.splitlines()):
        found = pattern.match(line.strip())
        if found:
            return found[1].upper()
    return None


def _letter_score(letter: str | None, correct: bool) -> Score:
    details = {
        "score": float(correct),
        "extracted_output": letter,
        "pred_answer": letter,
        "is_correct": correct,
    }
    return Score(float(correct), answer=letter or "", details=details)


def _choices(sample: Sample, options: Any, *, parse: bool = False) -> tuple[list[str], dict[str, Any]]:
    choices, texts = sample.metadata.get("all_choices"), sample.metadata.get("index2ans")
    if choices and texts:
        return list(choices), dict(texts)
    listed = _literal(options) if parse and isinstance(options, str) else options
    if not isinstance(listed, Sequence):
        raise Refusal("TypeError", f"options is {type(listed).__name__}, no list")
    texts = {chr(ord("A") + place): str(option) for place, option in enumerate(listed)}
    return list(texts), texts


def _literal(text: str) -> Any:
    if len(text) > _LONGEST_LIST:
        raise Refusal("MemoryError", "the list of options is too long to read")
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise Refusal(type(error).__name__, "the options are no list") from error


def _letter(output: Any, choices: Sequence[str], texts: Mapping[str, Any]) -> str | None:
    if not choices:
        return None
    said = final_answer(str(output)).strip().upper()
    if len(said) == 1 and said in choices:
        return said
    found = _badly_classed(tuple(choices)).search(said)
    if found:
        return found[0]
    return climb(output, choices, texts) if isinstance(output, str) else None


@lru_cache(maxsize=256)
def _badly_classed(choices: tuple[str, ...]) -> re.Pattern[str]:
    """Any choice letter as a word of its own; the bar that joins them slips into the class (fault kept)."""
    signs = "".join(re.escape(sign) for sign in "|".join(choices))
    return re.compile(rf"\b[{signs}]\b")
