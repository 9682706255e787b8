"""The words of an option's text in one spelling: case, accents, punctuation, contractions and digit groups aside."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from snellen.answers.dressing import plain_latex

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon"
    " phi chi psi omega"
)
_GREEK = {
    ord(sign): name for sign, name in zip("αβγδεζηθικλμνξοπρστυφχψω", re.findall(r"\w+", _GREEK_NAMES), strict=True)
}
_GROUPING = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PLUS = re.compile(r"(?<=\w)\s?(?:\+|(?<=\s)plus(?=\s))\s?(?=[^\W\d])")
_CONTRACTED = re.compile(r"\b(ca|wo|\w+)n['’]t\b")
_FULL = {"ca": "cannot", "wo": "will not"}
_DIGITS = {
    word: str(value)
    for value, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
_DIGIT_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(_DIGITS)})(?![\w-])")
_JOINED = re.compile(r"(?<=\w)[-_](?=\w)")
_SIGNS = re.compile(r"[^\w\s.+%°$£€/<>=^-]|(?<!\d)\.|\.(?!\d)|(?<=\s)-(?=\s)")
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the of to in on at by for from with and or is are was were be it its this that these those as there"
        " their his her they them he she which who i think we you answer option choice shown see can will very"
        " just also so has have had than into s does do did not no but if all any one ones being been would could may"
        " might about",
    )
)
"""Words that tell no option from another."""


@lru_cache(maxsize=4096)
def words(text: str) -> str:
    """Lower-case words with single blanks: punctuation and LaTeX wrappers gone, hyphens, signs and points kept.

    >>> words("A big, red-hot  $12.50!"), words("It isn't")
    ('a big red-hot $12.50', 'it is not')
    """
    plain = plain_latex(text).replace("{", " ").replace("}", " ").casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain.translate(_GREEK))
        plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    if "n't" in plain or "n’t" in plain:
        plain = _CONTRACTED.sub(lambda match: _FULL.get(match[1], f"{match[1]} not"), plain)
    return " ".join(_SIGNS.sub(" ", _GROUPING.sub("", plain)).split())


@lru_cache(maxsize=4096)
def compact(text: str) -> str:
    """A text without case, punctuation, leading article, blanks and hyphens, for loose equality.

    >>> compact("The New-York.") == compact("new york"), compact("gear three") == compact("Gear 3")
    (True, True)
    """
    plain = _DIGIT_WORD.sub(lambda match: _DIGITS[match[0]], _PLUS.sub(" and ", words(text)))
    return _JOINED.sub("", without_article(plain)).replace(" ", "")


def without_article(plain: str) -> str:
    """Words without the article that opens them.

    >>> without_article("the red sofa")
    'red sofa'
    """
    for article in ("a ", "an ", "the "):
        plain = plain.removeprefix(article)
    return plain


@lru_cache(maxsize=4096)
def tokens(text: str) -> frozenset[str]:
    """Words of an option; of a hyphenated one its parts too, and both run together."""
    plain = words(text)
    return frozenset((*plain.split(), *plain.replace("-", " ").split(), *plain.replace("-", "").split()))
