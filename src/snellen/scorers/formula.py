r"""Mathematical text → tree: LaTeX and plain notation, read by our own bounded parser; nothing is run as code.

What surrounds a formula (degree signs, currency, unit words behind it) is dropped; a text that is no formula raises
`NoFormula`. Depth and tokens are bounded, so that hostile text ends fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from snellen.scorers.formula_tokens import NoFormula, Token, tokenise

MAX_DEPTH = 60
"""Nested brackets that are followed."""
MAX_POSTFIXES = 4
"""Factorial, percent and degree signs behind one factor."""
MAX_DIGITS = 2_000
"""Digits of one number."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a formula."""

    kind: str
    """"number", "symbol", "constant", "sum", "product", "reciprocal", "quotient", "power", "minus",
    "degree" or "call"."""
    value: Any = None
    """Fraction of a number, name of a symbol, constant or function."""
    args: tuple[Node, ...] = ()
    """Operands."""


_CLOSER = {
    "(": ")", "[": "]", "{": "}", "\\{": "\\}", "\\lbrace": "\\rbrace", "\\lfloor": "\\rfloor",
    "\\lceil": "\\rceil", "⌊": "⌋",
    "⌈": "⌉",
}  # fmt: skip
_STARTS = frozenset(["number", "frac", "binom", "function", "pi", "infinity", "greek", "letter", "open", "currency"])


def read_formula(text: str, *, drop_units: bool = True) -> Node:
    r"""Parse one expression.

    Args:
        text: folded text without relations and list separators.
        drop_units: whether unit names behind the expression are dropped (else `m` is a symbol).

    Raises:
        NoFormula: the text is no formula, or is past a bound.

    >>> read_formula(r"3\frac{1}{2}").kind, read_formula("2√3").kind, read_formula("x+1").kind
    ('sum', 'product', 'sum')
    """
    reader = _Reader(tokenise(text, drop_units=drop_units))
    node = reader.chosen(0)
    reader.finish(drop_units)
    return node


class _Reader:
    """Recursive descent over tokens, as deep as MAX_DEPTH."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def kind(self) -> str:
        """Kind of the next token, "" at the end."""
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    @property
    def text(self) -> str:
        """Text of the next token, "" at the end."""
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def take(self, kind: str) -> str:
        """Consume a token of this kind."""
        if self.kind != kind:
            raise NoFormula(f"{self.kind or 'end'} where {kind} was due")
        self.at += 1
        return self.tokens[self.at - 1].text

    def finish(self, drop_units: bool) -> None:
        """Accept the end; words of a unit behind the expression are dropped."""
        rest = self.tokens[self.at :]
        if not rest:
            return
        if not drop_units or rest[0].kind != "word" or len(rest) > 12:
            raise NoFormula("text behind the formula")
        if any(token.kind not in ("word", "letter", "power", "close") and token.text not in "23" for token in rest):
            raise NoFormula("text behind the formula")
        if any(token.text.lower() in ("and", "not", "but", "for", "then") for token in rest):
            raise NoFormula("several values")

    def chosen(self, depth: int) -> Node:
        r"""An expression, or `n \choose k` of two."""
        node = self.sum(depth)
        if self.kind != "choose":
            return node
        self.at += 1
        return Node("call", "binomial", (node, self.sum(depth)))

    def sum(self, depth: int) -> Node:
        """Sums and differences."""
        if depth > MAX_DEPTH:
            raise NoFormula("too deep")
        terms = [self.product(depth)]
        while self.kind in ("plus", "minus"):
            is_minus = self.kind == "minus"
            self.at += 1
            term = self.product(depth)
            terms.append(Node("minus", None, (term,)) if is_minus else term)
        return terms[0] if len(terms) == 1 else Node("sum", None, tuple(terms))

    def product(self, depth: int) -> Node:
        """Products, quotients and what is written side by side, from left to right."""
        factors = [self.signed(depth)]
        while True:
            if self.kind in ("times", "divide", "over"):
                is_division = self.kind != "times"
                self.at += 1
                factor = self.signed(depth)
                factors.append(Node("reciprocal", None, (factor,)) if is_division else factor)
            elif self.kind in _STARTS or (self.kind == "bar" and self.bar_opens()):
                before = self.tokens[self.at - 1]
                if self.kind == "number" and before.kind in ("number", "letter"):
                    raise NoFormula("two numbers side by side")
                factors.append(self.powered(depth))
            else:
                return factors[0] if len(factors) == 1 else Node("product", None, tuple(factors))

    def bar_opens(self) -> bool:
        """Whether a bar at this place opens an absolute value (an odd number of bars is still to come)."""
        return sum(token.kind == "bar" for token in self.tokens[self.at :]) % 2 == 0

    def signed(self, depth: int) -> Node:
        """A factor with signs in front."""
        negative = False
        while self.kind in ("plus", "minus"):
            negative ^= self.kind == "minus"
            self.at += 1
        node = self.powered(depth)
        return Node("minus", None, (node,)) if negative else node

    def powered(self, depth: int) -> Node:
        """A factor with powers (from the right), factorials, percent and degree signs."""
        if depth > MAX_DEPTH:
            raise NoFormula("too deep")
        node = self.postfixed(self.factor(depth))
        if self.kind == "power":
            self.at += 1
            node = Node("power", None, (node, self.exponent(depth + 1)))
        return self.postfixed(node)

    def exponent(self, depth: int) -> Node:
        """What follows `^`: a group or one factor, with its sign."""
        negative = False
        while self.kind in ("plus", "minus"):
            negative ^= self.kind == "minus"
            self.at += 1
        node = self.powered(depth)
        return Node("minus", None, (node,)) if negative else node

    def postfixed(self, node: Node) -> Node:
        """Factorial, percent and degree signs behind a factor."""
        for _ in range(MAX_POSTFIXES):
            if self.kind not in ("factorial", "percent", "degree", "prime"):
                break
            kind = self.kind
            self.at += 1
            if kind == "percent":
                node = Node("quotient", "percent", (node, _number(100)))
            elif kind == "factorial":
                node = Node("call", "factorial", (node,))
            elif kind == "degree":
                node = Node("degree", None, (node,))
        return node

    def factor(self, depth: int) -> Node:
        """A number, symbol, group, fraction, binomial, function call or absolute value."""
        kind = self.kind
        if kind == "currency":
            self.at += 1
            kind = self.kind
        if kind == "number":
            return self.number()
        if kind == "pi":
            self.at += 1
            return Node("constant", "pi")
        if kind == "infinity":
            self.at += 1
            return Node("constant", "infinity")
        if kind in ("letter", "greek"):
            return self.symbol(depth)
        if kind == "open":
            return self.group(depth)
        if kind in ("frac", "binom"):
            return self.two_arguments(depth)
        if kind == "function":
            return self.function(depth)
        if kind == "bar":
            return self.absolute(depth)
        raise NoFormula(f"{kind or 'end'} where a value was due")

    def number(self) -> Node:
        """A literal; a whole one with a proper fraction behind it is a mixed number, a sum."""
        node = _literal(self.take("number"))
        if node.value.denominator != 1:
            return node
        mixed = self.mixed_fraction(node)
        return Node("sum", "mixed", (node, mixed)) if mixed else node

    def mixed_fraction(self, whole: Node) -> Node | None:
        r"""`\frac{1}{2}` or ` 1/2` behind a whole number, when it is a proper fraction of whole numbers."""
        start = self.at
        if self.kind == "frac":
            node = self.two_arguments(0)
        elif self.kind == "number" and self.tokens[self.at].spaced and self.tokens[self.at + 1 : self.at + 2]:
            above = _literal(self.take("number"))
            if (
                self.text != "/"
                or self.tokens[self.at + 1 : self.at + 2] == []
                or self.tokens[self.at + 1].kind != "number"
            ):
                self.at = start
                return None
            self.at += 1
            node = Node("quotient", None, (above, _literal(self.take("number"))))
        else:
            return None
        if _is_proper(node) and self.kind not in ("power", "factorial"):
            return node
        self.at = start
        return None

    def symbol(self, depth: int) -> Node:
        """A letter with its subscript; `C(4,2)` is a binomial; `e` is the constant."""
        name = self.take(self.kind).lstrip("\\")
        if self.kind == "below":
            self.at += 1
            name += "_" + self.subscript()
        elif name in ("C", "P") and self.text == "(":
            values = self.arguments(depth)
            if len(values) == 2:
                return Node("call", "binomial" if name == "C" else "permutations", values)
            return Node("product", None, (Node("symbol", name), *values))
        return Node("constant", "e") if name == "e" else Node("symbol", name)

    def subscript(self) -> str:
        """Text of a subscript: one token or a braced group."""
        if self.text != "{":
            self.at += 1
            if self.at > len(self.tokens):
                raise NoFormula("subscript")
            return self.tokens[self.at - 1].text
        parts: list[str] = []
        while self.kind and self.text != "}":
            self.at += 1
            parts.append(self.text)
        self.take("close")
        return "".join(parts[:-1])

    def group(self, depth: int) -> Node:
        """Brackets of any kind around an expression; rounding brackets round."""
        opener = self.take("open")
        node = self.chosen(depth + 1)
        if self.text != _CLOSER[opener]:
            raise NoFormula("bracket")
        self.at += 1
        if opener in ("\\lfloor", "⌊"):
            return Node("call", "floor", (node,))
        if opener in ("\\lceil", "⌈"):
            return Node("call", "ceil", (node,))
        return node

    def two_arguments(self, depth: int) -> Node:
        r"""`\frac{a}{b}`, `\frac12`, `\frac1{72}`, `\binom{n}{k}`."""
        is_fraction = self.kind == "frac"
        self.at += 1
        first = self.short_argument(depth)
        second = self.short_argument(depth)
        return Node("quotient", None, (first, second)) if is_fraction else Node("call", "binomial", (first, second))

    def short_argument(self, depth: int) -> Node:
        """A braced group, or one digit or letter."""
        if self.text == "{":
            return self.group(depth)
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None:
            raise NoFormula("argument")
        if token.kind == "number":
            if len(token.text) > 1 and token.text.isdigit():
                self.tokens[self.at] = Token("number", token.text[1:], spaced=False)
            else:
                self.at += 1
            return _literal(token.text[0] if token.text.isdigit() else token.text)
        return self.factor(depth)

    def function(self, depth: int) -> Node:
        """A named function, root or logarithm with its arguments."""
        name = self.take("function").removeprefix("\\operatorname{").rstrip("}").lstrip("\\").replace("√", "sqrt")
        if name == "sqrt":
            return self.root(depth)
        base: tuple[Node, ...] = ()
        power: Node | None = None
        if self.kind == "below":
            self.at += 1
            base = (self.short_argument(depth),)
        if self.kind == "power":
            self.at += 1
            power = self.exponent(depth)
        values = self.arguments(depth) if self.text == "(" else (self.argument(depth),)
        node = Node("call", name, (*values, *base))
        return Node("power", None, (node, power)) if power else node

    def argument(self, depth: int) -> Node:
        r"""The bare argument of a function: `\sin 2x`."""
        factors = [self.powered(depth + 1)]
        while self.kind in ("letter", "greek", "pi"):
            factors.append(self.powered(depth + 1))
        return factors[0] if len(factors) == 1 else Node("product", None, tuple(factors))

    def arguments(self, depth: int) -> tuple[Node, ...]:
        """A bracketed list of arguments."""
        self.take("open")
        values = [self.sum(depth + 1)]
        while self.kind == "comma":
            self.at += 1
            values.append(self.sum(depth + 1))
        if self.text != ")":
            raise NoFormula("bracket")
        self.at += 1
        return tuple(values)

    def root(self, depth: int) -> Node:
        r"""`\sqrt[n]{x}`, `\sqrt3`, `√3`, `sqrt(3)`."""
        degree = _number(2)
        if self.text == "[":
            degree = self.group(depth)
        if self.kind == "number":
            inside = _literal(self.take("number"))
        else:
            inside = self.short_argument(depth) if self.text == "{" else self.factor(depth + 1)
        return Node("power", "root", (inside, Node("quotient", None, (_number(1), degree))))

    def absolute(self, depth: int) -> Node:
        """`|x|`."""
        self.take("bar")
        node = self.sum(depth + 1)
        self.take("bar")
        return Node("call", "abs", (node,))


def _number(value: int) -> Node:
    return Node("number", Fraction(value))


def _literal(token: str) -> Node:
    if len(token) > MAX_DIGITS:
        raise NoFormula("too many digits")
    digits = token.replace(",", "").replace(" ", "")
    _, _, power = digits.lower().partition("e")
    if power and abs(int(power)) > MAX_DIGITS:
        raise NoFormula("exponent too large")
    return Node("number", Fraction(digits))


def _is_proper(node: Node) -> bool:
    """Whether a node is a quotient of whole literals below one."""
    if node.kind != "quotient" or any(arg.kind != "number" or arg.value.denominator != 1 for arg in node.args):
        return False
    above, below = node.args
    return bool(0 < above.value < below.value)
