"""Pass 1: which choice items can stand alone, and what the others become."""

from __future__ import annotations

import json

import pytest

from snellen.curation.reformat import CIRCULAR, FREE, KEEP, datbench_row, decide, reformatted, right_option
from snellen.rows import sample_from_row
from snellen.types import Sample, TextPart

PLAIN = "What colour is the car?"
COLOURS = ("red", "blue", "green", "black")


def _sample(question: str = PLAIN, choices: tuple[str, ...] = COLOURS, answer: str = "B", **more: object) -> Sample:
    parts = (TextPart(question),)
    return Sample(id="q1", parts=parts, question=question, choices=choices, references=(answer,), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "sample, action, rule",
    [
        (_sample(), FREE, "stands without"),
        (_sample(question="Which of the following is red?"), CIRCULAR, "points at its options"),
        (_sample(question="Which option shows the car?"), CIRCULAR, "points at its options"),
        (_sample(question="All are fruits except?"), CIRCULAR, "points at its options"),
        (_sample(choices=("red", "blue", "green", "None of the above")), CIRCULAR, "speaks of the others"),
        (_sample(choices=("red", "blue", "green", "both")), CIRCULAR, "speaks of the others"),
        (_sample(choices=("A", "B", "C", "D")), CIRCULAR, "pictures or letters"),
        (_sample(choices=("Figure 1", "Figure 2", "figure 3", "Figure 4")), CIRCULAR, "pictures or letters"),
        (_sample(choices=("1", "2", "3", "4")), FREE, "stands without"),
        (_sample(choices=("Yes", "No")), CIRCULAR, "yes or no"),
        (_sample(choices=("red", "Red", "blue", "green")), CIRCULAR, "say the same"),
        (_sample(choices=("word " * 20, "term " * 20, "noun " * 20, "verb " * 20)), CIRCULAR, "statements"),
        (_sample(choices=()), KEEP, "no options"),
        (_sample(answer="purple"), KEEP, "not stated"),
        (_sample(group="x:1"), KEEP, "already circular"),
        (
            _sample(question="Is A. red B. blue C. green D. black the colour of the car?"),
            CIRCULAR,
            "cannot be taken off",
        ),
        (_sample(question="What colour is it?\nA. red\nB. blue\nC. green\nD. black"), FREE, "stands without"),
    ],
)
def test_rules(sample: Sample, action: str, rule: str) -> None:
    """Each rule finds its case and gives itself as the reason."""
    found = decide(sample)
    assert found.action == action
    assert rule in found.rule


def test_free_row_asks_without_options() -> None:
    """The free row holds the option's text as answer, a judge prompt, and no trace of the options."""
    sample = _sample(question="What colour is it?\nA. red\nB. blue\nC. green\nD. black")
    (row,) = reformatted(sample, decide(sample), datbench_row(sample, []))
    made = sample_from_row({**row, "image": None})
    assert made.question == "What colour is it?"
    assert made.references == ("blue",)
    assert made.mode == "judge"
    assert made.choices == ()
    assert "{model_answer}" in made.judge_prompt
    assert "green" not in made.prefix + made.question + made.suffix


def test_circular_rows_rotate_the_answer() -> None:
    """One row a rotation; the right text keeps its letter's place in step; one group for all."""
    sample = _sample(question="Which of these colours has the car?")
    rows = reformatted(sample, decide(sample), datbench_row(sample, []))
    assert len(rows) == 4
    assert len({row["id"] for row in rows}) == 4
    assert {row["source_info"]["original_idx"] for row in rows} == {"q1"}
    for row in rows:
        made = sample_from_row({**row, "image": None})
        assert made.choices[right_option(made) or 0] == "blue"
        assert row["is_circular"]
        assert f"{row['answer']}. blue" in made.suffix
    assert sorted(row["answer"] for row in rows) == ["A", "B", "C", "D"]


def test_kept_row_is_unchanged() -> None:
    """An item without options goes through as it is."""
    sample = _sample(choices=(), answer="blue")
    row = datbench_row(sample, [{"bytes": b"x", "path": "a.png"}])
    assert reformatted(sample, decide(sample), row) == [row]


def test_answer_by_text() -> None:
    """The right option is found by letter or by its text, never guessed."""
    assert right_option(_sample(answer="(c)")) == 2
    assert right_option(_sample(answer="Blue")) == 1
    assert right_option(_sample(answer="E")) is None
    assert right_option(_sample(choices=("x", "x"), answer="x")) is None


def test_row_keeps_metadata() -> None:
    """Metadata survives, options of plain samples are written into it."""
    row = datbench_row(_sample(metadata={"level": 3}), [])
    assert json.loads(row["metadata"]) == {"level": 3, "options": list(COLOURS)}
