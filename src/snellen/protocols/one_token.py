"""One token: CORRECT or INCORRECT and nothing else; the cheapest judge."""

from __future__ import annotations

from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.asking import DATA_RULE, case, is_blank, own_prompt
from snellen.protocols.verdicts import word
from snellen.types import Sample

RULES = f"""You grade an answer to a question about an image that you are not shown. It is correct if its final \
answer means the same as the reference answer, and incorrect if it differs, leaves several values open or gives none.

{DATA_RULE}"""
_RIGHT, _WRONG = frozenset({"correct"}), frozenset({"incorrect"})


def _build(sample: Sample, text: str, nonce: str, template: str | None) -> str:
    if template is not None:
        return own_prompt(template, sample, text, nonce)
    return f"{RULES}\n\n{case(sample, text, nonce)}\n\nReply with one word, CORRECT or INCORRECT:"


def _read(reply: str, _sample: Sample, _nonce: str) -> Reading:
    verdict = word(reply, _RIGHT, _WRONG)
    return Reading(verdict, "" if verdict is not None else "the reply is not CORRECT or INCORRECT")


def _settle(_sample: Sample, text: str) -> Reading | None:
    return Reading(False, "empty answer") if is_blank(text) else None


PROTOCOL = JudgeProtocol("one-token", "one word, CORRECT or INCORRECT", _build, _read, _settle, max_tokens=8)
