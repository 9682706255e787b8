"""Boxes in all forms, their scale and their place."""

from __future__ import annotations

import pytest

from snellen.answers.boxes import WrittenBox, read_boxes, to_fractions

FORMS = (
    "[10, 20, 30, 40]",
    "(10, 20, 30, 40)",
    "(10, 20), (30, 40)",
    "[10, 20], [30, 40]",
    "[[10, 20], [30, 40]]",
    "[[10,20,30,40]]",
    "10, 20, 30, 40",
    "10 20 30 40",
    '{"bbox_2d": [10, 20, 30, 40], "label": "it"}',
    '[{"bbox_2d": [10, 20, 30, 40]}]',
    "<box>(10,20),(30,40)</box>",
    "<|box_start|>(10,20),(30,40)<|box_end|>",
    "<box>[[10, 20, 30, 40]]</box>",
    "<|det|>[[10, 20, 30, 40]]<|/det|>",
    r"\boxed{[10, 20, 30, 40]}",
    r"\boxed{(10, 20), (30, 40)}",
    r"\boxed{\text{[10, 20, 30, 40]}}",
    "<|begin_of_box|>10,20,30,40<|end_of_box|>",
    "x1: 10, y1: 20, x2: 30, y2: 40",
    "y1=20, x1=10, y2=40, x2=30",
    '{"x1": 10, "y1": 20, "x2": 30, "y2": 40}',
    "[x_min=10, y_min=20, x_max=30, y_max=40]",
    '{"x": 10, "y": 20, "width": 20, "height": 20}',
    "[10-30, 20-40]",
    "[10–30, 20–40]",
    "x from 10 to 30, y from 20 to 40",
    "x: [10, 30], y: [20, 40]",
    "[10 px, 20 px, 30 px, 40 px]",
    "[10,20,30,40",
    "[10,20,30,40,7]",
    "Answer: [10, 20, 30, 40]",
    "As seen in [1], it is at [10, 20, 30, 40].",
    "[0, 0, 0, 0] then [10,20,30,40]",
    "**[10, 20, 30, 40]**",
    r"\boxed{1,2,3,4} hmm \boxed{10,20,30,40}",
    r"\boxed{the dog} [10,20,30,40]",
    "[１０，２０，３０，４０]",
    "Found 1 dog. Its box: 10, 20, 30, 40",
    "top-left (10, 20), bottom-right (30, 40)",
    "[1, 2, 3, 4] is wrong.\nAnswer: [10, 20, 30, 40]",
    "<think>[1,2,3,4]</think>[10,20,30,40]",
    "[10, 20, 30, 40] and again [10, 20, 30, 40]",
)


@pytest.mark.parametrize("text", FORMS)
def test_forms(text: str) -> None:
    """Every form is the same one box."""
    assert [box.values for box in read_boxes(text)] == [(10.0, 20.0, 30.0, 40.0)]


@pytest.mark.parametrize("text", ["", "no idea", "[10, 20, 30]", "bbox_2d", "[0,0,0,0]", "I can't find it.", None, 5])
def test_no_box(text: object) -> None:
    """Fewer than four numbers, an all-zero box and what is no text hold none."""
    assert read_boxes(text) == ()


def test_two_different_boxes_are_both_told() -> None:
    """The scorer sees that the piece names two."""
    assert len(read_boxes("[10,20,30,40] or [1,2,3,4]")) == 2


def test_numbers_with_sign_point_and_exponent() -> None:
    """Leading points, signs and exponents belong to the number."""
    assert read_boxes("[.04, -5, 2e-1, +.73]")[0].values == (0.04, -5.0, 0.2, 0.73)


def test_location_tokens() -> None:
    """PaliGemma writes y before x in 1,024 bins, Florence x before y in thousandths."""
    assert read_boxes("<loc0256><loc0128><loc0768><loc0512> cat")[0].values == (0.125, 0.25, 0.5, 0.75)
    found = read_boxes("<loc_100><loc_200><loc_300><loc_400>")[0]
    assert to_fractions(found) == (0.1, 0.2, 0.3, 0.4)


@pytest.mark.parametrize(
    ("values", "has_point", "wanted"),
    [
        ((0.1, 0.2, 0.3, 0.4), True, (0.1, 0.2, 0.3, 0.4)),
        ((10.0, 20.0, 30.0, 40.5), True, (0.1, 0.2, 0.3, 0.405)),
        ((10.0, 20.0, 30.0, 40.0), False, (0.01, 0.02, 0.03, 0.04)),
        ((100.0, 200.0, 300.0, 400.0), False, (0.1, 0.2, 0.3, 0.4)),
        ((300.0, 400.0, 100.0, 200.0), False, (0.1, 0.2, 0.3, 0.4)),
        ((-5.0, -5.0, 1005.0, 1005.0), False, (0.0, 0.0, 1.0, 1.0)),
    ],
)
def test_scale_of_one_box(values: tuple[float, ...], has_point: bool, wanted: tuple[float, ...]) -> None:
    """Without a convention the box's own values tell; corners are put right and cut to the image."""
    x1, y1, x2, y2 = values
    assert to_fractions(WrittenBox((x1, y1, x2, y2), has_point)) == pytest.approx(wanted)


def test_a_known_convention_comes_first() -> None:
    """A run's convention overrules the guess, what the notation states overrules both."""
    box = WrittenBox((10.0, 20.0, 30.0, 40.0))
    assert to_fractions(box, "percent") == pytest.approx((0.1, 0.2, 0.3, 0.4))
    assert to_fractions(box, "pixel", (100, 200)) == pytest.approx((0.1, 0.1, 0.3, 0.2))
    assert to_fractions(box, "pixel") == to_fractions(box, "thousand")
    assert to_fractions(read_boxes("[10%, 20%, 30%, 40%]")[0], "thousand") == pytest.approx((0.1, 0.2, 0.3, 0.4))
