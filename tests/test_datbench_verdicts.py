# ruff: noqa: PT009 - unittest style on purpose, so that `python -m unittest discover -s tests` runs them
"""parse_judge_verdict: what counts as a verdict, what comes first, what is unparsed."""

from __future__ import annotations

import unittest

from datbench import parse_judge_verdict

FENCE = "`" * 3


class VerdictTests(unittest.TestCase):
    """One test a rule of the precedence."""

    def check(self, expected: bool | None, *cases: tuple[str | None, str]) -> None:
        """All cases give the expected verdict."""
        for verdict, raw in cases:
            with self.subTest(verdict=verdict, raw=raw):
                self.assertIs(parse_judge_verdict(verdict, raw), expected)

    def test_the_field_comes_first(self) -> None:
        """A recognised verdict field wins over the text."""
        self.check(True, ("correct", "answer: false"), ("TRUE", "false"), ("Yes", ""))
        self.check(False, ("incorrect", "answer: true"), ("False", "true"), ("no", ""))

    def test_an_unrecognised_field_falls_through(self) -> None:
        """A value that is no verdict leaves the text to decide."""
        self.check(True, ("maybe", "answer: true"), ("", "yes"), (None, "correct"))
        self.check(None, ("truefalse", ""), ("C", "I"), ("correct/incorrect", ""))

    def test_json_objects(self) -> None:
        """`answer` as boolean or as a word, inside a code fence or not."""
        self.check(True, (None, '{"answer": true}'), (None, '{"answer": "yes"}'), (None, '{"answer": "Correct"}'),
                   (None, f'{FENCE}json\n{{"reason": "same", "answer": true}}\n{FENCE}'))  # fmt: skip
        self.check(False, (None, '{"answer": false}'), (None, '{"answer": "no"}'), (None, '{"answer": "incorrect"}'),
                   (None, f'{FENCE}\n{{"answer": false}}\n{FENCE}'))  # fmt: skip

    def test_bare_json_boolean(self) -> None:
        """A boolean alone, in a fence too."""
        self.check(True, (None, "true"), (None, f"{FENCE}\ntrue\n{FENCE}"))
        self.check(False, (None, "false"), (None, f"{FENCE}json\nfalse\n{FENCE}"))

    def test_json_comes_before_an_answer_line(self) -> None:
        """JSON decides where the whole text is JSON."""
        self.check(False, (None, '{"reason": "x\\nanswer: true", "answer": false}'))

    def test_an_answer_line_anywhere(self) -> None:
        """The line may stand before or behind prose, in any case."""
        self.check(
            True, (None, "Reason: same.\nanswer: true"), (None, "ANSWER: Yes\nbecause"), (None, "**Answer:** true.")
        )
        self.check(False, (None, "Reason: no.\n answer : false \n"), (None, "answer:no"))

    def test_the_whole_text_one_word(self) -> None:
        """true, false, yes, no, correct, incorrect alone."""
        self.check(True, (None, "Correct."), (None, " YES\n"), (None, "True"))
        self.check(False, (None, "incorrect"), (None, "No"))

    def test_anything_else_is_unparsed(self) -> None:
        """Prose, nothing, rubric JSON without answer, cut-off and doubled tokens."""
        self.check(None, (None, ""), (None, "It is true that the answer fits."), (None, '{"score": 1}'),
                   (None, "answer: truefalse"), (None, "answer: true/false"), (None, "correct/incorrect"),
                   (None, "GRADE: IC"), (None, "answer:"), (None, "[]"), (None, "1"), (None, '{"answer": 1}'),
                   (None, "the answer: true"))  # fmt: skip

    def test_invisible_characters_are_removed_first(self) -> None:
        """Zero-width marks, byte-order marks and no-break spaces hide nothing."""
        self.check(True, (None, "answer:\u200b true"), (None, "\ufeffanswer:\u00a0true"), ("cor\u200brect", ""))
        self.check(False, (None, "answer: true\nanswer:\u200b\u00a0false\ufeff"))

    def test_hostile_texts_never_raise(self) -> None:
        """Deep nesting, NUL, lone surrogates and megabytes are unparsed."""
        self.check(
            None, (None, "[" * 100_000), (None, "\x00\ud800"), (None, "answer: " * 100_000), (None, "{" * 10_000)
        )

    def test_no_text_at_all(self) -> None:
        """None and numbers are no verdict."""
        self.assertIsNone(parse_judge_verdict(None, None))
        self.assertIsNone(parse_judge_verdict(3, 4))


if __name__ == "__main__":
    unittest.main()
