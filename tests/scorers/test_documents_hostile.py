"""Hostile texts against every document category and every OCRBench question type, in both rule sets."""

from __future__ import annotations

import random

import pytest

from snellen.scorers import RULES, score_sample
from snellen.scorers.ocrbench_types import QUESTION_TYPES
from snellen.types import Sample, ScoringContext

TABLE = "<table>" + "<tr><td>1</td><td>2</td></tr>" * 5 + "</table>"
HOSTILE = {
    "open boxes": r"\boxed{" * 2_000,
    "deep json": '{"a":' * 20_000,
    "pseudo objects": '{"a" ' * 20_000,
    "open tables": "<table " * 20_000,
    "deep html": "<table><tr><td>" * 5_000,
    "open tabulars": r"\begin{tabular}" * 10_000,
    "fences": "```\n" * 20_000,
    "pipes": "|" * 50_000,
    "pairs": "a: b\n" * 20_000,
    "han": "床前明月光" * 5_000,
    "boxes": "[1, 2, 3, 4] " * 5_000,
    "digits": "[" + "1" * 100_000,
    "blanks": "(" + " " * 100_000,
    "surrogates": "\ud800\x00\u202e 5",
}


def samples() -> list[Sample]:
    """One sample for every way of scoring."""
    made = [
        Sample("1", (), "", dataset="cc-ocr-doc_parsing", answer=TABLE, metadata={"l2_category": category})
        for category in ("doc", "table", "formula", "molecular")
    ]
    made.append(Sample("1", (), "", dataset="cc-ocr-kie", answer='{"a": "b", "c": [{"d": "e"}]}'))
    references = ["{'a': ['x', 'y']}", TABLE, "Golden Gate", "a reference of more than five words"]
    metadata = {"bbox": [1, 2, 3, 4], "bbox_list": [[1, 2, 3, 4]], "content": ["STOP"]}
    made.extend(
        Sample("1", (), "简答", dataset="ocrbench-v2", all_answers=references, metadata={"type": task, **metadata})
        for task in QUESTION_TYPES
    )
    return made


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_every_way_of_scoring_ends(text: str) -> None:
    """A value in [0, 1], or unscored with the reason."""
    for sample in samples():
        for rules in RULES:
            score = score_sample(sample, text, rules, ScoringContext())
            where = (sample.dataset, dict(sample.metadata).get("type"), rules, score)
            assert bool(score.reason) if score.value is None else 0.0 <= score.value <= 1.0, where


def test_long_ragged_tables_are_unscored_with_the_reason() -> None:
    """Five thousand rows that all differ are beyond the exact distance, and it says so."""
    draw = random.Random(1)
    rows = ["<tr>" + "<td>x</td>" * draw.randint(1, 9) + "</tr>" for _ in range(5_000)]
    sample = Sample(
        "1",
        (),
        "",
        dataset="cc-ocr-doc_parsing",
        answer=f"<table>{''.join(rows)}</table>",
        metadata={"l2_category": "table"},
    )
    draw.shuffle(rows)
    for rules in RULES:
        score = score_sample(sample, f"<table>{''.join(rows)}</table>", rules, ScoringContext())
        assert score.value is None
        assert "work bound" in score.reason
