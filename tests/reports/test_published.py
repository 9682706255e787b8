"""A run beside the published models of its benchmark."""

import math

import pytest

from snellen.errors import UsageError
from snellen.reports import figures
from snellen.reports.leaderboard import datbench_published
from snellen.reports.published import beside, chosen
from snellen.reports.published_section import published_section
from tests.reports.made_pages import DATBENCH, data_of


def test_three_references_by_default() -> None:
    """The best, the median and the nearest published model, each once; the ceiling is the best one's score."""
    data = data_of()
    found = beside(data.summary, data.spec)
    assert found is not None
    assert list(found.chosen.values()) == ["best", "median", "nearest"]
    scores = list(found.scores.values())
    assert scores == sorted(scores, reverse=True)
    assert found.ceiling == scores[0]
    assert found.own.mean == pytest.approx(0.5)
    assert found.measure == "mean of the 9 capabilities"
    near = next(name for name, why in found.chosen.items() if why == "nearest")
    rest = [
        abs(score - 0.5) for name, score in found.scores.items() if found.chosen.get(name, "nearest") == "nearest"
    ]
    assert abs(found.scores[near] - 0.5) == min(rest)
    assert found.own.low < 0.5 < found.own.high


def test_a_part_is_compared_with_the_same_part() -> None:
    """A run of one capability stands beside the published numbers of that capability alone."""
    data = data_of({"chart": 0.25}, benchmark__name="datbench/chart")
    found = beside(data.summary, data.spec)
    assert found is not None
    assert found.measure == "chart"
    published = datbench_published()
    assert found.scores["R-4B"] == published.scores["R-4B"]["chart"]
    some = beside(*_two_parts())
    assert some is not None
    assert some.measure == "mean of these 2 capabilities"
    row = published.scores["R-4B"]
    assert some.scores["R-4B"] == pytest.approx((row["chart"] + row["math"]) / 2)


def _two_parts():
    data = data_of({"chart": 0.25, "math": 0.75})
    return data.summary, data.spec


def test_perceptionbench_is_compared_by_its_categories() -> None:
    """Its ten categories are the axes, and overall is its own overall."""
    names = ("visual_relation_error", "visual_counting_error", "ocr_error")
    data = data_of(dict.fromkeys(names, 0.5), benchmark__name="perceptionbench")
    found = beside(data.summary, data.spec)
    assert found is not None
    assert [cell.name for cell in found.cells] == list(names)
    assert "visual counting" in published_section(data)


def test_nothing_is_compared_without_a_table_or_a_score() -> None:
    """A user's own file, or a run with nothing scored, stands beside nobody."""
    own = data_of(benchmark__name="file:a.jsonl")
    assert beside(own.summary, own.spec) is None
    assert "Beside" not in published_section(own)
    empty = data_of({})
    assert beside(empty.summary, empty.spec) is None


def test_chosen_models_are_checked() -> None:
    """A model that is not in the table is refused with the nearest name."""
    data = data_of()
    found = beside(data.summary, data.spec, ["R-4B"])
    assert found is not None
    assert dict(found.chosen) == {"R-4B": "chosen"}
    with pytest.raises(UsageError, match="did you mean 'R-4B'"):
        chosen(["R4B"], datbench_published())


def test_a_capability_without_scores_is_left_out_and_said() -> None:
    """Samples that nobody judged do not drag the run below the published models."""
    from snellen.reports.summary import CONVENTIONS, summarise
    from tests.reports.made_pages import rows_of
    from tests.reports.scored_runs import spec_of

    rows = rows_of(dict.fromkeys(DATBENCH[:8], 0.5))
    rows += [{**row, "position": 1000 + i, "state": "unjudged", "value": None}
             for i, row in enumerate(rows_of({"table": 1.0}))]  # fmt: skip
    summary = summarise(rows, convention=CONVENTIONS["datbench"], seed=0)
    found = beside(summary, spec_of())
    assert found is not None
    assert found.measure == "mean of these 8 capabilities"
    assert any("table" in remark for remark in found.remarks)


def test_figures_name_everything() -> None:
    """The radar's legend and the bars name the run and the models, and the dashed ceiling is drawn."""
    page = published_section(data_of(model__name="<b>mine</b>"))
    assert "&lt;b&gt;mine&lt;/b&gt;" in page
    assert "<b>" not in page
    assert "(median)" in page
    assert "stroke-dasharray" in page
    assert 'class="zero"' in page
    assert "how the protocols differ" in page


def test_a_radar_needs_three_axes() -> None:
    """Below three capabilities there is no radar."""
    assert figures.radar(data_of({"chart": 0.5, "math": 0.5}).summary.by_capability) == ""
    assert "<svg" in figures.radar(data_of().summary.by_capability)


def test_interval_bar_of_the_unknown_is_empty() -> None:
    """An interval that cannot be known is not drawn."""
    from snellen.stats.intervals import Interval

    assert figures.interval_bar(Interval(0.5, math.nan, math.nan, 1, 1, "")) == ""
