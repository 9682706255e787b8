"""The public library's rules for realworldqa and the four mme-realworld sets; faults kept for comparable numbers.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import re
import string
from typing import Any

from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.refusals import Refusal, refusing
from snellen.types import Sample, Score

_DIGITS = {
    word: str(value)
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
_OPTION_LINE = re.compile(r"\s*([A-Ea-e])\s*\.\s*(.+)")
_ANSWER_LINE = re.compile(r"answer\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_LETTER = re.compile(r"\b[A-Ea-e]\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NOT_PLAIN = re.compile(r"[^a-z0-9\s]")
_SHORT_LINE_TOKENS = 10
_ENOUGH_SHARED = 0.8
_THINK_OPEN = re.compile("<think>", re.IGNORECASE)
_THINK_CLOSE = re.compile("</think>", re.IGNORECASE)

_LEAD_INS = (
    "The best answer is",
    "The correct answer is",
    "The answer is",
    "The answer",
    "The best option is",
    "The correct option is",
    "Best answer:",
    "Best option:",
)
_FREE_LETTER = re.compile(r"(?<![A-Za-z0-9])[A-Ea-e](?![A-Za-z0-9])")
_CAPITAL = re.compile("[A-E]")


@refusing
def realworldqa(sample: Sample, output: Any) -> Score:
    """Exact match after options are mapped to letters; only the prediction loses trailing dots (fault kept)."""
    answer = sample.answer or ""
    said = final_answer(output)
    found = _DIGITS.get(said.lower().strip(), said)
    choices = _choices(sample)
    if choices:
        found = _chosen(output, said, found, choices) or found
    mine = found.lower().strip().rstrip(".")
    correct = mine != "" and mine == str(answer).lower().strip()
    details = {"score": float(correct), "ground_truth": answer, "pred_answer": found, "model_output": output}
    return Score(float(correct), answer=found, details=details)


def _choices(sample: Sample) -> dict[str, str]:
    lines = (_OPTION_LINE.match(line) for line in sample.question.splitlines())
    choices = {line[1].lower(): _plain(line[2]) for line in lines if line}
    options = sample.metadata.get("options")
    if not choices and isinstance(options, list):
        choices = {chr(ord("a") + place): _plain(option) for place, option in enumerate(options)}
    return choices


def _plain(option: Any) -> str:
    if not isinstance(option, str):
        raise Refusal("AttributeError", f"option {option!r} is no text")
    return " ".join(option.lower().translate(_NO_PUNCTUATION).split())


def _chosen(output: Any, said: str, found: str, choices: dict[str, str]) -> str | None:
    alone = said.strip().upper()
    if alone in ("A", "B", "C", "D", "E") and alone.lower() in choices:
        return alone
    letter = _written_letter(output)
    if letter and letter.lower() in choices:
        return letter
    return _most_alike(found, choices)


def _written_letter(output: Any) -> str | None:
    if not isinstance(output, str):
        return None
    lines = [line.strip() for line in _without_thought(output).splitlines() if line.strip()]
    for line in reversed(lines):
        label = _ANSWER_LINE.match(line)
        if label:
            letter = _LETTER.search(label[1])
            if letter:
                return letter[0].upper()
            break
    short = next((line for line in reversed(lines) if len(line.split()) <= _SHORT_LINE_TOKENS), "")
    letter = _LETTER.search(short)
    return letter[0].upper() if letter else None


def _without_thought(text: str) -> str:
    kept, position = [], 0
    while start := _THINK_OPEN.search(text, position):
        end = _THINK_CLOSE.search(text, start.end())
        if end is None:
            break
        kept.append(text[position : start.start()])
        position = end.end()
    return "".join(kept) + text[position:]


def _most_alike(found: str, choices: dict[str, str]) -> str | None:
    mine = _words(found)
    best, best_share = None, 0.0
    for letter, text in choices.items():
        theirs = _words(text)
        if mine and theirs and len(theirs & mine) / len(theirs) > best_share:
            best, best_share = letter.upper(), len(theirs & mine) / len(theirs)
    return best if best_share >= _ENOUGH_SHARED else None


def _words(text: str) -> set[str]:
    return set(_NOT_PLAIN.sub(" ", text.lower()).split())


@refusing
def mme_realworld(sample: Sample, output: Any) -> Score:
    """The first free letter wins; an empty text is found in the first option (faults kept)."""
    answer = sample.answer or ""
    if not isinstance(answer, str):
        raise Refusal("AttributeError", "the answer is no text")
    letter = _first_letter("" if isinstance(output, dict) else output, sample.metadata.get("options") or [])
    correct = letter.upper() == answer.upper()
    details = {
        "score": float(correct),
        "extracted_letter": letter,
        "ground_truth": answer,
        "model_output": output,
    }
    return Score(float(correct), answer=letter, details=details)


def _first_letter(output: Any, options: list[Any]) -> str:
    if not isinstance(output, str):
        raise Refusal("AttributeError", "the output is no text")
    text = output.strip()
    for phrase in _LEAD_INS:
        text = text.replace(phrase, "")
    found = _FREE_LETTER.search(text)
    if found:
        return found[0].upper()
    if len(text.split()) > _SHORT_LINE_TOKENS and not _CAPITAL.search(text):
        return ""
    return _option_holding(text.lower(), options)


def _option_holding(lowered: str, options: list[Any]) -> str:
    for option in options:
        if not isinstance(option, str):
            raise Refusal("AttributeError", f"option {option!r} is no text")
        if lowered in option.lower() and _CAPITAL.match(option, 1):
            return option[1]
    return ""
