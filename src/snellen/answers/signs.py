r"""One spelling of signs that mean the same in an answer: raised digits, vulgar fractions, minus signs, line ends.

What a reader of answers sees after `plain_signs` is plain: ASCII digits and signs, `^` for raised digits, `\n` line
ends. It does more than `folding.fold`, which must not change the letters of a transcribed text.
"""

from __future__ import annotations

import re
import unicodedata

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n")
_RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_LOWERED_RUN = re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
_VULGAR = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip
_DASHED_MINUS = re.compile(r"(?:(?<=[=:($\[,])|\A)[–—](?=\.?\d)")
_VULGAR_SIGN = re.compile("[" + "".join(_VULGAR) + "]")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad\ufe00-\ufe0f\u20e3\x00]")
_SIGNS = str.maketrans(
    {
        "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\ufe63": "-", "\u2044": "/", "\u2215": "/",
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'", "\u02bc": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2033": '"',
        "\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x1c": "\n", "\x1d": "\n", "\x1e": "\n", "\x85": "\n",
        "\u2028": "\n", "\u2029": "\n", "\u2217": "*", "\u2236": ":", "\ufe55": ":", "\u00ba": "\u00b0",
    }
)  # fmt: skip


def plain_signs(text: str) -> str:
    """Give equal-looking characters one spelling.

    Raised digits become powers and vulgar fractions quotients before Unicode NFKC, which would glue them to their
    neighbours.

    >>> plain_signs("１２ ≈ 10²")
    '12 ≈ 10^2'
    >>> plain_signs("3½ − 1")
    '3 1/2 - 1'
    """
    if text.isascii():
        text = text.replace("\x00", "")
        return text.replace("\r\n", "\n").translate(_SIGNS) if _ODD_ASCII.search(text) else text
    text = text.replace("\r\n", "\n")
    text = _RAISED_RUN.sub(lambda m: "^" + _braced(m[0].translate(_RAISED)), text)
    text = _LOWERED_RUN.sub(lambda m: "_" + m[0].translate(_LOWERED), text)
    text = _VULGAR_SIGN.sub(lambda m: f" {_VULGAR[m[0]]}", text)
    text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    return _INVISIBLE.sub("", _DASHED_MINUS.sub("-", text))


_ODD_ASCII = re.compile("[\r\x0b\x0c\x1c\x1d\x1e\x00]")


def _braced(power: str) -> str:
    return power if len(power) == 1 else "{" + power + "}"
