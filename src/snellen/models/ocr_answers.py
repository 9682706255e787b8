"""Answer a question from the lines an OCR engine read. Pure: small rules in order, the first that finds one wins."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from rapidfuzz import fuzz

from snellen.models.ocr_layout import Line, likeness, plain_text
from snellen.models.ocr_rules import RULES, Page

_MAX_QUESTION_CHARS = 4000
_MAX_LINES = 2000


def answer(question: str, lines: Sequence[Line], choices: Sequence[str] = ()) -> str | None:
    """Answer from the text in a picture.

    Args:
        question: the bare question.
        lines: what was read, in any order.
        choices: options; the answer is then a letter.

    Returns:
        The answer, or None when nothing in the text bears on the question.

    >>> answer("What word is shown?", [Line("HOTEL", 0, 0, 50, 10)])
    'HOTEL'
    """
    page = Page(question[:_MAX_QUESTION_CHARS], tuple(lines[:_MAX_LINES]), tuple(choices))
    if not page.lines:
        return None
    found = next((said for rule in RULES if (said := rule(page)) and any(char.isalnum() for char in said)), None)
    if not page.choices:
        return found
    if all(len(choice.strip()) < 2 and not choice.strip().isdigit() for choice in page.choices):
        return None
    return _letter_of(found, page.choices) if found else None or _most_supported(page)


def _letter_of(found: str, choices: Sequence[str]) -> str | None:
    scores = [max(likeness(found, choice), fuzz.token_set_ratio(found.lower(), choice.lower())) for choice in choices]
    best = max(range(len(scores)), key=scores.__getitem__)
    return string.ascii_uppercase[best] if scores[best] >= 75 and scores.count(scores[best]) == 1 else None


def _most_supported(page: Page) -> str | None:
    """The only option whose words stand in the picture."""
    text = plain_text(page.lines).lower()
    present = [i for i, choice in enumerate(page.choices) if _stands_in(choice, text)]
    return string.ascii_uppercase[present[0]] if len(present) == 1 and len(page.choices) <= 26 else None


def _stands_in(choice: str, text: str) -> bool:
    bare = choice.strip().lower()
    if len(bare) < 2 and not bare.isdigit():
        return False
    return re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text) is not None
