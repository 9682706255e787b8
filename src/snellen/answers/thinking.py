"""Thinking told apart from the answer: `<think>…</think>` and its kin, opened or not, closed or not."""

from __future__ import annotations

import re

_TAG = re.compile(r"<\s{0,2}(/?)\s{0,2}(?:think|thinking|thought|reasoning|seed:think)\s{0,2}>", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """Split a raw text into answer and thought.

    All before the last closing tag is thought, whether or not an opening tag is there; what follows an opening tag
    that is never closed is thought too.

    Returns:
        (answer, thought), both stripped of the tags.

    >>> split_thinking("<think>maybe A</think>B"), split_thinking("maybe A</think> B"), split_thinking("B")
    (('B', 'maybe A'), (' B', 'maybe A'), ('B', ''))
    """
    tags = list(_TAG.finditer(text))
    if not tags:
        return text, ""
    closing = [tag for tag in tags if tag[1]]
    start = closing[-1].end() if closing else 0
    opened = next((tag for tag in tags if not tag[1] and tag.start() >= start), None)
    answer = text[start : opened.start()] if opened else text[start:]
    rest = text[: closing[-1].start()] if closing else ""
    thought = rest + (text[opened.end() :] if opened else "")
    return answer, _TAG.sub("", thought).strip()
