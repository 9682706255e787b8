"""Reasoning told from the answer."""

from __future__ import annotations

import pytest

from snellen.answers.thinking import split_thinking


@pytest.mark.parametrize(
    ("text", "answer", "thought"),
    [
        ("B", "B", ""),
        ("<b>5</b> [1, 2]", "<b>5</b> [1, 2]", ""),
        ("<think>A or C?</think>B", "B", "A or C?"),
        ("<think>\nA or C?\n</think>\n\nB\n", "B", "A or C?"),
        ("A or C? </think> B", "B", "A or C?"),
        ("<think>A", "", "A"),
        ("B <think>A", "B", "A"),
        ("<think>a</think>x<think>b</think>y", "y", "axb"),
        ("<think><think>a</think></think>y", "y", "a"),
        ("a </think> b <think> c", "b", "a  c"),
        ("B <think>because</think>", "B", "because"),
        ("<think>because</think>", "", "because"),
        ("</think>", "", ""),
        ("<THINKING>a</THINKING>B", "B", "a"),
        ("<reasoning>a</reasoning>B", "B", "a"),
        ("<thought>a</thought>B", "B", "a"),
        ("[THINK]a[/THINK]B", "B", "a"),
        ("◁think▷a◁/think▷B", "B", "a"),
        ("<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>B<|end_of_solution|>", "B", "a"),
        ("<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>B<|END_RESPONSE|>", "B", "a"),
    ],
)
def test_blocks(text: str, answer: str, thought: str) -> None:
    """Each block, closed or not, with or without its opening tag, is thought; the rest is the answer."""
    assert split_thinking(text) == (answer, thought)


@pytest.mark.parametrize(
    ("text", "answer", "thought"),
    [
        (
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
            "42",
            "hm",
        ),
        ("<|channel|>analysis<|message|>hm", "", "hm"),
        ("<|channel|>final<|message|>5", "5", ""),
    ],
)
def test_channels(text: str, answer: str, thought: str) -> None:
    """The last final channel is the answer, all other channels are thought."""
    assert split_thinking(text) == (answer, thought)


@pytest.mark.parametrize("text", ["<think>a</think>B", "a</think>B", "B<think>a</think>", "<think>a", "B"])
def test_splitting_the_answer_again_changes_nothing(text: str) -> None:
    """An answer that a server or an importer has split already stays as it is."""
    answer, _ = split_thinking(text)
    assert split_thinking(answer) == (answer, "")


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 100_000,
        "</think>" * 100_000,
        "<think></think>" * 50_000,
        "<|channel|>a" + "b" * 500_000,
        "<|channel|>" * 50_000,
        "[" * 500_000,
    ],
)
def test_hostile_tags_end(text: str) -> None:
    """Endless tags are read in linear time; a careless pattern would hang here."""
    answer, thought = split_thinking(text)
    assert len(answer) + len(thought) <= len(text)
