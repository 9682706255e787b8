"""First answers that were taken back ("21, no, 22") and answers that leave the choice open ("Paris or Lyon")."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SURE = (
    r"(?:no,? wait|wait,? no|scratch that|correction|i mean|i meant|or rather|make that|on second thought|actually)"
)
_TURN = re.compile(
    rf"[,.;:…!?(—–-]\s{{0,3}}(?:(?:oh|oops|hmm),?\s)?(?:{_SURE}\s?[,:.;…!—–-]{{0,3}}|(?:no|wait|oops|sorry)\s?[,:…—–-]{{1,3}})"
    r"\s{1,3}(?:it(?: i|')s\s|the answer is\s)?(?=\S)",
    re.IGNORECASE,
)
_OR = re.compile(r"(?:\s|,\s)(?:or|and/or)\s", re.IGNORECASE)
_OPENING = re.compile(r"(?:it(?: i|')s\s|they are\s)?(?:(?:either|maybe|perhaps|probably)\s)?", re.IGNORECASE)


def corrected(text: str) -> str:
    """What counts after a first answer was taken back, "" when nothing was.

    >>> corrected("Lyon. No wait, Paris"), corrected("21, no, 22"), corrected("Lyon, actually Paris")
    ('Paris', '22', 'Paris')
    >>> corrected("Invoice No. 5"), corrected("no, it is red")
    ('', '')
    """
    ends = [turn.end() for turn in _TURN.finditer(text, 1)]
    return text[ends[-1] :] if ends else ""


def leaves_open(text: str, truths: Iterable[str]) -> bool:
    """Whether a text names a truth as one of several possible answers.

    Args:
        text: the answer, in the form in which truths are compared.
        truths: accepted answers in that form; a text that is one of them leaves nothing open.

    >>> leaves_open("paris or lyon", ["paris"]), leaves_open("black or white", ["black or white"])
    (True, False)
    """
    wanted = set(truths)
    if text in wanted:
        return False
    parts = _OR.split(_OPENING.sub("", text, count=1))
    return len(parts) > 1 and any(part.strip(" .,;") in wanted for part in parts)
