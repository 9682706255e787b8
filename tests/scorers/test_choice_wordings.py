"""Wordings of a choice: what a careful reader takes each response to choose."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.scorers import score_answer


def row(question: str, answer: str, options: list[Any], dataset: str = "mmbench") -> dict[str, Any]:
    """A row with these options."""
    return {
        "id": "1", "image": None, "question": question, "answer": answer, "source_info": {"dataset": dataset},
        "metadata": {"options": options},
    }  # fmt: skip


ANIMAL = row("Which animal is it?", "B", ["cat", "dog", "sheep", "horse"])
CAT = row("Which animal is it?", "A", ["cat", "dog", "sheep", "horse"])
LEGS = row("How many legs in all?", "B", [2, 4, 6, 8])
CHANCE = row("What is the chance?", "B", ["1/4", "1/2", "3/4", "1"])
TURN = row("Can we turn left from this lane?", "B", ["Yes", "No"], "realworldqa")
NONE = row("Which is right?", "D", ["red", "blue", "green", "None of the above"])
UNKNOWN = row("What is x?", "D", ["3", "4", "5", "Cannot be determined"])
LIGHT = row("Which colour?", "E", ["(A) Red", "(B) Green", "(C) Off", "(D) On", "(E) The image does not feature it"])
CUBES = row("Which two cubes?", "A, C", ["cube one", "cube two", "cube three", "cube four"], "logicvista")
GEARS = row("Which gears turn? A. gear 1 B. gear 2 C. gear 3", "C", [], "logicvista")
BONE = row("Which bone?", "B", ["femur", "tibia", "fibula", "patella"])
CUP = row("Which material?", "D", ["a thin glass", "hard plastic", "paper", "steel"])
PAIR = row("Who are they?", "C", ["father and son", "teacher and student", "doctor and patient", "two friends"])
PAINTER = row("Who painted it?", "A", ["Paul Cezanne", "Claude Monet"])
FILTER = row("Which filter?", "B", ["low-pass filter", "high-pass filter", "notch filter"])
SIGN = row("Which number?", "C", ["(A) 1,204", "(B) 1,042", "(C) 1,402", "(D) It shows no number"])
NEARER = row("Which is closer?", "A", ["The traffic cone", "The parked truck", "They are at the same distance"])
PHASE = row("Which phase?", "C", ["alpha", "beta", "alpha + beta", "neither; it is a gas"])
CURVES = row("Which curve?", "B", ["p", "q", "r"])


@pytest.mark.parametrize(
    ("sample", "response", "value"),
    [
        (ANIMAL, "A. Actually, B.", 1), (ANIMAL, "I pick B over C.", 1), (ANIMAL, "I pick C over B.", 0),
        (ANIMAL, "Choices: A B C D", 0), (ANIMAL, "A? No, B.", 1), (ANIMAL, "B? No, A.", 0),
        (CAT, "A look at the ears says: sheep", 0), (CAT, "A better choice is C", 0), (CAT, "A looks right", 1),
        (LEGS, "I count 2 in front and 2 behind, so 4.", 1), (LEGS, "I count 4 in front and 4 behind, so 8.", 0),
        (LEGS, r"\boxed{\frac{8}{2}}", 1), (LEGS, "-4", 0),
        (CHANCE, r"\frac{1}{2}", 1), (CHANCE, r"\boxed{\frac{3}{4}}", 0),
        (TURN, "It is No, I think.", 1), (TURN, "It must be Yes, I think.", 0),
        (TURN, "Yes? No.", 1), (TURN, "We cannot turn left from this lane.", 1),
        (TURN, "We can turn left.", 0), (TURN, "It shows No, not Yes", 1),
        (NONE, "None of these", 1), (NONE, "none", 1), (NONE, "I don't know", 0),
        (UNKNOWN, "can't be determined", 1), (LIGHT, "the image doesn't feature it", 1), (LIGHT, "I cannot tell", 0),
        (CUBES, "A as well as C", 1), (CUBES, "A. cube one, C. cube three", 1), (CUBES, "A | C", 1),
        (CUBES, "A. yes\nB. no\nC. yes\nD. no", 1), (CUBES, "A. yes\nB. no\nC. no\nD. yes", 0),
        (GEARS, "gear three", 1), (GEARS, "gear two", 0), (CURVES, "The curve must be q, I think.", 1),
        (CURVES, "It shows r, not q", 0),
        (BONE, "Not the fibula; the tibia.", 1), (BONE, "Not the tibia; the fibula.", 0), (CUP, "steel or glass", 0),
        (CUP, "stainless steel", 1), (PAIR, "Doctor-patient", 1), (PAIR, "They are a doctor and her patient.", 1),
        (PAIR, "They are a doctor and her student.", 0), (PAINTER, "Paul Cézanne", 1), (PAINTER, "Édouard Manet", 0),
        (FILTER, "highpass", 1), (FILTER, "pass", 0), (SIGN, "The number is 1402", 1), (SIGN, "402", 0),
        (NEARER, "The cone is closer than the truck.", 1), (NEARER, "The truck is closer than the cone.", 0),
        (PHASE, "alpha and beta", 1), (PHASE, "neither", 0), (PHASE, "alpha", 0),
    ],
)  # fmt: skip
def test_wordings(sample: dict[str, Any], response: str, value: int) -> None:
    """Corrections, conclusions, verdicts, restated claims and equal spellings are read as meant."""
    assert score_answer(sample, response, "fair").value == value


@pytest.mark.parametrize(
    ("sample", "response", "value"),
    [
        (ANIMAL, "dogs", 1), (ANIMAL, "Answer: the dogs", 1), (ANIMAL, "cats", 0), (ANIMAL, "doggy", 0),
        (ANIMAL, "dog\n\nI hope this helps!", 1), (LEGS, "There seem to be 4 or so. I hope this helps!", 1),
    ],
)  # fmt: skip
def test_the_only_word_that_counts(sample: dict[str, Any], response: str, value: int) -> None:
    """A plural is the same word; a remark behind an answer leaves it the whole answer."""
    assert score_answer(sample, response, "fair").value == value


@pytest.mark.parametrize("right", ["B", "C"])
@pytest.mark.parametrize(
    ("response", "value"),
    [
        ("I considered {wrong}, but it's {right}.", 1), ("I considered {right}, but it's {wrong}.", 0),
        ("I was between {wrong} and {right}, and I settle on {right}.", 1), ("I pick {right} and {wrong}.", 0),
        ("Options other than {right} are wrong.", 1), ("Options other than {right} are right.", 0),
        ("None but {right} fits.", 1), ("All but {right} fit.", 0), ("Contrary to {right}, {wrong} holds.", 0),
        ("Initially I chose {wrong}. On reflection, {right}.", 1), ("Unlike {wrong}, {right} matches.", 1),
        ("Unlike {right}, {wrong} matches.", 0), ("{right}? No.", 0), ("Both {right} and A fit.", 0),
    ],
)  # fmt: skip
def test_first_ideas_and_denials(right: str, response: str, value: int) -> None:
    """What is weighed and dropped is no choice, whichever letters stand there."""
    sample = row("Which animal is it?", right, ["cat", "dog", "sheep", "horse"])
    assert score_answer(sample, response.format(right=right, wrong="D"), "fair").value == value


@pytest.mark.parametrize("gold", ["B. dog", "(B) dog", "B: dog", "b) Dog", "Answer: B"])
def test_a_reference_may_hold_letter_and_text(gold: str) -> None:
    """A reference that gives letter and text is the option of both."""
    sample = row("Which animal is it?", gold, ["cat", "dog", "sheep", "horse"])
    assert [score_answer(sample, one, "fair").value for one in ("B", "dog", "C", "cat")] == [1, 1, 0, 0]
