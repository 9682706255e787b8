"""Yes or no said by restating a question's own claim: "It is not green." to "Is the light green?", "They do."."""

from __future__ import annotations

import re
from typing import Literal

from snellen.answers.patterns import any_word

MAX_QUESTION_CHARS = 2_000
MAX_ANSWER_CHARS = 400
"""A longer sentence does more than restate the question."""

_AUXILIARY = any_word(
    "is are was were am do does did can could has have had will would should shall may might must be been being"
)
_ASKS = re.compile(rf"(?:.*[.:!,;\n])?\s*{_AUXILIARY}\s+([^?]+)\?", re.IGNORECASE | re.DOTALL)
_ASKED_NOT = re.compile(r"\b(?:or|not|never|no|without|neither)\b|n't", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[.,'-][^\W_]+)*")
_NEGATION = re.compile(r"\b(ca|wo|\w+)n't\b|\bcannot\b|\bnot\b|\bnever\b", re.IGNORECASE)
_VERB = re.compile(rf"\b{_AUXILIARY}\b", re.IGNORECASE)
_ENDING = re.compile(r"(?<=\w{3})(?:es|ed|(?<!s)s|ing|e)\Z")
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the it its they them he she this that these those there we you i is are was were am do does did can"
        " could has have had will would should shall may might must be been being not cannot never so indeed clearly"
        " actually of in on at to for from by with any ever image picture chart figure shown here",
    )
)


def restated_truth(question: str, answer: str) -> Literal["", "yes", "no"]:
    """What a sentence that restates a yes/no question's claim says; "" when it says anything else.

    Args:
        question: as asked; only one with a single claim ("Is …?", no "or", no "not") can be restated.
        answer: one sentence, folded.

    >>> restated_truth("Is the light green?", "The light is not green."), restated_truth("Do they meet?", "They do.")
    ('no', 'yes')
    >>> restated_truth("Is A larger than B?", "B is larger than A"), restated_truth("Is it red?", "It is blue")
    ('', '')
    """
    asked = _ASKS.match(question[:MAX_QUESTION_CHARS])
    if not asked or _ASKED_NOT.search(asked[1]) or len(answer) > MAX_ANSWER_CHARS:
        return ""
    negations = _NEGATION.findall(answer)
    claim = _content(asked[1])
    said = _content(_NEGATION.sub(" not ", answer))
    if len(negations) > 1 or not (negations or _VERB.search(answer) or said == claim):
        return ""
    rest = iter(claim)
    return ("no" if negations else "yes") if all(word in rest for word in said) else ""


def _content(text: str) -> list[str]:
    """Content words in order, plural and verb endings off."""
    words = (word.casefold() for word in _WORD.findall(text))
    return [_stem(word) for word in words if word not in _EMPTY]


def _stem(word: str) -> str:
    return _ENDING.sub("", word)
