r"""The public library's reading of a short final answer out of a long reply, faults included.

It looks for a pipe box, then `\boxed{…}`, then an `Answer:` line, and takes the last line when there is none.
`snellen.answers.short` is the reader that mends its faults. Every step here is linear in the text's length.
"""

from __future__ import annotations

import re
from typing import Any

PIPE_OPEN = "<|begin_of_box|>"
PIPE_CLOSE = "<|end_of_box|>"

_LABEL = re.compile(r"(?:final\s+)?(?P<word>answer)\s*:", re.IGNORECASE)
_NON_BLANK = re.compile(r"\S")
_NON_NEWLINE = re.compile(r"[^\n]")
_TAG_PAIRS = tuple(
    (
        re.compile(rf"<\s*{name}\s*>", re.IGNORECASE),
        re.compile(rf"<\s*/\s*{name}\s*>\Z", re.IGNORECASE),
    )
    for name in ("answer", "final_answer", "final")
)
_BARE_ANSWER_TAG = re.compile(r"<\s*answer\s*>")
_EMPTY_ANSWERS = frozenset({"", "<answer>", "<final>", "<final answer>", "<final_answer>"})


def final_answer(text: Any) -> str:
    r"""Read the short final answer as the public library does.

    Args:
        text: raw model output; anything but a string gives "".

    Returns:
        The answer, cleaned of wrapping quotes and one pair of answer tags; "" when there is none.

    >>> final_answer("Thinking…\nAnswer: 'Paris'")
    'Paris'
    >>> final_answer(r"so \boxed{\frac{1}{2}}")
    '\\frac{1'
    """
    if not isinstance(text, str):
        return ""
    for find in (last_pipe_box, last_boxed, last_labelled):
        found = find(text)
        if found is not None:
            return clean(found)
    return clean(last_line(text))


def last_pipe_box(text: str) -> str | None:
    """Inside of the last pipe box (spans matched left to right, each to its nearest end), None without one."""
    found, position = None, 0
    while (start := text.find(PIPE_OPEN, position)) >= 0:
        start += len(PIPE_OPEN)
        end = text.find(PIPE_CLOSE, start)
        if end < 0:
            break
        found, position = text[start:end], end + len(PIPE_CLOSE)
    return found


def last_boxed(text: str) -> str | None:
    r"""Inside of the last `\boxed{…}` up to its first closing brace, None without one; `\boxed{}` is none."""
    found, position = None, 0
    while (start := text.find("\\boxed{", position)) >= 0:
        start += len("\\boxed{")
        end = text.find("}", start)
        if end < 0:
            break
        position = start
        if end > start:
            found, position = text[start:end], end + 1
    return found


def last_labelled(text: str) -> str | None:
    r"""What follows the last `Answer:` or `Final answer:` that opens a line, None without one.

    The label's own blanks may cross lines, so a label alone on its line takes the next line that is not blank.
    """
    found, position = None, 0
    while label := _LABEL.search(text, position):
        position = label.end()
        if not (_opens_line(text, label.start()) or _opens_line(text, label.start("word"))):
            continue
        value = _NON_BLANK.search(text, position)
        if value is None:
            return "" if _NON_NEWLINE.search(text, position) else found
        end = text.find("\n", value.start())
        position = len(text) if end < 0 else end
        found = text[value.start() : position]
    return found


def _opens_line(text: str, position: int) -> bool:
    while position > 0 and text[position - 1] != "\n":
        if not text[position - 1].isspace():
            return False
        position -= 1
    return True


def last_line(text: str) -> str:
    """The last line that is not blank (all Unicode line ends count), "" without one."""
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def clean(text: str) -> str:
    """Strip wrapping quotes and one pair of answer tags, collapse blanks; an empty tag is an empty answer."""
    text = text.strip().strip("\"'` ").strip()
    text = " ".join(_without_tags(text).split())
    lowered = text.lower()
    if lowered in _EMPTY_ANSWERS or _BARE_ANSWER_TAG.fullmatch(lowered):
        return ""
    return text


def _without_tags(text: str) -> str:
    if not text.startswith("<"):
        return text
    for opening, closing in _TAG_PAIRS:
        start = opening.match(text)
        if start and (end := closing.search(text, start.end())):
            return text[start.end() : end.start()].strip()
    return text
