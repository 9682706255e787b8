"""Long answers out of their boxes and fences."""

from __future__ import annotations

import pytest

from snellen.answers.long_answers import read_long

READ = [
    ("plain", "a page\nof text", "a page\nof text"),
    ("end-of-text tokens", "a page\nof text</s>\n<|im_end|>", "a page\nof text"),
    ("a tag of its own at the end", "<b>bold</b>", "<b>bold</b>"),
    ("last pipe box", "<|begin_of_box|>a<|end_of_box|> <|begin_of_box|>b<|end_of_box|>", "b"),
    ("boxed at the start", r"\boxed{x^{2}} is it", "x^{2}"),
    ("boxed after a few words", r"The final answer is: \boxed{x}", "x"),
    ("boxed and not closed", r"\boxed{first", "first"),
    ("boxed inside a page", "Some long page of text that goes on for a while,\nthen \\boxed{x}", None),
    ("fence", "Here:\n```latex\nx\n```\nDone.", "x\n"),
    ("fence of an unknown language", "```mylang\nx\n```", "x\n"),
    ("fence on one line", "```LaTeX  x```", "x"),
    ("fence that is not closed", "```html\n<b>", "<b>"),
    ("fence around a formula", "```E = mc^2```", "E = mc^2"),
    ("reasoning", "<think>```no```</think>yes", "yes"),
    ("full width", "ＡＢ", "AB"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_where_the_answer_stands(text: str, expected: str | None) -> None:
    """Boxes, fences and reasoning are told apart from the answer."""
    assert read_long(text) == (text if expected is None else expected)


def test_fences_of_the_reference_are_part_of_the_answer() -> None:
    """A page that shows code keeps its fences."""
    assert read_long("a\n```\nb\n```", has_fences=True) == "a\n```\nb\n```"


def test_no_text_is_no_answer() -> None:
    """None and numbers read as empty."""
    assert read_long(None) == read_long(5) == ""
