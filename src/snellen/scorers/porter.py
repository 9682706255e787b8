"""Porter's stemmer with the common extensions (irregular forms, y after a consonant, short words left alone).

References:
    Porter, "An algorithm for suffix stripping", Program 14 (1980), doi:10.1108/eb046814.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_MAX_LENGTH = 100
"""Longer runs are no English words and stay as they are."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Reduce an English word to its stem.

    >>> [stem(word) for word in ("jumps", "relational", "dying", "Flying")]
    ['jump', 'relat', 'die', 'fli']
    """
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2 or len(word) > _MAX_LENGTH:
        return word
    for step in (_plural, _past, _final_y, _double_suffix, _suffix, _long_suffix, _final_e, _final_l):
        word = step(word)
    return word


def _consonants(word: str) -> list[bool]:
    flags: list[bool] = []
    for place, letter in enumerate(word):
        flags.append(letter not in "aeiou" and (letter != "y" or place == 0 or not flags[-1]))
    return flags


def _measure(word: str) -> int:
    """How many vowel runs are followed by a consonant."""
    flags = _consonants(word)
    return sum(not before and after for before, after in pairwise(flags))


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _consonants(word)[-1]


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y at the end; or just vowel and consonant."""
    flags = _consonants(word)
    if len(word) == 2:
        return not flags[0] and flags[1]
    return flags[-3:] == [True, False, True] and word[-1] not in "wxy"


def _replaced(word: str, rules: Sequence[tuple[str, str]], holds: Callable[[str], bool]) -> str:
    """Apply the first rule whose ending matches; when its condition fails, the word stays."""
    for ending, replacement in rules:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)]
            return base + replacement if holds(base) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _replaced(word, (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")), lambda base: True)


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        base = word[: len(word) - len(ending)]
        if word.endswith(ending) and not all(_consonants(base)):
            return _mended(base)
    return word


def _mended(base: str) -> str:
    """Give a base back the e, or the single letter, that its ending had taken."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if _ends_double(base):
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if _measure(base) == 1 and _ends_short(base) else base


def _final_y(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _consonants(word[:-1])[-1]:
        return word[:-1] + "i"
    return word


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _double_suffix(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2, lambda base: _measure(base) > 0)


def _suffix(word: str) -> str:
    return _replaced(word, _STEP_3, lambda base: _measure(base) > 0)


def _long_suffix(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)]
            holds = _measure(base) > 1 and (ending != "ion" or base[-1:] in ("s", "t"))
            return base if holds else word
    return word


def _final_e(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _ends_short(base)):
            return base
    return word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
