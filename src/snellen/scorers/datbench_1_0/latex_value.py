r"""Value of a LaTeX text as the public library's parser and evaluator would find it: plain arithmetic, quirks kept.

The grammar is what the old parser accepts and whose printed form is arithmetic: numbers, `+ - * / ^`, fractions,
juxtaposition as product, percent, binomials, gcd, lcm, roots other than square ones, comparisons. Any name, function
or unknown sign is a failure. Reading stops at the first token that cannot continue a complete expression ("12) or 13"
is 12). Depth, exponent and token bounds keep the work small; beyond them the text has no value.

Source: behaviour of the public DatBench library 1.0.0, checked against latex2sympy2 1.9.1.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

Value = int | float

MAX_DEPTH = 55
"""Nested brackets that are followed."""
MAX_TOKENS = 2_000
"""Tokens that are read."""
MAX_DIGITS = 1_000
"""Digits of one number that are read."""
MAX_POWER_BITS = 20_000
"""Largest size of a power's result, in bits."""


class NoValue(ArithmeticError):
    """The text is no plain arithmetic, or is past a bound."""


_SKIP = re.compile(r"(?:[\s$~]|\\,|\\qquad|\\quad|\\displaystyle)+")
_TOKEN = re.compile(
    r"(?P<number>(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:\\%)?)"
    r"|(?P<frac>\\[dt]?frac)|(?P<binom>\\[dt]?binom)|(?P<root>\\sqrt\[)"
    r"|(?P<fold>\\gcd|\\lcm|\\operatorname\{(?:gcd|lcm)\})"
    r"|(?P<relation>\\geqslant|\\geq|\\ge|\\leqslant|\\leq|\\le(?!ft)|[<>])"
    r"|(?P<times>\\times|\\cdot(?!s)|\*)|(?P<divide>\\div|\\over(?![a-z])|[/:])|(?P<choose>\\choose)"
    r"|(?P<plus>\+)|(?P<minus>-)|(?P<power>\^)|(?P<prime>')"
    r"|(?P<open>\\left\\\{|\\left[(\[{]|\\\{|\\lbrace|[(\[{])|(?P<close>\\right\\\}|\\right[)\]}]|\\\}|\\rbrace"
    r"|[)\]}])"
    r"|(?P<stop>[.&_]|\\to|\\rightarrow|\\\\|\\rfloor|\\rceil|\\right|\\end)|(?P<name>[a-z])|(?P<comma>[,;])"
)
_CLOSERS = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "\\lbrace": "\\rbrace"}


def latex_value(text: str) -> Value:
    r"""Evaluate a text; whole results are int, all others float.

    Raises:
        NoValue: the text is no plain arithmetic or is past a bound.

    >>> latex_value(r"3\frac{1}{2}"), latex_value("1,234"), latex_value("12) or 13"), latex_value("5>3")
    (1.5, 1234, 12, 1)
    """
    reader = _Reader(text[named.end() :] if (named := _ASSIGNMENT.match(text)) else text)
    value = reader.relation(0)
    if reader.kind not in ("end", "stop", "close", "choose", "power"):
        raise NoValue(reader.kind)
    return value


_ASSIGNMENT = re.compile(
    r"\s*(?:\(\s*(?:[a-z]|\\(?:alpha|beta|gamma|delta|theta|lambda|mu|phi|rho|sigma|omega))\s*\)"
    r"|(?:[a-z]|\\(?:alpha|beta|gamma|delta|theta|lambda|mu|phi|rho|sigma|omega))'?(?:_(?:\w|\{\w{1,9}\}))?)\s*=(?!=)"
)


class _Reader:
    """Recursive descent over lazily read tokens, as deep as MAX_DEPTH."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.n_tokens = 0
        self.kind = ""
        self.sign = ""
        self.advance()

    def advance(self) -> None:
        """Read the next token; an unknown sign is of kind "bad"."""
        self.n_tokens += 1
        if self.n_tokens > MAX_TOKENS:
            raise NoValue("too many tokens")
        skipped = _SKIP.match(self.text, self.at)
        at = skipped.end() if skipped else self.at
        match = _TOKEN.match(self.text, at)
        if match:
            self.kind, self.sign, self.at = match.lastgroup or "bad", match[0], match.end()
        else:
            self.kind, self.sign, self.at = ("end" if at >= len(self.text) else "bad"), "", at

    def expect(self, kind: str) -> str:
        """Consume a token of this kind."""
        if self.kind != kind:
            raise NoValue(f"{self.kind} for {kind}")
        token = self.sign
        self.advance()
        return token

    def relation(self, depth: int) -> Value:
        """Comparisons, which are 1 or 0, from left to right."""
        value = self.sum(depth)
        while self.kind == "relation":
            sign = self.expect("relation")
            value = _compare(sign, value, self.sum(depth))
        return value

    def sum(self, depth: int) -> Value:
        """Sums and differences."""
        value = self.product(depth)
        while self.kind in ("plus", "minus"):
            is_minus = self.kind == "minus"
            self.advance()
            other = self.product(depth)
            value = value - other if is_minus else value + other
        return value

    def product(self, depth: int) -> Value:
        """Products and quotients from left to right."""
        value = self.signed(depth)
        while self.kind in ("times", "divide"):
            is_division = self.kind == "divide"
            self.advance()
            other = self.signed(depth)
            value = _divide(value, other) if is_division else value * other
        return value

    def signed(self, depth: int) -> Value:
        """Signs, and what is written side by side, which binds closer than `/`."""
        negative = False
        while self.kind in ("plus", "minus"):
            negative ^= self.kind == "minus"
            self.advance()
        value = self.powered(depth)
        while self.kind in ("number", "frac", "binom", "root", "fold", "open"):
            value = value * self.powered(depth)
        return -value if negative else value

    def powered(self, depth: int) -> Value:
        """A factor with its powers, from left to right, and percent signs."""
        value = self.factor(depth)
        while self.kind == "power":
            self.advance()
            value = _power(value, self.exponent(depth))
        while self.kind == "prime":
            self.advance()
        return value

    def exponent(self, depth: int) -> Value:
        """What follows `^`: one number or a group in braces; a decimal one half has no value."""
        end = self.text.find("}", self.at, self.at + 24)
        literal = self.sign if self.kind == "number" else self.text[self.at : max(end, self.at)]
        if _is_half(literal):
            raise NoValue("square root")
        if self.kind == "number":
            return self.number()
        if self.sign != "{":
            raise NoValue("exponent")
        return self.group(depth)

    def factor(self, depth: int) -> Value:
        """A number, group, fraction, binomial, root, gcd or lcm."""
        if depth > MAX_DEPTH:
            raise NoValue("too deep")
        kind = self.kind
        if kind == "number":
            return self.number()
        if kind == "open":
            return self.group(depth)
        if kind in ("frac", "binom"):
            self.advance()
            above, below = self.braced(depth), self.braced(depth)
            return _divide(above, below) if kind == "frac" else _binomial(above, below)
        if kind == "root":
            return self.root(depth)
        if kind == "fold":
            return self.fold(depth)
        raise NoValue(kind)

    def number(self) -> Value:
        """A literal, which may end with a percent sign."""
        value = _literal(self.expect("number"))
        return value.numerator if value.denominator == 1 else value.numerator / value.denominator

    def group(self, depth: int) -> Value:
        r"""Brackets of any kind around an expression; `{a \choose b}` too."""
        is_left, closer = self.sign.startswith("\\left"), _CLOSERS[self.sign.removeprefix("\\left")]
        self.advance()
        value = self.sum(depth + 1)
        if self.kind == "choose":
            self.advance()
            value = _binomial(value, self.sum(depth + 1))
        if self.kind != "close" or self.sign != ("\\right" + closer if is_left else closer):
            raise NoValue("bracket")
        self.advance()
        return value

    def braced(self, depth: int) -> Value:
        """A group in plain braces."""
        if self.sign != "{":
            raise NoValue("brace")
        return self.group(depth)

    def root(self, depth: int) -> Value:
        """A root other than the square root, which prints as a name."""
        self.advance()
        degree = self.sum(depth + 1)
        if self.sign != "]" or degree == 2:
            raise NoValue("root")
        self.advance()
        return _power(self.braced(depth), _divide(1, degree))

    def fold(self, depth: int) -> Value:
        """The greatest common divisor or least common multiple of a bracketed list."""
        function = math.gcd if "gcd" in self.expect("fold") else math.lcm
        if self.sign.removeprefix("\\left") != "(":
            raise NoValue("arguments")
        self.advance()
        values = [self.sum(depth + 1)]
        while self.kind == "comma":
            self.advance()
            values.append(self.sum(depth + 1))
        if self.sign.removeprefix("\\right") != ")":
            raise NoValue("bracket")
        self.advance()
        return function(*(_whole(value) for value in values))


def _literal(token: str) -> Fraction:
    if len(token) > MAX_DIGITS:
        raise NoValue("too many digits")
    digits = token.replace(",", "")
    return Fraction(digits.removesuffix("\\%")) / (100 if digits.endswith("%") else 1)


def _is_half(text: str) -> bool:
    """Whether an exponent is one half as a decimal literal, which prints as a square root, a name."""
    stripped = text.strip("(){}[] ").lstrip("-")
    match = _TOKEN.fullmatch(stripped) if 0 < len(stripped) < 24 else None
    return match is not None and match.lastgroup == "number" and _literal(stripped) == Fraction(1, 2)


def _divide(above: Value, below: Value) -> Value:
    try:
        return above / below
    except (ZeroDivisionError, OverflowError) as error:
        raise NoValue(str(error)) from None


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(base, int) and isinstance(exponent, int):
        if abs(exponent) * max(base.bit_length(), 1) > MAX_POWER_BITS and abs(base) > 1:
            raise NoValue("power too large")
    try:
        value = base**exponent
    except (ZeroDivisionError, OverflowError) as error:
        raise NoValue(str(error)) from None
    if isinstance(value, complex):
        raise NoValue("complex")
    return value


def _binomial(above: Value, below: Value) -> int:
    top, bottom = _whole(above), _whole(below)
    if top < 0 or bottom < 0 or min(bottom, top - bottom) > 500 or top > 10**9:
        raise NoValue("binomial")
    return math.comb(top, bottom)


def _whole(value: Value) -> int:
    if isinstance(value, int) or value.is_integer():
        return int(value)
    raise NoValue("no integer")


def _compare(sign: str, left: Value, right: Value) -> int:
    if sign == "<":
        return int(left < right)
    if sign == ">":
        return int(left > right)
    return int(left >= right if sign.startswith("\\g") else left <= right)
