"""The public library's chartqapro rules: list and turn scoring around relaxed accuracy; faults kept.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from snellen.scorers.datbench_1_0.chart import RELATIVE_LIMIT, is_near, number, on_one_scale, plain_text, same_lists
from snellen.scorers.datbench_1_0.extract import final_answer
from snellen.scorers.datbench_1_0.refusals import refusing
from snellen.types import Sample, Score

LONGEST_LITERAL = 20_000
"""Characters of a list written as text that are read; a longer one is one item."""
_EPSILON = 1e-10
_BARE_WORD = re.compile(r"(?<![\w'])(\w[^,]{0,2000}?)(?![\w'])")
_LETTER_MARK = re.compile(r"([A-Za-z])[).]")


@refusing
def chartqapro(sample: Sample, output: Any) -> Score:
    """Mean over turns of the mean over list items of relaxed accuracy (faults kept)."""
    answers = _answers(sample)
    kind = sample.metadata.get("question_type", "unknown")
    flags = sample.metadata.get("year_flags", [])
    if sample.metadata.get("is_multi_turn", False) or isinstance(output, list):
        return _many_turns(sample, output, answers, kind, flags)
    return _one_turn(sample, output, answers, kind, flags)


def _answers(sample: Sample) -> list[Any]:
    stored = sample.metadata.get("all_answers")
    if isinstance(stored, list) and stored:
        return stored
    return sample.all_answers or [sample.answer]


def _one_turn(sample: Sample, output: Any, answers: list[Any], kind: Any, flags: Any) -> Score:
    if kind == "Conversational":
        flags = [flags[-1]] if isinstance(flags, list) and flags else [] if isinstance(flags, list) else [flags]
    target, answer = _target(answers[-1]), _answer(output)
    answer = _choice(target, answer, kind)
    value = relaxed(target, answer, flags, kind=kind, question=sample.question)
    details = {
        "score": value,
        "ground_truth": target,
        "model_output": str(output),
        "pred_answer": answer,
        "question_type": kind,
        "is_multi_turn": False,
    }
    return Score(value, answer=answer, details=details)


def _many_turns(sample: Sample, output: Any, answers: list[Any], kind: Any, flags: Any) -> Score:
    outputs = output if isinstance(output, list) else [output]
    flags = flags if isinstance(flags, list) else [flags]
    n_turns = min(len(answers), len(outputs), len(flags) if flags else len(answers))
    turns: list[dict[str, Any]] = []
    for at in range(n_turns):
        flag = [] if not flags else [flags[-1] if kind == "Conversational" else flags[at]]
        target = _target(answers[at])
        answer = _choice(target, _answer(outputs[at]), kind)
        value = relaxed(target, answer, flag, kind=kind, question=sample.question)
        turns.append({"turn": at + 1, "score": value, "ground_truth": target, "prediction": answer})
    scores: list[float] = [turn["score"] for turn in turns]
    mean = sum(scores) / len(scores) if scores else 0.0
    said = [_answer(one) for one in outputs]
    details = {
        "score": mean,
        "ground_truth": answers,
        "model_output": outputs,
        "pred_answer": said,
        "question_type": kind,
        "is_multi_turn": True,
        "turn_scores": scores,
        "turn_details": turns,
    }
    return Score(mean, answer="\n".join(said), details=details)


def _target(answer: Any) -> str:
    return str(answer).strip(".").strip("\n")


def _answer(output: Any) -> str:
    return final_answer(str(output)).strip(".").strip("\n")


def _choice(target: str, answer: str, kind: Any) -> str:
    """The letter of an answer, where the reference of a multiple-choice question is one."""
    if kind != "Multi Choice" or target.strip().upper() not in ("A", "B", "C", "D", "E"):
        return answer
    stripped = answer.strip()
    marked = _LETTER_MARK.match(stripped)
    if marked:
        return marked[1].upper()
    return stripped.upper() if len(stripped) == 1 and stripped.isalpha() else answer


def relaxed(target: str, answer: str, flags: Any, *, kind: Any, question: str) -> float:
    """Mean over the paired items of two answers that may be lists; an item missing on either side is 0.

    Args:
        target: the reference.
        answer: what the model said.
        flags: "YES" per item where only the very text counts; a list, one value or None.
        kind: question type; fact checking and multiple choice are exact too.
        question: a question about a percentage scales fractions.
    """
    targets = literal_list(_quoted(target)) or [target]
    answers = literal_list(answer) or [answer]
    marks = [str(flag).upper() for flag in _flag_list(flags)]
    if len(marks) < len(targets):
        marks = marks * len(targets)
    is_exact = kind in ("Fact Checking", "Multi Choice")
    total = 0.0
    for at in range(min(len(targets), len(answers))):
        if is_exact or (marks[at] if at < len(marks) else "NO") == "YES":
            total += plain_text(targets[at]) == plain_text(answers[at])
        else:
            total += _is_item_match(targets[at], answers[at], question)
    return total / max(len(targets), len(answers))


def _flag_list(flags: Any) -> list[Any]:
    if flags is None:
        return []
    return flags if isinstance(flags, list) else [flags]


def literal_list(text: str) -> list[str]:
    """Items of a Python list literal as texts, [] when the text is none."""
    if "[" not in text or len(text) > LONGEST_LITERAL:
        return []
    value = _literal(text)
    return [str(item).strip(" '") for item in value] if isinstance(value, list) else []


def _quoted(target: str) -> str:
    """A bracketed reference with each bare word quoted, where that makes it a Python list."""
    stripped = target.strip()
    if (
        "\n" in stripped
        or not (stripped.startswith("[") and stripped.endswith("]"))
        or len(stripped) > LONGEST_LITERAL
    ):
        return target
    value = _literal("[" + _BARE_WORD.sub(r"'\1'", stripped[1:-1]) + "]")
    return target if value is None else str(value)


def _literal(text: str) -> Any:
    """A Python literal's value, None when the text is none; nothing is run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None


def _is_item_match(target: str, answer: str, question: str) -> bool:
    left, right = number(answer), number(target)
    if left is not None and right is not None:
        if "percentage" in question.lower():
            left, right = _as_percent(left), _as_percent(right)
        guess, truth = on_one_scale(left, right)
        if truth == 0:
            return guess == 0
        if is_near(guess, truth, RELATIVE_LIMIT + _EPSILON):
            return True
    listed = same_lists(answer, target)
    return plain_text(answer) == plain_text(target) if listed is None else listed


def _as_percent(read: tuple[float, bool]) -> tuple[float, bool]:
    value, is_percent = read
    return (value * 100, True) if not is_percent and 0 <= value <= 1.5 else read
