"""The rules by which a question is answered from the lines of a page. Pure; each reads one form of question.

A rule gives an answer or None; none knows any benchmark's answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rapidfuzz import fuzz

from snellen.models.arithmetic import result_of
from snellen.models.ocr_layout import (
    NUMBER,
    Line,
    best_match,
    number_in,
    plain_text,
    rows_of,
    table_cell,
    value_near,
    value_right_of,
    without_ticks,
)


@dataclass(frozen=True, slots=True)
class Page:
    """A question and what stands in its images."""

    question: str
    """Its text."""
    lines: tuple[Line, ...]
    """All lines of all images."""
    choices: tuple[str, ...] = ()
    """Options."""


Rule = Callable[[Page], str | None]


def _table_size(page: Page) -> str | None:
    if not re.search(r"rows and (?:\w+ )?columns", page.question, re.IGNORECASE):
        return None
    widths = [len(row) for row in rows_of(page.lines)]
    return f"({len(widths)},{max(widths, key=lambda width: (widths.count(width), width))})"


def _table_lookup(page: Page) -> str | None:
    labels = {}
    for kind in ("row", "column"):
        quoted = re.search(rf"\b{kind}\s+[\"“']([^\"”]{{1,200}})[\"”']", page.question, re.IGNORECASE)
        bare = re.search(rf"\b{kind}\s+([A-Z0-9][\w.%-]{{0,40}})", page.question)
        if not quoted and not bare:
            return None
        labels[kind] = quoted[1] if quoted else bare[1] if bare else ""
    return table_cell(labels["row"], labels["column"], page.lines)


def _field(page: Page) -> str | None:
    """A label in quotation marks, its value beside it."""
    quoted = re.search(r"[\"“]([^\"”]{1,100})[\"”]", page.question)
    label = best_match(quoted[1], page.lines) if quoted else None
    value = value_right_of(label, page.lines) if label else None
    return value.text if value else None


def _transcription(page: Page) -> str | None:
    if not re.search(r"\btranscribe|\ball (?:the )?text|\bfull text|read out the", page.question, re.IGNORECASE):
        return None
    return plain_text(page.lines)


def _letters(page: Page) -> str | None:
    if not re.search(r"\bwh(?:at|ich) (?:\w+ ){0,2}letters?\b", page.question, re.IGNORECASE):
        return None
    text = "".join(char for row in rows_of(page.lines) for line in row for char in line.text if char.isalnum())
    return text.upper() or None


_SHOWN = re.compile(
    r"\b(?:what|which) (?:\w+ )?(?:text|words?|name|number|sign)\b.{0,40}"
    r"\b(?:shown|written|printed|visible|in the (?:image|picture)|on the)"
    r"|what does (?:it|the \w+) (?:say|read)",
    re.IGNORECASE,
)


def _shown_text(page: Page) -> str | None:
    if not _SHOWN.search(page.question):
        return None
    lines = [line for row in rows_of(page.lines) for line in row]
    tallest = max(line.height for line in lines)
    return " ".join(line.text for line in lines if line.height > 0.6 * tallest) or None


def _heading(page: Page) -> str | None:
    if not re.search(r"\bheading|\btitle|\bheadline|\bat the (?:very )?top\b", page.question, re.IGNORECASE):
        return None
    for row in rows_of(page.lines):
        text = " ".join(line.text for line in row)
        if sum(char.isalpha() for char in text) >= 3:
            return text
    return None


_PATTERNS = (
    (r"e-?mail", r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"),
    (r"web ?site|\burl\b|web address|\blink\b", r"(?:https?://|www\.)[^\s]{3,200}"),
    (r"phone|telephone|\bfax\b", r"\+?\(?\d[\d ()/-]{5,20}\d"),
    (r"\bdate\b|\bwhen\b", r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"),
    (r"\byear\b", r"\b(?:1[5-9]|20)\d\d\b"),
    (r"\btime\b", r"\b\d{1,2}:\d{2}\b"),
)
"""What is asked for → how it is written."""


def _pattern(page: Page) -> str | None:
    text = plain_text(page.lines)
    for asked, written in _PATTERNS:
        if re.search(asked, page.question, re.IGNORECASE):
            found = re.search(written, text)
            if found:
                return found[0].rstrip(".,;")
    return None


def _calculation(page: Page) -> str | None:
    if not re.search(
        r"calculat|equation|result of|\bsum\b.{0,30}\b(?:board|image|picture)", page.question, re.IGNORECASE
    ):
        return None
    rows = plain_text(page.lines).splitlines()
    return next((said for text in (" ".join(rows), *rows) if (said := result_of(text)) is not None), None)


def _named_labels(page: Page) -> list[Line]:
    """Lines whose text the question names, in the order it names them; longer names win over parts of them."""
    question = page.question.casefold()
    found: dict[int, tuple[int, Line]] = {}
    for line in sorted(page.lines, key=lambda one: -len(one.text)):
        name = re.sub(r"[\s:]*" + NUMBER.pattern + r"\s*$", "", line.text).strip(" :").casefold()
        if len(name) < 3 or NUMBER.fullmatch(name):
            continue
        at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question)
        if at and not any(start <= at.start() < start + n for start, (n, _) in found.items()):
            found[at.start()] = (len(name), line)
    return [found[start][1] for start in sorted(found)]


def _difference(page: Page) -> str | None:
    kind = re.search(
        r"\b(difference|how much more|how many more|how much less|sum|total|together)\b", page.question, re.IGNORECASE
    )
    values = [value_near(label, page.lines) for label in _named_labels(page)]
    numbers = [n for value in values if value and (n := number_in(value.text)) is not None]
    if not kind or len(numbers) != 2:
        return None
    adds = kind[1].lower() in ("sum", "total", "together")
    return _plain(numbers[0] + numbers[1] if adds else abs(numbers[0] - numbers[1]))


def _plain(value: float) -> str:
    """A number without superfluous zeros.

    >>> _plain(24.0), _plain(0.1 + 0.2)
    ('24', '0.3')
    """
    return f"{round(value, 6):g}" if abs(value) < 1e6 else f"{value:.2f}".rstrip("0").rstrip(".")


_MOST = r"highest|largest|biggest|greatest|most|maximum|tallest|longest|best|highest-valued"
_LEAST = r"lowest|smallest|least|minimum|shortest|fewest|worst"


def _superlative(page: Page) -> str | None:
    """The label with the largest or smallest number, in a named column of a table or in the whole figure."""
    asked = re.search(rf"\b(?:which|what|who)\b.{{1,80}}\b(?:({_MOST})|({_LEAST}))\b", page.question, re.IGNORECASE)
    if not asked:
        return None
    pairs = _pairs_of_column(page) or _pairs_of_figure(page)
    if len(pairs) < 2:
        return None
    chosen = max(pairs) if asked[1] else min(pairs)
    return chosen[1]


def _pairs_of_column(page: Page) -> list[tuple[float, str]]:
    """(number, row label) down the column that the question names."""
    for header in _named_labels(page):
        pairs = []
        for row in rows_of(line for line in page.lines if line.y > header.bottom):
            if NUMBER.fullmatch(row[0].text) or len(row) < 2:
                continue
            cell = min(row[1:], key=lambda line: abs(line.x - header.x))
            number = number_in(cell.text)
            if number is not None and abs(cell.x - header.x) < 3 * header.height:
                pairs.append((number, row[0].text))
        if len(pairs) >= 2:
            return pairs
    return []


_YEAR_LAST = re.compile(r"\b(?:19|20)\d\d\s*$")
"""A title such as "Sales 2024" is no label with the value 2024."""


def _pairs_of_figure(page: Page) -> list[tuple[float, str]]:
    """(number, label) of bars and slices; the ticks of an axis belong to no label."""
    lines = without_ticks(page.lines)
    labels = [line for line in lines if re.search(r"[^\W\d]", line.text) and not _YEAR_LAST.search(line.text)]
    pairs = []
    for label in labels:
        value = value_near(label, lines)
        number = number_in(value.text) if value else None
        if number is not None:
            pairs.append((number, re.sub(r"[\s:]*" + NUMBER.pattern + r"\s*$", "", label.text).strip()))
    return pairs


def _named_value(page: Page) -> str | None:
    if not re.search(
        r"\b(?:value|percent|percentage|share|how (?:much|many)|number|amount|price|cost|score)\b",
        page.question,
        re.IGNORECASE,
    ):
        return None
    if re.search(r"\bdifference\b|\b(?:more|less|fewer)\b.{1,80}\bthan\b", page.question, re.IGNORECASE):
        return None
    for label in _named_labels(page):
        value = value_near(label, page.lines)
        if value is not None:
            found = NUMBER.findall(value.text)
            return str(found[-1])
    return None


def _sum_of_prices(page: Page) -> str | None:
    if not re.search(r"\b(?:total|sum|cost together|add up)\b", page.question, re.IGNORECASE):
        return None
    last = [row[-1].text for row in rows_of(page.lines)]
    prices = [found[0] for text in last if (found := re.search(r"\d{1,9}[.,]\d\d\s*$", text))]
    if len(prices) < 2:
        return None
    return f"{sum(float(price.replace(',', '.')) for price in prices):.2f}"


def _counted_noun(page: Page) -> str | None:
    """The number before the counted noun: how many movies, in a text on 7858 movies."""
    asked = re.search(r"\bhow many ([a-z]{3,30})", page.question, re.IGNORECASE)
    if not asked:
        return None
    text = plain_text(page.lines)
    for noun in (re.escape(asked[1]), re.escape(asked[1].rstrip("s")) + r"\w*"):
        found = re.search(rf"(\d[\d,.]{{0,20}}[KMkm]?)\s*(?:\w{{1,30}}\s+)?{noun}\b", text, re.IGNORECASE)
        if found:
            return found[1].rstrip(".,")
    return None


def _completed_phrase(page: Page) -> str | None:
    """The words of the question stand in the text; what stands before (or behind) them is the answer."""
    asked = re.findall(r"\w+", page.question.casefold())
    text = re.findall(r"\w+", " ".join(plain_text(page.lines).split()))
    best = _longest_run(asked, [word.casefold() for word in text])
    if len(text) < 20 or best is None or best[2] < 3:
        return None
    start_asked, start_text, n_words = best
    if start_text > 0 and start_asked <= 3 and asked[0] in ("which", "who", "what"):
        return str(text[start_text - 1])
    end = start_text + n_words
    return " ".join(text[end : end + 3]) or None


def _longest_run(a: list[str], b: list[str]) -> tuple[int, int, int] | None:
    """Longest common run of words: (start in a, start in b, length)."""
    best: tuple[int, int, int] | None = None
    lengths: dict[int, int] = {}
    for i, word in enumerate(a[:200]):
        current = {}
        for j, other in enumerate(b[:3000]):
            if word == other:
                current[j] = n = lengths.get(j - 1, 0) + 1
                if best is None or n > best[2]:
                    best = (i - n + 1, j - n + 1, n)
        lengths = current
    return best


def _quoted_word_is_there(page: Page) -> str | None:
    asked = re.search(
        r"^(?:is|does|are|can)\b.{0,200}?[\"“]([^\"”]{1,100})[\"”]", page.question.strip(), re.IGNORECASE
    )
    if not asked:
        return None
    likeness_pct = float(fuzz.partial_ratio(asked[1].lower(), plain_text(page.lines).lower()))
    return "Yes" if likeness_pct >= 85 else "No"


RULES: tuple[Rule, ...] = (
    _table_size,
    _table_lookup,
    _field,
    _transcription,
    _letters,
    _pattern,
    _shown_text,
    _heading,
    _calculation,
    _difference,
    _superlative,
    _sum_of_prices,
    _counted_noun,
    _named_value,
    _quoted_word_is_there,
    _completed_phrase,
)
"""In order; each gives an answer or None."""
