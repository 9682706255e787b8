"""Choices in every common form: letters, option texts, marked answers, prose, denials, hedges, echoes."""

from __future__ import annotations

import pytest

from snellen.answers.choices import own_words, read_choice
from snellen.answers.options import UNKNOWN, Options, options_of

ANIMALS = options_of(["cat", "dog", "sheep", "horse"])

LETTER_FORMS = (
    "B",
    "b",
    "(b)",
    "B)",
    "[B]",
    "{B}",
    "<B>",
    "_B_",
    "__B__",
    "*B*",
    "***B***",
    "`B`",
    "```B```",
    '"B"',
    "“B”",
    "「B」",
    "$B$",
    r"$\text{B}$",
    r"\(B\)",
    r"\boxed B",
    r"\fbox{B}",
    r"\boxed{\mathrm{B}}",
    r"\boxed{B",
    "Ｂ",
    "ⓑ",
    "𝐁",
    "B。",
    "B?",
    "B!",
    "B...",
    "B;",
    "-B",
    "* B",
    "1. B",
    "B###",
    "B ✓",
    "✅ B",
    "👉 B",
    "<s> B",
    "B</s>",
    "   B   \n\n",
)
NAMED_FORMS = (
    "Option B",
    "option b.",
    "Choice B",
    "Letter B",
    "choice (B)",
    "(Option B)",
    "B) dog",
    "(B) dog",
    "B. dog",
    "B: dog",
    "B - dog",
    "B – dog",
    "**B.** dog",
    "**Option B: dog**",
    "dog (B)",
    "B, because it barks",
    "B because it barks",
    "I choose B",
    "I'd go with B",
    "It's B.",
    "Looks like B to me",
    "Probably B",
    "B is correct",
    "B is the answer",
    "So, B.",
    "Therefore B",
    "Thus, the correct choice is B: dog.",
    "The best choice is B",
    "My choice is B",
)
MARKED_FORMS = (
    "Answer: B",
    "answer = B",
    "Answer B",
    "ANSWER:B",
    "Answer:\n\nB",
    "Answer: (B) the dog",
    "Answer: [B]",
    "Ans: B",
    "**Answer:** B",
    "*Answer*: B",
    "## Answer: B",
    "# Final Answer\n**B**",
    "**Final Answer**\n\nB",
    "Answer：B",
    "The answer is option B",
    "The answer is (b).",
    "Answer -> B",
    "The answer's B",
    "The most likely answer is B",
    "Antwort: B",
    "Respuesta: B",
    "La réponse est B",
    "答案是B",
    "故选B",
    "答え: B",
    "정답은 B입니다",
    "الإجابة: B",
    '{"answer": "B"}',
    '{"answer":"b"}',
    "{'answer': 'B'}",
    '```json\n{"answer": "B"}\n```',
    '{"final_answer":"B"}',
    "<answer>B",
    "<final>B</final>",
    "<|begin_of_box|>B",
    r"Final Answer: $\boxed{B}$",
    r"\boxed{A} no: \boxed{B}",
    "Answer: A\nWait, I misread a label.\nAnswer: B",
    "Answer: C\n\nActually, the answer is B.",
    "\\boxed{}\nAnswer: B",
    "Answer: B\n\nLet me know if you need anything else.",
    "Answer: B. It cannot be A since cats are small.",
)
TEXT_FORMS = (
    "dog",
    "DOG",
    "Dog!",
    "a dog",
    "It's a dog",
    "This is a dog.",
    "Answer: A dog",
    "the second one",
    "Second option",
    "The dog is shown.",
    'The animal shown is "dog".',
    "It is a DOG, not a cat.",
    r"\boxed{dog}",
    "- dog",
    "1) dog",
)
REASONED_FORMS = (
    "It is B, not C",
    "Not A, so B",
    "It can't be A, C or D, so it's B",
    "C... wait, B",
    "A? No, B",
    "I first thought of (A), but the right one is (B).",
    "I was going to say A, but it's B",
    "Only B is true",
    "The options A and B are close but B is better",
    "Of the options A, B, C and D, B fits best.",
    "I rule out A, C and D. B remains.",
    "A and C can be excluded, D too. That leaves B.",
    "A) cat – no\nB) dog – yes\nC) sheep – no",
    "A: ✗\nB: ✓\nC: ✗",
    "Option A: wrong\nOption B: right\nOption C: wrong",
    "B\n\nExplanation: a line joins the two parts, and a label names it.",
    "B\n\nA is wrong because it is too small.\nC is wrong because it is woolly.",
    "Options A, C, and D are not viable. The best one is option B.",
    "Option A is a cat. Option C is a sheep. Option D is a horse. The image shows option B.",
    "A careful look shows a large object. So the answer is B.",
    "<think>A looks good</think>\nB",
    "e.g. the dog, so B",
    "The right picture is:\n(B) dog\n\nIt has long ears, unlike A.",
)
NOT_B = (
    "B or maybe C",
    "B and C",
    "B, C",
    "B/C",
    "either B or C",
    "B; C",
    "B\nC",
    "A dog or a cat",
    "cat or dog",
    "A B C D",
    "The options are A, B, C, and D.",
    "(A), (B), (C) and (D)",
    "It is not B",
    "not B",
    "Not a dog",
    "without a dog",
    "Everything but B",
    "B is wrong",
    "B is incorrect; the answer is C",
    "The answer isn't B but C",
    "E",
    "Z",
    "2",
    "None of the above",
    "N/A",
    "I don't know",
    "...",
    "?",
    "I'm sorry, I can't help.",
    "Answer: ",
    r"\boxed{}",
    '{"answer": null}',
    "hotdog stand",
    "dogma",
    "do",
    "og",
    "B2",
    "x = B^2",
    "USB",
    "The answer could be B or C",
    "neither A nor B nor C nor D",
    "x|y",
    "Both B and C could be right.",
)


@pytest.mark.parametrize("text", [*LETTER_FORMS, *NAMED_FORMS, *MARKED_FORMS, *TEXT_FORMS, *REASONED_FORMS])
def test_the_second_option_is_read(text: str) -> None:
    """Every form asserts B and nothing else."""
    assert read_choice(text, ANIMALS).letters == ("B",)


@pytest.mark.parametrize("text", NOT_B)
def test_no_choice_of_the_second_option(text: str) -> None:
    """Hedges, denials, lists of options, abstentions and parts of words do not choose B."""
    assert read_choice(text, ANIMALS).letters != ("B",)


@pytest.mark.parametrize(
    "text",
    ["A careful look.", "There is A problem", "A blurry photo.", "As a whole", "A small animal", "A.I. is great"],
)
def test_the_article_is_no_letter(text: str) -> None:
    """An article chooses nothing, wherever it stands."""
    assert read_choice(text, ANIMALS).letters == ()


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("I", ("I",)),
        ("I think it is E", ("E",)),
        ("I'm sorry", ()),
        ("Answer: I", ("I",)),
        ("I see a cat", ()),
        ("(I)", ("I",)),
        ("option i", ("I",)),
        ("Answer: I think E", ("E",)),
        ("I is right", ("I",)),
    ],
)
def test_the_pronoun_is_no_letter(text: str, letters: tuple[str, ...]) -> None:
    """`I` is an option alone or dressed, and the pronoun in a sentence."""
    assert read_choice(text, UNKNOWN).letters == letters


@pytest.mark.parametrize(
    ("options", "text", "letters"),
    [
        (["sample A", "sample B", "the same"], "sample B", "B"),
        (["Vitamin A", "Vitamin B", "Vitamin C"], "It is Vitamin C.", "C"),
        (["curve J", "curve K"], "The marginal cost is curve K", "B"),
        (["A is closer", "B is closer"], "Point B is closer to the camera. Point A is far.", "B"),
        (["Box A", "Box B"], "Box A is tight. Box B, on the other hand, includes much wall.", "A"),
        (["Box A", "Box B"], "Box A more accurately encloses it compared to Box B.", "A"),
        (["alpha", "alpha + beta"], "alpha + beta", "B"),
        (["alpha", "alpha + beta"], "α + β", "B"),
        (["8", "12", "21"], "twenty-one", "C"),
        (["8", "12", "21"], "I count 21 cars", "C"),
        (["0.5", "1/3"], r"\frac{1}{2}", "A"),
        (["$63,020", "$71,225"], "71225", "B"),
        (["12 N m", "24 N m"], "$24\\,\\text{N m}$", "B"),
        (["None of the above", "all"], "None of the above", "A"),
        (["cat", "Cannot be determined"], "It cannot be determined.", "B"),
        (["Yes", "No"], "no, it does not", "B"),
        (["True", "False"], "yes", "A"),
        (["left", "right"], "左", "A"),
        (["On a red sofa near the door", "Under the table"], "red sofa near door", "A"),
        (["3", "4", "2"], "C2", "C"),
        (["x^2+1", "x^2-1"], "f(x) = x^2 - 1", "B"),
    ],
)
def test_options_by_their_text(options: list[str], text: str, letters: str) -> None:
    """An option's words, an equal number, a telling part or a same meaning choose it."""
    assert read_choice(text, options_of(options)).letters == tuple(letters)


@pytest.mark.parametrize("text", ["car", "blue", "red or blue car", "truck", "vehicle", "R", "("])
def test_shared_words_and_fragments_choose_nothing(text: str) -> None:
    """A word that several options share, or a fragment of a word, is no choice."""
    assert read_choice(text, options_of(["red car", "blue car", "red truck", "blue truck"])).letters == ()


def test_several_letters_are_a_set() -> None:
    """Letters with any separator, or none, are kept as a set for questions with several right options."""
    for text in ("A, C", "C; A", "A & C", "A/C", "(A) and (C)", "AC", "Answer: A and C", "A C"):
        assert set(read_choice(text, ANIMALS).letters) == {"A", "C"}


def test_an_echoed_prompt_is_cut_off() -> None:
    """What stands behind the last speaker tag, or behind the repeated question, is the model's own."""
    question = "Which animal is shown here? (A) cat (B) dog"
    assert read_choice(f"USER: {question} answer: A\nASSISTANT: B", ANIMALS, question).letters == ("B",)
    assert own_words("based on the image, which animal is shown here? (a) cat (b) dog. dog", question) == "dog"
    assert own_words("a dog", question) == "a dog"


def test_the_decline_is_told_apart() -> None:
    """A refusal chooses nothing and says that it declined."""
    assert read_choice("I'm sorry, I can't determine that.", ANIMALS).abstained
    assert not read_choice("B", ANIMALS).abstained


@pytest.mark.parametrize("output", [None, 3, ["B"], {"answer": "B"}, "", "\x00", "\ud800", "\u202eB\u202c"])
def test_any_output_is_read_without_raising(output: object) -> None:
    """What is no text chooses nothing; marks of direction and lone surrogates do no harm."""
    assert read_choice(output, ANIMALS).letters in ((), ("B",))


def test_unknown_options_compare_letters_alone() -> None:
    """Without options a letter is read and a text is not."""
    assert read_choice("(C) whatever", UNKNOWN).letters == ("C",)
    assert read_choice("whatever", Options(("A", "B"))).letters == ()


def test_a_set_may_stand_on_lines() -> None:
    """Where several options are right, lines that choose one each make a set; else the last line counts."""
    assert read_choice("A. cat\nC. sheep", ANIMALS, several=True).letters == ("A", "C")
    assert read_choice("A\nC", ANIMALS).letters == ("C",)
    assert read_choice("a and c", ANIMALS).letters == ("A", "C")


ANALYSIS = "1. **A. cat**: Whiskers.\n2. **B. dog**: Barks.\n3. **C. sheep**: Woolly.\n4. **D. horse**: Large.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        ANALYSIS + "Therefore, the best match is B.",
        ANALYSIS + "**B. dog**",
        ANALYSIS + "So the answer would be option B, dog.",
        "A and B are both plausible. However, the snout suggests B.",
        "My first guess was A. On second look, B.",
        "A... no, B.",
        "Is it A? No. Is it B? Yes.",
        "(A) Incorrect. (B) Correct. (C) Incorrect. (D) Incorrect.",
        "A) ❌ B) ✅ C) ❌ D) ❌",
        "✗ A\n✓ B\n✗ C",
        "- [ ] A. cat\n- [x] B. dog\n- [ ] C. sheep",
        "option b is right",
        "B. dog\nA. cat is wrong",
        "The animal isn't a cat, sheep or horse; it's a dog.",
        "dog is right, cat is wrong",
        "While it resembles a cat, it is actually a dog.",
    ],
)
def test_conclusions_of_longer_answers(text: str) -> None:
    """Analyses of every option, verdicts, ticks and second thoughts end in B."""
    assert read_choice(text, ANIMALS).letters == ("B",)


def test_an_analysis_without_a_conclusion_chooses_nothing() -> None:
    """Options that are only described, or all denied, are no choice."""
    assert read_choice(ANALYSIS, ANIMALS).letters == ()
    assert read_choice("It barks. Therefore, neither (A) cat nor (B) dog would fit.", ANIMALS).letters == ()
