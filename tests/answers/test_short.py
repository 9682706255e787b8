"""The short answer read out of free text."""

from __future__ import annotations

import pytest

from snellen.answers.peeling import peel
from snellen.answers.short import boxes, is_sentence, pick_line, pipe_boxes, read_short

CASES = [
    ("My final answer: x", "x"),
    ("So the answer: x", "x"),
    ("Therefore, my answer: x", "x"),
    ("- **Answer**: x", "x"),
    ("### Final answer\nx", "x"),
    ("**Final Answer**\n\nx", "x"),
    ("Final answer\nx", "x"),
    ("> **Answer:** x", "x"),
    ("Answer： x", "x"),
    ("answer:x", "x"),
    ("ANSWER : x", "x"),
    ("Answer:\n\n\nx\ny", "x"),
    ("Answer: x\nAnswer: y", "y"),
    ("Answer: x\n\nBecause it is near the top of the page.", "x"),
    ("\\boxed{x}\nAnswer: y", "x"),
    ("<|begin_of_box|>x<|end_of_box|> Answer: y", "x"),
    ("<|begin_of_box|> <|end_of_box|>\n\\boxed{x}", "x"),
    ("\\boxed{ }\nAnswer: x", "x"),
    ("\\boxed {x}", "x"),
    ("$\\boxed{x}$", "x"),
    ("\\boxed{\\text{a {b} c}}", "a {b} c"),
    ("\\boxed{\\mathrm{kg}}", "kg"),
    ("<answer>x", "x"),
    ("<answer> x </answer> done", "x"),
    ("<final>x</final>", "x"),
    ("<final_answer>x", "x"),
    ("< answer >x< / answer >", "x"),
    ('{"answer": "x"}', "x"),
    ('Here: {"reason": "a", "answer": "x"}', "x"),
    ("{'answer': 'x'}", "x"),
    ('{"final_answer": "x"}', "x"),
    ('{"answer": 5}', "5"),
    ('{"answer": ["x"]}', "x"),
    ('```json\n{\n "answer": "x y"\n}\n```', "x y"),
    ('{"answer": "a \\"q\\" b"}', 'a "q" b'),
    ('{"answer": null}', '{"answer": null}'),
    ("x\nThis is the name at the top of the page.", "x"),
    ("This is a long first line with many words.\nx", "x"),
    ("x y z w v u t\nThis is the name at the top.", "This is the name at the top."),
    ("The title is Dune.", "Dune"),
    ('The title is "Dune".', "Dune"),
    ("The value is 5.", "5"),
    ("The result is: 7", "7"),
    ("So the answer is 7.", "7"),
    ("I think the answer is **7**.", "7"),
    ("The answer is not 7", "The answer is not 7"),
    ("- x", "x"),
    ("* x", "x"),
    ("• x", "x"),
    ("> x", "x"),
    ("**x**", "x"),
    ("__x__", "x"),
    ("*x*", "x"),
    ("_x_", "x"),
    ("`x`", "x"),
    ('"x"', "x"),
    ("'x'", "x"),
    ("“x”", "x"),
    ("‘x’", "x"),
    ("«x»", "x"),
    ("$x$", "x"),
    ("$5$", "$5$"),
    ("\\text{x}", "x"),
    ("$\\text{x}$", "x"),
    ("\\(x\\)", "x"),
    ('**"x"**.', "x"),
    ("```\nx\n```", "x"),
    ("x.", "x."),
    ("37.5\\%", "37.5%"),
    ("<think>a</think>x", "x"),
    ("a</think>x", "x"),
    ("<think>a</think>\n\n**Answer:** x", "x"),
    ("Answer: <answer>", ""),
    ("Answer: <answer>x</answer>", "x"),
    ("Answer:", ""),
    ("", ""),
    ("   ", ""),
    ("The answer to the question is Paris.", "Paris"),
    ("Question: what?\nAnswer: Paris", "Paris"),
    ("Based on the image, the answer is: Paris", "Paris"),
    ("The answer is Los Angeles California.\nThis is written in the middle of the page.", "Los Angeles California"),
    ("Sure! Answer: Paris", "Paris"),
    ("Answer: Paris.", "Paris."),
    ("答案：巴黎", "巴黎"),
    ("Paris<|im_end|>", "Paris"),
    ("6'", "6'"),
    ("5'10\"", "5'10\""),
    ("O'Neill", "O'Neill"),
    ("the dog's", "the dog's"),
    ("'tis", "tis"),
]
"""(response, the answer that a careful reader takes from it)."""


@pytest.mark.parametrize(("text", "answer"), CASES)
def test_answer(text: str, answer: str) -> None:
    """Boxes, labels, tags, JSON, phrases, lines and dressing are read as a careful person reads them."""
    assert read_short(text).text == answer


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("<|begin_of_box|>x<|end_of_box|>", "pipe box"),
        (r"\boxed{x}", "box"),
        ("Answer: x", "label"),
        ("<answer>x</answer>", "tag"),
        ('{"answer": "x"}', "json"),
        ("The answer is x.", "phrase"),
        ("x", ""),
    ],
)
def test_marker(text: str, marker: str) -> None:
    """What marked the answer is told."""
    assert read_short(text).marker == marker


def test_the_first_kind_of_marker_decides() -> None:
    """Pipe box before box before label before tag before JSON before the lines."""
    kinds = ["<|begin_of_box|>1<|end_of_box|>", r"\boxed{2}", "Answer: 3", "<answer>4</answer>", '{"answer": 5}', "6"]
    for place in range(len(kinds)):
        text = "\n".join(reversed(kinds[place:]))
        assert read_short(text).text == str(place + 1)


def test_frame_is_kept_beside_the_answer() -> None:
    """A reader of counts sees the words around the number."""
    read = read_short("The total number is 5.")
    assert (read.text, read.sentence) == ("5", "The total number is 5.")


@pytest.mark.parametrize("text", [None, 5, ["a"], b"x", ""])
def test_what_is_no_text_is_empty(text: object) -> None:
    """Anything but a string reads as no answer."""
    assert read_short(text).text == ""


def test_boxes_are_balanced() -> None:
    """Nested braces belong to the box, an unclosed box runs to the end, deep nesting keeps its two ends."""
    assert boxes(r"\boxed{\frac{1}{2}} \boxed{3") == [r"\frac{1}{2}", "3"]
    assert boxes("unboxed{3}") == []
    assert [len(one) for one in boxes(r"\boxed{" * 3000)] == [7 * 2999, 0]


def test_pipe_boxes_end_at_the_nearest_end() -> None:
    """Each box ends at its nearest closing mark; one without an end counts when there is no other."""
    assert pipe_boxes("<|begin_of_box|>1<|end_of_box|>2<|end_of_box|>") == ["1"]
    assert pipe_boxes("<|begin_of_box|>1") == ["1"]


def test_sentences() -> None:
    """Five words and a closing mark make a sentence."""
    assert is_sentence("It is near the top.")
    assert not is_sentence("J. R. R. Tolkien.")
    assert not is_sentence("It is near the top")


def test_fences_are_no_lines() -> None:
    """The fence of a code block is no answer."""
    assert pick_line("```text\nx\n```") == "x"


@pytest.mark.parametrize(
    ("dressed", "bare"),
    [("**x", "x"), ("x**", "x"), ('"x".', "x"), ("'x", "x"), ("5'", "5'"), (r"\text{a} b", "a b"), ("<b>x</b>", "x"),
     ("$ x $", "x"), ("$1,284.50$", "$1,284.50$"), (r"37.5\%", "37.5%"), ("- - x", "x"), ("a * b", "a * b"),
     ("{8}", "8"), ("{{x}}", "x"), ("{a} b {c}", "{a} b {c}"), ('{"a": 1}', '{"a": 1}')],
)  # fmt: skip
def test_peel(dressed: str, bare: str) -> None:
    """Dressing goes, also when half of it is missing; what may be part of the answer stays."""
    assert peel(dressed) == bare


@pytest.mark.parametrize(
    "text",
    ["Answer: " * 50_000, "Answer:\n" * 50_000, "<answer>" * 50_000, r"\boxed{" * 50_000, "```\n" * 50_000,
     "the answer" + " " * 300_000, '{"answer": "' + "\\" * 300_000, "$" + "9" * 300_000 + "x$", "**a " * 100_000],
)  # fmt: skip
def test_hostile_text_ends(text: str) -> None:
    """Endless markers are read in linear time; a careless pattern would hang here."""
    assert len(read_short(text).text) <= len(text)


def test_a_box_inside_a_pipe_box() -> None:
    """The innermost marker holds the answer; math around a set text is no money."""
    assert read_short(r"<|begin_of_box|>\boxed{\text{Paris}}<|end_of_box|>").text == "Paris"
    assert read_short(r"Answer: $\text{1,284.50}$").text == "1,284.50"
    assert read_short(r"Answer: $1,284.50").text == "$1,284.50"
