"""HTML tables out of free text."""

from __future__ import annotations

import pytest

from snellen.answers.html_tables import read_html_table


def texts(text: str) -> list[list[str]]:
    """Cell texts of the first table."""
    table = read_html_table(text)
    assert table is not None
    return [[cell.text for cell in row] for row in table.rows]


SAME = [
    ("plain", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"),
    ("attributes", '<table border="1" class=x><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>'),
    (
        "row groups",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>",
    ),
    (
        "formatting",
        "<table><tr><td><b>a</b></td><td><i>b</i></td></tr><tr><td> c\n</td><td><span>d</span></td></tr></table>",
    ),
    (
        "comments",
        "<!-- <td>x --><table><!-- note --><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td><!----></tr></table>",
    ),
    (
        "prose around",
        "Here: <table><tr><td>a</td><td>b</td></tr>text<tr><td>c</td><td>d</td></tr></table> and <table></table>",
    ),
    (
        "page around",
        "<html><body><div><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table></div></body></html>",
    ),
    ("end tags left out", "<table><tr><td>a<td>b<tr><td>c<td>d"),
    ("upper case", "<TABLE><TR><TD>a</TD><TD>b</TD></TR><TR><TD>c</TD><TD>d</TD></TR></TABLE>"),
    ("no table tag", "<tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>"),
    ("no first row tag", "<table><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"),
    ("cut off in a tag", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td><td"),
    (
        "style sheet",
        "<style>td</style><table><tr><td>a<style>1</style></td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
    ),
]


@pytest.mark.parametrize("text", [row[1] for row in SAME], ids=[row[0] for row in SAME])
def test_one_table_in_many_writings(text: str) -> None:
    """What is no cell text does not change what is read."""
    assert texts(text) == [["a", "b"], ["c", "d"]]


def test_line_breaks_are_blanks_and_entities_are_signs() -> None:
    """`<br>` separates words, `&lt;` is a sign, a lone < is text."""
    assert texts("<table><tr><td>a<br/>b &amp; c &lt; d < e</td></tr></table>") == [["a b & c < d < e"]]


def test_spans() -> None:
    """Sound spans are read, bad ones count as one."""
    table = read_html_table('<tr><td colspan="2" rowspan=3>a<td colspan="x">b<td colspan=0>c<td rowspan="-1">d')
    assert table is not None
    assert [(cell.n_columns, cell.n_rows) for cell in table.rows[0]] == [(2, 3), (1, 1), (1, 1), (1, 1)]


def test_a_table_inside_a_cell_is_text() -> None:
    """Nested tables do not add rows."""
    assert texts("<table><tr><td>x<table><tr><td>1</td><td>2</td></tr></table></td><td>y</td></tr></table>") == [
        ["x 1 2", "y"]
    ]


def test_empty_tables_and_rows_are_kept() -> None:
    """A table without rows and rows without cells are no missing table."""
    assert texts("<table></table>") == []
    assert texts("<table><tr></tr><tr></tr></table>") == [[], []]


@pytest.mark.parametrize("text", ["", "plain", "a < b > c", "<span>x</span>", "<tabl"])
def test_no_table(text: str) -> None:
    """Other text holds no table."""
    assert read_html_table(text) is None


@pytest.mark.parametrize(
    "text", ["<table" * 50_000, "<" * 200_000, "<!--" * 50_000, "<td><table>" * 30_000, "</table>" * 50_000]
)
def test_hostile_markup_ends(text: str) -> None:
    """Broken markup is read to its end, one way or the other."""
    table = read_html_table(text)
    assert table is None or table.n_nodes <= 2
