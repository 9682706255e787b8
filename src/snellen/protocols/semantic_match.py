"""Semantic match: a free answer against reference answers, for questions whose choices were taken away.

The judge sees the question, the references and the answer, never the image; it decides whether they mean the same.
"""

from __future__ import annotations

from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.asking import DATA_RULE, is_blank, own_prompt, references_text
from snellen.protocols.quoting import quoted
from snellen.protocols.verdicts import before_tag, tagged_verdict
from snellen.types import Sample

RULES = f"""You decide whether a free answer means the same as a reference answer to the same question. You are not \
shown the image, and you need not know whether the reference is right.

Correct: the same thing in other words, with more or fewer words around it, a synonym, the same number in another \
notation or unit. Incorrect: another thing, another value, a broader or narrower class where the difference matters \
for the question, a list of several candidates, an answer that takes itself back, no answer.

{DATA_RULE}"""


def _build(sample: Sample, text: str, nonce: str, template: str | None) -> str:
    if template is not None:
        return own_prompt(template, sample, text, nonce)
    return (
        f"{RULES}\n\nQuestion:\n{sample.question}\n\nReference answer (any line is right):\n{_meanings(sample)}\n\n"
        f"Answer to grade:\n{quoted(text, nonce)}\n\n"
        f"Give your reason in one sentence, then a last line: `verdict {nonce}: correct` or "
        f"`verdict {nonce}: incorrect`."
    )


def _meanings(sample: Sample) -> str:
    """The references; of a lettered key the option's text, since the answer was given without the choices."""
    letters = {chr(65 + i): text for i, text in enumerate(sample.choices[:26])}
    shown = [letters.get(one.strip(" ().").upper(), one) for one in sample.references]
    return "\n".join(dict.fromkeys(shown)) if shown else references_text(sample)


def _read(reply: str, _sample: Sample, nonce: str) -> Reading:
    verdict = tagged_verdict(reply, nonce)
    if verdict is None:
        return Reading(None, "the reply has no verdict of this call")
    return Reading(verdict, before_tag(reply, f"verdict {nonce}"))


def _settle(_sample: Sample, text: str) -> Reading | None:
    return Reading(False, "empty answer") if is_blank(text) else None


PROTOCOL = JudgeProtocol(
    "semantic-match", "a free answer against the references: do they mean the same", _build, _read, _settle,
    max_tokens=512,
)  # fmt: skip
