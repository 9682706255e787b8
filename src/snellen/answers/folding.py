"""Unicode folding that every fair rule starts from: one spelling for one character, nothing invisible."""

from __future__ import annotations

import unicodedata

_INVISIBLE = (0x00AD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_TABLE: dict[int, str | None] = {**dict.fromkeys(_INVISIBLE, None), 0x2212: "-"}


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
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).translate(_TABLE))


def collapse(text: str) -> str:
    r"""Make each run of white space one blank and drop it at both ends.

    >>> collapse("  a \n b ")
    'a b'
    """
    return " ".join(text.split())
