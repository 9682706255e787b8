"""Points in all forms."""

from __future__ import annotations

import pytest

from snellen.answers.points import WrittenPoints, read_points, to_fractions

ONE = (
    "(500, 250)",
    "[500, 250]",
    "( 500, 250 )",
    "500, 250",
    "500 250",
    "(500; 250)",
    "(500, 250, 3)",
    "500，250",
    "(500 250)",
    r"\boxed{500, 250}",
    r"\boxed{500 250}",
    r"\boxed{\left(500, 250\right)}",
    r"\boxed{\text{(500, 250)}}",
    '{"x": 500, "y": 250}',
    "x=500, y=250",
    "x: 500, y: 250",
    '{"point_2d": [500, 250], "label": "it"}',
    "<|point_start|>(500,250)<|point_end|>",
    '```json\n{"points": [[500, 250]]}\n```',
    r"\boxed{the cup} (500,250)",
    r"\boxed{} 500, 250",
    "Looking at 1, 2 and 3: 500, 250",
    "I found it [1] at (500, 250).",
    "(500 px, 250 px)",
    "<think>(1, 2)</think>(500, 250)",
    "1. (500, 250)",
    "- 500, 250",
)
TWO = (
    "(100, 200), (300, 400)",
    "[[100, 200], [300, 400]]",
    "[100, 200, 300, 400]",
    "100, 200\n300, 400",
    "100 200, 300 400",
    r"\boxed{100, 200} \boxed{300, 400}",
    r"\boxed{100, 200" + "\n300, 400}",
    '[{"x": 100, "y": 200}, {"x": 300, "y": 400}]',
    "I found these:\n- (100,200)\n- (300,400)",
    '[{"point_2d": [100, 200]}, {"point_2d": [300, 400]}]',
)


@pytest.mark.parametrize("text", ONE)
def test_one_point(text: str) -> None:
    """Every form is the same one point."""
    assert read_points(text).pairs == ((500.0, 250.0),)


@pytest.mark.parametrize("text", TWO)
def test_two_points(text: str) -> None:
    """Every form is the same two points; no pair crosses a line."""
    assert read_points(text).pairs == ((100.0, 200.0), (300.0, 400.0))


def test_molmo_tags_are_percent() -> None:
    """Tags hold percent of the image, one point or several."""
    one = read_points('<point x="21.0" y="91.1" alt="it">it</point>')
    several = read_points('<points x1="10" y1="20.5" x2="30" y2="40" alt="it">it</points>')
    assert to_fractions(one) == ((0.21, pytest.approx(0.911)),)
    assert several.pairs == ((10.0, 20.5), (30.0, 40.0))
    assert several.convention == "percent"


@pytest.mark.parametrize("text", ["", "There are no cups", "0", "[]", "3 cups", "none", None, "(5)", "{}"])
def test_no_point(text: object) -> None:
    """Single numbers, denials and what is no text hold none."""
    assert read_points(text).pairs == ()


@pytest.mark.parametrize(
    ("pairs", "has_point", "wanted"),
    [
        (((0.5, 0.25),), True, (0.5, 0.25)),
        (((50.0, 25.5),), True, (0.5, 0.255)),
        (((500.0, 250.0),), False, (0.5, 0.25)),
        (((50.0, 25.0), (500.0, 1.5)), True, (0.05, 0.025)),
        (((-500.0, 1500.0),), False, (-0.5, 1.5)),
    ],
)
def test_one_scale_for_all(
    pairs: tuple[tuple[float, float], ...], has_point: bool, wanted: tuple[float, float]
) -> None:
    """The whole answer has one scale, and a point outside stays outside."""
    assert to_fractions(WrittenPoints(pairs, has_point))[0] == pytest.approx(wanted)


def test_a_known_convention_comes_first() -> None:
    """A run's convention overrules the guess."""
    points = WrittenPoints(((50.0, 25.0),))
    assert to_fractions(points, "percent") == ((0.5, 0.25),)
    assert to_fractions(points, "pixel", (200, 100)) == ((0.25, 0.25),)
