"""OCRBench v2's short answers: containment as whole words, choices, formulas, counts.

References:
    Fu et al., "OCRBench v2" (2024), arXiv:2501.00321.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from snellen.answers.choices import read_choice
from snellen.answers.counts import asserted_count, read_count
from snellen.answers.folding import collapse, fold
from snellen.answers.numbers import read_number
from snellen.answers.options import Options, find_options
from snellen.answers.short import answer_text, boxes, pipe_boxes, read_short
from snellen.scorers.contained import contains_formula, contains_words
from snellen.scorers.edit_distance import similarity_with_cut
from snellen.types import Sample

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LONG_WORDS = 5
_LONG_PIECES = 4
_LONG_HAN = 10
_HEDGE = re.compile(r"\s(?:or|and/or)\s|\s?或者?\s?")
_ANNOUNCED = re.compile(r"\bthere(?:\sare|\sis|'s|\swere|\swas)\s", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Z]")
_LETTER_RUN = re.compile(r"[(\[]?([A-Z]{2,12}|[a-z]{2,12})[)\]]?[.!]?")
"""Several letters without anything between them; a word is no such run, see `choice`."""
_EXPLICIT = frozenset({"pipe box", "box", "label", "tag", "json"})


def vqa(output: Any, references: Sequence[str], *, is_cased: bool = False, is_tight: bool = False) -> float:
    r"""Short references must stand in the answer as whole words, long ones be similar to at least one half.

    Args:
        output: raw model text.
        references: accepted truths; blank ones are none.
        is_cased: case counts.
        is_tight: blanks do not count (Chinese types); a reference is long by its comma pieces or its Han characters.

    >>> vqa("The Golden\nGate", ["Golden Gate"]), vqa("concatenate", ["cat"]), vqa("6 or 7", ["7"])
    (1.0, 0.0, 0.0)
    """
    read = read_short(output)
    answer, whole = (_plain(text, is_cased) for text in (read.text, answer_text(output)))
    texts = [answer] if read.marker in _EXPLICIT else [answer, whole]
    best = 0.0
    for written in references:
        reference = _plain(written, is_cased)
        if not reference:
            continue
        if _is_long(reference, is_tight):
            best = max(best, *(_similarity(text, reference, is_tight) for text in (answer, whole)))
        elif not _is_hedged(answer, reference):
            best = max(best, float(any(contains_words(text, reference, tight=is_tight) for text in texts)))
    return best


def _plain(text: str, is_cased: bool) -> str:
    folded = collapse(fold(text))
    return folded if is_cased else folded.lower()


def _is_long(reference: str, is_tight: bool) -> bool:
    if not is_tight:
        return len(reference.split(maxsplit=_LONG_WORDS)) >= _LONG_WORDS
    return reference.count(",") + 1 >= _LONG_PIECES or len(_HAN.findall(reference)) >= _LONG_HAN


def _similarity(text: str, reference: str, is_tight: bool) -> float:
    if is_tight:
        text, reference = text.replace(" ", ""), reference.replace(" ", "")
    return similarity_with_cut(text, reference)


def _is_hedged(answer: str, reference: str) -> bool:
    """Whether the short answer names the reference beside another candidate ("6 or 7")."""
    if len(answer) > 200 or _HEDGE.search(reference):
        return False
    parts = [part.strip(" .,!\"'*") for part in _HEDGE.split(answer)]
    return len(parts) > 1 and reference in parts and any(part != reference for part in parts)


def choice(sample: Sample, output: Any, references: Sequence[str]) -> float:
    """1 when the asserted letters are those of a reference; several letters only where a reference has just those."""
    wanted = [set(_LETTERS.findall(fold(one).upper())) if len(one.strip()) <= 12 else set() for one in references]
    known = find_options(sample.metadata, sample.question, sample.suffix, listed=sample.choices)
    letters = sorted(set(known.letters).union(*wanted))
    options = known if set(letters) == set(known.letters) else Options(tuple(letters))
    run = _LETTER_RUN.fullmatch(read_short(output).text)
    found = (
        set(run[1].upper())
        if run and set(run[1].upper()) in wanted
        else set(read_choice(output, options, sample.question).letters)
    )
    if found:
        return float(found in wanted)
    texts = [one for one, letters_of in zip(references, wanted, strict=True) if not letters_of]
    return vqa(output, texts) if texts else 0.0


def formula(output: Any, references: Sequence[str]) -> float:
    r"""1 when a reference formula stands in the boxed answer, or in the whole text when nothing is boxed.

    >>> formula(r"\boxed{\frac{a}{b} + c}", [r"\frac{a}{b}+c"]), formula("a", ["A"])
    (1.0, 0.0)
    """
    text = answer_text(output)
    marked = [piece for find in (pipe_boxes, boxes) for piece in reversed(find(text)) if piece.strip()]
    shown = marked[0] if marked else text
    return float(any(contains_formula(shown, fold(one)) for one in references))


def is_formula(reference: str) -> bool:
    """Whether a math answer is written as a formula (a command or an equation)."""
    return "\\" in reference or "=" in reference


def counting(output: Any, references: Sequence[str], method: str, question: str = "") -> float:
    """Equality with the number that the answer asserts; `regression` gives closeness above one half as well.

    >>> counting("In 3 rows there are 10", ["10"], "regression"), counting("nine", ["10"], "regression")
    (1.0, 0.9)
    >>> counting("five", ["5"], "exact match"), counting("-5", ["5"], "exact match"), counting("6 or 7", ["6"], "")
    (1.0, 0.0, 0.0)
    """
    count = _stated_number(output, question)
    expected = [number.value for one in references if (number := read_number(fold(one)))]
    if count is None:
        return 0.0
    return max((_closeness(count, one, method) for one in expected), default=0.0)


def _stated_number(output: Any, question: str) -> Fraction | None:
    """The asserted count, else a number that stands alone; "there are n" goes before other numbers."""
    read = read_short(output)
    line = read.sentence or read.text
    announced = list(_ANNOUNCED.finditer(line))
    count = asserted_count(line[announced[-1].start() :], question) if announced else None
    count = read_count(output, question).value if count is None else count
    if count is not None:
        return Fraction(count)
    number = read_number(read.text)
    return number.value if number else None


def _closeness(count: Fraction, expected: Fraction, method: str) -> float:
    if count == expected:
        return 1.0
    if method != "regression" or expected <= 0 or count <= 0 or count >= 2 * expected:
        return 0.0
    value = 1 - float(abs(count - expected)) / float(expected)
    return value if value > 0.5 else 0.0
