"""Fair rule of chartqapro: alternatives, turns, year flags, lists that earn their share.

References:
    Masry et al., "ChartQAPro: A More Diverse and Challenging Benchmark for Chart Question Answering", 2025,
    arXiv 2504.05506.
Deviates: texts are compared by wording where the paper uses edit distance; list items in any order, one to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from snellen.answers.marked import Marked, read_marked
from snellen.answers.signs import plain_signs
from snellen.scorers.choice import gold_letters, options_for, score_choice
from snellen.scorers.lists import read_reference
from snellen.scorers.numeric import RIGHT, WRONG, Verdict, judge, references_in, restates, score_of
from snellen.scorers.values import FIVE_PERCENT, rule_for
from snellen.types import Sample, Score, ScoringContext


def chartqapro(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Mean over the reference's turns; any of the stored answers of a single turn counts; lists earn their share."""
    answers = references_in([sample.metadata.get("all_answers") or sample.all_answers or sample.answer])
    kind = str(sample.metadata.get("question_type") or "")
    flags = _flags(sample.metadata.get("year_flags"))
    if sample.metadata.get("is_multi_turn") is True:
        return _many_turns(sample, output, answers, kind, flags)
    said = (output[0] if output else None) if isinstance(output, list) else output
    if kind.lower() == "conversational":
        return _one_turn(sample, said, answers[-1:], kind, flags[-1:])
    return _one_turn(sample, said, answers, kind, flags)


def _flags(stored: Any) -> list[str]:
    flags = stored if isinstance(stored, list) else [] if stored is None else [stored]
    return [str(flag).strip().upper() for flag in flags]


def _one_turn(sample: Sample, output: Any, answers: Sequence[str], kind: str, flags: Sequence[str]) -> Score:
    marked = read_marked(output)
    verdicts = [_turn_verdict(sample, output, marked, one, kind=kind, flags=flags) for one in answers]
    best = max(verdicts, key=lambda verdict: verdict.share, default=WRONG)
    reason = best.reason if answers else "the row has no reference"
    return score_of(float(best.share), marked, reason, {"references": list(answers), "question_type": kind})


def _many_turns(sample: Sample, output: Any, answers: Sequence[str], kind: str, flags: Sequence[str]) -> Score:
    outputs = _split_turns(output, len(answers))
    turns: list[dict[str, Any]] = []
    shares: list[Fraction] = []
    for at, answer in enumerate(answers):
        said = outputs[at] if at < len(outputs) else None
        marked = read_marked(said)
        verdict = _turn_verdict(sample, said, marked, answer, kind=kind, flags=flags[at : at + 1] or ["NO"])
        shares.append(verdict.share)
        turns.append(
            {"turn": at + 1, "score": float(verdict.share), "ground_truth": answer, "prediction": marked.answer}
        )
    value = float(sum(shares, Fraction(0)) / len(shares)) if shares else 0.0
    shown = "\n".join(str(turn["prediction"]) for turn in turns)
    details = {
        "score": value,
        "turn_details": turns,
        "turn_scores": [turn["score"] for turn in turns],
        "question_type": kind,
    }
    missing = len(answers) - len(outputs)
    return Score(value, answer=shown, details=details, reason=f"{missing} turns are missing" if missing > 0 else "")


def _split_turns(output: Any, n_turns: int) -> list[Any]:
    """Outputs turn by turn; one text with as many lines as turns is split, any other one answers the first turn."""
    if isinstance(output, list):
        return output[:n_turns]
    lines = [line for line in output.splitlines() if line.strip()] if isinstance(output, str) else []
    return lines if len(lines) == n_turns else [output]


def _turn_verdict(
    sample: Sample, output: Any, marked: Marked, answer: str, *, kind: str, flags: Sequence[str]
) -> Verdict:
    if kind.lower() == "multi choice":
        choice = _by_choice(sample, output, answer)
        if choice is not None:
            return choice
    is_exact = kind.lower() in ("fact checking", "multi choice")
    rule = rule_for(sample.question, Fraction(0) if is_exact else FIVE_PERCENT)
    listing = read_reference(plain_signs(answer))
    n_items = len(listing.items) if listing else 1
    marks = list(flags) * n_items if len(flags) == 1 else [*flags, *["NO"] * n_items]
    rules = [rule.exact() if marks[at] == "YES" else rule for at in range(n_items)]
    return RIGHT if restates(answer, marked, sample.question) else judge(answer, marked, rules, partial=True)


def _by_choice(sample: Sample, output: Any, answer: str) -> Verdict | None:
    """The verdict by the options' letters, None where the reference names no option."""
    options = options_for(sample)
    if not gold_letters(answer, options):
        return None
    score = score_choice(sample, output, answer)
    return RIGHT if score.value == 1.0 else Verdict(Fraction(0), score.reason)
