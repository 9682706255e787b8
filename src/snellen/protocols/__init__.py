"""Judge protocols: how a judge is asked and how its reply is read. Pure: text in, text or reading out.

To add one: write a module here with a `PROTOCOL: JudgeProtocol` and add its row to PROTOCOLS.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from snellen.errors import UsageError, did_you_mean
from snellen.types import Sample


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read out of a judge's reply, or settled without asking it."""

    verdict: bool | None
    """True = correct, False = incorrect, None = unparsed."""
    reason: str = ""
    """The judge's own reason where the protocol has one, or why nothing could be read."""
    answer: str = ""
    """The final answer the judge read out of the response (protocol `extract`)."""


@dataclass(frozen=True, slots=True)
class JudgeProtocol:
    """One way to let a model grade."""

    name: str
    """As on the command line."""
    title: str
    """One line for people."""
    build: Callable[[Sample, str, str, str | None], str]
    """(sample, answer text, nonce, replacement template or None) → the whole prompt as one user message. The answer
    is data: delimited, and neutralised where it imitates the protocol. The part that is the same for all samples
    stands first, so that server caches work."""
    read: Callable[[str, Sample, str], Reading]
    """(judge's reply, sample, nonce) → reading; total, never raises, linear in the reply."""
    settle: Callable[[Sample, str], Reading | None] = lambda _sample, _text: None
    """What the protocol decides without a call (an empty answer is wrong); None = ask."""
    max_tokens: int = 1024
    """New tokens the judge may use."""
    temperature: float = 0.0
    """Sampling temperature of the judge."""
    version: str = "1"
    """Raised whenever prompt or parser changes; part of a verdict's key."""


PROTOCOLS: dict[str, str] = {
    "datbench": "snellen.protocols.datbench",
    "perceptionbench": "snellen.protocols.perceptionbench",
    "vilbench": "snellen.protocols.vilbench",
    "extract": "snellen.protocols.extract",
    "semantic-match": "snellen.protocols.semantic_match",
    "one-token": "snellen.protocols.one_token",
}
"""Name → module with `PROTOCOL`."""


def protocol(name: str) -> JudgeProtocol:
    """The protocol of a name.

    Raises:
        UsageError: there is none (the nearest is named).
    """
    if name not in PROTOCOLS:
        hint = did_you_mean(name, PROTOCOLS, otherwise=f"there are {', '.join(PROTOCOLS)}")
        raise UsageError(f"there is no judge protocol {name!r}; {hint}")
    found: JudgeProtocol = importlib.import_module(PROTOCOLS[name]).PROTOCOL
    return found
