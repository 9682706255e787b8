r"""Peel what stands around a short answer and is no part of it: bullets, bold, quotes, tags, `$…$`, `\text{…}`."""

from __future__ import annotations

import re

from snellen.answers.folding import collapse

_ROUNDS = 6
"""Layers of dressing that are peeled; more than a writer ever puts on, and a bound on the work."""
_BULLET = re.compile(r"(?:[-*+•·>▪●]\s+|>\s*)+")
_STRUCTURE = re.compile(r"[:\"]")
_LATEX_WRAPPER = r"\\(?:text(?:bf|it|rm|tt|sf|normal)?|math(?:rm|bf|it|sf|tt)|mbox|operatorname)\s*+\{"
_LATEX_OPENING = re.compile(_LATEX_WRAPPER)
_LATEX_TEXT = re.compile(_LATEX_WRAPPER + r"([^{}]*)\}")
_LATEX_ESCAPE = re.compile(r"\\([%$&#_])")
_BOLD_INSIDE = re.compile(r"\*\*(?=[^\s*])([^*]+)\*\*")
_HTML = re.compile(
    r"<(?P<name>answer|final_answer|final|b|i|em|strong|code|span|p|u|mark)>(?P<inside>.*)</(?P=name)>\Z",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"[-+]?[\d.,\s]+%?")
_WRAPS = (
    ("**", "**"), ("__", "__"), ("```", "```"), ("*", "*"), ("_", "_"), ("`", "`"), ('"', '"'), ("'", "'"),
    ("“", "”"), ("‘", "’"), ("„", "“"), ("„", "”"), ("«", "»"), ("「", "」"), ("『", "』"), ("\\(", "\\)"),
    ("\\[", "\\]"), ("$$", "$$"),
)  # fmt: skip
_QUOTES = "\"'“”‘’`"


def peel(text: str) -> str:
    r"""Free a short answer of its dressing and collapse its blanks.

    Args:
        text: what was found in a box, behind a label or on a line.

    Returns:
        The bare answer. A `$…$` around a number stays: it may be money.

    >>> peel("- **“Dune”**"), peel(r"$\text{Dune}$"), peel("`$5`"), peel(r"$\text{5}$")
    ('Dune', 'Dune', '$5', '5')
    """
    text = collapse(text)
    for _ in range(_ROUNDS):
        peeled = _one_layer(text)
        if peeled == text:
            break
        text = peeled
    return text


def _one_layer(text: str) -> str:
    if bullet := _BULLET.match(text):
        text = text[bullet.end() :]
    if "\\" in text:
        if _LATEX_OPENING.match(text, 1) and text[0] == "$" and text.endswith("}$"):  # math, whatever is set in it
            text = text[1:-1]
        text = _LATEX_ESCAPE.sub(r"\1", _LATEX_TEXT.sub(r"\1", text))
    if "**" in text:
        text = _unbalanced_bold(_BOLD_INSIDE.sub(r"\1", text))
    unwrapped = _unwrap(text)
    if unwrapped == text and text[-1:] in (".", ",", "!", ";") and _unwrap(text[:-1]) != text[:-1]:
        unwrapped = _unwrap(text[:-1])
    return _lone_quote(unwrapped).strip()


def _unwrap(text: str) -> str:
    for left, right in _WRAPS:
        if len(text) >= len(left) + len(right) and text.startswith(left) and text.endswith(right):
            return text[len(left) : len(text) - len(right)].strip()
    if text[:1] == "\\" and (wrapper := _LATEX_OPENING.match(text)) and _closes_at_end(text, wrapper.end()):
        return text[wrapper.end() : -1].strip()
    if text[:1] == "{" and not _STRUCTURE.search(text) and _closes_at_end(text, 1):
        return text[1:-1].strip()
    if text[:1] == "<" and (tag := _HTML.match(text)):
        return tag["inside"].strip()
    if len(text) > 2 and text[0] == "$" == text[-1] and not _NUMBER.fullmatch(text[1:-1]):
        return text[1:-1].strip()
    return text


def _closes_at_end(text: str, start: int) -> bool:
    """Whether the group that opens before `start` is closed by the text's last character."""
    depth = 1
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return start + brace.end() == len(text)
    return False


def _unbalanced_bold(text: str) -> str:
    if text.count("**") == 1:
        return text.removesuffix("**").removeprefix("**").strip()
    return text


def _lone_quote(text: str) -> str:
    """Drop one quotation mark that has no partner; behind a digit it may mean feet, inches or minutes and stays."""
    if text[:1] in _QUOTES and text[:1] and not any(mark in text[1:] for mark in _QUOTES):
        return text[1:]
    if text[-1:] in _QUOTES and len(text) > 1 and not text[-2].isdigit():
        return text if any(mark in text[:-1] for mark in _QUOTES) else text[:-1]
    return text
