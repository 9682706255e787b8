"""ViLBench: does the final answer of a solution agree with the key, whatever the steps.

References: Tu et al., ViLBench, arXiv 2503.20271, appendix on answer verdicts; the instruction in our own words.
"""

from __future__ import annotations

from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.asking import DATA_RULE, case, is_blank, own_prompt
from snellen.protocols.verdicts import before_tag, tagged_verdict
from snellen.types import Sample

RULES = f"""You compare the final answer of a solution with the known right answer. Ignore all steps and \
explanations: only the last letter, number or phrase that the solution settles on counts. A letter and the text of \
its option are the same answer. True if they agree, False if they differ or if the solution settles on nothing.

{DATA_RULE}"""


def _build(sample: Sample, text: str, nonce: str, template: str | None) -> str:
    if template is not None:
        return own_prompt(template, sample, text, nonce)
    request = f"Reply with one line: `verdict {nonce}: True` or `verdict {nonce}: False`."
    return f"{RULES}\n\n{case(sample, text, nonce)}\n\n{request}"


def _read(reply: str, _sample: Sample, nonce: str) -> Reading:
    verdict = tagged_verdict(reply, nonce)
    if verdict is None:
        return Reading(None, "the reply is not True or False")
    return Reading(verdict, before_tag(reply, f"verdict {nonce}"))


def _settle(_sample: Sample, text: str) -> Reading | None:
    return Reading(False, "empty answer") if is_blank(text) else None


PROTOCOL = JudgeProtocol(
    "vilbench", "ViLBench: the final answer against the key, True or False", _build, _read, _settle, max_tokens=512
)
