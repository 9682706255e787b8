"""Read a JSON-like object out of free text, forgivingly: prose, fences, Python quotes, missing commas and braces.

Strict JSON is tried first at every place where an object may begin. Where it fails, a forgiving reader takes over,
which closes what was left open, so that a truncated object keeps its finished members. Work is linear in the text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 200
"""Brackets nested deeper than this are no record but a runaway output."""
MAX_KEY_CHARS = 200
MAX_CHARS = 400_000
"""Characters that the forgiving reader looks at; strict JSON may be longer."""
_MAX_STRICT_TRIES = 16

_PAIRS = {'"': '"', "'": "'", "“": '“”"', "”": '“”"', "„": '“”"', "‘": "‘’'", "’": "‘’'", "`": "`'"}
_QUOTES = "".join(_PAIRS)
_STOPS = {quotes: re.compile(rf"[\\{quotes}]") for quotes in set(_PAIRS.values())}
_BLANK = re.compile(r"[ \t\r\n\f\v\u00a0\u3000]*")
_START = re.compile(r"\{|\[(?=\s*[\[{])")
_BARE_VALUE = re.compile(r"[^,}\]\n]*")
_BARE_KEY = re.compile(rf"[^:={{}}\[\],\n{_QUOTES}]{{1,{MAX_KEY_CHARS}}}(?=[:=])")
_SKIPPED = re.compile(r"[^,}\]\n{\[]*")
_COLON = re.compile(r"\s*[:=]>?")
_LOOSE_MEMBER = re.compile(rf"[{_QUOTES}][^{_QUOTES}\n:{{}}]{{1,{MAX_KEY_CHARS}}}[{_QUOTES}]\s*:")
_FENCE = re.compile(r"```[\w+-]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NULLS = frozenset({"null", "none", "nan", "undefined", ""})


class Bare(str):
    """A token written without quotes: a number as written, `true`, or a plain word."""

    __slots__ = ()


class RunawayError(ValueError):
    """The brackets are nested beyond any record."""


def read_object(text: str) -> dict[str, Any] | list[Any] | None:
    """Find the first record in a text.

    Args:
        text: free text; fences, prose, boxes and half an object are fine.

    Returns:
        A dict, or a list that holds dicts; None when there is no record. Numbers and truth values come as `Bare`
        text, exactly as written; nulls as None. A list of one dict is that dict.

    >>> read_object("Sure: {'total': 12.50, 'items': ['a', 'b',]")
    {'total': '12.50', 'items': ['a', 'b']}
    >>> read_object("nothing here") is None
    True
    """
    found: Any
    try:
        found = _STRICT.decode(text.strip())
        if _is_record(found):
            return _without_list_of_one(found)
    except (ValueError, RecursionError):
        text = text[:MAX_CHARS]
    for form in dict.fromkeys((text, unicodedata.normalize("NFKC", text))):
        try:
            found = _first_record(_fenced(form))
        except (RunawayError, RecursionError):
            return None
        if found is not None:
            return _without_list_of_one(found)
    return None


def _without_list_of_one(found: dict[str, Any] | list[Any]) -> dict[str, Any] | list[Any]:
    return found[0] if isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict) else found


def read_lines(text: str) -> dict[str, Any]:
    r"""Read `key: value` lines; a value is the rest of its line.

    >>> read_lines("**Name:** Joe's Cafe\n- total = 12.50")
    {'Name': "Joe's Cafe", 'total': '12.50'}
    """
    members: dict[str, Any] = {}
    for line in text.splitlines():
        key, separator, value = _split_line(line.strip())
        if separator:
            members[key] = value
    return members


def _split_line(line: str) -> tuple[str, str, str]:
    at = min((line.find(sign) for sign in ":=：" if sign in line[: MAX_KEY_CHARS + 1]), default=-1)
    if at <= 0:
        return "", "", ""
    key = line[:at].strip(f" \t*-•#_>{{{_QUOTES}")
    value = line[at + 1 :].strip(" \t*_").rstrip(",").strip()
    if len(value) > 1 and value[0] in _PAIRS and value[-1] in _PAIRS[value[0]]:
        value = value[1:-1]
    return (key, ":", value) if key else ("", "", "")


def _fenced(text: str) -> str:
    """The first code fence that holds the start of a record, else the whole text."""
    fences = list(_FENCE.finditer(text))
    for at, fence in enumerate(fences):
        end = fences[at + 1].start() if at + 1 < len(fences) else len(text)
        content = text[fence.end() : end]
        if _START.search(content) or _LOOSE_MEMBER.search(content):
            return content
    return text


def _first_record(text: str) -> dict[str, Any] | list[Any] | None:
    loose = _LOOSE_MEMBER.search(text)
    start = _START.search(text)
    if loose and (start is None or loose.start() < start.start()):
        return _Reader(text, loose.start(), braces=False).read() or None
    second_best: dict[str, Any] | list[Any] | None = None
    n_tries = 0
    while start is not None:
        found, end, is_sure = _record_at(text, start.start(), strictly=n_tries < _MAX_STRICT_TRIES)
        n_tries += 1
        if found is not None and (is_sure or second_best is None):
            if is_sure and found:
                return found
            second_best = second_best or found
        start = _START.search(text, max(end, start.start() + 1))
    return second_best


def _record_at(text: str, start: int, *, strictly: bool) -> tuple[dict[str, Any] | list[Any] | None, int, bool]:
    """(record, offset behind it, whether it is surely meant as one: strict JSON or quoted keys)."""
    # A failing strict try costs a walk over the text (the error counts lines), so their number is bounded.
    if strictly:
        try:
            value, end = _STRICT.raw_decode(text, start)
            return (value, end, True) if _is_record(value) else (None, end, False)
        except ValueError:
            pass
    reader = _Reader(text, start)
    value, end = reader.read(), reader.position
    return (value, end, reader.is_quoted) if _is_record(value) else (None, end, False)


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value))


_STRICT = json.JSONDecoder(parse_float=Bare, parse_int=Bare, parse_constant=Bare, strict=False)


@dataclass(slots=True)
class _Frame:
    """An open bracket."""

    members: dict[str, Any] | list[Any]
    """What it holds so far."""
    key: str | None = None
    """The key that waits for its value, in a dict."""

    def add(self, value: Any) -> None:
        if isinstance(self.members, list):
            self.members.append(value)
        elif self.key is not None:
            self.members[self.key] = value
            self.key = None


@dataclass(slots=True)
class _Reader:
    """The forgiving reader: one pass with an explicit stack."""

    text: str
    position: int
    braces: bool = True
    """False reads members that stand without their outer braces."""
    is_quoted: bool = False
    """Whether the first key of the outermost dict is in quotes."""
    stack: list[_Frame] = field(default_factory=list)

    def read(self) -> dict[str, Any] | list[Any] | None:
        """The record at the position, None when its first member cannot be read."""
        if self.braces:
            self._open(self.text[self.position])
            self.position += 1
        else:
            self._open("{")
        root = self.stack[0]
        while self.stack and self._skip_blank():
            frame = self.stack[-1]
            is_key = isinstance(frame.members, dict) and frame.key is None
            if not (self._read_key(frame) if is_key else self._read_value(frame)):
                return None
        if self.stack and not root.members and root.key is None:
            return None
        for frame in self.stack:
            if frame.key is not None:
                frame.add(None)
        return root.members

    def _open(self, bracket: str) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise RunawayError(f"brackets nested deeper than {MAX_DEPTH}")
        frame = _Frame({} if bracket == "{" else [])
        if self.stack:
            self.stack[-1].add(frame.members)
        self.stack.append(frame)

    def _skip_blank(self) -> bool:
        found = _BLANK.match(self.text, self.position)
        self.position = found.end() if found else self.position
        return self.position < len(self.text)

    def _read_key(self, frame: _Frame) -> bool:
        sign = self.text[self.position]
        if sign in "}],":
            self.position += 1
            if sign != ",":
                self.stack.pop()
            return True
        is_first = len(self.stack) == 1 and not frame.members
        key = self._quoted(is_key=True) if sign in _PAIRS else self._bare_key()
        colon = _COLON.match(self.text, self.position) if key is not None else None
        if key is None or colon is None:
            return not is_first and self._skip_token()
        if is_first:
            self.is_quoted = sign in _PAIRS
        self.position = colon.end()
        frame.key = key
        return True

    def _skip_token(self) -> bool:
        found = _SKIPPED.match(self.text, self.position)
        end = found.end() if found else self.position
        self.position = end if end > self.position else self.position + 1
        return True

    def _bare_key(self) -> str | None:
        found = _BARE_KEY.match(self.text, self.position)
        if found is None:
            return None
        self.position = found.end()
        return found[0].strip()

    def _read_value(self, frame: _Frame) -> bool:
        sign = self.text[self.position]
        if sign in "{[":
            self._open(sign)
            self.position += 1
        elif sign in "}]":
            self.position += 1
            if frame.key is not None:
                frame.add(None)
            self.stack.pop()
        elif sign == ",":
            self.position += 1
            if frame.key is not None:
                frame.add(None)
        elif sign in _PAIRS:
            frame.add(self._quoted(is_key=False))
        else:
            frame.add(self._bare_value())
        return True

    def _bare_value(self) -> Bare | None:
        found = _BARE_VALUE.match(self.text, self.position)
        end = found.end() if found else self.position
        token = self.text[self.position : end].strip()
        self.position = max(end, self.position + 1)
        return None if token.lower() in _NULLS else Bare(token)

    def _quoted(self, *, is_key: bool) -> str:
        """A text in quotes; a quote sign closes it only where the structure goes on, an open one runs to the end."""
        stops = _STOPS[_PAIRS[self.text[self.position]]]
        pieces: list[str] = []
        at = self.position + 1
        while (stop := stops.search(self.text, at)) is not None:
            pieces.append(self.text[at : stop.start()])
            if stop[0] == "\\":
                piece, at = _unescaped(self.text, stop.start())
                pieces.append(piece)
            elif self._closes(stop.end(), is_key=is_key):
                self.position = stop.end()
                return "".join(pieces)
            else:
                pieces.append(stop[0])
                at = stop.end()
        pieces.append(self.text[at:])
        self.position = len(self.text)
        return "".join(pieces)

    def _closes(self, end: int, *, is_key: bool) -> bool:
        found = _BLANK.match(self.text, end)
        after = found.end() if found else end
        if after >= len(self.text) or self.text[after] in (":=" if is_key else ",}]"):
            return True
        return not is_key and "\n" in self.text[end:after] and self.text[after] in _PAIRS


def _unescaped(text: str, at: int) -> tuple[str, int]:
    sign = text[at + 1 : at + 2]
    if sign in _ESCAPES:
        return _ESCAPES[sign], at + 2
    if sign == "u":
        digits = text[at + 2 : at + 6]
        if len(digits) == 4 and all(one in "0123456789abcdefABCDEF" for one in digits):
            return chr(int(digits, 16)), at + 6
    if sign and sign in _QUOTES + "\\/":
        return sign, at + 2
    return "\\" + sign, at + 1 + len(sign)
