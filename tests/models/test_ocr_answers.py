"""Answering from read lines: each rule on a small page, and hostile pages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.models.arithmetic import result_of
from snellen.models.ocr_answers import answer
from snellen.models.ocr_layout import Line, best_match, number_in, plain_text, rows_of, table_cell


def grid(*rows: str, step: int = 100) -> list[Line]:
    """Lines in a grid: columns separated by |, one row each 30 px."""
    return [
        Line(cell, x * step, y * 30, x * step + 8 * len(cell), y * 30 + 20)
        for y, row in enumerate(rows)
        for x, cell in enumerate(part.strip() for part in row.split("|"))
        if cell
    ]


PRICES = grid("Item | Price | Stock", "Apple | 1.20 | 7", "Pear tree | 30.00 | 12", "Total | 31.20 | 19")
BARS = [
    Line("Sales 2024", 10, 0, 120, 20),
    *(Line(str(v), 10, 400 - 4 * v, 40, 416 - 4 * v) for v in (0, 20, 40, 60)),
    Line("57", 100, 150, 125, 170),
    Line("42", 200, 210, 225, 230),
    Line("North", 90, 420, 135, 440),
    Line("South", 190, 420, 235, 440),
]


@pytest.mark.parametrize(
    ("question", "lines", "said"),
    [
        ('What is the value in the column "Price" for the row "Pear tree"?', PRICES, "30.00"),
        ("What number stands in row Total and column Stock?", PRICES, "19"),
        ("Which item has the highest Stock?", PRICES[:9], "Pear tree"),
        ("Which item has the lowest Price?", PRICES[:9], "Apple"),
        ("How many rows and columns are in the table?", PRICES, "(4,3)"),
        ("Which region has the highest sales?", BARS, "North"),
        ("Which region has the smallest sales?", BARS, "South"),
        ("What is the difference between North and South?", BARS, "15"),
        ("What is the sum of North and South?", BARS, "99"),
        ("What is the value of South?", BARS, "42"),
        ("What percentage came from Mobile?", grid("Mobile 48%", "Desktop 37%"), "48%"),
        ('What stands in the field "Order number"?', grid("Name | Jo", "Order number: | ZE-8654"), "ZE-8654"),
        ("What text is shown in the image?", grid("HELLO | WORLD"), "HELLO WORLD"),
        ("Which five letters stand in the picture?", grid("H V", "rzk"), "HVRZK"),
        ("Transcribe all text in the image.", grid("one | two", "three"), "one two\nthree"),
        ("What is the heading at the top of the page?", grid("12", "Chapter One", "text"), "Chapter One"),
        ("What e-mail address is given?", grid("write to a.b@c-d.org now"), "a.b@c-d.org"),
        ("What is the result of the calculation?", grid("12 + 3 -", "5 ="), "10"),
        ("What do all items cost together?", grid("Tea | 2.50", "Cake | 3.75"), "6.25"),
        ("How many movies are there?", grid("3 Movieset", "46K shots from 7858 movies."), "7858"),
        (
            "Which animal jumped over the lazy fox?",
            grid("This is a test of twelve words or so to be a text. The quick brown dog jumped over the lazy fox."),
            "dog",
        ),
        ('Is the word "EXIT" in the picture?', grid("EXIT ONLY"), "Yes"),
        ('Is the word "EXIT" in the picture?', grid("ENTER"), "No"),
        ("What colour is the cup?", PRICES, None),
        ("What text is shown?", [], None),
    ],
)
def test_a_question_is_answered_from_the_page(question: str, lines: list[Line], said: str | None) -> None:
    """Each form of question finds its words; what the page does not say is None."""
    assert answer(question, lines) == said
    assert answer(question, list(reversed(lines))) == said


@pytest.mark.parametrize(
    ("question", "lines", "choices", "said"),
    [
        ("What is the value of South?", BARS, ("57", "42", "20"), "B"),
        ("Which word?", grid("STOP"), ("go", "stop"), "B"),
        ("Which word?", grid("STOP GO"), ("go", "stop"), None),
        ("Which angle?", grid("A", "B"), ("A", "B"), None),
        ("Which?", grid("nothing here"), ("red", "blue"), None),
    ],
)
def test_with_options_the_answer_is_a_letter(
    question: str, lines: list[Line], choices: tuple[str, ...], said: str | None
) -> None:
    """The found text picks its option; the only option that stands in the picture is taken; doubt is None."""
    assert answer(question, lines, choices) == said


def test_a_cell_is_cut_out_of_a_merged_line() -> None:
    """An engine that reads two cells as one line still gives the right cell."""
    lines = [
        Line("Delay", 0, 0, 50, 10),
        Line("IQR", 170, 0, 190, 10),
        Line("Min Max", 200, 0, 240, 10),
        Line("Care", 0, 20, 40, 30),
        Line("38-128 0", 171, 20, 210, 30),
    ]
    assert table_cell("Care", "IQR", lines) == "38-128"
    assert table_cell("Care", "Nothing", lines) is None
    assert table_cell("Nobody", "IQR", lines) is None


def test_rows_follow_the_page_not_the_order_of_reading() -> None:
    """Slightly slanted rows stay together."""
    lines = [Line("b", 50, 3, 60, 13), Line("a", 0, 0, 10, 10), Line("c", 0, 30, 10, 40)]
    assert [[line.text for line in row] for row in rows_of(lines)] == [["a", "b"], ["c"]]
    assert plain_text(lines) == "a b\nc"
    assert best_match("B:", lines) is lines[0]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("48%", 48.0),
        ("$1,250.50", 1250.5),
        ("-3", -3.0),
        ("a 7", 7.0),
        ("3 of 4", None),
        ("", None),
        ("9" * 99, None),
    ],
)
def test_numbers_in_lines(text: str, number: float | None) -> None:
    """One number is a value, none or two are not."""
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("12 + 3", "15"),
        ("2 + 3 × 4 = ?", "14"),
        ("100-1-1", "98"),
        ("7 ÷ 2", "3.5"),
        ("1 / 0", None),
        ("12", None),
        ("+ 3", None),
        ("1 + 2 + x", None),
        ("1 ** 9", None),
        ("__import__('os')", None),
        ("1 + " * 200 + "1", None),
        ("9" * 500 + " + 1", None),
    ],
)
def test_sums_are_worked_out_without_eval(text: str, result: str | None) -> None:
    """Only plain sums of bounded length have a result."""
    assert result_of(text) == result


BOX = st.tuples(*[st.floats(-10, 5000, allow_nan=False)] * 4)


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=60),
    st.sampled_from(
        ["Which has the highest %s?", 'row "%s" column "a"', "How many %s?", "What text is shown? %s", "%s"]
    ),
    st.lists(st.tuples(st.text(max_size=20), BOX), max_size=12),
    st.lists(st.text(max_size=10), max_size=5),
)
def test_nothing_raises_on_any_page(
    word: str, form: str, lines: list[tuple[str, tuple[float, ...]]], choices: list[str]
) -> None:
    """Whatever an engine reads, there is an answer or None."""
    page = [Line(text, *box) for text, box in lines]
    said = answer(form.replace("%s", word), page, choices)
    assert said is None or isinstance(said, str)


def test_a_huge_page_is_bounded() -> None:
    """Thousands of lines and a long question end."""
    lines = [
        Line(f"word{i} {i}", i % 50 * 90, i // 50 * 20, i % 50 * 90 + 60, i // 50 * 20 + 15) for i in range(3000)
    ]
    assert answer("How many things? " * 1000, lines) is None or True
    assert answer("What text is shown in the image?", lines)
