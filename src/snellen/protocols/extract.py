"""Extract: the judge only reads the final answer out of a response; whether it is right is then plain equality.

The judge never sees the reference, so it cannot be lenient towards it.
"""

from __future__ import annotations

from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.asking import DATA_RULE, is_blank, own_prompt, question_text
from snellen.protocols.quoting import quoted
from snellen.protocols.rule import same_value
from snellen.protocols.verdicts import tagged
from snellen.types import Sample

RULES = f"""You read the final answer out of a response to a question. Ignore all steps and explanations, correct \
nothing and add nothing: copy the value, phrase or option letter that the response settles on. Where the question \
has lettered options, give the letter alone. Where the response settles on nothing, write NONE; where it names \
several answers, write them all.

{DATA_RULE.replace("grade", "read")}"""
_NONE = {"none", "n/a", ""}


def _build(sample: Sample, text: str, nonce: str, template: str | None) -> str:
    if template is not None:
        return own_prompt(template, sample, text, nonce)
    return (
        f"{RULES}\n\nQuestion:\n{question_text(sample)}\n\nResponse to read:\n{quoted(text, nonce)}\n\n"
        f"Reply with one line: `final {nonce}: ` and the answer."
    )


def _read(reply: str, sample: Sample, nonce: str) -> Reading:
    answer = tagged(reply, f"final {nonce}")
    if answer is None:
        return Reading(None, "the reply has no final answer of this call")
    answer = answer.strip(" `*\"'")
    if answer.lower().strip(" .") in _NONE:
        return Reading(False, "the response settles on nothing")
    is_right = any(same_value(answer, reference, sample.choices) for reference in sample.references)
    return Reading(is_right, "equal to the key" if is_right else "not equal to the key", answer)


def _settle(_sample: Sample, text: str) -> Reading | None:
    return Reading(False, "empty answer") if is_blank(text) else None


PROTOCOL = JudgeProtocol(
    "extract",
    "a model reads out the final answer, then equality with the key",
    _build,
    _read,
    _settle,
    max_tokens=256,
)
