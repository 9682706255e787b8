"""TEDS with cell text."""

from __future__ import annotations

import pytest

from snellen.answers.grid import Cell, Table
from snellen.answers.tables import read_table
from snellen.errors import ScorerError
from snellen.scorers.table_similarity import table_similarity

TABLE = "<table><tr><td>Item</td><td>Qty</td></tr><tr><td>Pen</td><td>2</td></tr></table>"


def similarity(first: str, second: str = TABLE) -> float:
    """TEDS of two written tables."""
    tables = read_table(first), read_table(second)
    assert tables[0] is not None
    assert tables[1] is not None
    return table_similarity(*tables)  # type: ignore[arg-type]  # both are checked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, 1.0),
        (TABLE.replace("td>", "th>"), 1.0),
        (TABLE.replace("Pen", "Pan"), 1 - (1 / 3) / 6),
        (TABLE.replace("Pen", "pen"), 1 - (1 / 3) / 6),
        (TABLE.replace("<td>Pen", '<td colspan="2">Pen'), 1 - 1 / 6),
        (TABLE.replace("<tr><td>Pen</td><td>2</td></tr>", ""), 0.5),
        (TABLE.replace("</table>", "<tr><td>a</td></tr></table>"), 1 - 2 / 8),
        ("| Item | Qty |\n|---|---|\n| Pen | 2 |", 1.0),
        ("<table></table>", 0.0),
    ],
)
def test_by_hand(text: str, expected: float) -> None:
    """Rows and cells cost 1, other spans 1, other text its share; the larger table divides."""
    assert similarity(text) == pytest.approx(expected)
    assert similarity(TABLE, text) == pytest.approx(expected)


def test_two_empty_tables_are_alike() -> None:
    """Nothing to read is read right."""
    assert similarity("<table></table>", "<table></table>") == 1.0


def test_endless_tables_are_not_compared() -> None:
    """A table beyond the bound raises at once, whatever it is compared with."""
    endless = Table((tuple(Cell("x") for _ in range(100_001)),), "html")
    with pytest.raises(ScorerError, match="work bound"):
        table_similarity(endless, Table(((Cell("x"),),), "html"))
