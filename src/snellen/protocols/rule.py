r"""The rule judge: grades an answer without a model, and says by which rule.

The order of the PerceptionBench tutorial pipeline: empty; equal after normalising; equal numbers; yes or no; a short
reference contained in the answer; else a mismatch. Mended against it: a denied or hedged mention is no match ("not
blue", "yes and no", "3 or 4", "7-10"), and a letter answer "A" is no article.

The reasons are "empty", "exact", "numeric", "numeric~tol", "numeric-mismatch", "bool", "contains" and
"mismatch".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from snellen.answers.choices import read_choice
from snellen.answers.denials import is_denied
from snellen.answers.folding import fold
from snellen.answers.options import UNKNOWN, Options, options_of
from snellen.protocols import Reading
from snellen.protocols.rule_reading import ARTICLES, MAX_CHARS, final_answer, normal, number_in, words_of
from snellen.types import Sample

VERSION = "1"
MAX_CONTAINED_WORDS = 4
"""Longer references are not looked for inside an answer."""
_HEDGE = re.compile(r"\b(?:or|either|maybe|perhaps|possibly|between)\b|\d\s?/\s?\d|\?")
_YES, _NO = frozenset({"yes", "true"}), frozenset({"no", "false"})
_ONE_LETTER = re.compile(r"\A\W{0,4}(?:(?:option|choice|answer)\s)?\(?([A-Za-z])\)?\W{0,4}\Z", re.IGNORECASE)
_LETTER_FIRST = re.compile(r"\W{0,4}[A-Za-z][).:]+\s")
_DENIALS = frozenset(
    (
        "not",
        "no",
        "never",
        "isn't",
        "aren't",
        "wasn't",
        "don't",
        "doesn't",
        "neither",
        "nor",
        "without",
        "cannot",
        "can't",
    )
)


@dataclass(frozen=True, slots=True)
class Grade:
    """What the rule says of one answer."""

    is_correct: bool
    """Whether it agrees with a reference."""
    reason: str
    """By which rule."""
    answer: str
    """What was read out of the text."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A response and the short answer that was read out of it."""

    text: str
    answer: str


def grade(text: str, references: tuple[str, ...], *, tolerance: float = 0.0, choices: tuple[str, ...] = ()) -> Grade:
    r"""Grade a response against references; total, linear in the response.

    Args:
        text: the raw response.
        references: accepted truths; the best rule among them counts.
        tolerance: relative tolerance of numbers, such as 0.05.
        choices: option texts in order; a letter then stands for its option.

    >>> grade("There are 15,400 people.", ("15400",)).reason, grade(r"\boxed{8}", ("8",)).reason
    ('numeric', 'exact')
    >>> grade("It is not blue.", ("blue",)).is_correct, grade("3 or 4", ("3",)).is_correct
    (False, False)
    >>> grade("the", ("A",)).is_correct, grade("7-10", ("7",)).is_correct, grade("yes and no", ("yes",)).is_correct
    (False, False, False)
    >>> grade("104", ("100",), tolerance=0.05).reason
    'numeric~tol'
    """
    answer = final_answer(text)
    if not answer:
        return Grade(False, "empty", "")
    said = _Said(text[-MAX_CHARS:], answer)
    grades = [_against(said, reference, tolerance, choices) for reference in references]
    best = next((one for one in grades if one.is_correct), None)
    return best or (grades[0] if grades else Grade(False, "mismatch", answer))


def certain(sample: Sample, text: str) -> Reading | None:
    """What the rule settles without a judge: an empty answer is wrong, an exactly equal one right; else None.

    >>> certain(Sample("1", (), "How many?", references=("3",)), "Answer: three").reason
    'rule: exact'
    >>> certain(Sample("1", (), "How many?", references=("3",)), "about 3, I think") is None
    True
    """
    found = grade(text, sample.references, choices=sample.choices)
    if found.reason == "empty":
        return Reading(False, "rule: empty")
    if found.reason == "exact" or (found.reason == "numeric" and _plain_number(found.answer)):
        return Reading(True, f"rule: {found.reason}", found.answer)
    return None


def reading(sample: Sample, text: str, tolerance: float = 0.0) -> Reading:
    """The rule as a judge of its own (`--judge rule`, `--judge rule:0.05`)."""
    found = grade(text, sample.references, tolerance=tolerance, choices=sample.choices)
    return Reading(found.is_correct, found.reason, found.answer)


def same_value(answer: str, reference: str, choices: tuple[str, ...] = ()) -> bool:
    """Whether two short answers are one value: equal text, equal number, or an option and its letter.

    >>> same_value("(b) dog", "B", ("cat", "dog")), same_value("7.0", "7"), same_value("blue car", "blue")
    (True, True, False)
    """
    found = _against(_Said(answer, answer), reference, 0.0, choices)
    return found.is_correct and found.reason in ("exact", "numeric")


def _against(said: _Said, reference: str, tolerance: float, choices: tuple[str, ...]) -> Grade:
    answer, truth = said.answer, normal(reference)
    plain = normal(answer)
    if (plain and plain == truth) or answer.strip() == reference.strip():
        return Grade(True, "exact", answer)
    option = _by_option(said, reference, choices)
    if option is not None:
        return option
    wanted = number_in(reference)
    if wanted is not None:
        return _by_number(answer, wanted, tolerance)
    if truth in _YES | _NO:
        return _by_bool(answer, truth)
    return _by_containing(answer, reference)


def _by_option(said: _Said, reference: str, choices: tuple[str, ...]) -> Grade | None:
    """By letter, where the reference is one or stands among choices; None where the response asserts no option.

    A lone letter as reference matches nothing but that letter: neither "the" nor "a cat".
    """
    options = options_of(choices) if choices else UNKNOWN
    truth = _letter(reference, options)
    if truth is None:
        return None
    bare = _letter(said.answer, options)
    if bare is not None:
        return Grade(bare == truth, "exact" if bare == truth else "mismatch", said.answer)
    chosen = read_choice(said.text, options).letters
    if chosen:
        is_right = chosen == (truth,)
        how = "exact" if _LETTER_FIRST.match(said.answer) else "contains"
        return Grade(is_right, how if is_right else "mismatch", ", ".join(chosen))
    return Grade(False, "mismatch", said.answer) if _ONE_LETTER.match(reference) else None


def _letter(text: str, options: Options) -> str | None:
    """The letter that a short text is, or whose option it repeats."""
    match = _ONE_LETTER.match(text)
    if match and match[1].upper() in options.letters:
        return match[1].upper()
    said = normal(text)
    texts = [normal(option) for option in options.texts]
    return options.letters[texts.index(said)] if said and texts.count(said) == 1 else None


def _plain_number(text: str) -> bool:
    return len(words_of(text)) <= 2


def _by_number(answer: str, wanted: Fraction, tolerance: float) -> Grade:
    said = number_in(answer)
    if said is None or _is_denied_value(answer) or _HEDGE.search(fold(answer).lower()):
        return Grade(False, "numeric-mismatch", answer)
    if said == wanted:
        return Grade(True, "numeric", answer)
    if tolerance and abs(said - wanted) <= Fraction(tolerance) * abs(wanted):
        return Grade(True, "numeric~tol", answer)
    return Grade(False, "numeric-mismatch", answer)


def _is_denied_value(answer: str) -> bool:
    return bool(_DENIALS & set(words_of(answer)))


def _by_bool(answer: str, truth: str) -> Grade:
    """Yes or no: the answer must say one of them and not the other."""
    words = set(words_of(answer))
    says_yes, says_no = bool(words & _YES), bool(words & _NO)
    if says_yes == says_no or "not" in words:
        return Grade(False, "mismatch", answer)
    is_right = says_yes == (truth in _YES)
    return Grade(is_right, "bool" if is_right else "mismatch", answer)


def _by_containing(answer: str, reference: str) -> Grade:
    """A short reference inside the answer, on word borders, neither denied nor one of several."""
    wanted = [word for word in words_of(reference) if word not in ARTICLES]
    said = words_of(answer)
    if not wanted or len(wanted) > MAX_CONTAINED_WORDS or _HEDGE.search(fold(answer).lower()):
        return Grade(False, "mismatch", answer)
    kept = [word for word in said if word not in ARTICLES]
    places = [i for i in range(len(kept) - len(wanted) + 1) if kept[i : i + len(wanted)] == wanted]
    if not places or _is_denied_mention(answer, kept, places[-1]):
        return Grade(False, "mismatch", answer)
    return Grade(True, "contains", answer)


def _is_denied_mention(answer: str, kept: list[str], at: int) -> bool:
    if _DENIALS & set(kept[max(0, at - 4) : at]):
        return True
    lowered, word = answer.lower(), kept[at]
    start = lowered.rfind(word)
    return start >= 0 and is_denied(answer, start, start + len(word))
