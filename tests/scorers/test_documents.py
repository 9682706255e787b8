"""CC-OCR documents and key information by the fair rules, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.documents import score_document, score_kie
from snellen.types import Sample, Score, ScoringContext

AUTO = ScoringContext()
TABLE = "<table><tr><td>Item</td><td>Qty</td></tr><tr><td>Pen</td><td>2</td></tr></table>"


def document(reference: Any, output: Any, category: str | None = "doc") -> Score:
    """Score one parsed document."""
    metadata = {} if category is None else {"l2_category": category}
    return score_document(Sample("1", (), "", answer=reference, metadata=metadata), output, AUTO)


def kie(reference: Any, output: Any) -> Score:
    """Score one record."""
    return score_kie(Sample("1", (), "", answer=reference), output, AUTO)


FULL = [
    ("the same", "doc", "a page", "a page"),
    ("blanks do not count", "doc", "a page", "a\tp a\r\nge"),
    ("fence of any language", "doc", "a page", "Here:\n```markdown\na page\n```"),
    (
        "preamble with options",
        "doc",
        r"\title{A}We",
        "\\documentclass[12pt]{article}\\begin{document}We\\end{document}",
    ),
    ("box", "doc", "a page", r"\boxed{a page}"),
    ("unclosed box", "doc", "first", r"\boxed{first"),
    ("reasoning", "doc", "a page", "<think>x</think>a page"),
    ("both blank", "doc", "   ", ""),
    ("null reference", "doc", None, ""),
    ("no category", None, "x", "x"),
    ("math delimiters", "formula", "x+y", r"\[x + y\]"),
    ("lead-in", "formula", "x+y", "The formula is $x+y$"),
    ("carriage return", "formula", "x+y", "x+y\r"),
    ("smiles tag", "molecular", "CCO", "The SMILES is <SMILES>CCO</SMILES>"),
    ("fence around a molecule", "molecular", "CCO", "```\nCCO\n```"),
    ("table", "table", TABLE, TABLE),
    ("table category of another name", "table_photo_chn", TABLE, TABLE.replace("td>", "th>")),
    ("Markdown for HTML", "table", TABLE, "| Item | Qty |\n|---|---|\n| Pen | 2 |"),
]


@pytest.mark.parametrize(("category", "reference", "output"), [row[1:] for row in FULL], ids=[row[0] for row in FULL])
def test_full_marks(category: str | None, reference: Any, output: str) -> None:
    """What a careful person accepts gets full marks."""
    assert document(reference, output, category).value == 1.0


PARTIAL = [
    ("a letter", "doc", "abcd", "abcx", 0.75),
    ("refusal", "doc", "xyz", "aaaa", 0.0),
    ("empty", "doc", "abcd", "", 0.0),
    ("nothing to read", "doc", "", "x", 0.0),
    ("another spelling of a molecule", "molecular", "OCC", "CCO", 1 / 3),
    ("cell text", "table_scan", TABLE, TABLE.replace("Pen", "Pan"), 1 - (1 / 3) / 6),
    ("bare row", "table", TABLE, "<tr><td>2</td></tr>", 1 / 3),
    ("no table", "table", TABLE, "I cannot read it.", 0.0),
]


@pytest.mark.parametrize(
    ("category", "reference", "output", "expected"), [r[1:] for r in PARTIAL], ids=[r[0] for r in PARTIAL]
)
def test_partial_marks(category: str, reference: str, output: str, expected: float) -> None:
    """Edit similarity for texts, TEDS for tables."""
    assert document(reference, output, category).value == pytest.approx(expected)


def test_a_reference_without_table_is_unscored() -> None:
    """Such a row says nothing about the model."""
    score = document("not html", "also not", "table")
    assert score.value is None
    assert score.reason


def test_the_other_spelling_of_the_category_key() -> None:
    """`l2-category` counts as well."""
    sample = Sample("1", (), "", answer=TABLE, metadata={"l2-category": "table"})
    assert score_document(sample, TABLE, AUTO).details["method"] == "table"


RECORD = '{"total": "12.50", "items": [{"name": "Pen"}, {"name": "Cap"}]}'
KIE_FULL = [
    RECORD,
    f"```json\n{RECORD}\n```",
    f"[{RECORD}]",
    f'{{"result": {RECORD}}}',
    RECORD.replace('"', "'"),
    RECORD.replace('"12.50"', "12.50"),
    RECORD.replace("total", "TOTAL"),
    RECORD[:-3],
    RECORD.replace("}]", "},]"),
    f"Using {{key: value}}: {RECORD}",
    RECORD.replace('"', "”"),
]


@pytest.mark.parametrize("output", KIE_FULL)
def test_records_in_many_forms(output: str) -> None:
    """A right record is right in whatever form it is written."""
    assert kie(RECORD, output).value == 1.0


@pytest.mark.parametrize(
    ("reference", "output", "expected"),
    [
        ('{"a": "x", "b": "y"}', '{"a": "x"}', 2 / 3),
        ('{"a": null}', "{}", 1.0),
        ("{}", "sorry", 0.0),
        ("{}", "{}", 1.0),
        ('{"a": "X"}', '{"a": "x"}', 0.0),
        ('{"a": 1.0}', '{"a": 1}', 1.0),
        ('{"a": "x"}', "null", 0.0),
        ('{"a": "x"}', '"text"', 0.0),
        ('{"a": ["x", "x", "y"]}', '{"a": ["x", "y"]}', 0.8),
        ({"a": "x"}, '{"a": "x"}', 1.0),
    ],
)
def test_records_by_hand(reference: Any, output: str, expected: float) -> None:
    """Field F1 without a rounding term; unreadable output is 0."""
    assert kie(reference, output).value == pytest.approx(expected)


@pytest.mark.parametrize("reference", [None, "nonsense", "42"])
def test_an_unreadable_reference_is_unscored(reference: Any) -> None:
    """Such a row says nothing about the model."""
    assert kie(reference, '{"a": "b"}').value is None
