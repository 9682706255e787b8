"""Thresholds of the eye chart."""

import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from snellen.reports.thresholds import markdown, summary_line, svg, terminal, thresholds

SIZES = (6.0, 8.0, 12.0, 16.0, 24.0)


def rows(p_right: Any, kind: str = "letters", n: int = 12, **metadata: Any) -> list[dict[str, Any]]:
    """Answers with these chances of being right at each level."""
    rng = np.random.default_rng(3)
    about = {"kind": kind, "unit": "px", "harder": "lower", "phrase": "reads letters down to {level} px", **metadata}
    levels = metadata.get("levels", SIZES)
    return [
        {"score": float(rng.random() < p_right(level)), "capability": "scene", "metadata": {**about, "level": level}}
        for level in levels
        for _ in range(n)
    ]


def test_a_threshold_is_said_in_words() -> None:
    """A reader of 10 px and more gets its line with the interval."""
    (found,) = thresholds(rows(lambda size: size > 10))
    assert 8 < found.curve.threshold < 12
    assert found.sentence.startswith("reads letters down to ")
    assert "…" in found.sentence


def test_counts_get_harder_upwards() -> None:
    """For numbers of things the hard end is the high one."""
    (found,) = thresholds(
        rows(lambda n: n < 12, kind="dots", harder="higher", unit="objects", phrase="counts up to {level} dots")
    )
    assert 8 < found.curve.threshold < 12
    assert found.sentence.startswith("counts up to ")


def test_no_threshold_says_why() -> None:
    """All wrong and all right are no thresholds; the line says so and the summary counts them."""
    nothing = thresholds(rows(lambda _: False))[0]
    everything = thresholds(rows(lambda _: True))[0]
    assert "not above chance" in nothing.sentence
    assert everything.sentence == "reads letters down to 6 px and beyond (the hardest tested)"
    assert "no threshold for 1 other kind" in summary_line([everything, nothing])
    assert summary_line([nothing]) == "no threshold could be read off"


def test_missing_answers_and_other_rows_are_left_out() -> None:
    """A failed sample is missing; rows of another benchmark have no kind."""
    given = [*rows(lambda size: size > 10), {"score": None, "metadata": {"kind": "clock", "level": 4.0}}]
    given.append({"score": 1.0, "metadata": {}})
    assert [one.kind for one in thresholds(given)] == ["letters"]


def test_texts_and_figures() -> None:
    """Terminal within 80 columns, a Markdown row, and an SVG that parses, hostile names escaped."""
    found = thresholds(rows(lambda size: size > 10))
    assert max(map(len, terminal(found).splitlines())) <= 80
    assert "| letters | scene |" in markdown(found)
    drawn = svg(found[0], [("<b>&512 px", thresholds(rows(lambda size: size > 14))[0])])
    root = ElementTree.fromstring(drawn)
    assert len(list(root.iter("circle"))) == 2 * len(SIZES)
    assert len(list(root.iter("polyline"))) == 2
    assert "<b>" not in drawn


@pytest.mark.parametrize("chance", [0.0, 0.25])
def test_chance_moves_the_half_way_point(chance: float) -> None:
    """With guessing, half way is above one half, so the threshold is where that share is reached."""
    (found,) = thresholds(rows(lambda s: chance + (1 - chance) / (1 + np.exp(-2 * (s - 11))), n=60, chance=chance))
    assert found.curve.threshold == pytest.approx(11, abs=1.5)
    assert found.as_record()["chance"] == chance
