r"""Strip LaTeX that frames a text without being part of it: preamble commands and math delimiters."""

from __future__ import annotations

import re

_COMMAND = re.compile(
    r"\\(?:documentclass|usepackage|geometry|title|author)(?![a-zA-Z])\s?(?:\[[^\[\]\n]{0,200}\]\s?)?(?=\{)"
    r"|\\(?:begin|end)\s?\{document\}"
)
_BRACE = re.compile(r"\\[{}]|[{}]")
_DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\[", "\\]"), ("\\(", "\\)"))


def without_commands(text: str) -> str:
    r"""Remove preamble commands with their options and their balanced argument.

    >>> without_commands(r"\documentclass[12pt]{article}\title{A {B}}\begin{document}Hi\end{document}")
    'Hi'
    """
    if "\\" not in text:
        return text
    pieces: list[str] = []
    position = 0
    closes = True
    for command in _COMMAND.finditer(text):
        if command.start() < position:
            continue
        has_argument = not command[0].endswith("}")
        end = _argument_end(text, command.end()) if has_argument and closes else command.end()
        closes = closes and end is not None
        if end is None or (has_argument and not closes):
            continue
        pieces.append(text[position : command.start()])
        position = end
    return "".join(pieces) + text[position:]


def _argument_end(text: str, start: int) -> int | None:
    """Offset behind the balanced argument at `start`, None when it never closes."""
    depth = 0
    for brace in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            return brace.end()
    return None


def without_math_delimiters(text: str) -> str:
    r"""Remove one pair of math delimiters around a whole text.

    >>> without_math_delimiters(r" \[x+1\] "), without_math_delimiters("$a$ and $b$")
    ('x+1', '$a$ and $b$')
    """
    bare = text.strip()
    for opening, closing in _DELIMITERS:
        inside = bare[len(opening) : len(bare) - len(closing)]
        if len(bare) >= len(opening) + len(closing) and bare.startswith(opening) and bare.endswith(closing):
            if closing not in inside:
                return inside
    return text
