"""Exact, rational value of a formula, within a bound on the work."""

from __future__ import annotations

import math
from fractions import Fraction

from snellen.scorers.formula import Node
from snellen.scorers.formula_tokens import NoFormula

MAX_POWER_BITS = 60_000
"""Largest size of an exact power or product, in bits."""
MAX_FACTORIAL = 1_000
"""Largest argument of a factorial."""


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
