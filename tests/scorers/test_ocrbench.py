"""OCRBench v2 by the fair rules, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers.ocrbench import score_ocrbench
from snellen.scorers.ocrbench_types import QUESTION_TYPES, category_means, scoring_method
from snellen.types import Sample, Score, ScoringContext

AUTO = ScoringContext()
LONG = "Press the blue settings button at the top"
TABLE = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"
BOX = [100, 200, 300, 400]
FIELDS = "{'name': \"Joe's Cafe\", 'date': ['2019-01-02', '02/01/2019'], 'total': '12.50'}"


def score(task: str, references: Any, output: Any, question: str = "What is it?", **metadata: Any) -> Score:
    """Score one answer of a question type."""
    first = references[0] if isinstance(references, list) and references else references
    sample = Sample(
        "1",
        (),
        question,
        answer=first,
        all_answers=references,
        metadata={"type": task, **metadata},
        dataset="ocrbench-v2",
    )
    return score_ocrbench(sample, output, AUTO)


VQA = [
    (["Golden Gate"], "golden gate", 1.0),
    (["Golden Gate"], "The Golden\nGate", 1.0),
    (["cat"], "concatenate", 0.0),
    (["no"], "I do not know", 0.0),
    (["12"], "The total is 12 apples\nof 20", 1.0),
    (["12"], "12.5", 0.0),
    ([LONG], "Press the blue button", 0.5121951219512195),
    ([LONG], LONG + ", then wait for a long time until it is done", 0.0),
    (["7"], "6 or 7", 0.0),
    (["7"], "Answer: 8\nnot 7", 0.0),
    ([""], "x", 0.0),
    ([], "x", 0.0),
    (["x"], "", 0.0),
    ([5, None, ["z"]], "5", 1.0),
    ("plain string", "a plain string here", 1.0),
    (["cat", "dog"], "a dog", 1.0),
    (["cat"], None, 0.0),
    (["cat"], r"\boxed{\text{cat}}", 1.0),
    (["北京"], "<think>上海</think>北京", 1.0),
]


@pytest.mark.parametrize("task", ["text recognition en", "APP agent en", "cognition VQA en", "made up type", ""])
@pytest.mark.parametrize(("references", "output", "expected"), VQA)
def test_vqa(task: str, references: Any, output: Any, expected: float) -> None:
    """(a) Short references as whole words, long ones by similarity of at least one half."""
    assert score(task, references, output).value == pytest.approx(expected)


def test_missing_references_fall_back_to_the_answer() -> None:
    """Null all_answers means the answer; an empty list means none."""
    sample = Sample("1", (), "", answer="x", all_answers=None, metadata={"type": "text recognition en"})
    assert score_ocrbench(sample, "x", AUTO).value == 1.0


def test_case_sensitive_rows() -> None:
    """Case counts where the row says so and the type allows it."""
    assert score("text recognition en", ["GoLd"], "gold", eval="case sensitive").value == 0.0
    assert score("text recognition en", ["GoLd"], "GoLd", eval="case sensitive").value == 1.0
    assert score("handwritten answer extraction cn", ["AbC"], "abc", eval="case sensitive").value == 1.0
    assert score("math QA en", ["AbC"], "abc", eval="case sensitive").value == 1.0


CHINESE = [
    (["北京 大学"], "北京大学", 1.0),
    (["12"], "1 2", 1.0),
    ([8], "8个", 1.0),
    (["三年"], "答：三 年。", 1.0),
    (["a,b,c,d"], "a,b,c,e", 6 / 7),
    (["今天天气很好，我们去公园散步。"], "今天天气很好，我们去公园走走。", 13 / 15),
    (["第一行\n第二行"], "第一行\n第二行", 1.0),
    (["三年"], "四年", 0.0),
]


@pytest.mark.parametrize(
    "task", ["cognition VQA cn", "reasoning VQA cn", "text translation cn", "handwritten answer extraction cn"]
)
@pytest.mark.parametrize(("references", "output", "expected"), CHINESE)
def test_chinese_vqa(task: str, references: Any, output: str, expected: float) -> None:
    """(b) The same without blanks; long by comma pieces or Han characters."""
    assert score(task, references, output).value == pytest.approx(expected)


CHOICES = [
    (["B"], "B", 1.0),
    (["B"], "(b)", 1.0),
    (["B"], "Ｂ", 1.0),
    (["B"], "The answer is B", 1.0),
    (["B"], "B. a dog", 1.0),
    (["B"], "**B**", 1.0),
    (["B"], "B\nBecause it is so.", 1.0),
    (["B"], "C", 0.0),
    (["B"], "B or C", 0.0),
    (["A", "B"], "B", 1.0),
    (["ABC"], "A, B, C", 1.0),
    (["ABC"], "ABC", 1.0),
    (["ABC"], "(abc)", 1.0),
    (["ABC"], "A", 0.0),
    (["B"], "", 0.0),
    ([], "A", 0.0),
]


@pytest.mark.parametrize(("references", "output", "expected"), CHOICES)
def test_choices(references: list[str], output: str, expected: float) -> None:
    """(c) The one letter asserted, in whatever form; several only where the reference has them."""
    assert score("science QA en", references, output, "Which option?", eval="multiple choice").value == expected


FORMULAS = [
    ([r"\frac{a}{b} + c"], r"$\frac{a}{b} + c$", 1.0),
    ([r"\frac{a}{b} + c"], "\\frac{a}{b}\n+ c", 1.0),
    ([r"\frac{a}{b} + c"], r"\boxed{\frac{a}{b} + c}", 1.0),
    (["x^{2}"], "x^2", 1.0),
    ([r"\text{a}", "b"], "a", 1.0),
    ([5], "5", 1.0),
    (["A"], "a", 0.0),
    ([""], "z", 0.0),
    ([r"\frac{a}{b} + c"], r"\frac{a}{b}", 0.0),
]


@pytest.mark.parametrize("task", ["formula recognition en", "formula recognition cn"])
@pytest.mark.parametrize(("references", "output", "expected"), FORMULAS)
def test_formulas(task: str, references: Any, output: str, expected: float) -> None:
    """(d) Containment without blanks, wrappers and delimiters."""
    assert score(task, references, output).value == expected


def test_math_answers_with_an_equation_are_formulas() -> None:
    """(d) Blanks do not count in `x = 3`; plain answers are texts."""
    assert score("math QA en", ["x = 3"], "x=3").value == 1.0
    assert score("math QA en", ["5", "five"], "Answer: Five").value == 1.0


COUNTS = [
    ("exact match", ["5"], "five", 1.0),
    ("exact match", ["5"], "15", 0.0),
    ("exact match", ["5"], "-5", 0.0),
    ("weird", "10", "10", 1.0),
    (None, ["3"], "Answer: 3 times\n", 1.0),
    ("exact match", [10], "10", 1.0),
    ("exact match", ["3"], "3.0", 1.0),
    ("regression", ["10"], "14", 0.6),
    ("regression", ["10"], "15", 0.0),
    ("regression", ["10"], "20", 0.0),
    ("regression", ["10"], "In 3 rows there are 10", 1.0),
    ("regression", ["0"], "0", 1.0),
    ("regression", ["10", "12"], "12", 1.0),
    ("regression", [], "3", 0.0),
    ("regression", ["10"], "", 0.0),
    ("regression", ["10"], "9 or 10", 0.0),
    ("regression", ["10"], "10.5", 0.95),
    ("exact match", ["10"], "10.5", 0.0),
]


@pytest.mark.parametrize(("method", "references", "output", "expected"), COUNTS)
def test_counts(method: str | None, references: Any, output: str, expected: float) -> None:
    """(e) The asserted number; regression gives closeness above one half."""
    got = score("text counting en", references, output, "How many?", eval=method)
    assert got.value == pytest.approx(expected)


KIE = [
    ([FIELDS], '{"name": "Joe\'s Cafe", "date": "02/01/2019", "total": 12.50}', 1.0),
    ([FIELDS], "name: Joe's Cafe\ndate: 2019-01-02\ntotal: 12.50", 1.0),
    ([FIELDS], '```json\n{"name": "joe\'s cafe", "date": "2019-01-02"}\n```', 0.8),
    ([FIELDS], '{"name": "x", "date": "2019-01-02", "total": "12.50", "tip": "1"}', 4 / 7),
    ([FIELDS], "", 0.0),
    ([FIELDS], "I cannot.", 0.0),
    (["{'a': None}"], '{"a": null}', 1.0),
    (["{'a': []}"], "{}", 1.0),
    (["{'a': '0'}"], '{"a": 0}', 1.0),
    (["{'A': 'x'}"], '{"a": ["x"]}', 1.0),
    (["{'a':'b'}", "{'a':'c'}"], '{"a":"c"}', 1.0),
    (["{'t': 'T', 'x': {'2019': '1', '2020': '2'}}"], "{'t': 't', 'x': {'2019': 1, '2020': 3}}", 2 / 3),
    ([{"a": "b"}], '{"a": "b"}', 1.0),
]


@pytest.mark.parametrize("task", ["key information extraction en", "key information mapping en", "chart parsing en"])
@pytest.mark.parametrize(("references", "output", "expected"), KIE)
def test_fields(task: str, references: Any, output: str, expected: float) -> None:
    """(f) Field F1, alternatives, nested records leaf by leaf, tolerant reading."""
    assert score(task, references, output).value == pytest.approx(expected)


@pytest.mark.parametrize("reference", ["[1]", "nonsense"])
def test_unreadable_record_references_are_unscored(reference: str) -> None:
    """(f) Such a row says nothing about the model."""
    assert score("key information extraction en", [reference], '{"a":"b"}').value is None


def test_parsed_documents() -> None:
    """(f) A page of text is compared by similarity with blanks collapsed, a record by its fields."""
    assert score("document parsing en", ["# Title\n\nSome text"], "# Title\nSome text").value == 1.0
    assert score("document parsing cn", ["abcd"], "```markdown\nabcx\n```").value == 0.75
    assert score("document parsing en", ["{'a': 'b'}"], "a: b").value == 1.0


TABLES = [
    ("to HTML", TABLE, TABLE, 1.0),
    ("to HTML", TABLE, f"Here:\n```html\n{TABLE}\n```", 1.0),
    ("to HTML", TABLE, "", 0.0),
    ("to HTML", TABLE, TABLE.replace("td>", "th>"), 1.0),
    ("to HTML", TABLE, TABLE.replace(">2<", ">3<"), 5 / 6),
    ("to HTML", TABLE, "<table></table>", 0.0),
    ("to Markdown", "| a | b |\n|---|---|\n| 1 | 2 |", "|a|b|\n|-|-|\n|1|3|", 5 / 6),
    ("to Markdown", "| a |", "|a|", 1.0),
]


@pytest.mark.parametrize("task", ["table parsing en", "table parsing cn"])
@pytest.mark.parametrize(("question", "reference", "output", "expected"), TABLES)
def test_tables(task: str, question: str, reference: str, output: str, expected: float) -> None:
    """(g) TEDS with cell text, in HTML and in Markdown."""
    assert score(task, [reference], output, f"Convert {question}.").value == pytest.approx(expected)


POSITIONS = [
    ('{"answer": "hello", "bbox": [100, 200, 300, 400]}', 1.0),
    ("{'answer': 'Hello', 'bbox': '[100, 200, 300, 400]'}", 1.0),
    ("hello (0.1, 0.2, 0.3, 0.4)", 1.0),
    ('{"answer": "hello"}', 0.5),
    ('{"bbox": [100, 200, 300, 400]}', 0.5),
    ("", 0.0),
    ('{"answer": "hello", "bbox": [300, 400, 100, 200]}', 1.0),
    ('{"answer": "bye", "bbox": [150, 200, 350, 400]}', 0.3),
    ("[100,200,300,400] [1,2,3,4] hello [100,200,300,400]", 1.0),
    ('{"answer": ["hello"], "bbox": [1, 2]}', 0.5),
    ('```json\n{"answer": "hello", "bbox": [100, 200, 300, 400]}\n```', 1.0),
    (r"\boxed{[100, 200, 300, 400]}", 0.5),
]


@pytest.mark.parametrize(("output", "expected"), POSITIONS)
def test_answers_with_their_position(output: str, expected: float) -> None:
    """(h) Mean of the answer's score and the overlap of the last box."""
    assert score("VQA with position en", ["hello"], output, bbox=BOX).value == pytest.approx(expected)


def test_grounding_counts_the_overlap_alone() -> None:
    """(h) As its authors do; coordinates as references are a box, not a text."""
    assert score(
        "text grounding en", ["hello"], '{"answer": null, "bbox": [150, 200, 350, 400]}', bbox=BOX
    ).value == pytest.approx(0.6)
    assert score("VQA with position en", ["100", "200", "300", "400"], "[100, 1, 2, 3]", bbox=BOX).value == 0.0
    assert score("text grounding en", [100, 200, 300, 400], "[100, 200, 300, 400]").value == 1.0


@pytest.mark.parametrize("bbox", [None, [100, 200], "x"])
def test_positions_without_a_reference_box_are_unscored(bbox: Any) -> None:
    """(h) Such a row says nothing about the model."""
    assert score("VQA with position en", ["hello"], "hello [1,2,3,4]", bbox=bbox).value is None


def test_spotting() -> None:
    """(i) Text and place must both fit; without reference boxes there is no score."""
    truth: dict[str, Any] = {"bbox_list": [[10, 20, 30, 40]], "content": ["STOP"]}
    assert score("text spotting en", ["STOP"], "[(10,20,30,40,'STOP')]", **truth).value == 1.0
    assert score("text spotting en", ["EXIT"], "EXIT 5,5,6,6", **truth).value == 0.0
    assert score("text spotting en", ["STOP"], "", **truth).value == 0.0
    assert score("text spotting en", ["STOP"], "STOP [1, 2, 3, 4]").value is None
    assert score("text spotting en", ["EXIT", "100,100,200,120"], "EXIT 100,100,200,120").value == 1.0


def test_pages() -> None:
    """(j) Four parts on the whole text, line breaks as blanks, best reference."""
    page = "The quick brown fox jumps over the lazy dog"
    perfect = score("full-page OCR en", ["other", page], page).value
    assert perfect == pytest.approx(1 - 0.5 / 9**3 / 4)
    assert score("full-page OCR en", [page], page.replace(" fox", "\nfox")).value == perfect
    assert (
        score("full-page OCR cn", ["床前明月光，疑是地上霜。"], "床前明月光，\n疑是地上霜。").details["edit"] == 1.0
    )
    assert score("full-page OCR en", [5], "5").value == pytest.approx(0.625)
    assert score("full-page OCR en", [page], "").value == 0.0
    assert score("full-page OCR en", [""], "").value is None
    assert score("full-page OCR en", [""], "x").value == 0.0


def test_essays_are_pages() -> None:
    """(j) Handwritten short-answer questions get the page score."""
    assert score("handwritten answer extraction cn", ["北京"], "北京", "简答题：首都？").value == pytest.approx(0.625)


def test_every_type_scores_empty_output() -> None:
    """(k) Nothing earns nothing, in every type."""
    for task in QUESTION_TYPES:
        for reference in ("x", FIELDS, TABLE):
            assert not score(task, [reference], "", "html?", bbox=BOX).value


def test_methods_and_means() -> None:
    """Routing by type and eval; an empty category counts 0, unknown types enter nowhere."""
    assert scoring_method(None, None) == scoring_method(["x"], "x") == "vqa_fallback"
    assert scoring_method("cognition VQA cn", "multiple choice") == "multiple_choice"
    means = category_means(
        [("science QA en", 1.0), ("APP agent en", 0.5), ("made up", 1.0), ("table parsing cn", 0.5)]
    )
    assert (means["Reasoning"], means["Parsing"], means["CN_Parsing"]) == (0.75, 0.5, 0.0)
    assert means["Average"] == means["accuracy"] == pytest.approx((0.75 + 0.5) / 8)


PAGE = "The quick brown fox jumps over the lazy dog"


@pytest.mark.parametrize("shown", ["Answer: {}", "**{}**", "<answer>{}</answer>", "**Final Answer:** {}", "{}</s>"])
def test_what_wraps_a_page_is_no_part_of_it(shown: str) -> None:
    """A label, a tag, bold marks or an end-of-text token around a page change nothing."""
    plain = score("full-page OCR en", [PAGE], PAGE).value
    assert score("full-page OCR en", [PAGE], shown.format(PAGE)).value == plain
