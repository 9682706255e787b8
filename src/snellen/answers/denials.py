"""Whether a text denies an option that it names: "not C", "Option D does not fit", "A, D and E are wrong"."""

from __future__ import annotations

import re

from snellen.answers.patterns import any_of, any_word

_CONTEXT_CHARS = 80
_NOT_BEFORE = any_of(
    r"\bnot", "n't", r"\bneither", r"\bnor", r"\brather than", r"\binstead of", r"\bnever", r"\bwithout",
    r"\bexclud\w+", r"\beliminat\w+", r"\brul(?:e|ed|es|ing) out", r"\brejects?", r"\bexcept(?: for)?",
    r"\b(?:everything|anything|all|any) but",
    r"\bdiscard\w*", r"\bdismiss\w*", r"(?<![\w'])[(\[]?[A-Z][)\]]? over",
)  # fmt: skip
_FILLER = any_word(
    "choose pick select be by the an? option choice answer letter either both for to of simply just only with in on"
    " match fit support"
)
_LISTED = r"(?:[\"'`*(\[]{0,2}[A-Z][\"'`*)\]]{0,2}(?:,\s?(?:and\s|or\s|nor\s)?|\s(?:and|or|nor|&)\s|/)){0,8}"
_DENIED_BEFORE = re.compile(rf"{_NOT_BEFORE}\s(?:{_FILLER}\s){{0,4}}{_LISTED}[\"'`*(\[]*\Z", re.IGNORECASE)
_UNLIKE = re.compile(
    rf"\b(?:unlike|contrary to)\s(?:{_FILLER}\s){{0,4}}(?:[A-Z],?\s(?:and|or|&)\s)?[\"'`*(\[]*\Z", re.IGNORECASE
)
_OTHER_THAN = re.compile(rf"\bother than\s(?:{_FILLER}\s){{0,3}}[\"'`*(\[]*\Z", re.IGNORECASE)
_TURN = any_word("but is are was so because that which only")
_NEGATED_CLAUSE = re.compile(
    rf"(?:\bnot|n't|\bnor|\bneither|\bnever)\b(?:(?!\b{_TURN}\b)[^,;:.?!()\n]){{1,60}}\Z", re.IGNORECASE
)
_WRONG = any_word(
    "not incorrect wrong false invalid untrue inaccurate impossible unlikely implausible irrelevant eliminated"
    " excluded ruled_out out rejected no less too unsuitable inconsistent contradict\\w+ also_wrong also_incorrect"
    " clearly_wrong opposite"
)
_IS = any_word("is are was were seems? looks? appears?")
_IS_WRONG = rf"{_IS}\s(?:\w+ly\s|also\s|therefore\s|thus\s|both\s|all\s)?{_WRONG}\b"
_DOES_NOT = any_of(
    any_word("isn't aren't wasn't doesn't don't didn't can't cannot couldn't won't wouldn't") + r"\b",
    any_word("does do did can could would will should has have") + r"\s?(?:not|no)\b",
    any_word("can could should may must")
    + r" be "
    + any_word("excluded eliminated discarded dismissed rejected")
    + r"\b",
    any_word("can could should may must") + r" be ruled out\b",
    any_word("contradicts? fails? lacks? misses ignores") + r"\b",
    r",?\s?" + any_word("on_the_other_hand by_contrast in_contrast") + r"\b",
)
_DENIED_AFTER = re.compile(
    r"[\"'`*)\]}>.:]*\s?(?:\([^()]{0,60}\)\s?)?(?::\s?|[-–—]\s)?"
    + any_of(_IS_WRONG, _DOES_NOT, rf"{_WRONG}(?=[\s.,;!]*\Z)"),
    re.IGNORECASE,
)
_REST_OF_LIST = re.compile(
    r"[\"'`*)]{0,2}(?:,?\s(?:and\s|or\s|&\s)?[\"'`*(]{0,2}[A-Z](?![\w'])[\"'`*)]{0,2}|,\s?[A-Z](?![\w']))+[)\]]?"
)


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether what stands at an offset is denied by what stands before or behind it.

    >>> is_denied("It is B, not C", 13, 14), is_denied("Option D does not fit", 7, 8), is_denied("B is best", 0, 1)
    (True, True, False)
    >>> is_denied("Options A, D, and E are not viable", 8, 9)
    True
    """
    before = text[max(0, start - _CONTEXT_CHARS) : start]
    if _OTHER_THAN.search(before):
        return _DENIED_AFTER.match(text, end) is None
    if any(pattern.search(before) for pattern in (_DENIED_BEFORE, _UNLIKE, _NEGATED_CLAUSE)):
        return True
    if _DENIED_AFTER.match(text, end):
        return True
    listed = _REST_OF_LIST.match(text, end)
    return listed is not None and _DENIED_AFTER.match(text, listed.end()) is not None
