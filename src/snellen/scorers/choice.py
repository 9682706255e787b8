"""The fair rule of multiple choice: the options of a row, what its reference means, what a response chooses."""

from __future__ import annotations

from typing import Any

from snellen.answers.choice_pieces import Choice
from snellen.answers.choices import read_choice
from snellen.answers.folding import fold
from snellen.answers.letters import leading_letter, letter_run, letters_alone, lone_letter
from snellen.answers.marked import read_marked
from snellen.answers.option_words import compact
from snellen.answers.options import LETTERS, Options, find_options
from snellen.types import Sample, Score, ScoringContext


def options_for(sample: Sample) -> Options:
    """The options that the row states: metadata, else question, else suffix."""
    return find_options(sample.metadata, sample.question, sample.suffix, listed=sample.choices)


def multiple_choice(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Whether a response chooses the option that the row's answer names; any element of a list counts."""
    return score_choice(sample, output, sample.answer)


def score_choice(sample: Sample, output: Any, gold: Any) -> Score:
    """Compare what a response asserts with the reference option or set of options."""
    options = options_for(sample)
    golds = gold if isinstance(gold, list | tuple) else [gold]
    wanted = [letters for one in golds if (letters := gold_letters(one, options))]
    if not wanted:
        return Score(0.0, details={"score": 0.0}, reason="the reference names no option")
    options = _reaching(options, max(max(letters) for letters in wanted))
    several = any(len(letters) > 1 for letters in wanted)
    choice = read_choice(output, options, sample.question, several=several)
    correct = any(set(choice.letters) == letters for letters in wanted)
    return _choice_score(choice, correct)


def _reaching(options: Options, last: str) -> Options:
    """Unknown options widened so that they hold the reference's letter."""
    if options.are_known or last in options.letters:
        return options
    return Options(tuple(LETTERS[: LETTERS.index(last) + 1]))


def gold_letters(gold: Any, options: Options) -> frozenset[str]:
    """The option letters that a reference stands for; empty when it stands for none."""
    if gold is None or isinstance(gold, bool):
        return frozenset()
    text = fold(str(gold)).strip()
    if not text:
        return frozenset()
    places = [place for place, one in enumerate(options.texts) if one.strip() == text and len(text) > 1]
    if places:
        return frozenset(options.letters[place] for place in places[:1])
    marked = read_marked(text).answer if ":" in text else text
    lone = lone_letter(marked, LETTERS)
    if lone:
        return frozenset(lone)
    letters = letters_alone(marked, LETTERS) or letter_run(marked, options.letters)
    if letters:
        return frozenset(letters)
    leading = leading_letter(marked, options.letters) if options.are_known else None
    if leading and compact(options.texts[options.letters.index(leading[0])]) == compact(leading[1]):
        return frozenset(leading[0])
    named = [place for place, one in enumerate(options.texts) if compact(one) == compact(text)]
    return frozenset(options.letters[place] for place in named[:1])


def _choice_score(choice: Choice, correct: bool) -> Score:
    shown = ", ".join(choice.letters)
    if correct:
        reason = ""
    elif choice.abstained:
        reason = "the response declines to answer"
    elif len(choice.letters) > 1:
        reason = "several options are named"
    else:
        reason = "" if choice.letters else "no option found"
    details = {
        "score": float(correct),
        "extracted_output": shown or None,
        "how": choice.how,
        "read_from": choice.piece[-300:],
    }
    return Score(float(correct), answer=shown, details=details, reason=reason)
