"""Fair rules for short texts: DocVQA, InfographicVQA, OCR-VQA, and exact match for datasets without a rule.

References:
    Biten et al., Scene Text Visual Question Answering, 2019, arXiv 1905.13648 (ANLS).
    Mathew et al., DocVQA, 2021, arXiv 2007.00398; InfographicVQA, 2022, arXiv 2104.12756.
    Mishra et al., OCR-VQA: Visual Question Answering by Reading Text in Images, 2019 (accuracy).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from snellen.answers.peeling import peel
from snellen.answers.second_thoughts import corrected, leaves_open
from snellen.answers.short import ShortAnswer, read_short
from snellen.answers.whole_text import read_whole
from snellen.scorers.references import comparable, references_of
from snellen.types import Sample, Score, ScoringContext

_CLOSING = (".", "。", "!", ",", ";")
_MANY_WORDS = 8
"""A reference of as many words is a passage, which a model may break into lines."""
_YES_NO = re.compile(r"(yes|no)(?=[\s,.;:!—–-])")


def anls_similarity(prediction: str, reference: str) -> float:
    """1 − edit distance / longer length where that distance is below one half, else 0 (exactly half wrong is 0).

    >>> anls_similarity("abcdefghzz", "abcdefghij"), anls_similarity("klmno", "klmnopqrst")
    (0.8, 0.0)
    """
    longest = max(len(prediction), len(reference))
    if not longest:
        return 1.0
    distance = Levenshtein.distance(prediction, reference) / longest
    return 1 - distance if distance < 0.5 else 0.0


def equality(prediction: str, reference: str) -> float:
    """1 for equal texts, else 0.

    >>> equality("dune", "dune")
    1.0
    """
    return float(prediction == reference)


def anls(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Average normalised Levenshtein similarity of one response: the best over all references, cut at one half."""
    return _best(sample, output, anls_similarity, "anls")


def exact(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Exact match with any reference after reading the short answer, case and blanks aside."""
    return _best(sample, output, equality, "exact_match")


def _best(sample: Sample, output: Any, similarity: Callable[[str, str], float], name: str) -> Score:
    read = read_short(output)
    references = references_of(sample)
    whole = comparable(read_whole(output)) if references else ""
    value, matched = 0.0, ""
    is_open = leaves_open(comparable(read.text), map(comparable, references))
    for reference in () if is_open else references:
        similar = max(_tolerant(read, reference, similarity), _entire(whole, reference, similarity))
        if similar > value:
            value, matched = similar, reference
    details = {"score": value, name: value, "pred_answer": read.text, "matched_reference": matched}
    return Score(value, read.text, details, _reason(read, references))


def _tolerant(read: ShortAnswer, reference: str, similarity: Callable[[str, str], float]) -> float:
    if not read.text:
        return 0.0
    answer, bare = comparable(read.text), comparable(peel(reference))
    wanted = {comparable(reference), bare} - {""}
    if (final := corrected(answer)) and answer not in wanted:
        answer = final
    return max((similarity(form, truth) for truth in wanted for form in forms(answer, truth)), default=0.0)


def _entire(whole: str, reference: str, similarity: Callable[[str, str], float]) -> float:
    """A reference of several lines or many words is compared with the whole response as well."""
    truth = comparable(reference)
    if not whole or whole == truth:
        return float(bool(whole))
    long = "\n" in reference.strip() or len(truth.split()) >= _MANY_WORDS
    return similarity(whole, truth) if long else 0.0


def forms(answer: str, reference: str) -> Iterator[str]:
    """An answer, the same without one closing mark, and its bare yes or no, where the reference allows them.

    >>> list(forms("yes, it does.", "yes"))
    ['yes, it does.', 'yes, it does', 'yes']
    >>> list(forms("st.", "st."))
    ['st.']
    """
    yield answer
    if answer.endswith(_CLOSING) and not reference.endswith(answer[-1]):
        yield answer[:-1].rstrip()
    word = _YES_NO.match(answer)
    if word and word[1] == reference:
        yield word[1]


def _reason(read: ShortAnswer, references: list[str]) -> str:
    if not references:
        return "no reference"
    return "" if read.text else "no answer found"
