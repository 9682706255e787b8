"""Whole words and formulas inside a text."""

from __future__ import annotations

import pytest

from snellen.scorers.contained import contains_formula, contains_words


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("the golden gate.", "golden gate"), ("$5", "5"), ("(cat)", "cat"), ("12 apples", "12"), ("10, 20", "20"),
        ("12.", "12"), ("答:三年。", "三年"), ("8个", "8"), ("x is 1,20", "1"), ("cats and cat", "cat"), ("50%", "%"),
    ],
)  # fmt: skip
def test_stands_as_words(text: str, reference: str) -> None:
    """Marks, blanks and other scripts may stand next to it."""
    assert contains_words(text, reference)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("concatenate", "cat"), ("xgoldx", "gold"), ("i do not know", "no"), ("10", "1"), ("12.5", "12"),
        ("1,200", "1"), ("1,200", "200"), ("3.12", "12"), ("été", "t"), ("d c b a", "a b c d"), ("x", ""), ("", "x"),
    ],
)  # fmt: skip
def test_does_not_stand_as_words(text: str, reference: str) -> None:
    """Parts of words and of numbers do not count."""
    assert not contains_words(text, reference)


def test_blanks_may_be_ignored() -> None:
    """Blanks do not count, but still part words."""
    assert contains_words("北京 大学", "北京大学", tight=True)
    assert contains_words("it is 1 2 here", "12", tight=True)
    assert not contains_words("x1 2", "12", tight=True)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        (r"$\frac{a}{b} + c$", r"\frac{a}{b}+c"), ("\\frac{a}{b}\n+ c", r"\frac{a}{b} + c"), (r"\[x^2\]", "x^{2}"),
        (r"速度 v", r"\text{速度} v"), ("x=3", "x = 3"), ("so x.", "x"), ("a", r"\text{a}"),
    ],
)  # fmt: skip
def test_formulas(text: str, reference: str) -> None:
    """Blanks, delimiters, text wrappers and single braces do not matter."""
    assert contains_formula(text, reference)


@pytest.mark.parametrize(
    ("text", "reference"), [("a", "A"), (r"\frac{a}{b}", r"\frac{a}{b}+c"), ("axb", "x"), ("z", "")]
)
def test_other_formulas(text: str, reference: str) -> None:
    """Case matters, letters are whole words, an empty reference is never found."""
    assert not contains_formula(text, reference)
