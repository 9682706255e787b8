"""The run's page and what it is made of: order, slices, judges, citations, examples, the way back from report.json."""

import io
import math
import re
from dataclasses import replace

import pytest
from PIL import Image

from snellen.reports.citations import citations
from snellen.reports.example_cards import examples_section
from snellen.reports.examples import Example, thumbnail
from snellen.reports.judging_section import flat
from snellen.reports.marks import Marks, marks_of
from snellen.reports.report_file import slices_of, summary_of
from snellen.reports.run_html import run_page
from snellen.reports.slices import Slices
from snellen.reports.summary import CONVENTIONS, summarise
from tests.reports.made_pages import data_of, rows_of


def test_the_page_loads_and_runs_nothing() -> None:
    """No script, no address but data, and hostile names stay text."""
    page = run_page(data_of(model__name="<script>alert(1)</script>", benchmark__title="<img src=x onerror=alert(2)>"))
    assert "<script" not in page
    assert "<img src=x" not in page
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "default-src 'none'" in page


def test_capabilities_follow_the_benchmarks_own_order() -> None:
    """The order that a benchmark states is the order of the tables; others follow as they come."""
    rows = rows_of({"b": 0.5, "c": 0.5, "a": 0.5})
    ordered = summarise(rows, convention=CONVENTIONS["left-out"], seed=0, order=["a", "b"])
    assert [cell.name for cell in ordered.by_capability] == ["a", "b", "c"]
    plain = summarise(rows, convention=CONVENTIONS["left-out"], seed=0)
    assert [cell.name for cell in plain.by_capability] == ["b", "c", "a"]


def test_slices_are_complete_and_in_their_order() -> None:
    """Images, long side, answer, options and question each tell their groups apart, small before large."""
    slices = Slices()
    for i in range(12):
        row = {"state": "scored", "value": float(i % 2), "n_images": 1 + i % 2, "n_choices": (0, 4, 10)[i % 3],
               "long_side_px": (700, 1000, 1700)[i % 3]}  # fmt: skip
        slices.add(row, {"references": [("12", "red", "a red car")[i % 3]], "question": "x" * (10, 100, 300)[i % 3]})
    slices.add({"state": "error", "value": None, "n_images": 0, "n_choices": 0, "long_side_px": 0}, {})
    found: dict[str, list[str]] = {}
    for one in slices.means(seed=0):
        found.setdefault(one.aspect, []).append(one.name)
    assert found["images"] == ["one", "several"]
    assert found["long side"] == ["< 800 px", "800–1600 px", "> 1600 px"]
    assert found["options"] == ["free response", "4", "10"]
    assert found["question"] == ["up to 60 characters", "61–200 characters", "over 200 characters"]
    assert found["answer"] == ["integer", "option"]


def test_a_summary_comes_back_from_its_record() -> None:
    """report.json holds all that the viewer shows: record → summary → the same record."""
    summary = data_of().summary
    assert summary_of(summary.as_record()).as_record() == summary.as_record()
    assert math.isnan(summary_of({}).overall.score)
    assert slices_of({"slices": [{"aspect": "a", "name": "b", "n": 3, "score": 0.5, "ci95": [0.1, None]}]})[0].n == 3
    assert summary_of({"by_capability": [], "missing": 3, "ci95": "x", "score": True}).overall.n_asked == 0


def test_citations_name_benchmark_and_scorers_once() -> None:
    """The benchmark's paper and the paper of each scorer used, each once with what it is for."""
    data = data_of(benchmark__citation="The Bench, 2026")
    found = citations(data.summary, data.spec)
    assert found[0] == ("benchmark", "The Bench, 2026")
    assert any(what == "docvqa" and "DocVQA" in paper for what, paper in found)
    assert len(found) == 2
    assert "The Bench, 2026" in run_page(data)


def test_judges_are_shown_with_states_and_reasons() -> None:
    """Verdicts by state and reason, sentences, and every fact, escaped; nothing where nobody judged."""
    facts = {
        "notes": [],
        "judging": {
            "sentences": ["judge <x>: 3 verdicts"],
            "agreement": {"overall": {"alpha": {"value": 0.5, "low": 0.25, "high": 0.75}, "n": 3}},
            "people": None,
        },
    }
    verdicts = {"correct": {"the same": 2}, "incorrect": {"<b>other</b>": 1, "": 1}}
    page = run_page(replace(data_of(facts=facts), verdicts=verdicts))
    assert "judge &lt;x&gt;: 3 verdicts" in page
    assert "&lt;b&gt;other&lt;/b&gt;" in page
    assert "(no reason given)" in page
    assert "agreement, overall, alpha" in page
    assert "0.5 (0.25 … 0.75)" in page
    assert "<h2>Judges</h2>" not in run_page(data_of())


def test_flat_is_bounded_in_depth() -> None:
    """Facts nested without end are cut, not followed."""
    deep: dict = {}
    place = deep
    for _ in range(2000):
        place["x"] = {}
        place = place["x"]
    assert len(flat({"a": deep, "b": 1})) <= 2


def picture() -> bytes:
    """A grey PNG of 100 × 50 pixels."""
    buffer = io.BytesIO()
    Image.new("RGB", (100, 50), "grey").save(buffer, "PNG")
    return buffer.getvalue()


def test_boxes_and_points_are_drawn_in_place() -> None:
    """References are green and answers orange, at their fractions of the picture."""
    marks = marks_of({"gt_bbox": [0.1, 0.2, 0.5, 0.8], "predicted_points": [[0.9, 0.5]]})
    made = thumbnail(picture(), marks=marks)
    assert made is not None
    image = Image.open(io.BytesIO(made[1])).convert("RGB")
    assert image.getpixel((10, 25)) == (0, 158, 115)
    assert image.getpixel((90, 25)) == (213, 94, 0)
    assert image.getpixel((70, 10)) == (128, 128, 128)
    assert thumbnail(b"no picture", marks=marks) is None


@pytest.mark.parametrize(
    ("details", "size", "marks"),
    [
        ({"gt_bbox": [10, 10, 60, 20]}, (100, 50), Marks(true_boxes=((0.1, 0.2, 0.5, 0.2),))),
        ({"gt_bbox": [10, 10, 60, 20]}, None, Marks()),
        ({"gt_bbox": [[0, 0, 1, 1], [0.5, 0.5, 0.25, 1]]}, None,
         Marks(true_boxes=((0, 0, 1, 1), (0.25, 0.5, 0.25, 0.5)))),
        ({"pred_bbox": "x", "gt_bbox": [1, 2, 3]}, None, Marks()),
        ({"pred_bbox": [float("nan"), 0, 1, 1]}, None, Marks()),
        ({"pred_bbox": [True, False, True, True]}, None, Marks()),
        ({"pred_point": [0.5, 0.5]}, None, Marks(said_points=((0.5, 0.5),))),
        ({"predicted_points": None, "ground_truth_points": [[1e308, 1e308]]}, (1, 1), Marks(true_points=((2, 2),))),
    ],
)  # fmt: skip
def test_marks_of_odd_details(details, size, marks) -> None:
    """Pixels need a size; what is no box or point is passed over; nothing raises."""
    assert marks_of(details, None, size) == marks


def test_an_example_tells_why() -> None:
    """Options, truth, response, reading, score, reason and parts of the metric stand on the card."""
    row = {"capability": "chart", "dataset": "docvqa", "sample_id": "<q>", "answer": "", "value": 0.0, "fair": 1.0,
           "scorer": "docvqa", "reason": "no answer found", "flags": ["empty"]}  # fmt: skip
    example = Example(3, row, {"anls": 0.25, "model_output": "long"})
    record = {"question": "How <many>?", "choices": ["one", "two"], "references": ["one"], "images": []}
    data = replace(
        data_of(), examples=[example], records={3: record}, responses={3: ""}, pictures=lambda _: {3: [picture()]}
    )
    page = examples_section(data)
    for text in ("A. one\nB. two", "(empty)", "(nothing)", "no answer found; anls 0.25", "fair rules 1.00", "empty",
                 "How &lt;many&gt;?", "&lt;q&gt;", "data:image/png"):  # fmt: skip
        assert text in page
