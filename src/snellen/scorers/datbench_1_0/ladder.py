"""The public library's search for an option letter in free text (used by mmbench, mmmu, mmmupro and logicvista).

Source: behaviour of the public DatBench library 1.0.0, which follows the parser of MMMU (Yue et al. 2024) without
its random guess. Faults kept: the end of a capitalised word counts as a letter, articles and the pronoun count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from snellen.scorers.datbench_1_0.refusals import Refusal

_MARKS = ",.!?;:'"
_MIN_TOKENS = 5


def climb(output: Any, choices: Sequence[str], texts: Mapping[str, Any] | None) -> str | None:
    """Find the letter that a text chooses.

    Args:
        output: raw text.
        choices: option letters in order.
        texts: letter → option text; None (a JSON null) is refused once a text is looked for.

    Returns:
        One of `choices` (or of the keys of `texts`), None without a candidate.

    Raises:
        Refusal: the output or a consulted option text is no string.

    >>> climb("(B) root", ["A", "B"], {})
    'B'
    """
    if not isinstance(output, str):
        raise Refusal("AttributeError", "the output is no text")
    text = _padded(output)
    for shape, place in (
        (_in_brackets, _in_brackets),
        (_before_space, _between_spaces),
        (_before_dot, _between_spaces),
    ):
        found = [choice for choice in choices if shape(choice) in text]
        if found:
            return _last(found, text, place)
    return _by_text(text, texts)


def _padded(output: str) -> str:
    for mark in _MARKS:
        output = output.strip(mark)
    return f" {output} "


def _in_brackets(choice: str) -> str:
    return f"({choice})"


def _before_space(choice: str) -> str:
    return f"{choice} "


def _before_dot(choice: str) -> str:
    return f"{choice}."


def _between_spaces(choice: str) -> str:
    return f" {choice} "


def _by_text(text: str, texts: Mapping[str, Any] | None) -> str | None:
    if len(text.split()) <= _MIN_TOKENS:
        return None
    if texts is None:
        raise Refusal("AttributeError", "the option texts are null")
    lowered = text.lower()
    named = {letter: _lower(option) for letter, option in texts.items()}
    found = [letter for letter, option in named.items() if option in lowered]
    return _last(found, lowered, lambda letter: named[letter]) if found else None


def _lower(option: Any) -> str:
    if not isinstance(option, str):
        raise Refusal("AttributeError", f"option {option!r} is no text")
    return option.lower()


def _last(candidates: Sequence[str], text: str, spelling: Callable[[str], str]) -> str:
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda choice: text.rfind(spelling(choice)))
