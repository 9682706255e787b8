"""Fair rule for counting: the exact whole number, in whatever words it is given.

References:
    Paiss et al., Teaching CLIP to Count to Ten, 2023, arXiv 2302.12066 (CountBench).
    Acharya et al., TallyQA: Answering Complex Counting Questions, 2019, arXiv 1810.12440.
"""

from __future__ import annotations

from typing import Any

from snellen.answers.count_mentions import find_mentions, plain_text
from snellen.answers.counts import read_count
from snellen.scorers.choice import score_choice
from snellen.scorers.references import references_of
from snellen.scorers.text import exact
from snellen.types import Sample, Score, ScoringContext

_SHOWN = 500
"""Characters of the text read that are kept as the answer."""


def exact_count(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """1 when the count that the response asserts equals the true count, else 0.

    A reference that is no number (an option's letter, a word) is compared as an option or as text.
    """
    truth = true_count(sample)
    if truth is None and references_of(sample):
        return score_choice(sample, output, sample.answer) if sample.choices else exact(sample, output, context)
    read = read_count(output, sample.question)
    value = float(truth is not None and read.value == truth)
    details = {
        "score": value,
        "parsed_answer": read.value,
        "reparsed_answer": read.value,
        "ground_truth": truth,
        "is_simple": sample.metadata.get("is_simple"),
    }
    reason = "no reference" if truth is None else "" if read.value is not None else "no count found"
    return Score(value, read.text[:_SHOWN], details, reason)


def true_count(sample: Sample) -> int | None:
    """The whole number that the reference denotes, None when it denotes none.

    >>> [true_count(Sample("i", (), "", answer=a)) for a in ("9.0", "1,000", "nine", 0, 7.0, "", "some")]
    [9, 1000, 9, 0, 7, None, None]
    """
    candidates = [] if sample.answer is None else [sample.answer]
    for candidate in (*candidates, *references_of(sample)):
        count = _whole(candidate)
        if count is not None:
            return count
    return None


def _whole(candidate: Any) -> int | None:
    if isinstance(candidate, int | float):
        return int(candidate) if candidate == candidate // 1 else None
    plain = plain_text(str(candidate)).strip()
    mentions = find_mentions(plain)
    if (
        len(mentions) == 1
        and not plain[: mentions[0].start].strip("-+ ")
        and not plain[mentions[0].end :].strip(". ")
    ):
        return mentions[0].value
    return None
