"""Whether two short texts say the same; lists, statements, dressing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answers.dressing import undress
from snellen.answers.listing import read_listing, read_range, strip_brackets
from snellen.answers.remarks import abstention, alternatives, is_placeholder, is_remark, sentences, trim_remarks
from snellen.answers.signs import plain_signs
from snellen.answers.statements import pieces
from snellen.answers.wording import same_text, text_key, trend_of, truth_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("new-york", "New York"), ("NewYork", "New York"), ("the grey one", "gray one"),
        ("Not Applicable", "notapplicable"),
        ("2x3", "2 by 3"), ("2 × 3", "2 by 3"), ("2 rows and 3 columns", "2 by 3"), ("USA", "United States"),
        ("U.K.", "United Kingdom"), ("Main St", "Main Street"), ("St. Louis", "st louis"), ("colour", "color"),
        ("organisation", "organization"), ("labelled", "labeled"), ("Jan 2020", "January 2020"), ("true", "Yes"),
        ("Supported.", "correct"), ("false", "No"), ("refuted", "not true"), (r"\alpha", "α"), ("alpha", "α"),
        ("It goes up and then levels off", "Increases then stabilizes"),
        ("decreasing, then rising", "falls then increases"),
        ("B", "Model B"), ("year 2019", "2019"), ("18-24", "18 to 24"), ("1,234 units", "1234 units"),
        (".5 V", "0.5 V"),
        ("GPT-2", "gpt 2"), ("Accuracy vs. Epoch", "accuracy versus epoch"), ("R&D", "R and D"),
    ],
)  # fmt: skip
def test_same_wording(one: str, other: str) -> None:
    """Case, punctuation, article, spacing, spelling variants and the closed table do not matter, in both"
    " directions.
    """
    assert same_text(one, other)
    assert same_text(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("England", "UK"), ("GPT", "GPT-2"), ("Increases", "Increases then stabilizes"), ("square root", "square"),
        ("squar", "square"), ("e", "Model B"), ("eyes", "yes"), ("unknown", "No"), ("3.5", "35"), ("-5", "5"),
        ("6 0", "60"),
        ("1.00", "100"), ("2", "GPT-2"), ("3 by 2", "2 by 3"), ("", ""), ("...", ""), ("not a square", "square"),
        ("up then down", "down then up"), ("2019", "2018"), ("Model A", "Model B"),
    ],
)  # fmt: skip
def test_other_wording(one: str, other: str) -> None:
    """A wider, narrower, longer or cut text is another one, and no point or minus is lost."""
    assert not same_text(one, other)
    assert not same_text(other, one)


def test_truth_and_trend_words() -> None:
    """The closed tables know their own words only."""
    assert [truth_of(text) for text in ("yep", "nope", "maybe")] == ["yes", "no", ""]
    assert trend_of("rise in sales") == ()
    assert trend_of("first falls and later rises") == ("down", "up")


@given(st.text(max_size=80))
def test_a_text_equals_itself(text: str) -> None:
    """Equality is reflexive wherever a text says something, and never raises."""
    assert same_text(text, text) == (text_key(text) != "")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("['red', 'light blue']", ("red", "light blue")), ("[red; blue]", ("red", "blue")),
        ("red and blue", ("red", "blue")),
        ("red, blue and green", ("red", "blue", "green")), ("- red\n- blue", ("red", "blue")),
        ("1. red\n2. blue", ("red", "blue")),
        ("[a, b", ("a", "b")), ("1,234", ("1,234",)), ("1,234, 5,678", ("1,234", "5,678")),
        ("f(1,2), 3", ("f(1,2)", "3")),
        ('"Paris, France", "Rome"', ("Paris, France", "Rome")), ("", ()), ("[]", ()),
    ],
)  # fmt: skip
def test_lists_are_split(text: str, items: tuple[str, ...]) -> None:
    """Commas, semicolons, lines and "and" separate items; commas in numbers, brackets and quotes do not."""
    assert read_listing(text).items == items


def test_brackets_and_ranges() -> None:
    """The kind of each bracket is kept; a range is low and high."""
    assert [strip_brackets(text)[1] for text in ("[0,1)", "(1,2)", r"\{1\}", "(a) or (b)")] == ["[)", "()", "{}", ""]
    assert read_range("between 50 and 100") == ("50", "100")
    assert read_range("fifty") is None


def test_pieces_of_a_sentence() -> None:
    """What is asserted is a piece, what is denied is none."""
    assert "18" in pieces("The number of cubes is 18.")
    assert "2019" in pieces("In 2019")
    assert "B" not in pieces("The best one is not B")
    assert "y" in pieces("x = y")
    assert "y" not in pieces("2x = y", keep_equations=True)


def test_dressing_is_bounded_and_keeps_values() -> None:
    """Layers are taken off up to a bound; half brackets go, intervals stay."""
    assert undress("**" * 50 + "B" + "**" * 50) == "B"
    assert undress("[0,1)") == "[0,1)"
    assert undress("12]") == "12"
    assert undress(r"$\text{12\,cm}$") == "12cm"
    assert undress(r"\\text{yes}") == "yes"


def test_remarks() -> None:
    """Remarks are recognised by their opening words, answers are not."""
    assert is_remark("I hope this helps!")
    assert not is_remark("12 cm")
    assert trim_remarks("Based on the chart, 12 because it is tall") == "12"
    assert sentences("It is 3.5. So we stop.") == ["It is 3.5.", "So we stop."]
    assert is_placeholder("<final answer>")
    assert not is_placeholder("[B]")


def test_kinds_of_abstention() -> None:
    """The ways to decline are told apart, and an answer is none of them."""
    said = ["It cannot be determined", "N/A", "none", "I'm sorry, I can't", "12", "No"]
    assert [abstention(text) for text in said] == ["unanswerable", "not applicable", "none", "refusal", "", ""]


def test_alternatives() -> None:
    """Candidates side by side are told apart; a word that holds "or" is one candidate."""
    assert alternatives("either 12 or 13") == ["12", "13"]
    assert alternatives("12; 13") == ["12", "13"]
    assert alternatives("orange") == ["orange"]


def test_signs_have_one_spelling() -> None:
    """Raised digits become powers, vulgar fractions quotients, every line end a newline."""
    assert plain_signs("10⁻³") == "10^{-3}"
    assert plain_signs("a\u2028b\r\nc\x85d") == "a\nb\nc\nd"
    assert plain_signs("½ ﬁ ％") == " 1/2 fi %"
