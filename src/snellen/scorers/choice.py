"""Fair rules for multiple choice: ai2d, mmbench, mmmu, mmmupro, realworldqa, mme-realworld-*, logicvista.

References:
    Kembhavi et al., "A Diagram Is Worth A Dozen Images", 2016; Liu et al., "MMBench", 2023, arXiv 2307.06281;
    Yue et al., "MMMU", 2023, arXiv 2311.16502, and "MMMU-Pro", 2024, arXiv 2409.02813; Zhang et al., "MME-RealWorld",
    2024, arXiv 2408.13257; Xiao et al., "LogicVista", 2024, arXiv 2407.04973.
"""

from __future__ import annotations

from typing import Any

from snellen.answers.choice_pieces import Choice
from snellen.answers.choices import read_choice
from snellen.answers.dressing import undress
from snellen.answers.folding import fold
from snellen.answers.letters import letter_run, letters_alone, lone_letter
from snellen.answers.marked import read_marked
from snellen.answers.numbers import read_number
from snellen.answers.option_texts import compact
from snellen.answers.options import Options, find_options
from snellen.types import Sample, Score, ScoringContext


def multiple_choice(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Whether a response chooses the reference option; any element of a list of references counts."""
    return score_choice(sample, output, sample.answer)


def indexed_choice(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """ai2d: the reference is a letter, an option's text or its index counted from 0."""
    options = options_for(sample)
    gold = sample.answer
    if not isinstance(gold, bool) and str(gold).strip().isdigit() and int(gold) < len(options.letters):
        gold = options.letters[int(gold)]
    return score_choice(sample, output, gold)


def options_for(sample: Sample) -> Options:
    """The options that the row states: metadata, else question, else suffix."""
    return find_options(sample.metadata, sample.question, sample.suffix, listed=sample.choices)


def score_choice(sample: Sample, output: Any, gold: Any) -> Score:
    """Compare what a response asserts with the reference option or set of options."""
    options = options_for(sample)
    golds = gold if isinstance(gold, list | tuple) else [gold]
    wanted = [letters for one in golds if (letters := gold_letters(one, options))]
    if not wanted:
        return score_open(golds, output, sample)
    choice = read_choice(output, options, sample.question)
    correct = any(set(choice.letters) == letters for letters in wanted)
    return _choice_score(choice, correct)


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
    lone = lone_letter(marked, _all_letters(options))
    if lone:
        return frozenset(lone)
    letters = letters_alone(marked, _all_letters(options)) or letter_run(marked, options.letters)
    if letters:
        return frozenset(letters)
    named = [place for place, one in enumerate(options.texts) if compact(one) == compact(text)]
    return frozenset(options.letters[place] for place in named[:1])


def _all_letters(options: Options) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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


def score_open(golds: list[Any] | tuple[Any, ...], output: Any, sample: Sample) -> Score:
    """A question without options: exact value or text (numbers in any spelling, yes and no, loose punctuation)."""
    marked = read_marked(output)
    wanted = [str(gold) for gold in golds if gold is not None and str(gold).strip()]
    correct = any(_same_answer(marked.answer, gold) for gold in wanted)
    details = {"score": float(correct), "extracted_output": marked.answer or None, "how": marked.kind}
    reason = "" if marked.answer else "no answer found"
    return Score(float(correct), answer=marked.answer, details=details, reason=reason)


def _same_answer(answer: str, gold: str) -> bool:
    mine, theirs = read_number(answer), read_number(gold)
    if mine and theirs:
        return mine.scaled == theirs.scaled
    return compact(undress(answer)) == compact(undress(fold(gold))) != ""
