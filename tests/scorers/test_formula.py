"""Reading formulas and their values: exact, to many digits, within bounds; structures and their equality."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.scorers.formula import read_formula
from snellen.scorers.formula_exact import NotRational, WorkBound, exact_power, exact_value
from snellen.scorers.formula_tokens import NoFormula
from snellen.scorers.formula_value import are_equal, number_of
from snellen.scorers.math_equality import Precision, is_equal
from snellen.scorers.structures import read_structure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"3\frac{1}{2}", "7/2"), ("3 1/2", "7/2"), (r"\frac12", "1/2"), (r"\frac1{2}", "1/2"), ("1/2/3", "1/6"),
        ("2(3+4)", 14),
        ("2^10", 1024), ("2^{-1}", "1/2"), ("2^3^2", 512), ("-2^2", -4), ("8^{1/3}", 2), (r"\sqrt{144}", 12),
        (r"\sqrt[3]{27}", 3), ("5!", 120), (r"\binom{5}{2}", 10), (r"{5 \choose 2}", 10), ("C(5,2)", 10),
        (r"\gcd(12,18)", 6),
        (r"\operatorname{lcm}(4,6)", 12), (r"\max(1,3,2)", 3), ("|-3|", 3), (r"\left|2-5\right|", 3),
        (r"\lfloor 3.7\rfloor", 3),
        (r"50\%", "1/2"), ("3:4", "3/4"), (r"6\div 2", 3), (r"2\times3\cdot4", 24), (r"\log_2 8", 3),
        ("1,234", 1234), ("1e3", 1000),
        (r"60^\circ", 60), ("12 cm", 12), (r"12\mathrm{~cm}^2", 12), ("5 km/h", 5), ("12 beads", 12), ("$5", 5),
        ("(2)3", 6),
        (r"2\frac{3}{2}", 3), ("--3", 3), (r"1 \over 2", "1/2"),
    ],
)  # fmt: skip
def test_exact_values(text: str, value: int | str) -> None:
    """Arithmetic in LaTeX and plain notation has its exact value; mixed numbers are sums; units are dropped."""
    assert exact_value(read_formula(text)) == Fraction(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "6 0",
        "12_3",
        "yes",
        "12.5.6",
        "12]or13",
        "5>3",
        "(",
        "2^",
        "1..2",
        "x and y",
        "12 or 13",
        "((1)",
        "1+",
        r"\frac{1}",
        "5 # 3",
    ],
)
def test_what_is_no_formula(text: str) -> None:
    """Prose, lists, comparisons, broken brackets and two numbers side by side are refused."""
    with pytest.raises(NoFormula):
        read_formula(text)


@pytest.mark.parametrize(
    "text", ["9^{9^{9}}", "9^{9^{9^{9}}}", "1000000!", r"\binom{1000000000}{500000}", "2^{100000}"]
)
def test_work_is_bounded(text: str) -> None:
    """Towers, factorials and binomials past the bound are refused, not computed."""
    with pytest.raises(WorkBound):
        exact_value(read_formula(text))


@pytest.mark.parametrize(
    "text",
    ["(" * 200 + "1" + ")" * 200, r"\sqrt{" * 200 + "2" + "}" * 200, "1+" * 5000 + "1", "9" * 5000, "5" + "!" * 50],
)
def test_depth_and_length_are_bounded(text: str) -> None:
    """Nested brackets, long sums, long literals and rows of factorials past the bound are no formula."""
    with pytest.raises(NoFormula):
        read_formula(text)


def test_division_by_zero_has_no_value() -> None:
    """A quotient by zero is no value."""
    with pytest.raises(NoFormula):
        exact_value(read_formula("1/0"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"2\sqrt{3}", r"\sqrt{12}"), ("2√3", "2*sqrt(3)"), (r"\frac{6}{\sqrt3}", r"2\sqrt3"), (r"9\pi", "9π"),
        ("x+1", "1+x"),
        ("(x-1)(x+1)", "x^2-1"), ("a_1 + a_2", "a_2+a_1"), (r"\sin 30^\circ", r"\frac12"), (r"e^{\ln 5}", "5"),
        (r"\alpha+\beta", r"\beta+\alpha"),
        (r"\frac{1+\sqrt5}{2}", r"\frac{2}{\sqrt5-1}"), ("2^{x+1}", r"2\cdot 2^x"), (r"\pi r^2", r"r^2\pi"),
    ],
)  # fmt: skip
def test_equal_in_value_is_equal(one: str, other: str) -> None:
    """Roots, constants, symbols and functions are compared by value, not by spelling."""
    assert are_equal(read_formula(one), read_formula(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("x+1", "x+2"), (r"\sqrt3", "3^{0.51}"), ("x", "y"), (r"\pi", "3.14159265358979"), ("x^2", "x")],
)
def test_near_is_not_equal(one: str, other: str) -> None:
    """Close values, other symbols and other powers differ."""
    assert not are_equal(read_formula(one), read_formula(other))


def test_inexact_values_have_sixty_digits() -> None:
    """The inexact evaluation carries far more digits than a binary float."""
    import mpmath

    with mpmath.workdps(60):
        assert abs(number_of(read_formula(r"\sqrt{2}")) ** 2 - 2) < mpmath.mpf(10) ** -55
    with pytest.raises(NotRational):
        exact_value(read_formula(r"\sqrt{2}"))


@given(st.integers(-30, 30), st.integers(1, 30), st.integers(-3, 3))
def test_exact_powers_agree_with_fractions(above: int, below: int, power: int) -> None:
    """Whole powers of fractions are those of the standard library."""
    base = Fraction(above, below)
    if base or power > 0:
        assert exact_power(base, Fraction(power)) == base**power


@given(st.text(alphabet="0123456789+-*/^(){}[],.\\ fracsqrtπ√xy!%=", max_size=40))
def test_any_text_is_a_formula_or_none(text: str) -> None:
    """The reader raises nothing but its own errors."""
    with contextlib.suppress(NoFormula, NotRational, WorkBound):
        exact_value(read_formula(text))


@pytest.mark.parametrize(
    ("text", "kind", "items"),
    [
        ("(1, 2)", "()", ("1", "2")), ("[0,1)", "[)", ("0", "1")), (r"\{1,2\}", "{}", ("1", "2")),
        ("3 and 5", "", ("3", "5")),
        ("x<3", "()", ("-\\infty", "3")), (r"0\le x<1", "[)", ("0", "1")), ("3>x", "()", ("-\\infty", "3")),
        ("x=1, y=2", "", ("1", "2")),
        (r"x\in[0,1]", "[]", ("0", "1")), (r"(-\infty,1)\cup(2,3)", "union", (r"(-\infty,1)", "(2,3)")),
        (r"\pm 3", "{}", ("+ 3", "- 3")),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "matrix", ("1", "2", "3", "4")),
    ],
)  # fmt: skip
def test_structures(text: str, kind: str, items: tuple[str, ...]) -> None:
    """Pairs, intervals, sets, lists, unions and matrices are told apart with their items."""
    structure = read_structure(text)
    assert structure is not None
    assert (structure.kind, structure.items) == (kind, items)


def test_a_single_value_is_no_structure() -> None:
    """Numbers with separators and functions of two arguments are single values."""
    for text in ("1,234", "12", "C(4,2)", r"\max(3,6)", "f(x)"):
        assert read_structure(text) is None


def test_rounded_decimals() -> None:
    """A decimal stands for a value without a finite form from two digits on; else only the exact value counts."""
    assert is_equal("2/3", "0.67")
    assert is_equal("2/3", "66.67%")
    assert not is_equal("2/3", "0.7")
    assert not is_equal("0.125", "0.13")
    assert is_equal(r"9\pi", "28.274")
    assert not is_equal(r"9\pi", "28.28")


def test_precision_rounds_half_up() -> None:
    """With a stated precision the answer rounded half up must be the reference."""
    one, two = Precision(1), Precision(2)
    assert [is_equal("5.2", text, one) for text in ("5.15", "5.249", "5.25", "5.149")] == [True, True, False, False]
    assert [is_equal("0.67", text, two) for text in ("2/3", "0.6749", "0.675")] == [True, True, False]
    assert is_equal("-0.5", "-0.45", one)
    assert is_equal("1.4", r"\sqrt2", one)


def test_chains_of_equations() -> None:
    """Names in front are left out; two values that disagree are no answer; equations are compared as a whole."""
    assert is_equal("18", r"3 \times 6 = 18")
    assert not is_equal("18", r"3 \times 5 = 18")
    assert is_equal("60", r"\angle ABC = 180^\circ - 120^\circ = 60^\circ")
    assert is_equal(r"9\pi", r"A = 9\pi \approx 28.27")
    assert is_equal("x^2+y^2=1", "y^2+x^2=1")
    assert not is_equal("x^2+y^2=1", "x^2-y^2=1")


def test_interval_ends_count() -> None:
    """The kind of each end of an interval matters, and +∞ is ∞."""
    assert not is_equal("[0,1]", "[0,1)")
    assert is_equal(r"(3,+\infty)", "x>3")
    assert not is_equal(r"(3,+\infty)", r"x\ge3")
    assert is_equal(r"(-\infty,1)\cup(2,3)", r"(2,3)\cup(-\infty,1)")


def test_plain_arithmetic_needs_no_mathematics_library() -> None:
    """Rational answers and texts are settled without importing mpmath."""
    code = (
        "import sys; from snellen.scorers.math_equality import is_equal;"
        r"assert is_equal('1/2', '\\frac{2}{4}') and not is_equal('yes', 'no'); assert 'mpmath' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
