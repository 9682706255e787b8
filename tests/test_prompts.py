"""Prompts: as shown, direct, with steps, blind, with another system message."""

from __future__ import annotations

import pytest

from snellen.errors import UsageError
from snellen.prompts import DIRECT_HINT, LETTER_HINT, PROMPTS, STEPS_HINT, build, choice_lines, stands_in
from snellen.types import ImagePart, Sample, TextPart

SAMPLE = Sample(
    id="1",
    parts=(ImagePart(b"a"), TextPart("How many?\nAnswer:"), ImagePart(b"b")),
    question="How many?",
    system="own",
)


def test_the_default_shows_what_the_benchmark_shows() -> None:
    """Nothing is added and nothing is lost."""
    assert build(SAMPLE) == (SAMPLE.parts, "own")


@pytest.mark.parametrize(("name", "line"), [("direct", DIRECT_HINT), ("cot", STEPS_HINT)])
def test_a_line_is_added_before_the_cue(name: str, line: str) -> None:
    """The benchmark's closing cue stays last, the images stay where they are."""
    parts, _ = build(SAMPLE, name=name)
    assert parts == (ImagePart(b"a"), TextPart(f"How many?\n{line}\nAnswer:"), ImagePart(b"b"))


def test_without_a_cue_the_line_comes_last() -> None:
    """A plain question is followed by the line; a prompt without text gets it as its text."""
    plain = Sample(id="1", parts=(TextPart("How many?"),), question="How many?")
    assert build(plain, name="direct")[0] == (TextPart(f"How many?\n{DIRECT_HINT}"),)
    bare = Sample(id="1", parts=(ImagePart(b"a"),), question="")
    assert build(bare, name="direct")[0] == (ImagePart(b"a"), TextPart(DIRECT_HINT))


def test_blind_leaves_out_images_only() -> None:
    """The text stays word for word; the sample itself is untouched."""
    parts, _ = build(SAMPLE, blind=True)
    assert parts == (TextPart("How many?\nAnswer:"),)
    assert len(SAMPLE.parts) == 3


def test_a_system_message_replaces_the_samples_own() -> None:
    """Even an empty one."""
    assert build(SAMPLE, system="mine")[1] == "mine"
    assert build(SAMPLE, system="")[1] == ""


def test_an_unknown_prompt_names_the_nearest() -> None:
    """A slip is a usage error."""
    with pytest.raises(UsageError, match="did you mean 'direct'"):
        build(SAMPLE, name="diret")


def test_every_prompt_is_described() -> None:
    """The table is complete."""
    assert all(line for _, line in PROMPTS.values())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Which? A. red B. blue", True),
        ("Which?\n(A) red\n(B) blue", True),
        ("A: red, B: blue", True),
        ("red or blue", False),
        ("B. blue A. red", False),
        ("A. red", False),
        ("", False),
    ],
)
def test_options_in_a_text_are_recognised(text: str, found: bool) -> None:
    """Only options behind their letters, in order, count."""
    assert stands_in(["red", "blue"], text) is found


def test_options_with_signs_are_taken_literally() -> None:
    """An option is text, never a pattern."""
    assert stands_in(["a+b", "(c)"], choice_lines(["a+b", "(c)"]))
    assert not stands_in([".*", ".*"], "A. xx B. yy")
    assert LETTER_HINT.endswith(".")
