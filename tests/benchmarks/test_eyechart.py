"""The eye chart: same seed same pixels, answers that the pixels themselves bear out, ladders, nothing leaked."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from snellen.benchmarks.eyechart import KINDS, load
from snellen.benchmarks.eyechart.drawing import COLOURS, PAPER, outline_box, places_apart
from snellen.errors import BenchmarkError, UsageError
from snellen.types import Benchmark, ImagePart, Sample, TextPart

CAPABILITIES = {"chart", "counting", "document", "general", "grounding", "math", "scene", "spatial", "table"}
SEEDS = (0, 1, 2)


def samples_of(name: str, seed: int = 0) -> list[Sample]:
    """All samples of a part of the chart."""
    return list(load(f"eyechart/{name}", options={"seed": seed}).samples())


def pictures(sample: Sample) -> list[np.ndarray[Any, Any]]:
    """The sample's pictures as int arrays, shape (height, width, 3)."""
    sources = [part.source for part in sample.parts if isinstance(part, ImagePart)]
    return [np.asarray(Image.open(io.BytesIO(source)).convert("RGB")).astype(int) for source in sources]


def blobs(mask: np.ndarray[Any, Any], least: int = 12) -> int:
    """Connected regions of at least so many pixels."""
    labels, n = ndimage.label(mask)
    return int((ndimage.sum_labels(mask, labels, range(1, n + 1)) >= least).sum()) if n else 0


def near(picture: np.ndarray[Any, Any], colour: tuple[int, int, int], within: int = 40) -> np.ndarray[Any, Any]:
    """Where a picture has about this colour."""
    return np.abs(picture - np.array(colour)).max(axis=2) <= within


def bytes_of(samples: list[Sample]) -> list[bytes]:
    """All image bytes in order."""
    return [part.source for sample in samples for part in sample.parts if isinstance(part, ImagePart)]


def test_chart_is_a_benchmark() -> None:
    """The chart implements the protocol and states the fair rules."""
    chart = load()
    assert isinstance(chart, Benchmark)
    assert chart.facts["rules"] == "fair"
    assert chart.facts["max_tokens"] == 512


def test_same_seed_gives_same_bytes() -> None:
    """Two loads of one seed draw the same bytes and share the fingerprint."""
    first, second = load(options={"seed": 7}), load(options={"seed": "7"})
    assert first.fingerprint == second.fingerprint
    assert bytes_of(list(first.samples())) == bytes_of(list(second.samples()))


def test_another_seed_gives_fresh_items() -> None:
    """No picture of one seed comes back under another."""
    first, second = load(options={"seed": 1}), load(options={"seed": 2})
    assert first.fingerprint != second.fingerprint
    assert not set(bytes_of(list(first.samples()))) & set(bytes_of(list(second.samples())))


def test_drawing_leaves_global_randomness_alone() -> None:
    """Neither Python's nor numpy's global generator is read or moved."""
    random.seed(3)
    np.random.seed(3)
    python_state, numpy_state = random.getstate(), np.random.get_state()[1].tobytes()
    list(load("eyechart/counting").samples())
    assert random.getstate() == python_state
    assert np.random.get_state()[1].tobytes() == numpy_state


def test_random_access_equals_streaming() -> None:
    """A position drawn alone is the sample that streaming yields there, in ascending order."""
    chart = load()
    everything = list(chart.samples())
    some = list(chart.samples([77, 3, 3, 40]))
    assert [sample.id for sample in some] == [everything[i].id for i in (3, 40, 77)]
    assert bytes_of(some) == bytes_of([everything[i] for i in (3, 40, 77)])


def test_only_what_is_asked_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index draws nothing; one position encodes one sample's pictures."""
    encoded: list[int] = []
    monkeypatch.setattr("snellen.benchmarks.eyechart.png_bytes", lambda image: encoded.append(1) or b"")
    chart = load("eyechart/letters")
    assert len(list(chart.index())) == len(chart)
    assert encoded == []
    next(iter(chart.samples()))
    assert encoded == [1]


def test_unknown_position_is_refused() -> None:
    """A position beyond the end names the range."""
    with pytest.raises(BenchmarkError, match="0 to 4, not 9"):
        list(load("eyechart/letters").samples([9]))


@pytest.mark.parametrize(
    ("name", "data", "options", "words"),
    [
        ("eyechart/smell", None, {}, "no part 'smell'"),
        ("eyechart", "x.parquet", {}, "leave --data out"),
        ("eyechart", None, {"seed": "one"}, "seed must be a whole number"),
        ("eyechart", None, {"per_level": 0}, "at least 1"),
        ("eyechart", None, {"sed": 1}, "no option 'sed'"),
    ],
)
def test_wrong_calls_are_refused(name: str, data: str | None, options: dict[str, Any], words: str) -> None:
    """Each wrong call is one sentence that names what is wrong."""
    with pytest.raises(UsageError, match=words):
        load(name, data=data, options=options)


def test_all_capabilities_and_answer_forms() -> None:
    """At least 14 kinds over all nine capabilities, all five scorers, one kind with two pictures; ids are unique."""
    samples = list(load().samples())
    assert len(KINDS) >= 14
    assert {sample.capability for sample in samples} == CAPABILITIES
    assert {sample.scorer for sample in samples} == {"exact", "choice", "number", "box", "point"}
    assert {sample.category for sample in samples if len(pictures(sample)) == 2} == {"moved"}
    assert len({sample.id for sample in samples}) == len(samples)
    assert [row.id for row in load().index()] == [sample.id for sample in samples]


def test_default_size_is_quick() -> None:
    """The default chart has 60 to 110 small pictures; per_level grows it without changing the first items."""
    small, large = load(), load(options={"per_level": 3})
    assert 60 <= len(small) <= 110
    assert len(large) == 3 * len(small)
    assert bytes_of(list(large.samples(range(5)))) == bytes_of(list(small.samples(range(5))))
    assert max(max(size) for sample in small.samples() for size in sample.image_sizes) <= 1000


def test_any_first_part_mixes_kinds_and_rungs() -> None:
    """The first pass over the kinds holds each kind once and several rungs."""
    chart = load()
    first = list(chart.samples(range(len(KINDS))))
    assert {sample.category for sample in first} == set(KINDS)
    rungs = [KINDS[s.category].levels.index(s.metadata["level"]) for s in first]
    assert len(set(rungs)) == 5


@pytest.mark.parametrize("name", list(KINDS))
def test_ladder_is_monotone_and_described(name: str) -> None:
    """Levels go one way, as `harder` says; unit, chance and phrase are stated on each sample."""
    kind = KINDS[name]
    ups = [b > a for a, b in pairwise(kind.levels)]
    assert len(kind.levels) >= 5
    assert all(ups) if kind.harder == "higher" else not any(ups)
    assert "{level}" in kind.phrase
    for sample in samples_of(name):
        assert sample.metadata["level"] in kind.levels
        assert sample.metadata["unit"] == kind.unit
        assert sample.metadata["harder"] == kind.harder
        assert 0 <= sample.metadata["chance"] <= 0.5


@pytest.mark.parametrize("name", list(KINDS))
def test_question_states_the_form_and_never_the_answer(name: str) -> None:
    """Every prompt says how to answer; a free answer stands neither in the question nor in the id nor in the file."""
    for seed in SEEDS:
        for sample in samples_of(name, seed):
            text = sample.parts[-1]
            assert isinstance(text, TextPart)
            assert "Answer " in text.text
            assert text.text == sample.question + sample.suffix
            if not sample.choices:
                words = sample.question.replace(".", " ").replace(",", " ").split()
                assert sample.references[0] not in words
            for source in bytes_of([sample]):
                assert Image.open(io.BytesIO(source)).info == {}


@pytest.mark.parametrize("name", [kind.name for kind in KINDS.values() if kind.scorer == "choice"])
def test_choices_hold_the_answer_once(name: str) -> None:
    """Options differ and the answer is one of them; its place varies over seeds."""
    places = set()
    for seed in range(8):
        for sample in samples_of(name, seed):
            assert len(set(sample.choices)) == len(sample.choices)
            places.add(sample.choices.index(sample.references[0]))
            assert sample.metadata["chance"] == pytest.approx(1 / len(sample.choices))
    assert len(places) >= min(4, len(sample.choices))


def test_dots_can_be_counted_in_the_pixels() -> None:
    """As many connected blobs as the answer says: dots neither touch nor leave the picture."""
    for seed in SEEDS:
        for sample in samples_of("dots", seed):
            (picture,) = pictures(sample)
            assert blobs(~near(picture, PAPER, 30)) == int(sample.references[0])


def test_dots_among_can_be_counted_in_the_pixels() -> None:
    """All things are apart, as many as the level says, and fewer are asked than there are."""
    for seed in SEEDS:
        for sample in samples_of("dots_among", seed):
            (picture,) = pictures(sample)
            assert blobs(~near(picture, PAPER, 30)) == sample.metadata["n_objects"] == sample.metadata["level"]
            assert 1 <= int(sample.references[0]) < sample.metadata["n_objects"]


def test_area_is_the_blue_share_of_the_grid() -> None:
    """The blue pixels make up as many squares as the answer says."""
    for seed in SEEDS:
        for sample in samples_of("area", seed):
            (picture,) = pictures(sample)
            step = 240 // sample.metadata["grid"]
            centres = [12 + step * i + step // 2 for i in range(sample.metadata["grid"])]
            blue = near(picture, (120, 170, 214), 30)
            assert blue[np.ix_(centres, centres)].sum() == int(sample.references[0])


def test_tallest_bar_leads_in_the_pixels() -> None:
    """The answer's bar has most blue, and by the level over the next."""
    for seed in SEEDS:
        for sample in samples_of("bar_tallest", seed):
            (picture,) = pictures(sample)
            columns = [48 + i * 56 for i in range(5)]
            ink = [(255 - picture[:205, x, 0]).sum() / (255 - 58) for x in columns]
            assert sample.choices[int(np.argmax(ink))] == sample.references[0]
            first, second = sorted(ink)[::-1][:2]
            assert first - second == pytest.approx(sample.metadata["level"], abs=0.35)


def test_bar_values_stand_at_their_height() -> None:
    """The asked value times the level is the bar's height in pixels."""
    for seed in SEEDS:
        for sample in samples_of("bar_value", seed):
            (picture,) = pictures(sample)
            bars = [near(picture[:222], (58, 110, 165), 50)[:, 76 + i * 60].sum() for i in range(4)]
            heights = [value * sample.metadata["level"] for value in sample.metadata["values"]]
            assert bars == pytest.approx(heights, abs=1.1)
            assert int(sample.references[0]) in sample.metadata["values"]


def test_highest_line_leads() -> None:
    """The answer's line is highest in the asked month, by at least 6 px."""
    for seed in SEEDS:
        for sample in samples_of("line_highest", seed):
            values = sample.metadata["values"]
            assert sample.choices[int(np.argmax(values))] == sample.references[0]
            assert sorted(values)[-1] - sorted(values)[-2] >= 6


def test_boxes_hold_the_only_thing_that_fits() -> None:
    """The box is tight round one blob of the asked colour, inside the picture, apart from all others."""
    for seed in SEEDS:
        for sample in samples_of("find_box", seed):
            (picture,) = pictures(sample)
            colour = sample.question.split("the ")[1].split()[0]
            x1, y1, x2, y2 = (round(v * 360) for v in sample.metadata["bbox"])
            assert 0 <= x1 < x2 <= 360
            assert 0 <= y1 < y2 <= 360
            assert near(picture, COLOURS[colour])[y1:y2, x1:x2].mean() > 0.25
            drawn = ~near(picture, PAPER, 30)
            labels, _ = ndimage.label(drawn, np.ones((3, 3)))
            mine = labels == labels[y1:y2, x1:x2].max()
            ys, xs = np.nonzero(mine)
            assert [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1] == pytest.approx([x1, y1, x2, y2], abs=2)
            assert blobs(drawn) == sample.metadata["n_objects"]


def test_points_region_is_the_red_dot() -> None:
    """The region is the box of all red pixels."""
    for seed in SEEDS:
        for sample in samples_of("find_point", seed):
            (picture,) = pictures(sample)
            red = (picture[..., 0] - picture[..., 1]) > 70
            ys, xs = np.nonzero(red)
            region = [value * 360 for value in sample.metadata["bbox"]]
            assert [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1] == pytest.approx(region, abs=1)


def test_ring_gap_is_where_the_answer_says() -> None:
    """On legible rungs the ring's darkness leans away from the gap."""
    lean = {"right": (0, -1), "left": (0, 1), "top": (1, 0), "bottom": (-1, 0)}
    for seed in range(6):
        for sample in samples_of("ring_gap", seed):
            (picture,) = pictures(sample)
            dark = 252 - picture[..., 0].clip(max=252)
            ys, xs = np.nonzero(dark > 0)
            centre = ((ys.min() + ys.max()) / 2, (xs.min() + xs.max()) / 2)
            offset = np.array(ndimage.center_of_mass(dark)) - centre
            if sample.metadata["level"] >= 4:
                assert offset @ np.array(lean[sample.references[0]]) > 0.06 * sample.metadata["level"]


def test_odd_disc_is_darker() -> None:
    """One disc alone differs, it is the answer's, and by the level's contrast to one grey level."""
    for seed in SEEDS:
        for sample in samples_of("odd_one", seed):
            (picture,) = pictures(sample)
            greys = picture[52 + 50 * np.arange(5)][:, 52 + 50 * np.arange(5), 0]
            row, column = np.unravel_index(greys.argmin(), greys.shape)
            assert f"{'ABCDE'[column]}{row + 1}" == sample.references[0]
            assert (greys == greys.max()).sum() == 24
            assert (greys.max() - greys.min()) / greys.max() == pytest.approx(sample.metadata["level"], abs=0.0026)


def test_only_the_moved_thing_moved() -> None:
    """The two pictures differ only near the answer's place, and all five things stay apart in both."""
    for seed in range(12):
        for sample in samples_of("moved", seed):
            before, after = pictures(sample)
            i = sample.choices.index(sample.references[0])
            ys, xs = np.nonzero(np.abs(before - after).max(axis=2) > 0)
            (x, y), (u, v) = (sample.metadata["places"][k][i] for k in (0, 1))
            assert min(x, u) - 21 <= xs.min() <= xs.max() <= max(x, u) + 21
            assert min(y, v) - 21 <= ys.min() <= ys.max() <= max(y, v) + 21
            for places in sample.metadata["places"]:
                gaps = [np.hypot(a - c, b - d) for (a, b), (c, d) in _pairs(places)]
                assert min(gaps) >= 43.9


def _pairs(places: list[tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return [(places[i], places[j]) for i in range(len(places)) for j in range(i)]


def test_steps_lead_to_the_answer() -> None:
    """Following the table step by step ends at the answer and never passes it before."""
    for seed in SEEDS:
        for sample in samples_of("table_steps", seed):
            here, cells = sample.metadata["start"], sample.metadata["cells"]
            passed = []
            for _ in range(int(sample.metadata["level"])):
                here = cells[here]
                passed.append(here)
            assert here == sample.references[0]
            assert len(set(passed)) == len(passed)
            assert len(cells) == 25


def test_receipts_and_sums_add_up() -> None:
    """The total is the sum of the prices; the result is the sum of the terms."""
    for seed in SEEDS:
        for sample in samples_of("receipt", seed):
            assert float(sample.references[0]) == pytest.approx(sum(sample.metadata["prices"]))
            assert len(sample.metadata["prices"]) == sample.metadata["level"]
        for sample in samples_of("sum", seed):
            assert int(sample.references[0]) == sum(sample.metadata["terms"])


def test_angles_are_drawn_as_said() -> None:
    """The angle between the two dark strokes, measured in the pixels, is the answer's."""
    for seed in SEEDS:
        for sample in samples_of("angle", seed):
            (picture,) = pictures(sample)
            ys, xs = np.nonzero(picture.sum(axis=2) < 250)
            far = np.hypot(xs - 129.5, ys - 129.5) > 90
            turns = np.sort(np.degrees(np.arctan2(ys[far] - 129.5, xs[far] - 129.5)) % 360)
            cuts = np.nonzero(np.diff(turns) > 3)[0]
            groups = np.split(turns, cuts + 1)
            ends = [group for group in groups if len(group)]
            if len(ends) == 3:
                ends = [np.concatenate([ends[2] - 360, ends[0]]), ends[1]]
            a, b = (group.mean() for group in ends)
            measured = min(abs(a - b), 360 - abs(a - b))
            assert measured == pytest.approx(sample.metadata["angle_deg"], abs=1.0)
            assert sample.references[0] == f"{sample.metadata['angle_deg']:g} degrees"


def test_tangle_ends_are_a_permutation() -> None:
    """Each line ends at its own number, and the answer is that of the asked letter."""
    for seed in SEEDS:
        for sample in samples_of("tangle", seed):
            ends = sample.metadata["ends"]
            asked = ord(sample.question.split("starts at ")[1][0]) - ord("A")
            assert sorted(ends) == list(range(1, len(ends) + 1))
            assert int(sample.references[0]) == ends[asked]


def test_text_is_as_tall_as_its_level() -> None:
    """On the sign the letters' ink is as tall as the level says (round letters overshoot a little)."""
    for sample in samples_of("letters"):
        level = sample.metadata["level"]
        if level >= 5:
            (picture,) = pictures(sample)
            ys, _ = np.nonzero(picture.sum(axis=2) < 260)
            assert ys.max() - ys.min() + 1 == pytest.approx(level, abs=2)


def test_places_never_touch() -> None:
    """Placed circles keep their distance and stay inside, for few and for many."""
    for n in (1, 2, 5, 17, 60, 110):
        spots = places_apart(random.Random(n), n, width=360, height=360, radius_px=11)
        assert len(spots) == n
        assert all(np.hypot(a - c, b - d) >= 22 for (a, b), (c, d) in _pairs(spots))
        assert all(11 <= value <= 349 for spot in spots for value in spot)


def test_outline_box_is_tight() -> None:
    """A triangle's box follows its corners, not its circle."""
    assert outline_box("triangle", 0, 0, 10) == (-9.5, -10, 9.5, 8)
