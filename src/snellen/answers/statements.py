"""What a sentence asserts: the pieces of it that may be the answer, fullest first, denied ones left out."""

from __future__ import annotations

import re
from functools import lru_cache

from snellen.answers.dressing import undress
from snellen.answers.remarks import after_correction, sentences, trim_remarks

MAX_PIECES = 24
"""Candidate pieces of one answer."""
MAX_CHARS = 600
"""A longer sentence is not taken apart."""

_VERB = (
    r"is|are|was|were|be|being|equals?|says|reads|states|shows|show|named|called|labell?ed|titled|as|means|becomes"
    r"|reached|gives|get|got|has|have|had"
    r"|contains?|belongs to|corresponds to|refers to|counts?|represents?|indicates?|seems|appears|goes|displays?"
    r"|depicts?|there's|it's|that's|gets"
    r"|becomes|remains|said"
)
_WORD_COPULA = rf"(?:(?<=\s)|^)(?:{_VERB})(?:\s?:)?\s+|(?<!\d):(?!//)\s*|it's\s|→\s?"
_COPULA = re.compile(rf"{_WORD_COPULA}|(?<=\s)[-–—=≈]\s+|=\s*")
_FORMULA_COPULA = re.compile(_WORD_COPULA)
_FILLER = re.compile(
    r"(?:that|to be|equal to|given by|approximately|about|around|exactly|roughly|indeed|actually|clearly|likely"
    r"|probably|most likely|simply|only|just|always"
    r"|therefore|thus|then|also|now|in fact|of course|at|by|in|on|the year|year|of|a total of|total of|labell?ed"
    r"|named|called|titled|written|shown|found"
    r"|as|from|with|for|the (?:colou?r|interval|range|period|number|value|title|label|name|word|answer|country"
    r"|year|letter"
    r"|option|one|category|age|total|sum|result))(?:\s+as)?\s+(?=\S)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?<!^)\s(?:is|are|was|were|has|have|had|leads|wins|shows|appears|seems|ranks|reached|recorded|experienced"
    r"|would be|represents|does|do|did|holds|scored|exceeds"
    r"|performs?|gets|got|outperforms|dominates|stands|comes|lies|makes|tops|peaked|declined|increased|decreased"
    r"|grew|rose|fell|intersects?|crosses|can)\b",
)
_LAST_CLAUSE = re.compile(
    r"(?:[,;]\s(?:and\s)?|\s)(?:so|therefore|thus|hence|meaning|i\.e\.|namely)(?:,"
    r"|\s)\s?([^,;]+)\Z",
    re.IGNORECASE,
)
_VALUE_BEHIND = re.compile(r"\s\([\d.,%$€£± -]{1,20}\)?\Z|,?\s(?:with|at) [^,()]{0,60}\d[^,()]{0,30}\Z")
_COMPARED = re.compile(
    r"\b(?:less|more|greater|fewer|higher|lower|smaller|larger|bigger) than\b|\bat (?:least|most)\b|[<>≤≥]"
    r"|\b(?:both|either|neither|unlike|options|choices)\b"
)
_NEGATED = re.compile(r"\b(?:not|never|neither|nor|without|cannot|no longer)\b|n't\b", re.IGNORECASE)
_WRONG = re.compile(r"\b(?:wrong|incorrect|false|invalid|impossible|eliminated|excluded|ruled out)\b", re.IGNORECASE)
_VERDICT_BEHIND = re.compile(
    r"\s(?:is|are|must be|would be) (?:the )?(?:(?:correct|right|final|best|true|only) )?"
    r"(?:correct|right|answers?|choice|option|result|solution)(?: here)?\W*\Z",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|(?<![\w])'([^'\n]{1,300})'(?!\w)"
    r"|\*\*([^*\n]{1,300})\*\*|`([^`\n]{1,300})`"
)
_FIRST_WORD = re.compile(
    r"\W*(yes|no|true|false|correct|incorrect|supported|refuted|yep|nope"
    r"|yeah)\b\s*(?:[,;:!—–-]|\.(?!\w)|\Z|because|since|as\b|it\b|there\b|the\b|they\b|that\b)",
    re.I,
)
_LEADING_WORDS = re.compile(
    r"(?:in|at|on|by|during|since|from|around|about|for|to|of|with|the|year|only"
    r"|nearly|almost|(?:it|that|this|there|here|answer)'s|it|its|their|to be)\s+",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def pieces(text: str, *, keep_equations: bool = False) -> tuple[str, ...]:
    """Candidate answers in one short text, the whole first.

    Args:
        text: an answer or a sentence.
        keep_equations: whether a chain of equations stays whole.

    >>> "Loss" in pieces('The title is "Loss"')
    True
    >>> "GPT-2" in pieces("I believe the label is GPT-2"), "blue" in pieces("It is not blue")
    (True, False)
    """
    text = text.strip()
    found = [undress(text, keep_factorial=True)]
    if len(text) > MAX_CHARS or text.isalnum():
        return tuple(found)
    for sentence in _last_first(sentences(text, limit=12)):
        found += _sentence_pieces(sentence, _FORMULA_COPULA if keep_equations else _COPULA)
    return tuple(dict.fromkeys(piece for piece in found if piece))[:MAX_PIECES]


def _last_first(parts: list[str]) -> list[str]:
    return [parts[0], *reversed(parts[1:])]


def _sentence_pieces(sentence: str, copula: re.Pattern[str]) -> list[str]:
    sentence = undress(after_correction(trim_remarks(sentence.strip())), keep_factorial=True)
    verdict = _VERDICT_BEHIND.search(sentence, 1)
    if verdict:
        sentence = undress(sentence[: verdict.start()], keep_factorial=True)
    found = [sentence, *_without_lead(sentence)]
    negated = _NEGATED.search(sentence)
    found += (
        [piece for match in _QUOTED.finditer(sentence) for piece in match.groups() if piece] if not negated else []
    )
    for match in list(copula.finditer(sentence))[:8]:
        tail = sentence[match.end() :].strip()
        if not (negated and negated.start() < match.end()):
            found += [undress(tail, keep_factorial=True), *_without_lead(tail)]
    clause = _LAST_CLAUSE.search(sentence)
    if clause:
        found.append(undress(clause[1], keep_factorial=True))
    subject = _SUBJECT.search(sentence)
    if (
        subject
        and not negated
        and not _WRONG.search(sentence, subject.end())
        and "," not in sentence[: subject.start()]
    ):
        found.append(undress(sentence[: subject.start()], keep_factorial=True))
    return found + [one for text in found if (one := _without_value(text))]


def _without_value(text: str) -> str:
    """The text without the value that it states behind the name ("Germany (45.2)"), "" when it states none."""
    valued = _VALUE_BEHIND.search(text)
    return undress(text[: valued.start()], keep_factorial=True) if valued else ""


def _without_lead(text: str) -> list[str]:
    """The text without prepositions and fillers in front ("in 2019", "equal to 5"), one at a time."""
    found = []
    for _ in range(4):
        match = _FILLER.match(text) or _LEADING_WORDS.match(text)
        if match is None:
            break
        text = text[match.end() :]
        found.append(undress(text, keep_factorial=True))
    return found


def first_truth_word(text: str) -> str:
    """The yes/no word that a text opens with as its own answer, "" without one.

    >>> first_truth_word("Yes, they do"), first_truth_word("No label is lower")
    ('yes', '')
    """
    match = _FIRST_WORD.match(text)
    return match[1].lower() if match else ""


def is_negated(text: str) -> bool:
    """Whether a text denies something ("not", "never", "n't", "is wrong")."""
    return _NEGATED.search(text) is not None or _WRONG.search(text) is not None


def is_compared(text: str) -> bool:
    """Whether a text only bounds a value ("less than 8") or names it among others ("both 8 and B")."""
    return _COMPARED.search(text.lower()) is not None
