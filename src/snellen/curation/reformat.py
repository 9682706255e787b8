"""Pass 1: choice questions that can stand alone become free response; the others are asked once per rotation.

A guesser gets 1/N of the choice items right, and almost none of the free or circular ones. Which items cannot stand
without their options is found by stated rules; each decision carries its rule.

References: DatBench, arXiv 2601.02316, section 3.1 and appendix C; Liu et al., MMBench, arXiv 2307.06281 (circular).
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.prompts import choice_lines, stands_in
from snellen.types import Sample

FREE, CIRCULAR, KEEP = "free", "circular", "keep"
MAX_OPTION_WORDS = 12
"""Options longer than this on average are statements to judge, not answers to give."""
LETTER_SUFFIX = "\nAnswer with the letter of the right option."
FREE_SUFFIX = "\nAnswer briefly."
JUDGE_PROMPT = (
    "You are given a question about an image, a reference answer and a model's answer. Decide whether the model's "
    "answer means the same as the reference. Wording, units written out and extra explanation do not matter; a "
    "different value, name or choice does.\nQuestion: {question}\nReference: {correct_answer}\n"
    "Model answer: {model_answer}\nRespond with exactly two lines:\nReason: <one sentence>\nanswer: true or false"
)
"""Semantic match; the placeholders are those of DatBench's judge prompts."""

_POINTS_AT_OPTIONS = re.compile(
    r"\b(which (one )?of (the |these |those )?(following|below|options|choices|statements|answers|figures|images)"
    r"|which (option|choice|statement|figure|picture|image|graph|diagram|one|of these)\b"
    r"|(the )?following (options|choices|statements|answers|figures|images|is|are)"
    r"|(choose|select|pick) (the|one|from|an|all)|from the (options|choices)|best (describes|matches|fits|completes)"
    r"|except|(is|are) not (true|correct)|(in)?correct statement|closest to)",
    re.I,
)
_NONE_OR_ALL = re.compile(
    r"^\W*(none|all|both|neither|either)\b( of)?( the| these| those)?( above| below| others?| options| choices)?"
    r"|cannot be (determined|answered|inferred)|not (enough|given|sure)|i don'?t know|uncertain",
    re.I,
)
_PICTURE = re.compile(r"(image|picture|figure|fig|option|choice|graph|diagram|photo|shape|pattern)?[a-z0-9]?", re.I)
_TEXT_COMMAND = re.compile(r"\$|\\text\s*\{|\\mathrm\s*\{|[{}()\[\]]")


@dataclass(frozen=True, slots=True)
class Reformat:
    """What becomes of one item."""

    item: str
    """Sample id."""
    action: str
    """`FREE`, `CIRCULAR` or `KEEP`."""
    rule: str
    """Why, one phrase."""
    n_options: int
    """Options of the item, 0 when it had none."""


def decide(sample: Sample) -> Reformat:
    """Find what should become of an item.

    Args:
        sample: any item; only choice items change.
    """
    n = len(sample.choices)
    if n < 2:
        return Reformat(sample.id, KEEP, "no options", n)
    if sample.group:
        return Reformat(sample.id, KEEP, "already circular", n)
    if right_option(sample) is None:
        return Reformat(sample.id, KEEP, "the right option is not stated", n)
    for rule, needs_options in _rules(sample):
        if needs_options:
            return Reformat(sample.id, CIRCULAR, rule, n)
    return Reformat(sample.id, FREE, "stands without its options", n)


def _rules(sample: Sample) -> tuple[tuple[str, bool], ...]:
    options = [_bare(option) for option in sample.choices]
    n_words = sum(len(option.split()) for option in options) / len(options)
    question = sample.question[:5000]
    return (
        ("the options are pictures or letters", all(_is_label(o) for o in options)),
        ("the question points at its options", _POINTS_AT_OPTIONS.search(question) is not None),
        ("an option speaks of the others", any(_NONE_OR_ALL.search(o) for o in options)),
        ("yes or no", {o.casefold().strip(" .") for o in options} <= {"yes", "no", "true", "false"}),
        ("two options say the same", len({o.casefold() for o in options}) < len(options)),
        ("the options are statements", n_words > MAX_OPTION_WORDS),
        ("the options cannot be taken off the question", question_alone(sample) is None),
    )


def _is_label(option: str) -> bool:
    """Whether an option is only a letter or "Figure 3", so that its content is in the picture."""
    kept = "".join(c for c in option if c.isalnum())
    return _PICTURE.fullmatch(kept) is not None and not kept.isdigit()


def _bare(option: str) -> str:
    return " ".join(_TEXT_COMMAND.sub(" ", option[:2000]).split())


def right_option(sample: Sample) -> int | None:
    """Index of the right option, None where the sample does not say.

    The answer is a letter, or the text of exactly one option.
    """
    if not sample.references:
        return None
    answer = sample.references[0].strip()
    letter = answer.strip("().: ").upper()
    if len(letter) == 1 and letter in string.ascii_uppercase[: len(sample.choices)]:
        return string.ascii_uppercase.index(letter)
    same = [i for i, option in enumerate(sample.choices) if option.strip().casefold() == answer.casefold()]
    return same[0] if len(same) == 1 else None


def question_alone(sample: Sample) -> str | None:
    """The question without its options; None where they stand in its middle."""
    if not stands_in(sample.choices, sample.question):
        return sample.question
    first = re.search(r"\(?\bA[.):]\W{0,4}" + re.escape(sample.choices[0].strip()), sample.question)
    head = sample.question[: first.start()].rstrip(" \n:(") if first else ""
    last = sample.question.rfind(sample.choices[-1].strip())
    tail = sample.question[last + len(sample.choices[-1].strip()) :].strip(" .)\n") if last >= 0 else ""
    return head or None if not tail else None


def reformatted(sample: Sample, decision: Reformat, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows in DatBench's schema that replace an item.

    Args:
        sample: the item.
        decision: from `decide`.
        row: the item as a row in DatBench's schema (image included).

    Returns:
        One row (free, kept) or one row per rotation (circular).
    """
    if decision.action == FREE:
        return [_free_row(sample, row)]
    if decision.action == CIRCULAR:
        return [_rotated_row(sample, row, shift) for shift in range(len(sample.choices))]
    return [dict(row)]


def _free_row(sample: Sample, row: Mapping[str, Any]) -> dict[str, Any]:
    index = right_option(sample)
    assert index is not None
    answer = sample.choices[index]
    metadata = {**sample.metadata, "options": None, "index2ans": None, "all_choices": None, "reformatted": FREE}
    return {
        **row,
        "question": question_alone(sample) or sample.question,
        "prompt_format": {"prefix": sample.prefix, "suffix": FREE_SUFFIX},
        "answer": answer,
        "all_answers": [answer],
        "eval_mode": "judge",
        "judge_prompt": JUDGE_PROMPT,
        "is_circular": False,
        "metadata": json.dumps({key: value for key, value in metadata.items() if value is not None}),
    }


def _rotated_row(sample: Sample, row: Mapping[str, Any], shift: int) -> dict[str, Any]:
    index = right_option(sample)
    assert index is not None
    n = len(sample.choices)
    options = [sample.choices[(i + shift) % n] for i in range(n)]
    letters = list(string.ascii_uppercase[:n])
    answer = letters[(index - shift) % n]
    metadata = {
        **sample.metadata,
        "options": options,
        "index2ans": dict(zip(letters, options, strict=True)),
        "all_choices": letters,
        "rotation": shift,
    }
    source = dict(row.get("source_info") or {})
    return {
        **row,
        "id": f"{sample.id}_rot{shift}",
        "question": question_alone(sample) or sample.question,
        "prompt_format": {"prefix": sample.prefix, "suffix": f"\n{choice_lines(options)}{LETTER_SUFFIX}"},
        "answer": answer,
        "all_answers": [answer],
        "eval_mode": "direct",
        "judge_prompt": "",
        "is_circular": True,
        "source_info": {**source, "original_idx": source.get("original_idx") or sample.id},
        "metadata": json.dumps(metadata),
    }


def datbench_row(sample: Sample, images: list[dict[str, Any]]) -> dict[str, Any]:
    """A sample as a row in DatBench's schema.

    Args:
        sample: any benchmark's item.
        images: its pictures as {"bytes", "path"}.
    """
    metadata = dict(sample.metadata)
    if sample.choices and "options" not in metadata:
        metadata["options"] = list(sample.choices)
    answer = sample.references[0] if sample.references else "" if sample.answer is None else str(sample.answer)
    return {
        "id": sample.id,
        "image": images[0] if len(images) == 1 else images,
        "question": sample.question,
        "prompt_format": {"prefix": sample.prefix, "suffix": sample.suffix},
        "answer": answer,
        "eval_mode": sample.mode,
        "judge_prompt": sample.judge_prompt,
        "is_circular": bool(sample.group),
        "source_info": {"dataset": sample.dataset, "original_idx": sample.group.rpartition(":")[2] or sample.id},
        "eval_metrics": {"discrimination": sample.discrimination, "is_frontier": False},
        "all_answers": list(sample.references) or [answer],
        "metadata": json.dumps(metadata, default=str),
    }
