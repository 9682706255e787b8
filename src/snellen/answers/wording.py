"""Whether two short texts say the same: case, punctuation, articles, spelling and a small closed table aside.

A decimal point inside a number and a minus in front of one are never lost; part of a word is never enough.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from snellen.answers.dates import same_moment
from snellen.answers.dressing import plain_latex
from snellen.answers.spellings import GREEK, KINDS, NO, PHRASES, SIGNS, TREND_FILLERS, TRENDS, WORDS, YES

_GREEK_SIGNS = {chr(0x3B1 + at + (at >= 17)): f" {name} " for at, name in enumerate(GREEK)} | {
    "ς": " sigma ",
    "ϵ": " epsilon ",
}
_GREEK_TABLE = str.maketrans(_GREEK_SIGNS)
_VAR_GREEK = re.compile(r"\\var(?=epsilon|theta|phi|rho|sigma|kappa|pi)")
_LAYOUT = re.compile(r"(?<!\d)(\d{1,3})\s?(?:x|\*|by|rows?(?: and|,| by| x)?)\s?(\d{1,3})(?:\s?col(?:umn)?s?)?(?!\w)")
_TOKEN = re.compile(r"[-−]?(?:\d+(?:[.,:]\d+)+|\.?\d+)|[^\W\d_]+(?:'[^\W\d_]+)?|->|[<>=]=?|[+%°±#√]")
_SPAN = re.compile(r"(?<=\d)\s*(?:[-–—]|to|through|until)\s*(?=\d)|(?<=(?:19|20)\d\d)/(?=\d\d(?:\d\d)?(?!\d))")
_MINUS = re.compile(r"(?:(?<=^)|(?<=[\s(\[{,;:=<>~]))-\s?(?=\.?\d)")
_ARTICLES = ("the", "a", "an")

_IZE = re.compile(r"(?<=\w{3})is(?=e[sdr]?$|ing$|ations?$|ers$)")
_YZE = re.compile(r"(?<=\w{3})ys(?=e[sdr]?$|ing$|ers$)")
_OUR = re.compile(r"(?<=\w{3})our(?=$|s$|ed$|ing$|ite|able|less|ful|hood|al|ist|ly$)")
_LL = re.compile(r"(?<=\w{3})ll(?=ed$|ing$|ers?$)")


def same_text(one: str, other: str) -> bool:
    """Whether two texts say the same.

    >>> same_text("new-york", "New York"), same_text("Colour (USA)", "color U.S."), same_text("true", "Yes")
    (True, True, True)
    >>> same_text("GPT", "GPT-2"), same_text("3.5", "35"), same_text("unknown", "No"), same_text("-5", "5")
    (False, False, False, False)
    >>> same_text("It goes up and then levels off", "Increases then stabilizes"), same_text("B", "Model B")
    (True, True)
    """
    mine, theirs = text_key(one), text_key(other)
    if not mine or not theirs:
        return False
    if mine == theirs:
        return True
    truth = truth_of(one)
    if truth and truth == truth_of(other):
        return True
    trend = trend_of(one)
    if trend and trend == trend_of(other):
        return True
    return _same_part(one, other) or same_moment(one, other)


@lru_cache(maxsize=8192)
def text_key(text: str) -> str:
    r"""A text's words run together in one spelling, for equality.

    >>> text_key("The 2 × 3 layout"), text_key(r"\alpha (°)"), text_key("-0.5 V")
    ('2by3layout', 'alpha°', '-0.5v')
    """
    words = text_words(text)
    apart = (
        "_" if at and word[0].isdigit() and words[at - 1][-1].isdigit() else "" for at, word in enumerate(words)
    )  # two numbers never run together into a third
    return "".join(gap + word for gap, word in zip(apart, words, strict=True))


@lru_cache(maxsize=8192)
def text_words(text: str) -> tuple[str, ...]:
    """The words of a text in one spelling, leading article dropped.

    >>> text_words("The U.S. labelled colours, e.g. gray")
    ('us', 'labeled', 'colors', 'e', 'g', 'gray')
    """
    found = [_spelling(word) for word in _TOKEN.findall(_plain(text))]
    found = _merge_phrases([word for word in found if word])
    while len(found) > 1 and found[0] in _ARTICLES:
        found = found[1:]
    return tuple(WORDS.get(word, word) for word in found)


def _plain(text: str) -> str:
    text = text[:4_000]
    if "\\" in text:
        text = _VAR_GREEK.sub(r"\\", plain_latex(text))
    for command, spelling in SIGNS.items():
        if command in text:
            text = text.replace(command, spelling)
    text = unicodedata.normalize("NFKD", text.casefold()) if not text.isascii() else text.lower()
    text = "".join(sign for sign in text if not unicodedata.combining(sign)) if not text.isascii() else text
    text = text.translate(_GREEK_TABLE).replace("\\", " ") if not text.isascii() or "\\" in text else text
    text = _SPAN.sub(" to ", text)
    text = _LAYOUT.sub(r" \1by\2 ", text)
    return _MINUS.sub(" \u2212", text).replace("-", " ").replace("\u2212", "-")


def _spelling(word: str) -> str:
    if not word[0].isalpha():
        return _number_spelling(word) if word[-1].isdigit() else word
    word = word.removesuffix("'s").replace("'", "")
    if len(word) > 4:
        word = _LL.sub("l", _OUR.sub("or", _YZE.sub("yz", _IZE.sub("iz", word))))
    return word


def _number_spelling(word: str) -> str:
    """`1,234` and `1234`, `.5` and `0.5`, `2.50` and `2.5` are one number."""
    if ":" in word:
        return word
    plain = re.sub(r",(?=\d{3}(?!\d))", "", word)
    sign, digits = ("-", plain[1:]) if plain.startswith("-") else ("", plain)
    if digits.count(".") == 1 and "," not in digits:
        digits = digits.rstrip("0").rstrip(".")
        digits = "0" + digits if digits.startswith(".") else digits
    return sign + (digits or "0")


def _merge_phrases(found: list[str]) -> list[str]:
    merged: list[str] = []
    at = 0
    while at < len(found):
        for length in (4, 3, 2, 1):
            phrase = PHRASES.get(tuple(found[at : at + length]))
            if phrase and at + length <= len(found):
                merged.append(phrase)
                at += length
                break
        else:
            merged.append(found[at])
            at += 1
    return merged


def truth_of(text: str) -> str:
    """Give "yes" or "no" for a text that is one of their synonyms, else "".

    >>> truth_of("Supported."), truth_of("not true"), truth_of("unknown")
    ('yes', 'no', '')
    """
    key = text_key(text)
    return "yes" if key in YES else "no" if key in NO else ""


def trend_of(text: str) -> tuple[str, ...]:
    """The ups and downs that a text tells in order, () when it tells anything else.

    >>> trend_of("decreasing, then rising"), trend_of("rise in sales")
    (('down', 'up'), ())
    """
    told: list[str] = []
    for word in text_words(text)[:60]:
        if word in TRENDS:
            if not told or told[-1] != TRENDS[word]:
                told.append(TRENDS[word])
        elif word not in TREND_FILLERS:
            return ()
    return tuple(told)


_MARK = re.compile(r"[^\W_]\d{0,3}|\d{1,4}(?:\.\d+)?|[ivx]{1,4}")


def _same_part(one: str, other: str) -> bool:
    """`B` for `Model B`: a kind word and a mark against the mark alone."""
    mine, theirs = text_words(one), text_words(other)
    if len(mine) == 2 and len(theirs) == 1:
        mine, theirs = theirs, mine
    return (
        len(mine) == 1
        and len(theirs) == 2
        and theirs[0] in KINDS
        and mine[0] == theirs[1]
        and _MARK.fullmatch(mine[0]) is not None
    )
