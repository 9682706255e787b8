r"""Read a table out of free text: HTML, LaTeX or Markdown, in prose or cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snellen.answers.folding import collapse
from snellen.answers.grid import Cell, Table, span
from snellen.answers.html_tables import read_html_table

_RULE_CELL = re.compile(r"\s*:?-+:?\s*")
_BORDER = re.compile(r"(?<!\\)\|")
_EMPHASIS = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`|</?(?:b|i|em|strong|sub|sup)>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s{0,4}/?>", re.IGNORECASE)
_TABULAR = re.compile(r"\\begin\s?\{(?P<name>tabular[x*y]?|array|longtable)\}")
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|centering)(?![a-zA-Z])"
    r"|\\c(?:line|midrule)(?:\([^()]{0,9}\))?\{[^{}]{0,20}\}"
)
_AND = re.compile(r"(?<!\\)&")
_LINE_END = re.compile(r"\\\\(?:\[[^\[\]]{0,20}\])?|\\tabularnewline(?![a-zA-Z])")
_MULTI = re.compile(
    r"\\multi(?P<kind>column|row)\s?(?:\[\w?\])?\{\s{0,3}(?P<count>\d{1,9})\s{0,3}\}\s?(?:\[\w?\])?\{[^{}]{0,40}\}"
)
_TEXT_COMMAND = re.compile(r"\\(?:text(?:bf|it|rm|tt|sf)?|math(?:rm|bf|it)|emph|makecell|underline)\s?(?=\{)")
_GROUPING = re.compile(r"(?<!\\)[{}]")
_ESCAPED = re.compile(r"\\([%&$#_{}])")


def read_table(text: str, *, forms: tuple[str, ...] = ("html", "latex", "markdown")) -> Table | None:
    r"""Find the first table of a text.

    Args:
        text: free text.
        forms: notations to look for, in this order.

    Returns:
        The table in the first notation that is found, None when there is none.

    >>> read_table("Here: <table><tr><th>a<td colspan=2>b<br>c</table>").rows
    ((Cell(text='a', n_columns=1, n_rows=1), Cell(text='b c', n_columns=2, n_rows=1)),)
    """
    readers = {"html": read_html_table, "markdown": read_markdown_table, "latex": read_latex_table}
    found = (readers[form](text) for form in forms)
    return next((table for table in found if table is not None), None)


def read_markdown_table(text: str) -> Table | None:
    r"""The first block of lines with column borders that is a table: with a rule row, or framed by borders.

    >>> [[cell.text for cell in row] for row in read_markdown_table("| a | **b** |\n|---|---|\n| 1 | 2 |").rows]
    [['a', 'b'], ['1', '2']]
    >>> read_markdown_table("P(a|b) is small") is None
    True
    """
    for block in _bordered_blocks(text):
        rows = [_markdown_cells(line) for line in block]
        kept = [row for row in rows if not all(map(_RULE_CELL.fullmatch, row))]
        if len(kept) < len(rows) or all(line.startswith("|") and line.count("|") > 1 for line in block):
            return Table(tuple(tuple(Cell(_plain_markdown(cell)) for cell in row) for row in kept), "markdown")
    return None


def _bordered_blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in text.splitlines():
        stripped = line.strip(" \t>")
        if "|" in stripped:
            block.append(stripped)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _markdown_cells(line: str) -> list[str]:
    line = line.removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return _BORDER.split(line)


def _plain_markdown(cell: str) -> str:
    return collapse(_EMPHASIS.sub("", _BREAK.sub(" ", cell)).replace("\\|", "|"))


def read_latex_table(text: str) -> Table | None:
    r"""The first tabular (array, longtable) of a text; one that is cut off runs to the end.

    >>> table = read_latex_table(r"\begin{tabular}{ll} a & \multicolumn{2}{c}{b} \\ \hline 1 & 2 \\ \end{tabular}")
    >>> table.rows[0][1], table.n_nodes
    (Cell(text='b', n_columns=2, n_rows=1), 6)
    """
    start = _TABULAR.search(text)
    if start is None:
        return None
    end = text.find(f"\\end{{{start['name']}}}", start.end())
    body = _without_layout(text[start.end() : len(text) if end < 0 else end], start["name"])
    lines = [line for line in _LINE_END.split(_RULE.sub(" ", body)) if line and not line.isspace()]
    return Table(tuple(tuple(map(_latex_cell, _AND.split(line))) for line in lines), "latex")


def _without_layout(body: str, name: str) -> str:
    """Cut the column layout (and, for tabularx and tabular*, the width) off the start."""
    for _ in range(2 if name.endswith(("x", "*", "y")) else 1):
        depth = 0
        for brace in _GROUPING.finditer(body):
            depth += 1 if brace[0] == "{" else -1
            if depth <= 0:
                body = body[brace.end() :]
                break
    return body


def _latex_cell(written: str) -> Cell:
    spans = {match["kind"]: span(match["count"]) for match in _MULTI.finditer(written)}
    plain = _GROUPING.sub("", _TEXT_COMMAND.sub("", _MULTI.sub("", written)))
    return Cell(collapse(_ESCAPED.sub(r"\1", plain)), spans.get("column", 1), spans.get("row", 1))
