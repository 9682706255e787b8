"""Other tools' files, written here by hand in their public layouts, as predictions: nothing lost, nothing invented."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UsageError
from snellen.importers import Predictions, read

LONG = "thinking " * 8000 + "Answer: NA"


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A JSON lines file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


VLMEVALKIT: list[dict[str, Any]] = [
    {"index": 7, "question": "Which?", "A": "red", "B": "blue", "C": None, "answer": "B", "category": "colour",
     "prediction": "B"},
    {"index": 8, "question": "Code?", "A": None, "B": None, "C": None, "answer": "NA", "category": "text",
     "prediction": "NA"},
    {"index": 9, "question": "Sum?", "A": None, "B": None, "C": None, "answer": 3, "category": "text",
     "prediction": "=1+2"},
    {"index": 10, "question": "Why?", "A": None, "B": None, "C": None, "answer": "x", "category": "text",
     "prediction": "Failed to obtain answer via API."},
    {"index": 11, "question": "Gone?", "A": None, "B": None, "C": None, "answer": "x", "category": "text",
     "prediction": None},
]  # fmt: skip


def vlmevalkit(folder: Path, suffix: str) -> Path:
    """A prediction table where VLMEvalKit puts it."""
    path = folder / "Qwen2-VL-7B" / f"Qwen2-VL-7B_MMBench_DEV_EN{suffix}"
    path.parent.mkdir(parents=True)
    if suffix == ".xlsx":
        openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed (extra excel)")
        book = openpyxl.Workbook()
        book.active.append(list(VLMEVALKIT[0]))
        for row in VLMEVALKIT:
            book.active.append(list(row.values()))
        book.save(path)
        book.close()
    elif suffix == ".json":
        path.write_text(json.dumps(VLMEVALKIT))
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(VLMEVALKIT[0]), delimiter="\t" if suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(VLMEVALKIT)
    return path


@pytest.mark.parametrize("suffix", [".xlsx", ".tsv", ".csv", ".json"])
def test_vlmevalkit_in_every_table_form(tmp_path: Path, suffix: str) -> None:
    """The text NA stays, a number is an answer, a formula its text; its sentence of failure and empty cells are missing."""
    found = read(vlmevalkit(tmp_path, suffix), "vlmevalkit")
    assert (found.model, found.task) == ("Qwen2-VL-7B", "MMBench_DEV_EN")
    assert [row.id for row in found.rows] == ["7", "8", "9", "10", "11"]
    assert [row.text for row in found.rows] == ["B", "NA", "=1+2", None, None]
    assert [row.references for row in found.rows][:3] == [("B",), ("NA",), ("3",)]
    assert found.rows[0].choices == ("red", "blue")
    assert found.rows[1].choices == ()
    assert "Failed to obtain" in found.rows[3].problem
    assert any("2 of 5 rows have no answer" in line for line in found.lacks())


def test_vlmevalkit_long_answers_and_cut_cells(tmp_path: Path) -> None:
    """A table of text holds any length; an Excel cell of exactly its limit was cut, which is said."""
    rows = [{"index": 0, "question": "Q", "answer": "NA", "prediction": LONG}]
    path = tmp_path / "m_d.tsv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)
    assert read(path, "vlmevalkit").rows[0].text == LONG
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed (extra excel)")
    book = openpyxl.Workbook()
    book.active.append(["index", "question", "answer", "prediction"])
    book.active.append([0, "Q", "NA", LONG[:32767]])
    book.active.append([1, "Q", "NA", "one_x000D_\ntwo"])
    book.save(tmp_path / "m_d.xlsx")
    found = read(tmp_path / "m_d.xlsx", "vlmevalkit")
    assert "1 answers" in found.notes[0]
    assert "Excel's limit" in found.notes[0]
    assert found.rows[1].text == "one\r\ntwo"


def test_vlmevalkit_rotations_are_groups(tmp_path: Path) -> None:
    """A rotation has its question's index plus a million."""
    rows = [
        {"index": i, "question": "Q", "answer": "A", "A": "x", "B": "y", "prediction": "A"} for i in (4, 1000004, 5)
    ]
    found = read(write_lines(tmp_path / "m.jsonl", rows), "vlmevalkit")
    assert [row.group for row in found.rows] == ["4", "4", "5"]


def test_lmms_eval_takes_the_raw_answers_once(tmp_path: Path) -> None:
    """Not the filtered ones; repeats are epochs; other filters repeat lines; likelihoods are no answers."""
    base = {"doc": {"question": "What?", "options": ["a", "b"], "category": "c"}, "target": "a", "filter": "none"}
    rows = [
        {"doc_id": 0, **base, "resps": [["The answer is a."]], "filtered_resps": ["a"]},
        {"doc_id": 0, **base, "resps": [["The answer is a."]], "filtered_resps": ["A"], "filter": "strict"},
        {"doc_id": 1, **base, "resps": [["x", "y"]], "filtered_resps": ["x"]},
        {
            "doc_id": 2,
            "target": ["b", "c"],
            "doc": {},
            "arguments": [["Full prompt?", {"until": []}]],
            "resps": "plain",
        },
        {"doc_id": 3, **base, "resps": [[-1.5, True], [-2.0, False]], "filtered_resps": [[-1.5, True]]},
    ]
    path = write_lines(tmp_path / "Qwen__Qwen2-VL" / "20240901_123_samples_chartqa.jsonl", rows)
    found = read(path, "lmms-eval")
    assert (found.model, found.task) == ("Qwen/Qwen2-VL", "chartqa")
    assert [(row.id, row.epoch, row.text) for row in found.rows] == [
        ("0", 0, "The answer is a."), ("1", 0, "x"), ("1", 1, "y"), ("2", 0, "plain"), ("3", 0, None),
    ]  # fmt: skip
    assert found.rows[0].choices == ("a", "b")
    assert found.rows[3].references == ("b", "c")
    assert found.rows[3].question == "Full prompt?"
    assert "likelihoods" in found.rows[4].problem
    assert "1 rows repeat" in found.notes[0]


SAMPLES: list[dict[str, Any]] = [
    {"id": "s1", "epoch": 1, "input": [{"role": "user", "content": [{"type": "text", "text": "What is it?"},
     {"type": "image", "image": "attachment://abc"}]}], "choices": ["cat", "dog"], "target": "B",
     "output": {"model": "openai/m", "choices": [{"message": {"role": "assistant", "content": [
         {"type": "reasoning", "reasoning": "hmm"}, {"type": "text", "text": "ANSWER: B"}]}, "stop_reason": "stop"}],
         "usage": {"input_tokens": 11, "output_tokens": 5, "reasoning_tokens": 2}, "time": 1.5},
     "scores": {"choice": {"value": "C"}}, "attachments": {}},
    {"id": 2, "epoch": 2, "input": "attachment://q", "target": ["7", "seven"],
     "output": {"choices": [{"message": {"content": "attachment://long"}, "stop_reason": "max_tokens"}]},
     "scores": {"match": {"value": "I"}}, "attachments": {"q": "How many?", "long": LONG}},
    {"id": 3, "epoch": 1, "input": "Broken?", "target": "x", "output": {"choices": []},
     "error": {"message": "rate limit", "traceback": "…"}},
]  # fmt: skip


def inspect_log(folder: Path, kind: str) -> Path:
    """The same log in both forms."""
    head = {"version": 2, "status": "success", "eval": {"model": "openai/m", "task": "pets"}}
    if kind == "json":
        path = folder / "2025_pets.json"
        path.write_text(json.dumps({**head, "samples": SAMPLES}))
        return path
    path = folder / "2025_pets.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps(head))
        for sample in SAMPLES:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps(head))
    return path


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_inspect_logs(tmp_path: Path, kind: str) -> None:
    """Parts, reasoning apart, attachments, tokens, epochs from 1, an error as missing."""
    found = read(inspect_log(tmp_path, kind), "inspect")
    assert (found.model, found.task) == ("openai/m", "pets")
    one, two, three = found.rows
    assert (one.text, one.reasoning, one.question) == ("ANSWER: B", "hmm", "What is it?")
    assert (one.usage.n_in, one.usage.n_out, one.usage.n_reasoning, one.latency_s) == (11, 5, 2, 1.5)
    assert (one.choices, one.references, one.tool_score) == (("cat", "dog"), ("B",), 1.0)
    assert (two.text, two.finish_reason, two.epoch, two.question) == (LONG, "length", 1, "How many?")
    assert two.references == ("7", "seven")
    assert (three.text, three.problem) == (None, "rate limit")


def evalscope(folder: Path) -> tuple[Path, Path]:
    """Predictions and reviews of one subset."""
    predictions, reviews = [], []
    for i, said in enumerate(["<think>2+2</think>4", "five"]):
        message = {"role": "assistant", "content": said}
        output = {"model": "m", "choices": [{"message": message, "stop_reason": "stop"}], "time": 0.5,
                  "usage": {"input_tokens": 9, "output_tokens": 3}}  # fmt: skip
        question = [{"role": "user", "content": [{"type": "text", "text": f"Q{i}?"}]}]
        predictions.append({"index": i, "model": "m", "model_output": output, "messages": question, "metadata": {}})
        score = {"value": {"acc": float(i == 0)}, "extracted_prediction": "x", "prediction": said}
        reviews.append({"index": i, "input": f"Q{i}?", "target": "4", "sample_score": {"score": score}})
    name = "gsm8k_main.jsonl"
    return (
        write_lines(folder / "predictions" / "my-model" / name, predictions),
        write_lines(folder / "reviews" / "my-model" / name, reviews),
    )


def test_evalscope_predictions_with_their_reviews(tmp_path: Path) -> None:
    """Given either file; alone, predictions have no references and reviews no tokens, which is said."""
    predictions, reviews = evalscope(tmp_path)
    for path in (predictions, reviews):
        found = read(path, "evalscope")
        assert (found.model, found.task) == ("my-model", "gsm8k_main")
        assert [(row.text, row.reasoning) for row in found.rows] == [("4", "2+2"), ("five", "")]
        assert [row.references for row in found.rows] == [("4",), ("4",)]
        assert found.rows[0].usage.n_out == 3
        assert [row.tool_score for row in found.rows] == [1.0, 0.0]
        assert found.rows[1].question == "Q1?"
    reviews.unlink()
    alone = read(predictions, "evalscope")
    assert alone.rows[0].references == ()
    assert "no reviews" in alone.notes[0]


def test_evalscope_before_1_0(tmp_path: Path) -> None:
    """Choices with messages and a review in each."""
    row = {"index": 3, "raw_input": {"question": "Q?"}, "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "B"}, "review": {"gold": "B", "pred": "B", "result": 1.0}}
    ]}  # fmt: skip
    (one,) = read(write_lines(tmp_path / "m" / "old.jsonl", [row]), "evalscope").rows
    assert (one.id, one.text, one.references, one.question) == ("3", "B", ("B",), "Q?")


def test_plain_lines_and_tables(tmp_path: Path) -> None:
    """The usual names of columns; an empty text is an answer in JSON and a missing one in a table."""
    rows = [
        {"id": "a", "question": "Q", "answer": "NA", "response": "NA", "n_out": 4},
        {"id": "b", "question": "Q", "answer": ["x", "y"], "response": ""},
        {"id": "c", "question": "Q", "answer": "x", "response": None, "error": "timeout"},
    ]
    found = read(write_lines(tmp_path / "mine.jsonl", rows), "jsonl")
    assert [row.text for row in found.rows] == ["NA", "", None]
    assert found.rows[1].references == ("x", "y")
    assert found.rows[2].problem == "timeout"
    (tmp_path / "mine.csv").write_text(
        '\ufeffid,answer,prediction\n1,None,None\n2,1.50,"a, ""b""\nc"\n3,x,\n', "utf-8"
    )
    table = read(tmp_path / "mine.csv", "csv")
    assert [row.text for row in table.rows] == ["None", 'a, "b"\nc', None]
    assert table.rows[1].references == ("1.50",)


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        ("vlmevalkit", '[{"index": 1, "output": "x"}]', "no column 'prediction'"),
        ("lmms-eval", '[{"doc_id": 1}]', "no 'resps'"),
        ("inspect", '{"samples": []}', "no Inspect log"),
        ("evalscope", '[{"index": 1}]', "no prediction or review"),
        ("jsonl", '[{"id": 1}]', "no column for the answer"),
        ("jsonl", '[{"id": 1', "no JSON"),
        ("jsonl", "[]", "no predictions"),
        ("excel", "[]", "--from takes"),
    ],
)
def test_a_file_of_another_kind_is_one_sentence(tmp_path: Path, kind: str, content: str, says: str) -> None:
    """It names what is missing and what there is."""
    path = tmp_path / "file.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=says):
        read(path, kind)


def test_pickles_are_not_read(tmp_path: Path) -> None:
    """They can run code."""
    (tmp_path / "m.pkl").write_bytes(b"\x80\x04.")
    with pytest.raises(UsageError, match="pickles can run code"):
        read(tmp_path / "m.pkl", "vlmevalkit")


@pytest.mark.parametrize("text", ["\ud800 half", "\x00nul", "‮rtl", "𝒳" * 50_000])
def test_hostile_texts_survive(tmp_path: Path, text: str) -> None:
    """As they were written."""
    path = tmp_path / "m.jsonl"
    path.write_text(json.dumps({"id": 1, "response": text}) + "\n")
    found: Predictions = read(path, "jsonl")
    assert found.rows[0].text == text
