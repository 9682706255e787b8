"""Which option a response chooses, in any common form: the last marked answer, else a bare answer, else the conclusion.

Nothing here scores: the reader returns the letters that a response asserts, and the scorer compares them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from snellen.answers.dressing import undress
from snellen.answers.letters import asserted_letters, leading_letter, letter_run, letters_alone, lone_letter
from snellen.answers.marked import answer_text, read_marked
from snellen.answers.marks import find_marks
from snellen.answers.option_texts import compact, named_by_text, words
from snellen.answers.options import UNKNOWN, Options
from snellen.answers.remarks import abstention, after_correction, is_remark, sentences

MAX_SENTENCES = 40
"""Sentences at the end of a text that are looked at for its conclusion."""
MAX_MARKS = 16

_SPEAKER = re.compile(r"(?:^|\s)(?:ASSISTANT|Assistant|###\s?(?:Response|Answer|Assistant)|<\|?assistant\|?>)\s?:?\s", re.MULTILINE)
_VERDICT = re.compile(
    r"^[\s*_>#-]{0,8}(?:\d{1,2}\.\s)?[*_]{0,3}(?:option\s|choice\s|statement\s)?[*_(\[]{0,4}(?P<letter>[A-Za-z])[*_)\]]{0,4}\s?[.):,=–—-]{0,3}[*_]{0,3}\s(?P<text>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_POSITIVE = re.compile(r"(?:^|[\s(:*-])(?:yes|right|correct|true|valid|✓|✔|✅)[\s.!*)]*$|^(?:yes|right|correct|true|✓|✔|✅)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?:^|[\s(:*-])(?:no|wrong|incorrect|false|invalid|✗|✘|❌|×)[\s.!*)]*$|^(?:no|wrong|incorrect|false|not|✗|✘|❌)\b", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|conclusion|conclude|answer|correct|best|choose|select|pick|final(?:ly)?|must be|overall|option|choice|right)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a response chooses."""

    letters: tuple[str, ...] = ()
    """Asserted letters, distinct; several are a set or a hedge; empty for none."""
    how: str = ""
    """"letter", "text", "verdict" (a yes among noes); "" for none."""
    piece: str = ""
    """The piece of text that decided."""
    abstained: bool = False
    """The response declines to answer."""


NO_CHOICE = Choice()


def read_choice(output: Any, options: Options = UNKNOWN, question: str = "") -> Choice:
    r"""Read the options that a response asserts.

    Args:
        output: raw model text; anything else chooses nothing.
        options: what the row offers; UNKNOWN compares letters alone.
        question: the bare question, to recognise an echoed prompt.

    >>> read_choice("A careful look shows two lines. So the answer is D.").letters
    ('D',)
    >>> read_choice("a plant root", Options(("A", "B"), ("leaf", "root"))).letters
    ('B',)
    >>> read_choice("B or C").letters
    ('B', 'C')
    """
    if not isinstance(output, str):
        return NO_CHOICE
    body = own_words(answer_text(output)[0], question)
    if not body:
        return NO_CHOICE
    marked = read_marked(body)
    if marked.marked:
        for piece in dict.fromkeys((marked.answer, marked.full)):
            choice = choice_in(piece, options, alone=True)
            if choice.letters or choice.abstained:
                return choice
        return _earlier_marks(body, options) or _in_prose(body, options)
    return _in_prose(body, options)


def own_words(body: str, question: str) -> str:
    """A response without an echoed prompt: what stands behind the last speaker tag, or behind the repeated question."""
    speakers = list(_SPEAKER.finditer(body))
    if speakers and body[speakers[-1].end() :].strip():
        body = body[speakers[-1].end() :]
    return _behind_question(body.strip(), question)


def _behind_question(body: str, question: str) -> str:
    asked = "".join(word for word in words(question).split())
    if len(asked) < 20 or len(body) < len(question):
        return body
    matched = _matching_prefix(body, asked)
    return body[matched:].lstrip(" .:;,\n-") if matched else body


def _matching_prefix(body: str, asked: str) -> int:
    """Length of the prefix of the body that repeats the question, blanks and punctuation aside; 0 without one."""
    wanted = [sign for sign in asked if sign.isalnum()]
    start = body.casefold().find("".join(asked[:1]))
    at = 0
    for position in range(max(0, start), len(body)):
        sign = body[position].casefold()
        if not sign.isalnum():
            continue
        if sign != wanted[at]:
            return 0
        at += 1
        if at == len(wanted):
            return position + 1
    return 0


def choice_in(piece: str, options: Options, *, alone: bool) -> Choice:
    """Read one piece of text: a marked answer, a line (`alone`) or a sentence of prose."""
    piece = piece.strip()
    lone = lone_letter(piece, options.letters)
    if lone:
        return Choice((lone,), "letter", piece)
    if alone:
        leading = leading_letter(_first_line(piece), options.letters)
        if leading:
            return Choice((leading[0],), "letter", piece)
        run = letter_run(piece, options.letters)
        if run:
            return Choice(run, "letter", piece)
    kept = after_correction(piece)
    letters = letters_alone(kept, options.letters) or asserted_letters(_masked(kept, options), options.letters)
    if letters:
        return Choice(letters, "letter", piece)
    return _by_text(kept, piece, options, alone=alone)


def _first_line(piece: str) -> str:
    return piece.split("\n", 1)[0]


def _masked(piece: str, options: Options) -> str:
    """The piece without option texts that hold capital letters of their own ("sample A", "Vitamin C")."""
    for text in options.texts:
        if len(text) > 1 and re.search(r"(?<!\w)[A-Z](?!\w)", text) and text.casefold() in piece.casefold():
            piece = re.sub(re.escape(text), " … ", piece, flags=re.IGNORECASE)
    return piece


def _by_text(kept: str, piece: str, options: Options, *, alone: bool) -> Choice:
    declined = abstention(kept) != ""
    places = named_by_text(kept, options, alone=alone)
    if declined and not any(compact(options.texts[place]) in compact(kept) for place in places if _declines(options, place)):
        return Choice((), "", piece, abstained=True)
    return Choice(tuple(options.letters[place] for place in places), "text" if places else "", piece)


def _declines(options: Options, place: int) -> bool:
    return abstention(options.texts[place]) != ""


def _earlier_marks(body: str, options: Options) -> Choice | None:
    """The last mark that holds a choice, when the last one of all holds none."""
    for mark in reversed(find_marks(body)[-MAX_MARKS:]):
        choice = choice_in(mark.content[:400], options, alone=True)
        if choice.letters:
            return choice
    return None


def _in_prose(body: str, options: Options) -> Choice:
    verdict = _one_verdict(body, options)
    if verdict:
        return verdict
    lines = [line.strip() for line in body.split("\n") if line.strip(" \t*_#-=`~")]
    return _bare(lines, options) or _concluding(lines, options)


def _one_verdict(body: str, options: Options) -> Choice | None:
    """`A. no`, `B. yes`: the one option called right among options called wrong."""
    right: dict[str, str] = {}
    wrong: set[str] = set()
    for found in _VERDICT.finditer(body):
        letter, text = found["letter"].upper(), found["text"].strip(" *_")
        if letter in options.letters and _NEGATIVE.search(text):
            wrong.add(letter)
        elif letter in options.letters and _POSITIVE.search(text):
            right[letter] = found[0]
    if len(right) == 1 and wrong - right.keys():
        letter = next(iter(right))
        return Choice((letter,), "verdict", right[letter])
    return None


def _bare(lines: list[str], options: Options) -> Choice | None:
    """The last line that is a choice by itself; lists of all options are none."""
    found = [(line, _pure(line, options)) for line in lines]
    chosen = [(line, letter) for line, letter in found if letter]
    if not chosen:
        return None
    if _is_enumeration([letter for _, letter in chosen], options):
        return None
    line, letter = chosen[-1]
    if len(chosen) == 1 and len(lines) > 1 and line is not lines[0] and not lone_letter(line, options.letters):
        return None if line is not lines[-1] else Choice((letter,), "letter", line)
    return Choice((letter,), "letter", line)


def _pure(line: str, options: Options) -> str | None:
    lone = lone_letter(line, options.letters)
    if lone:
        return lone
    leading = leading_letter(undress(line) if len(line) < 400 else line, options.letters)
    return leading[0] if leading else None


def _is_enumeration(letters: list[str], options: Options) -> bool:
    distinct = list(dict.fromkeys(letters))
    return len(distinct) >= 3 or (len(distinct) == 2 and len(options.letters) == 2 and distinct == sorted(distinct))


def _concluding(lines: list[str], options: Options) -> Choice:
    """The last sentence that asserts a choice; a list of all options asserts none."""
    declined = False
    for sentence in _sentences_backwards(lines):
        choice = choice_in(sentence, options, alone=len(lines) == 1)
        declined = declined or choice.abstained
        if choice.letters and not _lists_all(choice.letters, options):
            return choice
    return Choice(abstained=declined)


def _lists_all(letters: tuple[str, ...], options: Options) -> bool:
    return len(letters) >= 3 and len(letters) >= len(options.texts)


def _sentences_backwards(lines: list[str]) -> Iterator[str]:
    n_seen = 0
    kept = [line for line in lines if not is_remark(line)] or lines
    for line in reversed(kept):
        for sentence in reversed(sentences(line[-4000:])):
            yield sentence
            n_seen += 1
            if n_seen >= MAX_SENTENCES:
                return
