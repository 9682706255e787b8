"""Named rules for users' own data."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import GENERIC
from snellen.types import Sample, ScoringContext

AUTO = ScoringContext()


def sample(*references: str, choices: tuple[str, ...] = (), sizes: Any = (), **metadata: Any) -> Sample:
    """A sample of a user's own file."""
    return Sample("1", (), "Which?", references=references, choices=choices, metadata=metadata, image_sizes=sizes)


@pytest.mark.parametrize(
    ("name", "subject", "output", "value"),
    [
        ("exact", sample("New York"), "Answer: new-york", 1),
        ("exact", sample("colour", "hue"), "Hue.", 1),
        ("exact", sample("cat"), "category", 0),
        ("choice", sample("B", choices=("cat", "dog")), "The dog", 1),
        ("choice", sample("dog", choices=("cat", "dog")), "(b)", 1),
        ("choice", sample("dog", choices=("cat", "dog")), "A or B", 0),
        ("number", sample("1,250"), "about 1250 people", 1),
        ("number", sample("100"), "101", 0),
        ("auto", sample("B", choices=("cat", "dog")), "B", 1),
        ("auto", sample("12"), "twelve", 1),
        ("auto", sample("a red car"), "red car", 1),
        ("box", sample("[0.1, 0.1, 0.5, 0.5]"), "[100, 100, 500, 500]", 1),
        ("box", sample(bbox=[0.1, 0.1, 0.5, 0.5]), "[600, 600, 700, 700]", 0),
        ("box", sample(bbox=[[0, 0, 0.1, 0.1], [0.6, 0.6, 0.7, 0.7]]), "[600, 600, 700, 700]", 1),
        ("box", sample("[10, 20, 110, 120]", sizes=((200, 200),)), "[0.05, 0.1, 0.55, 0.6]", 1),
        ("point", sample(bbox=[0.1, 0.1, 0.5, 0.5]), "(300, 300)", 1),
        ("point", sample(bbox=[10, 10, 50, 50], sizes=((100, 100),)), "(300, 300)", 1),
        ("point", sample(bbox=[0.1, 0.1, 0.5, 0.5]), "(900, 300)", 0),
        ("point", sample(mask=[[0, 1], [0, 1]]), '<point x="75" y="50">it</point>', 1),
        ("point", sample("[0.5, 0.5]", radius=0.1), "(550, 500)", 1),
        ("point", sample(point=[50, 50], radius=10, sizes=((100, 100),)), "(0.55, 0.5)", 1),
        ("point", sample(point=[50, 50], radius=10, sizes=((100, 100),)), "(0.7, 0.5)", 0),
        ("point", sample(bbox=[0.1, 0.1, 0.5, 0.5]), "(200, 200), (300, 300)", 0),
    ],
)
def test_values(name: str, subject: Sample, output: str, value: float) -> None:
    """Each rule scores its own kind of answer."""
    assert GENERIC[name](subject, output, AUTO).value == value


def test_the_number_tolerance_is_relative_and_exact() -> None:
    """Exactly at the limit is within."""
    within = ScoringContext(numeric_tolerance=0.05)
    assert GENERIC["number"](sample("0.2"), "0.19", within).value == 1
    assert GENERIC["number"](sample("0.2"), "0.189", within).value == 0


def test_the_overlap_is_told() -> None:
    """A box score shows its IoU."""
    assert GENERIC["box"](sample("[0, 0, 1, 1]"), "[0.0, 0.0, 0.5, 1.0]", AUTO).details["iou"] == 0.5


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("box", sample()),
        ("box", sample("somewhere")),
        ("point", sample()),
        ("point", sample("[0.5, 0.5]")),
        ("choice", sample(choices=("cat", "dog"))),
        ("choice", sample("bird", choices=("cat", "dog"))),
        ("point", sample(point=[50, 50], radius=10)),
    ],
)
def test_a_sample_without_its_truth_is_unscored(name: str, subject: Sample) -> None:
    """What is missing is said, and nothing is counted as wrong."""
    score = GENERIC[name](subject, "(1, 2) [1, 2, 3, 4] B", AUTO)
    assert score.value is None
    assert score.reason


@pytest.mark.parametrize("name", sorted(GENERIC))
@pytest.mark.parametrize("output", [None, "", "\ud800\x00", "(" * 5000, 3])
def test_no_rule_raises(name: str, output: Any) -> None:
    """Any output gives a score."""
    for subject in (sample("1"), sample("B", choices=("a", "b")), sample("[0,0,1,1]", radius=1)):
        assert GENERIC[name](subject, output, AUTO).value in (0.0, 1.0, None)
