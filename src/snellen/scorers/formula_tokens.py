r"""Signs of a mathematical text: LaTeX and plain notation cut into tokens, unit names behind a value taken off."""

from __future__ import annotations

import re
from dataclasses import dataclass

from snellen.answers.dressing import plain_latex

MAX_TOKENS = 1_500
"""Tokens of one formula; a longer text is none."""


class NoFormula(ValueError):
    """The text is no formula that this reader knows, or it is past a bound."""


_FUNCTIONS = (
    "arcsin|arccos|arctan|arccot|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|log|ln|lg|exp|max|min|gcd|lcm|sqrt|cbrt"
    "|abs|floor|ceil|mod"
)
_GREEK = (
    "alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|vartheta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau"
    "|upsilon|phi|varphi|chi|psi|omega"
    "|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega|ell|hbar"
)
_UNIT_NAMES = (
    r"km|cm|mm|dm|nm|kg|mg|ml|mL|cl|dl|hr|hrs|min|mins|sec|secs|ft|yd|in|mph|kph|cc|sq|cu|lb|lbs|oz|gal|Hz|kHz|MHz"
    r"|GHz|kW|kWh|kJ|kN|Pa|kPa"
    r"|eV|rad|deg|pts?|cents?|dollars?|euros?|units?|USD|EUR|degrees?|inch(?:es)?|feet|foot|meters?|metres?|miles?"
    r"|yards?|hours?|minutes?|seconds?"
)
_UNIT_BEHIND = re.compile(
    rf"(?<=[\d}})\]!πi%])\s*(?:/\s*)?(?:(?:square|cubic|sq\.?|cu\.?)\s+)?(?:{_UNIT_NAMES}"
    rf"|(?<=\s)[mgshlLNJWVAKCFT])(?![A-Za-z])\.?"
    r"(?:\s*\^?\s*(?:\{\s*-?[23]\s*\}|-?[23](?!\d)))?(?:\s*/\s*(?:km|cm|mm|kg|hr|min|sec"
    r"|[msghL])(?![A-Za-z])(?:\^?\{?[23]\}?)?)?(?=\s*(?:$|[,;.)\]}=]|\\approx|≈|and\b|or\b))"
)
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,3}(?: \d{3})+(?!\d)"
    r"|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,4}(?![\w]))?|\.\d+)"
    r"|(?P<frac>\\[dtc]?frac)|(?P<binom>\\[dt]?binom)|(?P<choose>\\choose(?![a-z]))|(?P<over>\\over(?![a-z]))"
    rf"|(?P<function>\\?(?:{_FUNCTIONS})(?![A-Za-z])|\\operatorname\{{(?:{_FUNCTIONS})\}}|√)"
    r"|(?P<pi>\\pi(?![A-Za-z])|π|pi(?![A-Za-z]))|(?P<infinity>\\infty|∞|infinity(?![A-Za-z])|inf(?![A-Za-z]))"
    rf"|(?P<greek>\\(?:{_GREEK})(?![A-Za-z])|[α-ωΑ-Ω])"
    r"|(?P<degree>\^\s?\{?\s?\\circ\s?\}?|\\degree(?![a-z])|\\circ(?![a-z])|°)"
    r"|(?P<power>\^|\*\*)|(?P<times>\\times(?![a-z])|\\cdot(?![a-z])|\\ast|[*×·⋅∙•])|(?P<divide>\\div(?![a-z])|[/÷:])"
    r"|(?P<plus>\+)|(?P<minus>-|\\minus(?![a-z]))|(?P<percent>\\?%)|(?P<factorial>!)"
    r"|(?P<bar>\\[lr]?[vV]ert(?![a-z])|\\mid(?![a-z])|\|)"
    r"|(?P<open>\\\{|\\lbrace|\\lfloor|\\lceil|⌊|⌈|[(\[{])|(?P<close>\\\}|\\rbrace|\\rfloor|\\rceil|⌋|⌉|[)\]}])"
    r"|(?P<below>_)|(?P<word>\\?[A-Za-z]{3,}|\\[A-Za-z]+)|(?P<letter>[A-Za-z])|(?P<comma>[,;])|(?P<currency>\\?\$"
    r"|[€£¥])|(?P<prime>'))"
)
_SKIP = re.compile(r"\\(?:,|;|:|!|>|quad|qquad|displaystyle|left|right|\s)(?![a-z])|~|\\\\(?=\s*$)")


@dataclass(frozen=True, slots=True)
class Token:
    """One sign."""

    kind: str
    """"number", "letter", "open", …: the name of its group in the pattern."""
    text: str
    """As written."""
    spaced: bool
    """Whether blanks stand in front of it."""


def tokenise(text: str, *, drop_units: bool) -> list[Token]:
    r"""Cut a formula into tokens.

    Args:
        text: folded text.
        drop_units: whether unit names behind a value are taken off.

    Raises:
        NoFormula: a sign is unknown, or there are too many.

    >>> [token.kind for token in tokenise(r"2\sqrt{3} cm", drop_units=True)]
    ['number', 'function', 'open', 'number', 'close']
    """
    text = _SKIP.sub(" ", plain_latex(text)).strip()
    text = _UNIT_BEHIND.sub("", text) if drop_units else text
    found: list[Token] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(found) >= MAX_TOKENS:
            raise NoFormula(f"no formula at {text[at : at + 20]!r}")
        kind = match.lastgroup or ""
        token = match[kind]
        found.append(Token(kind, token, match.start(kind) > at))
        at = match.end()
    return found
