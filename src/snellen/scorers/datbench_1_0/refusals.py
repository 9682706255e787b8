"""Where the public library dies on a row, the parity rules give 0 and say why; one bad row never ends a run."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from snellen.types import Sample, Score, ScorerFunction, ScoringContext

ParityRule = Callable[[Sample, Any], Score]
"""(sample, raw output) → Score; may raise `Refusal` where the public library's call would end."""


class Refusal(Exception):
    """The public library ends with an exception here.

    Attributes:
        kind: name of that exception ("AttributeError").
        why: what it stumbles over.
    """

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why


def refusing(rule: ParityRule) -> ScorerFunction:
    """Turn a parity rule into a total scorer: unreadable metadata or a refusal is a 0 with its reason."""

    @wraps(rule)
    def scorer(sample: Sample, output: Any, context: ScoringContext) -> Score:
        if sample.metadata_error:
            return refused("JSONDecodeError", sample.metadata_error)
        try:
            return rule(sample, output)
        except Refusal as refusal:
            return refused(refusal.kind, refusal.why)
        except (TypeError, AttributeError, ValueError, KeyError, IndexError) as error:
            # A row whose metadata has odd types: the public library stumbles over the same operation.
            return refused(type(error).__name__, str(error))

    return scorer


def refused(kind: str, why: str) -> Score:
    """The score of a row on which the public library ends with exception `kind`."""
    return Score(0.0, details={"score": 0.0, "raises": kind}, reason=f"the public library stops here: {kind}: {why}")
