"""Fair rules for charts: chartqa and charxiv, and the comparison of one answer that chartqapro shares.

References:
    Masry et al., "ChartQA", 2022, arXiv 2203.10244 (relaxed accuracy after Methani et al., "PlotQA", 2020);
    Wang et al., "CharXiv", 2024, arXiv 2406.18521.
Deviates: numbers are compared exactly at the 5 % limit, years without tolerance; charxiv, which its authors grade
with a language model, is compared by value and wording.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from snellen.answers.listing import strip_brackets
from snellen.answers.marked import Marked, read_marked
from snellen.answers.numbers import read_number
from snellen.answers.remarks import Abstention, abstention, alternatives
from snellen.answers.restated import restated_truth
from snellen.answers.signs import plain_signs
from snellen.answers.statements import first_truth_word, is_compared, is_negated, pieces
from snellen.answers.wording import same_text, text_key, truth_of
from snellen.scorers.lists import best_share, names_each_once, read_reference
from snellen.scorers.values import FIVE_PERCENT, Rule, is_same_item, is_same_value, only_number, rule_for
from snellen.types import Sample, Score, ScoringContext


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the comparison of one answer with one reference found."""

    share: Fraction
    """1 for right, 0 for wrong, between for part of a list."""
    reason: str = ""
    """Why it is not right, "" where that is plain."""


MAX_WORDING = 400
"""Characters of a whole response that is compared with a text reference."""
RIGHT = Verdict(Fraction(1))
WRONG = Verdict(Fraction(0))


def chartqa(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Relaxed accuracy: any reference, numbers within 5 %, years and texts exactly, lists all or nothing."""
    rule = rule_for(sample.question, FIVE_PERCENT)
    return _any_reference(sample, output, [sample.all_answers, sample.answer], rule)


def charxiv(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Exact value or same wording; a legend's labels in the given order."""
    rule = rule_for(sample.question, Fraction(0))
    return _any_reference(sample, output, [sample.answer], rule, ordered=_is_ordered(sample.question))


_ORDERED = re.compile(
    r"\blegend\b|\bintervals?\b|\bin order\b|\brange\b|\bfrom (?:top|left|bottom|right|highest"
    r"|lowest)\b|\btuple\b|\bcoordinates?\b",
    re.IGNORECASE,
)


def _is_ordered(question: str) -> bool:
    return _ORDERED.search(question[:4_000]) is not None


def _any_reference(sample: Sample, output: Any, stored: list[Any], rule: Rule, *, ordered: bool = False) -> Score:
    references = references_in(stored)
    marked = read_marked(output)
    verdict = WRONG
    for reference in references:
        verdict = judge(reference, marked, [rule], ordered=ordered)
        if verdict.share == 1 or restates(reference, marked, sample.question):
            verdict = RIGHT
            break
    value = float(verdict.share == 1)
    reason = verdict.reason if references else "the row has no reference"
    return score_of(value, marked, reason, {"references": references})


def references_in(stored: Sequence[Any]) -> list[str]:
    """Reference texts of a row's stored values, in order, without blanks and repeats."""
    flat: list[Any] = []
    for value in stored:
        flat += value if isinstance(value, list | tuple) else [value]
    texts = [one if isinstance(one, str) else str(one) for one in flat if one is not None]
    return list(dict.fromkeys(text for text in texts if text.strip()))


def score_of(value: float, marked: Marked, reason: str, details: dict[str, Any]) -> Score:
    """The score of one read answer; unscored when only the unread start of a very long text could change it."""
    if marked.is_cut and not marked.marked and value == 0.0:
        return Score(None, answer=marked.answer[:200], details=details, reason="the text is longer than is read")
    if not reason and value == 0.0 and not marked.answer:
        reason = "no answer found"
    shown = {"score": value, "pred_answer": marked.answer, "how": marked.kind, **details}
    return Score(value, answer=marked.answer, details=shown, reason=reason)


def judge(
    reference: str, marked: Marked, rules: Sequence[Rule], *, ordered: bool = False, partial: bool = False
) -> Verdict:
    """Compare one read answer with one reference.

    Args:
        reference: the truth as stored; a list in brackets or with separators is one.
        marked: what was read out of the response.
        rules: one per item of a reference list, or one for all.
        ordered: whether a list's order counts.
        partial: whether part of a list earns part of the score.
    """
    reference = plain_signs(reference).strip()
    if not reference or not marked.answer:
        return _declined(reference, marked) if reference else WRONG
    declines = _declined(reference, marked)
    if declines.share == 1 or abstention(reference):
        return declines
    listing = read_reference(reference) if read_number(reference) is None else None
    if listing is not None and ordered and not _same_ends(listing.brackets, marked):
        return Verdict(Fraction(0), "the ends of the interval differ")
    if listing is not None and not _is_whole(reference, marked):
        return _judge_list(listing.items, marked, rules, ordered=ordered, partial=partial)
    return _judge_one(reference, marked, rules[0])


def _same_ends(brackets: str, marked: Marked) -> bool:
    """Whether an interval's brackets are those of the reference, where both have some."""
    said = {strip_brackets(piece)[1] for piece in (marked.answer, *pieces(marked.answer))} - {""}
    return not brackets or not said or brackets in said


def _is_whole(reference: str, marked: Marked) -> bool:
    return any(same_text(reference, text) for text in (marked.answer, marked.full))


def _declined(reference: str, marked: Marked) -> Verdict:
    """Whether the reference itself says that there is no answer, and the response says just that."""
    wanted = abstention(reference)
    if not wanted:
        return WRONG if not marked.abstained else Verdict(Fraction(0), "the response declines to answer")
    texts = [text for one in (marked.answer, marked.full) for text in (one, _BEHIND.sub("", one))]
    said = {abstention(piece) for text in texts for piece in (text, *pieces(text))} - {""}
    right = any(_says_same(wanted, reference, one) for one in said if one) and marked.body != ""
    return RIGHT if right else WRONG


_BEHIND = re.compile(r"\s*\([^()]{0,200}\)\W*\Z")


def _says_same(wanted: Abstention, reference: str, said: Abstention) -> bool:
    if wanted == "not applicable":
        return said in ("not applicable", "none")
    if wanted == "none" and text_key(reference) == "none":
        return said == "none"
    return said == wanted


def _judge_list(
    items: Sequence[str], marked: Marked, rules: Sequence[Rule], *, ordered: bool, partial: bool
) -> Verdict:
    def is_same(at: int, item: str) -> bool:
        return is_same_item(items[at], item, rules[at] if at < len(rules) else rules[-1])

    if _DENIED.match(marked.answer):
        return Verdict(Fraction(0), "the answer denies")
    texts = _texts(marked)
    share = best_share(len(items), texts, is_same, ordered=ordered)
    if share < 1 and not ordered and any(names_each_once(items, text) for text in texts):
        share = Fraction(1)
    if share == 1:
        return RIGHT
    return Verdict(share if partial else Fraction(0), f"{share * len(items)} of {len(items)} items" if share else "")


_DENIED = re.compile(r"\W*(?:not|neither|never|none of)\b", re.IGNORECASE)


def _texts(marked: Marked) -> list[str]:
    """Readings of an answer that may hold a list: all lines, the answer, and the pieces that it asserts."""
    texts = ["\n".join(marked.lines)] if len(marked.lines) > 1 else []
    texts += [marked.full, marked.answer, *pieces(marked.answer)]
    if marked.marked and marked.full != marked.answer:
        texts += pieces(marked.full)
    return list(dict.fromkeys(texts))[:30]


def _judge_one(reference: str, marked: Marked, rule: Rule) -> Verdict:
    if marked.hedged:
        same = all(is_same_item(reference, part, rule) for part in hedged_parts(marked))
        return RIGHT if same else Verdict(Fraction(0), "several answers are marked")
    if is_asserted(reference, marked.answer, rule) or is_asserted(reference, marked.full, rule):
        return RIGHT
    if read_number(reference) is None and _is_worded(reference, marked):
        return RIGHT
    if _names_several(marked.answer):
        return Verdict(Fraction(0), "several answers are named")
    return WRONG


def hedged_parts(marked: Marked) -> list[str]:
    """The answers of marks that stand side by side."""
    return [part for part in _BESIDE.split(marked.answer) if part.strip()]


_BESIDE = re.compile(r"\s(?:or|and|and/or|/)\s|[,;]\s", re.IGNORECASE)


def _is_worded(reference: str, marked: Marked) -> bool:
    """Whether all lines together, or the whole undressed response, are the reference's text."""
    lines = len(marked.lines) > 1 and same_text(reference, " ".join(marked.lines))
    return lines or (not marked.marked and len(marked.body) <= MAX_WORDING and same_text(reference, marked.body))


def _names_several(answer: str) -> bool:
    return len(alternatives(answer)) > 1


def is_asserted(reference: str, answer: str, rule: Rule) -> bool:
    """Whether an answer states the reference and nothing else in its place.

    >>> is_asserted("100", "The value is 100 units", Rule()), is_asserted("Model B", "Model B and Model C", Rule())
    (True, False)
    >>> is_asserted("Yes", "Yes, they do", Rule()), is_asserted("12", "12 or 13", Rule())
    (True, False)
    """
    if not answer:
        return False
    if is_same_item(reference, answer, rule):
        return True
    several = alternatives(answer)
    if len(several) > 1:
        first = several[0]
        return all(is_same_item(reference, one, rule) and is_same_item(first, one, rule.exact()) for one in several)
    truth = truth_of(reference)
    if truth:
        return _is_truth(truth, answer)
    return _is_in_pieces(reference, answer, rule)


def restates(reference: str, marked: Marked, question: str) -> bool:
    """Whether a yes or no is given by restating the question's claim ("They do not." to "Do any lines cross?")."""
    truth = truth_of(reference)
    return truth != "" and any(
        restated_truth(question, text) == truth for text in (marked.answer, marked.full) if text
    )


def _is_truth(truth: str, answer: str) -> bool:
    first = first_truth_word(answer)
    if first:
        return truth_of(first) == truth
    told = [word for piece in pieces(answer) if (word := truth_of(piece))]
    return bool(told) and told[0] == truth


def _is_in_pieces(reference: str, answer: str, rule: Rule) -> bool:
    wanted = read_number(reference)
    for piece in pieces(answer):
        said = read_number(_BEHIND.sub("", piece)) if wanted else None
        if wanted and said:
            return is_same_value(wanted, said, rule)
        if is_same_item(reference, piece, rule):
            return True
    if wanted and not is_negated(answer) and not is_compared(answer):
        only = only_number(answer)
        return only is not None and is_same_value(wanted, only, rule)
    return False
