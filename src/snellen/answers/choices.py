"""Which option a response chooses, in any common form.

The last marked answer decides, else a bare answer, else the conclusion of the prose. Nothing here scores: the reader
returns the letters that a response asserts, and the scorer compares them.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.answers.choice_pieces import NO_CHOICE, Choice, choice_in
from snellen.answers.choice_prose import choice_in_prose
from snellen.answers.marked import Marked, answer_text, read_marked
from snellen.answers.marks import find_marks
from snellen.answers.option_texts import same_text
from snellen.answers.options import UNKNOWN, Options
from snellen.answers.restated import restated_truth

MAX_MARKS = 16
MAX_MARK_CHARS = 400
MAX_ECHO_CHARS = 50_000
"""A longer response is not searched for its own prompt."""
MIN_ECHO = 20
"""A question of fewer letters and digits is not looked for in the response."""

_SPEAKER = re.compile(
    r"(?:^|\s)(?:ASSISTANT|Assistant|###\s?(?:Response|Answer|Assistant)|<\|?assistant\|?>)\s?:?\s", re.MULTILINE
)
_SPECIAL_TOKENS = re.compile(
    r"</?s>|<\|(?:im_end|im_start|endoftext|eot_id|end_of_text|begin_of_text|end)\|>|<(?:eos|bos|pad|end_of_turn)>"
)


def read_choice(output: Any, options: Options = UNKNOWN, question: str = "", *, several: bool = False) -> Choice:
    r"""Read the options that a response asserts.

    Args:
        output: raw model text; anything else chooses nothing.
        options: what the row offers; UNKNOWN compares letters alone.
        question: the bare question, to recognise an echoed prompt.
        several: whether the question has several right options, which may stand on lines of their own.

    >>> read_choice("A careful look shows two lines. So the answer is D.").letters
    ('D',)
    >>> read_choice("a plant root", Options(("A", "B"), ("leaf", "root"))).letters
    ('B',)
    >>> read_choice("B or C").letters
    ('B', 'C')
    """
    if not isinstance(output, str):
        return NO_CHOICE
    if len(output) == 1 and output.upper() in options.letters:
        return Choice((output.upper(),), "letter", output)
    body = own_words(answer_text(output)[0], question)
    if not body:
        return NO_CHOICE
    marked = read_marked(body)
    choice = _in_marked(body, marked, options) if marked.marked else choice_in_prose(body, options, several=several)
    return choice if choice.letters or choice.abstained else _restated(marked.answer, options, question)


def _in_marked(body: str, marked: Marked, options: Options) -> Choice:
    for piece in dict.fromkeys((marked.answer, marked.full)):
        choice = choice_in(piece, options, alone=True)
        if choice.letters or choice.abstained:
            return choice
    return _earlier_mark(body, options) or NO_CHOICE


def _restated(answer: str, options: Options, question: str) -> Choice:
    """The option yes or no, when an answer says it by restating the question ("We cannot turn left.")."""
    truth = restated_truth(question, answer) if answer and options.are_known else ""
    places = same_text(truth, options) if truth else ()
    return Choice(tuple(options.letters[place] for place in places), "text" if places else "", answer)


def _earlier_mark(body: str, options: Options) -> Choice | None:
    """The last mark that holds a choice, when the last one of all holds none."""
    for mark in reversed(find_marks(body)[-MAX_MARKS:]):
        choice = choice_in(mark.content[:MAX_MARK_CHARS], options, alone=True)
        if choice.letters:
            return choice
    return None


def own_words(body: str, question: str) -> str:
    """A response without special tokens and without an echoed prompt.

    >>> own_words("Question: which one is it, then? ASSISTANT: A", "")
    'A'
    """
    body = _SPECIAL_TOKENS.sub(" ", body).strip() if "<" in body else body
    speakers = list(_SPEAKER.finditer(body))
    if speakers and body[speakers[-1].end() :].strip():
        body = body[speakers[-1].end() :]
    return _behind_question(body.strip(), question)


def _behind_question(body: str, question: str) -> str:
    """What follows the last time the body repeats the question, blanks and punctuation aside."""
    if not MIN_ECHO <= len(body) <= MAX_ECHO_CHARS or len(question) < MIN_ECHO:
        return body
    asked = "".join(sign for sign in question.casefold() if sign.isalnum())
    if len(asked) < MIN_ECHO or len(body) < len(asked):
        return body
    places = [place for place, sign in enumerate(body) if sign.isalnum()]
    start = "".join(body[place] for place in places).casefold().rfind(asked)
    if start < 0 or start + len(asked) > len(places):
        return body
    return body[places[start + len(asked) - 1] + 1 :].lstrip(" .:;,?!)]}\"'\n-")
