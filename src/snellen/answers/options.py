"""Answer options: their letters and texts, found in metadata, in a question's lettered lines or in a lettered run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from snellen.answers.folding import fold

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNKNOWN_LETTERS = "ABCDEFGHIJ"
"""Letters that count when the options are not known."""
MAX_LIST_CHARS = 100_000
MAX_QUESTION_CHARS = 50_000
"""Beyond this, an options text is not read."""

_OWN_MARK = re.compile(r"\s*(?:\(\s?([A-Za-z])\s?\)|([A-Z])\s?[.):]|([a-z])\))\s+(?=\S)")
_STYLES = (
    ("(?<!\\w)\\(\\s?{}\\s?\\)", re.IGNORECASE),
    ("(?:^|(?<=[\\s,;:?.]))\\[?{}[\\])]", 0),
    ("(?:^|(?<=[\\s,;:?.])){}\\s?\\.(?=\\s|[^\\s.\\w])", 0),
    ("(?:^|(?<=[\\s,;:?.])){}\\s?:(?=\\s)", 0),
    ("^\\s*{}\\s?[.):]\\s", re.IGNORECASE | re.MULTILINE),
    ("^\\s*{}\\s?[.):](?=\\S)", re.MULTILINE),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one question, in order."""

    letters: tuple[str, ...]
    """Capital letters."""
    texts: tuple[str, ...] = ()
    """Their texts without their own marks, folded; empty when only letters are known."""

    @property
    def are_known(self) -> bool:
        """Whether the row says what the options are."""
        return bool(self.texts)


UNKNOWN = Options(tuple(UNKNOWN_LETTERS))


def options_of(values: Iterable[Any]) -> Options:
    """Options from a list; an option's own mark, "(A) ", is no part of its text.

    >>> options_of(["(A) red", "(B) blue"])
    Options(letters=('A', 'B'), texts=('red', 'blue'))
    """
    texts = [fold(str(value)).strip() for value in values][: len(LETTERS)]
    marks = [_OWN_MARK.match(text) for text in texts]
    if texts and all(mark and _letter_of(mark) == LETTERS[place] for place, mark in enumerate(marks)):
        texts = [text[mark.end() :] for text, mark in zip(texts, marks, strict=True) if mark]
    return Options(tuple(LETTERS[: len(texts)]), tuple(texts))


def _letter_of(mark: re.Match[str]) -> str:
    return next(letter for letter in mark.groups() if letter).upper()


def find_options(metadata: Mapping[str, Any], *texts: str, listed: Iterable[str] = ()) -> Options:
    r"""The options that a row states: in its metadata, else in the first text with lettered lines or a lettered run.

    Args:
        metadata: may hold options or choices (a list, or a list written as text), options_struct, index2ans.
        texts: question, then suffix.
        listed: option texts already known.

    Returns:
        UNKNOWN when the row states none.

    >>> find_options({}, "Which?", "A. left\nB. right").texts
    ('left', 'right')
    """
    for values in (_listed(metadata.get("options")), list(listed), *_other_lists(metadata)):
        if values:
            return options_of(values)
    for text in texts:
        found = lettered(text)
        if found.are_known:
            return found
    return UNKNOWN


def _other_lists(metadata: Mapping[str, Any]) -> Iterable[list[Any]]:
    yield _listed(metadata.get("choices"))
    yield _listed(metadata.get("answer_choices"))
    structs = metadata.get("options_struct")
    if isinstance(structs, list):
        yield [one.get("text", "") for one in structs if isinstance(one, Mapping)]
    texts = metadata.get("index2ans")
    if isinstance(texts, Mapping):
        yield [texts[letter] for letter in sorted(texts, key=str)]


def _listed(value: Any) -> list[Any]:
    if isinstance(value, str) and value.lstrip().startswith("[") and len(value) <= MAX_LIST_CHARS:
        try:
            value = ast.literal_eval(value.strip())
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return []
    return [one for one in value if one is not None] if isinstance(value, list | tuple) else []


def lettered(text: str) -> Options:
    """Options that stand in a text as lettered lines or as a lettered run; UNKNOWN when there are none.

    >>> lettered("Select. (A) True (B)False").texts
    ('True', 'False')
    >>> lettered("Which turn? A. gear 1 B. gear 2").texts
    ('gear 1', 'gear 2')
    """
    text = fold(text[-MAX_QUESTION_CHARS:])
    best: list[str] = []
    for style, flags in _STYLES:
        found = _run(text, style, flags)
        if len(found) > len(best):
            best = found
    return Options(tuple(LETTERS[: len(best)]), tuple(best)) if best else UNKNOWN


def _run(text: str, style: str, flags: int) -> list[str]:
    """Texts behind A, B, C, … in one style, each to the next mark; the last to its line's end."""
    marks: list[re.Match[str]] = []
    position = 0
    for letter in LETTERS:
        mark = re.compile(style.format(letter), flags).search(text, position)
        if mark is None:
            break
        marks.append(mark)
        position = mark.end()
    if len(marks) < 2:
        return []
    starts = [mark.end() for mark in marks]
    ends = [*(mark.start() for mark in marks[1:]), _line_end(text, starts[-1])]
    return [text[start:end].strip(" \t\n,;") for start, end in zip(starts, ends, strict=True)]


def _line_end(text: str, start: int) -> int:
    """End of the last option: its line, or the next one when the option stands alone below its mark."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end
