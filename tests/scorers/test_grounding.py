"""Fair scores of boxes."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.grounding import read_reference_box, refcoco, score_box
from snellen.types import Sample, ScoringContext

AUTO = ScoringContext()


def sample(bbox: Any) -> Sample:
    """A referring expression with this reference."""
    return Sample("1", (), "the second bus", metadata={"bbox": bbox})


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("[100, 100, 500, 500]", 1),
        ("[0.1, 0.1, 0.5, 0.5]", 1),
        ("[10.0, 10.0, 50.0, 50.0]", 1),
        ("[500,500,100,100]", 1),
        ("[600, 600, 900, 900]", 0),
        ("no idea", 0),
        ("", 0),
        (None, 0),
        ("[10%, 10%, 50%, 50%]", 1),
    ],
)
def test_values(output: Any, value: float) -> None:
    """A box in any scale counts from an overlap of one half on."""
    assert refcoco(sample([0.1, 0.1, 0.5, 0.5]), output, AUTO).value == value


def test_exactly_one_half_counts() -> None:
    """IoU of 0.5 is enough; details tell the overlap at three cuts."""
    score = refcoco(sample([0.0, 0.0, 1.0, 1.0]), "[0.0, 0.0, 0.5, 1.0]", AUTO)
    assert (score.value, score.details["iou"], score.details["recall@0.7"]) == (1.0, 0.5, 0.0)


@pytest.mark.parametrize("bbox", [None, [], [1, 2, 3], ["a", 0, 1, 1], "0,0,1,1", [0, 0, float("nan"), 1], 5])
def test_an_unreadable_reference_is_unscored(bbox: Any) -> None:
    """A row without a reference box has no score, and says why."""
    score = refcoco(sample(bbox), "[0, 0, 1, 1]", AUTO)
    assert score.value is None
    assert score.reason.startswith("metadata")


def test_two_different_boxes_are_a_hedge() -> None:
    """A piece that names two boxes is no answer."""
    score = refcoco(sample([0.1, 0.1, 0.5, 0.5]), "[100,100,500,500] or [1,2,3,4]", AUTO)
    assert (score.value, score.reason) == (0.0, "2 different boxes")


def test_the_convention_of_the_run_is_used() -> None:
    """A known convention replaces the guess: small percent values, pixels of the image as sent."""
    percent = ScoringContext(coordinates="percent")
    pixel = ScoringContext(coordinates="pixel", image_sizes_sent=((200, 400),))
    assert refcoco(sample([0.1, 0.1, 0.5, 0.5]), "[10, 10, 50, 50]", AUTO).value == 0
    assert refcoco(sample([0.1, 0.1, 0.5, 0.5]), "[10, 10, 50, 50]", percent).value == 1
    assert refcoco(sample([0.1, 0.1, 0.5, 0.5]), "[20, 40, 100, 200]", pixel).value == 1


def test_references_in_pixels() -> None:
    """A pixel reference is compared in its own units, or in fractions where the image's size is known."""
    reference = (120.0, 40.0, 300.0, 400.0)
    assert score_box(reference, "[120, 40, 300, 400]", AUTO).value == 1
    thousand = ScoringContext(coordinates="thousand")
    assert score_box(reference, "[200, 50, 500, 500]", thousand, ((600, 800),)).value == 1
    assert score_box(reference, "[0.2, 0.05, 0.5, 0.5]", AUTO, ((600, 800),)).value == 1
    halved = ScoringContext(coordinates="pixel", image_sizes_sent=((300, 400),))
    assert score_box(reference, "[60, 20, 150, 200]", halved, ((600, 800),)).value == 1


def test_reference_corners_are_put_in_order() -> None:
    """A reference whose corners are swapped is the same box."""
    assert read_reference_box([0.5, 0.5, 0.1, 0.2]) == (0.1, 0.2, 0.5, 0.5)
    assert read_reference_box(["0.1", 0.2, 0.5, 0.5]) == (0.1, 0.2, 0.5, 0.5)
