r"""Read a short answer (a word, a name, a number, a phrase) out of free text.

The first of these that holds something decides: the last pipe box, the last `\boxed{…}`, the last answer label, an
answer tag, a JSON object's answer, "the answer is …", and else the line that reads like the answer. What is found is
freed of Markdown, quotes, tags and LaTeX wrappers. Every step is linear in the text's length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from snellen.answers.folding import fold
from snellen.answers.peeling import peel
from snellen.answers.thinking import split_thinking

_LEAD = r"(?:(?:so|thus|therefore|hence|and|my|the|your|our|here is|here's)[ ,]+){0,4}"
_KIND = r"(?:(?:final|correct|short|best|right|direct)[ \t]+){0,2}"
_LABEL = re.compile(
    r"(?:^[ \t>*_#`•·+\-–]*+|(?<=[.!?;)>}] )[*_]{0,3})"
    + _LEAD
    + _KIND
    + r"(?:answer|(?:最终)?答案)"
    + r"(?:[*_`]{0,3}[ \t]*+(?:is[ \t]*+)?[*_`]{0,3}:[*_`]{0,3}|(?<=[*#_ ]answer)[*_]{0,3}[ \t]*+$)",
    re.IGNORECASE | re.MULTILINE,
)
_BARE_LABEL = re.compile(r"^[ \t>*]*" + _LEAD + _KIND + r"answer[*_`]{0,3}[ \t]*+$", re.IGNORECASE | re.MULTILINE)
_NON_BLANK = re.compile(r"\S")
_PLACEHOLDER = re.compile(r"[<\[{](?:your |the )?(?:final[ _]?)?(?:answer|final)(?: here)?[>\]}]", re.IGNORECASE)
_BOX = re.compile(r"(?<![a-zA-Z])f?boxed\s*+(?=\{)")
_BRACE = re.compile(r"(?<!\\)[{}]")
_TAG = re.compile(r"<\s*+(?P<close>/?)\s*+(?:answer|final[_ ]?answer|final)\s*+>", re.IGNORECASE)
_KEY = re.compile(r"""["'](?P<key>answer|final[_ ]answer|count)["']\s*+:\s*+\[?\s*+""", re.IGNORECASE)
_VALUE = re.compile(
    r"""(?P<json>"(?:[^"\\]|\\.)*+")|'(?P<quoted>(?:[^'\\]|\\.)*+)'|(?P<bare>-?\d++(?:\.\d++)?|true|false)""",
    re.DOTALL,
)
_PHRASE = re.compile(
    r"\b(?:the|my|correct|final)\s+answer(?:\s+(?:to|for|of)\b[^.:!?\n]{0,80}?)?\s+"
    r"(?:is|was|would be|must be|should be)\b[ \t]*+:?[ \t]*+(?=\S)(?!not\b)",
    re.IGNORECASE,
)
_NOUNS = (
    "answer|title|result|value|name|author|number|total|count|year|date|brand|price|colou?r|word|text|time|amount"
)
_FRAME = re.compile(
    rf"(?:^|[,.;:]\s|\bso\s|\bthat\s)(?:the|its)\s(?:(?:final|correct|total|main)\s){{0,2}}(?:{_NOUNS})"
    r"(?:\s(?:of|on|in|for|to|shown|printed)\b[^.:,!?]{0,80}?)?\s(?:is|was|reads|says)(?:\s?:)?\s(?=\S)(?!not\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?][\"'”’*)]*\Z")
_FENCE = re.compile(r"^[ \t]*+(?:```|~~~)[^\n`]*$", re.MULTILINE)
_END_TOKENS = re.compile(r"(?:\s|<\|im_end\|>|<\|endoftext\|>|<\|eot_id\|>|</s>|<eos>|<end_of_turn>)+\Z")


_TAIL = 200
"""How far from the end end-of-text tokens are looked for."""


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """What was read out of a response, and how."""

    text: str
    """The answer, "" when there is none."""
    marker: str = ""
    """What marked it: "pipe box", "box", "label", "tag", "json", "phrase"; "" when only the lines were read."""
    sentence: str = ""
    """The answer with its frame ("the title is …"), for readers who look at the words around it."""


def read_short(text: Any) -> ShortAnswer:
    r"""Read the short answer of a response.

    Args:
        text: raw model output, reasoning included; anything but a string reads as "".

    Returns:
        The answer without its dressing, and what marked it.

    >>> read_short("**Answer:** *Paris*").text, read_short(r"So \boxed{\text{5 cm}}.").text
    ('Paris', '5 cm')
    >>> read_short("twelve\n\nThis is written near the top of the page.").text
    'twelve'
    """
    body = answer_text(text)
    for marker, find in _FINDERS:
        found = find(body)
        if found is not None:
            found = (_last_box(found) or found) if marker != "box" else found
            return ShortAnswer(_unframed(found), marker, found)
    line = pick_line(body)
    phrase = _last(_PHRASE, body)
    if phrase is None or not (found := peel(body[phrase.end() :].partition("\n")[0])):
        return ShortAnswer(_unframed(line), "", line)
    return ShortAnswer(_without_period(found), "phrase", found)


def answer_text(text: Any) -> str:
    r"""The response without its reasoning, folded, with `\n` as its only line end and no end-of-text tokens.

    >>> answer_text("<think>hm</think>Lyon\u2028Paris<|im_end|>")
    'Lyon\nParis'
    """
    if not isinstance(text, str):
        return ""
    return without_end_tokens("\n".join(fold(split_thinking(text)[0]).splitlines()))


def without_end_tokens(text: str) -> str:
    r"""A text without white space and end-of-text tokens at its end.

    >>> without_end_tokens("Paris</s>\n<|im_end|>")
    'Paris'
    """
    return text[:-_TAIL] + _END_TOKENS.sub("", text[-_TAIL:])


def pipe_boxes(text: str) -> list[str]:
    """Insides of all pipe boxes in order, each from its opening to the nearest end.

    >>> pipe_boxes("<|begin_of_box|>7<|end_of_box|>")
    ['7']
    """
    pieces = text.split("<|begin_of_box|>")[1:]
    return [piece.partition("<|end_of_box|>")[0] for piece in pieces if "<|end_of_box|>" in piece] or [
        piece for piece in pieces if piece.strip()
    ]


def boxes(text: str) -> list[str]:
    r"""Insides of all `boxed{…}` groups by where they start, with balanced braces; an unclosed one runs to the end.

    >>> boxes(r"\boxed{\frac{1}{2}} and boxed {3")
    ['\\frac{1}{2}', '3']
    """
    if "boxed" not in text:
        return []
    openings = {match.end(): len(text) for match in _BOX.finditer(text)}
    stack: list[int] = []
    for brace in _BRACE.finditer(text) if openings else ():
        if brace[0] == "{":
            stack.append(brace.start())
        elif stack and (start := stack.pop()) in openings:
            openings[start] = brace.start()
    return [text[start + 1 : end] for start, end in _flat(openings)]


def _flat(openings: dict[int, int]) -> list[tuple[int, int]]:
    """Keep the work linear: of boxes nested in one another only the outermost and the innermost matter."""
    spans: list[tuple[int, int]] = []
    for start, end in openings.items():
        if len(spans) > 1 and end <= spans[-1][1] <= spans[-2][1]:
            spans.pop()
        spans.append((start, end))
    return spans


def pick_line(text: str) -> str:
    r"""The line that reads like the answer when nothing marks one.

    The last line, unless it is a sentence of five or more words and the first line is a short non-sentence.

    >>> pick_line("7\nThese are arranged in 2 rows."), pick_line("First I look.\n7")
    ('7', '7')
    """
    body = _FENCE.sub("", text) if "```" in text or "~~~" in text else text
    lines = [line for line in body.split("\n") if line and not line.isspace()]
    if not lines:
        return ""
    last = peel(lines[-1])
    if len(lines) > 1 and is_sentence(last):
        first = peel(lines[0])
        if first and len(first.split(maxsplit=7)) <= 6 and not is_sentence(first):
            return first
    return last


def is_sentence(line: str) -> bool:
    """Whether a line has five or more words and ends as a sentence ends.

    >>> is_sentence("It is near the top."), is_sentence("J. R. R. Tolkien.")
    (True, False)
    """
    return bool(_SENTENCE_END.search(line[-8:])) and len(line.split(maxsplit=5)) >= 5


def _last_pipe_box(text: str) -> str | None:
    return _last_filled(pipe_boxes(text)) if "<|begin_of_box|>" in text else None


def _last_box(text: str) -> str | None:
    return _last_filled(boxes(text))


def _last_filled(pieces: list[str]) -> str | None:
    return next((value for piece in reversed(pieces) if (value := peel(piece))), None)


def _last_label(text: str) -> str | None:
    labels = list(_LABEL.finditer(text))
    for label in reversed(labels):
        value = _label_value(text, label.end())
        if _PLACEHOLDER.fullmatch(value):
            return ""
        if value := peel(value):
            return value
    return "" if labels and not _LABEL.sub("", text).strip("*_`> \n") else None


def _label_value(text: str, position: int) -> str:
    start = _NON_BLANK.search(text, position)
    if start is None:
        return ""
    end = text.find("\n", start.start())
    line = text[start.start() : len(text) if end < 0 else end].strip(" \t")
    if line.strip("*_`") or end < 0:
        return "" if _LABEL.match(line) or _BARE_LABEL.match(line) else line
    following = _NON_BLANK.search(text, end)
    return text[following.start() :].partition("\n")[0] if following else ""


def _last_tag(text: str) -> str | None:
    tags = list(_TAG.finditer(text)) if "<" in text else []
    if not tags:
        return None
    ends = [tag.start() for tag in tags[1:]] + [len(text)]
    closed = [bool(tag["close"]) for tag in tags[1:]] + [False]
    for tag, end, is_closed in reversed(list(zip(tags, ends, closed, strict=True))):
        if tag["close"]:
            continue
        inside = text[tag.end() : end]
        if value := peel(inside) if is_closed else pick_line(inside):
            return value
    return None


def _json_answer(text: str) -> str | None:
    start = text.find("{")
    found: dict[str, str] = {}
    for key in _KEY.finditer(text, start) if start >= 0 else ():
        if (value := _VALUE.match(text, key.end())) and (read := peel(_json_value(value))):
            found[key["key"].lower().replace(" ", "_")] = read
    return found.get("answer") or found.get("final_answer") or found.get("count")


def _json_value(value: re.Match[str]) -> str:
    if value["json"] is None:
        return value["quoted"] if value["quoted"] is not None else value["bare"]
    try:
        return str(json.loads(value["json"], strict=False))
    except ValueError:
        return value["json"][1:-1]


def _unframed(text: str) -> str:
    """Reduce "the title is X." to X; other text stays as it is."""
    frame = _last(_FRAME, text)
    return _without_period(peel(text[frame.end() :])) if frame else text


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for match in pattern.finditer(text):
        found = match
    return found


def _without_period(text: str) -> str:
    return peel(text[:-1]) if text.endswith((".", "。")) and not text.endswith("..") else text


_FINDERS: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("pipe box", _last_pipe_box),
    ("box", _last_box),
    ("label", _last_label),
    ("tag", _last_tag),
    ("json", _json_answer),
)
