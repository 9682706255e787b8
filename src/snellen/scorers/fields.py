"""Key information as fields: how many (key path, value) pairs of a record were read right, as an F1.

References:
    Yang et al., "CC-OCR" (2024), arXiv:2412.02210. Kim et al., "OCR-free Document Understanding Transformer" (2022),
    arXiv:2111.15664.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from snellen.answers.objects import Bare

Path = tuple[str, ...]
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """How the fields of an output compare with those of the reference."""

    n_matched: int
    """Fields that both have."""
    n_missing: int
    """Reference fields that the output lacks or gets wrong."""
    n_extra: int
    """Output fields that the reference lacks."""

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in [0, 1]; 1 when neither side has a field."""
        total = 2 * self.n_matched + self.n_missing + self.n_extra
        return 2 * self.n_matched / total if total else 1.0


def compare_fields(predicted: Any, reference: Any) -> FieldCounts:
    """Count matching fields of two records; list items share a path, order does not matter, repeats count.

    Args:
        predicted: record as `snellen.answers.objects.read_object` gives it.
        reference: the true record.

    Returns:
        The counts. Keys ignore case and outer blanks; values are compared as written, two bare numbers by value.

    >>> compare_fields({"a": ["x", "y"]}, {"A": ["y", "x"], "b": None}).f1
    1.0
    """
    expected, given = _by_path(reference), _by_path(predicted)
    n_matched = sum(_n_matched(given.get(path, []), values) for path, values in expected.items())
    n_expected = sum(map(len, expected.values()))
    n_given = sum(map(len, given.values()))
    return FieldCounts(n_matched, n_expected - n_matched, n_given - n_matched)


def without_wrapper(predicted: Any, reference: Any) -> Any:
    """Remove one key that only wraps the record ("result"), when the reference's keys stand inside.

    >>> without_wrapper({"result": {"total": "1"}}, {"total": "2"})
    {'total': '1'}
    """
    if not (isinstance(predicted, dict) and isinstance(reference, dict) and len(predicted) == 1):
        return predicted
    ((key, inner),) = predicted.items()
    known = {fold_key(one) for one in reference}
    if isinstance(inner, list) and len(inner) == 1:
        inner = inner[0]
    if fold_key(key) in known or not isinstance(inner, dict):
        return predicted
    return inner if known & {fold_key(one) for one in inner} else predicted


def fold_key(key: Any) -> str:
    """A key without case and outer blanks.

    >>> fold_key("  Total Price ")
    'total price'
    """
    return " ".join(unicodedata.normalize("NFKC", str(key)).lower().split())


def fold_value(value: str) -> str:
    r"""A value in NFKC with its blanks collapsed; case is kept.

    >>> fold_value("１００ ．00\n RM")
    '100 .00 RM'
    """
    return " ".join(unicodedata.normalize("NFKC", value).split())


def leaves(record: Any) -> Iterator[tuple[Path, str]]:
    """All (path, value) of a record, empty values left out; list items share their list's path. No recursion."""
    waiting: list[tuple[Path, Any]] = [((), record)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(((*path, fold_key(key)), inner) for key, inner in reversed(value.items()))
        elif isinstance(value, list | tuple):
            waiting.extend((path, inner) for inner in reversed(value))
        elif value is not None:
            text = _as_text(value)
            if text:
                yield path, text


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return Bare(str(value).lower())
    if isinstance(value, str):
        folded = fold_value(value)
        return Bare(folded) if isinstance(value, Bare) else folded
    return Bare(value)


def _by_path(record: Any) -> dict[Path, list[str]]:
    found: dict[Path, list[str]] = defaultdict(list)
    for path, value in leaves(record):
        found[path].append(value)
    return found


def _n_matched(given: list[str], expected: list[str]) -> int:
    """Size of the matching: first same kind and text, then bare numbers by value, then a text that spells a token."""
    given_left, expected_left = Counter(map(_kind, given)), Counter(map(_kind, expected))
    n_total = _take(given_left, expected_left, lambda bare, text: (bare, text))
    n_total += _take(given_left, expected_left, lambda bare, text: number_value(text) if bare else None)
    return n_total + _take(given_left, expected_left, lambda _, text: text)


def _kind(value: str) -> tuple[bool, str]:
    return isinstance(value, Bare), str(value)


def _take(given: Counter[tuple[bool, str]], expected: Counter[tuple[bool, str]], key: Any) -> int:
    """Match what agrees in `key` and remove it from both sides."""
    places: dict[Any, list[tuple[bool, str]]] = defaultdict(list)
    for one in expected:
        places[key(*one)].append(one)
    n_total = 0
    for one in list(given):
        wanted = key(*one)
        for other in places.get(wanted, ()) if wanted is not None else ():
            n_pairs = min(given[one], expected[other])
            n_total += n_pairs
            given[one] -= n_pairs
            expected[other] -= n_pairs
    return n_total


def number_value(text: str) -> float | None:
    """The value of a number as JSON writes it, None for anything else (and for numbers beyond a float).

    >>> number_value("1e3"), number_value("12.50"), number_value("x")
    (1000.0, 12.5, None)
    """
    return float(text) if len(text) <= 300 and _NUMBER.fullmatch(text) else None
