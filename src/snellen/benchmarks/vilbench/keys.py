"""Answer keys in one form: the index, the letter and the text of an option are three names of one thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from snellen.errors import BenchmarkError

_LETTER = re.compile(r"[(\[]?([A-Za-z])[)\].:]?")
_ANSWER = re.compile(r"answer ?(?:is)? ?:", re.IGNORECASE)
_OPTION_LINE = re.compile(r"(?m)^\s?\(?([A-H])[:.)]\s?([^\n]{0,500})$")


@dataclass(frozen=True, slots=True)
class Key:
    """The right option."""

    index: int
    """0-based."""
    letter: str
    """"A", "B", …"""
    text: str
    """As the option says it."""


def standard_key(value: object, choices: Sequence[str]) -> Key:
    """Bring an answer key into one form.

    Args:
        value: a 0-based index (int), an option's text, or its letter. A text counts before a letter, so that an
            option that is itself a letter or a number means itself.
        choices: option texts in order.

    Raises:
        BenchmarkError: it names no option, or several.

    >>> standard_key(1, ["cat", "dog"])
    Key(index=1, letter='B', text='dog')
    >>> standard_key("(b)", ["cat", "dog"]).text, standard_key("Dog ", ["cat", "dog"]).letter
    ('dog', 'B')
    >>> standard_key("B", ["B", "A"]).letter
    'A'
    """
    index = _index_of(value, choices)
    if index is None or not 0 <= index < len(choices):
        raise BenchmarkError(f"the answer key {value!r} names none of the {len(choices)} options {list(choices)!r}")
    return Key(index, chr(ord("A") + index), choices[index])


def _index_of(value: object, choices: Sequence[str]) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    said = _folded(value)
    same = [i for i, choice in enumerate(choices) if _folded(choice) == said]
    if len(same) > 1:
        raise BenchmarkError(f"the answer key {value!r} stands for several options of {list(choices)!r}")
    if same:
        return same[0]
    letter = _LETTER.fullmatch(value.strip())
    return ord(letter[1].upper()) - ord("A") if letter else None


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def final_answer(solution: str) -> str:
    r"""What stands behind the last "Answer:" of a chain of thought.

    >>> final_answer("The answer: no, look again.\nAnswer:C")
    'C'
    """
    found = list(_ANSWER.finditer(solution))
    if not found:
        raise BenchmarkError(f"the solution has no 'Answer:': it ends {solution[-60:]!r}")
    return solution[found[-1].end() :].strip().partition("\n")[0].strip().rstrip(".")


def option_lines(text: str) -> tuple[str, tuple[str, ...]]:
    r"""Split a question from the lettered options behind it.

    Returns:
        The text before the options and the option texts; no options where the letters do not run A, B, C, …

    >>> option_lines("How long is AB?\nChoices:\nA:2\nB:3cm")
    ('How long is AB?', ('2', '3cm'))
    """
    found = list(_OPTION_LINE.finditer(text))
    while found and [match[1] for match in found] != [chr(ord("A") + i) for i in range(len(found))]:
        found.pop(0)
    if len(found) < 2:
        return text.strip(), ()
    head = text[: found[0].start()].strip()
    return re.sub(r"\n?(?:Choices|Options):?$", "", head).strip(), tuple(match[2].strip() for match in found)
