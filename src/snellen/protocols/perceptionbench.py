"""PerceptionBench: a teacher compares the final answer with the reference, `[reason] … [judge] True|False`.

References: PerceptionBench, arXiv 2607.24957; the rules in our own words.
Deviates: a reply without both tags, or whose last `[judge]` is followed by anything but one verdict, is unparsed and
shown as such (the official harness counts it as wrong).
"""

from __future__ import annotations

import re

from snellen.protocols import JudgeProtocol, Reading
from snellen.protocols.asking import DATA_RULE, case, is_blank, own_prompt
from snellen.protocols.quoting import clean
from snellen.protocols.verdicts import MAX_CHARS, word
from snellen.types import Sample

RULES = f"""You are a teacher who marks an answer to a question about images that you are not shown. Compare only \
the final answer with the reference; how it was found does not count.

1. Where the question has several parts, all of them must agree with the reference.
2. Where the reference is a set of answers, the answer must be that very set: none missing, none added.
3. A claim that two answers are equal must be shown in your reason, not assumed.
4. Numbers of up to four significant figures must agree exactly; longer ones to four significant figures, order of \
magnitude included. Bring units to one unit first.
5. In multiple choice the option's letter decides.
6. Technical terms in science questions must be the exact term.
7. An answer that leaves several values open, or declines to answer, is wrong.

{DATA_RULE}

Write two things: [reason] and one or two sentences, then [judge] and one word, True or False."""
_FAILED = ("[error]", "failed to obtain answer")
_JUDGE = "[judge]"
_TRUE, _FALSE = frozenset({"true"}), frozenset({"false"})
_ESCAPES = re.compile(r"\\+(?P<next>[ 0-9-])|\\n(?![a-z])|\\+")  # \neq and the like stay LaTeX


def _build(sample: Sample, text: str, nonce: str, template: str | None) -> str:
    if template is not None:
        return own_prompt(template, sample, text, nonce)
    return f"{RULES}\n\n{case(sample, plain_escapes(text), nonce)}\n\n[reason]"


def plain_escapes(text: str) -> str:
    r"""Even out runs of backslashes, as the official message builder does, so that LaTeX reads the same.

    >>> plain_escapes(r"a\\\\ b"), plain_escapes(r"\\frac"), plain_escapes(r"x\n1")
    ('a\\\\ b', '\\frac', 'x\n1')
    """
    return _ESCAPES.sub(_one_escape, text)


def _one_escape(match: re.Match[str]) -> str:
    if match["next"] is not None:
        return "\\\\ " + match["next"] if match["next"] != " " else "\\\\ "
    return "\n" if match[0] == "\\n" else "\\"


def _read(reply: str, _sample: Sample, _nonce: str) -> Reading:
    text = clean(reply[-MAX_CHARS:])
    at = text.lower().rfind(_JUDGE)
    # The prompt ends with "[reason]", so that a judge may begin with the reason itself.
    if at < 0:
        return Reading(None, "the reply has no [judge]")
    verdict = word(text[at + len(_JUDGE) :].strip(" :\n"), _TRUE, _FALSE)
    reason = " ".join(text[:at].replace("[reason]", " ").split())[:500]
    return Reading(verdict, reason if verdict is not None else "what stands behind [judge] is not True or False")


def _settle(_sample: Sample, text: str) -> Reading | None:
    said = clean(text[:200]).strip().lower()
    if is_blank(text):
        return Reading(False, "empty answer")
    return Reading(False, "no answer was obtained") if said.startswith(_FAILED) else None


PROTOCOL = JudgeProtocol(
    "perceptionbench", "PerceptionBench: a teacher's [reason] and [judge] True or False", _build, _read, _settle,
    max_tokens=2048,
)  # fmt: skip
