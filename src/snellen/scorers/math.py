"""Fair rules for mathematics: mathvista, mathvision, mathverse.

References:
    Lu et al., "MathVista", 2024, arXiv 2310.02255; Wang et al., "MATH-Vision", 2024, arXiv 2402.14804;
    Zhang et al., "MathVerse", 2024, arXiv 2403.14624.
Deviates: answers are read by rule, where MathVista and MathVerse extract them with a language model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from snellen.answers.choice_pieces import Choice
from snellen.answers.choices import read_choice
from snellen.answers.marked import Marked, read_marked
from snellen.answers.numbers import read_number
from snellen.answers.options import Options
from snellen.answers.remarks import abstention, alternatives
from snellen.answers.signs import plain_signs
from snellen.answers.statements import is_compared, is_negated, pieces
from snellen.scorers.choice import gold_letters, options_for
from snellen.scorers.formula import read_formula
from snellen.scorers.formula_exact import WorkBound
from snellen.scorers.formula_tokens import NoFormula
from snellen.scorers.math_equality import EXACT, Precision, is_equal, squeeze
from snellen.scorers.numeric import hedged_parts, is_asserted, references_in
from snellen.scorers.structures import read_structure
from snellen.scorers.values import Rule, only_number
from snellen.types import Sample, Score, ScoringContext

_NO_TOLERANCE = Rule()


def mathvision(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The option by letter or value, or an equal value, symbolic where needed."""
    stored = sample.metadata.get("correct_choice_letter") or sample.answer
    return _score(sample, output, [stored], EXACT)


def mathvista(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """The option by letter or text, or an equal value; floats rounded half up to the row's precision."""
    return _score(sample, output, [sample.answer], precision_of(sample))


def mathverse(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """As mathvision; the benchmark itself is graded by a judge."""
    return _score(sample, output, [sample.answer], EXACT)


def precision_of(sample: Sample) -> Precision:
    """Decimals to which a float answer is rounded: the row's, else those of its reference."""
    if sample.metadata.get("answer_type") != "float":
        return EXACT
    stored = sample.metadata.get("precision")
    if isinstance(stored, int | float) and not isinstance(stored, bool) and 0 <= stored <= 30:
        return Precision(int(stored))
    number = read_number(str(sample.answer))
    return Precision(number.decimals if number else None)


def _score(sample: Sample, output: Any, stored: Sequence[Any], precision: Precision) -> Score:
    references = references_in(stored)
    if not references:
        return Score(0.0, details={"score": 0.0}, reason="the row has no reference")
    marked = read_marked(output)
    try:
        value, reason, shown = _judge(sample, output, marked, references, precision)
    except WorkBound as bound:
        return Score(None, answer=marked.answer[:200], reason=f"unscored: {bound}", details={"score": None})
    if marked.is_cut and not marked.marked and not value:
        return Score(None, answer=shown[:200], reason="the text is longer than is read", details={"score": None})
    details = {"score": value, "references": references, "extracted_output": shown, "how": marked.kind}
    return Score(value, answer=shown, details=details, reason=reason)


def _judge(
    sample: Sample, output: Any, marked: Marked, references: list[str], precision: Precision
) -> tuple[float, str, str]:
    """(value, reason, answer shown)."""
    if not marked.body:
        return 0.0, "no answer found", ""
    options = options_for(sample)
    wanted = [letters for one in references if len(letters := gold_letters(one, options)) == 1]
    if wanted and (options.are_known or _is_letter(references[0])):
        choice = choose(sample, output, marked, options, precision)
        correct = any(set(choice.letters) == letters for letters in wanted)
        return float(correct), "" if correct else _why(choice.letters, choice.abstained), ", ".join(choice.letters)
    correct = any(is_stated(plain_signs(one).strip(), marked, precision) for one in references)
    reason = "" if correct or marked.answer else "no answer found"
    return float(correct), reason, marked.answer


def _is_letter(reference: str) -> bool:
    return len(reference.strip("() .")) == 1 and reference.strip("() .").isupper()


def _why(letters: Sequence[str], abstained: bool) -> str:
    if abstained:
        return "the response declines to answer"
    if len(letters) > 1:
        return "several options are named"
    return "" if letters else "no option found"


def choose(sample: Sample, output: Any, marked: Marked, options: Options, precision: Precision = EXACT) -> Choice:
    """The option that a response chooses: by a letter in its answer, by an equal value, else by its prose."""
    if _is_number(marked.answer) and _are_numbers(options):
        return Choice(_equal_options(marked, options, precision), "value", marked.answer)
    spelled = _spelled_options(marked, options)
    if len(spelled) == 1:
        return Choice(spelled, "text", marked.answer)
    choice = read_choice(output, options, sample.question)
    if choice.abstained:
        return choice
    if choice.letters and choice.how != "text" and _decided_by_answer(choice, marked):
        return choice
    equal = _equal_options(marked, options, precision)
    return Choice(equal, "value", marked.answer) if equal else choice


def _spelled_options(marked: Marked, options: Options) -> tuple[str, ...]:
    """Letters of the options whose very text, longer than a letter, is the answer."""
    key = squeeze(marked.full) if len(marked.full) <= 400 else ""
    if len(key) < 2:
        return ()
    pairs = zip(options.letters, options.texts, strict=False)
    return tuple(letter for letter, text in pairs if squeeze(plain_signs(text)) == key)


def _are_numbers(options: Options) -> bool:
    return options.are_known and all(_is_number(plain_signs(text)) for text in options.texts)


def _is_number(text: str) -> bool:
    number = read_number(text)
    return number is not None and not (len(text) < 4 and text.isalpha())


def _decided_by_answer(choice: Choice, marked: Marked) -> bool:
    return not marked.marked or choice.piece.strip() in (marked.answer.strip(), marked.full.strip())


def _equal_options(marked: Marked, options: Options, precision: Precision) -> tuple[str, ...]:
    """Letters of the options whose value the answer has; the first of several equal ones."""
    for candidate in _candidates(marked):
        equal = [
            letter
            for letter, text in zip(options.letters, options.texts, strict=False)
            if text and is_equal(plain_signs(text), candidate, precision)
        ]
        if equal:
            return (equal[0],)
    return ()


def _candidates(marked: Marked) -> list[str]:
    texts = [marked.answer, marked.full]
    for text in (marked.answer, marked.full):
        texts += pieces(text, keep_equations=True)
    return list(dict.fromkeys(text for text in texts if text))[:24]


def is_stated(reference: str, marked: Marked, precision: Precision = EXACT) -> bool:
    """Whether a response states the reference and nothing else in its place.

    Raises:
        WorkBound: only a value past the bound on the work could settle it.
    """
    if not marked.answer:
        return False
    declined = abstention(reference)
    if declined:
        return declined in (abstention(marked.answer), abstention(marked.full))
    number = read_number(reference)
    if number is not None and number.special:
        said = [read for text in _candidates(marked) if (read := read_number(text))]
        return bool(said) and said[0].special == number.special
    several = hedged_parts(marked) if marked.hedged else alternatives(marked.answer)
    if len(several) > 1 and read_structure(reference) is None:
        return all(_is_equal_or_text(reference, one, precision) for one in several)
    for candidate in _candidates(marked):
        if is_equal(reference, candidate, precision):
            return True
    if number is not None:
        return _is_only_number(reference, marked, precision)
    return not _is_formula(reference) and any(
        is_asserted(reference, text, _NO_TOLERANCE) for text in (marked.answer, marked.full)
    )


def _is_equal_or_text(reference: str, answer: str, precision: Precision) -> bool:
    return is_equal(reference, answer, precision) or (
        not _is_formula(reference) and is_asserted(reference, answer, _NO_TOLERANCE)
    )


def _is_only_number(reference: str, marked: Marked, precision: Precision) -> bool:
    """The one number that a sentence mentions, where nothing in it could be read as a formula."""
    answer = marked.answer
    if is_negated(answer) or is_compared(answer) or "=" in answer or "\\" in answer:
        return False
    only = only_number(answer)
    if only is None or only.is_percent:
        return False
    return is_equal(reference, str(only.value), precision)


def _is_formula(text: str) -> bool:
    if read_structure(text) is not None:
        return any(sign.isdigit() for sign in text)
    try:
        read_formula(text, drop_units=False)
    except NoFormula:
        return False
    return True
