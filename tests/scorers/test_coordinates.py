"""The convention of a model's coordinates, found over a run."""

from __future__ import annotations

import random

import pytest

from snellen.scorers.coordinates import detect_coordinates, written_pairs

SIDES = {"fraction": (1.0, 1.0), "percent": (100.0, 100.0), "thousand": (1000.0, 1000.0), "pixel": (640.0, 480.0)}


def boxes(convention: str, n: int) -> list[str]:
    """Random boxes as a model writes them in one convention."""
    draw = random.Random(7)
    width, height = SIDES[convention]
    found = []
    for _ in range(n):
        x1, x2 = sorted((draw.random(), draw.random()))
        y1, y2 = sorted((draw.random(), draw.random()))
        values = (x1 * width, y1 * height, x2 * width, y2 * height)
        found.append(str([round(value, 3) if convention == "fraction" else round(value) for value in values]))
    return found


@pytest.mark.parametrize("convention", sorted(SIDES))
def test_each_convention_is_found(convention: str) -> None:
    """Ten boxes on a 640 × 480 image are enough to tell."""
    report = detect_coordinates(boxes(convention, 10), [(640, 480)] * 10)
    assert report.convention == convention
    assert report.confidence > 0.95
    assert (report.n_read, report.counts[convention]) == (10, 10)


def test_a_few_slips_do_not_turn_it() -> None:
    """One box far outside leaves the convention of the others standing."""
    outputs = [*boxes("percent", 20), "[100, 900, 950, 990]"]
    assert detect_coordinates(outputs, [None] * 21).convention == "percent"


def test_too_little_to_tell() -> None:
    """Two boxes, no boxes, or an image of 1000 × 1000 leave it open."""
    assert detect_coordinates(boxes("pixel", 2), [(640, 480)] * 2).convention == "auto"
    assert detect_coordinates(["none", ""], [None, None]).n_read == 0
    assert detect_coordinates(boxes("thousand", 9), [(1000, 1000)] * 9).convention == "auto"


def test_notations_with_a_scale_of_their_own_say_nothing() -> None:
    """Point tags, location tokens and percent signs are not counted."""
    assert written_pairs('<point x="10" y="20">it</point>') == ()
    assert written_pairs("<loc0256><loc0128><loc0768><loc0512>") == ()
    assert written_pairs("(1, 2)") == ((1.0, 2.0),)
