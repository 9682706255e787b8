"""Boxes and texts with their place."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.placed_text import (
    PlacedText,
    box_overlap,
    last_box,
    read_box,
    read_placed_texts,
    reference_boxes,
    spotting_f1,
)
from snellen.types import ScoringContext

AUTO = ScoringContext()
BOX = (100.0, 200.0, 300.0, 400.0)


@pytest.mark.parametrize(
    "value",
    [
        [100, 200, 300, 400], (100, 200, 300, 400), "[100, 200, 300, 400]", [[100, 200, 300, 400]],
        [0.1, 0.2, 0.3, 0.4], [300, 400, 100, 200], ["100", "200", "300", "400"],
        {"x1": 100, "y1": 200, "x2": 300, "y2": 400},
        [100, 200, 300, 200, 300, 400, 100, 400],
    ],
)  # fmt: skip
def test_forms_of_a_box(value: Any) -> None:
    """Lists, texts, records, fractions, swapped corners and quadrilaterals are one box."""
    assert read_box(value) == pytest.approx(BOX)


def test_no_box() -> None:
    """Fewer than four numbers are none."""
    assert read_box([1, 2]) is None
    assert reference_boxes(None) == reference_boxes([100, 200]) == reference_boxes("x") == []


def test_conventions() -> None:
    """A convention that is known over the run is applied."""
    assert read_box([10, 20, 30, 40], ScoringContext(coordinates="percent")) == BOX
    pixels = ScoringContext(coordinates="pixel", image_sizes_sent=((500, 2000),))
    assert read_box([50, 400, 150, 800], pixels) == BOX


@pytest.mark.parametrize(
    "text", ["a [1,2,3,4] b (100, 200, 300, 400)", "at 100, 200, 300, 400.", "<box>(100,200),(300,400)</box>"]
)
def test_last_box(text: str) -> None:
    """The last bracketed group counts, else the last bare one, else whatever box is written."""
    assert last_box(text, AUTO) == BOX


def test_overlap_by_hand() -> None:
    """Intersection over union of real numbers."""
    assert box_overlap(BOX, (150.0, 200.0, 350.0, 400.0)) == pytest.approx(0.6)
    assert box_overlap((1, 1, 1, 1), (1, 1, 1, 1)) == 0.0


@pytest.mark.parametrize(
    "text",
    ["[(10,20,30,40,'STOP')]", "STOP 10,20,30,40", "10,20,30,40, STOP", '{"text": "STOP", "bbox": [10, 20, 30, 40]}'],
)
def test_texts_with_their_place(text: str) -> None:
    """Quoted inside the bracket, before it, or behind it."""
    assert read_placed_texts(text, AUTO) == [PlacedText("stop", (10.0, 20.0, 30.0, 40.0))]


def test_spotting_needs_text_and_place() -> None:
    """Right text in the wrong place is wrong, and so is the right place with other text."""
    truth = [PlacedText("stop", BOX), PlacedText("go", (0.0, 0.0, 10.0, 10.0))]
    assert spotting_f1(truth, truth) == 1.0
    assert spotting_f1([PlacedText("stop", (0.0, 0.0, 9.0, 9.0)), PlacedText("halt", BOX)], truth) == 0.0
    assert spotting_f1([truth[0], truth[0]], truth) == 0.5
