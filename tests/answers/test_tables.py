"""Tables out of free text: Markdown, LaTeX, and which notation is taken."""

from __future__ import annotations

import pytest

from snellen.answers.tables import read_latex_table, read_markdown_table, read_table

MARKDOWN = [
    ("framed", "| a | b |\n|---|:-:|\n| 1 | 2 |"),
    ("tight", "|a|b|\n|-|-|\n|1|2|"),
    ("no frame", "a | b\n--- | ---\n1 | 2"),
    ("prose around", "Here it is:\n\n| **a** | `b` |\n| --- | --- |\n| 1 | 2 |\n\nHope it helps."),
    ("no rule row", "| a | b |\n| 1 | 2 |"),
]


@pytest.mark.parametrize("text", [row[1] for row in MARKDOWN], ids=[row[0] for row in MARKDOWN])
def test_markdown(text: str) -> None:
    """The rule row is no row; emphasis is no text."""
    table = read_markdown_table(text)
    assert table is not None
    assert [[cell.text for cell in row] for row in table.rows] == [["a", "b"], ["1", "2"]]


def test_markdown_cells_may_hold_borders_and_breaks() -> None:
    """An escaped border is text, a break is a blank."""
    table = read_markdown_table("| a \\| b | c<br>d |  |\n|---|---|---|")
    assert table is not None
    assert [cell.text for cell in table.rows[0]] == ["a | b", "c d", ""]


@pytest.mark.parametrize("text", ["P(a|b) is small", "no table", "", "a || b"])
def test_no_markdown_table(text: str) -> None:
    """A border sign in prose makes no table."""
    assert read_markdown_table(text) is None


def test_latex() -> None:
    """Rules, text commands, escapes and spans of a tabular are understood."""
    text = (
        r"\begin{table}\begin{tabular}{|l|c@{}r|}\hline \textbf{Item} & \multicolumn{2}{c|}{A \& B} \\ \cline{2-3}"
        r" \multirow{2}{*}{x} & 5\% & $y$ \\[2pt] & 1 & 2 \\ \bottomrule\end{tabular}\end{table}"
    )
    table = read_latex_table(text)
    assert table is not None
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Item", "A & B"],
        ["x", "5%", "$y$"],
        ["", "1", "2"],
    ]
    assert (table.rows[0][1].n_columns, table.rows[1][0].n_rows) == (2, 2)


def test_latex_with_a_width_and_cut_off() -> None:
    """Tabularx names its width first; a missing end does not matter."""
    table = read_latex_table("\\begin{tabularx}{\\textwidth}{lX}\na & b \\\\\nc & d")
    assert table is not None
    assert [[cell.text for cell in row] for row in table.rows] == [["a", "b"], ["c", "d"]]


def test_forms_are_looked_for_in_order() -> None:
    """HTML goes before Markdown; a form that is not asked for is not read."""
    text = "| a | b |\n|---|---|\n<table><tr><td>x</td></tr></table>"
    assert read_table(text).form == "html"  # type: ignore[union-attr]  # a None fails the test
    assert read_table(text, forms=("markdown",)).form == "markdown"  # type: ignore[union-attr]
    assert read_table("plain") is None
