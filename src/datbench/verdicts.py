"""Reading the judge: the verdict field first, then the raw output."""

from __future__ import annotations

from typing import Any

from snellen.protocols.verdicts import boolean_verdict, word


def parse_judge_verdict(verdict: Any = None, raw_judge_output: Any = "") -> bool | None:
    r"""What a judge decided.

    Args:
        verdict: the verdict field: correct, true, yes or incorrect, false, no, in any case; any other value is passed
            over.
        raw_judge_output: the judge's text: JSON with `answer` (in a code fence or not), a bare JSON boolean, a line
            `answer: true|false|yes|no`, or one word alone.

    Returns:
        True, False, or None when nothing can be read.

    >>> parse_judge_verdict("Correct", ""), parse_judge_verdict("maybe", "answer: no")
    (True, False)
    >>> parse_judge_verdict(None, "The answer is fine.") is None
    True
    """
    found = verdict if isinstance(verdict, bool) else word(verdict)
    if found is not None:
        return found
    return boolean_verdict(raw_judge_output) if isinstance(raw_judge_output, str) else None
