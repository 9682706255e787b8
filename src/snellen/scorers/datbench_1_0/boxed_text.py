r"""How the public library's document scorers cut a long answer out of its box, and fold full-width characters."""

from __future__ import annotations

import re

PIPE_OPEN = "<|begin_of_box|>"
PIPE_CLOSE = "<|end_of_box|>"
_BRACE = re.compile(r"[{}]")
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def first_pipe_box(text: str) -> str | None:
    """Content of the first pipe box, None without one.

    >>> first_pipe_box("a <|begin_of_box|>b<|end_of_box|>")
    'b'
    """
    start = text.find(PIPE_OPEN)
    if start < 0:
        return None
    start += len(PIPE_OPEN)
    end = text.find(PIPE_CLOSE, start)
    return None if end < 0 else text[start:end]


def first_balanced_box(text: str) -> str:
    r"""Content of the first `\boxed{…}` with balanced braces; the whole text without one.

    >>> first_balanced_box(r"x \boxed{a{b}} y"), first_balanced_box(r"\boxed{a")
    ('a{b}', '\\boxed{a')
    """
    start = text.find("\\boxed{")
    if start < 0:
        return text
    start += len("\\boxed{")
    depth = 1
    for brace in _BRACE.finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return text[start : brace.start()]
    return text


def greedy_box(text: str) -> str:
    r"""From the first `\boxed{` to the last closing brace of the whole text; the whole text without both.

    >>> greedy_box(r"x \boxed{a} b} c")
    'a} b'
    """
    start = text.find("\\boxed{")
    if start < 0:
        return text
    start += len("\\boxed{")
    end = text.rfind("}")
    return text[start:end] if end >= start else text


def halfwidth(text: str) -> str:
    """Full-width ASCII and the ideographic blank as plain ASCII.

    >>> halfwidth("Ａ　１")
    'A 1'
    """
    return text.translate(_HALF_WIDTH)
