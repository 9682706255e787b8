"""Sample → what the model is shown. Pure: no image is read, nothing is random.

PROMPTS names the ways to ask; the default asks exactly as the benchmark does.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

from snellen.errors import UsageError, did_you_mean
from snellen.types import Part, Sample, TextPart

LETTER_HINT = "Answer with the letter of the correct option."
DIRECT_HINT = "Answer with the short answer only: one word, number, phrase or letter, without explanation."
STEPS_HINT = "Think step by step. Then end with one last line of the form 'Answer: <short answer>'."

Parts = tuple[Part, ...]


def _as_shown(parts: Parts) -> Parts:
    return parts


def _direct(parts: Parts) -> Parts:
    return _with_line(parts, DIRECT_HINT)


def _steps(parts: Parts) -> Parts:
    return _with_line(parts, STEPS_HINT)


PROMPTS: dict[str, tuple[Callable[[Parts], Parts], str]] = {
    "default": (_as_shown, "as the benchmark asks"),
    "direct": (_direct, "asks for the short answer only"),
    "cot": (_steps, "asks for reasoning, then a last line 'Answer: …'"),
}
"""Name → (what it does to the parts, one line for people)."""


def build(
    sample: Sample, *, name: str = "default", blind: bool = False, system: str | None = None
) -> tuple[Parts, str | None]:
    r"""Compose what the model is shown for one sample.

    Args:
        sample: the item.
        name: a row of PROMPTS.
        blind: leave the images out; the text stays word for word.
        system: system message that replaces the sample's own; None keeps it.

    Returns:
        Text and image parts in order, and the system message (None for none).

    Raises:
        UsageError: no prompt of that name.

    >>> build(Sample(id="1", parts=(TextPart("Is it red?"),), question="Is it red?"), name="direct")[0][0].text
    'Is it red?\nAnswer with the short answer only: one word, number, phrase or letter, without explanation.'
    """
    check_name(name)
    parts = PROMPTS[name][0](without_images(sample.parts) if blind else sample.parts)
    return parts, system if system is not None else sample.system


def check_name(name: str) -> None:
    """Refuse a prompt that is not in the table.

    Raises:
        UsageError: the nearest name is given, or all of them.
    """
    if name not in PROMPTS:
        hint = did_you_mean(name, PROMPTS, otherwise=f"there are {', '.join(PROMPTS)}")
        raise UsageError(f"there is no prompt {name!r}; {hint}")


def without_images(parts: Parts) -> Parts:
    """The text parts alone, word for word.

    >>> from snellen.types import ImagePart
    >>> without_images((ImagePart(b"..."), TextPart("How many?")))
    (TextPart(text='How many?'),)
    """
    return tuple(part for part in parts if isinstance(part, TextPart))


def choice_lines(choices: Sequence[str]) -> str:
    """Options as lettered lines.

    >>> print(choice_lines(["red", "None"]))
    A. red
    B. None
    """
    return "\n".join(f"{letter}. {text}" for letter, text in zip(string.ascii_uppercase, choices, strict=False))


def stands_in(choices: Sequence[str], text: str) -> bool:
    """Whether a text already lists all the options behind their letters, so that they need not be added.

    >>> stands_in(["red", "blue"], "Which? (A) red (B) blue"), stands_in(["red", "blue"], "Is it red or blue?")
    (True, False)
    """
    at = 0
    for letter, choice in zip(string.ascii_uppercase, choices, strict=False):
        match = re.compile(rf"(?<!\w){letter}[.):]\W{{0,4}}{re.escape(choice.strip())}").search(text, at)
        if match is None:
            return False
        at = match.end()
    return bool(choices)


def _with_line(parts: Parts, line: str) -> Parts:
    """The line goes behind the last text; a text that ends in a cue ("Answer:") keeps its cue last."""
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if isinstance(part, TextPart):
            return (*parts[:at], TextPart(_before_cue(part.text, line)), *parts[at + 1 :])
    return (*parts, TextPart(line))


def _before_cue(text: str, line: str) -> str:
    head, newline, last = text.rpartition("\n")
    if newline and last.strip().lower() in ("answer:", "answer"):
        return f"{head}\n{line}\n{last}"
    return f"{text}\n{line}"
