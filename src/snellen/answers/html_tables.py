"""Read an HTML table out of free text.

A small scanner rather than an HTML library: only tables, rows, cells and line breaks matter, the result depends on no
library version, and every input is read in linear time and without recursion.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from snellen.answers.folding import collapse
from snellen.answers.grid import Cell, Table, span

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*)(?P<attributes>[^<>]*)>")
_CUT_TAG = re.compile(r"<(?:[a-zA-Z/!][^<>]*)?\Z")
_COMMENT_END = re.compile(r"--!?>")
_SPAN = re.compile(
    r"""\b(?P<name>colspan|rowspan)\s*=\s*["']?\s*(?P<count>\d{1,9})\s*(?=["'/]|\s|\Z)""", re.IGNORECASE
)
_SILENT = frozenset({"script", "style"})
_BREAKS = frozenset({"br", "p", "div", "li", "ul", "ol", "table", "tr", "td", "th", "hr"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})


def read_html_table(text: str) -> Table | None:
    """The first HTML table; rows and cells that stand without a table tag are one too.

    Args:
        text: free text, may be cut off anywhere.

    Returns:
        Its rows and cells. Header cells are cells, row groups, formatting and comments are looked through, `<br>` is
        a blank, a table inside a cell is text of that cell. None when there is neither table nor row nor cell.

    >>> read_html_table("<tr><td>1</td></tr>").n_nodes, read_html_table("no table") is None
    (2, True)
    """
    if "<" not in text:
        return None
    text = _CUT_TAG.sub("", _without_comments(text), count=1)
    scanner = _Scanner()
    position = 0
    for tag in _TAG.finditer(text):
        scanner.add_text(text[position : tag.start()])
        position = tag.end()
        if scanner.take(tag["name"].lower(), tag["attributes"], is_end=bool(tag["end"])):
            return scanner.table()
    scanner.add_text(text[position:])
    return scanner.table()


def _without_comments(text: str) -> str:
    start = text.find("<!--")
    pieces, position = [], 0
    while start >= 0:
        pieces.append(text[position:start])
        end = _COMMENT_END.search(text, start + 4)
        position = end.end() if end else len(text)
        start = text.find("<!--", position)
    return "".join(pieces) + text[position:] if pieces else text


def _spans(attributes: str) -> tuple[int, int]:
    """Columns and rows that a cell's attributes name."""
    found = {match["name"].lower(): span(match["count"]) for match in _SPAN.finditer(attributes)}
    return found.get("colspan", 1), found.get("rowspan", 1)


@dataclass(slots=True)
class _Scanner:
    """Gathers rows and cells while tags go by."""

    rows: list[list[Cell]] = field(default_factory=list)
    pieces: list[str] | None = None
    """Text of the open cell, None outside cells."""
    spans: tuple[int, int] = (1, 1)
    """Columns and rows that the open cell spans."""
    n_open: int = 0
    """Tables opened and not closed."""
    has_table: bool = False
    is_in_row: bool = False
    """A row is open; a cell outside a row opens one."""
    is_silent: bool = False
    """Inside a script or a style sheet."""

    def add_text(self, text: str) -> None:
        if self.pieces is not None and not self.is_silent:
            self.pieces.append(text)

    def take(self, name: str, attributes: str, *, is_end: bool) -> bool:
        """Follow one tag; True when the first table is complete."""
        if name in _SILENT:
            self.is_silent = not is_end
        elif name == "table" and self._is_complete(is_end):
            return True
        elif self.n_open <= 1:
            self._take_inner(name, attributes, is_end)
        if name in _BREAKS and self.pieces is not None:
            self.pieces.append(" ")
        return False

    def _is_complete(self, is_end: bool) -> bool:
        """Follow a table's own tag: a table that stood open is complete, and so are rows that stood before one."""
        if is_end:
            self.n_open = max(0, self.n_open - 1)
            return self.n_open == 0 and (self.has_table or bool(self.rows))
        if self.rows and not self.has_table:
            return True
        self.has_table = True
        self.n_open += 1
        return False

    def _take_inner(self, name: str, attributes: str, is_end: bool) -> None:
        if name in ("td", "th"):
            self._close_cell()
            if not is_end:
                self._open_cell(attributes)
        elif name == "tr" or name in _ROW_GROUPS:
            self._close_cell()
            self.is_in_row = name == "tr" and not is_end
            if self.is_in_row:
                self.rows.append([])

    def _open_cell(self, attributes: str) -> None:
        if not self.is_in_row:
            self.rows.append([])
            self.is_in_row = True
        self.spans = _spans(attributes) if attributes else (1, 1)
        self.pieces = []

    def _close_cell(self) -> None:
        if self.pieces is not None:
            text = collapse(html.unescape("".join(self.pieces)))
            self.rows[-1].append(Cell(text, *self.spans))
            self.pieces = None

    def table(self) -> Table | None:
        self._close_cell()
        if not self.has_table and not self.rows:
            return None
        return Table(tuple(map(tuple, self.rows)), "html")
