"""Field F1 of records (CC-OCR key information)."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.answers.objects import Bare
from snellen.scorers.fields import compare_fields, without_wrapper

SAME = [
    ("case and blanks of keys", {" A ": "x"}, {"a": "x"}),
    ("blanks of values", {"a": " x  y\n"}, {"a": "x y"}),
    ("full width", {"a": "１０"}, {"a": "10"}),
    ("order of a list", {"a": ["x", "y"]}, {"a": ["y", "x"]}),
    ("empty values", {"a": "x", "b": None, "c": "", "d": [], "e": {}, "f": " "}, {"a": "x"}),
    ("number as written", {"a": Bare("12.50")}, {"a": "12.50"}),
    ("truth value as written", {"a": True}, {"a": "true"}),
    ("bare numbers by value", {"a": Bare("1.0")}, {"a": Bare("1")}),
    ("bare number and its text, crosswise", {"a": [Bare("1.0"), "1.0"]}, {"a": ["1.0", Bare("1")]}),
    ("nothing", {}, {"a": None}),
    ("records in any order", [{"a": "1"}, {"a": "2"}], [{"a": "2"}, {"a": "1"}]),
]
OTHER = [
    ("case of values", {"a": "X"}, {"a": "x"}),
    ("numbers as texts", {"a": "1.0"}, {"a": "1"}),
    ("dotted key", {"a.b": "x"}, {"a": {"b": "x"}}),
    ("other path", {"a": {"b": "x"}}, {"a": {"c": "x"}}),
]


@pytest.mark.parametrize(("first", "second"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_same_records(first: Any, second: Any) -> None:
    """What does not matter does not count, from either side."""
    assert compare_fields(first, second).f1 == compare_fields(second, first).f1 == 1.0


@pytest.mark.parametrize(("first", "second"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER])
def test_other_records(first: Any, second: Any) -> None:
    """What matters counts."""
    assert compare_fields(first, second).f1 == 0.0


def test_repeats_count() -> None:
    """["x", "y"] for ["x", "x", "y"] lacks one: 2·2 / (2·2 + 1)."""
    counts = compare_fields({"a": ["x", "y"]}, {"a": ["x", "x", "y"]})
    assert (counts.n_matched, counts.n_missing, counts.n_extra) == (2, 1, 0)
    assert counts.f1 == 0.8


def test_a_wrong_value_is_missing_and_extra() -> None:
    """One of two fields wrong gives one half."""
    assert compare_fields({"a": "x", "b": "wrong"}, {"a": "x", "b": "y"}).f1 == 0.5


def test_wrapper() -> None:
    """One key around the reference's keys is removed; a key of the reference, or strange contents, stay."""
    assert without_wrapper({"r": {"A": "x"}}, {"a": "y"}) == {"A": "x"}
    assert without_wrapper({"r": [{"a": "x"}]}, {"a": "y"}) == {"a": "x"}
    assert without_wrapper({"a": {"b": "x"}}, {"a": {"b": "x"}}) == {"a": {"b": "x"}}
    assert without_wrapper({"r": {"z": "x"}}, {"a": "y"}) == {"r": {"z": "x"}}
