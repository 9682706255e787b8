"""Value of a formula: exact where it is rational, else to many digits; both within a bound on the work.

Two formulas are equal when their exact values are, or when they agree to 40 digits for several values of symbols.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from snellen.scorers.formula import Node
from snellen.scorers.formula_exact import NotRational, WorkBound, exact_value
from snellen.scorers.formula_tokens import NoFormula

DIGITS = 60
"""Decimal digits of the inexact evaluation."""
AGREEING_DIGITS = 40
"""Digits to which two equal values agree."""
MAX_EXPONENT = 20_000
"""Largest size of an exponent, and of the natural logarithm of a power."""
_SAMPLES = (
    (Fraction(7, 5), Fraction(31, 50), Fraction(9, 4), Fraction(1171, 1000), Fraction(17, 10), Fraction(39, 100)),
    (Fraction(23, 10), Fraction(53, 40), Fraction(3, 7), Fraction(271, 100), Fraction(81, 100), Fraction(19, 8)),
    (Fraction(-11, 9), Fraction(16, 5), Fraction(-5, 3), Fraction(77, 100), Fraction(-29, 10), Fraction(8, 13)),
)


def symbols_in(node: Node) -> set[str]:
    """Names of the symbols of a formula."""
    names = {node.value} if node.kind == "symbol" else set()
    for arg in node.args:
        names |= symbols_in(arg)
    return names


def are_equal(one: Node, other: Node) -> bool:
    r"""Whether two formulas have the same value, whatever their symbols stand for.

    Raises:
        WorkBound: a value is past the bound.
        NoFormula: a value does not exist.
    """
    try:
        return exact_value(one) == exact_value(other)
    except NotRational:
        pass
    names = sorted(symbols_in(one) | symbols_in(other))
    if len(names) > len(_SAMPLES[0]) or (symbols_in(one) != symbols_in(other) and not names):
        return False
    return all(_agree(one, other, names, at) for at in range(len(_SAMPLES) if names else 1))


def _agree(one: Node, other: Node, names: list[str], at: int) -> bool:
    where = dict(zip(names, _SAMPLES[at], strict=False))
    return is_close(number_of(one, where), number_of(other, where))


def is_close(one: Any, other: Any) -> bool:
    """Whether two values agree to AGREEING_DIGITS digits."""
    import mpmath

    if mpmath.isinf(one) or mpmath.isinf(other):
        return bool(one == other)
    with mpmath.workdps(DIGITS):
        return bool(abs(one - other) <= mpmath.mpf(10) ** -AGREEING_DIGITS * max(1, abs(one), abs(other)))


def number_of(node: Node, where: Mapping[str, Fraction] | None = None) -> Any:
    """The value to DIGITS digits, as an mpmath number.

    Args:
        node: the formula.
        where: values of its symbols.

    Raises:
        WorkBound: an exponent or argument is past the bound.
        NoFormula: the value does not exist.
    """
    import mpmath

    with mpmath.workdps(DIGITS):
        try:
            value = _number(node, where or {}, mpmath)
        except (ZeroDivisionError, ValueError, TypeError, OverflowError) as error:
            raise NoFormula(str(error)) from None
    if mpmath.isnan(value):
        raise NoFormula("no number")
    return value


def rational_near(node: Node, decimals: int) -> Fraction:
    """The value cut to so many decimals.

    Raises:
        NoFormula: it is infinite or complex.
    """
    import mpmath

    value = number_of(node)
    if mpmath.im(value) or not mpmath.isfinite(value):
        raise NoFormula("no real number")
    with mpmath.workdps(DIGITS + decimals):
        return Fraction(int(mpmath.re(value) * 10**decimals), 10**decimals)


def _number(node: Node, where: Mapping[str, Fraction], mp: Any) -> Any:
    kind = node.kind
    if kind == "number":
        return mp.mpf(node.value.numerator) / node.value.denominator
    if kind == "symbol":
        value = where[node.value]
        return mp.mpf(value.numerator) / value.denominator
    if kind == "constant":
        return {"pi": +mp.pi, "e": +mp.e, "infinity": mp.inf}[node.value]
    if kind == "call":
        return _call(node, where, mp)
    values = [_number(arg, where, mp) for arg in node.args]
    if kind == "sum":
        return mp.fsum(values)
    if kind == "minus":
        return -values[0]
    if kind == "product":
        return mp.fprod(values)
    if kind == "reciprocal":
        return 1 / values[0]
    if kind == "quotient":
        return values[0] / values[1]
    if kind == "degree":
        return values[0]
    return _power(values[0], values[1], mp, is_root=node.value == "root")


def _power(base: Any, exponent: Any, mp: Any, *, is_root: bool) -> Any:
    if abs(exponent) > MAX_EXPONENT or (
        mp.isfinite(base) and base and abs(mp.log(abs(base)) * exponent) > MAX_EXPONENT
    ):
        raise WorkBound("a power is too large")
    if is_root and mp.im(base) == 0 and base < 0:
        degree = mp.nint(1 / exponent)
        if int(degree) % 2:
            return -((-base) ** exponent)
    return mp.power(base, exponent)


_RADIANS = frozenset(["sin", "cos", "tan", "cot", "sec", "csc"])
_MPMATH_NAMES = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan", "arccot": "acot", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "ln": "log", "exp": "exp",
    "floor": "floor",
    "ceil": "ceil", "cbrt": "cbrt",
}  # fmt: skip


def _call(node: Node, where: Mapping[str, Fraction], mp: Any) -> Any:
    name = node.value
    values = [_number(arg, where, mp) for arg in node.args]
    if any(abs(value) > 10**6 for value in values if mp.isfinite(value)) and name not in (
        "abs",
        "max",
        "min",
        "log",
        "ln",
        "lg",
    ):
        raise WorkBound(f"the argument of {name} is too large")
    if name in ("log", "lg"):
        return mp.log(values[0], values[1] if len(values) > 1 else 10)
    if name in _MPMATH_NAMES:
        if name in _RADIANS and node.args[0].kind == "degree":
            values[0] = values[0] * mp.pi / 180
        return getattr(mp, _MPMATH_NAMES[name])(values[0])
    if name in ("max", "min"):
        return max(values) if name == "max" else min(values)
    if name == "abs":
        return abs(values[0])
    if name == "factorial":
        return mp.gamma(values[0] + 1)
    if name == "binomial":
        return mp.binomial(*values)
    raise NoFormula(f"{name} of no rational numbers")
