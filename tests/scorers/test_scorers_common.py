"""What every row of SCORERS must hold to, in both rule sets. Rows added later are covered by themselves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snellen.rows import sample_from_row
from snellen.scorers import MAX_CHARS, RULES, SCORERS, missing_metadata, score_answer, score_sample
from snellen.types import Metric, Sample, Score, ScoringContext
from tests.scorers.test_golden import vectors

DATASETS = sorted(SCORERS)
BOTH = [(dataset, rules) for dataset in DATASETS for rules in RULES]
N_ROWS = 6
"""Rows per dataset that each invariant is tried on."""

REFERENCE_IS_NOT_AN_ANSWER: dict[str, str] = {
    "ai2d": "the reference is an index counted from 0, no answer that a model gives",
    "pixmo_points_eval": "the reference is a set of masks, no text",
    "refcoco_testA": "the reference is a box in the metadata, no text",
    "refcoco_testB": "the reference is a box in the metadata, no text",
    "refcoco_plus_testA": "the reference is a box in the metadata, no text",
    "refcoco_plus_testB": "the reference is a box in the metadata, no text",
    "refcoco_m_val": "the reference is a box in the metadata, no text",
    "refcocog_test": "the reference is a box in the metadata, no text",
    "vqa-v2": "ten people answer; one of their answers alone need not reach the full score",
    "text-vqa": "ten people answer; one of their answers alone need not reach the full score",
    "chartqapro": "a row may hold several turns, of which the reference is one",
    "ocrbench-v2": "31 types, some with boxes or pages as references; see test_ocrbench.py",
}
"""Datasets whose reference as a response need not score 1, and why."""

EMPTY_CAN_SCORE: dict[str, str] = {
    "cc-ocr-multi_scene_ocr": "an empty text equals an empty reference",
    "cc-ocr-doc_parsing": "an empty text equals an empty reference",
    "cc-ocr-kie": "no fields equal no fields",
    "pixmo_points_eval": "no point is the right answer where there is nothing to point at",
    "ocrbench-v2": "an empty page equals an empty reference",
}
"""Datasets where an empty response may score above 0, and why."""

HOSTILE = {
    "power tower": "9^{9^{9}}",
    "nested boxes": r"\boxed{" * 2000 + "1" + "}" * 2000,
    "nested braces": "{" * 100_000,
    "nested fractions": r"\frac{" * 20_000,
    "nested brackets": "[" * 100_000 + "]" * 100_000,
    "nested json": '{"a":' * 20_000,
    "digits": "9" * 100_000,
    "ten million digits": "9" * 10_000_000,
    "deep html": "<table><tr><td>" * 5_000,
    "long table": "<table>" + "<tr><td>1</td><td>2</td></tr>" * 5_000 + "</table>",
    "markdown table": "|a|b|\n|-|-|\n" + "|1|2|\n" * 5_000,
    "labels": "Answer: " * 50_000,
    "label lines": "Answer:\n" * 50_000,
    "blanks": "Answer:" + " " * 200_000 + "x",
    "newlines": "\n" * 200_000,
    "boxes": r"\boxed{" * 50_000,
    "tags": "<answer>" * 30_000,
    "thoughts": "<think>" * 30_000 + "</think>" * 30_000,
    "backslashes": "\\" * 200_000,
    "stars": "*" * 200_000,
    "quotes": "\"'" * 100_000,
    "commas": "1," * 100_000,
    "numbers": "12 " * 60_000,
    "number words": "twenty-one " * 20_000,
    "letters": "A B C D " * 30_000,
    "parentheses": "(A) " * 40_000,
    "points": "(1, 2) " * 20_000,
    "boxes of numbers": "[1, 2, 3, 4] " * 10_000,
    "surrogate": "\ud800 answer: \udfff 5",
    "nul": "\x00Answer: \x005\x00",
    "right to left": "\u202e5 :rewsnA\u202c \u200f7\u200e",
    "zero width": "An\u200bswer: \u200b5",
    "percent signs": "5%" * 50_000,
    "dollars": "$" * 100_000,
    "carets": "2^" * 50_000,
    "equals": "x=" * 50_000,
    "ligatures": "\ufdfa" * 50_000,
    "combining marks": "a" + "\u0301" * 100_000,
}
"""Texts that break careless readers."""


def rows(dataset: str, n: int = N_ROWS) -> list[dict[str, Any]]:
    """Sound rows of one dataset, spread over its reference vectors."""
    tried = [v["row"] for v in vectors(dataset) if "raises" not in v["expected"]]
    sound = [row for row in tried if str(row.get("answer") or "").strip()] or tried
    return sound[:: max(1, len(sound) // n)][:n]


def in_range(score: Score) -> bool:
    """Whether a score is a number in [0, 1] or says why it is none."""
    return bool(score.reason) if score.value is None else 0.0 <= score.value <= 1.0


@pytest.mark.parametrize(("dataset", "rules"), BOTH)
def test_reference_vectors_score_within_range(dataset: str, rules: Any) -> None:
    """Every reference vector scores in [0, 1], or is unscored and says why; details can be written as JSON."""
    for vector in vectors(dataset):
        score = score_answer(vector["row"], vector["output"], rules)
        assert in_range(score), (vector["case"], score)
        json.dumps(dict(score.details))


@pytest.mark.parametrize("dataset", DATASETS)
def test_reference_as_response_scores_one(dataset: str) -> None:
    """A model that answers with the canonical reference is right by the fair rules."""
    if dataset in REFERENCE_IS_NOT_AN_ANSWER:
        pytest.skip(REFERENCE_IS_NOT_AN_ANSWER[dataset])
    for row in rows(dataset, 20):
        sample = sample_from_row(row)
        score = score_answer(row, sample.references[0])
        assert score.value == pytest.approx(1.0), (row["id"], sample.references[0], score)


@pytest.mark.parametrize("dataset", DATASETS)
@pytest.mark.parametrize("empty", ["", "   \n\t ", None])
def test_empty_response_scores_zero(dataset: str, empty: str | None) -> None:
    """Saying nothing earns nothing by the fair rules (the public library picks A for it in some datasets)."""
    if dataset in EMPTY_CAN_SCORE:
        pytest.skip(EMPTY_CAN_SCORE[dataset])
    for row in rows(dataset, 20):
        assert not score_answer(row, empty).value, row["id"]


@pytest.mark.parametrize("dataset", DATASETS)
def test_reference_order_does_not_matter(dataset: str) -> None:
    """The further references may stand in any order."""
    for vector in vectors(dataset):
        sample = sample_from_row(vector["row"])
        if not isinstance(sample.all_answers, list) or len(sample.all_answers) < 2 or dataset == "chartqapro":
            continue
        turned = replace(sample, all_answers=sample.all_answers[::-1])
        scores = [score_sample(one, vector["output"], "fair", ScoringContext()).value for one in (sample, turned)]
        assert scores[0] == pytest.approx(scores[1]), vector["case"]


@pytest.mark.parametrize(("dataset", "rules"), BOTH)
def test_scoring_twice_gives_the_same(dataset: str, rules: Any) -> None:
    """A rule keeps nothing from one response to the next."""
    for vector in vectors(dataset)[:20]:
        first, second = (score_answer(vector["row"], vector["output"], rules) for _ in range(2))
        assert first == second or repr(first) == repr(second)


@pytest.mark.parametrize(("dataset", "rules"), BOTH)
def test_short_hostile_text_is_scored(dataset: str, rules: Any) -> None:
    """The first 3,000 characters of each hostile text are scored, or unscored with the reason."""
    for row in rows(dataset, 1):
        for name, text in HOSTILE.items():
            assert in_range(score_answer(row, text[:3000], rules)), name


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "rules"), BOTH)
def test_hostile_text_ends(dataset: str, rules: Any) -> None:
    """Each hostile text is scored or says why it is not; one that never ends hangs the test."""
    for row in rows(dataset, 1):
        for name, text in HOSTILE.items():
            assert in_range(score_answer(row, text, rules)), name


@pytest.mark.parametrize("dataset", DATASETS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_arbitrary_text_never_raises(dataset: str, data: st.DataObject) -> None:
    """No text makes a fair rule fail: a failure inside would leave the sample unscored with an exception's name."""
    pieces = st.sampled_from(
        [
            "Answer: ",
            "\\boxed{",
            "}",
            "<think>",
            "</think>",
            "[1, 2, 3, 4]",
            "(A)",
            "5%",
            "\n",
            "{",
            '"a": ',
            "<td>",
            "7 or 8",
        ]
    )
    text = "".join(data.draw(st.lists(st.one_of(pieces, st.text(max_size=20)), max_size=8)))
    for row in rows(dataset, 2):
        for rules in RULES:
            score = score_answer(row, text, rules)
            assert in_range(score)
            assert rules != "fair" or "Error" not in score.reason, score.reason


@pytest.mark.parametrize(("dataset", "rules"), BOTH)
@pytest.mark.parametrize("output", [None, 5, 1.5, [], ["a", "b"], {"a": 1}, b"x"])
def test_other_types_never_raise(dataset: str, rules: Any, output: Any) -> None:
    """What is no text is scored like one, or says why not."""
    for row in rows(dataset, 1):
        assert in_range(score_answer(row, output, rules))


@pytest.mark.parametrize(("dataset", "rules"), BOTH)
@pytest.mark.parametrize("metadata", [None, "", "null", "not json", "[1]", "7", '{"options": null}', "{}"])
def test_broken_metadata_never_raises(dataset: str, rules: Any, metadata: str | None) -> None:
    """A row with broken metadata is scored, or is 0 or unscored with the reason."""
    for row in rows(dataset, 1):
        assert in_range(score_answer(row | {"metadata": metadata}, "Answer: 5", rules))


@pytest.mark.parametrize(("dataset", "rules"), BOTH)
@pytest.mark.parametrize("answer", [None, "", 0, 7, 1.5, [], ["a"], {"a": 1}, True])
def test_odd_references_never_raise(dataset: str, rules: Any, answer: Any) -> None:
    """A row with an odd reference is scored, or is 0 or unscored with the reason."""
    for row in rows(dataset, 1):
        for all_answers in (None, [], [answer], answer):
            assert in_range(score_answer(row | {"answer": answer, "all_answers": all_answers}, "Answer: 5", rules))


@pytest.mark.parametrize("dataset", DATASETS)
def test_row_says_what_it_is(dataset: str) -> None:
    """Name, metrics, paper and version stand in each row."""
    row = SCORERS[dataset]
    assert row.dataset == dataset
    assert row.metrics
    assert all(isinstance(metric, Metric) for metric in row.metrics)
    assert row.paper
    assert row.version


@pytest.mark.parametrize("dataset", DATASETS)
def test_missing_metadata_is_named_and_scores_zero_as_published(dataset: str) -> None:
    """A row without needed keys is told at load, and scores 0 with that reason where the public library raises."""
    needed = list(SCORERS[dataset].required_metadata)
    bare = Sample("1", (), "q", dataset=dataset, answer="5", all_answers=["5"])
    assert missing_metadata(bare) == needed
    if needed:
        score = score_sample(bare, "5", "datbench-1.0", ScoringContext())
        assert score.value == 0
        assert needed[0] in score.reason


def test_too_long_an_output_is_unscored() -> None:
    """Beyond the bound an output is unscored with the reason, whatever the rule, and lists count as their texts."""
    for output in ("x" * (MAX_CHARS + 1), ["x" * MAX_CHARS, "x"]):
        for rules in RULES:
            score = score_answer({"id": "1", "image": None, "question": "q", "answer": "x"}, output, rules)
            assert score.value is None
            assert str(MAX_CHARS) in score.reason


@pytest.mark.parametrize(
    ("output", "fair", "parity"),
    [
        ("Answer: paris", 1, 1),
        ("**Answer:** Paris", 1, 0),
        ("Lyon", 0, 0),
        ("The answer is Paris.", 1, 0),
        ("", 0, 0),
    ],
)
def test_unknown_dataset_falls_back_to_exact_match(output: str, fair: float, parity: float) -> None:
    """A dataset without a row is scored by exact match in both rule sets, broken metadata or not."""
    row = {"id": "1", "image": None, "question": "q", "answer": "Paris", "metadata": "broken"}
    assert score_answer(row, output, "fair").value == fair
    assert score_answer(row, output, "datbench-1.0").value == parity


def test_a_rule_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception inside a rule is 0 with its name as published, unscored by the fair rules, and never gets out."""

    def broken(sample: Sample, output: Any, context: ScoringContext) -> Score:
        raise RuntimeError("boom")

    monkeypatch.setitem(SCORERS, "docvqa", replace(SCORERS["docvqa"], fair=broken, datbench_1_0=broken))
    sample = Sample("1", (), "q", dataset="docvqa", answer="x")
    assert score_sample(sample, "x", "datbench-1.0", ScoringContext()).value == 0
    assert score_sample(sample, "x", "fair", ScoringContext()).value is None
    assert "boom" in score_sample(sample, "x", "fair", ScoringContext()).reason


def test_a_named_row_overrides_the_dataset() -> None:
    """The scorer may be named apart from the sample's dataset."""
    sample = Sample("1", (), "q", dataset="docvqa", answer="nine", all_answers=["nine"])
    assert score_sample(sample, "9", "fair", ScoringContext()).value == 0
    assert score_sample(sample, "9", "fair", ScoringContext(), name="countbench").value == 1
