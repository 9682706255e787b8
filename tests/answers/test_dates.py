"""Dates and times of day in the common ways of writing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answers.dates import Date, read_date, read_time, same_moment


@pytest.mark.parametrize(
    "text",
    [
        "March 3, 2020",
        "3 March 2020",
        "3rd of March 2020",
        "Mar. 3 2020",
        "2020-03-03",
        "2020/3/3",
        "03/03/2020",
        "mar 3, 2020",
    ],
)
def test_one_day_in_any_spelling(text: str) -> None:
    """Day, month and year are found in any order of the common forms."""
    assert read_date(text) == Date(2020, 3, 3)


def test_parts_of_a_date() -> None:
    """A month with its year, or a day with its month, is a date; a bare year or number is none."""
    assert read_date("Sept 2019") == Date(2019, 9, None)
    assert read_date("4 July") == Date(None, 7, 4)
    for text in ("2019", "12", "Marching 3 2020", "2020-13-45", "May", "", "x" * 100):
        assert read_date(text) is None


def test_times_of_day() -> None:
    """Hours and minutes are compared, the half of the day where both state it."""
    assert same_moment("3:30 PM", "15:30")
    assert same_moment("3:30", "3:30 p.m.")
    assert not same_moment("3:30 AM", "3:30 PM")
    assert not same_moment("3:30", "3:31")
    assert read_time("12:00 AM") == (0, True)
    for text in ("12", "3.30", "25:00", "12:75", "13:00 PM", ""):
        assert read_time(text) is None


@given(st.text(max_size=50))
def test_any_text_is_a_moment_or_none(text: str) -> None:
    """No text makes the readers raise."""
    same_moment(text, text)
