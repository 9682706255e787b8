"""Reading the answer out of free text: marks, bare answers, dressing, remarks, corrections, hedges, abstentions."""

from __future__ import annotations

import pytest

from snellen.answers.marked import MAX_CHARS, read_marked


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"\boxed{12}", "12"),
        (r"\\boxed{12}", "12"),
        (r"\fbox{12}", "12"),
        (r"\boxed 12", "12"),
        (r"\boxed{12", "12"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"$\boxed{\text{C}}$", "C"),
        ("<|begin_of_box|>12<|end_of_box|>", "12"),
        ("<|begin_of_box|>12", "12"),
        ("Answer: 12", "12"),
        ("ANSWER：12", "12"),
        ("Final answer - 12", "12"),
        ("**Answer:** 12", "12"),
        ("**Answer: 12**", "12"),
        ("> Answer: 12", "12"),
        ("### Final Answer\n\n**12**", "12"),
        ("Answer:\n\n12", "12"),
        ("Hence the answer is 12.", "12"),
        ("the correct answer should be 12", "12"),
        ("So the result is (C).", "C"),
        ("答案是 12", "12"),
        ("Réponse : 12", "12"),
        ("Antwort: 12", "12"),
        ("Ответ: 12", "12"),
        ("정답: 12", "12"),
        ("<answer>12</answer>", "12"),
        ("<final_answer>12</final_answer>", "12"),
        ("<answer>12", "12"),
        ('{"answer": "12"}', "12"),
        ('{"why": "x", "answer": 12}', "12"),
        ('```json\n{"answer": "12"}\n```', "12"),
        ("Final answer C", "C"),
    ],
)
def test_every_spelling_of_a_mark_is_read(text: str, answer: str) -> None:
    """Boxes, lines, phrases, elements and JSON in any spelling and language mark the answer."""
    read = read_marked(text)
    assert (read.answer, read.marked) == (answer, True)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"\boxed{100}" + "\nAnswer: 7", "7"),
        ("Answer: 7\n" + r"\boxed{100}", "100"),
        ("Answer: 100 Answer: 7", "7"),
        (r"First \boxed{B}, then \boxed{C}", "C"),
        ("Answer: <final>100</final>", "100"),
        (r"\boxed{Answer: 5}", "5"),
        ("Answer: 12\n\nThat is all.", "12"),
    ],
)
def test_the_last_mark_decides(text: str, answer: str) -> None:
    """Of several marks of whatever kind the last one counts, and a mark beats bare text behind it."""
    assert read_marked(text).answer == answer


@pytest.mark.parametrize(
    "text",
    ['so 4\nAnswer: ""', "so 4\nAnswer: <answer>", "so 4\n\\boxed{}", 'so 4\n{"answer": null}', "4\nAnswer: $LETTER"],
)
def test_an_empty_mark_is_skipped(text: str) -> None:
    """A marker with nothing or a template in it is skipped, and what stands before it counts."""
    assert read_marked(text).answer == "4"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("100\n\nI hope this helps!", "100"),
        ("C\nbecause 3 x 6 = 18", "C"),
        ("(C)\nI counted them.", "C"),
        ("7\n100", "100"),
        ("12 because of the big bar", "12"),
        ("100, as shown in the chart", "100"),
        ("I think 100", "100"),
        ("Sure! 100", "100"),
        ("12. The bar is tall.", "12"),
        ("a\u2028100", "100"),
    ],
)
def test_remarks_around_a_bare_answer_are_dropped(text: str, answer: str) -> None:
    """Without a marker the last bare line counts, polite words and reasons aside."""
    read = read_marked(text)
    assert (read.answer, read.marked) == (answer, False)


@pytest.mark.parametrize(
    "text",
    ["**`(B)`.**", "[B]", "{B}", "((B))", "B)", "B,", "B...", "'B'", "$B$", r"\text{B}", "# B", "<B>", "【B】"],
)
def test_dressing_is_removed(text: str) -> None:
    """Markdown, code, quotes, math signs, type commands, brackets and end marks are no part of the answer."""
    assert read_marked(text).answer == "B"


def test_brackets_that_are_part_of_the_value_stay() -> None:
    """Tuples, intervals, lists and sets keep their brackets."""
    for text in ("(1,2)", "[0,1)", "[red, blue]", r"\{1,2\}"):
        assert read_marked(text).answer == text


def test_an_exclamation_mark_behind_a_number_is_the_factorial() -> None:
    """`12!` keeps its sign, `C!` does not."""
    assert read_marked("12!").answer == "12!"
    assert read_marked("C!").answer == "C"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("90. No wait, 100", "100"),
        ("90, no, 100", "100"),
        ("First I thought 90, but it is 100", "it is 100"),
        ("It is B, not C", "It is B"),
        ("not 5 but 7", "7"),
        ("100 rather than 90", "100"),
    ],
)
def test_corrections_and_denials(text: str, answer: str) -> None:
    """Of a first idea and its correction the correction counts; what is denied is left out."""
    assert read_marked(text).answer == answer


def test_two_marks_side_by_side_are_a_hedge() -> None:
    """`box or box` names both."""
    read = read_marked(r"<|begin_of_box|>100<|end_of_box|> or \boxed{7}")
    assert read.hedged
    assert read.answer == "100 or 7"
    assert not read_marked(r"First \boxed{B}, then \boxed{C}").hedged


@pytest.mark.parametrize(
    "text",
    ["I don't know", "N/A", "cannot be determined", "none of the above", "I'm sorry, I can't help", "🙂", "?", "..."],
)
def test_abstentions(text: str) -> None:
    """A text that declines to answer says so."""
    assert read_marked(text).abstained


@pytest.mark.parametrize("text", ["<think>90</think>100", "90</think> 100", "<think>a</think><think>b</think>100"])
def test_thinking_is_no_answer(text: str) -> None:
    """Everything up to the last closing tag is thought."""
    assert read_marked(text).answer == "100"


def test_an_unclosed_thought_has_no_answer() -> None:
    """A text that ends inside its thought answers nothing."""
    assert read_marked("<think>100").answer == ""


def test_invisible_marks_and_odd_signs_are_folded() -> None:
    """Zero-width and right-to-left marks, NUL, full-width digits, no-break spaces and U+2212 do not hide a number."""
    for text in ("\u202e100\u202c", "100\u200b", "\ufeff100", "100\x00", "１００"):
        assert read_marked(text).answer == "100"
    assert read_marked("−3").answer == "-3"
    assert read_marked("10²").answer == "10^2"


def test_no_text_is_no_answer() -> None:
    """None, lists and blanks answer nothing."""
    for output in (None, [], 5, "", "  \n"):
        assert read_marked(output).answer == ""


def test_only_the_end_of_a_very_long_text_is_read() -> None:
    """The answer at the end is found, and the reader says that it cut."""
    read = read_marked("word " * MAX_CHARS + "\nAnswer: 12")
    assert read.answer == "12"
    assert read.is_cut


@pytest.mark.parametrize(
    "piece",
    ["\\boxed{", "Answer: ", "<answer>", '{"answer": "', "<|begin_of_box|>", "not ", "5 or ", "½", "*", "\ud800"],
)
def test_repeated_pieces_end(piece: str) -> None:
    """Twenty thousand copies of a marker or sign are read in bounded work."""
    assert isinstance(read_marked(piece * 20_000).answer, str)
