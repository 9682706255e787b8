"""DatBench: the sample's own rubric asks for one boolean; the verdict decides the score alone.

References: DatBench, arXiv 2601.02316; the public library's description of its judging.
"""

from __future__ import annotations

from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.asking import DATA_RULE, case, own_prompt, question_text, values
from snellen.protocols.quoting import fill, names_in, quoted
from snellen.protocols.verdicts import boolean_verdict
from snellen.types import Sample

TWO_LINES = "Respond with exactly two lines:"
ONE_WORD = "Reply with a single line that holds one word, true or false, and nothing else.\n\nanswer: "
RUBRIC = (
    "You grade an answer to a question about an image that you are not shown. Decide whether the answer means the "
    "same as the reference answer. Wording, case, units written out and small differences of form do not matter; "
    "another value, another option or a missing part does. An answer that leaves several values open is wrong."
)
_PLACES = {"question": "Question", "correct_answer": "Reference answer", "model_answer": "Answer to grade"}


def rewrite(prompt: str) -> str:
    """Ask for one boolean token where a rubric asks for two lines, so that a small output limit cannot cut it off.

    >>> rewrite("Is it right?  Respond with exactly two lines: reason and answer").split(chr(10))[0]
    'Is it right?'
    >>> rewrite("Is it right?")
    'Is it right?'
    """
    head, marker, _ = prompt.rpartition(TWO_LINES)
    return f"{head.rstrip()}\n\n{ONE_WORD}" if marker else prompt


def _build(sample: Sample, text: str, nonce: str, template: str | None) -> str:
    if template is not None:
        return own_prompt(template, sample, text, nonce)
    if not sample.judge_prompt.strip():
        return f"{RUBRIC}\n{DATA_RULE}\n\n{case(sample, text, nonce)}\n\n{ONE_WORD}"
    return _own_rubric(sample, text, nonce)


def _own_rubric(sample: Sample, text: str, nonce: str) -> str:
    """The rubric with its places filled; what it has no place for is supplied behind it, before the request."""
    prompt = rewrite(sample.judge_prompt)
    head, request = (prompt.removesuffix(ONE_WORD), ONE_WORD) if prompt.endswith(ONE_WORD) else (prompt, "")
    filled = fill(head.rstrip(), values(sample, text, nonce))
    missing = [name for name in _PLACES if name not in names_in(head)]
    shown = {
        "question": question_text(sample),
        "correct_answer": values(sample, text, nonce)["references"],
        "model_answer": quoted(text, nonce),
    }
    parts = [filled, *(f"{_PLACES[name]}:\n{shown[name]}" for name in missing), DATA_RULE]
    if not request:
        request = "End with a line `answer: true` or `answer: false`."
    return "\n\n".join([*parts, request])


def _read(reply: str, _sample: Sample, _nonce: str) -> Reading:
    verdict = boolean_verdict(reply)
    return Reading(verdict, "" if verdict is not None else "no `answer: true` or `answer: false` in the reply")


PROTOCOL = JudgeProtocol("datbench", "DatBench: the sample's own rubric, one boolean", _build, _read, max_tokens=512)
