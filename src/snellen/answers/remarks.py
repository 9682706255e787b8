"""What people and models say around an answer: remarks, corrections of a first idea, denials, hedges, abstentions."""

from __future__ import annotations

import re
from typing import Literal

Abstention = Literal["", "unanswerable", "not applicable", "none", "refusal"]

_REMARK = re.compile(
    r"(?:i hope|hope (?:this|that|it)|let me know|that(?:'s| is) (?:all|it|my)|thank|thanks|you're welcome"
    r"|explanation|explained|note\b"
    r"|notes?:|reason(?:ing)?\b|rationale|justification|because\b|as (?:shown|seen|can be seen|you can see"
    r"|the (?:chart|figure|image))"
    r"|please|feel free|if you (?:have|need|want)|confidence|i(?:'m| am) (?:confident|sure|certain)"
    r"|i (?:counted|looked|read|used|checked|measured|added|computed|calculated|compared|verified|have|took|got it"
    r"|did|see|saw)"
    r"|(?:sure|okay|ok|certainly|of course|great|right)[!,.:]*\Z|sure[,!] here|here(?:'s| is| are) (?:the|my|your"
    r"|a)\b.*:\Z"
    r"|this (?:is|was) (?:because|based|shown|due)|source:|\(?(?:see|based on|according to|from) (?:the"
    r"|this) [\w ]{1,40}[.)]*\Z"
    r"|(?:step|case) \d|it (?:helps|was)|happy to|cheers|best(?:,| regards)|good luck|done[.!]*\Z|end[.!]*\Z)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,;(.\-–—]{1,12}(?:because|since|as (?:shown|seen|can be seen|you can see|indicated|depicted|the (?:chart"
    r"|figure|image|graph|diagram|picture|bar|line))"
    r"|which (?:is|are|was|were|has|have|had|shows|reached|stands|means|makes|shows|corresponds|matches)|where\b"
    r"|given that|due to|based on"
    r"|according to|explanation\b|reason(?:ing)?:"
    r"|i hope|let me know|so that|by the (?:chart|figure|graph|data|plot|table|evidence)\b|in the (?:chart|figure"
    r"|image|graph|diagram|picture|table|plot)\b|(?:on|from) the (?:chart|figure|image|graph|diagram|picture|plot)\b"
    r"|(?:as|like) (?:required|requested|expected|stated|explained)|i (?:think|believe|guess|suppose)\b|thank"
    r"|note that|obviously|of course\b|for sure\b"
    r"|(?:if i|as far as i) .{0,40}\Z|hence\b|therefore\b|while\b|whereas\b)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\s\((?:final|approx\.?|approximately|estimated?|rounded|about|my answer|final answer)\)(?=\W*\Z)", re.IGNORECASE
)
_LEAD = re.compile(
    r"(?:(?:sure|okay|ok|well|great|certainly|of course|alright|yes sir|hmm+|so|thus|hence|therefore|then|finally"
    r"|overall|in conclusion|in summary"
    r"|clearly|obviously|indeed|now)(?:[!,:.]+|\s-)?\s+(?=\S)"
    r"|i (?:think|believe|guess|suppose|would say|am sure|am confident|would (?:pick|choose|go with|answer|select)"
    r"|(?:pick|choose|select))(?: that)?,?\s+"
    r"|(?:probably|likely|maybe|perhaps|apparently|presumably|most likely),?\s+"
    r"|(?:based on|according to|looking at|from|in|as (?:shown|seen|indicated) (?:in|on|by)|judging (?:by"
    r"|from)) (?:the|this|that|our) [^,\n.]{1,60},\s+)",
    re.IGNORECASE,
)
_ABBREVIATIONS = frozenset(
    [
        "vs", "st", "dr", "mr", "mrs", "ms", "prof", "no", "nos", "fig", "figs", "inc", "ltd", "co", "corp", "eq",
        "eqs", "e.g", "i.e", "etc", "cf", "al", "jr", "sr", "mt", "ft", "dept", "est", "approx", "avg", "max",
        "min", "u.s", "u.k", "u.n", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
        "dec", "a.m", "p.m", "ca", "p", "pp", "vol", "ed", "sq", "resp",
    ]
)  # fmt: skip
_SENTENCE_END = re.compile(
    r"(?<=[.!?。])[\"')\]*]{0,3}\s+(?=[\"'(\[*$\\A-Z0-9]|so\b|and\b|i\b|it\b|the\b|this\b)|(?<=。)(?=\S)"
)


def is_remark(line: str) -> bool:
    """Whether a line only accompanies an answer.

    >>> is_remark("I hope this helps!"), is_remark("**Explanation:** it is tall"), is_remark("12")
    (True, True, False)
    """
    bare = line.lstrip("*_#>-• (\t")
    return _REMARK.match(bare) is not None


def trim_remarks(text: str) -> str:
    """Cut the polite start and the reasoning behind an answer, and keep its first sentence.

    >>> trim_remarks("I think C because of the big bar")
    'C'
    >>> trim_remarks("12. The bar is tall."), trim_remarks("Accuracy vs. Epoch")
    ('12.', 'Accuracy vs. Epoch')
    """
    for _ in range(4):
        lead = _LEAD.match(text)
        if not lead or lead.end() >= len(text):
            break
        text = text[lead.end() :]
    first = _ASIDE.sub("", sentences(text)[0]) if text else text
    tail = _TAIL.search(first, 1)
    return first[: tail.start()] if tail and first[: tail.start()].strip("*_\"'( ") else first


def sentences(text: str, *, limit: int = 400) -> list[str]:
    """Split prose into sentences; abbreviations, initials and decimal points end none.

    >>> sentences("It is 3.5. So we stop. (St. Louis)")
    ['It is 3.5.', 'So we stop.', '(St. Louis)']
    """
    parts: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if len(parts) >= limit:
            break
        piece = text[start : match.start()]
        if _ends_sentence(piece):
            parts.append(piece + match[0].rstrip())
            start = match.end()
    parts.append(text[start:])
    return [part for part in parts if part.strip()] or [text]


def _ends_sentence(piece: str) -> bool:
    if not piece.endswith("."):
        return True
    word = piece[:-1].rsplit(None, 1)[-1].lstrip("(\"'*[") if piece[:-1].strip() else ""
    if word.lower() in _ABBREVIATIONS:
        return False
    return not (len(word) == 1 and word.isalpha())


_FIRST_IDEA = re.compile(
    r"\b(?:first|initially|originally|at first|earlier)\b[^.;\n]{0,30}\b(?:thought|guess(?:ed)?|considered|said"
    r"|wrote|got|believed|chose|picked|assumed)\b"
    r"|\b(?:thought|guessed) (?:of|it was|about|that)\b|\bmy first (?:idea|guess|thought|answer)\b",
    re.IGNORECASE,
)
_TURN = re.compile(r"[,;.]?\s{0,12}\b(?:but|however|then|yet|although)\b(?:\s*,)?\s*(?:now\s+)?", re.IGNORECASE)
_RETRACT = re.compile(
    r"[\s,;.:!?(—–-]{1,12}(?:no,? wait|wait|hold on|oops|actually|correction|scratch that|i mean|i meant|sorry"
    r"|or rather|on second thought)[,:;.!—–-]+\s*"
    r"|[\s,;.!?(—–-]{0,11}[,;.!?(—–-]\s{0,4}no[,:;.!—–-]+\s*"
    r"|[\s,;.:!?(—–-]{1,12}(?:i mean|i meant|or rather|make that|actually|correction:?|changed to|corrected to)\s+",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    r"\b(?:is |are )?not\b(?:[^.;\n]|\.(?=\d)){1,80}?\bbut(?: rather| instead)?\s+(?=\S)", re.IGNORECASE
)
_DENIED_TAIL = re.compile(
    r"(?:[,;(—–-]\s*(?:and |but )?(?:not|never)|\s(?:and|but) not|[\s,(](?:rather than|instead of|as opposed to"
    r"|unlike))\s+"
    r"(?!applicable|available|only|sure|enough|less|more)[^;\n]*\Z|(?-i:(?<=[A-Z0-9)*])) not (?:an? "
    r"|the )?\S{1,12}\Z",
    re.IGNORECASE,
)


def after_correction(text: str) -> str:
    """What counts after a first idea was corrected or another one denied.

    >>> after_correction("I first thought of (A), but the right one is (B)")
    'the right one is (B)'
    >>> after_correction("It is B, not C"), after_correction("not 6.1 but 5.2"), after_correction("12, no wait, 13")
    ('It is B', '5.2', '13')
    """
    for match in list(_RETRACT.finditer(text, 1))[-1:]:
        if text[match.end() :].strip(" .*\"'"):
            text = text[match.end() :]
    if _FIRST_IDEA.search(text):
        turns = [m for m in _TURN.finditer(text) if text[m.end() :].strip()]
        turns = [m for m in turns if "then" not in m[0].lower()] or turns
        text = text[turns[-1].end() :] if turns else text
    swapped = _NOT_BUT.search(text)
    if swapped:
        text = text[: swapped.start()] + text[swapped.end() :]
    denied = _DENIED_TAIL.search(text, 1)
    return text[: denied.start()] if denied and text[: denied.start()].strip() else text


_PLACEHOLDER = re.compile(
    r"[<\[{(*$\s_]*(?:(?:your |the |final |my |correct |option |choice |chosen )*(?:answer|letter|option|choice"
    r"|number|value|result)"
    r"(?: (?:here|goes here|letter|choice|value))?|final|your_answer|final_answer|answer_here|placeholder"
    r"|insert .{0,30})[>\]})*$\s_.]*",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\A\s*(?:[<\[{$(]|\\text)")


def is_placeholder(text: str) -> bool:
    """Whether a marked content is the template's, not the model's.

    >>> is_placeholder("<answer>"), is_placeholder("$LETTER"), is_placeholder("letter"), is_placeholder("[B]")
    (True, True, False, False)
    """
    stripped = text.strip()
    if not stripped.strip("\"'`*_.-… ()[]{}<>$"):
        return True
    return _PLACEHOLDER.fullmatch(stripped) is not None and (
        _BRACKETED.match(stripped) is not None or "answer" in stripped.lower()
    )


_UNANSWERABLE = re.compile(
    r"\b(?:unanswerable|not answerable|un-?determin\w+|indeterminate|undetermined|undecidable|inconclusive"
    r"|(?:can(?:not|'?t| not)|could(?: not|n'?t)|impossible to|not possible to|unable to|no way to|hard to"
    r"|difficult to|isn'?t possible to) (?:be )?"
    r"(?:\w+ly )?(?:determine|tell|answer|know|say|infer|conclude|decide|identif\w+|read|see|find|calculate"
    r"|compute|work out|establish|deduc\w+|answered|solve)\w*"
    r"|(?:not enough|insufficient|no|lacks?|missing|without) (?:more |further |enough |sufficient )?(?:information"
    r"|info|data|context|details?)"
    r"|(?:do(?: not|n'?t)|did(?: not|n'?t)) (?:really )?(?:know|see|have|understand|think (?:it|this) can)|no idea"
    r"|not sure|unsure|uncertain"
    r"|(?:does|do)(?: not|n'?t) (?:provide|contain|give|include|specify|mention|offer|state)"
    r"|(?:is|are) not (?:visible|clear|given|shown|provided|specified|legible|readable|stated)|not (?:visible"
    r"|given|provided|specified|shown|stated|mentioned|available)\Z"
    r"|unclear|illegible|unreadable|unspecified)\b|\A(?:unknown|no answer|idk|dunno)\W*\Z",
    re.IGNORECASE,
)
_NOT_APPLICABLE = re.compile(
    r"\A\W*(?:n\s?[/\\.]?\s?a\.?|not[\s-]?applicable|does not apply|inapplicable)\W*\Z", re.IGNORECASE
)
_NONE = re.compile(
    r"\A\W*(?:none|nothing|null|nil|none of (?:the above|these|them|the options|the (?:given )?choices|those)"
    r"|(?:(?:there (?:is|are)|(?:it|the [\w-]{1,20}(?: [\w-]{1,20})?) (?:has|have|shows)) )?no (?:[\w-]{1,20} ){0,2}"
    r"(?:one|titles?|labels?|legend|answer|ticks?|lines?|colou?rbar|axis|name|caption|value|data))\W*\Z",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\A\W*(?:i(?:'m| am) (?:sorry|afraid|unable|not able)|sorry|i (?:can(?:not|'?t| not)|won'?t|will not"
    r"|must decline)\b|as an ai\b|my apologies|i apologi[sz]e|unfortunately)",
    re.IGNORECASE,
)


def abstention(text: str) -> Abstention:
    """How a text declines to answer, "" when it answers.

    >>> abstention("I don't know"), abstention("N/A"), abstention("none of the above"), abstention("I'm sorry, no.")
    ('unanswerable', 'not applicable', 'none', 'refusal')
    >>> abstention("12")
    ''
    """
    head = " ".join(text[:300].split())
    if _NOT_APPLICABLE.match(head):
        return "not applicable"
    if _NONE.match(head):
        return "none"
    if _UNANSWERABLE.search(head):
        return "unanswerable"
    if _REFUSAL.match(head):
        return "refusal"
    return "" if _SAYS_SOMETHING.search(text) else "refusal"


_SAYS_SOMETHING = re.compile(r"[^\W_]|[√π∞αβγθ°%+=<>∅≤≥]")


def is_abstaining(text: str) -> bool:
    """Whether a text declines to answer (an empty or purely decorative one too)."""
    return abstention(text) != ""


_OR = re.compile(r"\s*(?:,\s*)?\b(?:and/or|or(?: else| maybe| possibly| perhaps)?)\b\s*|\s*;\s*", re.IGNORECASE)
_EITHER = re.compile(r"\A(?:either|both|maybe|perhaps|possibly)\s+", re.IGNORECASE)


def alternatives(text: str) -> list[str]:
    """Split "B or C", "12; 13", "either red or blue" into the candidates named side by side.

    >>> alternatives("either 12 or 13"), alternatives("B"), alternatives("orange")
    (['12', '13'], ['B'], ['orange'])
    """
    if len(text) > 400:
        return [text]
    text = _EITHER.sub("", text.strip())
    return [part for part in _OR.split(text) if part.strip()] or [text]
