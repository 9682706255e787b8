"""Which options one piece of text asserts: a marked answer, a line or a sentence; by letter first, then by text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from snellen.answers.dressing import undress
from snellen.answers.letters import asserted_letters, leading_letter, letter_run, letters_alone, lone_letter
from snellen.answers.option_texts import named_by_text, same_meaning, same_text
from snellen.answers.option_words import compact
from snellen.answers.options import Options
from snellen.answers.patterns import any_word
from snellen.answers.remarks import abstention, after_correction

_CAPITAL = re.compile(r"(?<!\w)[A-Z](?!\w)")
_JOINED = re.compile(r"\b(?:and|or|both|either)\b", re.IGNORECASE)
_MARKED = re.compile(r"(?<=[,;&\s])([A-Z])[.):]\s")
_LISTED = re.compile(r"\(\s?([A-Za-z])\s?\)")
_UNABLE = any_word("cannot can't difficult_to hard_to impossible_to unable_to")
_UNDECIDED = re.compile(
    rf"\b{_UNABLE} (?:\w+ly )?"
    r"(?:determine|tell|say|know) (?:which|the (?:correct|right))\b",
    re.IGNORECASE,
)
_BESIDE = any_word(
    "compared_(?:to|with) than whereas while versus relative_to in_contrast_(?:to|with) as_opposed_to unlike"
)
_COMPARISON = re.compile(rf"\b{_BESIDE}\b", re.IGNORECASE)
_SUPERLATIVE = any_word("correct right true most more closer closest best better nearest darker lighter")
_STATES = any_word(
    "therefore thus hence consequently conclusion conclude answer best final(?:ly)? must_be overall"
    " correct_(?:option|choice|one|letter) more_(?:accurately|closely|likely|appropriate) corresponds?_to"
    " leav(?:es|ing) remain(?:s|ing)"
)
_CONCLUDES = re.compile(
    rf"\b(?:{_STATES}"
    rf"|(?:is|are|seems|appears|would be) (?:\w+ly |the )?{_SUPERLATIVE}"
    r"|(?:i|we) (?:would |will |'d )?(?:choose|select|pick|go with))\b"
    r"|^so\b|(?:[:→=]|\boption|\bchoice)\s?\(?[A-Z]\)?[\s.*]*$",
    re.IGNORECASE,
)

_LAST_CLAUSE = re.compile(
    r"[,;.]\s(?:and\s)?"
    + any_word("so therefore thus hence meaning making giving (?:that|which|this)_(?:makes|gives|means|leaves)")
    + r"\b[,\s]\s?(?=\S)",
    re.IGNORECASE,
)

MAX_GLUED_CHARS = 2_000


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


def choice_in(piece: str, options: Options, *, alone: bool) -> Choice:
    """Read one piece of text.

    Args:
        piece: folded text.
        options: what the row offers.
        alone: whether the piece is the whole answer (marked, or the only line), not a sentence of prose.

    >>> choice_in("(b) root", Options(("A", "B"), ("leaf", "root")), alone=True).letters
    ('B',)
    """
    piece = piece.strip()
    kept = after_correction(piece)
    letters = (_whole_piece(piece, options) or _whole_piece(kept, options)) if alone else _lone(kept, options)
    if letters:
        undecided = len(piece) > len(letters) and _UNDECIDED.search(piece)
        return Choice((), "", piece, abstained=True) if undecided else Choice(letters, "letter", piece)
    letters = letters_alone(kept, options.letters) or _asserted(kept, options)
    return Choice(letters, "letter", piece) if letters else _by_text(kept, piece, options, alone=alone)


def _lone(piece: str, options: Options) -> tuple[str, ...]:
    lone = lone_letter(piece, options.letters)
    return (lone,) if lone else ()


def _whole_piece(piece: str, options: Options) -> tuple[str, ...]:
    return _lone(piece, options) or leading_letters(piece, options) or letter_run(piece, options.letters)


def leading_letters(piece: str, options: Options) -> tuple[str, ...]:
    """The letter that opens a piece with its text behind it; all letters when the piece goes on to list others.

    >>> leading_letters("(A) left (B) right", Options(("A", "B"), ("left", "right")))
    ('A', 'B')
    """
    found = leading_letter(piece.split("\n", 1)[0], options.letters)
    if not found:
        return _glued(undress(piece), options) if len(piece) <= MAX_GLUED_CHARS else ()
    letter, rest = found
    own = options.texts[options.letters.index(letter)] if options.are_known else ""
    listed = _LISTED.findall(before_comparison(rest.replace(own, " ") if own else rest))
    others = [other.upper() for other in listed if other.upper() in options.letters] + _with_own_text(rest, options)
    return tuple(dict.fromkeys((letter, *others)))


def _with_own_text(rest: str, options: Options) -> list[str]:
    """Letters that stand in a text with exactly their own option's text behind them ("…, C. cube three")."""
    found = []
    for mark in _MARKED.finditer(rest[:MAX_GLUED_CHARS]) if options.are_known else ():
        own = options.texts[options.letters.index(mark[1])] if mark[1] in options.letters else ""
        if own and rest[mark.end() :].casefold().startswith(own.casefold()):
            found.append(mark[1])
    return found


def _glued(bare: str, options: Options) -> tuple[str, ...]:
    """`E2`: a letter with exactly its own option's text right behind it."""
    if not options.are_known or bare[:1] not in options.letters or len(bare) < 2:
        return ()
    own = compact(options.texts[options.letters.index(bare[0])])
    return (bare[0],) if own and compact(bare[1:]) == own else ()


def _asserted(piece: str, options: Options) -> tuple[str, ...]:
    """Asserted letters; where option texts hold capitals of their own ("set A"), these texts are no letters."""
    folded = piece.casefold()
    own = [text for text in options.texts if len(text) > 1 and _CAPITAL.search(text) and text.casefold() in folded]
    if not own:
        return asserted_letters(piece, options.letters)
    rest = piece
    for text in sorted(own, key=len, reverse=True):
        rest = re.sub(re.escape(text), " … ", rest, flags=re.IGNORECASE)
    letters = asserted_letters(rest, options.letters)
    if not letters or not _JOINED.search(piece):
        return letters
    named = named_by_text(piece, options, alone=False)
    return tuple(dict.fromkeys((*(options.letters[place] for place in named if len(named) == 1), *letters)))


def _by_text(kept: str, piece: str, options: Options, *, alone: bool) -> Choice:
    places = same_text(piece, options) or named_by_text(kept, options, alone=alone, numbers=concludes(kept))
    if len(places) > 1:
        places = _by_last_clause(kept, options) or places
    if not places and ";" in kept:
        places = named_by_text(kept.rsplit(";", 1)[1], options, alone=alone)
    if abstention(kept) and not any(_says_so(kept, options.texts[place]) for place in places):
        return Choice((), "", piece, abstained=True)
    return Choice(tuple(options.letters[place] for place in places), "text" if places else "", piece)


def _by_last_clause(sentence: str, options: Options) -> tuple[int, ...]:
    """The one option that a sentence's closing clause names ("2 in front and 2 behind, so 4")."""
    clauses = list(_LAST_CLAUSE.finditer(sentence))
    clause = sentence[clauses[-1].end() :].strip(" .") if clauses else ""
    places = named_by_text(clause, options, alone=True) if clause else ()
    return places if len(places) == 1 else ()


def _says_so(kept: str, option: str) -> bool:
    """Whether an abstaining text is itself an option ("Cannot be determined")."""
    return abstention(option) != "" and (compact(option) in compact(kept) or same_meaning(option, kept))


def concludes(sentence: str) -> bool:
    """Whether a sentence states a conclusion or a preference.

    >>> concludes("Therefore it is B."), concludes("The bus is red.")
    (True, False)
    """
    return _CONCLUDES.search(sentence) is not None


def before_comparison(sentence: str) -> str:
    """A sentence without what its subject is compared with.

    >>> before_comparison("Box A is better than Box B")
    'Box A is better '
    """
    cut = _COMPARISON.search(sentence, 1)
    return sentence[: cut.start()] if cut else sentence
