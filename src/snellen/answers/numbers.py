r"""Numbers in free text as exact values: separators, quotients, mixed numbers, powers, words, scales, percent, units.

Nothing here is a binary float: a value is a Fraction, so that "exactly at the limit" means it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from snellen.answers.dressing import plain_latex, undress
from snellen.answers.number_words import SCALES, WORD_RUN, read_words
from snellen.answers.signs import plain_signs

MAX_DIGITS = 1_000
"""Digits of one number that are read; a longer one is no number."""
MAX_POWER = 2_000
"""Largest size of an exponent."""


@dataclass(frozen=True, slots=True)
class Number:
    """One number as it was written."""

    value: Fraction
    """Exact value, a percent sign not applied ("24%" is 24); 0 for a special one."""
    is_percent: bool = False
    """Whether a percent sign or word stood with it."""
    decimals: int | None = None
    """Digits behind the decimal point as written, None for quotients, powers and words."""
    unit: str = ""
    """Currency sign or unit that stood with it, "" for none."""
    special: str = ""
    """"inf", "-inf" or "nan"; "" for an ordinary number."""
    is_scaled: bool = False
    """Whether a factor such as "million" was applied."""

    @property
    def scaled(self) -> Fraction:
        """The value with a percent sign applied ("24%" is 6/25)."""
        return self.value / 100 if self.is_percent else self.value


_INT = r"(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,3}(?:[ ']\d{3})+(?![\d]|[ ']\d)|\d+)"
_LITERAL = re.compile(
    rf"(?P<european>\d{{1,3}}(?:\.\d{{3}})+,\d{{1,6}}(?![\d,.])|0,\d+(?![\d,])|\d+,(?:\d{{1,2}}|\d{{4,}})(?![\d,]"
    rf"|\.\d))"
    rf"|(?P<plain>{_INT}(?:\.\d+)?|\.\d+)\.?(?P<exponent>[eE][+-]?\d{{1,6}}(?!\w))?"
)
_SIGN = re.compile(r"(?:[+-]\s{0,2}|minus\s|negative\s|plus\s|\\pm(?!.))?", re.IGNORECASE)
_CURRENCY = r"[$€£¥₹₩₽¢฿₺₫₴]|US\$|A\$|C\$|HK\$|USD|EUR|GBP|JPY|CNY|RMB|INR|Rs\.?|CHF|AUD|CAD"
_BEFORE = re.compile(rf"(?:{_CURRENCY}|%)\s?|#(?=\d)", re.IGNORECASE)
_PERCENT = re.compile(r"\s?(?:%|percent(?:age)?(?:\s?points?)?\b|per\s?cent\b|pct\b\.?|pp\b)", re.IGNORECASE)
_SCALE = re.compile(r"\s?(?:" + "|".join(sorted(SCALES, key=len, reverse=True)) + r")\b\.?|[kKMB](?![\w^])|\s[kK]\b")
_LETTER_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}
_POWER = re.compile(r"\s?(?:\^|\*\*)\s?(?:\{\s?(-?\d{1,5})\s?\}|\((-?\d{1,5})\)|(-?\d{1,5}))(?![\d.])")
_TIMES_TEN = re.compile(r"\s?(?:\\times|\\cdot|[x×·*])\s?(?=10\s?(?:\^|\*\*))")
_QUOTIENT = re.compile(r"\s?(?:/|÷|\\div)\s?")
_FRACTION = re.compile(
    r"\\[dtc]?frac\s?(?:\{\s?(?P<a>-?[\d.,]{1,40})\s?\}|(?P<a1>\d))\s?(?:\{\s?(?P<b>-?[\d.,]{1,40})\s?\}|(?P<b1>\d))"
)
_MIXED = re.compile(r"(?:\s|-)(\d{1,9})/(\d{1,9})(?![\d/.])")
_SPECIAL = re.compile(r"(?P<sign>[+-]?)\s?(?:(?P<inf>infinity|infinite|inf|∞|\\infty)|(?P<nan>nan))", re.IGNORECASE)
_UNIT = re.compile(
    r"\s{0,2}(?:\(\s?)?(?!(?:or|and|to|not|but|st|nd|rd|th|by|vs|of|is|are|was|were|be|has|have|had|does|do|did|will|would|can|could|should|because|since|so|then|if|it|they"
    r"|this|that|which|than|through|until|plus|minus|times|divided"
    r"|over|out)\b"
    r"|[xe]\d|[π√])[^\W\d_°'\"$€£¥](?:[^\W_]|[./^*·'°\-{}()$ \\²³]){0,60}|\s?[°'\"$€£¥¢₹][A-Za-z]?"
    r"|\s?\\?\^?\{?\\?(?:circ|degree)s?\}?"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|\^\{?\\?(?:text\{)?(?:st|nd|rd|th)\b", re.IGNORECASE)
_NUMBER_WORD_IN_UNIT = re.compile(
    r"\b(?:or|and|but|not|to|versus|vs|instead|rather|than)\b|\d\s+\d"
    r"|(?<!\^)(?<!\^[{-])(?<!\{-)(?<![mt])(?<!in)(?<!yd)\d",
    re.I,
)
_UNIT_WORDS = 6


@lru_cache(maxsize=8192)
def read_number(text: str) -> Number | None:
    r"""Read a text that is one number, with at most a currency sign, a percent sign or a unit beside it.

    Args:
        text: an answer; dressing is removed here.

    Returns:
        The number, None when the text is none or holds more than one.

    >>> read_number("$1,234.5 million").value
    Fraction(1234500000, 1)
    >>> read_number("3 1/2").value, read_number("1,2").value, read_number(r"\frac12").value, read_number("10^2").value
    (Fraction(7, 2), Fraction(6, 5), Fraction(1, 2), Fraction(100, 1))
    >>> read_number("24 percent").is_percent, read_number("12 cm").unit, read_number("forty").value
    (True, 'cm', Fraction(40, 1))
    >>> [read_number(t) for t in ("6 0", "1_2", "12.3.4", "7th", "12 or 13", "05.1.2", "")]
    [None, None, None, None, None, None, None]
    """
    if not text or len(text) > 4 * MAX_DIGITS:
        return None
    text = undress(plain_signs(text), keep_factorial=True)
    found = scan_number(text, 0)
    if found is None:
        return None
    number, end = found
    return number if end == len(text) else None


_LISTED = re.compile(r"\[\s?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?)\s?\]")


def without_list_bracket(text: str) -> str:
    """A bracketed number with thousands commas as that number; any other text as it is.

    Readers of lists take `[50,100]` for two items; where one number is wanted, it may be one.

    >>> without_list_bracket("[1,200,000]"), without_list_bracket("[1, 2]")
    ('1,200,000', '[1, 2]')
    """
    match = _LISTED.fullmatch(text)
    return match[1] if match else text


def scan_number(text: str, start: int) -> tuple[Number, int] | None:
    """Read one number with its sign, percent and unit that begins at an offset of folded text.

    Returns:
        (number, offset behind it), or None.
    """
    special = _SPECIAL.match(text, start)
    if special and not text[special.end() : special.end() + 1].isalnum():
        return _special(special), special.end()
    sign_end, negative, unit, percent = _head(text, start)
    body = _magnitude(text, sign_end)
    if body is None:
        return None
    value, end, decimals = body
    return _tail(text, end, Number(-value if negative else value, percent, decimals, unit))


def _special(match: re.Match[str]) -> Number:
    if match["nan"]:
        return Number(Fraction(0), special="nan")
    return Number(Fraction(0), special="-inf" if match["sign"] == "-" else "inf")


def _head(text: str, at: int) -> tuple[int, bool, str, bool]:
    """Sign, currency and leading percent sign, in either order: (offset, negative, unit, percent)."""
    negative, unit, percent = False, "", False
    for _ in range(2):
        sign = _SIGN.match(text, at)
        if sign and sign.end() > at:
            negative ^= sign[0].strip().lower() in ("-", "minus", "negative")
            at = sign.end()
        before = _BEFORE.match(text, at)
        if before is None:
            break
        at, unit = before.end(), before[0].strip().strip("%#")
        percent = percent or "%" in before[0]
    return at, negative, unit, percent


def _magnitude(text: str, at: int) -> tuple[Fraction, int, int | None] | None:
    """(value, offset behind, decimals as written) of an unsigned number: literal, quotient, mixed, power, words."""
    fraction = _FRACTION.match(text, at)
    if fraction:
        value = _quotient(fraction["a"] or fraction["a1"], fraction["b"] or fraction["b1"])
        return None if value is None else (value, fraction.end(), None)
    literal = _LITERAL.match(text, at)
    if literal is None:
        return _worded(text, at)
    end = literal.end()
    if text[end - 1] == "." and text[end : end + 1].isalnum():
        return None
    read = _literal(literal)
    if read is None or text[end : end + 1] == "_" or _DIGIT_BEHIND.match(text, end):
        return None
    return _extended(text, end, *read)


_DIGIT_BEHIND = re.compile(r"[.,:']?\d|\s\d(?!\d{0,8}/\d)")


def _literal(match: re.Match[str]) -> tuple[Fraction, int | None] | None:
    if len(match[0]) > MAX_DIGITS:
        return None
    if match["european"]:
        digits = match["european"].replace(".", "").replace(",", ".")
        return Fraction(digits), len(digits.partition(".")[2])
    digits = match["plain"].replace(",", "").replace(" ", "").replace("'", "")
    value, decimals = Fraction(digits), len(digits.partition(".")[2])
    if match["exponent"]:
        power = int(match["exponent"][1:])
        return None if abs(power) > MAX_POWER else (value * _ten_to(power), None)
    return value, decimals


def _extended(text: str, end: int, value: Fraction, decimals: int | None) -> tuple[Fraction, int, int | None] | None:
    r"""What makes the literal longer: a power, `\times 10^n`, a quotient, a fraction behind it (mixed number)."""
    mixed = _MIXED.match(text, end)
    if mixed and decimals == 0:
        part = _quotient(mixed[1], mixed[2])
        return None if part is None else (value + part, mixed.end(), None)
    latex = _FRACTION.match(text, end + (text[end : end + 1] == " "))
    if latex and decimals == 0:
        part = _quotient(latex["a"] or latex["a1"], latex["b"] or latex["b1"])
        return None if part is None else (value + part, latex.end(), None)
    power = _power(text, end, value)
    if power:
        return power if power[1] > 0 else None
    longer = _ten_power(text, end, value) or _divided(text, end, value) or (value, end, decimals)
    return longer if longer[1] > 0 else None


def _power(text: str, end: int, value: Fraction) -> tuple[Fraction, int, None] | None:
    match = _POWER.match(text, end)
    if match is None:
        return None
    exponent = int(match[1] or match[2] or match[3])
    size = max(value.numerator.bit_length(), value.denominator.bit_length())
    if abs(exponent) * size > 4 * MAX_POWER or (value == 0 and exponent < 0):
        return Fraction(0), -1, None
    return value**exponent, match.end(), None


def _ten_power(text: str, end: int, value: Fraction) -> tuple[Fraction, int, None] | None:
    times = _TIMES_TEN.match(text, end)
    if times is None:
        return None
    power = _power(text, times.end() + 2, Fraction(10))
    return (value * power[0], power[1], None) if power and power[1] > 0 else None


def _divided(text: str, end: int, value: Fraction) -> tuple[Fraction, int, None] | None:
    sign = _QUOTIENT.match(text, end)
    below = _LITERAL.match(text, sign.end()) if sign else None
    if below is None:
        return None
    read = _literal(below)
    if (
        read is None
        or read[0] == 0
        or _DIGIT_BEHIND.match(text, below.end())
        or text[below.end() : below.end() + 1] == "/"
    ):
        return None
    if _is_year(value) and (_is_year(read[0]) or len(below[0]) == 2):
        return Fraction(0), -1, None
    return value / read[0], below.end(), None


def _is_year(value: Fraction) -> bool:
    """Whether a value may be a year, so that a slash behind it spans two ("2019/20")."""
    return value.denominator == 1 and 1900 <= value < 2100


def _worded(text: str, at: int) -> tuple[Fraction, int, None] | None:
    run = WORD_RUN.match(text, at)
    value = read_words(run[0]) if run else None
    return (value, run.end(), None) if run and value is not None else None


def _quotient(above: str, below: str) -> Fraction | None:
    try:
        top, bottom = Fraction(above.replace(",", "")), Fraction(below.replace(",", ""))
    except ValueError:
        return None
    return top / bottom if bottom else None


def _ten_to(power: int) -> Fraction:
    return Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)


def _tail(text: str, end: int, number: Number) -> tuple[Number, int] | None:
    """Scale word, percent and unit behind the magnitude; an ordinal is no number."""
    if _ORDINAL.match(text, end):
        return None
    value, is_percent, unit, scaled = number.value, number.is_percent, number.unit, False
    scale = _SCALE.match(text, end)
    if scale:
        word = scale[0].strip(" .")
        value *= SCALES.get(word.lower(), _LETTER_SCALES.get(word.lower(), 1))
        end, scaled = scale.end(), True
    percent = _PERCENT.match(text, end)
    if percent:
        end, is_percent = percent.end(), True
    behind = _UNIT.match(text, end)
    if behind and _is_unit(behind[0]):
        end, unit = behind.end(), unit or behind[0].strip(" ().,")
        if unit.startswith("%"):
            is_percent = True
    decimals = None if scaled else number.decimals
    return Number(value, is_percent, decimals, unit, is_scaled=scaled), end


def _is_unit(text: str) -> bool:
    return len(text.split()) <= _UNIT_WORDS and not _NUMBER_WORD_IN_UNIT.search(text) and not WORD_RUN.search(text)


_MENTION = re.compile(r"(?<![\w.,^_/])(?:[-+]\s?)?(?:[$€£¥]\s?)?(?=[\d.]\d|\d|\\[dtc]?frac)|(?<=[(\[,$=: ])-(?=\d)")
MAX_MENTIONS = 200


def mentions(text: str) -> list[Number]:
    r"""All numbers that a sentence mentions, in order (at most MAX_MENTIONS).

    >>> [float(n.value) for n in mentions("Of the 12 bars, three are above 1,500 (50%).")]
    [12.0, 3.0, 1500.0, 50.0]
    """
    text = plain_latex(text)
    found: list[tuple[int, Number]] = []
    at = 0
    starts = sorted({m.start() for m in _MENTION.finditer(text)} | {m.start() for m in WORD_RUN.finditer(text)})
    for start in starts[: 4 * MAX_MENTIONS]:
        if start < at:
            continue
        scanned = scan_number(text, start)
        if scanned:
            found.append((start, scanned[0]))
            at = start + 1 if scanned[1] <= start else _value_end(text, start, scanned[1])
    return [number for _, number in found[:MAX_MENTIONS]]


def _value_end(text: str, start: int, end: int) -> int:
    """Offset behind the last digit or word of a number, its unit left out."""
    run = WORD_RUN.match(text, start)
    if run:
        return run.end()
    digits = [m.end() for m in re.finditer(r"\d", text[start:end])]
    return start + digits[-1] if digits else end
