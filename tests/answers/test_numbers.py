"""Numbers in free text as exact values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answers.number_words import read_words
from snellen.answers.numbers import mentions, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("-3.5", "-7/2"), ("−3", -3), ("+100", 100), ("- 5", -5), ("minus 4", -4), ("1,234.5", "2469/2"),
        ("1 234", 1234), ("1'000", 1000), ("1.234,5", "2469/2"), ("0,57", "57/100"), ("1,2", "6/5"), ("1,00", 1),
        (".5", "1/2"), ("06", 6), ("05", 5), ("3.", 3), ("1e2", 100), ("1.5E3", 1500), ("10^4", 10000),
        ("10^{-2}", "1/100"),
        ("10²", 100), ("10**3", 1000), (r"1.5\times10^{3}", 1500), ("3 × 10^5", 300000), ("120/10", 12),
        ("1 / 2", "1/2"),
        (r"\frac{24}{2}", 12), (r"\frac12", "1/2"), (r"\dfrac{2}{4}", "1/2"), ("½", "1/2"), ("3½", "7/2"),
        ("3 1/2", "7/2"),
        (r"3\frac{1}{2}", "7/2"), (r"3\frac12", "7/2"), ("one hundred", 100), ("twelve", 12), ("one half", "1/2"),
        ("forty-two", 42), ("two thirds", "2/3"), ("three and a half", "7/2"), ("a dozen", 12),
        ("fifteen hundred", 1500),
        ("1.25k", 1250), ("1.2 million", 1200000), ("2 bn", 2000000000), ("3 thousand", 3000), ("$100", 100),
        ("100 €", 100),
        ("-$5", -5), ("USD 5", 5), ("12 cm", 12), ("1500 Hz", 1500), ("2 people", 2), ("60°", 60), (r"60^\circ", 60),
        ("9 cm^2", 9), ("6 m^3", 6), ("about 12", 12), ("≈ 12", 12), ("x = 12", 12), ("((12))", 12), ("12?", 12),
        ("-0", 0),
    ],
)  # fmt: skip
def test_one_number_in_any_spelling(text: str, value: int | str) -> None:
    """Signs, separators, quotients, mixed numbers, powers, words, scales, currency and units are read exactly."""
    number = read_number(text)
    assert number is not None
    assert number.value == Fraction(value)


@pytest.mark.parametrize(
    "text",
    ["6 0", "1_2", "12.3.4", "7th", "1st", "12 or 13", "12; 13", "40, 41", "5-6", "12:30", "2x3", "2 by 3", "12!",
    "12_3", "A1",
     "1/0", "0x12", "", "three four", "2019 Q2", "12 out of 15", "9" * 5000, "1e999999", "Model 2"],
)  # fmt: skip
def test_what_is_no_single_number(text: str) -> None:
    """Ordinals, ranges, times, broken digits, two values and numbers past the bound are not read."""
    assert read_number(text) is None


def test_percent_is_told_apart_from_the_value() -> None:
    """A percent sign or word is kept as a flag, in front or behind."""
    for text in ("24%", "24 %", r"24\%", "24 percent", "24 per cent", "%24", "twenty-four percent"):
        number = read_number(text)
        assert number is not None
        assert (number.value, number.is_percent, number.scaled) == (24, True, Fraction(6, 25))


def test_decimals_are_those_written() -> None:
    """Digits behind the point are counted as written; quotients, powers and words have none."""
    assert [read_number(text).decimals for text in ("5", "5.20", "0,5")] == [0, 2, 1]  # type: ignore[union-attr]
    assert [read_number(text).decimals for text in ("1/2", "1e2", "five")] == [None, None, None]  # type: ignore[union-attr]


def test_special_values_keep_their_sign() -> None:
    """inf, infinity and ∞ are one; -inf and nan are others; a huge literal is none of them."""
    assert {read_number(text).special for text in ("inf", "Infinity", "∞", r"\infty")} == {"inf"}  # type: ignore[union-attr]
    assert read_number("-inf").special == "-inf"  # type: ignore[union-attr]
    assert read_number("NaN").special == "nan"  # type: ignore[union-attr]
    assert read_number("1e999").special == ""  # type: ignore[union-attr]


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_decimals_are_exact(digits: int, places: int) -> None:
    """A decimal with thousands separators is read without rounding."""
    value = Fraction(digits, 10**places)
    whole, part = divmod(abs(digits), 10**places)
    text = ("-" if digits < 0 else "") + f"{whole:,}" + (f".{part:0{places}d}" if places else "")
    number = read_number(text)
    assert number is not None
    assert number.value == value


@given(st.text(max_size=60))
def test_any_text_is_read_or_not(text: str) -> None:
    """No text makes the reader raise."""
    read_number(text)
    mentions(text)
    read_words(text)


def test_mentions_are_all_numbers_of_a_sentence() -> None:
    """Digits and words are found in order, units and percent signs with them."""
    found = mentions("Of the 12 bars, three are above 1,500 (50%).")
    assert [float(number.value) for number in found] == [12.0, 3.0, 1500.0, 50.0]
    assert found[-1].is_percent


def test_number_words_are_whole() -> None:
    """Word runs that are no number are refused."""
    assert read_words("one hundred and twenty-five thousand") == 125_000
    assert read_words("two million three hundred") == 2_000_300
    for text in ("minus", "seven eight", "hundred and", "and five", "seventh", "a", "", "forty apples"):
        assert read_words(text) is None
