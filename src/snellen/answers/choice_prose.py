"""Which options prose without a marked answer chooses: by verdicts, bare or announced lines, concluding sentences."""

from __future__ import annotations

import re

from snellen.answers.choice_pieces import Choice, before_comparison, choice_in, concludes, leading_letters
from snellen.answers.dressing import undress
from snellen.answers.letters import letters_alone, lone_letter
from snellen.answers.option_texts import same_text
from snellen.answers.options import Options
from snellen.answers.patterns import any_word
from snellen.answers.remarks import after_correction, is_remark, sentences

MAX_LINES = 400
MAX_LINE_CHARS = 4_000
"""Of a longer line the end is read."""
MAX_SENTENCES = 40
"""Sentences at the end of a text that are looked at for its conclusion."""
SHORT_SENTENCES = 8
"""An answer of at most so many sentences may state its choice first and explain it afterwards."""
_MAX_BARE_CHARS = 400
_MAX_CORRECTED_CHARS = 200

_VERDICT = re.compile(
    r"^[\s*_>#-]{0,8}(?:\d{1,2}\.\s)?[*_]{0,3}(?:(?:option|choice|statement)\s)?"
    r"[*_(\[]{0,4}(?P<letter>[A-Za-z])[*_)\]]{0,4}\s?[.):,=–—-]{0,3}[*_]{0,3}\s(?P<text>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_RIGHT = any_word("yes right correct true valid ✓ ✔ ✅")
_WRONG = any_word("no wrong incorrect false invalid not ✗ ✘ ❌ ×")
_POSITIVE = re.compile(rf"(?:^|[\s(:*-]){_RIGHT}[\s.!*)]*$|^{_RIGHT}(?!\w)", re.IGNORECASE)
_NEGATIVE = re.compile(rf"(?:^|[\s(:*-]){_WRONG}[\s.!*)]*$|^{_WRONG}(?!\w)", re.IGNORECASE)
_EXPLANATION = re.compile(
    rf"^[\s*_#>-]{{0,8}}{any_word('explanation reason(?:ing|s)? rationale justification')}[*_]{{0,3}}\s?(?::|-|$)",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERING = re.compile(r"^[\s‣•*-]{0,4}(?:\d{1,2}[.)]\s+)?(?=\S)")

_Bare = list[tuple[str, tuple[str, ...]]]
"""Lines that are a choice by themselves, with the letters they choose."""


def choice_in_prose(body: str, options: Options, *, several: bool = False) -> Choice:
    r"""Read a text in which nothing is marked as the answer.

    Args:
        body: folded text.
        options: what the row offers.
        several: whether lines that choose one option each make a set.

    >>> cat_or_dog = Options(("A", "B"), ("cat", "dog"))
    >>> choice_in_prose("Option A: wrong\nOption B: right", cat_or_dog).letters
    ('B',)
    >>> choice_in_prose("This is a dog.", cat_or_dog).letters
    ('B',)
    """
    chosen = _set_of_lines(body, options) if several else None
    if chosen:
        return chosen
    verdict = _one_verdict(body, options)
    if verdict:
        return verdict
    explained = _EXPLANATION.search(body, 1)
    if explained and body[: explained.start()].strip():
        choice = _in_lines(body[: explained.start()], options)
        if choice.letters:
            return choice
    return _in_lines(body, options)


def _set_of_lines(body: str, options: Options) -> Choice | None:
    """The set of options chosen line by line, when every line chooses one and not all are listed."""
    lines = [line.strip() for line in body.split("\n") if line.strip()][: len(options.letters)]
    chosen = [_bare_letters(line, options) for line in lines]
    letters = tuple(dict.fromkeys(letter for one in chosen for letter in one))
    if len(lines) < 2 or not all(chosen) or len(letters) >= len(options.letters):
        return None
    return Choice(letters, "letter", body[:_MAX_BARE_CHARS])


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


def _in_lines(body: str, options: Options) -> Choice:
    lines = [line.strip() for line in body.split("\n") if line.strip(" \t*_#-=`~‣")][-MAX_LINES:]
    announced = _announced(lines, options)
    if announced:
        return announced
    bare = [(line, letters) for line in lines if (letters := _bare_letters(line, options))]
    if _is_enumeration(bare, options):
        listed = {line for line, _ in bare}
        return _concluding([line for line in lines if line not in listed], options)
    if bare:
        line, letters = bare[-1]
        if len(bare) > 1 or line in (lines[0], lines[-1]) or lone_letter(line, options.letters):
            return Choice(letters, "letter", line)
    return _corrected(lines, options) or _concluding(lines, options)


def _corrected(lines: list[str], options: Options) -> Choice | None:
    """What a single line says after taking its first idea back ("A? No, B")."""
    kept = after_correction(lines[0]) if len(lines) == 1 and len(lines[0]) <= _MAX_CORRECTED_CHARS else ""
    if not kept or kept == lines[0]:
        return None
    choice = choice_in(kept, options, alone=True)
    return choice if choice.letters else None


def _announced(lines: list[str], options: Options) -> Choice | None:
    """The last line that is a choice by itself right behind a line ending in a colon, and that opens no list."""
    for at in range(len(lines) - 1, 0, -1):
        if lines[at - 1].rstrip("*_ ").endswith(":"):
            letters = _bare_letters(lines[at], options)
            behind = _bare_letters(lines[at + 1], options) if at + 1 < len(lines) else ()
            if letters and not behind:
                return Choice(letters, "letter", lines[at])
    return None


def _bare_letters(line: str, options: Options) -> tuple[str, ...]:
    """What a line chooses by itself: a letter, a marked letter with its text, an option's text, a set of letters."""
    line = _NUMBERING.sub("", line)
    bare = undress(line) if len(line) < _MAX_BARE_CHARS else line
    lone = lone_letter(bare, options.letters)
    if lone:
        return (lone,)
    leading = leading_letters(bare, options)
    if leading or len(bare) >= _MAX_BARE_CHARS:
        return leading
    return tuple(options.letters[place] for place in same_text(bare, options)) or letters_alone(bare, options.letters)


def _is_enumeration(bare: _Bare, options: Options) -> bool:
    """Whether lines list the options rather than choose one."""
    distinct = list(dict.fromkeys(letters for _, letters in bare))
    if len(distinct) >= 3 or (len(distinct) > 1 and sum(line[0].isdigit() for line, _ in bare) > 1):
        return True
    with_text = all(len(undress(line)) > 2 for line, _ in bare)
    return len(distinct) == 2 and with_text and len(options.letters) == 2 and distinct == sorted(distinct)


def _concluding(lines: list[str], options: Options) -> Choice:
    """The last sentence that states a conclusion; else the first one of a short answer; else the last one at all."""
    kept = [line for line in lines if not is_remark(line)] or lines
    parts = [part for line in kept[-MAX_SENTENCES:] for part in sentences(line[-MAX_LINE_CHARS:])][-MAX_SENTENCES:]
    alone = len(lines) == 1 and len(parts) == 1
    choices = [_in_sentence(part, options, alone=alone) for part in parts]
    n_named = len({letters for one in choices if len(letters := one.letters) == 1})
    for at in _by_weight(parts, first_counts=n_named < 3):
        if choices[at].letters and not _lists_all(choices[at].letters, options):
            return choices[at]
    return Choice(abstained=any(choice.abstained for choice in choices))


def _by_weight(parts: list[str], *, first_counts: bool) -> list[int]:
    """Places of the sentences in the order in which they decide."""
    backwards = list(reversed(range(len(parts))))
    first = [0] if parts and first_counts and len(parts) <= SHORT_SENTENCES else []
    return [*(at for at in backwards if concludes(parts[at])), *first, *backwards]


def _in_sentence(sentence: str, options: Options, *, alone: bool) -> Choice:
    cut = before_comparison(sentence)
    choice = choice_in(cut, options, alone=alone)
    return choice if choice.letters or cut == sentence else choice_in(sentence, options, alone=alone)


def _lists_all(letters: tuple[str, ...], options: Options) -> bool:
    return len(letters) >= 3 and len(letters) >= len(options.texts)
