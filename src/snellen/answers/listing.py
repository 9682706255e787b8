r"""Lists, sets, tuples and intervals written in text: their brackets and their items.

An item is text; what it is worth (a number, a formula) the scorer decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snellen.answers.dressing import undress

MAX_ITEMS = 300
"""Items that are read; longer lists are cut."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Several answers in one text."""

    items: tuple[str, ...]
    """Texts of the items without their quotes and bullets."""
    brackets: str = ""
    """"()", "[]", "{}", "[)", "(]", or "" for none."""


_OUTER = re.compile(
    r"^\s*(\\?[({\[]|\\left\s?\\?[({\[]|\\lbrace)(.*?)(\\?[)}\]]|\\right\s?\\?[)}\]]"
    r"|\\rbrace)\s*\Z",
    re.DOTALL,
)
_BULLET = re.compile(r"^\s*(?:[-*•·]\s+|\(?\d{1,2}[.)]\s+|\(?[a-z]\)\s+)")
_AND = re.compile(r"(?:^|\s)\s{0,3}(?:and|&|as well as|plus|und|et|y)\s+(?=\S)", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?!\d|,\d)")


def read_listing(text: str, *, split_and: bool = True) -> Listing:
    r"""Split a text into the items that it lists.

    Args:
        text: the list as written.
        split_and: whether "and" separates items too.

    >>> read_listing("['red', 'light blue']").items, read_listing("red and blue").items
    (('red', 'light blue'), ('red', 'blue'))
    >>> read_listing("[0, 1)").brackets, read_listing("1,234").items, read_listing("Ours\nBERT").items
    ('[)', ('1,234',), ('Ours', 'BERT'))
    """
    inside, brackets = strip_brackets(text)
    parts = [_item(part) for part in _parts(inside, split_and)[: 2 * MAX_ITEMS]]
    return Listing(tuple(part for part in parts if part)[:MAX_ITEMS], brackets)


def strip_brackets(text: str) -> tuple[str, str]:
    r"""(inside, brackets) of a text in one pair of brackets, an open one at its end allowed; (text, "") otherwise.

    >>> strip_brackets(r"\{1,2\}"), strip_brackets("[a, b"), strip_brackets("(a) or (b)")
    (('1,2', '{}'), ('a, b', '[]'), ('(a) or (b)', ''))
    """
    text = text.strip()
    if not text:
        return "", ""
    match = _OUTER.match(text) if text[:1] in "([{\\" else None
    if match and _closes_once(match[2]):
        opener, closer = match[1].strip()[-1:].replace("e", "{"), match[3].strip()[-1:].replace("e", "}")
        return match[2], opener + closer
    if text[:1] in "([{" and not any(sign in text[1:] for sign in ")]}([{"):
        return text[1:], text[0] + {"(": ")", "[": "]", "{": "}"}[text[0]]
    if text[-1:] in ")]}" and not any(sign in text[:-1] for sign in "([{)]}"):
        return text[:-1], {")": "()", "]": "[]", "}": "{}"}[text[-1]]
    return text, ""


def _closes_once(inside: str) -> bool:
    """Whether no bracket of the outer pair closes early: `(a) or (b)` is no bracketed text."""
    depth = 0
    for sign in inside:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _parts(inside: str, split_and: bool) -> list[str]:
    top = _split_top(inside, ";\n")
    if len([part for part in top if part.strip()]) > 1:
        return top
    kept = {match.start(): match.end() for match in _THOUSANDS.finditer(inside)} if "," in inside else {}
    return _split_commas(inside, kept, split_and)


def _split_top(text: str, separators: str) -> list[str]:
    """Split at separators outside of brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign == '"' or (sign == "'" and (at == 0 or not text[at - 1].isalnum()) and "'" in text[at + 1 :]):
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth = max(0, depth - 1)
        elif sign in separators and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _split_commas(text: str, kept: dict[int, int], split_and: bool) -> list[str]:
    """Split at commas and "and" outside of brackets; commas of thousands stay where the whole is one number."""
    masked = list(text)
    if len(kept) == 1 and not text.replace(text[next(iter(kept)) : kept[next(iter(kept))]], "").strip(" $€£%"):
        return [text]
    for start, end in kept.items():
        if not re.search(r",\s", text) and len(kept) == 1:
            break
        for at in range(start, end):
            if masked[at] == ",":
                masked[at] = "\x01"
    parts: list[str] = []
    for part in _split_top("".join(masked), ","):
        parts += _AND.split(part) if split_and else [part]
    return [part.replace("\x01", ",") for part in parts]


def _item(text: str) -> str:
    return undress(_BULLET.sub("", text.strip()).strip("\"' "), keep_factorial=True)


_RANGE = re.compile(
    r"(?:between|from)?\s*(?P<low>[-+]?[$€£]?\.?\d[\d.,]{0,20}\s?%?(?:\s?[A-Za-z°]{1,12})?)\s*(?:[-–—~]|\.\.\.?|to"
    r"|and|through|until)\s*"
    r"(?P<high>[-+]?[$€£]?\.?\d[\d.,]{0,20}\s?%?(?:\s?[A-Za-z°]{1,12})?)\s*",
    re.IGNORECASE,
)


def read_range(text: str) -> tuple[str, str] | None:
    """(low, high) of a text that is one range, None otherwise.

    >>> read_range("between 50 and 100"), read_range("18-24 years"), read_range("18")
    (('50', '100'), ('18', '24 years'), None)
    """
    match = _RANGE.fullmatch(text.strip("()[] ")) if len(text) < 100 else None
    return (match["low"].strip(), match["high"].strip()) if match else None
