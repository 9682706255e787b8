"""Dates and times of day written in the common ways, for equality of short answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
"""English names of the months in order."""

_MONTH = "(?P<month>" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + r"|sept)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_MONTH}\s*(?:of\s+)?,?\s*{_YEAR}",
        rf"{_MONTH}\s+{_DAY}(?:\s*,\s*|\s+){_YEAR}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"{_MONTH}\s+{_DAY}",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH}",
        r"(?P<year>\d{4})[-/.](?P<number>\d{1,2})(?:[-/.](?P<day>\d{1,2}))?",
        r"(?P<number>\d{1,2})[-/.](?P<day>\d{1,2})[-/.](?P<year>\d{4})",
    )
)
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::\d{2})?)?\s*(?P<half>[ap]\.?\s?m\.?)?(?:\s*o'?clock)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as much of it as was written."""

    year: int | None
    """Four digits, None when it was left out."""
    month: int
    """1 to 12."""
    day: int | None
    """1 to 31, None when it was left out."""


def read_date(text: str) -> Date | None:
    """Read a text that is one date with its month.

    >>> read_date("3rd of March 2020") == read_date("March 3, 2020") == read_date("2020-03-03")
    True
    >>> read_date("Mar 2020"), read_date("2020"), read_date("Marching 3 2020")
    (Date(year=2020, month=3, day=None), None, None)
    """
    text = text.strip(" .,")
    if not 4 < len(text) < 40:
        return None
    for form in _FORMS:
        match = form.fullmatch(text)
        date = _date(match.groupdict()) if match else None
        if date:
            return date
    return None


def _date(parts: dict[str, str | None]) -> Date | None:
    written = parts.get("day")
    day = int(written) if written else None
    number = parts.get("number")
    month = int(number) if number else _month(parts.get("month") or "")
    if number and month > 12 and day is not None and day <= 12:
        month, day = day, month
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    year = parts.get("year")
    return Date(int(year) if year else None, month, day)


def _month(short: str) -> int:
    return next((at for at, name in enumerate(MONTHS, start=1) if short and name.startswith(short.lower()[:3])), 0)


def read_time(text: str) -> tuple[int, bool] | None:
    """Read a text that is one time of day.

    Returns:
        (minutes since midnight, whether the half of the day is known), None when it is no time.

    >>> read_time("3:30 PM"), read_time("15:30"), read_time("3.30"), read_time("12")
    ((930, True), (930, True), None, None)
    """
    text = text.strip(" .,")
    match = _TIME.fullmatch(text) if len(text) < 20 else None
    if match is None or not (match["half"] or ":" in text or "clock" in text):
        return None
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower()
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return hour * 60 + minute, bool(half) or hour > 12 or hour == 0


def same_moment(one: str, other: str) -> bool:
    """Whether two texts are the same date, or the same time of day.

    >>> same_moment("3 March 2020", "2020-03-03"), same_moment("3:30", "3:30 pm"), same_moment("3:30 am", "15:30")
    (True, True, False)
    """
    mine = read_date(one)
    if mine:
        return mine == read_date(other)
    first = read_time(one)
    second = read_time(other) if first else None
    if not first or not second:
        return False
    return first[0] == second[0] if first[1] and second[1] else first[0] % 720 == second[0] % 720
