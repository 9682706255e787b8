"""Read option letters out of a piece of text: which letters it asserts, in any common form.

A letter counts when it stands as a token. The article "A", the pronoun "I", letters inside words, codes and formulas,
and letters that are denied ("not C", "Option D does not fit") do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

from snellen.answers.denials import is_denied
from snellen.answers.dressing import undress
from snellen.answers.patterns import any_of, any_word

_MAX_DRESSED_CHARS = 2_000
"""A longer piece is no letter, however much of it is dressing."""
_MAX_TOKENS = 64
"""Letters of one piece that are looked at."""
_MAX_LONE_CHARS = 60
_MAX_SET_CHARS = 80
_NAME = any_word("options? choices? answers? letters? alternatives? items?")
_OPEN, _CLOSE = "[\"'`*(\\[{<]", "[\"'`*)\\]}>]"
_NAMED = re.compile(rf"(?:the\s)?(?:\w+\s)?{_NAME}[\s:#]{{1,3}}{_OPEN}*([A-Za-z])[\"'`*)\]}}>.,:;!]*", re.IGNORECASE)
_BEHIND_LETTER = any_of(
    "[\"'`*_\\s]{0,4}[)\\]}>]+[\"'`*_]*[.:]?",  # B) text, (B) text, **B)** text
    "[\"'`*_]{0,4}[.:](?![A-Za-z]\\.)",  # B. text, B: text; not e.g.
    "[\"'`*_]+(?=\\s)",  # **B** text
    "\\s?[-–—](?=\\s)",  # B - text
)
_LEADING = re.compile(
    rf"(?:(?:the\s)?{any_word('options? choices? answers?')}\s)?[\"'`*_(\[{{<\s]{{0,6}}"
    rf"(?P<letter>[A-Za-z]){_BEHIND_LETTER}\s*(?P<rest>.*)",
    re.DOTALL | re.IGNORECASE,
)
_JOINS = re.compile(
    r"(?:or|and|and/or|,|;|&|/)\s?[(\[\"'*]{0,2}[A-Z](?![\w'])|[.…\s]{0,4}(?:no,? )?(?:wait|hold on|oops)\b"
    r"|(?:\.\.|…)\s?no\b"
    r"|[.…\s]{0,4}(?:actually|correction|scratch that|sorry|i mean|or rather|on second thoughts?)\b"
    r"(?=.{0,40}(?<![\w'])(?-i:[A-Z])(?![\w']))",
    re.IGNORECASE,
)
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts that write a letter and its verb or particle without a blank ("选B项")."""
_TOKEN = re.compile(
    rf"(?<![^\W{_CJK}])(?<!['/\\^.|+=<&@#-])(?<![-+=<>^/|]\s)([A-Z])"
    rf"(?![^\W{_CJK}]|['/^_|&@#]|-\w|\.\w|\s?[=^+]|\s?<\s?\w|\([^)\s])"
)
_NAMED_INSIDE = re.compile(r"\b(?:option|choice)\s[\"'(*]{0,2}([A-Za-z])(?![\w'])", re.IGNORECASE)
_BRACKETED = re.compile(r"[(\[]\s?([A-Za-z])\s?[)\]]")
_FOLLOWS_LETTER = re.compile(
    r"\s"
    + any_word(
        "is was are were and or & has have had because since as(?!\\s(?:well|a)\\b) would could can should must will"
        " does do did seems? looks appears? fits matches shows best correctly with to in on at for from here"
        " instead but so not then who which that corresponds? represents? makes completes follows remains? over than"
        " more(?=\\s\\w+ly\\b) better(?=\\s(?:than|fits|matches|describes|suits|represents)\\b) wins stands turns"
        " gives contains satisfies describes states equals"
        " accurately closely most(?=\\s\\w+ly\\b) aligns share[sd] out by both though if when while"
    )
    + r"\b"
)
"""What may stand behind the letter A in a sentence; anything else makes it the article."""
_FOLLOWS_LETTER_I = re.compile(
    r"\s(?:is|and(?!\s(?:I|we|have|am|the)\b)|or|because|since|fits|matches|are|seems|appears|looks|does|has"
    r"|(?:must|would|should) be (?:the|my|right|correct))\b"
)
_JOINED_TO = re.compile(r"(?<![\w'])[B-Z][)\]\"'*]?,?\s(?:and|or|nor|&|vs\.?)\s\Z")
"""What may stand in front of the letter A that makes it no article ("B and A fit")."""
_CHOSEN = re.compile(
    r"\b(?:settled?|decided?|land(?:ed)?) on|\b(?:go|going|went) (?:with|for)"
    r"|\b(?:choose|chose|pick|picked|select|selected|prefer|opt(?:ed)? for)"
)
_CHOSEN_LETTER = re.compile(
    rf"(?:{_CHOSEN.pattern})\s(?:option\s)?[(\[*]{{0,2}}([A-Z])(?![\w'])(?![)\]*]{{0,2}},?\s?(?:and|or|&|/|,)\s?[(\[*]?[A-Z]\b)"
)
_NEXT_LETTER = re.compile(r"\s[B-Z](?![\w'])")
_ONLY_NUMBER = re.compile(r"\s[$€£]?\d[\d.,]*\s?%?[\s.]*\Z")
_IS = any_word("is seems looks appears would_be must_be has_to_be")
_BETTER = any_word(
    "better best correct right closer closest the_one more\\s\\w+ most\\s\\w+ true answer preferable likelier"
)
_PREFERRED = re.compile(
    rf"([A-Z])\b{_CLOSE}*\s"
    rf"(?:{_IS}\s(?:\w+ly\s|the\s|a\s|still\s|much\s){{0,2}}{_BETTER}\b"
    r"|(?:fits|matches|works|suits|describes|answers|remains|wins)\b(?:[^.,;\n]{0,40}\b(?:best|better)\b|\s?(?=[.!]|\Z)))"
)
_TURN = re.compile(
    r"\b(?:could|might|may|was|were|tempt\w+|considered|inclined|seems?|seemed|looks?|looked|close|first|thought|almost|nearly)\b[^.;\n]{0,60}"
    r"\b(?:but|however|yet|still|though)\b(?!\s(?:also|not))",
    re.IGNORECASE,
)
_RUN = re.compile(r"[A-Z]{2,6}")
_ABBREVIATION = re.compile(r"[a-z]\.[a-z]")
_PARTS = re.compile(r"(?:\b(?:and|or|as well as|plus)\b|[&|,;/+\s()\[\]{}\"'.*])+", re.IGNORECASE)


def lone_letter(piece: str, letters: Collection[str]) -> str | None:
    """The letter that a piece consists of, alone or dressed, or named as an option, in either case.

    >>> [lone_letter(t, "ABCD") for t in ("(b)", "**C**", "Option D", "choice: a.", "B###", "A dog", "i")]
    ['B', 'C', 'D', 'A', 'B', None, None]
    """
    if len(piece) == 1:
        return piece.upper() if piece.upper() in letters else None
    if len(piece) > _MAX_DRESSED_CHARS:
        return None
    bare = undress(piece)
    if bare.endswith("##"):
        bare = undress(bare.rstrip("#"))
    if len(bare) == 1:
        return bare.upper() if bare.upper() in letters else None
    named = _NAMED.fullmatch(bare) if len(bare) <= _MAX_LONE_CHARS else None
    return named[1].upper() if named and named[1].upper() in letters else None


def leading_letter(piece: str, letters: Collection[str]) -> tuple[str, str] | None:
    """Letter and rest of a piece that opens with a marked letter: `B) root`, `b. root`, `**C:** text`, `A - text`.

    >>> leading_letter("b) root", "ABCD"), leading_letter("A dog", "ABCD"), leading_letter("e.g. this", "ABCDE")
    (('B', 'root'), None, None)
    """
    found = _LEADING.fullmatch(piece.strip())
    if not found or found["letter"].upper() not in letters or _JOINS.match(found["rest"]):
        return None
    return found["letter"].upper(), found["rest"].strip()


def asserted_letters(piece: str, letters: Collection[str]) -> tuple[str, ...]:
    """Distinct letters that a piece of text asserts, in order of mention; denied ones are left out.

    >>> asserted_letters("It is B, not C", "ABCD"), asserted_letters("There is a dog. A dog!", "ABCD")
    (('B',), ())
    >>> asserted_letters("B and G are close but G is better", "ABCDEFG"), asserted_letters("I think E", "ABCDEFGHI")
    (('G',), ('E',))
    """
    found = _tokens(piece, letters)
    if not found:
        return ()
    if len(set(found.values())) == 1:
        return (next(iter(found.values())),)
    preferred = [match[1] for match in _PREFERRED.finditer(piece) if match.start(1) in found]
    if preferred:
        return (preferred[-1],)
    chosen = [match[1] for match in _CHOSEN_LETTER.finditer(piece) if match.start(1) in found]
    if chosen:
        return (chosen[-1],)
    turn = _TURN.search(piece)
    behind = {letter for start, letter in found.items() if turn and start >= turn.end()}
    return tuple(behind) if len(behind) == 1 else tuple(dict.fromkeys(found.values()))


def _tokens(piece: str, letters: Collection[str]) -> dict[int, str]:
    """Offset → letter of every asserted letter, in order."""
    tokens = islice(_TOKEN.finditer(piece), _MAX_TOKENS)
    plain = {match.start(1): match[1] for match in tokens if not _is_word(piece, match)}
    brackets = islice(_BRACKETED.finditer(piece), _MAX_TOKENS)
    named = islice(_NAMED_INSIDE.finditer(piece), _MAX_TOKENS)
    found = plain | {match.start(1): match[1].upper() for match in (*brackets, *named)}
    return {
        start: letter
        for start, letter in sorted(found.items())
        if letter in letters and not is_denied(piece, start, start + 1)
    }


def _is_word(piece: str, found: re.Match[str]) -> bool:
    """Whether a capital is the article or the pronoun rather than an option's letter."""
    letter, end = found[1], found.end(1)
    behind = piece[end : end + 2]
    if letter == "I":
        return behind.strip()[:1].isalnum() and not _FOLLOWS_LETTER_I.match(piece, end)
    if _JOINED_TO.search(piece[max(0, found.start(1) - 12) : found.start(1)]):
        return False
    if letter != "A" or not behind[:1].isspace() or not (behind[1:].isalnum() or behind[1:] in tuple("$\"'_")):
        return False
    return not any(pattern.match(piece, end) for pattern in (_FOLLOWS_LETTER, _ONLY_NUMBER, _NEXT_LETTER))


def letter_run(piece: str, letters: Collection[str]) -> tuple[str, ...]:
    """Letters written without a separator (`AC`), for questions with several right options.

    >>> letter_run("AC", "ABCD"), letter_run("DNA", "ABCD")
    (('A', 'C'), ())
    """
    bare = undress(piece[:_MAX_DRESSED_CHARS])
    if _RUN.fullmatch(bare) and len(set(bare)) == len(bare) and all(letter in letters for letter in bare):
        return tuple(bare)
    return ()


def letters_alone(piece: str, letters: Collection[str]) -> tuple[str, ...]:
    """Letters of a piece that holds nothing but letters and what parts them; a single one must be a capital.

    >>> letters_alone("(A) and (C)", "ABCD"), letters_alone("A; C", "ABCD"), letters_alone("A dog", "ABCD")
    (('A', 'C'), ('A', 'C'), ())
    """
    if len(piece) > _MAX_SET_CHARS:
        return ()
    parts = [part for part in _PARTS.split(undress(piece)) if part]
    if (
        len(parts) > 1
        and all(len(part) == 1 and part.islower() for part in parts)
        and not _ABBREVIATION.search(piece)
    ):
        parts = [part.upper() for part in parts]
    if parts and all(len(part) == 1 and part in letters for part in parts):
        return tuple(dict.fromkeys(parts))
    return ()
