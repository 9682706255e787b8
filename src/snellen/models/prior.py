"""A model that looks at nothing but the form of the question: what an answer is worth must beat this.

It never sees an image, a reference or another question, so its score is what blind guessing without any knowledge of
the benchmark's answers earns.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.errors import UsageError
from snellen.types import GenerationOptions, Prompt, Response, TextPart

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), answer)
    for pattern, answer in (
        (r"bounding box|\bbox\b", "[0.25, 0.25, 0.75, 0.75]"),
        (r"\bpoint (?:to|at|out)\b", "(0.5, 0.5)"),
        (r"rows and (?:\w+ )?columns", "(5, 5)"),
        (r"how many|number of|\bcount\b", "2"),
        (r"yes ?(?:/|or) ?no|^(?:is|are|was|were|do|does|did|can|could|has|have|will|would|should)\b", "Yes"),
        (r"\bleft\b.*\bright\b|\bright\b.*\bleft\b", "left"),
        (r"\bcolou?r\b", "white"),
        (r"\bwhat (?:year|date)\b|\bwhich year\b", "2010"),
        (r"percent|%|how much|what is the (?:value|sum|difference|total|average)", "10"),
    )
)
"""Form of the question → most plausible answer, first match wins."""
_FALLBACK = "2"


class Prior:
    """Guesses by the form of the question."""

    takes_images = True
    start_concurrency = 64

    def __init__(self) -> None:
        self.name = "prior"

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Guess."""
        return Response(guess(question_of(prompt), prompt.choices), served_model=self.name)

    async def aclose(self) -> None:
        """Nothing to free."""


def question_of(prompt: Prompt) -> str:
    """The bare question, or all text where a prompt has none.

    >>> question_of(Prompt("1", (TextPart("Is it red?"),)))
    'Is it red?'
    """
    if prompt.question:
        return prompt.question
    return "\n".join(part.text for part in prompt.parts if isinstance(part, TextPart))


def guess(question: str, choices: tuple[str, ...] = ()) -> str:
    """Most plausible answer to a question of this form.

    Args:
        question: its text.
        choices: options, if it has any.

    >>> guess("How many birds are there?"), guess("Which bird?", ("owl", "tit")), guess("Is it a bird?")
    ('2', 'A', 'Yes')
    """
    if choices:
        return "A"
    text = question.strip()[:4000]
    return next((answer for pattern, answer in _RULES if pattern.search(text)), _FALLBACK)


def open_model(rest: str, **_settings: Any) -> Prior:
    """Open "prior".

    Raises:
        UsageError: something stands behind the name.
    """
    if rest:
        raise UsageError(f"prior takes nothing behind its name, got {rest!r}")
    return Prior()
