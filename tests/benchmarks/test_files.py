"""Own files: every format gives the same samples, texts stay the texts they are, damage is named with its place."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from snellen.benchmarks import load
from snellen.errors import BenchmarkError, ImageError, UsageError
from snellen.images import read_bytes
from snellen.types import Benchmark, ImagePart, Sample, TextPart


def picture(size: int = 8) -> bytes:
    """A small encoded picture."""
    buffer = io.BytesIO()
    Image.effect_noise((size, size), 60).convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()


def bench_of(folder: Path, name: str, text: str | bytes, **options: Any) -> Benchmark:
    """Write a file and open it."""
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return load(f"file:{folder / name}", options=options)


def read(folder: Path, name: str, text: str | bytes, **options: Any) -> list[Sample]:
    """Samples of a file with this content."""
    return list(bench_of(folder, name, text, **options).samples())


def lines(*rows: dict[str, Any]) -> str:
    """JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def text_of(sample: Sample) -> str:
    """All text the model is shown."""
    return "".join(part.text for part in sample.parts if isinstance(part, TextPart))


WORDS = [
    "None",
    "NA",
    "null",
    "nan",
    "N/A",
    "1.0",
    "007",
    "1e3",
    "+5",
    "TRUE",
    "Ünï 漢字",
    " spaced ",
    "a,b",
    'say "x"',
]


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_texts_stay_the_texts_they_are(tmp_path: Path, kind: str) -> None:
    """No word is taken for a missing value or a number, in any format, as answer and as option."""
    import csv

    file = tmp_path / f"q.{kind}"
    rows = [{"id": word, "question": word, "answer": word, "A": word, "B": "other"} for word in WORDS]
    if kind == "jsonl":
        file.write_text(lines(*rows))
    elif kind == "json":
        file.write_text(json.dumps(rows, indent=2))
    elif kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), file)
    else:
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, list(rows[0]), delimiter="\t" if kind == "tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    samples = list(load(f"file:{file}").samples())
    assert [one.references[0] for one in samples] == WORDS
    assert [one.choices[0] for one in samples] == WORDS
    assert [one.id for one in samples] == WORDS
    assert [one.question for one in samples] == WORDS


@pytest.mark.parametrize("spelling", ["1.0", "1.10", "1e3", "0.30000000000000004", "12345678901234567890123", "-0"])
@pytest.mark.parametrize("kind", ["jsonl", "json"])
def test_numbers_in_json_keep_their_spelling(tmp_path: Path, kind: str, spelling: str) -> None:
    """A number that stands without quotes is the text it was written as; metadata keeps its numbers."""
    row = f'{{"id": {spelling}, "question": "q", "answer": {spelling}, "metadata": {{"n": 1.5}}}}'
    (sample,) = read(tmp_path, f"q.{kind}", row if kind == "jsonl" else f"[{row}]")
    assert sample.references == (spelling,)
    assert sample.answer == spelling
    assert sample.id == spelling
    assert sample.metadata["n"] == 1.5


def test_parquet_numbers_and_gaps(tmp_path: Path) -> None:
    """Typed columns are spelled plainly; a gap is no answer."""
    table = pa.table({"question": ["a", "b"], "answer": pa.array([3, None], pa.int64())})
    pq.write_table(table, tmp_path / "q.parquet")
    first, second = load(f"file:{tmp_path / 'q.parquet'}").samples()
    assert (first.references, second.references) == (("3",), ())


def test_images_in_every_form(tmp_path: Path) -> None:
    """Paths beside the file, base64, data URIs, lists and mappings all reach their bytes."""
    data = picture()
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / "a.png").write_bytes(data)
    text = base64.b64encode(data).decode()
    forms = ["pics/a.png", text, f"data:image/png;base64,{text}", {"path": "pics/a.png"}, {"bytes": text}]
    samples = read(tmp_path, "q.jsonl", lines(*({"question": "q", "image": form} for form in forms)))
    for sample in samples:
        (image,) = [part for part in sample.parts if isinstance(part, ImagePart)]
        assert read_bytes(image.source, root=tmp_path) == data
    (both,) = read(tmp_path, "two.jsonl", lines({"question": "q", "image": ["pics/a.png", text]}))
    assert [type(part).__name__ for part in both.parts] == ["ImagePart", "ImagePart", "TextPart"]


def test_parquet_images_are_bytes(tmp_path: Path) -> None:
    """A binary column and the hub's struct are images."""
    data = picture()
    pq.write_table(pa.table({"question": ["a"], "image": pa.array([data], pa.binary())}), tmp_path / "b.parquet")
    pq.write_table(pa.table({"question": ["a"], "image": [{"bytes": data, "path": None}]}), tmp_path / "s.parquet")
    for name in ("b", "s"):
        (sample,) = load(f"file:{tmp_path / name}.parquet").samples()
        assert isinstance(sample.parts[0], ImagePart)
        assert read_bytes(sample.parts[0].source) == data


def test_an_address_needs_permission(tmp_path: Path) -> None:
    """Without --allow-urls an address is that sample's error, when it is read, and says what to do."""
    (sample,) = read(tmp_path, "q.jsonl", lines({"question": "q", "image": "https://example.org/a.png"}))
    assert isinstance(sample.parts[0], ImagePart)
    with pytest.raises(ImageError, match="--allow-urls"):
        read_bytes(sample.parts[0].source, root=tmp_path)


def test_a_path_may_not_leave_its_folder(tmp_path: Path) -> None:
    """A question file cannot reach beside its own folder."""
    (sample,) = read(tmp_path, "q.jsonl", lines({"question": "q", "image": "../../etc/x.png"}))
    assert isinstance(sample.parts[0], ImagePart)
    with pytest.raises(ImageError, match="leaves the folder"):
        read_bytes(sample.parts[0].source, root=tmp_path)


@pytest.mark.parametrize(
    "choices",
    [["red", "None"], '["red", "None"]', "['red', 'None']", {"A": "red", "B": "None"}],
)
def test_choices_in_every_form(tmp_path: Path, choices: Any) -> None:
    """Lists, JSON texts, Python's print and mappings give the same options, shown with letters."""
    (sample,) = read(tmp_path, "q.jsonl", lines({"question": "Which?", "choices": choices, "answer": "B"}))
    assert sample.choices == ("red", "None")
    assert "\nA. red\nB. None\n" in text_of(sample)
    assert sample.question == "Which?"


def test_letter_columns_make_choices(tmp_path: Path) -> None:
    """A VLMEvalKit table works as it is: index, base64 image, options in columns, an image borrowed by index."""
    text = base64.b64encode(picture()).decode()
    table = (
        "index\timage\tquestion\tA\tB\tC\tanswer\tcategory\n"
        f"1\t{text}\tWhich?\tone\tNA\t\tB\tcount\n"
        "1000001\t1\tWhich?\tNA\tone\t\tA\tcount\n"
    )
    first, second = read(tmp_path, "q.tsv", table)
    assert (first.id, first.choices, first.references, first.category) == ("1", ("one", "NA"), ("B",), "count")
    assert isinstance(second.parts[0], ImagePart)
    assert read_bytes(second.parts[0].source) == picture_of(text)
    (only,) = list(load(f"file:{tmp_path / 'q.tsv'}").samples([1]))
    assert isinstance(only.parts[0], ImagePart)
    assert read_bytes(only.parts[0].source) == picture_of(text)


def picture_of(text: str) -> bytes:
    """Bytes behind base64."""
    return base64.b64decode(text)


def test_options_that_stand_in_the_question_are_not_repeated(tmp_path: Path) -> None:
    """A question that lists its options is left alone."""
    row = {"question": "Which?\n(A) red\n(B) blue", "choices": ["red", "blue"], "answer": "A"}
    (sample,) = read(tmp_path, "q.jsonl", lines(row))
    assert text_of(sample).count("red") == 1


def test_a_missing_option_between_others_is_an_error(tmp_path: Path) -> None:
    """An empty option must not shift the letters of those behind it."""
    with pytest.raises(BenchmarkError, match="line 2, column 'B'"):
        read(tmp_path, "q.csv", "question,A,B,C,answer\nq,x,,z,C\n")


def test_more_options_than_letters_are_refused(tmp_path: Path) -> None:
    """Twenty-six is the most that can be lettered."""
    rows = [{"question": "q", "choices": [str(i) for i in range(n)], "answer": "Z"} for n in (26, 27)]
    assert len(read(tmp_path, "a.jsonl", lines(rows[0]))[0].choices) == 26
    with pytest.raises(BenchmarkError, match="27 options"):
        read(tmp_path, "b.jsonl", lines(rows[1]))


def test_several_accepted_answers(tmp_path: Path) -> None:
    """A list is several truths; four numbers or a mapping is one structured truth."""
    rows = [
        {"question": "q", "answer": ["a", "b", 1.0]},
        {"question": "q", "answer": "a", "references": ["b", "a"]},
        {"question": "q", "answer": [0.1, 0.2, 0.3, 0.4]},
        {"question": "q", "answer": {"points": [[1, 2]]}},
    ]
    samples = read(tmp_path, "q.jsonl", lines(*rows))
    assert samples[0].references == ("a", "b", "1.0")
    assert samples[1].references == ("a", "b")
    assert samples[2].answer == [0.1, 0.2, 0.3, 0.4]
    assert samples[2].references == ("[0.1, 0.2, 0.3, 0.4]",)
    assert samples[3].answer == {"points": [[1, 2]]}


def test_columns_can_be_mapped(tmp_path: Path) -> None:
    """Names of another file are mapped; a mapping nobody knows names the nearest."""
    text = lines({"prompt": "What?", "gold": "7", "pic": None, "extra": 3})
    (sample,) = read(tmp_path, "q.jsonl", text, columns={"question": "prompt", "answer": "gold"})
    assert (sample.question, sample.references, sample.metadata["extra"]) == ("What?", ("7",), 3)
    with pytest.raises(UsageError, match="did you mean 'question'"):
        read(tmp_path, "q.jsonl", text, columns={"qestion": "prompt"})
    with pytest.raises(BenchmarkError, match=r"no column 'question'; it has prompt, gold"):
        read(tmp_path, "q.jsonl", text)


def test_optional_columns_reach_the_sample(tmp_path: Path) -> None:
    """Category, scorer, capability, data set, hint, system, weight, group and metadata are taken."""
    row = {
        "question": "q", "answer": "a", "category": "c", "scorer": "number", "capability": "chart",
        "dataset": "chartqa", "hint": "look left", "system": "be short", "weight": 2,
        "group": "g", "metadata": '{"k": [1]}',
    }  # fmt: skip
    (sample,) = read(tmp_path, "q.jsonl", lines(row))
    assert (sample.category, sample.scorer, sample.capability, sample.dataset) == ("c", "number", "chart", "chartqa")
    assert (sample.system, sample.weight, sample.group, sample.metadata["k"]) == ("be short", 2.0, "g", [1])
    assert text_of(sample) == "q\nHint: look left"


def test_placeholders_put_images_in_their_place(tmp_path: Path) -> None:
    """Numbered places are filled; an image without a place follows; a number without an image goes."""
    row = {"question": "Is <image 2> left of <|image_1|> <image 9>?", "image": ["a.png", "b.png", "c.png"]}
    (sample,) = read(tmp_path, "q.jsonl", lines(row))
    shown = [part.text if isinstance(part, TextPart) else part.source for part in sample.parts]
    assert shown == ["Is ", "b.png", " left of ", "a.png", " ", "?", "c.png"]


def test_repeated_ids_become_unique_and_are_noted(tmp_path: Path) -> None:
    """Later rows carry their row; the first keeps its id; both places are in the notes."""
    bench = bench_of(tmp_path, "q.jsonl", lines(*({"id": "x", "question": q} for q in "abc")))
    assert [one.id for one in bench.index()] == ["x", "x#2", "x#3"]
    assert [one.id for one in bench.samples([1, 2])] == ["x#2", "x#3"]
    assert "'x' on line 1 and line 2" in bench.facts["notes"][0]


def test_rows_without_an_id_are_numbered(tmp_path: Path) -> None:
    """Blank lines do not count."""
    bench = bench_of(tmp_path, "q.jsonl", '{"question": "a"}\n\n{"question": "b"}')
    assert [one.id for one in bench.index()] == ["row-1", "row-2"]


def test_huge_cells_are_read(tmp_path: Path) -> None:
    """A picture of half a megabyte of base64 in a table is no problem."""
    text = base64.b64encode(b"\x89PNG" + bytes(400_000)).decode()
    (sample,) = read(tmp_path, "q.csv", f"image,question,answer\n{text},q,a\n")
    assert isinstance(sample.parts[0], ImagePart)
    assert len(read_bytes(sample.parts[0].source)) == 400_004


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings_and_line_ends_of_spreadsheets(tmp_path: Path, encoding: str, newline: str) -> None:
    """Byte order marks, UTF-16, carriage returns, quoted line breaks and semicolons are read."""
    text = newline.join(["question;answer", '"zwei\nZeilen; ä";ja', ""])
    (sample,) = read(tmp_path, "q.csv", text.encode(encoding))
    assert (sample.question, sample.references) == ("zwei\nZeilen; ä", ("ja",))


def test_odd_characters_survive(tmp_path: Path) -> None:
    """Line separators, NUL, right-to-left marks and lone surrogates in JSON are kept."""
    odd = "a\u2028b\u0085c\u0000d\u202ee\ud800f"
    (sample,) = read(tmp_path, "q.jsonl", json.dumps({"question": odd}))
    assert sample.question == odd
    raw = json.dumps({"question": "a\u2028b\u0085c"}, ensure_ascii=False)
    assert read(tmp_path, "r.jsonl", raw)[0].question == "a\u2028b\u0085c"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("q.jsonl", '{"question": "a"}\n{"question": \n', "line 2: no JSON"),
        ("q.jsonl", '{"question": "a"}\n[1]\n', "line 2: a JSON object expected, got list"),
        ("q.jsonl", '{"question": "a"}\nnull\n', "line 2: a JSON object expected, got null"),
        ("q.jsonl", b'{"question": "a"}\n{"question": "\xe4"}', "line 2: not UTF-8"),
        ("q.jsonl", "", "holds no questions"),
        ("q.jsonl", '{"question": ' + "[" * 5000 + "]" * 5000 + "}", "line 1"),
        ("q.jsonl", '{"question": ""}', "column 'question': is empty"),
        ("q.jsonl", '{"question": {"a": 1}}', "column 'question': a text expected, got a dict"),
        ("q.jsonl", '{"question": "a", "choices": "red or blue"}', "column 'choices': a list of options"),
        ("q.jsonl", '{"question": "a", "choices": [["x"]]}', "column 'choices': a list of options"),
        ("q.jsonl", '{"question": "a", "weight": "heavy"}', "column 'weight'"),
        ("q.jsonl", '{"question": "a", "mode": "guess"}', "column 'mode'"),
        ("q.json", '[{"question": "a"},\n {"question": "b"', "line 2"),
        ("q.json", '[{"question": "a"}, 5]', "got int"),
        ("q.json", '[{"question": "a"}', "cut off"),
        ("q.csv", "", "is empty"),
        ("q.csv", "question,answer\n", "holds no questions"),
        ("q.csv", "question,answer\na,b,c\n", "line 2: 3 fields where the header has 2"),
        ("q.csv", "question,answer\na\n", "line 2: 1 fields where the header has 2"),
        ("q.csv", "question,question\na,b\n", "'question' stands twice"),
        ("q.csv", 'question,answer\n"a,b\nc,d\n', "line 2: a quotation mark is opened and not closed"),
        ("q.parquet", "no parquet", "no readable Parquet"),
    ],
)
def test_damage_is_named_with_its_place(tmp_path: Path, name: str, text: str | bytes, says: str) -> None:
    """Every broken file is one sentence that says where."""
    with pytest.raises(BenchmarkError) as caught:
        read(tmp_path, name, text)
    assert says in str(caught.value)
    assert name in str(caught.value)


def test_damaged_rows_can_be_left_out(tmp_path: Path) -> None:
    """On request a row that cannot be understood is skipped and noted; positions stay in step."""
    text = lines({"question": "a"}, {"question": ""}, {"question": "c"}) + "{torn\n"
    bench = bench_of(tmp_path, "q.jsonl", text, skip_damaged=True)
    assert [one.question for one in bench.samples()] == ["a", "c"]
    assert [one.question for one in bench.samples([1])] == ["c"]
    assert "line 2" in bench.facts["notes"][0]
    assert "line 4" in bench.facts["notes"][1]


def test_other_kinds_of_file_are_refused(tmp_path: Path) -> None:
    """An unknown suffix is a usage error; a missing file says so."""
    with pytest.raises(UsageError, match=r"no \.jsonl"):
        load(f"file:{tmp_path / 'q.xlsx'}")
    with pytest.raises(UsageError, match="needs a path"):
        load("file:")
    with pytest.raises(BenchmarkError, match="does not exist"):
        load(f"file:{tmp_path / 'q.jsonl'}")


def test_the_data_folder_is_where_images_lie(tmp_path: Path) -> None:
    """--data names another root for relative image paths."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.png").write_bytes(picture())
    (tmp_path / "q.jsonl").write_text(lines({"question": "q", "image": "a.png"}))
    bench = load(f"file:{tmp_path / 'q.jsonl'}", data=tmp_path / "elsewhere")
    (sample,) = bench.samples()
    assert isinstance(sample.parts[0], ImagePart)
    assert read_bytes(sample.parts[0].source, root=bench.root)[:4] == b"\x89PNG"  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="is no folder"):
        load(f"file:{tmp_path / 'q.jsonl'}", data=tmp_path / "q.jsonl")


def test_unknown_options_name_the_nearest(tmp_path: Path) -> None:
    """A slip in an option is a usage error; the seed is handed to every benchmark."""
    (tmp_path / "q.jsonl").write_text(lines({"question": "q"}))
    load(f"file:{tmp_path / 'q.jsonl'}", options={"seed": 3})
    with pytest.raises(UsageError, match="did you mean 'columns'"):
        load(f"file:{tmp_path / 'q.jsonl'}", options={"colums": {}})
