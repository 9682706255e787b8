"""Fair rules of the question sets: multiple choice where the reference names an option, else an open answer.

Datasets: ai2d, mmbench, mmmu, mmmupro, realworldqa, mme-realworld-*, logicvista.

References:
    Kembhavi et al., "A Diagram Is Worth A Dozen Images", 2016; Liu et al., "MMBench", 2023, arXiv 2307.06281;
    Yue et al., "MMMU", 2023, arXiv 2311.16502, and "MMMU-Pro", 2024, arXiv 2409.02813; xAI, RealWorldQA, 2024;
    Zhang et al., "MME-RealWorld", 2024, arXiv 2408.13257; Xiao et al., "LogicVista", 2024, arXiv 2407.04973.
Deviates: open questions of MMMU are compared by exact value and wording rather than by its substring rule.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.answers.marked import read_marked
from snellen.scorers.choice import gold_letters, options_for, score_choice
from snellen.scorers.numeric import judge, references_in, restates
from snellen.scorers.values import Rule
from snellen.types import Sample, Score, ScoringContext

_INDEX = re.compile(r"[0-9]{1,2}")


def question(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Whether a response gives the reference; any element of a list of references counts."""
    return _choice_or_open(sample, output, sample.answer)


def indexed_question(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """ai2d: the reference is a letter, an option's text or its index counted from 0, as a number or its digits."""
    gold, options = sample.answer, options_for(sample)
    digits = str(gold).strip()
    if (
        not isinstance(gold, bool)
        and digits.isascii()
        and digits.isdigit()
        and int(digits[:4]) < len(options.letters)
    ):
        gold = options.letters[int(digits[:4])]
    return _choice_or_open(sample, output, gold)


def _choice_or_open(sample: Sample, output: Any, gold: Any) -> Score:
    options = options_for(sample)
    golds = gold if isinstance(gold, list | tuple) else [gold]
    if any(gold_letters(one, options) for one in golds):
        return score_choice(sample, output, gold)
    return score_open(output, golds, question=sample.question)


def score_open(output: Any, references: Any, rule: Rule | None = None, *, question: str = "") -> Score:
    """An answer in free text against accepted truths: exact value in any spelling, or the same wording.

    Args:
        output: raw model text.
        references: accepted truths of any type; blank ones are none.
        rule: how near a number must be; exact by default.
        question: what was asked, so that a yes/no answer may restate it ("It is not green.").

    >>> score_open("There are two people.", ["2"]).value, score_open("NO...", ["No"]).value
    (1.0, 1.0)
    """
    truths = references_in([references])
    marked = read_marked(output)
    verdicts = [judge(truth, marked, [rule or Rule()]) for truth in truths]
    right = any(verdict.share == 1 for verdict in verdicts)
    right = right or any(restates(truth, marked, question) for truth in truths)
    reason = "" if right else next((verdict.reason for verdict in verdicts if verdict.reason), "")
    if not truths:
        reason = "the row has no reference"
    elif not right and not marked.answer:
        reason = reason or "no answer found"
    details = {"score": float(right), "pred_answer": marked.answer, "how": marked.kind}
    return Score(float(right), answer=marked.answer, details=details, reason=reason)
