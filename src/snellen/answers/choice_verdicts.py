"""A verdict for each option: `A. no`, `B. yes`; `(A) Incorrect. (B) Correct.`; ticked boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snellen.answers.options import Options
from snellen.answers.patterns import any_word

MAX_VERDICTS = 400

_RIGHT = any_word("yes right correct true valid ✓ ✔ ✅ ☑")
_WRONG = any_word("no wrong incorrect false invalid not ✗ ✘ ❌ ×")
_OPTION = r"(?:(?:option|choice|statement)\s)?[*_(\[]{0,4}(?P<letter>[A-Za-z])[*_)\]]{0,4}"
_LINE = re.compile(
    rf"^[\s*_>#-]{{0,8}}(?:\d{{1,2}}\.\s)?[*_]{{0,3}}{_OPTION}\s?[.):,=–—-]{{0,3}}[*_]{{0,3}}\s(?P<text>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_POSITIVE = re.compile(rf"(?:^|[\s(:*-]){_RIGHT}[\s.!*)]*$|^{_RIGHT}(?!\w)", re.IGNORECASE)
_NEGATIVE = re.compile(rf"(?:^|[\s(:*-]){_WRONG}[\s.!*)]*$|^{_WRONG}(?!\w)", re.IGNORECASE)
_INLINE = re.compile(
    rf"(?<![\w'])[(\[*]{{0,3}}(?P<letter>[A-Z])[)\].:*]{{0,3}}\s?(?:is\s|[-–:=]\s?)?(?:(?P<right>{_RIGHT})|{_WRONG})"
    r"(?=[\s.,;!*)]*(?:$|[.,;!\n]|\sand\b|\s?[(\[*]{0,3}[A-Z][)\].:*\s]))",
    re.IGNORECASE,
)
_TICKED = re.compile(
    r"^[\s*_>-]{0,8}(?:(?P<right>✓|✔|✅|☑|🔘|◉|\[[xX✓✔]\])|✗|✘|❌|☐|○|⚪|\[\s?\])\s?[*_(\[]{0,4}(?P<letter>[A-Z])(?![\w'])",
    re.MULTILINE,
)


def right_letters(body: str, options: Options, *, several: bool = False) -> tuple[tuple[str, ...], str] | None:
    r"""The option called right where others are called wrong, with the text that says so.

    Args:
        body: folded text.
        options: what the row offers.
        several: whether more than one option may be called right.

    >>> ab = Options(("A", "B"), ("cat", "dog"))
    >>> right_letters("A. no\nB. yes", ab), right_letters("B. yes", ab)
    ((('B',), 'B. yes'), None)
    >>> right_letters("(A) Incorrect. (B) Correct.", ab)[0], right_letters("[ ] A\n[x] B", ab)[0]
    (('B',), ('B',))
    """
    for verdicts in (_by_line, _by_tick, _inline):
        right: dict[str, str] = {}
        wrong: set[str] = set()
        for n_seen, (letter, is_right, text) in enumerate(verdicts(body)):
            if n_seen >= MAX_VERDICTS:
                break
            if letter in options.letters and is_right:
                right[letter] = text
            elif letter in options.letters:
                wrong.add(letter)
        if right and (several or len(right) == 1) and wrong - right.keys():
            return tuple(sorted(right)), next(iter(right.values()))
    return None


def _by_line(body: str) -> Iterator[tuple[str, bool, str]]:
    for found in _LINE.finditer(body):
        text = found["text"].strip(" *_")
        if _NEGATIVE.search(text):
            yield found["letter"].upper(), False, found[0]
        elif _POSITIVE.search(text):
            yield found["letter"].upper(), True, found[0]


def _by_tick(body: str) -> Iterator[tuple[str, bool, str]]:
    for found in _TICKED.finditer(body):
        yield found["letter"], found["right"] is not None, found[0]


def _inline(body: str) -> Iterator[tuple[str, bool, str]]:
    for found in _INLINE.finditer(body):
        if found["letter"].isupper():
            yield found["letter"], found["right"] is not None, found[0]
