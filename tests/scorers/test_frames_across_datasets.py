"""The same frame around an answer is read the same way in every chart and math dataset (fair rules)."""

from __future__ import annotations

import pytest

from snellen.scorers import score_answer
from snellen.types import Sample

REFERENCES = {
    "chartqa": ["100", "0.57", "-3.5", "1,234.5", "United States", "[red, blue]", "Yes"],
    "chartqapro": ["40", "[2010, 2015]", "New York", "False"],
    "charxiv_descriptive": ["Accuracy vs. Epoch", "10^4", "Ours, BERT, GPT-2", "Increases then stabilizes"],
    "charxiv_reasoning": ["Model B", "0.5", "decreasing then increasing"],
    "mathvista": ["12", "5.2", "1,200,000", "square", "[1, 2, 3]", r"\frac{1}{2}"],
    "mathvision": [
        "12",
        r"\frac{1}{2}",
        r"2\sqrt{3}",
        r"9\pi",
        "(1,2)",
        "x+1",
        "3,5",
        r"3\frac{1}{2}",
        "1,234",
        "yes",
    ],
    "mathverse_wo": ["60", r"\sqrt{2}"],
}
RIGHT = [
    "{}", " {} ", "{}.", "**{}**", "`{}`", '"{}"', "Answer: {}", "answer：{}", "**Answer:** {}", "### Answer\n{}", "The answer is {}.",
    r"\boxed{{{}}}", r"$\boxed{{{}}}$", "<answer>{}</answer>", "<answer>{}", '{{"answer": "{}"}}', "<|begin_of_box|>{}<|end_of_box|>",
    "{}\n\nI hope this helps!", "<think>something else</think>{}", "It is {}.", "I think it is {}", "So the result is {}.",
    "Final answer: {}\n\nThat is all.", "```\n{}\n```", "答案是 {}", "Réponse : {}", "> Answer: {}", "(({}))", "wrong\n{}",
]  # fmt: skip
WRONG = [
    "not {}", "It is not {}", "{} or zebra", "Answer: {}\nAnswer: zebra", "<think>{}</think>zebra", r"\boxed{{{}}} or \boxed{{zebra}}",
    "I first thought of {}, but it is zebra", "zebra, not {}", "{}. No wait, zebra", "Answer: zebra",
]  # fmt: skip
PAIRS = [(dataset, reference) for dataset, references in REFERENCES.items() for reference in references]


def value_of(dataset: str, reference: str, output: str) -> float | None:
    """The fair score of an output."""
    sample = Sample(
        id="1", parts=(), question="Which one?", answer=reference, all_answers=[reference], references=(reference,),
        metadata={"answer_type": "text"}, dataset=dataset,
    )  # fmt: skip
    return score_answer(sample, output, "fair").value


@pytest.mark.parametrize(("dataset", "reference"), PAIRS)
def test_the_reference_in_any_frame_is_right(dataset: str, reference: str) -> None:
    """Markers, Markdown, quotes, boxes, JSON, thinking, remarks and sentences do not hide the answer."""
    assert [frame for frame in RIGHT if value_of(dataset, reference, frame.format(reference)) != 1.0] == []


@pytest.mark.parametrize(("dataset", "reference"), PAIRS)
def test_a_denied_hedged_or_corrected_reference_is_wrong(dataset: str, reference: str) -> None:
    """What is denied, taken back, thought only or one of two candidates is no answer."""
    is_partial = dataset == "chartqapro" and reference.startswith("[")
    found = [frame for frame in WRONG if value_of(dataset, reference, frame.format(reference)) == 1.0]
    assert found == [] or is_partial
