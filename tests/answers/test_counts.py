"""The one count that an answer asserts."""

from __future__ import annotations

import pytest

from snellen.answers.count_mentions import cjk_number, find_mentions, plain_text
from snellen.answers.counts import asserted_count, read_count

CASES = [
    ("9.0", 9),
    ("1.000", 1),
    ("1.000", 1),
    ("There are 1 234 567 ants.", 1234567),
    ("7.0", 7),
    ("7.00 people", 7),
    ("5️⃣", 5),
    ("⑤", 5),
    ("５", 5),
    ("٣", 3),
    ("７人", 7),
    ("7people", 7),
    ("5x", 5),
    ("x5", 5),
    ("~7", 7),
    ("≈7", 7),
    ("#5", 5),
    ("5_", 5),
    ("5!", 5),
    ("5?", 5),
    ("= 5", 5),
    ("n=5", 5),
    ("fourty", 40),
    ("fourty-five", 45),
    ("t.e.n", 10),
    ("t.w.o. ", 2),
    ("五", 5),
    ("十二", 12),
    ("两个", 2),
    ("五只猫", 5),
    ("Ⅴ", 5),
    ("V", 5),
    ("XII", 12),
    ("IV.", 4),
    ("I", 1),
    ("a dozen", 12),
    ("two dozen", 24),
    ("half a dozen", 6),
    ("a dozen eggs", 12),
    ("a couple", 2),
    ("a couple of dogs", 2),
    ("a pair", 2),
    ("pair of shoes", 2),
    ("couple", 2),
    ("a cat", 1),
    ("an apple", 1),
    ("A single cat.", 1),
    ("There is a dog.", 1),
    ("I see a cat", 1),
    ("none", 0),
    ("None.", 0),
    ("no", 0),
    ("No cats.", 0),
    ("There are no cats in the image.", 0),
    ("zero", 0),
    ("Zero cats", 0),
    ("0", 0),
    ("No one is there.", 0),
    ("There aren't any cats.", 0),
    ("often", None),
    ("The weight is large", None),
    ("Someone is there", None),
    ("a five-star hotel", 1),
    ("four-legged animal", None),
    ("It is a four-legged animal", 1),
    ("The answer is 7 (4 left, 3 right)", 7),
    ("7 (4 left, 3 right)", 7),
    ("4 + 3 = 7", 7),
    ("4+3=7", 7),
    ("7 = 4 + 3", 7),
    ("4 on the left and 3 on the right, so 7 in total", 7),
    ("4 on the left, 3 on the right, total: 7", 7),
    ("There are 7 people, 3 of them seated", 7),
    ("8 of 10", 8),
    ("8 out of 10", 8),
    ("5 cats next to 2 dogs", 5),
    ("1, 2, 3, 4, 5", 5),
    ("1, 2, 3", 3),
    ("one two three four", 4),
    ("I count: 1, 2, 3, 4. There are 4.", 4),
    ("not 6", None),
    ("It's not 6.", None),
    ("not 6 but 7", 7),
    ("7, not 6", 7),
    ("7 7", 7),
    ("7 (seven)", 7),
    ("seven (7)", 7),
    ("7 seven", 7),
    ("1. 7", 7),
    ("1) 7 birds", 7),
    ("2. There are 7 birds", 7),
    ("between 5 and 6", None),
    ("5 or 6", None),
    ("5/6", None),
    ("5-6", None),
    ("5–6 people", None),
    ("5 to 6", None),
    ("either 5 or 6", None),
    ("5, 6", None),
    ("5 and 6", None),
    ("maybe 5 or maybe 6", None),
    ("five or six cats", None),
    ("from 5 to 7", None),
    ("five-six", None),
    ("six/seven", None),
    ("-3", -3),
    ("minus three", -3),
    ("3.5", None),
    ("about 3.5", None),
    ("2 1/2", None),
    ("Answer: unknown", None),
    ("There are 5 cats\nAnswer: unknown", None),
    ("I cannot determine the number of cats.", None),
    ("I'm sorry, but I can't help with that.", None),
    ("21, no, 22", 22),
    ("I see 5... wait, 6.", 6),
    ("5, actually 6", 6),
    ("5. Sorry, 6.", 6),
    ("At first I thought 5, but actually it is 6.", 6),
    ("twenty-one, no, twenty-two", 22),
    ("5 — no, 6", 6),
    ("Let me recount. 6", 6),
    ("I count 5. Let me recount: 6", 6),
    ("5? No. 6.", 6),
    ("one hundred and twenty-five", 125),
    ("two hundred", 200),
    ("two thousand", 2000),
    ("one thousand two hundred and three", 1203),
    ("a hundred", 100),
    ("hundred", 100),
    ("twelve hundred", 1200),
    ("three hundred forty-two", 342),
    ("ninety nine", 99),
    ("1 million", 1000000),
    ("2 thousand", 2000),
    ("2 dozen", 24),
    ("There are 3 red cars and 4 blue cars, for a total of 7 cars.", 7),
    ("There are 3 red cars and 4 blue cars, so there are 7 cars.", 7),
    ("The total is 7: 3 red and 4 blue.", 7),
    ("7 in total (3 red, 4 blue)", 7),
    ("In total, there are 7 cars.", 7),
    ("3 red + 4 blue = 7 cars", 7),
    ("3 plus 4 equals 7", 7),
    ("3 and 4 makes 7", 7),
    ("The number of dogs is 3.", 3),
    ("Count: 3", 3),
    ("count = 3", 3),
    ("The count is three", 3),
    ("There are exactly 3.", 3),
    ("I can see 3 dogs.", 3),
    ("3 dogs are visible in the image.", 3),
    ("Only one.", 1),
    ("Just one cat", 1),
    ("There is only one", 1),
    ("There is one cat.", 1),
    ("One of them is a dog; there are 5 animals.", 5),
    ("5 cups and 5 plates", 5),
    ("{'count': 5}", 5),
    ('{"answer": 5}', 5),
    ('```json\n{"count": 5}\n```', 5),
    ("<answer>5</answer>", 5),
    ("\\boxed{5}", 5),
    ("$5$", 5),
    ("\\(5\\)", 5),
    ("**Five**", 5),
    ("**5** cats", 5),
    ("5 people (one partially hidden)", 5),
    ("5 people, including one partially hidden", 5),
    ("5 people, one of whom is a child", 5),
    ("6, including the driver", 6),
    ("10:30", None),
    ("3rd", None),
    ("There are at least 5.", 5),
    ("approximately 30", 30),
    ("30+", 30),
    ("more than 5", None),
    ("there is 1", 1),
    ("1 cat, 0 dogs", 1),
    ("I count 5 cats.\nI hope this helps.", 5),
    ("5\nExplanation: there are 3 on the left and 2 on the right.", 5),
    ("The image shows a group of 5 people.", 5),
    ("a group of people", None),
    ("a lot", None),
    ("many", None),
    ("several", None),
    ("a few", None),
    ("seventeen and ten", None),
    ("thirty zero", None),
    ("6️⃣", 6),
    ("six.", 6),
    ("SIX", 6),
    ("Six (6) cats", 6),
    ("6 (six)", 6),
    ("There are six (6).", 6),
    ("There are 4 people: 2 men and 2 women", 4),
    ("4: 2 men, 2 women", 4),
    ("2 men and 2 women, so 4", 4),
    ("2 men + 2 women", 2),
    ("The answer is 6 or 7", None),
    ("The total is 6 or 7.", None),
    ("6 (or 7)", 6),
    ("6 cats or 7 cats", None),
    ("On the left there are 3, on the right there are 4, making 7", 7),
    ("no more than 5", None),
    ("3 cats: 1 black, 1 white, 1 grey", 3),
    ("1 black, 1 white, 1 grey: 3 cats", 3),
    ("12,5", None),
    ("1.000", 1),
    ("Step 1: look. Step 2: count. There are 5.", 5),
    ("There are 5 (five) cats in the picture.", 5),
    ("The picture shows 2 cats, 3 dogs and 1 bird, 6 animals in total.", 6),
]
"""(response, the count that a careful reader takes from it; None for none)."""

ASKED = [
    ("There are 2 dogs and 5 cats", "How many cats are there in the image?", 5),
    ("There are 2 dogs and 5 cats", "How many dogs are in the image?", 2),
    ("2 cats and 1 dog", "How many cats?", 2),
    ("5 apples on 2 plates", "How many plates are there?", 2),
    ("There are no cats, but 3 dogs.", "How many cats are there?", 0),
    ("There are no cats, but 3 dogs.", "How many dogs are there?", 3),
    ("There are 7 people in the image, 3 of them seated.", "How many people are there?", 7),
    ("two boxes and three bushes", "How many bushes are there?", 3),
    ("1 woman and 2 children", "How many children are in the picture?", 2),
]
"""(response, question, count): the noun of the question decides between two counts."""


@pytest.mark.parametrize(("text", "count"), CASES)
def test_count(text: str, count: int | None) -> None:
    """Digits, words, sums, breakdowns, corrections, hedges and denials are read as a careful person reads them."""
    assert read_count(text).value == count


@pytest.mark.parametrize(("text", "question", "count"), ASKED)
def test_the_question_decides_between_two_nouns(text: str, question: str, count: int) -> None:
    """Of two things counted, the one that was asked for counts."""
    assert read_count(text, question).value == count


def test_mentions_leave_out_what_is_no_count() -> None:
    """Percentages, money, ordinals, times and compounds are no counts."""
    plain = plain_text("50% of $20, the 3rd at 10:30, a 4-legged dog, two-way, mp3, 5 cats")
    assert [mention.value for mention in find_mentions(plain)] == [5]


@pytest.mark.parametrize(
    ("text", "value"), [("两", 2), ("二十一", 21), ("一百零五", 105), ("三千", 3000), ("二零", 20)]
)
def test_chinese_numerals(text: str, value: int) -> None:
    """Chinese numerals are read by place."""
    assert cjk_number(text) == value


@pytest.mark.parametrize("text", ["9" * 5000, "1" * 40 + " cats", "९" * 1000])
def test_endless_digits_are_no_count(text: str) -> None:
    """A number of more than thirty digits is no count and costs nothing."""
    assert asserted_count(text) is None


@pytest.mark.parametrize(
    "text",
    ["12 " * 100_000, "twenty-one " * 50_000, "a.b." * 100_000, "(" * 300_000, "no, " * 100_000, "5 or 6 " * 100_000],
)
def test_hostile_text_ends(text: str) -> None:
    """Endless numbers are read within a bound; a careless pattern would hang here."""
    assert read_count(text).value in (None, 0, 12, 21)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I first thought 21 but it is 22", 22), ("Initially I counted 3, but then I saw there are 4.", 4),
        ("2 rows of 3 = 6", 6), ("2 x 3 = 6", 6), ("4; 5", None), ("7/10 of them", None), ("four and a half", None),
        ("4 and a half", None), ("图中有4辆车", 4), ("Twenty–one", 21), ("an unknown number", None),
    ],
)  # fmt: skip
def test_turns_products_and_parts(text: str, value: int | None) -> None:
    """A first idea gives way, a product is its result, halves and pairs of candidates are no count."""
    assert asserted_count(text) == value


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("There are 5 blue cars and 3 red cars.", "How many red cars are there?", 3),
        ("There are 5 blue cars and 3 red cars.", "How many blue cars are there?", 5),
        ("cups: 5, plates: 3", "How many plates are there?", 3),
        ("cups: 5, plates: 3", "How many cups are there?", 5),
    ],
)
def test_the_noun_that_was_asked_for(text: str, question: str, value: int) -> None:
    """Of several things counted the one that shares most words with the question is the answer."""
    assert asserted_count(text, question) == value
