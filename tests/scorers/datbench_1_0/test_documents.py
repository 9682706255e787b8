"""CC-OCR document parsing by the public library's rules, quirk by quirk."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.datbench_1_0.documents import normal_document, normal_table, score_document, tag_tree
from snellen.types import Sample, ScoringContext

ROW = "<tr><td>a</td><td>b</td></tr>"
TABLE = f"<table>{ROW}{ROW}</table>"


def value(reference: Any, output: Any, category: Any = "doc") -> float | None:
    """Score of one document."""
    sample = Sample("1", (), "", answer=reference, metadata={} if category is None else {"l2_category": category})
    return score_document(sample, output, ScoringContext()).value


@pytest.mark.parametrize(
    ("reference", "output", "category", "expected"),
    [
        ("ab", "a b\n", "doc", 1.0),
        ("", "", None, 1.0),
        (None, "", "doc", 1.0),
        ("ab", "```LaTeX\nab```", "doc", 1.0),
        ("a}b", r"\boxed{a}b}", "doc", 1.0),
        ("ab", r"\title{x}a\begin{document}b", "doc", 1.0),
        ("ab", r"\documentclass[1]{x}ab", "doc", 2 / 22),
        ("x", "x\r", "formula", 0.5),
        ("x", "x\t\n ", "formula", 1.0),
        ("CCO", "<smiles>CCO</smiles>", "molecular", 1.0),
        ("CCO", "<SMILES>CCO</SMILES>", "molecular", 3 / 20),
        (TABLE, TABLE.replace(">a<", ">zzz<"), "table", 1.0),
        (TABLE, "", "table", 1 / 7),
        ("", "", "table", 1.0),
        (TABLE, TABLE.replace("<table>", "<table border=1>"), "table", 1.0),
        (TABLE, f"<table>{ROW * 9}</table>", "table", 0.0),
        (TABLE, f"<table><tbody>{ROW}{ROW}</tbody></table>", "table", 6 / 7),
        (TABLE, TABLE, "table_photo_chn", 1.0),
        (TABLE, "I cannot", "table", 0.0),
        (TABLE, TABLE.replace("<td>a</td>", "<!-- c --><td>a</td>", 1), "table", 6 / 7),
    ],
)
def test_quirks(reference: Any, output: str, category: Any, expected: float) -> None:
    """Exact branch names, tags only, the reference's size alone, an empty output counts as a lone table."""
    assert value(reference, output, category) == pytest.approx(expected)


def test_attributes_with_prose_around_keep_the_prose_node() -> None:
    """Loose text beside a table that has attributes is wrapped by the HTML parser; that costs one node."""
    assert value(TABLE, f'Here: <table border="1">{ROW}{ROW}</table> ok', "table") == pytest.approx(6 / 7)


def test_normal_forms() -> None:
    """Only the first bare table is kept; arguments end at the first brace on their line."""
    assert normal_table(f"x <TABLE>\n{ROW} </TABLE> <table>y</table>") == f"<table>{ROW}</table>"
    assert normal_document("\\title{a\nb}c") == "\\title{ab}c"
    assert tag_tree("\x00").label


@pytest.mark.parametrize(
    "text", ["<table" * 50_000, r"\title{" * 50_000, "<div>" * 50_000, "```" * 50_000, "\ud800<table>"]
)
@pytest.mark.parametrize("category", ["table", "doc", "formula", "molecular"])
def test_hostile_texts_end(text: str, category: str) -> None:
    """Broken markup gets a score like any text."""
    score = value(TABLE, text, category)
    assert score is not None
    assert 0.0 <= score <= 1.0
