"""Find the numbers that a text mentions as counts: digits, words, Chinese numerals, "a dozen", "no cats".

Percentages, money, ordinals, times, list numbers and words inside other words ("often", "four-legged") are no counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from snellen.answers.folding import fold
from snellen.answers.number_words import read_words

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_OTHERS = (
    "seventeen eighteen nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety ninty hundred thousand"
    " million billion dozen couple pair single"
)
_NUMBER_WORD = "|".join(sorted(f"{_UNITS} {_OTHERS}".split(), key=len, reverse=True))
_FIXED = {"couple": 2, "pair": 2, "single": 1}
_MISSPELT = {"ninty": "ninety"}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_MENTION = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})++(?!\d|,\d)|\d{1,3}(?: \d{3})++(?!\d)|\d++(?:\.\d++)?)"
    rf"|(?<![\w'’])(?P<word>{_NUMBER_WORD})(?![\w'’])"
    r"|(?P<cjk>[零〇一二两三四五六七八九十百千万]++)"
    r"|(?<![\w'’-])(?P<none>none|nil|nobody|no one|no(?=\s+[a-z])|not any|not a single|without any)(?![\w'’-])"
    r"|(?P<not_any>n't (?:see )?any\b)"
)
_NO_COUNT_OF = re.compile(
    r"\s+(?:way|idea|one|more|less|fewer|longer|doubt|problem|other|others|clear|answer|need|question|further"
    r"|specific|information|image|wait|but|it|there|i)\b"
)
_LETTERS = re.compile(r"(?<![\w.])(?:[a-z]\.){2,12}[a-z](?![\w])")
_HALF_DOZEN = re.compile(r"\bhalf (?:a )?dozen\b")
_MATH_NUMBER = re.compile(r"\$\s?(-?\d[\d,.]{0,20})\s?\$")
_DASHED_WORDS = re.compile(r"(?<=[a-z])[‐‑–](?=[a-z])")
_KEYCAP = {0xFE0F: None, 0x20E3: None}
_LIST_NUMBER = re.compile(r"\s*\d{1,2}[.)]\s+(?=\S)")
_GAP = re.compile(r"[ \t]+|[ \t]*-[ \t]*|[ \t]+and[ \t]+")
_SCALE_AFTER = re.compile(r"\s+(dozen|hundred|thousand|million|billion)\b")
_MONEY_OR_SHARE_AFTER = re.compile(r"\s?(?:%|percent\b|per cent\b|dollars?\b|euros?\b|cents?\b|[€£¥₹])")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_HALF_AFTER = re.compile(r"\s+(?:and\s+)?(?:a\s+(?:half|quarter|third)\b|1/[234]\b)|\s*½")
_COMPOUND_AFTER = re.compile(r"-[a-z]")
_TIME = re.compile(r":\d\d")
_PRONOUN_BEFORE = re.compile(
    r"\b(?:no|some|any|every|this|that|each|another|which|the|last|first|other|bigger|smaller|larger|left|right"
    r"|biggest|smallest)\s\Z"
)
_LABEL_BEFORE = re.compile(
    r"\b(?:step|figure|fig\.?|image|picture|photo|row|column|line|page|option|part|example)\s\Z"
)
_PART_OF = re.compile(r"\s+of\s+(?:them|these|those|the|which|whom)\b")
_NEGATION = re.compile(
    r"(?:\bnot|n't|\brather than|\binstead of|\bnever|\bmore than|\bfewer than|\bless than)"
    r"\s(?:just\s|only\s|exactly\s|be\s|a\s)?\Z"
)
_FIRST_CJK = "\u2e80"
"""Scripts from here on put no blank between a word and a number."""
_SPACE_BEFORE = 24
"""How far back the words before a number are looked at."""
_MAX_DIGITS = 30
"""A longer number is no count."""
_CJK_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_CJK_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_CJK_NOT_ONE = "些起样直般定边下方致共"


@dataclass(frozen=True, slots=True)
class Mention:
    """One number that a text mentions."""

    value: int | None
    """The count; None for a number that is no count (3.5, or too many digits)."""
    start: int
    """Where it begins in the plain text."""
    end: int
    """Where it ends."""
    weak: bool = False
    """Whether it only counts when nothing else is counted ("no dogs", "this one")."""
    denied: bool = False
    """Whether the text says that it is not so many."""


def plain_text(text: str) -> str:
    """Folded lower-case text with ASCII digits, in which mentions are found.

    >>> plain_text("٣ CATS, T.E.N dogs, 5️⃣")
    '3 cats, ten dogs, 5'
    """
    plain = fold(text).translate(_KEYCAP).lower()
    if not plain.isascii():
        plain = "".join(_ascii_digit(sign) for sign in plain)
    plain = _DASHED_WORDS.sub("-", plain)
    plain = _MATH_NUMBER.sub(r" \1 ", plain) if "$" in plain else plain
    return _HALF_DOZEN.sub("6", _LETTERS.sub(_joined, plain))


def _ascii_digit(sign: str) -> str:
    return str(int(sign)) if sign.isdecimal() else sign


def _joined(letters: re.Match[str]) -> str:
    word = letters[0].replace(".", "")
    return word if re.fullmatch(_NUMBER_WORD, word) else letters[0]


def find_mentions(plain: str) -> list[Mention]:
    """All numbers that are mentioned as counts, in order.

    Args:
        plain: as made by `plain_text`.

    >>> [m.value for m in find_mentions("two hundred and five 7-legged cats, 50% of 1,200, the 3rd")]
    [205, 1200]
    """
    listed = _LIST_NUMBER.match(plain)
    mentions: list[Mention] = []
    words: list[re.Match[str]] = []
    for found in _MENTION.finditer(plain, listed.end() if listed else 0):
        if mentions and found.start() < mentions[-1].end:  # "2 dozen" is one mention
            continue
        if found["word"]:
            if words and not _continues(plain, words, found):
                mentions += _word_mention(plain, words)
                words = []
            words.append(found)
            continue
        mentions += _word_mention(plain, words)
        words = []
        mentions += _other_mention(plain, found, mentions)
    return mentions + _word_mention(plain, words)


def _continues(plain: str, words: list[re.Match[str]], found: re.Match[str]) -> bool:
    gap = plain[words[-1].end() : found.start()]
    if not _GAP.fullmatch(gap) or len(words) > 12:
        return False
    if "and" in gap and words[-1][0] not in _SCALES:
        return False
    return _value(plain[words[0].start() : found.end()]) is not None


def _value(words: str) -> int | None:
    if words in _FIXED:
        return _FIXED[words]
    read = read_words(" ".join(_MISSPELT.get(word, word) for word in words.replace("-", " ").split()))
    return int(read) if read is not None and read.denominator == 1 else None


def _word_mention(plain: str, words: list[re.Match[str]]) -> list[Mention]:
    if not words:
        return []
    start, end = words[0].start(), words[-1].end()
    value = _value(plain[start:end])
    glued = _COMPOUND_AFTER.match(plain, end) or (
        plain[start - 1 : start] == "-" and plain[start - 2 : start - 1].isalpha()
    )
    if value is None or glued or _MONEY_OR_SHARE_AFTER.match(plain, end):
        return []
    before = plain[max(0, start - _SPACE_BEFORE) : start]
    pronoun = plain[start:end] == "one" and bool(_PRONOUN_BEFORE.search(before) or _PART_OF.match(plain, end))
    negative = before.endswith(("minus ", "negative "))
    if _HALF_AFTER.match(plain, end):
        return [Mention(None, start, end)]
    mention = Mention(-value if negative else value, start, end, pronoun)
    return [replace(mention, denied=bool(_NEGATION.search(before)))]


def _other_mention(plain: str, found: re.Match[str], so_far: list[Mention]) -> list[Mention]:
    start, end = found.span()
    if found["cjk"]:
        value = cjk_number(found["cjk"])
        vague = found["cjk"] == "一" and plain[end : end + 1] in _CJK_NOT_ONE and end < len(plain)
        return [] if value is None or vague else [Mention(value, start, end)]
    if found["not_any"]:
        return [Mention(0, start, end, weak=True)]
    if found["none"]:
        vague = found["none"] == "no" and _NO_COUNT_OF.match(plain, end)
        return [] if vague else [Mention(0, start, end, weak=found["none"] not in ("none", "nil"))]
    return _number_mention(plain, start, end)


def _number_mention(plain: str, start: int, end: int) -> list[Mention]:
    before = plain[max(0, start - _SPACE_BEFORE) : start]
    if _is_no_count(plain, before, end):
        return []
    value: Fraction | None = None
    if end - start <= _MAX_DIGITS:
        value = Fraction(plain[start:end].replace(",", "").replace(" ", ""))
        if before[-1:] == "." and not before[-2:-1].isalnum():
            value = None
        if value is not None and (scale := _SCALE_AFTER.match(plain, end)):
            value, end = value * _SCALES[scale[1]], scale.end()
    if _HALF_AFTER.match(plain, end):
        value = None
    if value is not None and _is_negative(before):
        value = -value
    whole = int(value) if value is not None and value.denominator == 1 else None
    label, denied = bool(_LABEL_BEFORE.search(before)), bool(_NEGATION.search(before))
    return [Mention(whole, start, end, weak=label, denied=denied)]


def _is_no_count(plain: str, before: str, end: int) -> bool:
    glued = (
        before[-1:].isalpha()
        and before[-1:] < _FIRST_CJK
        and not (before[-1:] in "x×" and not before[-2:-1].isalnum())
    )
    money = before.rstrip()[-1:] in ("$", "€", "£", "¥", "₹")
    time = _TIME.match(plain, end) or (before[-1:] == ":" and before[-2:-1].isdigit())
    followed = (
        _ORDINAL.match(plain, end) or _MONEY_OR_SHARE_AFTER.match(plain, end) or _COMPOUND_AFTER.match(plain, end)
    )
    return bool(glued or money or time or followed)


def _is_negative(before: str) -> bool:
    if before.endswith(("minus ", "negative ")):
        return True
    return before[-1:] == "-" and not before[-2:-1].isalnum() and before[-2:-1] not in ("-", ")")


def cjk_number(text: str) -> int | None:
    """Value of a Chinese numeral, None when it is none.

    >>> cjk_number("五"), cjk_number("二十一"), cjk_number("三百零五"), cjk_number("十")
    (5, 21, 305, 10)
    """
    if len(text) > 12:
        return None
    if len(text) > 1 and all(sign in _CJK_DIGITS for sign in text):
        return int("".join(str(_CJK_DIGITS[sign]) for sign in text))
    total, digit = 0, 0
    for sign in text:
        if sign in _CJK_DIGITS:
            digit = _CJK_DIGITS[sign]
        elif sign == "万":
            total, digit = (total + digit) * 10000, 0
        else:
            total, digit = total + (digit or 1) * _CJK_SCALES[sign], 0
    return total + digit
