r"""Read a long answer (a page, a formula, a table) out of a response: out of its box or fence, reasoning apart."""

from __future__ import annotations

import re
from typing import Any

from snellen.answers.folding import fold
from snellen.answers.short import boxes, pipe_boxes, without_end_tokens
from snellen.answers.thinking import split_thinking

_LEAD_IN = re.compile(r"[^\\{}]{0,80}?\\*f?boxed(?=\s?\{)")
_MAX_LEAD_WORDS = 8
_FENCE = "```"
_LANGUAGE = re.compile(
    r"(?:latex|tex|markdown|md|html|xml|json|ya?ml|csv|python|te?xt|plaintext|plain|math|smiles|bash|c|none)\b[ \t]*"
    r"|[\w+#.-]*[ \t]*(?=\n)",
    re.IGNORECASE,
)


def read_long(output: Any, *, has_fences: bool = False) -> str:
    r"""Read the long answer of a response.

    Args:
        output: raw model text; anything but a string reads as "".
        has_fences: the true text holds code fences itself, so that fences are part of the answer.

    Returns:
        The last pipe box, else the boxed group that opens the text (after a few words at most), else the first code
        fence, else everything; folded to NFKC, without reasoning.

    >>> read_long("Here it is:\n```latex\nx^2\n```"), read_long(r"\boxed{a{b}} c")
    ('x^2\n', 'a{b}')
    """
    if not isinstance(output, str):
        return ""
    text = fold(split_thinking(output)[0])
    text = without_end_tokens(text) if text[-1:] == ">" else text
    filled = [piece for piece in pipe_boxes(text) if piece.strip()]
    if filled:
        return filled[-1]
    opening = _opening_box(text)
    if opening is not None:
        return opening
    return text if has_fences else fenced(text)


def _opening_box(text: str) -> str | None:
    lead = _LEAD_IN.match(text)
    if lead is None or len(lead[0].split()) > _MAX_LEAD_WORDS:
        return None
    groups = boxes(text)
    return groups[0] if groups else None


def fenced(text: str) -> str:
    r"""Inside of the first code fence, of any language and also unclosed; the whole text without one.

    >>> fenced("```\nCCO\n```"), fenced("```html <b>x</b>```"), fenced("plain")
    ('CCO\n', '<b>x</b>', 'plain')
    """
    start = text.find(_FENCE)
    if start < 0:
        return text
    start += len(_FENCE)
    language = _LANGUAGE.match(text, start)
    start = language.end() if language else start
    if text.startswith("\n", start):
        start += 1
    end = text.find(_FENCE, start)
    inside = text[start : len(text) if end < 0 else end]
    return inside if inside.strip() else text
