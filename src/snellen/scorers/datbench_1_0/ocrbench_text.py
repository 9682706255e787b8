"""The public library's OCRBench v2 rules for short texts: containment, choice, formula, counting, page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from snellen.scorers.edit_distance import edit_similarity, similarity_with_cut

_TEXT_MACRO = re.compile(r"\\text\{([^{}]*)\}")
_DIGITS = re.compile(r"\d+")
_SHORT_WORDS = 5
_SHORT_PIECES = 4


def vqa(text: Any, references: Any) -> float:
    """Short references must be contained, longer ones similar to at least one half; case is ignored.

    >>> vqa("I saw the Golden Gate.", ["golden gate"]), vqa("a b c d x", ["a b c d e"])
    (1.0, 0.8888888888888888)
    """
    return _best(_plain(text, str.lower), _texts(references, str.lower), _is_short)


def vqa_case_sensitive(text: Any, references: Any) -> float:
    """As `vqa`, but case counts."""
    return _best(_plain(text, str), _texts(references, str), _is_short)


def chinese_vqa(text: Any, references: Any) -> float:
    """As `vqa` without any blanks; a reference of fewer than four comma-separated pieces is short."""
    predicted = _plain(text, str.lower).replace(" ", "")
    return _best(predicted, (one.replace(" ", "") for one in _texts(references, str.lower)), _has_few_pieces)


def _best(predicted: str, references: Iterable[str], is_short: Callable[[str], bool]) -> float:
    best = 0.0
    for reference in references:
        value = float(reference in predicted) if is_short(reference) else similarity_with_cut(predicted, reference)
        best = max(best, value)
    return best


def _is_short(reference: str) -> bool:
    return len(reference.split(maxsplit=_SHORT_WORDS)) < _SHORT_WORDS


def _has_few_pieces(reference: str) -> bool:
    return reference.count(",") + 1 < _SHORT_PIECES


def _plain(value: Any, fold: Callable[[str], str]) -> str:
    text = str(value) if isinstance(value, int | float) else value
    return fold(text).strip().replace("\n", " ")


def _texts(references: Any, fold: Callable[[str], str]) -> list[str]:
    """References as plain text: numbers are spelled, things that are no text are skipped."""
    listed = [references] if isinstance(references, str) else references
    if listed is None:
        raise AttributeError("the references are missing")
    return [_plain(one, fold) for one in listed if isinstance(one, str | int | float)]


def multiple_choice(text: Any, references: Any) -> float:
    """1 when the letters of the text, in order, are exactly the only reference.

    >>> multiple_choice("(B)", ["B"]), multiple_choice("The answer is B", ["B"]), multiple_choice("B", ["B", "C"])
    (1.0, 0.0, 0.0)
    """
    letters = "".join(filter(str.isalpha, text))
    return float(len(references) == 1 and references[0] == letters)


def formula(text: Any, references: Any) -> float:
    r"""1 when a reference, without blanks, stands in the text without blanks.

    >>> formula(r"$\frac{a}{b} + c$", [r"\frac{a}{b}+c"])
    1.0
    """
    predicted = _tight(text)
    return float(any(_tight(one) in predicted for one in _listed(references)))


def chinese_formula(text: Any, references: Any) -> float:
    r"""As `formula`, with `\text{…}` unwrapped in the text, and in the reference when there is just one."""
    if len(references) == 1:
        references = [_TEXT_MACRO.sub(r"\1", references[0])]
    return formula(_TEXT_MACRO.sub(r"\1", text), references)


def _listed(references: Any) -> list[Any]:
    if references is None:
        raise AttributeError("the references are missing")
    return [references] if isinstance(references, str) else list(references)


def _tight(text: str) -> str:
    return text.strip().replace("\n", " ").replace(" ", "")


def counting(text: Any, references: Any, method: str) -> float:
    """Closeness of the first number for `regression`, else containment.

    >>> counting("9 of them", ["10"], "regression"), counting("there are 5", ["5"], "exact match")
    (0.9, 1.0)
    """
    if isinstance(references, str):
        if method not in ("exact match", "regression"):
            return 0.0
        references = [references]
    if references is None:
        raise AttributeError("the references are missing")
    if method == "regression":
        return max((_closeness(text, one) for one in references), default=0.0)
    lowered = text.lower().strip().replace("\n", " ")
    return float(any(one.lower().strip() in lowered for one in references))


def _closeness(text: str, reference: Any) -> float:
    try:
        found = _DIGITS.search(text)
        count, expected = int(found[0]) if found else 0, int(reference)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    if count <= 0 or count >= 2 * expected:
        return 0.0
    value = 1 - abs(count - expected) / expected
    return value if value > 0.5 else 0.0


def full_page(text: str, references: Any) -> float:
    """A quarter of the edit similarity to the first reference: the other three parts are 0 in a plain install.

    >>> full_page("abc", ["abc"])
    0.25
    """
    if not references:
        return 0.0
    reference = references if isinstance(references, str) else references[0]
    return min(1.0, max(0.0, edit_similarity(text.strip(), reference.strip()) / 4))
