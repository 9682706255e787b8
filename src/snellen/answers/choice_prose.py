"""Which options prose without a marked answer chooses: by verdicts, bare or announced lines, concluding sentences."""

from __future__ import annotations

import re

from snellen.answers.choice_pieces import Choice, before_comparison, choice_in, concludes, leading_letters
from snellen.answers.choice_verdicts import right_letters
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

_EXPLANATION = re.compile(
    rf"^[\s*_#>-]{{0,8}}{any_word('explanation reason(?:ing|s)? rationale justification')}[*_]{{0,3}}\s?(?::|-|$)",
    re.IGNORECASE | re.MULTILINE,
)
_CALLED_WRONG = re.compile(
    r"\b(?:is|are|was|were) (?:\w+ly )?(?:not|incorrect|wrong|false|invalid)\b[^.;]{0,40}$", re.IGNORECASE
)
_FIRST_IDEA = re.compile(
    r"\b(?:first|initial(?:ly)?|originally)\b.{0,30}\b(?:guess|thought|idea|answer|choice|chose|picked|said)",
    re.IGNORECASE,
)
_NO = re.compile(r"\W*(?:no|nope|not|wrong)\b", re.IGNORECASE)
_ASKS = re.compile(r"(?:[^.]|\.\S)*\?[*_\s]*")
_NEITHER = re.compile(r"\b(?:neither|none of)\b", re.IGNORECASE)
_AFTER_LETTER = re.compile(r"(?<=[a-z,] [A-Z])(?<!\bby [A-Z])\.\s+(?=[A-Z(])")
_NUMBERING = re.compile(r"^(?:[\s‣•*]|-(?![\d.])){0,4}(?:\d{1,2}[.)]\s+)?(?=\S)")

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
    verdict = right_letters(body, options, several=several)
    if verdict:
        return Choice(verdict[0], "verdict", verdict[1])
    chosen = _set_of_lines(body, options) if several else None
    if chosen:
        return chosen
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


def _in_lines(body: str, options: Options) -> Choice:
    lines = [line.strip() for line in body.split("\n") if line.strip(" \t*_#-=`~‣")][-MAX_LINES:]
    announced = _announced(lines, options)
    if announced:
        return announced
    bare = [(line, letters) for line in lines if (letters := _bare_letters(line, options))]
    if _is_enumeration(bare, options):
        repeated = _repeated(bare, lines)
        if repeated:
            return repeated
        listed = {line for line, _ in bare}
        return _concluding([line for line in lines if line not in listed], options)
    kept = [(line, letters) for line, letters in bare if not _CALLED_WRONG.search(line)]
    if kept:
        line, letters = kept[-1]
        if len(bare) > 1 or line in (lines[0], lines[-1]) or lone_letter(line, options.letters):
            return Choice(letters, "letter", line)
    return _corrected(lines, options) or _concluding(lines, options)


def _repeated(bare: _Bare, lines: list[str]) -> Choice | None:
    """The option that the last line of all names once more after the options were listed."""
    line, letters = bare[-1]
    listed = [one for _, one in bare[:-1]]
    if line == lines[-1] and letters in listed and len(set(listed)) == len(listed):
        return Choice(letters, "letter", line)
    return None


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
    parts = [part for line in kept[-MAX_SENTENCES:] for part in _sentences(line[-MAX_LINE_CHARS:])][-MAX_SENTENCES:]
    parts = _not_taken_back(parts)
    real = [part for part in parts if not is_remark(part)]
    alone = len(kept) == 1 and len(real) <= 1
    choices = [_in_sentence(part, options, alone=alone and (part in real or len(parts) == 1)) for part in parts]
    if parts and not choices[-1].letters and concludes(parts[-1]) and _NEITHER.search(parts[-1]):
        return Choice(piece=parts[-1], abstained=True)
    named = [choice for choice in choices if len(choice.letters) == 1]
    first_counts = len({choice.letters for choice in named}) < 3 and bool(choices) and len(choices[0].letters) == 1
    first_counts = first_counts and not _FIRST_IDEA.search(parts[0]) and not _ASKS.fullmatch(parts[0])
    weighed = [choices[at] for at in _by_weight(parts, first_counts=first_counts)]
    for choice in [*weighed, *reversed(named), *reversed(choices)]:
        if choice.letters and not _lists_all(choice.letters, options):
            return choice
    return Choice(abstained=any(choice.abstained for choice in choices))


def _sentences(line: str) -> list[str]:
    """Sentences of a line; one may end in an option's letter."""
    return [part for sentence in sentences(line) for part in _AFTER_LETTER.split(sentence)]


def _not_taken_back(parts: list[str]) -> list[str]:
    """Sentences without a question that the next one answers in the negative ("B? No.")."""
    pairs = zip(parts, [*parts[1:], ""], strict=False)
    return [part for part, following in pairs if "?" not in part or not _NO.match(following)]


def _by_weight(parts: list[str], *, first_counts: bool) -> list[int]:
    """Places of the sentences in the order in which they decide."""
    backwards = list(reversed(range(len(parts))))
    first = [0] if first_counts and len(parts) <= SHORT_SENTENCES else []
    return [*(at for at in backwards if concludes(parts[at])), *first]


def _in_sentence(sentence: str, options: Options, *, alone: bool) -> Choice:
    cut = before_comparison(sentence)
    choice = choice_in(cut, options, alone=alone)
    return choice if choice.letters or cut == sentence else choice_in(sentence, options, alone=alone)


def _lists_all(letters: tuple[str, ...], options: Options) -> bool:
    return len(letters) >= 3 and len(letters) >= len(options.texts)
