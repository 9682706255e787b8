"""Fair scores of points."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import pointing
from snellen.scorers.pointing import denies, inside_mask, pixmo_points, read_reference_points
from snellen.types import Sample, ScoringContext

AUTO = ScoringContext()
LEFT = [[1, 0], [1, 0]]
RIGHT = [[0, 1], [0, 1]]


def sample(**metadata: Any) -> Sample:
    """Two things, one in each half of the image, unless told otherwise."""
    target = {"points_target": [[25, 50], [75, 50]], "points_mask": [LEFT, RIGHT], "has_target": True}
    return Sample("1", (), "Point to every cup.", metadata={**target, **metadata})


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("(250, 500), (750, 500)", 1.0),
        ("(750, 500), (250, 500)", 1.0),
        ("(250, 500)", 2 / 3),
        ("(250, 500), (100, 100)", 0.5),
        ("(250, 500), (750, 500), (10, 10)", 0.8),
        ("none", 0.0),
        ("(-250, 500), (750, 500)", 0.5),
        ("(1000, 1000)", 2 / 3),
    ],
)
def test_f1(output: str, value: float) -> None:
    """F1 after one-to-one matching; a surplus point costs precision, one outside the image hits nothing."""
    assert pixmo_points(sample(), output, AUTO).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("There are no cups", 1),
        ("None", 1),
        ("0", 1),
        ("[]", 1),
        ("I can’t find any", 1),
        ("It doesn't exist", 1),
        ("", 0),
        ("(500, 500)", 0),
        ("(500, 500) — nothing is missing", 0),
        ("a cup", 0),
        (None, 0),
    ],
)
def test_no_target(output: Any, value: float) -> None:
    """Where nothing is there a plain denial is right, and a point is wrong."""
    assert pixmo_points(sample(has_target=False), output, AUTO).value == value


@pytest.mark.parametrize(
    "metadata",
    [
        {"points_target": None},
        {"points_target": [{"z": 1}, [1, 2]]},
        {"points_mask": [LEFT]},
        {"points_mask": None},
        {"points_mask": [[], RIGHT]},
        {"points_target": []},
        {"has_target": None},
        {"points_target": [["a", "b"], [1, 2]]},
    ],
)
def test_an_unreadable_row_is_unscored(metadata: dict[str, Any]) -> None:
    """References and masks that do not fit have no score, and the row says so."""
    score = pixmo_points(sample(**metadata), "(250, 500)", AUTO)
    assert score.value is None
    assert score.reason.startswith("metadata")


def test_masks_at_the_edge() -> None:
    """Exactly 1 is the last row or column; a missing cell of a ragged mask is outside."""
    assert inside_mask((1.0, 1.0), RIGHT)
    assert not inside_mask((1.0, 1.0), [[1, 1], [1]])
    assert not inside_mask((1.01, 0.5), RIGHT)


def test_one_scale_for_all_references() -> None:
    """A percent reference near the corner is no fraction."""
    assert read_reference_points([{"x": 50, "y": 0.5}, ["10", "20"]]) == [(0.5, 0.005), (0.1, 0.2)]


def test_the_convention_of_the_run_is_used() -> None:
    """Whole numbers up to 100 are percent where the run says so."""
    percent = ScoringContext(coordinates="percent")
    assert pixmo_points(sample(), "(25, 50), (75, 50)", percent).value == 1
    assert pixmo_points(sample(), "(25, 50), (75, 50)", AUTO).value != 1


def test_beyond_the_work_bound_it_is_unscored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matching beyond the bound is not tried."""
    monkeypatch.setattr("snellen.scorers.assignment.MOST_WORK", 3)
    score = pointing.pixmo_points(sample(), "(250, 500), (750, 500)", AUTO)
    assert (score.value, "work bound" in score.reason) == (None, True)


def test_denials() -> None:
    """Plain denials are told from plain text."""
    for text in (
        "The image lacks a cup",
        "```json\n[]\n```",
        "\\boxed{0}",
        "0 cups",
        "There are 0 cups.",
        '{"points": []}',
        "没有",
    ):
        assert denies(text), text
    assert not denies("the cup")
    assert not denies("it is 0.5 high")
