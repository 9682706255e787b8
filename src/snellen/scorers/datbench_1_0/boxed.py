r"""Inside of each `\boxed{…}` up to its first closing brace, as the public library's grounding rules read it."""

from __future__ import annotations

_OPENING = "\\boxed{"


def boxed_blocks(text: str) -> list[str]:
    r"""All boxed blocks, left to right without overlap; an empty block counts, an unclosed one does not.

    >>> boxed_blocks(r"\boxed{} or \\boxed{1, 2}")
    ['', '1, 2']
    """
    blocks, position = [], 0
    while (start := text.find(_OPENING, position)) >= 0:
        start += len(_OPENING)
        end = text.find("}", start)
        if end < 0:
            break
        blocks.append(text[start:end])
        position = end + 1
    return blocks
