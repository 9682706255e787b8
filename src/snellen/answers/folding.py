"""Unicode folding that every fair rule starts from: one spelling for one character, nothing invisible."""

from __future__ import annotations

import unicodedata

_INVISIBLE = (0x00AD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_MINUS_SIGN = 0x2212
_TABLE: dict[int, str | None] = {**dict.fromkeys(_INVISIBLE, None), _MINUS_SIGN: "-"}
_CHANGED = tuple(map(chr, _TABLE))
_CHUNK = 65_536
"""Characters of a long text that are composed at once to see how it grows."""
_MOST_GROWTH = 2
"""A long text of ligatures that would grow more than so many times stays as it is: it is no answer."""


def fold(text: str) -> str:
    """Bring text to NFKC (ﬁ → fi, full width → half width, ① → 1), drop invisible marks, make U+2212 a minus.

    Args:
        text: any text; lone surrogates and NUL survive.

    Returns:
        The folded text. Applying it twice changes nothing more.

    >>> fold("ﬁx\u200b：−３")
    'fix:-3'
    """
    if text.isascii():
        return text
    composed = _composed(text)
    if not any(mark in composed for mark in _CHANGED):
        return composed
    return _composed(composed.translate(_TABLE))


def _composed(text: str) -> str:
    if unicodedata.is_normalized("NFKC", text) or (len(text) > _CHUNK and _explodes(text)):
        return text
    return unicodedata.normalize("NFKC", text)


def _explodes(text: str) -> bool:
    """Whether a long text would grow beyond the bound; the work stops where it does."""
    room = _MOST_GROWTH * len(text)
    for start in range(0, len(text), _CHUNK):
        room -= len(unicodedata.normalize("NFKC", text[start : start + _CHUNK]))
        if room < 0:
            return True
    return False


def collapse(text: str) -> str:
    r"""Make each run of white space one blank and drop it at both ends.

    >>> collapse("  a \n b ")
    'a b'
    """
    return " ".join(text.split())
