"""CC-OCR document parsing and key information extraction, as their papers define them.

References:
    Yang et al., "CC-OCR: A Comprehensive and Challenging OCR Benchmark" (2024), arXiv:2412.02210.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.answers.folding import fold
from snellen.answers.html_tables import read_html_table
from snellen.answers.long_answers import read_long
from snellen.answers.objects import read_object
from snellen.answers.short import without_end_tokens
from snellen.answers.tables import read_table
from snellen.answers.thinking import split_thinking
from snellen.scorers.edit_distance import edit_similarity
from snellen.scorers.fields import compare_fields, without_wrapper
from snellen.scorers.plain_latex import without_commands, without_math_delimiters
from snellen.scorers.table_similarity import table_similarity
from snellen.types import Sample, Score, ScoringContext

_SMILES = re.compile(r"<smiles>(?P<inside>.*?)(?:</smiles>|\Z)", re.IGNORECASE | re.DOTALL)
_FORMULA_LEAD = re.compile(
    r"\s*(?:the\s)?(?:latex\s)?(?:formula|equation|expression)(?:\s(?:in|shown in)\sthe\simage)?\sis\s?:?\s",
    re.IGNORECASE,
)


def score_document(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Score a parsed page: edit similarity for documents, formulas and molecules, TEDS with cell text for tables.

    Args:
        sample: `answer` holds the reference; metadata `l2_category` tells the kind by its name.
        output: raw model text.
        context: not used.

    Returns:
        The score; `method` ("document", "formula", "molecule", "table") stands in its details.
    """
    reference = fold("" if sample.answer is None else str(sample.answer))
    method = kind_of(sample)
    text = read_long(output, has_fences="```" in reference)
    if method == "table":
        return score_table(text, reference)
    normal = {"formula": normal_formula, "molecule": normal_molecule}.get(method, normal_document)
    predicted, expected = normal(text), normal(reference)
    value = edit_similarity(predicted, expected)
    details = {"score": value, "method": method, "pred_length": len(predicted), "gt_length": len(expected)}
    return Score(value, answer=text, details=details)


def kind_of(sample: Sample) -> str:
    """What the row asks for, read from its category: "table", "formula", "molecule" or "document"."""
    category = sample.metadata.get("l2_category") or sample.metadata.get("l2-category") or ""
    for word, kind in (("table", "table"), ("formula", "formula"), ("molec", "molecule")):
        if word in str(category).lower():
            return kind
    return "document"


def score_table(text: str, reference: str) -> Score:
    """TEDS of the first table in a text; a reference that holds no table leaves the sample unscored."""
    expected = read_table(reference)
    if expected is None:
        return Score(None, answer=text, details={"method": "table"}, reason="the reference holds no table")
    found = read_html_table(text) if expected.form == "html" else None
    found = found or read_table(text)
    if found is None:
        return Score(0.0, answer=text, details={"score": 0.0, "method": "table"}, reason="no table in the output")
    value = table_similarity(found, expected)
    details = {"score": value, "method": "table", "form": found.form, "n_rows": len(found.rows)}
    return Score(value, answer=text, details=details | {"n_reference_rows": len(expected.rows)})


def normal_document(text: str) -> str:
    """A page without its LaTeX preamble and without white space."""
    return "".join(without_commands(text).split())


def normal_formula(text: str) -> str:
    """A formula without preamble, lead-in, one pair of math delimiters and white space."""
    lead = _FORMULA_LEAD.match(text)
    return normal_document(without_math_delimiters(text[lead.end() :] if lead else text))


def normal_molecule(text: str) -> str:
    """Content of the SMILES tag, else the text, without white space."""
    tagged = _SMILES.search(text)
    return "".join((tagged["inside"] if tagged else text).split())


def score_kie(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Field-level F1 of a record, read tolerantly.

    Args:
        sample: `answer` holds the reference record as JSON text.
        output: raw model text.
        context: not used.

    Returns:
        The F1 with its counts; unscored when the reference cannot be read, 0 when the output cannot.
    """
    reference = sample.answer if isinstance(sample.answer, dict | list) else read_object(str(sample.answer))
    if reference is None:
        return Score(None, reason="the reference holds no record")
    text = without_end_tokens(split_thinking(output)[0]) if isinstance(output, str) else ""
    predicted = read_object(text)
    if predicted is None:
        return Score(0.0, answer=text, details={"score": 0.0, "f1_score": 0.0}, reason="no record in the output")
    counts = compare_fields(without_wrapper(predicted, reference), reference)
    details = {
        "score": counts.f1,
        "f1_score": counts.f1,
        "n_matched": counts.n_matched,
        "n_missing": counts.n_missing,
        "n_extra": counts.n_extra,
    }
    return Score(counts.f1, answer=text, details=details)
