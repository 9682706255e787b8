"""Fair rules for TextVQA and VQA v2: consensus accuracy over answers that agree in one of three normal forms.

References:
    Antol et al., VQA, 2015, arXiv 1505.00468; Goyal et al., VQA v2, 2017, arXiv 1612.00837.
    Singh et al., Towards VQA Models That Can Read, 2019, arXiv 1904.08920 (TextVQA).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from snellen.answers.second_thoughts import corrected
from snellen.answers.short import read_short
from snellen.answers.whole_text import read_whole
from snellen.scorers.references import comparable, references_of
from snellen.scorers.vqa_tables import ARTICLES, CONTRACTIONS, NUMBER_WORDS, PUNCTUATION
from snellen.types import Sample, Score, ScoringContext

Forms = tuple[str, str, str]
"""The dataset's own normal form, the one with every mark deleted, the one with every mark turned into a blank."""

_CONTRACTIONS = {key.lower(): value.lower() for key, value in CONTRACTIONS.items()}
_TEENS = (
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    word: str(n)
    for n, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2)
}
_NUMBERS = NUMBER_WORDS | {word: str(n) for n, word in enumerate(_TEENS, start=11)}
_UNITS = {word: digit for word, digit in NUMBER_WORDS.items() if digit in set("123456789")}
_MARK = re.compile("[" + re.escape("".join(PUNCTUATION)) + "]")
_DELETED = dict.fromkeys(map(ord, PUNCTUATION))
_SPACED: dict[int, str | None] = dict.fromkeys(map(ord, PUNCTUATION), " ")
_PERIOD = re.compile(r"\.(?!\d)|。")
_DIGIT_COMMA_DIGIT = re.compile(r"\d,\d")
_MINUS = re.compile(r"(?<![\w.)%])-(?=[$£€¥₹]?\.?\d)")
_SIGN = "−"
"""Stands for a minus that belongs to a number, so that it is no punctuation mark."""
_YES_NO = re.compile(r"(yes|no)(?:\s*[,.;:!–—-]|\s+(?:it|they|he|she|there|this|that|these|those|the|i|we|you)\b)")
_UNIT_NAMES = {
    "$": "$", "us$": "$", "usd": "$", "dollar": "$", "dollars": "$", "£": "£", "gbp": "£", "pound": "£",
    "pounds": "£", "€": "€", "eur": "€", "euro": "€", "euros": "€", "¥": "¥", "yen": "¥", "jpy": "¥", "yuan": "¥",
    "rmb": "¥",
    "cny": "¥", "₹": "₹", "rs": "₹", "rs.": "₹", "inr": "₹", "rupee": "₹", "rupees": "₹", "%": "%", "percent": "%",
    "per cent": "%", "pct": "%",
}  # fmt: skip
_UNIT = "|".join(re.escape(name) for name in sorted(_UNIT_NAMES, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?P<sign>-?)\s?(?P<before>{_UNIT})?\s?(?P<inner>-?)"
    rf"(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s?(?P<after>{_UNIT})?\.?"
)
_MAX_QUANTITY = 60
"""A longer text is no single amount."""
_PUBLISHED_REFERENCES = 10


def consensus(n_references: int, n_agreeing: int) -> float:
    """Mean over the references of min(1, others that agree / needed); 3 are needed of ten, fewer of fewer.

    >>> [round(consensus(10, k), 9) for k in range(5)]
    [0.0, 0.3, 0.6, 0.9, 1.0]
    >>> consensus(1, 1), consensus(2, 2), consensus(2, 1)
    (1.0, 1.0, 0.5)
    """
    if n_references <= 1:
        return float(n_agreeing)
    needed = 3.0 if n_references >= _PUBLISHED_REFERENCES else max(1.0, 3 * (n_references - 1) / 9)
    same = n_agreeing * min(1.0, (n_agreeing - 1) / needed) if n_agreeing else 0.0
    return (same + (n_references - n_agreeing) * min(1.0, n_agreeing / needed)) / n_references


def text_vqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """TextVQA accuracy; where nothing agrees, one and the same amount without a conflicting unit agrees."""
    return _score(sample, output, _own_textvqa, amounts=True)


def vqa_v2(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """VQA v2 accuracy."""
    return _score(sample, output, _own_vqa, amounts=False)


def _score(sample: Sample, output: Any, own: Callable[[str], str], *, amounts: bool) -> Score:
    answer = read_short(output).text
    references = references_of(sample)
    if not references or not answer:
        reason = "no answer found" if references else "no reference"
        return Score(0.0, answer, {"score": 0.0, "pred_answer": answer, "n_agreeing": 0}, reason)
    candidates = _candidates(answer, read_whole(output), own)
    agrees = {one: _agree(candidates, normal_forms(one, own)) for one in set(references)}
    n_agreeing = sum(agrees[one] for one in references)
    if not n_agreeing and amounts:
        n_agreeing = _n_same_amount(answer, references)
    value = consensus(len(references), n_agreeing)
    return Score(value, answer, {"score": value, "pred_answer": answer, "n_agreeing": n_agreeing})


def _candidates(answer: str, whole: str, own: Callable[[str], str]) -> list[Forms]:
    candidates = [normal_forms(answer, own)]
    if word := _YES_NO.match(comparable(answer)):
        candidates.append((word[1], word[1], word[1]))
    if final := corrected(answer):
        candidates.append(normal_forms(final, own))
    if "\n" in whole:
        candidates.append(normal_forms(whole, own))
    return candidates


def _agree(candidates: list[Forms], reference: Forms) -> bool:
    return any(one == other and one for forms in candidates for one, other in zip(forms, reference, strict=True))


def normal_forms(text: str, own: Callable[[str], str]) -> Forms:
    """The three forms of a text; two texts agree when they share one. `own` is the dataset's own first form.

    >>> normal_forms("The coca-cola", _own_vqa)
    ('coca cola', 'cocacola', 'coca cola')
    """
    kept = _MINUS.sub(_SIGN, comparable(text))
    if not _MARK.search(kept):
        plain = _words(own(kept))
        return plain, plain if own is _own_vqa else _words(kept), plain if own is _own_vqa else _words(kept)
    return _words(own(kept)), _words(kept.translate(_DELETED)), _words(kept.translate(_SPACED))


def _own_textvqa(text: str) -> str:
    return _without_marks(text.replace(",", "").replace("?", "").replace("'s", " 's").strip(), delete_all=False)


def _own_vqa(text: str) -> str:
    return _without_marks(text, delete_all=bool(_DIGIT_COMMA_DIGIT.search(text)))


def _without_marks(text: str, *, delete_all: bool) -> str:
    table: dict[int, str | None] = {}
    for mark in set(_MARK.findall(text)):
        deleted = delete_all or mark + " " in text or " " + mark in text
        table[ord(mark)] = None if deleted else " "
    return text.translate(table) if table else text


def _words(text: str) -> str:
    words = [_CONTRACTIONS.get(word, word) for word in _digits(_PERIOD.sub("", text).split())]
    return " ".join([word for word in words if word not in ARTICLES] or words)


def _digits(words: list[str]) -> list[str]:
    """Number words through ninety-nine as digits."""
    read: list[str] = []
    for position, word in enumerate(words):
        before = words[position - 1] if position else ""
        if before in _TENS and word in _UNITS:
            read[-1] = _TENS[before] + _UNITS[word]
        else:
            read.append(_NUMBERS.get(word) or (_TENS[word] + "0" if word in _TENS else word))
    return read


def _n_same_amount(answer: str, references: list[str]) -> int:
    wanted = _amount(answer)
    amounts = [_amount(one) for one in references]
    if wanted is None or not any(amount and amount[1] for amount in (wanted, *amounts)):
        return 0
    return sum(amount is not None and _same_amount(wanted, amount) for amount in amounts)


def _amount(text: str) -> tuple[Decimal, str] | None:
    """(value, unit symbol or "") of a text that is one number, None for any other text."""
    found = _QUANTITY.fullmatch(comparable(text)) if len(text) <= _MAX_QUANTITY else None
    if found is None:
        return None
    units = {_UNIT_NAMES[name] for name in (found["before"], found["after"]) if name}
    if len(units) > 1:
        return None
    value = Decimal(found["number"].replace(",", ""))
    return -value if found["sign"] or found["inner"] else value, next(iter(units), "")


def _same_amount(one: tuple[Decimal, str], other: tuple[Decimal, str]) -> bool:
    return one[0] == other[0] and (not one[1] or not other[1] or one[1] == other[1])
