"""Whether one short answer is one reference by a chart rule: how near a number must be, what a percent sign means.

All arithmetic is exact: exactly at the limit is within.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from snellen.answers.listing import read_range
from snellen.answers.numbers import Number, mentions, read_number, without_list_bracket
from snellen.answers.wording import same_text

FIVE_PERCENT = Fraction(1, 20)
LARGEST_BARE_FRACTION = Fraction(3, 2)
"""A bare answer up to this size may be a fraction where the reference is in percent points."""

_PERCENT_QUESTION = re.compile(r"percent|per cent|\bshare\b|\bshares\b|%", re.IGNORECASE)
_YEAR_ASKED = re.compile(
    r"\b(?:what|which|name|list|give)\b[^.?!,\n]{0,40}\byears?\b|\bwhen\b|^\W*years?\W*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Rule:
    """How one reference is compared."""

    tolerance: Fraction = Fraction(0)
    """Largest difference relative to the reference."""
    is_percent: bool = False
    """Whether the question asks for percent points."""
    is_ratio: bool = False
    """Whether the question asks for a ratio, which may be written `a:b`."""
    asks_year: bool = False
    """Whether the question asks for a year, so that a four-digit reference is exact."""

    def exact(self) -> Rule:
        """The same rule without tolerance."""
        return replace(self, tolerance=Fraction(0))


def rule_for(question: str, tolerance: Fraction) -> Rule:
    """The rule that a question calls for.

    >>> rule_for("What percentage of people voted?", FIVE_PERCENT).is_percent
    True
    >>> rule_for("In which year did it peak?", FIVE_PERCENT).asks_year
    True
    >>> rule_for("How many in the year 2020?", FIVE_PERCENT).asks_year
    False
    """
    question = question[:4_000]
    return Rule(
        tolerance,
        is_percent=_PERCENT_QUESTION.search(question) is not None,
        is_ratio="ratio" in question.lower(),
        asks_year=_YEAR_ASKED.search(question) is not None,
    )


def is_same_value(reference: Number, answer: Number, rule: Rule) -> bool:
    """Whether a number is near enough to the reference by the rule.

    >>> twenty, nineteen = read_number("20"), read_number("19")
    >>> is_same_value(twenty, nineteen, Rule(FIVE_PERCENT)), is_same_value(twenty, nineteen, Rule())
    (True, False)
    """
    if reference.special or answer.special:
        return reference.special == answer.special
    limit = Fraction(0) if rule.asks_year and is_year(reference) else rule.tolerance
    truth = reference.value
    return any(abs(value - truth) <= limit * abs(truth) for value in _readings(reference, answer, rule))


def _readings(reference: Number, answer: Number, rule: Rule) -> list[Fraction]:
    """Values that an answer may have on the reference's scale."""
    if reference.is_percent or rule.is_percent:
        if answer.is_percent:
            return [answer.value]
        is_fraction = abs(answer.value) <= LARGEST_BARE_FRACTION
        return [answer.value, answer.value * 100] if is_fraction else [answer.value]
    if answer.is_percent and abs(reference.value) < 2:
        return [answer.value / 100]
    return [answer.value]


def is_year(number: Number) -> bool:
    """Whether a number is written as a four-digit year.

    >>> is_year(read_number("2019")), is_year(read_number("2019.5")), is_year(read_number("40"))
    (True, False, False)
    """
    return (
        number.value.denominator == 1
        and 1000 <= number.value < 3000
        and not number.is_percent
        and not number.is_scaled
    )


def is_same_item(reference: str, answer: str, rule: Rule) -> bool:
    """Whether one piece of an answer is the reference: as numbers where both are, else as texts.

    >>> is_same_item("24%", "0.24", Rule()), is_same_item("-3.5", "3.5", Rule(FIVE_PERCENT))
    (True, False)
    """
    truth = read_number(reference)
    said = _read_answer(answer, rule) if truth else None
    if truth and said:
        return is_same_value(truth, said, rule) or (reference.strip() == answer.strip() != "")
    return same_text(reference, answer) or _is_same_range(reference, answer)


def _read_answer(answer: str, rule: Rule) -> Number | None:
    return read_number(_RATIO.sub(r"\1/\2", answer) if rule.is_ratio else without_list_bracket(answer))


def _is_same_range(reference: str, answer: str) -> bool:
    wanted = read_range(reference)
    said = read_range(answer) if wanted else None
    if not wanted or not said:
        return False
    pairs = [(read_number(one), read_number(other)) for one, other in zip(wanted, said, strict=True)]
    return all(one is not None and other is not None and one.value == other.value for one, other in pairs)


_RATIO = re.compile(r"^\s*([\d.,]{1,20})\s*(?::|to)\s*([\d.,]{1,20})\s*$")
_RUN = re.compile(r"\d[\d,.]*")
_WORD = re.compile(r"[^\W\d_]{3,}")


def only_number(text: str) -> Number | None:
    """The one number that a sentence mentions; None when there are several different ones or a broken one.

    >>> only_number("There are 12 bars in it").value, only_number("12 of the 15 bars"), only_number("6 0")
    (Fraction(12, 1), None, None)
    """
    if len(text) > 600 or not _WORD.search(text):
        return None
    found = mentions(text)
    n_runs = len(_RUN.findall(text))
    if not found or len({(n.value, n.is_percent) for n in found}) != 1 or (n_runs and n_runs > 2 * len(found)):
        return None
    return found[0]
