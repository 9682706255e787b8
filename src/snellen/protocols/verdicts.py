"""Reading a verdict out of a judge's reply. A token that is not exactly one allowed verdict is unparsed.

Linear in the reply, never raises. Invisible characters are removed first.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from snellen.protocols.quoting import clean

TRUE_WORDS = frozenset({"true", "yes", "correct"})
FALSE_WORDS = frozenset({"false", "no", "incorrect"})
MAX_CHARS = 400_000
"""Of a longer reply only the end is read."""
_ANSWER_LINE = re.compile(
    r"(?im)^[^\S\n]{0,20}[*_`\"']{0,4}answer[*_`\"']{0,4}[^\S\n]{0,20}:[^\S\n]{0,20}[*_`\"']{0,4}[^\S\n]{0,20}"
    r"(true|false|yes|no)[*_`\"']{0,4}[.!,;]?[*_`\"']{0,4}[^\S\n]{0,20}$"
)
_FENCE = re.compile(r"\A```[\w-]{0,20}[^\S\n]{0,20}\n(?P<body>.*)```\Z", re.DOTALL)
_EDGE = " \t\r\n*_`\"'.!"


def word(token: Any, true: frozenset[str] = TRUE_WORDS, false: frozenset[str] = FALSE_WORDS) -> bool | None:
    """One verdict word, however it is dressed; None for anything else.

    >>> word(" **Correct.** "), word("FALSE"), word("truefalse"), word("correct/incorrect"), word("C")
    (True, False, None, None, None)
    """
    if not isinstance(token, str):
        return None
    plain = clean(token[-200:] if len(token) > 200 else token).strip(_EDGE).lower()
    return True if plain in true else False if plain in false else None


def boolean_verdict(reply: str) -> bool | None:
    r"""DatBench's forms: JSON with `answer`, a bare boolean, a line `answer: true`, or the whole reply one word.

    Where several `answer:` lines stand, the last is the judge's own.

    >>> boolean_verdict('{"answer": false}'), boolean_verdict("It fits.\nanswer: true"), boolean_verdict("YES")
    (False, True, True)
    >>> boolean_verdict("answer: truefalse"), boolean_verdict('{"score": 1}'), boolean_verdict("It is true.")
    (None, None, None)
    """
    text = clean(reply[-MAX_CHARS:]).strip()
    if not text:
        return None
    found = _json_verdict(text)
    if found is not None:
        return found
    lines = _ANSWER_LINE.findall(text)
    if lines:
        return bool(lines[-1].lower() in TRUE_WORDS)
    return word(text)


def _json_verdict(text: str) -> bool | None:
    fenced = _FENCE.match(text)
    inner = (fenced["body"] if fenced else text).strip()
    if inner[:1] not in "{tf":
        return None
    try:
        value = orjson.loads(inner)
    except orjson.JSONDecodeError:
        return None
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        return None
    answer = value.get("answer", next((v for k, v in value.items() if k.lower() == "answer"), None))
    return answer if isinstance(answer, bool) else word(answer)


def tagged(reply: str, tag: str) -> str | None:
    r"""What stands behind the last `tag:` at the beginning of a line; None where there is none.

    >>> tagged("| verdict ab12: correct\nverdict ab12: incorrect", "verdict ab12")
    'incorrect'
    """
    pattern = re.compile(rf"(?im)^[^\S\n]{{0,20}}[*_`]{{0,4}}{re.escape(tag)}[*_`]{{0,4}}[^\S\n]{{0,20}}:([^\n]*)$")
    found = pattern.findall(clean(reply[-MAX_CHARS:]))
    return found[-1].strip(" \t*_`") if found else None


def tagged_verdict(reply: str, nonce: str) -> bool | None:
    """The verdict behind this call's own tag; a reply that is one word alone is read too.

    >>> tagged_verdict("verdict ab12: correct", "ab12"), tagged_verdict("Incorrect.", "ab12")
    (True, False)
    >>> tagged_verdict("verdict ffff: correct", "ab12") is None
    True
    """
    token = tagged(reply, f"verdict {nonce}")
    return word(token if token is not None else reply)


def before_tag(reply: str, tag: str) -> str:
    """The judge's reason: what stands before its last tag, shortened."""
    at = clean(reply[-MAX_CHARS:]).lower().rfind(tag.lower())
    return " ".join(clean(reply)[: at if at >= 0 else None].split())[:500]
