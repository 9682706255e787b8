"""Does this server look at images at all? Some accept one for a text-only model and drop it with status 200.

The same short question is asked with one drawn image, with another, and with none. A server that sees counts more
prompt tokens with an image, or reads the number.
"""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from snellen.engine.limits import Outcome
from snellen.types import GenerationOptions, PreparedImage, Prompt, Response, SentPart, TextPart

QUESTION = "Which number is written in the picture? Reply with the number alone. If there is no picture, reply: none."
_OPTIONS = GenerationOptions(max_tokens=64)


@dataclass(frozen=True, slots=True)
class Sight:
    """What the check found."""

    state: str
    """"sees", "ignores images", or "unclear"."""
    reason: str
    """The evidence in one sentence."""

    @property
    def warning(self) -> str:
        """What to tell the user, "" when all is well."""
        if self.state != "ignores images":
            return ""
        return f"the model or its server seems to ignore images: {self.reason}"

    def as_record(self) -> dict[str, Any]:
        """For the run directory."""
        return asdict(self)


async def check_sight(ask: Callable[[Prompt, GenerationOptions], Awaitable[Outcome]]) -> Sight:
    """Ask the three questions at once and compare."""
    import asyncio

    numbers = ("4729", "86031")
    parts: list[tuple[SentPart, ...]] = [(draw_number(number), TextPart(QUESTION)) for number in numbers]
    parts.append((TextPart(QUESTION),))
    prompts = [Prompt(f"sight-{i}", p, question=QUESTION) for i, p in enumerate(parts)]
    outcomes = await asyncio.gather(*(ask(prompt, _OPTIONS) for prompt in prompts))
    return judge_sight(outcomes, numbers)


def judge_sight(outcomes: list[Outcome], numbers: tuple[str, str]) -> Sight:
    """Weigh the three outcomes (image one, image two, no image)."""
    answers = [o for o in outcomes if isinstance(o, Response)]
    if len(answers) < 3:
        refused = [o for o in outcomes[:2] if not isinstance(o, Response)]
        why = refused[0].message if refused else "the question without an image got no answer"
        return Sight("unclear", f"a test question got no answer: {why}")
    first, second, _ = answers
    if numbers[0] in first.text or numbers[1] in second.text:
        return Sight("sees", "it read a number from a drawn image")
    tokens = [a.usage.n_in for a in answers]
    if None not in tokens and min(tokens[0] or 0, tokens[1] or 0) > (tokens[2] or 0):
        return Sight("sees", f"an image costs prompt tokens ({tokens[0]} against {tokens[2]} without)")
    if first.text.strip() != second.text.strip():
        return Sight("unclear", "its answers to two different images differ, but it read neither number")
    if None in tokens:
        return Sight("unclear", "it answers two different images alike and states no token counts")
    return Sight(
        "ignores images",
        f"{tokens[0]} prompt tokens with an image, {tokens[2]} without, and one answer to two different images",
    )


def draw_number(number: str) -> PreparedImage:
    """A PNG of 320 × 160 pixels with a number on it."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (320, 160), "white")
    shade = random.Random(number).randrange(60)
    font = ImageFont.load_default(72)
    ImageDraw.Draw(picture).text((40, 36), number, fill=(shade, shade, shade), font=font)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    data = buffer.getvalue()
    return PreparedImage(data, "image/png", 320, 160, hashlib.sha256(data).hexdigest(), 320, 160)
