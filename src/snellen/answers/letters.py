"""Read option letters out of a piece of text: which letters it asserts, in any common form.

A letter counts when it stands as a token. The article "A", the pronoun "I", letters inside words, codes and formulas,
and letters that are denied ("not C", "Option D does not fit") do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from snellen.answers.dressing import undress

_WORD_BEFORE = r"(?:options?|choices?|answers?|letters?|alternatives?|items?)"
_NAMED = re.compile(rf"(?:the\s)?(?:\w+\s)?{_WORD_BEFORE}[\s:#]{{1,3}}[\"'`*(\[{{<]*([A-Za-z])[\"'`*)\]}}>.,:;!]*", re.IGNORECASE)
_LEADING = re.compile(
    r"(?:(?:the\s)?(?:options?|choices?|answers?)\s)?[\"'`*_(\[{<\s]{0,6}(?P<letter>[A-Za-z])(?:[\"'`*_\s]{0,4}[)\]}>]+[\"'`*_]*[.:]?|[\"'`*_]{0,4}[.:](?![A-Za-z]\.)|[\"'`*_]+(?=\s)|\s?[-–—](?=\s))\s*(?P<rest>.*)",
    re.DOTALL | re.IGNORECASE,
)
_TOKEN = re.compile(r"(?<![\w'/\\^.|+=<&@#-])(?<![-+=<>^/|]\s)([A-Z])(?![\w'/^_|&@#]|-\w|\.\w|\s?[=^+]|\s?<\s?\w|\([^)\s])")
_BRACKETED = re.compile(r"[(\[]\s?([A-Za-z])\s?[)\]]")
_AFTER_ARTICLE = re.compile(
    r"\s(?:is\b|was\b|are\b|were\b|and\b|or\b|&|has\b|have\b|had\b|because\b|since\b|as\b(?!\s(?:well|a)\b)|would\b|could\b|can\b|should\b|must\b|will\b|does\b|do\b"
    r"|did\b|seems?\b|looks?\b|appears?\b|fits?\b|matches\b|shows?\b|best\b|correctly\b|with\b|to\b|in\b|on\b|at\b|for\b|from\b|here\b|instead\b|but\b|so\b|not\b"
    r"|then\b|who\b|which\b|that\b|corresponds?\b|represents?\b|makes\b|completes\b|follows\b|remains?\b|over\b|than\b|more\b(?=\s\w+ly\b)|better\b|wins\b|stands\b"
    r"|turns?\b|gives\b|contains\b|satisfies\b|describes\b|states\b|equals\b|accurately\b|closely\b|most\b(?=\s\w+ly\b)|aligns\b|share[sd]?\b|out\b|by\b|both\b|though\b|if\b|when\b|while\b)"
)
_AFTER_PRONOUN = re.compile(r"\s(?:is\b|and\b(?!\s(?:I|we|have|am|the)\b)|or\b|because\b|since\b|fits\b|matches\b|are\b)")
_CUE_BEFORE = re.compile(
    rf"(?:{_WORD_BEFORE}|is|be|choose|chose|pick|picked|select|selected|with|answer(?:ed)?|as|say|and|or|thus|so|therefore|hence|[:,=→>(\[\"'`*])\s?[\"'`*]*\Z", re.IGNORECASE
)
_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bneither|\bnor|\brather than|\binstead of|\bunlike|\bnever|\bwithout|\bexclud\w+|\beliminat\w+|\brul(?:e|ed|es|ing) out|\brejects?|\bexcept(?: for)?|\bdiscard\w*|\bdismiss\w*)"
    r"\s(?:(?:choose|pick|select|be|by|the|an?|option|choice|answer|letter|either|both|for|to|of|simply|just|only|with|in|on|match|fit|support)\s){0,4}[\"'`*(\[]*\Z",
    re.IGNORECASE,
)
_WRONG = (
    r"(?:not|incorrect|wrong|false|invalid|untrue|inaccurate|impossible|unlikely|implausible|irrelevant|eliminated|excluded|ruled out|out|rejected|no|less|too|unsuitable"
    r"|inconsistent|contradict\w+|also wrong|also incorrect|clearly wrong|opposite)\b"
)
_DENIED_AFTER = re.compile(
    rf"[\"'`*)\]}}>.:]*\s?(?:\([^()]{{0,60}}\)\s?)?(?::\s?|[-–—]\s)?(?:(?:is|are|was|were|seems?|looks?|appears?)\s(?:\w+ly\s|also\s|therefore\s|thus\s|both\s|all\s)?{_WRONG}"
    rf"|(?:isn't|aren't|wasn't|doesn't|don't|didn't|can't|cannot|couldn't|won't|wouldn't)\b"
    rf"|(?:does|do|did|can|could|would|will|should|has|have)\s?(?:not|no)\b|(?:contradicts?|fails?|lacks?|misses|ignores)\b|{_WRONG[:-2]}(?=[\s.,;!]*\Z))",
    re.IGNORECASE,
)
_PREFERRED = re.compile(
    r"([A-Z])\b[\"'`*)\]]*\s(?:is|seems|looks|appears|would be|must be|has to be)\s(?:\w+ly\s|the\s|a\s|still\s|much\s){0,2}(?:better|best|correct|right|closer|closest|the one|more\s\w+|most\s\w+|true|answer|preferable|likelier)\b"
)
_JOINS = re.compile(r"(?:or|and|and/or|,|;|&|/)\s?[(\[\"'*]{0,2}[A-Z](?![\w'])", re.IGNORECASE)
_RUN = re.compile(r"[A-Z]{2,6}")
_CONTEXT = 80


def lone_letter(piece: str, letters: Collection[str]) -> str | None:
    """The letter that a piece consists of, alone or dressed, or named as an option, in either case.

    >>> [lone_letter(t, "ABCD") for t in ("(b)", "**C**", "Option D", "choice: a.", "A dog", "i")]
    ['B', 'C', 'D', 'A', None, None]
    """
    bare = undress(piece)
    if len(bare) > 60:
        return None
    if len(bare) == 1:
        return bare.upper() if bare.upper() in letters else None
    named = _NAMED.fullmatch(bare)
    if named and named[1].upper() in letters:
        return named[1].upper()
    return None


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
    preferred = [found[1] for found in _PREFERRED.finditer(piece) if found[1] in letters and not _denied(piece, *found.span(1))]
    if preferred:
        return (preferred[-1],)
    found = {start: letter for start, letter in _tokens(piece) if letter in letters}
    kept = [letter for start, letter in sorted(found.items()) if not _denied(piece, start, start + 1)]
    return tuple(dict.fromkeys(kept))


def _tokens(piece: str) -> list[tuple[int, str]]:
    bracketed = [(found.start(1), found[1].upper()) for found in _BRACKETED.finditer(piece)]
    plain = [(found.start(1), found[1]) for found in _TOKEN.finditer(piece) if not _is_word(piece, found)]
    return [*bracketed, *plain]


def _is_word(piece: str, found: re.Match[str]) -> bool:
    """Whether a capital is the article or the pronoun rather than an option's letter."""
    letter, end = found[1], found.end(1)
    if letter == "I":
        return bool(re.match(r"\s?\w|'", piece[end : end + 2])) and not _AFTER_PRONOUN.match(piece, end)
    if letter != "A" or not re.match(r"\s\(?[\w$\"']", piece[end : end + 3]):
        return False
    return _AFTER_ARTICLE.match(piece, end) is None


def _denied(piece: str, start: int, end: int) -> bool:
    before = piece[max(0, start - _CONTEXT) : start]
    return _DENIED_BEFORE.search(before) is not None or _DENIED_AFTER.match(piece, end) is not None


def letter_run(piece: str, letters: Collection[str]) -> tuple[str, ...]:
    """Letters written without a separator (`AC`), for questions with several right options.

    >>> letter_run("AC", "ABCD"), letter_run("DNA", "ABCD")
    (('A', 'C'), ())
    """
    bare = undress(piece)
    if _RUN.fullmatch(bare) and len(set(bare)) == len(bare) and all(letter in letters for letter in bare):
        return tuple(bare)
    return ()


_PARTS = re.compile(r"(?:\b(?:and|or)\b|[&,;/+\s()\[\]{}\"'.*])+", re.IGNORECASE)


def letters_alone(piece: str, letters: Collection[str]) -> tuple[str, ...]:
    """Letters of a piece that holds nothing but capital letters and what parts them.

    >>> letters_alone("(A) and (C)", "ABCD"), letters_alone("A; C", "ABCD"), letters_alone("A dog", "ABCD")
    (('A', 'C'), ('A', 'C'), ())
    """
    if len(piece) > 80:
        return ()
    parts = [part for part in _PARTS.split(undress(piece)) if part]
    if parts and all(len(part) == 1 and part in letters for part in parts):
        return tuple(dict.fromkeys(parts))
    return ()
