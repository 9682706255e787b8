"""Read the one count that an answer asserts, in whatever words.

An announced answer or total wins; a correction replaces what stands before it; a breakdown leaves the overall number;
counting aloud ends at the last number; two candidates side by side ("6 or 7") are no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from snellen.answers.count_mentions import Mention, find_mentions, plain_text
from snellen.answers.folding import fold
from snellen.answers.short import answer_text, read_short

_CORRECTION = re.compile(
    r"[,.;:!?—–\-(]\s*(?:but\s|oh,?\s|well,?\s|no,?\s)?"
    r"(?:no\b(?=[,.;:!—–-])|wait\b|sorry\b|correction\b|actually\b)"
    r"|\b(?:scratch that|i meant?|make that|or rather|on second thought|let me recount|recounting)\b"
)
_FIRST_IDEA = re.compile(
    r"\b(?:thought|guessed|first|initially|earlier|looked like|seemed)\b[^.;:!?]{1,80}?(?<=[ ,])but\b"
)
_TOTAL_BEFORE = re.compile(
    r"(?:\btotal(?:\s(?:number|count|of|is|are|comes to)\b[^.;:!?]{0,60}?)?|\baltogether|\bin all|\bin total"
    r"|\boverall|\bsum(?:\sis|\sof)?)[\s:,*=~]*(?:is|are|of|there are|i count|about|approximately|exactly)?"
    r"[\s:*=~]*\Z"
)
_TOTAL_AFTER = re.compile(r"\s*(?:[a-z-]+\s){0,4}?(?:in total|total|altogether|in all|overall|combined)\b")
_ANNOUNCED = re.compile(
    r"(?:\b(?:final\s)?(?:answer|result|count)\b(?:\sof\b[^.;:!?]{0,60}?)?|\bnumber of\b[^.,;:!?]{1,60}?)"
    r"\s?(?:is|are|was|were|equals|=|:)?[\s:*~≈]*(?:about|approximately|around|exactly|only|just)?\s*\Z"
)
_CONCLUDED = re.compile(
    r"\b(?:so|thus|therefore|hence|making|makes|giving|gives|totall?ing)\b[\s,:]*(?:there\s(?:are|is)|it\sis|it's|that's"
    r"|that\sis|we\shave|i\scount|i\ssee)?[\s:]*(?:a\stotal\sof)?\s*\Z"
)
_WINDOW = 90
"""Characters before a number in which an announcement is looked for."""
_HEDGE_GAP = re.compile(r"[\s,;/~?&*–—-]*(?:\b(?:or|to|and|maybe|perhaps|possibly|even|through)\b[\s,;/~?–—-]*)*")
_OR = re.compile(r"\b(?:or|versus|vs)\b")
_RANGE_BEFORE = re.compile(r"\b(?:between|from|either)\s\Z")
_PART_AFTER = re.compile(r"\s*(?:of\s(?:them|which|whom|these|those|the)\b|(?:are|is|were|was)\b)")
_SHARE_GAP = re.compile(r"\s*(?:out\s)?of\s(?:the\s)?(?:total\s)?")
_PLUS = re.compile(r"[+×*]|\b(?:plus|and|x|times|of)\b")
_ARTICLE = re.compile(
    r"(?:(?:there(?:'s|\sis|\swas)|i\s(?:can\s)?see|it\s(?:shows|is)|it's|(?:the|this)\s(?:image|picture|photo)"
    r"\s(?:shows|contains|has|depicts))\s)?(?:only\s|just\s)?an?\s(?!lot\b|few\b|number\b|group\b|bunch\b|crowd\b"
    r"|variety\b|handful\b|unknown\b|uncertain\b|unclear\b|indefinite\b|row\b|set\b|total\b|large\b|small\snumber\b|herd\b|flock\b|some\b|several\b|many\b|hundreds\b|dozens\b)[a-z]"
)
_NEGATIVE = re.compile(r"\b(?:not|cannot|can't|unable|sorry|no|isn't|doesn't)\b")
_ROMAN = re.compile(r"(?=[IVXLCDM])(?:I|V|X|(?=..)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_MAX_ROMAN = 15
_ASKED = re.compile(
    r"how many ([a-z' -]{1,80}?)(?= (?:are|is|do|does|did|can|were|was|have|has|in|on|at|you|there)\b|\?|$)"
)
_NOUN_BEFORE = re.compile(r"((?:[a-z-]+\s){0,3}[a-z]+)[*_]{0,2}\s?[:=][\s*_]{0,3}\Z")
_WORD = re.compile(r"[a-z]+")
_NO_NOUN = frozenset({"of", "the", "in", "a", "on", "are", "is", "and", "this", "different", "total", "visible"})

_MAX_LINES = 100
"""Lines at either end of an unmarked answer that are looked at."""
_MAX_SIDE = 4000
"""Characters at either end of a line that are looked at; a count stands near one of them."""


@dataclass(frozen=True, slots=True)
class Count:
    """What was read as the count."""

    value: int | None
    """The count, None when the text asserts none."""
    text: str = ""
    """The piece of text that was read."""


def read_count(text: object, question: str = "") -> Count:
    """Read the count that a response asserts.

    Args:
        text: raw model output.
        question: what was asked; its noun decides when two kinds of things are counted.

    Returns:
        The count and the text it was read from.

    >>> read_count("There are 7 people in the image, 3 of them seated.").value, read_count("a dozen").value
    (7, 12)
    >>> read_count("6 or 7").value, read_count("twenty-one, no, 22").value, read_count("There are no cats.").value
    (None, 22, 0)
    """
    read = read_short(text)
    line = read.sentence or read.text
    count = asserted_count(line, question)
    if count is not None or read.marker:
        return Count(count, line)
    lines = [one for one in answer_text(text).split("\n") if one and not one.isspace()]
    for other in (*lines[: -_MAX_LINES - 1 : -1], *lines[:_MAX_LINES]):
        if (count := asserted_count(other, question)) is not None:
            return Count(count, other.strip())
    return Count(None, line)


def asserted_count(text: str, question: str = "") -> int | None:
    """The one count that a line asserts, None when it asserts none or several.

    >>> asserted_count("3 + 4 = 7"), asserted_count("one, two, three"), asserted_count("between 5 and 6")
    (7, 3, None)
    """
    if len(text) > 2 * _MAX_SIDE:
        text = f"{text[:_MAX_SIDE]} … {text[-_MAX_SIDE:]}"
    roman = _roman(text)
    if roman is not None:
        return roman
    plain = plain_text(text)
    mentions = [mention for mention in find_mentions(plain) if not mention.denied]
    if not mentions:
        return _without_number(plain)
    mentions = _after_correction(plain, _outside_parentheses(plain, mentions))
    strong = [mention for mention in mentions if not mention.weak]
    asked = _asked_for(plain, mentions, question)
    if not strong or (asked and asked.weak):
        return (asked or mentions[0]).value
    return _decide(plain, strong, asked)


def _decide(plain: str, mentions: list[Mention], asked: Mention | None) -> int | None:
    if len({mention.value for mention in mentions}) == 1:
        return mentions[0].value
    aloud = _counted_aloud(plain, mentions)
    if aloud is not None:
        return aloud
    told = _announced(plain, mentions) or _equation(plain, mentions)
    if told is None and (total := _sum(mentions)) is not None:
        return total
    chosen = told or asked or mentions[0]
    return None if _hedged(plain, mentions, chosen, told=told is not None) else chosen.value


def _roman(text: str) -> int | None:
    bare = fold(text).strip(" .!*()")
    if not 0 < len(bare) <= _MAX_ROMAN or not _ROMAN.fullmatch(bare):
        return None
    values = [_ROMAN_VALUES[sign] for sign in bare]
    return sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))


def _without_number(plain: str) -> int | None:
    """One for "a cat", zero for a bare "no"; anything else counts nothing."""
    bare = plain.strip(" .!*\"'")
    if bare in ("no", "nothing", "not any"):
        return 0
    return 1 if _ARTICLE.match(bare) and not _NEGATIVE.search(bare) else None


def _outside_parentheses(plain: str, mentions: list[Mention]) -> list[Mention]:
    depth, inside, position = 0, set(), 0
    for index, mention in enumerate(mentions):
        gap = plain[position : mention.start]
        depth = max(0, depth + gap.count("(") + gap.count("[") - gap.count(")") - gap.count("]"))
        position = mention.start
        if depth:
            inside.add(index)
    outside = [mention for index, mention in enumerate(mentions) if index not in inside]
    return outside or mentions


def _after_correction(plain: str, mentions: list[Mention]) -> list[Mention]:
    first, last = mentions[0].end, mentions[-1].start
    places = [found.end() for found in _CORRECTION.finditer(plain, max(0, first - 1)) if found.end() <= last]
    places += [found.end() for found in _FIRST_IDEA.finditer(plain) if first < found.end() <= last]
    return [mention for mention in mentions if mention.start >= max(places)] if places else mentions


def _counted_aloud(plain: str, mentions: list[Mention]) -> int | None:
    n = 0
    while n < len(mentions) and mentions[n].value == n + 1:
        n += 1
    if n == 2 and plain[mentions[0].end : mentions[1].start].strip(" ") != ",":
        return None
    return n if n >= 2 else None


def _announced(plain: str, mentions: list[Mention]) -> Mention | None:
    """The number that the text itself calls the total, else the answer, else its conclusion."""
    totals, answers, conclusions = [], [], []
    for index, mention in enumerate(mentions):
        low = max(mentions[index - 1].end if index else 0, mention.start - _WINDOW)
        before = plain[low : mention.start]
        if _TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(plain[mention.end : mention.end + _WINDOW]):
            totals.append(mention)
        elif _ANNOUNCED.search(before):
            answers.append(mention)
        elif index and _CONCLUDED.search(before):
            conclusions.append(mention)
    return next(iter(totals or answers or conclusions[-1:]), None)


def _equation(plain: str, mentions: list[Mention]) -> Mention | None:
    gaps = [plain[one.end : other.start] for one, other in pairwise(mentions)]
    equals = [index for index, gap in enumerate(gaps) if "=" in gap or "equals" in gap or "makes" in gap]
    if not equals:
        return None
    summed_before = any(_PLUS.search(gap) for gap in gaps[: equals[-1]])
    return mentions[equals[-1] + 1] if summed_before else mentions[equals[0]]


def _sum(mentions: Sequence[Mention]) -> int | None:
    values = [mention.value for mention in mentions if mention.value is not None]
    if len(values) < 3 or len(values) != len(mentions):
        return None
    total = sum(values)
    return next((value for value in (values[-1], values[0]) if total == 2 * value and value), None)


def _asked_for(plain: str, mentions: list[Mention], question: str) -> Mention | None:
    """The mention whose noun is the one that the question counts."""
    asked = _ASKED.search(question.lower()[:400])
    nouns = {_stem(word) for word in _WORD.findall(asked[1])} - _NO_NOUN if asked else set()
    if not nouns:
        return None
    ends = [*(mention.start for mention in mentions[1:]), len(plain)]
    found = [len(nouns & _counted_nouns(plain, one, end)) for one, end in zip(mentions, ends, strict=True)]
    return mentions[found.index(max(found))] if any(found) else None


def _counted_nouns(plain: str, mention: Mention, end: int) -> set[str]:
    """Stems of the words beside a number that say what it counts: "cups: 5" or "5 red cups"."""
    label = _NOUN_BEFORE.search(plain[max(0, mention.start - _WINDOW) : mention.start])
    words = _WORD.findall(label[1] if label else plain[mention.end : min(end, mention.end + 40)])
    return {_stem(word) for word in (words if label else words[:3])}


def _stem(word: str) -> str:
    for ending, singular in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and not word.endswith("ss"):
            return word[: -len(ending)] + singular
    return {"people": "person", "men": "man", "women": "woman", "children": "child"}.get(word, word)


def _hedged(plain: str, mentions: list[Mention], chosen: Mention, *, told: bool) -> bool:
    """Whether another number stands beside the chosen one as an equal candidate; a told one bears "5 and 2 vans"."""
    place = mentions.index(chosen)
    for one, other in pairwise(mentions[max(0, place - 1) : place + 2]):
        gap = plain[one.end : other.start]
        if one.value == other.value or len(gap) > _WINDOW or _SHARE_GAP.fullmatch(gap):
            continue
        if _OR.search(gap) or _RANGE_BEFORE.search(plain[max(0, one.start - 10) : one.start]):
            return True
        listed = told and not gap.strip(" ,").removeprefix("and")
        part = _PART_AFTER.match(plain, other.end) and "/" not in gap
        if _HEDGE_GAP.fullmatch(gap) and not listed and not part:
            return True
    return False
