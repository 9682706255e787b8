r"""What stands around an answer without being part of it: Markdown, quotes, `$…$`, `\text{…}`, brackets, end"
" marks.
"""

from __future__ import annotations

import re

ROUNDS = 12
"""Layers of dressing that are taken off; more is no answer."""

_WRAPPERS = (
    "text|textbf|textit|textrm|textsf|texttt|textnormal|textup|mathrm|mathbf|mathit|mathsf|mathtt|mbox|hbox"
    "|operatorname"
    "|boldsymbol|bm|bold|underline|emph|displaystyle|textstyle|mathop|color|mathnormal"
)
_TEXT_COMMAND = re.compile(r"\\(?:" + _WRAPPERS + r")\s?\{([^{}]*)\}")
_BARE_COMMAND = re.compile(
    r"(?<!\\)\\(?:" + _WRAPPERS + r"|bf|rm|it|large|Large|huge|Huge|quad|qquad|hspace)(?![A-Za-z])|(?<!\\)\\[,;!:>]"
)
_DOUBLED = re.compile(
    r"\\\\(?=(?:[dtc]?frac|sqrt|text|mathrm|mathbf|textbf|pi|cdot|times|left|right|circ|angle|theta|alpha|beta|infty|pm|degree)"
    r"(?![a-z]))"
)
_SIZE_COMMAND = re.compile(r"\\(?:left|right|bigl|bigr|Bigl|Bigr|big|Big|bigg|Bigg|limits)(?![a-z])")
_ESCAPED_SPACE = re.compile(r"(?<!\\)\\ ")
_DOTS = re.compile(r"\\(?:l|c)?dots(?![a-z])")
_BULLET = re.compile(r"(?:[*•●◦▪·>+]|-(?=\s+\D))\s+|#{1,6}\s*(?=\S)|>(?=\w)|\d{1,2}\.\s+(?=\*\*)")
_ABOUT = re.compile(
    r"(?:\\approx|\\sim(?![a-z])|≈|~|≃|≅|about|approximately|approx\.?|around|roughly|nearly|circa|ca\.|exactly"
    r"|simply|just)\s*(?=\S)",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_](?:_\{?\w{1,3}\}?)?\s*(?:=|≈|\\approx(?![a-z]))\s*(?=\S)")
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">", "「": "」", "『": "』", "【": "】", "《": "》", "«": "»", "⟨": "⟩"}
_OPENERS = {close: opener for opener, close in _PAIRS.items()}
_TAG = re.compile(r"</?(?:b|i|p|u|em|strong|span|div|code|center|mark|br|h[1-6]|li|ul|ol)\s?/?>", re.IGNORECASE)
_FENCE = re.compile(r"```[A-Za-z]*\n?|~~~[A-Za-z]*\n")
_AFTER_NUMBER = re.compile(r"[\d)}\]]!$")


def undress(text: str, *, keep_factorial: bool = False) -> str:
    r"""Take everything off that only surrounds the answer.

    Args:
        text: folded text of one answer.
        keep_factorial: leave an exclamation mark behind a number, where it is the factorial.

    >>> undress("**`(B)`.**")
    'B'
    >>> undress(r"$\text{C}$,"), undress("((12))"), undress("[0,1)"), undress("(1, 2)")
    ('C', '12', '[0,1)', '(1, 2)')
    """
    if text.isalnum():
        return text
    text = _TAG.sub("", text) if "</" in text else text
    text = plain_latex(_FENCE.sub("", text)) if "\\" in text or "`" in text or "~" in text else text
    for _ in range(ROUNDS):
        before = text
        text = _one_layer(text.strip(), keep_factorial)
        if text == before:
            break
    return text


def plain_latex(text: str) -> str:
    r"""Drop LaTeX that only sets type: `\text{}` and kin, sizes, spacing, `{,}`.

    >>> plain_latex(r"\left(12\,\text{ cm}\right)")
    '(12 cm)'
    """
    if "\\" not in text:
        return text
    text = _DOUBLED.sub(r"\\", text)
    for _ in range(4):
        text, n_found = _TEXT_COMMAND.subn(r"\1", text)
        if not n_found:
            break
    text = _BARE_COMMAND.sub(" " if "quad" in text else "", text)
    text = _ESCAPED_SPACE.sub(" ", _DOTS.sub("...", _SIZE_COMMAND.sub("", text)))
    return text.replace("{,}", ",").replace("\\$", "$").replace("\\%", "%").replace("\\#", "#")


def strip_outer(text: str) -> str:
    """Remove one matching pair of brackets around a whole text that holds a single item.

    >>> strip_outer("[B]"), strip_outer("(1,2)"), strip_outer("(a)(b)"), strip_outer("[5, ]")
    ('B', '(1,2)', '(a)(b)', '5')
    """
    closer = _PAIRS.get(text[:1])
    if closer is None or not text.endswith(closer) or len(text) < 2:
        return text
    inside = text[1:-1]
    if not _is_balanced(inside):
        return text
    trimmed = inside.strip()
    n_separators = _n_top_separators(trimmed)
    if n_separators == 1 and trimmed[-1] in ",;":
        return trimmed[:-1]
    if n_separators == 0:
        return inside
    return text if text[0] == "[" or _is_list(trimmed) else inside


def _n_top_separators(inside: str) -> int:
    """Commas and semicolons outside of inner brackets."""
    depth = n_found = 0
    for sign in inside:
        depth += (sign in "([{") - (sign in ")]}")
        n_found += sign in ",;" and depth == 0
    return n_found


def _is_list(inside: str) -> bool:
    """Whether the inside of a bracket holds several items (a comma inside a number makes no list)."""
    return re.fullmatch(r"[-+$]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?|.*\{,\}.*", inside) is None


def _is_balanced(inside: str) -> bool:
    depth: list[str] = []
    for sign in inside:
        if sign in "([{":
            depth.append(_PAIRS[sign])
        elif sign in ")]}" and (not depth or depth.pop() != sign):
            return False
    return not depth


def _one_layer(text: str, keep_factorial: bool) -> str:
    if not text:
        return text
    text = _strip_marks(_strip_math(text))
    bullet = _BULLET.match(text)
    if bullet:
        text = text[bullet.end() :]
    text = _strip_end(strip_outer(text), keep_factorial)
    text = _strip_half_bracket(text)
    about = _ABOUT.match(text) or (_NAME.match(text) if text.count("=") + text.count("≈") <= 1 else None)
    return text[about.end() :] if about else text


def _strip_math(text: str) -> str:
    for opener, closer in (("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]")):
        if text.startswith(opener) and text.endswith(closer) and len(text) > 2 * len(opener):
            return text[len(opener) : -len(closer)]
    if len(text) > 2 and text[0] == "$" and text[-1] == "$":
        return text[1:-1]
    if text[-1] == "$" and text.count("$") == 1:
        return text[:-1]
    return text


def _strip_marks(text: str) -> str:
    text = text.strip("\"`'* \n\t")
    text = text.removeprefix("| ").removesuffix(" |")
    if text.startswith("__") or text.endswith("__"):
        text = text.strip("_")
    elif len(text) > 2 and text[0] == "_" == text[-1]:
        text = text[1:-1]
    while text.startswith(("\\\\", "\\n")):
        text = text[2:]
    return text.rstrip("\\ ") if text.endswith("\\") else text


def _strip_end(text: str, keep_factorial: bool) -> str:
    stripped = text.rstrip(".,;:?。，；：？、…' ")
    if stripped.endswith(("!", "！")):
        if not (keep_factorial and _AFTER_NUMBER.search(stripped)):
            stripped = stripped.rstrip("!！")
    if stripped.endswith("-") and len(stripped) > 1 and stripped[-2].isspace():
        stripped = stripped[:-1]
    stripped = stripped.lstrip(":：=, ;→") if stripped[:1] in ":：=,; →" else stripped
    if stripped.startswith(("->", "=>")):
        stripped = stripped[2:]
    if stripped[:1] == "." and not stripped[1:2].isdigit():
        stripped = stripped.lstrip(".")
    return stripped


def _strip_half_bracket(text: str) -> str:
    """`B)`, `(B`, `12]`: a bracket whose partner is missing, where nothing inside needs it."""
    if len(text) < 2 or ("," in text and any(sign in text for sign in "([{")):
        return text
    if text[-1] in _OPENERS and _OPENERS[text[-1]] not in text and text[-1] != ">":
        return text[:-1]
    if text[0] in _PAIRS and _PAIRS[text[0]] not in text and text[0] != "<":
        return text[1:]
    return text
