"""The accepted truths of a sample, as the fair text rules compare them."""

from __future__ import annotations

from snellen.answers.folding import collapse, fold
from snellen.types import Sample

_APOSTROPHES = "’‘ʼ´"


def references_of(sample: Sample, *, empty_falls_back: bool = True) -> list[str]:
    """All accepted texts that are not blank.

    Args:
        sample: whose `all_answers` decides, `answer` when that is null, `references` when both are.
        empty_falls_back: whether an empty `all_answers` falls back to `answer` as well.

    Returns:
        The texts in order, repeats kept (they are votes).
    """
    answers = sample.all_answers
    if answers is None or (empty_falls_back and not answers):
        answers = [sample.answer] if sample.answer is not None else list(sample.references)
    listed = answers if isinstance(answers, list | tuple) else [answers]
    texts = (one if isinstance(one, str) else str(one) for one in listed if one is not None)
    return [text for text in texts if text.strip()]


def comparable(text: str) -> str:
    """Folded, in plain lower case (ß stays ß), straight apostrophes, blanks collapsed.

    >>> comparable("  ﬁx  O’Neill")
    "fix o'neill"
    """
    plain = fold(text).lower()
    for mark in _APOSTROPHES:
        plain = plain.replace(mark, "'")
    return collapse(plain)
