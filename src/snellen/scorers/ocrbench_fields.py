"""OCRBench v2's key information: field F1 with alternatives, whatever form the record is written in.

References:
    Fu et al., "OCRBench v2" (2024), arXiv:2501.00321.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from snellen.answers.folding import fold
from snellen.answers.objects import Bare, read_lines, read_object
from snellen.scorers.fields import FieldCounts, Path, fold_key, number_value, without_wrapper


def read_record(text: str) -> Any:
    """A record out of a response: an object, else `key: value` lines; {} when there is neither.

    >>> read_record("name: Joe"), read_record("nothing")
    ({'name': 'Joe'}, {})
    """
    found = read_object(text)
    return read_lines(fold(text)) if found is None else found


def compare_records(predicted: Any, reference: Any) -> FieldCounts:
    """Count matching fields; a listed reference value names alternatives, nested records are compared leaf by leaf.

    >>> compare_records({"A": "x  y", "b": 0}, {"a": ["z", "XY"], "b": "0", "c": None}).f1
    1.0
    """
    given = _grouped(without_wrapper(predicted, reference))
    expected = _grouped(reference)
    n_matched = n_missing = n_extra = 0
    for path in given.keys() | expected.keys():
        matched, missing, extra = _compare(given.get(path, []), expected.get(path, []))
        n_matched, n_missing, n_extra = n_matched + matched, n_missing + missing, n_extra + extra
    return FieldCounts(n_matched, n_missing, n_extra)


def _grouped(record: Any) -> dict[Path, list[list[str]]]:
    """Path → its values, each as the list of its alternatives; empty values are left out. No recursion."""
    found: dict[Path, list[list[str]]] = defaultdict(list)
    waiting: list[tuple[Path, Any]] = [((), record)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(((*path, fold_key(key)), inner) for key, inner in value.items())
        elif isinstance(value, list | tuple) and any(isinstance(one, dict | list | tuple) for one in value):
            waiting.extend((path, inner) for inner in value)
        else:
            texts = [tight_value(one) for one in (value if isinstance(value, list | tuple) else [value])]
            if any(texts):
                found[path].append([text for text in texts if text])
    return found


def _compare(given: list[list[str]], expected: list[list[str]]) -> tuple[int, int, int]:
    """(matched, missing, extra) among the values of one path."""
    left = list(given)
    n_matched = 0
    for alternatives in expected:
        place = next((at for at, value in enumerate(left) if _agrees(value, alternatives)), None)
        if place is not None:
            n_matched += 1
            left.pop(place)
    return n_matched, len(expected) - n_matched, len(left)


def _agrees(value: list[str], alternatives: list[str]) -> bool:
    return all(any(_is_same(one, other) for other in alternatives) for one in value)


def _is_same(first: str, second: str) -> bool:
    if first == second:
        return True
    if not (isinstance(first, Bare) and isinstance(second, Bare)):
        return False
    value = number_value(first)
    return value is not None and value == number_value(second)


def tight_value(value: Any) -> str:
    """A value as it is compared: folded, lower case, without blanks; "" for null.

    >>> tight_value(" Joe's  Cafe"), tight_value(None), tight_value(True)
    ("joe'scafe", '', 'true')
    """
    if value is None:
        return ""
    text = "".join(fold(str(value)).lower().split())
    is_token = isinstance(value, Bare) or not isinstance(value, str)
    return Bare(text) if is_token else text
