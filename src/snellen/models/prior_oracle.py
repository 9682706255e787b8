"""A guesser that draws from the benchmark's own answers: an upper bound for blind guessing, never a fair baseline.

Its pools are the references of the very samples that are asked (which is why it is called an oracle): whole numbers
for counting questions, yes/no for questions of that form, all answers for the rest.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Any

from snellen.errors import UsageError
from snellen.models.prior import question_of
from snellen.types import GenerationOptions, Prompt, Response, Sample

_COUNTING = re.compile(r"how many|number of|count", re.IGNORECASE)
_BOOLEAN = re.compile(r"\bis\b[^?]{0,400}\?|\bdoes\b|\bare there\b", re.IGNORECASE)
_TRUTHS = frozenset(("yes", "no", "true", "false"))


class PriorOracle:
    """Draws an answer of the right kind from the benchmark's references, the same one for the same seed."""

    takes_images = True
    start_concurrency = 64

    def __init__(self, references: Iterable[str], *, seed: int = 0) -> None:
        self.name = f"prior-oracle#seed={seed}" if seed else "prior-oracle"
        self.notes = ("prior-oracle draws its guesses from the benchmark's own answers; it is no fair baseline",)
        self._all = tuple(references)
        if not self._all:
            raise UsageError("prior-oracle has no answers to draw from: the benchmark states none")
        self._whole = tuple(one for one in self._all if re.fullmatch(r"-?\d{1,12}", one.strip()))
        self._truths = tuple(one for one in self._all if one.strip().lower() in _TRUTHS)
        self._seed = seed

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Draw one answer."""
        pool = self._pool(question_of(prompt)[:4000])
        draw = random.Random(f"{self._seed}|{prompt.sample_id}|{prompt.epoch}")
        return Response(draw.choice(pool), served_model=self.name)

    async def aclose(self) -> None:
        """Nothing to free."""

    def _pool(self, question: str) -> tuple[str, ...]:
        if _COUNTING.search(question) and self._whole:
            return self._whole
        if _BOOLEAN.search(question) and self._truths:
            return self._truths
        return self._all


def open_model(rest: str, *, benchmark: Any = None, references: Any = None, seed: int = 0, **_: Any) -> PriorOracle:
    """Open "prior-oracle".

    Args:
        rest: nothing.
        benchmark: whose references are the pools.
        references: the pools themselves, as texts or samples, in place of a benchmark.
        seed: of the draws.

    Raises:
        UsageError: neither is given, or there are no answers.
    """
    if rest:
        raise UsageError(f"prior-oracle takes nothing behind its name, got {rest!r}")
    source = references if references is not None else _truths_of(benchmark)
    if source is None:
        raise UsageError("prior-oracle needs the benchmark whose answers it draws from")
    firsts = (one.references[0] if isinstance(one, Sample) and one.references else one for one in source)
    return PriorOracle([one for one in firsts if isinstance(one, str)], seed=seed)


def _truths_of(benchmark: Any) -> Any:
    """Answers alone where the benchmark can give them without its images, else its samples."""
    if benchmark is None:
        return None
    return benchmark.references() if hasattr(benchmark, "references") else benchmark.samples()
