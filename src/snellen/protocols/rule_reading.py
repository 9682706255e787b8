r"""What the rule judge reads: the short answer in a response, its normal form, the number in it."""

from __future__ import annotations

import re
from fractions import Fraction

from snellen.answers.folding import fold
from snellen.answers.thinking import split_thinking
from snellen.protocols.quoting import clean

MAX_CHARS = 200_000
"""Only so much of the end of an answer is read."""
_FAILED = ("[error]", "__error__", "failed to obtain answer")
_FINAL = re.compile(r"final answer\b[^\S\n]{0,4}(?:is\b)?[^\S\n]{0,4}[:=]?[^\S\n]{0,8}([^\n]+)", re.IGNORECASE)
_ANSWER = re.compile(
    r"(?im)^[^\S\n]{0,20}[*_#>-]{0,4}[^\S\n]{0,4}(?:the\s)?answer\b[*_]{0,3}[^\S\n]{0,4}(?:is\b|[:=])[^\S\n]{0,8}([^\n]+)$"
)
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        )
    )
}  # fmt: skip
ARTICLES = frozenset({"a", "an", "the", "is", "are", "there", "it", "of"})
"""Words without which two answers are compared."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W_]+(?:[.:/'-][^\W_]+)*|[%$°€£]")
_RANGE = re.compile(r"\d\s?(?:-|–|—|~|to\b)\s?\d")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?(?![\w]|\.\d)|(?<![\w.])-?\.\d+(?![\w])")
_MEASURED = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)(?=[a-z%°$]{1,4}\b|[%°])")


def final_answer(text: str) -> str:
    r"""The short answer in a response: the last box, else the last "final answer:", "answer:" line, or line.

    >>> final_answer("So \\boxed{\\text{B}}."), final_answer("Final answer: blue\nThanks"), final_answer("one\ntwo\n")
    ('B', 'blue', 'two')
    """
    said, _ = split_thinking(text[-MAX_CHARS:])
    said = clean(said).strip()
    if not said or said[:40].lower().startswith(_FAILED):
        return ""
    boxed = _last_box(said)
    if boxed is not None:
        return boxed
    for pattern in (_FINAL, _ANSWER):
        found = pattern.findall(said)
        if found:
            return str(found[-1]).strip(" *_`")
    return next((line.strip() for line in reversed(said.split("\n")) if line.strip()), "")


def _last_box(text: str) -> str | None:
    at = text.rfind("\\boxed{")
    if at < 0:
        return None
    start, depth = at + len("\\boxed{"), 1
    for end in range(start, min(len(text), start + 2000)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if not depth:
            inner = text[start:end].strip()
            wrapped = re.fullmatch(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}]*)\}", inner)
            return (wrapped[1] if wrapped else inner).strip(" $")
    return None


def normal(text: str) -> str:
    """One spelling for one answer: case, edges, dressing, thousands commas, number words; articles are dropped.

    A text that is nothing but an article keeps it: "A" may be an option.

    >>> normal("The  cars, 15,400 of them."), normal("**Twelve**"), normal("A"), normal("$5"), normal("5 %")
    ('cars 15400 them', '12', 'a', '5 dollar', '5 %')
    """
    words = words_of(text)
    kept = [word for word in words if word not in ARTICLES]
    return " ".join(kept if len(words) > 1 else words)


def words_of(text: str) -> list[str]:
    """The words of a text in normal form, articles included."""
    folded = _THOUSANDS.sub("", fold(text).lower().replace("’", "'"))
    folded = re.sub(r"\$\s?(-?[\d.]+)", r"\1 dollar ", folded)
    words = _signed_words(folded)
    return [_NUMBER_WORDS.get(word, word) for word in words]


def _signed_words(text: str) -> list[str]:
    out = []
    for match in _WORD.finditer(text):
        word, at = match[0], match.start()
        signed = word[0].isdigit() and text[at - 1 : at] == "-" and (at < 2 or text[at - 2] in " (=[:{")
        out.append("-" + word if signed else word)
    return out


def number_in(text: str) -> Fraction | None:
    """The number that a text is, or the only one in it; None for none, several, or a range.

    >>> number_in("4 hinges"), number_in("3 or 4"), number_in("7-10"), number_in("three")
    (Fraction(4, 1), None, None, Fraction(3, 1))
    """
    plain = " ".join(_NUMBER_WORDS.get(word, word) for word in _THOUSANDS.sub("", fold(text).lower()).split())
    plain = re.sub(r"[a-z]+", lambda match: _NUMBER_WORDS.get(match[0], match[0]), plain)
    if _RANGE.search(plain):
        return None
    found = [*_NUMBER.findall(plain.rstrip(".")), *_MEASURED.findall(plain)]
    said = set(found)
    values = {_fraction(one) for one in said} if len(said) <= 4 else set()  # 3, 3.0, 03 and 3e0 are one number
    return values.pop() if len(values) == 1 else None


def _fraction(text: str) -> Fraction:
    digits, _, power = text.partition("e")
    return Fraction(digits[:400]) * Fraction(10) ** max(-300, min(300, int(power or 0)))
