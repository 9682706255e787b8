"""A table as it was written: rows of cells, in whatever notation."""

from __future__ import annotations

from dataclasses import dataclass

MAX_SPAN = 1_000
"""Largest number of columns or rows that a cell may span; anything else counts as one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    text: str
    """What it says, blanks collapsed, formatting left out."""
    n_columns: int = 1
    """Columns that it spans."""
    n_rows: int = 1
    """Rows that it spans."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows of cells as written, spans not unfolded."""

    rows: tuple[tuple[Cell, ...], ...]
    """Rows from the top, each with its own cells from the left."""
    form: str
    """"html", "markdown" or "latex"."""

    @property
    def n_nodes(self) -> int:
        """Rows and cells together."""
        return len(self.rows) + sum(map(len, self.rows))


def span(written: str) -> int:
    """A span as written: 1 unless it is a whole number from 1 to MAX_SPAN.

    >>> span("2"), span("0"), span("x"), span("99999999")
    (2, 1, 1, 1)
    """
    count = int(written) if written.isascii() and written.isdigit() and len(written) <= 9 else 1
    return count if 0 < count <= MAX_SPAN else 1
