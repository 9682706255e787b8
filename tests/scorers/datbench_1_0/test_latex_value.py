"""The old LaTeX evaluator's values, quirks included, and its bounds; text surgery of mathvision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.scorers.datbench_1_0.latex_value import NoValue, latex_value
from snellen.scorers.datbench_1_0.mathvision import is_equal, reduce_reply, tidy


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("007", 7), (".5", 0.5), ("3.", 3), ("1,234,567", 1234567), ("0,570", 570), (r"\frac{1}{2}", 0.5),
        ("1:2", 0.5),
        (r"6\div 2", 3.0), ("2(3+4)", 14), (r"3\frac{1}{2}", 1.5), ("1 2", 2), ("2^3^2", 64), ("-2^2", -4),
        ("8^{1/3}", 2.0),
        ("144^{1/2}", 12.0), ("4^{1.5}", 8.0), (r"\sqrt[3]{8}", 2.0), (r"\binom{5}{2}", 10), (r"\gcd(4,6)", 2),
        (r"\operatorname{lcm}(2,3)", 6), (r"50\%", 0.5), (r"100\%", 1), ("x=5", 5), ("x_{1}=5", 5),
        (r"\alpha=5", 5), ("5>3", 1),
        (r"5\le 3", 0), ("12.because", 12), ("12)", 12), ("12]or13", 12), ("12_3", 12), ("12'", 12), ("12~", 12),
        ("12.5.6", 7.5),
        ("3 1/2", 1.5), (r"1\over2", 0.5), (r"1+1\over2", 1.5), (r"\left(3\right)", 3), ("$3", 3), ("6/2(3)", 1.0),
        ("1/2*3", 1.5),
        (r"\frac{4}{2}", 2.0), ("2^{2.0}", 4), (r"1\times-2", -2), (r"{5 \choose 2}", 10),
    ],
)  # fmt: skip
def test_values(text: str, value: float) -> None:
    """Each form of plain arithmetic has the old evaluator's value, whole ones as int."""
    found = latex_value(text)
    assert type(found) is type(value)
    assert found == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["", "1,23", "(1,2)", "2^-1", "8^{0.5}", r"4^{50\%}", r"\sqrt{4}", r"\pi", "e", "12!", "|3|", r"\frac12", "50%",
    "60°", "12?", "5=x", "xy=5",
     r"5 \% 3", "2^(3)", "[1,2)", "1/0", "0^{-1}", "(-8)^{1/3}", r"12\text{cm}", "3+", "(3", r"\cfrac{1}{2}", "5=5",
     r"12\circ"],
)  # fmt: skip
def test_failures(text: str) -> None:
    """Names, functions, lists, broken brackets and unknown signs have no value."""
    with pytest.raises(NoValue):
        latex_value(text)


@pytest.mark.parametrize(
    "text",
    [
        "9^{9^{9}}",
        "(" * 100_000,
        "{" * 100_000 + "1",
        "1+" * 100_000 + "1",
        "9" * 100_000,
        r"\binom{1000000}{500000}",
        "a" * 100_000,
    ],
)
def test_hostile_texts_have_no_value(text: str) -> None:
    """Towers, depth, length and long literals are past a bound and have no value."""
    with pytest.raises(NoValue):
        latex_value(text)


@given(st.text(alphabet="0123456789+-*/^(){}[],.\\ fracsqrtx!%=<>_':&", max_size=60))
def test_any_text_is_compared(text: str) -> None:
    """No text makes the comparison raise."""
    is_equal(r"\frac{1}{2}", reduce_reply(text))


@pytest.mark.parametrize(
    ("reply", "reduced"),
    [
        ("So it is C.", "c"), ("(C)\nI counted", "c"), ("The answer is F.", "f"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"\boxed{1} or \boxed{2}", "2"), ("x = 18", "18"), (r"x \approx 60", "60"), (r"60^\circ", "60"),
        ("6 0", "60"), (r"6\%", "6"),
        (r"\sqrt3", r"\sqrt{3}"), ("1/2", r"\frac{1}{2}"), ("0.5", r"\frac{1}{2}"), (".25", "0.25"),
        (r"\sqrt2+\frac12", r"\sqrt{2}+\frac{1}{2}"),
        ("12...", "12"), ("{C}", "c"), ("18 km", "18"),
    ],
)  # fmt: skip
def test_text_surgery(reply: str, reduced: str) -> None:
    """A reply is cut down step by step as the public library does."""
    assert reduce_reply(reply) == reduced


def test_tidying_repairs_fractions_only_beside_roots() -> None:
    r"""`\frac12` gets its braces only where the text holds a root."""
    assert tidy(r"\frac12") == r"\frac12"
    assert tidy(r"\frac12\sqrt2") == r"\frac{1}{2}\sqrt{2}"
    assert tidy(r"\frac\sqrt2") == r"\frac{\}{s}qrt{2}"


def test_equality_at_two_decimals() -> None:
    """Values agree to two decimals, tuples item by item; an int and a float item differ in print."""
    assert is_equal("60", "60.004")
    assert not is_equal("60", "60.01")
    assert is_equal("[0,1]", "[0.0,1.0]")
    assert not is_equal("(1,2)", r"(\frac{2}{2},2)")
    assert not is_equal("", "")
