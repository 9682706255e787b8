"""Value of a formula: exact where it is rational, else to many digits; both within a bound on the work.

Two formulas are equal when their exact values are, or when they agree to 40 digits for several values of their symbols.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from snellen.scorers.formula import NoFormula, Node

DIGITS = 60
"""Decimal digits of the inexact evaluation."""
AGREEING_DIGITS = 40
MAX_POWER_BITS = 60_000
"""Largest size of an exact power, in bits."""
MAX_EXPONENT = 20_000
MAX_FACTORIAL = 1_000
_SAMPLES = (
    (Fraction(7, 5), Fraction(31, 50), Fraction(9, 4), Fraction(1171, 1000), Fraction(17, 10), Fraction(39, 100)),
    (Fraction(23, 10), Fraction(53, 40), Fraction(3, 7), Fraction(271, 100), Fraction(81, 100), Fraction(19, 8)),
    (Fraction(-11, 9), Fraction(16, 5), Fraction(-5, 3), Fraction(77, 100), Fraction(-29, 10), Fraction(8, 13)),
)


class WorkBound(ArithmeticError):
    """The value is past the bound on the work; the sample is unscored, not wrong."""


class NotRational(ArithmeticError):
    """The value is no rational number, so that it has no exact form here."""


def exact_value(node: Node) -> Fraction:
    """The rational value of a formula without symbols.

    Raises:
        NotRational: it has symbols, roots that do not come out, or constants.
        WorkBound: a power or factorial is too large.
        NoFormula: it has no value (a division by zero).
    """
    kind = node.kind
    if kind == "number":
        return node.value  # type: ignore[no-any-return]  # a number's value is a Fraction
    if kind in ("symbol", "constant"):
        raise NotRational(node.value)
    if kind == "call":
        return _exact_call(node)
    values = [exact_value(arg) for arg in node.args]
    if kind == "sum":
        return sum(values, Fraction(0))
    if kind == "minus":
        return -values[0]
    if kind == "product":
        return _exact_product(values)
    if kind == "reciprocal":
        return exact_power(values[0], Fraction(-1))
    if kind == "quotient":
        if not values[1]:
            raise NoFormula("division by zero")
        return values[0] / values[1]
    if kind == "degree":
        return values[0]
    return exact_power(values[0], values[1])


def _exact_product(values: list[Fraction]) -> Fraction:
    result = Fraction(1)
    for value in values:
        result *= value
        if result.numerator.bit_length() + result.denominator.bit_length() > MAX_POWER_BITS:
            raise WorkBound("a product is too large")
    return result


def exact_power(base: Fraction, exponent: Fraction) -> Fraction:
    """A power with a rational result.

    >>> exact_power(Fraction(27), Fraction(2, 3)), exact_power(Fraction(2), Fraction(-2))
    (Fraction(9, 1), Fraction(1, 4))
    """
    if base in (0, 1) and exponent > 0:
        return base
    if exponent.denominator != 1:
        base = _exact_root(base, exponent.denominator)
    power = exponent.numerator
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(power) * size > MAX_POWER_BITS and abs(base) != 1:
        raise WorkBound("a power is too large")
    if not base and power <= 0:
        raise NoFormula("zero to a power below one")
    return base**power if abs(base) != 1 else Fraction(-1 if base < 0 and power % 2 else 1)


def _exact_root(base: Fraction, degree: int) -> Fraction:
    if degree > 64 or (base < 0 and degree % 2 == 0):
        raise NotRational("root")
    sign = -1 if base < 0 else 1
    return sign * Fraction(_whole_root(abs(base.numerator), degree), _whole_root(base.denominator, degree))


def _whole_root(value: int, degree: int) -> int:
    root = math.isqrt(value) if degree == 2 else _integer_root(value, degree)
    if root**degree != value:
        raise NotRational("root")
    return root


def _integer_root(value: int, degree: int) -> int:
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle - 1)
    return low


def _exact_call(node: Node) -> Fraction:
    values = [exact_value(arg) for arg in node.args]
    name = node.value
    if name == "abs":
        return abs(values[0])
    if name in ("max", "min"):
        return max(values) if name == "max" else min(values)
    if name in ("floor", "ceil"):
        return Fraction(math.floor(values[0]) if name == "floor" else math.ceil(values[0]))
    if name == "cbrt":
        return _exact_root(values[0], 3)
    if name in ("log", "lg"):
        return _exact_log(values[0], values[1] if len(values) > 1 else Fraction(10))
    if name in _WHOLE_CALLS:
        return Fraction(_whole_call(name, [_whole(value) for value in values]))
    raise NotRational(name)


_WHOLE_CALLS = ("factorial", "binomial", "permutations", "gcd", "lcm")


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise NoFormula("no whole number")
    return value.numerator


def _whole_call(name: str, values: list[int]) -> int:
    if name in ("gcd", "lcm"):
        return math.gcd(*values) if name == "gcd" else math.lcm(*values)
    if min(values) < 0:
        raise NoFormula("negative")
    if name == "factorial":
        if values[0] > MAX_FACTORIAL:
            raise WorkBound("a factorial is too large")
        return math.factorial(values[0])
    n, k = values
    if min(k, max(n - k, 0) if name == "binomial" else k) > MAX_FACTORIAL or n > 10**9:
        raise WorkBound("a binomial is too large")
    return math.comb(n, k) if name == "binomial" else math.perm(n, k)


def _exact_log(value: Fraction, base: Fraction) -> Fraction:
    if value <= 0 or base <= 1:
        raise NotRational("log")
    power, reached = 0, Fraction(1)
    step = base if value >= 1 else 1 / base
    while (reached < value) if value >= 1 else (reached > value):
        reached, power = reached * step, power + 1
        if power > 400:
            raise NotRational("log")
    if reached != value:
        raise NotRational("log")
    return Fraction(power if value >= 1 else -power)


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
    if len(names) > len(_SAMPLES[0]) or symbols_in(one) != symbols_in(other) and not names:
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
    if abs(exponent) > MAX_EXPONENT or (mp.isfinite(base) and base and abs(mp.log(abs(base)) * exponent) > MAX_EXPONENT):
        raise WorkBound("a power is too large")
    if is_root and mp.im(base) == 0 and base < 0:
        degree = mp.nint(1 / exponent)
        if int(degree) % 2:
            return -((-base) ** exponent)
    return mp.power(base, exponent)


_RADIANS = frozenset(["sin", "cos", "tan", "cot", "sec", "csc"])
_MPMATH_NAMES = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "arccot": "acot", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "ln": "log", "exp": "exp", "floor": "floor",
    "ceil": "ceil", "cbrt": "cbrt",
}  # fmt: skip


def _call(node: Node, where: Mapping[str, Fraction], mp: Any) -> Any:
    name = node.value
    values = [_number(arg, where, mp) for arg in node.args]
    if any(abs(value) > 10**6 for value in values if mp.isfinite(value)) and name not in ("abs", "max", "min", "log", "ln", "lg"):
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
