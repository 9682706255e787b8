"""One report in two forms: Markdown to read and diff, and one self-contained HTML page with its figures."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from snellen.reports import page as html_page

WIDTH = 80


@dataclass(slots=True)
class Report:
    """Blocks in order; `write` makes `<name>.md` and `<name>.html` of them."""

    title: str
    """Heading of the page."""
    _markdown: list[str] = field(default_factory=list)
    _html: list[str] = field(default_factory=list)
    _terminal: list[str] = field(default_factory=list)

    def heading(self, text: str) -> None:
        """A section."""
        self._markdown.append(f"## {text}")
        self._html.append(f"<h2>{html_page.escape(text)}</h2>")
        self._terminal.append(f"{text}\n{'─' * min(WIDTH, len(text))}")

    def text(self, text: str) -> None:
        """A paragraph of plain text."""
        self._markdown.append(text)
        self._html.append(f"<p>{html_page.escape(text)}</p>")
        self._terminal.append(textwrap.fill(text, WIDTH))

    def notes(self, notes: Sequence[str]) -> None:
        """Warnings and remarks, one a line."""
        for note in notes:
            self._markdown.append(f"> {note}")
            self._html.append(f'<p class="note">{html_page.escape(note)}</p>')
            self._terminal.append(textwrap.fill(f"note: {note}", WIDTH, subsequent_indent="  "))

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[object]], *, texts: Sequence[int] = ()) -> None:
        """A table; numbers are printed as `shown` prints them."""
        cells = [[shown(cell) for cell in row] for row in rows]
        lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        lines += [
            "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in cells
        ]
        self._markdown.append("\n".join(lines))
        self._terminal.append(aligned(heads, cells))
        body = [html_page.row(row, texts=texts) for row in cells]
        self._html.append(html_page.table(heads, body, texts=texts))

    def figure(self, svg: str, caption: str) -> None:
        """A drawing; the Markdown form holds its caption only."""
        self._markdown.append(f"*Figure (in the HTML form): {caption}*")
        self._html.append(f'<figure>{svg}<figcaption class="soft">{html_page.escape(caption)}</figcaption></figure>')

    def markdown(self) -> str:
        """The whole report as Markdown."""
        return f"# {self.title}\n\n" + "\n\n".join(self._markdown) + "\n"

    def terminal(self) -> str:
        """The whole report for a terminal of 80 columns, without the figures."""
        return f"{self.title}\n\n" + "\n\n".join(part for part in self._terminal if part) + "\n"

    def html(self) -> str:
        """The whole report as one HTML page."""
        return html_page.page(self.title, [f"<h1>{html_page.escape(self.title)}</h1>", *self._html])

    def write(self, folder: Path, name: str) -> tuple[Path, Path]:
        """Write both forms; returns their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        markdown, html = folder / f"{name}.md", folder / f"{name}.html"
        markdown.write_text(self.markdown(), encoding="utf-8", errors="replace")
        html.write_text(self.html(), encoding="utf-8", errors="replace")
        return markdown, html


def aligned(heads: Sequence[str], cells: Sequence[Sequence[str]], width: int = WIDTH) -> str:
    """A table as aligned columns; one that is too wide goes on below, its leading columns of words repeated.

    >>> print(aligned(["name", "n"], [["a", "10"], ["bc", "9"]]))
    name   n
    a     10
    bc     9
    """
    columns = [[head, *(row[i].replace("\n", " ") for row in cells)] for i, head in enumerate(heads)]
    words = [i for i, column in enumerate(columns[:3]) if not all(map(_is_number, column[1:]))]
    n_keys = max(words, default=-1) + 1
    keys = [[cell[:28].ljust(min(28, max(map(len, column)))) for cell in column] for column in columns[:n_keys]]
    numbers = [[cell.rjust(max(map(len, column))) for cell in column] for column in columns[n_keys:]]
    blocks: list[str] = []
    left = width - sum(len(column[0]) + 2 for column in keys)
    while numbers or not blocks:
        n_fit, room = 0, left
        while n_fit < len(numbers) and (not n_fit or len(numbers[n_fit][0]) <= room):
            room -= len(numbers[n_fit][0]) + 2
            n_fit += 1
        shown_columns, numbers = [*keys, *numbers[:n_fit]], numbers[n_fit:]
        blocks.append("\n".join("  ".join(line).rstrip() for line in zip(*shown_columns, strict=True)))
    return "\n\n".join(blocks)


def _is_number(cell: str) -> bool:
    return cell[:1].isdigit() or cell[:1] in "+-−–."


def shown(value: object) -> str:
    """A cell as it is printed: three decimals, a dash for what is not known.

    >>> [shown(v) for v in (0.12345, float("nan"), 12, "a", True, None)]
    ['0.123', '–', '12', 'a', 'yes', '–']
    """
    if value is None or (isinstance(value, float) and value != value):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    return str(value)


def percent(share: float, digits: int = 1) -> str:
    """A share as percent.

    >>> percent(0.1234), percent(float("nan"))
    ('12.3 %', '–')
    """
    return "–" if share != share else f"{100 * share:.{digits}f} %"
