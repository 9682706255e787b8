r"""Where a text marks its answer: boxes, answer lines and phrases, `<answer>` elements, a JSON object's `answer`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import orjson

MAX_MARKS = 256
"""Marks of one kind that are kept, the last ones; an answer stands at the end, and work must stay bounded."""
MAX_OPEN_CHARS = 20_000
"""Characters of a box that is never closed."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One place where a text says: this is the answer."""

    kind: str
    """"box", "element", "json" or "line"."""
    start: int
    """Offset of the marker."""
    end: int
    """Offset behind the marker's content."""
    content: str
    """What it marks, as written."""


_BOX = re.compile(
    r"(?<![A-Za-z\\])boxed(?=\{)|\\+(?:boxed|fbox|framebox|bbox)(?![A-Za-z])\s?|<\|begin_of_box\|>|\\+boxed(?=[A-Z0-9](?![a-z]))"
)
_ELEMENT = re.compile(r"<\s{0,3}(answer|final[_ ]?answer|final)\s{0,3}>", re.IGNORECASE)
_JSON_KEY = re.compile(
    r"""["'](?:the[ _])?(?:final[ _-]?|correct[ _-]?|predicted[ _-]?)?(?:answer|result)["']\s{0,8}:\s{0,8}""",
    re.IGNORECASE,
)
_ADJECTIVE = (
    r"(?:final|correct|right|best|short|overall|numerical|numeric|exact|most\ likely|possible|predicted|required)"
)
_MARKDOWN = r"[*_`#\"')\]]{0,6}"
_COPULA = (
    r"(?:is|are|was|were|would\ be|should\ be|must\ be|will\ be|has\ to\ be|comes\ out\ (?:as|to\ be)|equals"
    r"|seems\ to\ be|appears\ to\ be|can\ be|could\ be|may\ be|might\ be)"
)
_ADVERB = (
    r"(?:,?\ (?:therefore|thus|then|hence|indeed|clearly|simply|now|also|actually|probably|likely|most\ likely),?)"
)
_OBJECT = r"(?:\ (?:to|for|of)\ (?:the|this|your|my)\ (?:\w{1,20}\ ){0,2}(?:question|problem|task|puzzle|exercise))"
_ENGLISH = (
    rf"(?:{_ADJECTIVE}\s{{1,3}}){{0,2}}(?:answer|result|ans)(?:\ (?:choice|option|letter|value"
    rf"|number))?{_OBJECT}?{_MARKDOWN}"
    rf"(?:\s{{0,3}}(?::(?!\w*//)|=|→|->|=>)|\ {{1,3}}[-–—]{{1,2}}\ "
    rf"|{_ADVERB}?\ {_COPULA}{_ADVERB}?(?=[\s:*`$\"'\\(])\ ?{_MARKDOWN}:?"
    rf"|\.(?=\ ?[A-Z0-9(\\]\S{{0,6}}\s*$))"
)
_FOREIGN_WORDS = (
    r"respuesta|réponse|reponse|antwort|lösung|resposta|risposta|ответ|відповідь|odpowiedź|odpověď|antwoord"
    r"|jawaban|svar"
    r"|cevap|yanıt|απάντηση|vastaus|válasz|răspuns|отговор|đáp\ án|उत्तर|الإجابة|الجواب|תשובה|คำตอบ"
)
_FOREIGN = (
    rf"(?:{_FOREIGN_WORDS})(?:\s(?:final|finale|correct[ao]?|correcte|richtige|korrekte|верный|الصحيحة"
    rf"|النهائية)){{0,2}}"
    rf"{_MARKDOWN}(?:\s{{0,3}}(?::|=|→)|\ [-–—]\ |\ (?:es|est|ist|lautet|é|è|to|is|är|er|on|este|είναι|هي"
    rf"|هو)(?=[\s:*]):?)"
)
_CJK = (
    r"(?:最终|最終|正确|正確|正しい|参考)?(?:的)?(?:答案|回答|答え|解答|结果|答)(?:选项)?"
    rf"{_MARKDOWN}\s?(?:应该|應該)?(?::|是|为|為|は|選|选){_MARKDOWN}:?|(?:정답|답변|답)(?:은|는|:|\s:){_MARKDOWN}|(?:故|因此"
    rf"|所以)?(?:应)?选(?:择)?(?::|(?=\s?[A-Z]))"
)
_LINE = re.compile(rf"(?<![^\W_])(?:{_ENGLISH}|{_FOREIGN})|{_CJK}", re.IGNORECASE | re.MULTILINE)
_HEADING = re.compile(
    rf"^[ \t>*#_`-]{{0,8}}(?:\d\.\ )?(?:{_ADJECTIVE}\ )?(?:answer|result|{_FOREIGN_WORDS}|答案)[ \t*_`#:]{{0,8}}\n",
    re.IGNORECASE | re.MULTILINE,
)
_ALONE = re.compile(
    rf"^[ \t>*#_`-]{{0,8}}(?:{_ADJECTIVE}\ )?answer{_MARKDOWN}\ (?=[(\[*]{{0,3}}(?:[A-Z]"
    rf"|\d[\d.,]*)[)\]*.]{{0,3}}\s*$)"
    r"|^[ \t>*#_`-]{0,8}final answer[*_`]{0,4} "
    r"(?!(?:is|was|for|to|in|as|with|and|or|of|format|below|here|must|should|choice|only)\b)"
    r"(?=[^\n:=]{1,40}$)",
    re.IGNORECASE | re.MULTILINE,
)
_HINT = re.compile(
    rf"ans|result|{_FOREIGN_WORDS}|答|选|結|结|정답|답", re.IGNORECASE
)  # one cheap look before the full pattern


def find_marks(text: str) -> list[Mark]:
    r"""All marked answers of a folded text in order, the outermost where one lies in another's container.

    >>> [(m.kind, m.content) for m in find_marks(r"So \boxed{\frac{1}{2}}." + "\nAnswer: 7")]
    [('box', '\\frac{1}{2}'), ('line', ' 7')]
    """
    containers = _boxes(text) if "box" in text else []
    if "<" in text:
        containers += _elements(text)
    if ":" in text and ('"' in text or "'" in text):
        containers += _json_values(text)
    lines = _lines(text) if _HINT.search(text) else []
    return _outermost(containers, lines)


def _outermost(containers: list[Mark], lines: list[Mark]) -> list[Mark]:
    containers.sort(key=lambda mark: mark.start)
    kept: list[Mark] = []
    end = -1
    for mark in containers:
        if mark.start >= end:
            kept.append(mark)
            end = mark.end
    outside = [line for line in lines if not any(c.start < line.start < c.end for c in kept[-64:])]
    return sorted([*kept, *outside], key=lambda mark: mark.start)


def _boxes(text: str) -> list[Mark]:
    found = list(_BOX.finditer(text))[-MAX_MARKS:]
    if not found:
        return []
    closing = closing_braces(text, found[0].start())
    return [_box(text, match, closing) for match in found]


def _box(text: str, match: re.Match[str], closing: dict[int, int]) -> Mark:
    start = match.end()
    if match[0].startswith("<"):
        end = text.find("<|end_of_box|>", start)
        end = len(text) if end < 0 else end
        return Mark("box", match.start(), end, text[start:end])
    if text[start : start + 1] == "{":
        stop = closing.get(start)
        if stop is not None:
            return Mark("box", match.start(), stop + 1, text[start + 1 : stop])
        end = min(_line_end(text, start), start + MAX_OPEN_CHARS)
        return Mark("box", match.start(), end, text[start + 1 : end])
    end = _token_end(text, start)
    return Mark("box", match.start(), end, text[start:end])


def closing_braces(text: str, start: int = 0) -> dict[int, int]:
    r"""Offsets of `{` → offsets of their `}`, from `start` on, in one pass (escaped braces are no brackets).

    >>> closing_braces("{a{b}}")
    {2: 4, 0: 5}
    """
    open_at: list[int] = []
    pairs: dict[int, int] = {}
    for match in _BRACE.finditer(text, start):
        sign = match[0]
        if sign == "{":
            open_at.append(match.start())
        elif sign == "}" and open_at:
            pairs[open_at.pop()] = match.start()
    return pairs


_BRACE = re.compile(r"\\[{}]|[{}]")


def _elements(text: str) -> list[Mark]:
    marks = []
    for match in list(_ELEMENT.finditer(text))[-MAX_MARKS:]:
        close = re.compile(
            r"<\s{0,3}/\s{0,3}" + re.escape(match[1]) + r"\s{0,3}>|<\s{0,3}(?:answer|final)", re.IGNORECASE
        )
        found = close.search(text, match.end())
        end = found.start() if found else len(text)
        marks.append(Mark("element", match.start(), end, text[match.end() : end]))
    return marks


def _json_values(text: str) -> list[Mark]:
    return [_json_value(text, match) for match in list(_JSON_KEY.finditer(text))[-MAX_MARKS:]]


def _json_value(text: str, match: re.Match[str]) -> Mark:
    start = match.end()
    first = text[start : start + 1]
    if first in ('"', "'"):
        end = _quote_end(text, start)
        return Mark("json", match.start(), end, _unquote(text[start:end]))
    if first == "[":
        end = text.find("]", start, start + 20_000) + 1 or _line_end(text, start)
        return Mark("json", match.start(), end, text[start:end])
    end = start + len(_JSON_PLAIN.match(text, start)[0])  # type: ignore[index]  # the pattern matches the empty text
    content = text[start:end].strip()
    return Mark("json", match.start(), end, "" if content == "null" else content)


_JSON_PLAIN = re.compile(
    r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|(?:\{[^{}\n]{0,200}\}|[^,}\n]){0,2000}(?:,(?!\s{0,8}[\"'}])[^,}\n]{0,200}){0,20}"
)


def _quote_end(text: str, start: int) -> int:
    quote = text[start]
    escaped = False
    for at in range(start + 1, min(len(text), start + MAX_OPEN_CHARS)):
        if escaped:
            escaped = False
        elif text[at] == "\\":
            escaped = True
        elif text[at] == quote:
            return at + 1
        elif text[at] == "\n":
            return at
    return len(text)


_RAW_LATEX = re.compile(
    r"(?<!\\)\\(?:frac|text|times|theta|tau|tan|to|beta|boxed|binom|begin|bar|right|rho|neq|nu|not|forall|fbox)(?![a-z])"
)
"""LaTeX commands whose first letters JSON would take for an escape sign."""


def _unquote(token: str) -> str:
    if _RAW_LATEX.search(token):
        return token.strip("\"'")
    try:
        value = orjson.loads(token)
    except orjson.JSONDecodeError:
        return token.strip("\"'")
    return value if isinstance(value, str) else token


def _lines(text: str) -> list[Mark]:
    found = {match.end(): match for pattern in (_LINE, _HEADING, _ALONE) for match in pattern.finditer(text)}
    ordered = sorted(found.values(), key=lambda match: match.end())[-MAX_MARKS:]
    if not ordered:
        return []
    starts = [match.start() for match in ordered[1:]] + [len(text)]
    return [_line(text, match, stop) for match, stop in zip(ordered, starts, strict=True)]


def _line(text: str, match: re.Match[str], stop: int) -> Mark:
    """The rest of the line; where that is blank (or only Markdown), the next line that is not."""
    start = match.end()
    end = _line_end(text, start)
    while not text[start:end].strip(" \t*_`#:>$\\[") and end < len(text):
        start, end = end + 1, _line_end(text, end + 1)
    return Mark("line", match.start(), min(end, max(stop, start)), text[start : min(end, max(stop, start))])


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _token_end(text: str, start: int) -> int:
    match = _TOKEN.match(text, start)
    return match.end() if match else start


_TOKEN = re.compile(r"[^\s$,;]+")
