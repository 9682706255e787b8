"""ViLBench's sources: each public layout, the key in one form, hub, folder and own file."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import orjson
import pytest

from snellen import benchmarks
from snellen.benchmarks.vilbench import LABEL, load
from snellen.benchmarks.vilbench.keys import final_answer, option_lines, standard_key
from snellen.benchmarks.vilbench.sources import SOURCES
from snellen.errors import BenchmarkError, UsageError
from snellen.images import inspect, read_bytes
from snellen.types import Benchmark, ImagePart, Sample, TextPart
from tests.benchmarks.hub_server import CONVERTED, Hub
from tests.benchmarks.pictures import cell, data_uri, parquet, png

TEXTS = {
    "diagram_generation": "g",
    "caption": "c",
    "text_dominant_question": "AB is 4. How long is BC?\nChoices:\nA:3\nB:4\nC:5\nD:6",
    "text_lite_question": "How long is BC?",
    "vision_dominant_question": "Solve.",
    "CoT_reasoning": "Because.",
}
HUMAN = "<image>\nFirst reason, then choose: Answer: xxx.\nQuestion:Find x.\nChoices:\nA:30°\nB:45°\nC:60°\nD:90°"
ROWS: dict[str, list[dict[str, Any]]] = {
    "mavis-geometry": [
        {
            "image_text_dominant": cell(), "image_text_lite": cell(), "image_vision_dominant": cell(),
            "answer_index": 2, "choices": ["3", "4", "5", "6"], "text_en": TEXTS, "text_zh": TEXTS,
        }
    ],
    "a-okvqa": [
        {
            "image": cell(), "question_id": "q9", "question": "What is it?", "choices": ["cat", "dog", "cow", "hen"],
            "correct_choice_idx": 1, "direct_answers": "['dog', 'puppy']", "difficult_direct_answer": False,
            "rationales": ["It barks."],
        }
    ],
    "geoqa170k": [
        {
            "image": "geo/1.png",
            "conversations": [{"from": "human", "value": HUMAN}, {"from": "gpt", "value": "So x is 60.\nAnswer:C"}],
        }
    ],
    "clevr-math": [
        {"template": "subtraction", "id": "c1", "question": "Take two away. How many?", "image": cell(), "label": 7}
    ],
    "scienceqa": [
        {
            "image": cell(), "question": "Which is a solid?", "choices": ["water", "ice"], "answer": 1,
            "hint": "Look at the shape.", "task": "closed choice", "grade": "grade2", "subject": "natural science",
            "topic": "physics", "category": "matter", "skill": "s", "lecture": "l", "solution": "Ice is solid.",
        }
    ],
}  # fmt: skip
EXPECTED = {
    "mavis-geometry": ("AB is 4. How long is BC?", ("C", "5"), "choice"),
    "a-okvqa": ("What is it?", ("B", "dog"), "choice"),
    "geoqa170k": ("Find x.", ("C", "60°"), "choice"),
    "clevr-math": ("Take two away. How many?", ("7",), "number"),
    "scienceqa": ("Which is a solid?\nContext: Look at the shape.", ("B", "ice"), "choice"),
}


def archive() -> bytes:
    """Images as GeoQA170K ships them."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as out:
        out.writestr("images/geo/1.png", png("green", (33, 9)))
    return stream.getvalue()


def on_disk(folder: Path) -> Path:
    """All five sources in one folder, each in its own layout."""
    for name, rows in ROWS.items():
        (folder / name).mkdir(parents=True)
        if name == "geoqa170k":
            (folder / name / "qa_tuning.json").write_bytes(orjson.dumps(rows))
            (folder / name / "images.zip").write_bytes(archive())
        else:
            (folder / name / "0000.parquet").write_bytes(parquet(rows))
    return folder


def check(sample: Sample) -> None:
    """A sample is what its layout says."""
    question, references, scorer = EXPECTED[sample.dataset]
    assert (sample.question, sample.references, sample.scorer) == (question, references, scorer)
    image, text = sample.parts
    assert isinstance(image, ImagePart)
    assert isinstance(text, TextPart)
    assert inspect(read_bytes(image.source)).width == (33 if sample.dataset == "geoqa170k" else 12)
    assert text.text.startswith(question)
    for choice in sample.choices:
        assert f". {choice}\n" in text.text


def test_all_five_from_a_folder(tmp_path: Path) -> None:
    """One folder with the five public layouts is one benchmark, labelled for what it is."""
    bench = benchmarks.load("vilbench", data=on_disk(tmp_path))
    samples = list(bench.samples())
    assert isinstance(bench, Benchmark)
    assert [sample.dataset for sample in samples] == list(ROWS)
    for sample in samples:
        check(sample)
    assert [row.id for row in bench.index()] == [sample.id for sample in samples]
    assert next(iter(bench.samples([row.position for row in bench.index()][3:4]))).id == "clevr-math-c1"
    assert bench.facts["notes"][0] == LABEL
    assert bench.facts["protocol"] == "vilbench"


@pytest.mark.parametrize("name", list(ROWS))
def test_each_from_the_hub(hub: Hub, name: str) -> None:
    """Each source loads from its own place on the hub; GeoQA170K's pictures come out of the remote archive."""
    wanted = SOURCES[name].hub
    repo = hub.repo(wanted.repo)
    main = {"images.zip": archive()} if name == "geoqa170k" else {"README.md": b"#"}
    repo.publish(main)
    repo.publish({f"{wanted.config}/{wanted.split}/0000.parquet": parquet(ROWS[name])}, CONVERTED)
    bench = load(f"vilbench/{name}")
    (sample,) = bench.samples()
    check(sample)
    assert [row.id for row in bench.index()] == [sample.id]
    assert bench.facts["sources"][name]["revision"] == repo.refs["main"]


def test_missing_source_is_said(tmp_path: Path) -> None:
    """A folder that lacks a source runs with the others and says so; an empty one is an error."""
    on_disk(tmp_path / "all")
    (tmp_path / "all" / "scienceqa" / "0000.parquet").unlink()
    (tmp_path / "all" / "scienceqa").rmdir()
    assert any("scienceqa" in note for note in load("vilbench", data=tmp_path / "all").facts["notes"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(BenchmarkError, match="holds none of the folders"):
        load("vilbench", data=tmp_path / "empty")


def test_scienceqa_without_picture_is_left_out(tmp_path: Path) -> None:
    """Rows that have no picture are not asked."""
    rows = [ROWS["scienceqa"][0] | {"image": None}, ROWS["scienceqa"][0]]
    (tmp_path / "s.parquet").write_bytes(parquet(rows))
    bench = load("vilbench/scienceqa", data=tmp_path / "s.parquet")
    assert [row.position for row in bench.index()] == [1]
    assert [sample.id for sample in bench.samples()] == ["scienceqa-1"]


def test_hidden_key_is_refused(tmp_path: Path) -> None:
    """A-OKVQA's test split has no key and says to use validation."""
    (tmp_path / "a.parquet").write_bytes(parquet([ROWS["a-okvqa"][0] | {"correct_choice_idx": None}]))
    with pytest.raises(BenchmarkError, match="use validation"):
        list(load("vilbench/a-okvqa", data=tmp_path / "a.parquet").samples())


def test_other_layout_is_named(tmp_path: Path) -> None:
    """A row without the known columns says which source and row."""
    (tmp_path / "c.jsonl").write_bytes(b'{"question": "How many?"}\n')
    with pytest.raises(BenchmarkError, match="CLEVR-Math, general, test, row 0 has another layout"):
        list(load("vilbench/clevr-math", data=tmp_path / "c.jsonl").samples())


def test_own_file_is_accepted(tmp_path: Path) -> None:
    """ViLBench's own file: options in a column or the question, pictures by path or as data; no label of sources."""
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "1.png").write_bytes(png())
    rows = [
        {
            "id": "v1",
            "question": "Which?\nA. red\nB. blue",
            "answer": "B",
            "image": "pictures/1.png",
            "source": "geoqa",
        },
        {"id": "v2", "question": "Which?", "choices": ["x", "y"], "answer": 0, "image": data_uri()},
        {"id": "v3", "question": "How many?", "answer": 3, "image": "../../../etc/passwd"},
    ]
    (tmp_path / "own.json").write_bytes(orjson.dumps(rows))
    bench = load("vilbench", data=tmp_path / "own.json")
    samples = list(bench.samples())
    assert [s.references for s in samples] == [("B", "blue"), ("A", "x"), ("3",)]
    assert [s.dataset for s in samples] == ["geoqa", "vilbench", "vilbench"]
    assert read_bytes(samples[0].parts[0].source) == png()  # type: ignore[union-attr]
    assert str(samples[2].parts[0].source).startswith(str(tmp_path))  # type: ignore[union-attr]
    assert LABEL not in bench.facts["notes"]


@pytest.mark.parametrize(
    ("value", "letter"), [(0, "A"), (2, "C"), ("B", "B"), ("(c)", "C"), ("dog", "B"), (" DOG ", "B"), ("d.", "D")]
)
def test_key_has_one_form(value: object, letter: str) -> None:
    """Index, letter and text of an option are the same key."""
    key = standard_key(value, ["cat", "dog", "cow", "hen"])
    assert (key.letter, key.text) == (letter, ["cat", "dog", "cow", "hen"]["ABCD".index(letter)])


@pytest.mark.parametrize("value", [4, -1, "E", "horse", None, True, 1.5])
def test_key_of_no_option_is_refused(value: object) -> None:
    """A key that names no option is an error, never the last option or a guess."""
    with pytest.raises(BenchmarkError, match="names none"):
        standard_key(value, ["cat", "dog", "cow", "hen"])


def test_key_of_two_options_is_refused() -> None:
    """A text that stands twice among the options is no key."""
    with pytest.raises(BenchmarkError, match="several options"):
        standard_key("cat", ["cat", "Cat"])


def test_solution_without_answer_is_refused() -> None:
    """A chain of thought without "Answer:" has no key."""
    assert final_answer("Answer: A is wrong. Answer is: D.") == "D"
    with pytest.raises(BenchmarkError, match="no 'Answer:'"):
        final_answer("So it is C.")


def test_option_lines_need_letters_in_order() -> None:
    """Lines that begin like options but do not run A, B, … are part of the question."""
    assert option_lines("B: a note\nWhich?\nA: x\nB: y") == ("B: a note\nWhich?", ("x", "y"))
    assert option_lines("A: only one") == ("A: only one", ())


def test_unknown_source_is_refused() -> None:
    """A wrong source or option is a usage error."""
    with pytest.raises(UsageError, match="the sources are"):
        load("vilbench/coco")
    with pytest.raises(UsageError):
        load("vilbench/scienceqa", options={"hint": "user"})
