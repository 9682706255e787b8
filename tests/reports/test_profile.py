"""The profile of a benchmark and its contact sheet."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterator
from xml.etree import ElementTree

import pytest
from PIL import Image

from snellen.benchmarks.eyechart import load
from snellen.reports.contact_sheet import contact_sheet, exemplars
from snellen.reports.profile import answer_type, profile, profile_lines, profile_svg
from snellen.types import ImagePart, IndexRow, Sample, TextPart


def png(width: int) -> bytes:
    """A plain picture of that width."""
    stream = io.BytesIO()
    Image.new("RGB", (width, 10), "green").save(stream, "PNG")
    return stream.getvalue()


def sample(name: str, *images: object, capability: str = "Count", answer: str = "3", source: str = "NA") -> Sample:
    """A sample with these pictures."""
    return Sample(
        id=name,
        parts=(*(ImagePart(image) for image in images), TextPart("How many?")),
        question="How many?",
        references=(answer,),
        capability=capability,
        metadata={"source_bmk": source},
    )


SAMPLES = [
    sample("1", png(100)),
    sample("2", png(300), png(900), capability="VRel", answer="yes", source="zero<bench>"),
    sample("3", b"no picture", capability="VRel", answer="a red car"),
]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("-7", "integer"), ("1,234", "integer"), (".5", "decimal"), ("TRUE", "boolean"), ("C", "letter"),
     ("K", "single-word"), ("two words", "phrase"), ("", "none"), ("yes, it is", "phrase")],
)  # fmt: skip
def test_answer_types(text: str, kind: str) -> None:
    """Each form of answer has its type."""
    assert answer_type(text) == kind


def test_profile_counts_what_is_there() -> None:
    """Groups in the asked order, images, sides, unreadable ones, sources and the share written anew."""
    found = profile(SAMPLES, ["VRel", "Count"])
    assert [(g.name, g.n_samples, g.mean_images) for g in found.groups] == [("VRel", 2, 1.5), ("Count", 1, 1.0)]
    assert found.answer_types == {"integer": 1, "boolean": 1, "phrase": 1}
    assert (found.images_per_item, found.multi_image_share) == ({1: 2, 2: 1}, pytest.approx(1 / 3))
    assert (found.median_side_px, found.max_side_px) == (300, 900)
    assert (found.n_unreadable, found.unreadable_ids) == (1, ("3",))
    assert found.authored_share == pytest.approx(2 / 3)
    json.dumps(found.as_json())


def test_profile_lines_fit_a_terminal() -> None:
    """The table names every group and stays within 80 columns."""
    lines = profile_lines(profile(SAMPLES))
    assert all(len(line) <= 80 for line in lines)
    assert any(line.startswith("VRel") for line in lines)


def test_profile_figure_is_sound_and_escaped() -> None:
    """The figure is well-formed XML with one bar a count; names from the data cannot break it."""
    root = ElementTree.fromstring(profile_svg(profile([*SAMPLES, sample("4", png(5), source="\x00<script>\ud800")])))
    bars = root.findall(".//{http://www.w3.org/2000/svg}rect")
    assert len(bars) == 2 + 3 + 2 + 3


def test_empty_benchmark_has_a_profile() -> None:
    """No samples give zeros and no errors."""
    found = profile([])
    assert (found.n_samples, found.median_side_px, found.multi_image_share) == (0, None, 0.0)
    assert profile_lines(found)
    assert profile_svg(found)


class _Few:
    name, title, citation, fingerprint = "few", "", "", ""
    facts: dict[str, object] = {}  # noqa: RUF012 - read only

    def __init__(self) -> None:
        self.asked: list[int] = []

    def index(self) -> Iterator[IndexRow]:
        """Three samples in two categories."""
        for i, one in enumerate(SAMPLES):
            yield IndexRow(i, one.id, one.capability)

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """Those asked."""
        self.asked = sorted(positions or ())
        return iter([SAMPLES[i] for i in self.asked])


def test_exemplars_read_only_what_they_show() -> None:
    """One a category means two samples read, in the asked order."""
    few = _Few()
    found = exemplars(few, 1, ["Count", "VRel"])
    assert few.asked == [0, 1]
    assert list(found) == ["Count", "VRel"]


def test_contact_sheet_is_a_picture_of_the_groups() -> None:
    """A row a group, a cell a sample; an unreadable picture leaves a cell with the reason."""
    groups = exemplars(_Few(), 2)
    sheet = Image.open(io.BytesIO(contact_sheet(groups, 2)))
    assert sheet.height > 2 * 220
    assert sheet.getpixel((8 + 110, 26 + 110)) == (0, 128, 0)


def test_contact_sheet_of_the_eye_chart() -> None:
    """All nine capabilities are on the sheet."""
    assert len(exemplars(load(), 2)) == 9
