r"""The one way to read an answer out of free text: the last marked one, else the bare one, else the result sentence.

Thinking is removed, characters are folded, dressing, remarks, first ideas and denials are dropped; what is left is an
answer and the signs that make it none (a hedge, an abstention).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snellen.answers.dressing import undress
from snellen.answers.marks import Mark, find_marks
from snellen.answers.remarks import after_correction, is_abstaining, is_placeholder, is_remark, trim_remarks
from snellen.answers.signs import plain_signs
from snellen.answers.thinking import split_thinking

MAX_ANSWER_CHARS = 2_000
"""A single answer is cut to so many characters before its wording is looked at; longer ones are essays."""
MAX_KNOWN_CHARS = 200
"""Answers up to this length are remembered once read."""
MAX_CHARS = 200_000
"""Characters at the end of a text that are read; an answer stands at the end, and work must stay bounded."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What was read out of one response."""

    answer: str
    """The answer without dressing and remarks; "" when there is none."""
    marked: bool
    """Whether a marker (box, answer line, element, JSON) points to it."""
    kind: str
    """"box", "element", "json", "line"; "bare" for a line of its own, "sentence" for prose, "" for nothing."""
    full: str
    """The same with its remarks: the whole marked content or line, corrected, without denials."""
    body: str
    """The whole answer text, folded, thinking removed."""
    hedged: bool = False
    """Two marked answers stand side by side (`\\boxed{1} or \\boxed{2}`); `answer` holds both."""
    abstained: bool = False
    """The text says that it cannot answer ("I don't know", "N/A")."""
    lines: tuple[str, ...] = ()
    """All non-blank lines without dressing, when nothing is marked."""
    is_cut: bool = False
    """The text was longer than MAX_CHARS and only its end was read."""


NOTHING = Marked("", marked=False, kind="", full="", body="")


def read_marked(output: Any) -> Marked:
    r"""Read the answer out of a raw response.

    Args:
        output: the model's text; anything else is no answer.

    >>> read_marked(r"First \boxed{B}. No: \boxed{\text{C}}").answer
    'C'
    >>> read_marked("**Answer:** 12 cm\nI hope this helps!").answer
    '12 cm'
    >>> read_marked("100\n\nI hope this helps!").kind
    'bare'
    """
    if not isinstance(output, str):
        return NOTHING
    return _read_known(output) if len(output) <= MAX_KNOWN_CHARS else _read(output)


@lru_cache(maxsize=4096)
def _read_known(output: str) -> Marked:
    """Short answers come again and again ("B", "Answer: 3"), and under both rule sets: read once."""
    return _read(output)


def _read(output: str) -> Marked:
    body, is_cut = answer_text(output)
    if not body:
        return NOTHING
    marks = find_marks(body)
    return _from_marks(body, marks, is_cut) or _from_prose(_around(body, marks), body, is_cut)


def _around(body: str, marks: list[Mark]) -> str:
    """The text without its empty marks: what stands before them, else what stands behind."""
    if not marks:
        return body
    before = body[: marks[0].start].strip()
    return before if before.strip("{[<`$\\ \n") else body[marks[-1].end :]


def answer_text(output: str) -> tuple[str, bool]:
    """The text that is read: thinking removed, folded, its last MAX_CHARS characters; and whether it was cut."""
    answer, _ = split_thinking(output) if "<" in output else (output, "")
    is_cut = len(answer) > MAX_CHARS
    return plain_signs(answer[-MAX_CHARS:] if is_cut else answer).strip()[-MAX_CHARS:], is_cut


def _from_marks(body: str, marks: list[Mark], is_cut: bool) -> Marked | None:
    for at in range(len(marks) - 1, max(-1, len(marks) - 33), -1):
        found = _content(body, marks, at)
        if found is None:
            continue
        full, answer = found
        hedged = False
        partner = _partner(body, marks, at)
        if partner:
            full = answer = f"{partner}{answer}"
            hedged = True
        return Marked(
            answer, marked=True, kind=marks[at].kind, full=full, body=body, hedged=hedged,
            abstained=is_abstaining(answer), is_cut=is_cut,
        )  # fmt: skip
    return None


def _content(body: str, marks: list[Mark], at: int) -> tuple[str, str] | None:
    """(full, answer) of one mark; None when it holds nothing, a placeholder or only a denial."""
    mark = marks[at]
    content = mark.content
    for _ in range(4):  # a marker inside a container's content
        inner = find_marks(content) if mark.kind != "line" else []
        inner = [one for one in inner if undress(one.content)]
        if not inner:
            break
        content = inner[-1].content
    if mark.kind == "box":
        content += _percent_behind(body, mark.end)
    full = _corrected(undress(content[:MAX_ANSWER_CHARS], keep_factorial=True))
    answer = undress(_conclusion(full), keep_factorial=True)
    if not answer or is_placeholder(content) or is_placeholder(answer):
        return None
    return full, answer


def _corrected(text: str) -> str:
    """An answer's text without first ideas and denials."""
    return undress(after_correction(text), keep_factorial=True)


def _conclusion(full: str) -> str:
    """What is left of a corrected text without remarks."""
    return after_correction(trim_remarks(full))


_PERCENT_BEHIND = re.compile(r"\s?\$?\s?(?:<\|end_of_box\|>)?\s?(\\?%|percent\b)")


def _percent_behind(body: str, end: int) -> str:
    found = _PERCENT_BEHIND.match(body, end)
    return "%" if found else ""


_BESIDE = re.compile(
    r"(?:<\|end_of_box\|>|</[^<>\n]{1,20}>)?[\s$*.)]{0,6}(or|and/or|and|,|;|/)[\s$*(]{0,6}", re.IGNORECASE
)


def _partner(body: str, marks: list[Mark], at: int) -> str:
    """The mark directly before, with its joining word, when only "or", "and" or a comma stands between."""
    if at == 0 or marks[at - 1].kind == "line" or marks[at].kind == "line":
        return ""
    between = _BESIDE.fullmatch(body, marks[at - 1].end, marks[at].start)
    if between is None:
        return ""
    first = undress(marks[at - 1].content, keep_factorial=True)
    return f"{first} {between[1].lower()} ".replace(" , ", ", ").replace(" ; ", "; ") if first else ""


def _from_prose(text: str, body: str, is_cut: bool) -> Marked:
    raw = [line.strip() for line in text.split("\n") if line.strip(" \t`*_#=~-{}[]")]
    kept = [line for line in raw if not is_remark(line)] or raw
    if not kept:
        return Marked("", marked=False, kind="", full="", body=body, abstained=True, is_cut=is_cut)
    lines = tuple(undress(line[-MAX_ANSWER_CHARS:], keep_factorial=True) for line in kept[-400:])
    kind, stated = _bare_or_sentence(kept, lines)
    full = _corrected(stated)
    answer = undress(_conclusion(full), keep_factorial=True)
    if is_placeholder(answer):
        answer = ""
    return Marked(
        answer, marked=False, kind=kind if answer else "", full=full, body=body,
        abstained=is_abstaining(full), lines=lines, is_cut=is_cut,
    )  # fmt: skip


_BARE_WORDS = 4
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|can|could|will|would|should|must|because|since|so|therefore"
    r"|thus|hence"
    r"|let|we|I|it|this|that|which|there|if|equals?|shows?|means?|gives?|get)\b|=",
)


def _bare_or_sentence(kept: list[str], lines: tuple[str, ...]) -> tuple[str, str]:
    """The last line that is an answer by itself; else the last line, or the last one that states a result."""
    bare = [line for line in lines if line and _is_bare(line)]
    if bare:
        return "bare", bare[-1]
    stating = [line for line, raw in zip(lines, kept[-400:], strict=True) if line and _STATES.search(raw)]
    if stating:
        return "sentence", stating[-1]
    return "sentence", next((line for line in reversed(lines) if line), "")


def _is_bare(line: str) -> bool:
    return len(line.split(None, _BARE_WORDS + 1)) <= _BARE_WORDS and not _VERB.search(line)


_STATES = re.compile(r"\b(?:is|are|was|were|equals|be)\b|=|:|\btherefore\b|\bso\b|\bhence\b|\bthus\b", re.IGNORECASE)
