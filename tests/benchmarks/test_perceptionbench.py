"""PerceptionBench: images in place, hints, categories, the tutorial's sample, hub and file alike."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from snellen import benchmarks
from snellen.benchmarks.perceptionbench import OFFICIAL, OFFICIAL_MIX, TUTORIAL_SYSTEM, code_of, load, sample_of
from snellen.errors import BenchmarkError, UsageError
from snellen.images import inspect, read_bytes
from snellen.reference import files
from snellen.types import Benchmark, ImagePart, Sample, TextPart
from tests.benchmarks.hub_server import CONVERTED, Hub
from tests.benchmarks.pictures import data_uri, jsonl, parquet

SHARED = Path(os.environ.get("SNELLEN_SHARED", Path(__file__).parents[2] / "../shared"))
MINI = SHARED / "data" / "perceptionbench-mini"
CATEGORIES = list(OFFICIAL)


def row(index: int = 0, **changes: Any) -> dict[str, Any]:
    """A row in the public schema."""
    found = {
        "index": index,
        "answer": "3",
        "problem": "<|image_1|>How many dots?",
        "hint": "",
        "image": [data_uri()],
        "error_category": CATEGORIES[index % 10],
        "source_bmk": "NA",
        "source_idx": None,
    }
    return found | changes


def shown(sample: Sample) -> list[str]:
    """The parts as text, an image as its width."""
    return [p.text if isinstance(p, TextPart) else f"<{inspect(read_bytes(p.source)).width}>" for p in sample.parts]


def two(problem: str) -> list[str]:
    """What is shown of a problem with two pictures of widths 12 and 20."""
    return shown(sample_of(row(problem=problem, image=[data_uri(), data_uri("blue", (20, 8))]), 0))


def test_images_stand_at_their_placeholders() -> None:
    """Both spellings of the placeholder, in any order, are replaced by their picture."""
    assert two("Is <|image_2|> like <|image 1|>?") == ["Is ", "<20>", " like ", "<12>", "?"]


def test_no_image_is_dropped_or_invented() -> None:
    """A number without a picture is ignored; a picture without a number follows the text."""
    assert two("See <|image_1|> and <|image_7|>.") == ["See ", "<12>", " and ", ".", "<20>"]
    assert two("Which is larger?") == ["Which is larger?", "<12>", "<20>"]


def test_question_names_pictures_only_where_there_are_several() -> None:
    """Judges see the bare question; with several pictures it still says which."""
    assert sample_of(row(), 0).question == "How many dots?"
    several = row(problem="Is <|image_2|> like <|image_1|>?", image=[data_uri(), data_uri()])
    assert sample_of(several, 0).question == "Is [image 2] like [image 1]?"


@pytest.mark.parametrize(
    ("hint", "system", "last"),
    [
        ("system", "In pixels.", "How many dots?"),
        ("user", None, "\nHint: In pixels."),
        ("none", None, "How many dots?"),
    ],
)
def test_hint_goes_where_it_is_told(hint: str, system: str | None, last: str) -> None:
    """The hint is the system message, a line of its own behind everything, or left out."""
    sample = sample_of(row(hint="In pixels."), 0, hint=hint)
    assert sample.system == system
    assert shown(sample)[-1] == last


def test_empty_hint_gives_no_system_message() -> None:
    """The official protocol has no system message where there is no hint."""
    assert sample_of(row(), 0).system is None
    assert sample_of(row(hint=None), 0, hint="user").parts[-1] == TextPart("How many dots?")


def test_categories_have_their_codes_in_order() -> None:
    """All ten labels map to the leaderboard's codes; the counts add up to the whole set."""
    assert [code_of(category) for category in OFFICIAL] == list(OFFICIAL_MIX)
    assert list(OFFICIAL_MIX) == ["VRel", "Count", "Attr", "Depth", "Loc", "Comp", "FGR", "Ctx", "OCR", "Hallu"]
    assert sum(OFFICIAL_MIX.values()) == 3000


def test_official_mix_reproduces_the_published_overall() -> None:
    """The item-weighted mean of the published columns is the published overall of each model."""
    lines = files("snellen.reference").joinpath("perceptionbench_scores.csv").read_text().splitlines()
    for line in lines[1:]:
        overall, *columns = (float(value) for value in line.split(",")[1:])
        mean = sum(n * score for n, score in zip(OFFICIAL_MIX.values(), columns, strict=True)) / 3000
        assert mean == pytest.approx(overall, abs=0.15)


def test_row_without_image_or_answer_stays_and_says_so() -> None:
    """A missing picture is a part that cannot be read (the sample becomes missing); no answer means no reference."""
    sample = sample_of(row(image=[], answer=None), 4)
    assert [part.source for part in sample.parts if isinstance(part, ImagePart)] == [None]
    assert sample.references == ()
    with pytest.raises(BenchmarkError, match="row 4 has no text in the column 'problem'"):
        sample_of(row(problem=None), 4)


def test_file_is_a_benchmark(tmp_path: Path) -> None:
    """From a file: index without images, random access, official facts."""
    (tmp_path / "PerceptionBench.jsonl").write_bytes(jsonl([row(i) for i in range(30)]))
    bench = benchmarks.load("perceptionbench", data=tmp_path)
    assert isinstance(bench, Benchmark)
    assert [r.category for r in bench.index()] == CATEGORIES * 3
    assert [s.id for s in bench.samples([29, 4])] == ["4", "29"]
    assert bench.facts["protocol"] == "perceptionbench"
    assert bench.facts["official_mix"] == OFFICIAL_MIX


def test_hub_and_file_give_the_same_samples(hub: Hub, tmp_path: Path) -> None:
    """Conversion, streamed original, download and local file yield equal samples."""
    rows = [row(i, hint="h" if i == 2 else "") for i in range(12)]
    (tmp_path / "PerceptionBench.jsonl").write_bytes(jsonl(rows))
    repo = hub.repo("moonshotai/PerceptionBench")
    repo.publish({"default/train/0000.parquet": parquet([r | {"source_idx": 1} for r in rows])}, CONVERTED)
    repo.publish({"PerceptionBench.jsonl": jsonl([r | {"source_idx": 1} for r in rows])})
    converted = list(load("perceptionbench").samples())
    hub.misbehave("0000.parquet", "500")
    os.environ["SNELLEN_CACHE"] += "-other"
    streamed = list(load("perceptionbench").samples())
    full = list(load("perceptionbench", options={"load": "full"}).samples())
    local = list(load("perceptionbench", data=tmp_path).samples())
    assert converted == streamed == full
    assert [(s.id, s.parts, s.system) for s in local] == [(s.id, s.parts, s.system) for s in full]


def test_live_rows_are_accepted() -> None:
    """A list of rows (as a `datasets` object is) can be passed instead of a path."""
    bench = benchmarks.load("perceptionbench", data=[row(0), row(1)])
    assert [s.capability for s in bench.samples()] == ["VRel", "Count"]
    assert bench.fingerprint != benchmarks.load("perceptionbench", data=[row(0), row(2)]).fingerprint


def test_tutorial_takes_the_first_rows_of_each_category(tmp_path: Path) -> None:
    """Preset tutorial: first rows per category in stream order, its system text, hint as a line, 512 tokens."""
    rows = [row(i, hint="h") for i in range(400)]
    rows[250] = row(250, error_category="brand new")
    (tmp_path / "p.jsonl").write_bytes(jsonl(rows))
    bench = load("perceptionbench", data=tmp_path / "p.jsonl", options={"preset": "tutorial", "per_category": 3})
    samples = list(bench.samples())
    assert [s.id for s in samples] == [str(i) for i in range(30)]
    assert samples[0].system == TUTORIAL_SYSTEM
    assert shown(samples[0])[-1] == "\nHint: h"
    assert bench.facts["max_tokens"] == 512
    assert bench.facts["run_options"]["max_side"] == 1024
    assert any("reweighted to the official mix" in note for note in bench.facts["notes"])


def test_tutorial_scans_on_until_all_categories_are_full(tmp_path: Path) -> None:
    """While a category lacks rows, scanning goes on beyond 250, up to the cap."""
    rows = [row(i % 9) for i in range(300)] + [row(9) for _ in range(10)]
    (tmp_path / "p.jsonl").write_bytes(jsonl([r | {"index": i} for i, r in enumerate(rows)]))
    options = {"preset": "tutorial", "per_category": 2}
    found = list(load("perceptionbench", data=tmp_path / "p.jsonl", options=options).index())
    assert [r.position for r in found][-2:] == [300, 301]
    capped = load("perceptionbench", data=tmp_path / "p.jsonl", options=options | {"max_scan": 100})
    assert len(list(capped.index())) == 18


@pytest.mark.parametrize(
    "options", [{"hint": "loud"}, {"preset": "x"}, {"per_category": 3}, {"hnt": "user"}, {"load": "full"}]
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    """Options that are unknown or make no sense together are usage errors."""
    with pytest.raises(UsageError):
        load("perceptionbench", data=[row()], options=options)


@pytest.mark.skipif(not MINI.is_dir(), reason="needs shared/data/perceptionbench-mini")
def test_real_rows_are_read() -> None:
    """The 46 real rows: every image decodes, two items hold two pictures, none is lost."""
    samples = list(load("perceptionbench", data=MINI).samples())
    assert len(samples) == 46
    pictures = [part for sample in samples for part in sample.parts if isinstance(part, ImagePart)]
    assert len(pictures) == 48
    assert all(inspect(read_bytes(part.source)).width > 0 for part in pictures)
    assert samples[45].system == "Answer with a number."
