"""Which option a text names by its words: the full text, a telling part, an equal number, "the first one"."""

from __future__ import annotations

import re

from snellen.answers.dressing import undress
from snellen.answers.numbers import mentions, read_number
from snellen.answers.option_words import STOP_WORDS, compact, tokens, without_article, words
from snellen.answers.options import Options
from snellen.answers.remarks import alternatives
from snellen.answers.statements import pieces
from snellen.answers.wording import text_key

_MIN_WORD = 2
"""Letters that a word with a plural has at least, less one."""
MAX_PIECE_CHARS = 2_000
"""Longer pieces are no answers."""

_HAS_DIGIT = re.compile(r"\d")
_MEANINGS = {
    word: meaning
    for meaning, same in {
        "yes": "yes yep yeah true correct supported 是 对 是的 正确",
        "no": "no nope false incorrect refuted 否 不是 不 错误",
        "left": "left 左 左边",
        "right": "right 右 右边",
        "none": "none noneoftheabove noneofthese noneofthem noneofthose noneoftheoptions noneoftheotheroptions",
    }.items()
    for word in same.split()
}
"""Same meaning in a small closed table."""
_ORDINALS = {
    word: place
    for place, names in enumerate(
        (
            ("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th"),
            ("sixth", "6th"), ("seventh", "7th"), ("eighth", "8th"), ("ninth", "9th"), ("tenth", "10th"),
        )
    )
    for word in names
}  # fmt: skip
_ORDINAL = re.compile(r"(?:it is |it's )?(?:the )?(\w+)(?: (?:one|option|choice|answer|item|alternative))?")
_STATED = re.compile(r"\b(?:is|be|shows|says|called|labell?ed|clearly)\s[\"'(]?(\w)[\"')]?(?=[.,;!]|\Z)")
_NUMBERED = re.compile(r"(?:number|no\.?|option|choice|#) ?#?(\d{1,2})")
_DENYING = re.compile(r"\b(?:not|no|neither|nor|never|without|except)\b")
_DENIAL = re.compile(
    r"\b(?:not|no|neither|nor|never|without|rather than|instead of|unlike|isn t|n t|isnt|doesnt)\b"
    r"(?: (?!(?:but|is|are|was|it|its|so|because|that|this|which|only|doubt)\b)\w+){0,8} $"
)
_WRONG_AFTER = re.compile(
    r" (?:is|are|was|were|looks|seems) (?:\w+ly |also )?(?:not|wrong|incorrect|false|out|unlikely|ruled out)\b"
)


def named_by_text(piece: str, options: Options, *, alone: bool, numbers: bool = True) -> tuple[int, ...]:
    """Places of the options that a piece names by text.

    Args:
        piece: folded text of a marked answer, a line or a sentence.
        options: known options.
        alone: whether the piece is the whole answer, so that a telling part or an ordinal is enough.
        numbers: whether a number that a sentence mentions may stand for the option of that value.

    >>> red_or_blue = Options(("A", "B"), ("a red sofa", "a blue chair"))
    >>> named_by_text("the red sofa", red_or_blue, alone=True), named_by_text("sofa", red_or_blue, alone=True)
    ((0,), (0,))
    >>> named_by_text("it shows a red sofa, not a blue chair", red_or_blue, alone=False)
    (0,)
    """
    if not options.are_known or len(piece) > MAX_PIECE_CHARS:
        return ()
    bare = undress(piece)
    if not bare:
        return ()
    same = same_text(bare, options) or (same_text(bare.rsplit("=", 1)[1], options) if "=" in bare else ())
    if same:
        return same
    if alone and "\\" in bare and read_number(bare) is not None:
        return _equal_number(bare, options)
    inside = (_side_by_side(bare, options) if alone else ()) or _inside(piece, options, numbers=numbers or alone)
    if inside:
        return inside
    found: tuple[int, ...] = ()
    if alone:
        found = (
            _equal_number(bare, options)
            or _ordinal(bare, options)
            or _telling_part(bare, options)
            or _other_number(bare, options)
            or _all_words(bare, options)
            or _stated_part(piece, options)
        )
    return found or (_mentioned_number(piece, options) if numbers or alone else ()) or _short_name(piece, options)


def same_text(bare: str, options: Options) -> tuple[int, ...]:
    """Place of the option whose text is the piece, compared loosely; exact spelling breaks a tie.

    >>> same_text("Yes", Options(("A", "B"), ("True", "False")))
    (0,)
    """
    key = compact(bare)
    places = tuple(place for place, text in enumerate(options.texts) if key and compact(text) == key)
    meaning = _MEANINGS.get(key)
    if not places and meaning:
        places = tuple(place for place, text in enumerate(options.texts) if _MEANINGS.get(compact(text)) == meaning)
    if not places and len(key) > 1 and key.isalpha():
        spelled = text_key(bare)
        places = tuple(place for place, text in enumerate(options.texts) if text_key(text) == spelled != "")
    if len(places) > 1:
        exact = tuple(place for place in places if options.texts[place].strip().casefold() == bare.casefold())
        return exact[:1] or places[:1]
    return places


def same_meaning(one: str, other: str) -> bool:
    """Whether two texts stand in one row of the closed table ("Yes" and "True", "none" and "None of these").

    >>> same_meaning("None", "None of the above"), same_meaning("yes", "no"), same_meaning("dog", "dog")
    (True, False, False)
    """
    meaning = _MEANINGS.get(compact(one))
    return meaning is not None and meaning == _MEANINGS.get(compact(other))


def _inside(piece: str, options: Options, *, numbers: bool) -> tuple[int, ...]:
    """Options whose whole text stands in the piece, longest first; denied ones and parts of longer ones left out."""
    hay = f" {words(piece)} "
    found: list[tuple[int, int]] = []
    n_sure = 0
    taken = bytearray(len(hay))
    order = sorted(range(len(options.texts)), key=lambda place: -len(words(options.texts[place])))
    for place in order:
        needle = _needle(place, options)
        for start in _occurrences(hay, f" {needle} ") if _tells(needle, numbers) else ():
            if not any(taken[start + 1 : start + 1 + len(needle)]):
                taken[start + 1 : start + 1 + len(needle)] = b"\x01" * len(needle)
                if not _is_denied(hay, start, start + len(needle) + 1):
                    found.append((start, place))
                    n_sure += not hay.startswith(" or ", start - 3)
    if not n_sure:  # "red or blue car" names neither
        return ()
    return tuple(dict.fromkeys(place for _, place in sorted(found)))


def _is_denied(hay: str, start: int, end: int) -> bool:
    return _DENIAL.search(hay[max(0, start - 80) : start + 1]) is not None or _WRONG_AFTER.match(hay, end) is not None


def _needle(place: int, options: Options) -> str:
    """Words that name an option: its own without the leading article, unless these fit another option too."""
    own = words(options.texts[place])
    short = without_article(own)
    shared = short != own and any(
        f" {short} " in f" {words(text)} " for at, text in enumerate(options.texts) if at != place
    )
    return own if shared else short


def _tells(needle: str, numbers: bool) -> bool:
    """Whether an option's words in a sentence mean the option: a single letter never, a number only if asked."""
    return numbers if needle[:1].isdigit() and " " not in needle else len(needle) > 1


def _occurrences(hay: str, needle: str) -> list[int]:
    places: list[int] = []
    position = 0
    while (start := hay.find(needle, position)) >= 0 and len(places) < 64:
        places.append(start)
        position = start + len(needle) - 1
    return places


def _equal_number(bare: str, options: Options) -> tuple[int, ...]:
    number = read_number(bare)
    if number is None:
        return ()
    values = [read_number(text) for text in options.texts]
    return tuple(
        place
        for place, other in enumerate(values)
        if other is not None and (other.scaled == number.scaled or other.value == number.value)
    )


def _mentioned_number(piece: str, options: Options) -> tuple[int, ...]:
    """The option whose number is the only option's number that a sentence mentions."""
    values = [read_number(text) for text in options.texts]
    if any(value is None and _HAS_DIGIT.search(text) for value, text in zip(values, options.texts, strict=True)):
        return ()
    mentioned = {number.value for number in mentions(piece)}
    return tuple(place for place, value in enumerate(values) if value is not None and value.value in mentioned)


def _other_number(bare: str, options: Options) -> tuple[int, ...]:
    """The one option that the piece is the plural or the singular of ("roots" for root)."""
    key = without_article(words(bare))
    pairs = ((key, without_article(words(text))) for text in options.texts) if len(key) > _MIN_WORD else ()
    places = tuple(place for place, pair in enumerate(pairs) if f"{pair[0]}s" == pair[1] or f"{pair[1]}s" == pair[0])
    return places if len(places) == 1 else ()


def _short_name(piece: str, options: Options) -> tuple[int, ...]:
    """The option of one character that a sentence states at its end ("The curve is q.")."""
    stated = _STATED.search(piece)
    places = same_text(stated[1], options) if stated else ()
    return tuple(place for place in places if len(options.texts[place].strip()) == 1)


def _ordinal(bare: str, options: Options) -> tuple[int, ...]:
    lowered = bare.lower()
    found = _ORDINAL.fullmatch(lowered)
    place = _ORDINALS.get(found[1]) if found else None
    numbered = _NUMBERED.fullmatch(lowered)
    if numbered:
        place = int(numbered[1]) - 1
    return (place,) if place is not None and 0 <= place < len(options.texts) else ()


def _telling_part(bare: str, options: Options) -> tuple[int, ...]:
    """The one option that holds every content word of the piece."""
    said = words(bare)
    mine = {word for word in said.replace("-", " ").split() if word not in STOP_WORDS}
    if not mine or all(len(word) < 2 for word in mine):
        return ()
    mine |= set(_DENYING.findall(said))
    holding = tuple(place for place, text in enumerate(options.texts) if mine <= tokens(text))
    return holding if len(holding) == 1 else ()


def _all_words(bare: str, options: Options) -> tuple[int, ...]:
    """The one option whose several content words a sentence says, all of them and none of another option's."""
    said = set(words(bare).replace("-", " ").split())
    if _DENYING.search(words(bare)):
        return ()
    own = [{word for word in tokens(text) if word not in STOP_WORDS and "-" not in word} for text in options.texts]
    whole = [place for place, mine in enumerate(own) if len(mine) > 1 and mine <= said]
    if len(whole) != 1 or any((mine - own[whole[0]]) & said for mine in own):
        return ()
    return (whole[0],)


def _stated_part(piece: str, options: Options) -> tuple[int, ...]:
    """The one option that the subject or the complement of a sentence tells ("The cone is closer.")."""
    places = {place for part in pieces(piece)[1:] for place in _telling_part(part, options)}
    return tuple(places) if len(places) == 1 else ()


def _side_by_side(bare: str, options: Options) -> tuple[int, ...]:
    """Different options that stand side by side ("steel or glass"), each named by its own words."""
    parts = alternatives(bare)
    named = (
        [named_by_text(part, options, alone=True) for part in parts] if 1 < len(parts) <= len(options.texts) else []
    )
    places = {found[0] for found in named if len(found) == 1}
    return tuple(sorted(places)) if len(places) > 1 and all(named) else ()
