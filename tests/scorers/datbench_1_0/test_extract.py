"""The public library's reading of a short final answer."""

from __future__ import annotations

import pytest

from snellen.scorers.datbench_1_0.extract import final_answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<|begin_of_box|>1<|end_of_box|> <|begin_of_box|>2<|end_of_box|>", "2"),
        (r"\boxed{1} <|begin_of_box|>2<|end_of_box|>", "2"),
        ("<|begin_of_box|> <|end_of_box|>\nAnswer: x", ""),
        (r"\boxed{1} \boxed{2}", "2"),
        (r"\\boxed{1}", "1"),
        (r"\boxed{\text{cat}}", r"\text{cat"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1"),
        ("\\boxed{}\nAnswer: x", "x"),
        ("\\boxed{ }\nAnswer: x", ""),
        ("\\boxed{a\nb}", "a b"),
        (r"\boxed{x", r"\boxed{x"),
        ("boxed{x}", "boxed{x}"),
        ("Answer: x", "x"),
        ("ANSWER :x", "x"),
        ("  \n  final \n answer \n : \n x y \nz", "x y"),
        ("Answer: x\nAnswer: y", "y"),
        ("Answer:\nAnswer: x", "Answer: x"),
        ("Answer:\n\nx\ny", "x"),
        ("Answer:", "Answer:"),
        ("Answer: ", ""),
        ("Answer:\n", "Answer:"),
        ("Answer:\r\n", ""),
        ("my answer: x", "my answer: x"),
        ("my\nanswer: x", "x"),
        ("my final\nanswer: x", "x"),
        ("> Answer: x", "> Answer: x"),
        ("**Answer:** x", "**Answer:** x"),
        ("Answer：x", "Answer：x"),
        ("a\nb", "b"),
        ("a\u2028b\x0bc\n\n", "c"),
        ("'\"x\"'", "x"),
        ("` x `", "x"),
        ("<answer> x  y </answer>", "x y"),
        ("< ANSWER >x< / answer >", "x"),
        ("<final_answer>x</final_answer>", "x"),
        ("<final>x</final>", "x"),
        ("<answer><final>x</final></answer>", "<final>x</final>"),
        ("<answer>'x'</answer>", "'x'"),
        ("<answer>x", "<answer>x"),
        ("Answer: <answer>", ""),
        ("Answer: < answer >", ""),
        ("<Final Answer>", ""),
        ("   \n ", ""),
        (None, ""),
        (5, ""),
    ],
)
def test_final_answer(text: object, answer: str) -> None:
    """The first rule with a match decides, and its text is cleaned even when nothing is left."""
    assert final_answer(text) == answer


@pytest.mark.parametrize(
    "text",
    ["<|begin_of_box|>" * 300_000, "\\boxed{" * 500_000, "\n" * 3_000_000, "Answer:" + " " * 3_000_000,
     "answer: " * 400_000, "answer:\n" * 400_000, "final " * 500_000, "<" + " " * 3_000_000, "\\" * 3_000_000],
)  # fmt: skip
def test_megabytes_of_hostile_text_end(text: str) -> None:
    """Each rule is linear; a careless pattern would hang here."""
    assert isinstance(final_answer(text), str)
