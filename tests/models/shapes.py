"""Drawn shapes for the tiny vision-language model beside the checkout: how many, what colour, which shape."""

from __future__ import annotations

import io
import json
import random
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

COLOURS = {"red": (220, 30, 30), "green": (30, 160, 60), "blue": (40, 60, 220), "yellow": (230, 200, 30)}
FORMS = ("circle", "square")
SIDE_PX = 56
QUESTIONS = {
    "count": "How many shapes are in the image? Answer with a number.",
    "colour": "What color are the shapes? Answer with one word.",
    "form": "Which shape is in the image, circle or square? Answer with one word.",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """One picture with its question and answer."""

    kind: str
    """"count", "colour" or "form"."""
    question: str
    """As the model was taught it."""
    answer: str
    """One word."""
    png: bytes
    """The picture."""


def draw(seed: int, kind: str) -> Drawn:
    """One picture of one to five equal shapes that do not touch."""
    rng = random.Random(f"{kind} {seed}")
    n, colour, form = rng.randint(1, 5), rng.choice(sorted(COLOURS)), rng.choice(FORMS)
    picture = _picture(rng, n, colour, form)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    answer = {"count": str(n), "colour": colour, "form": form}[kind]
    return Drawn(kind, QUESTIONS[kind], answer, stream.getvalue())


def _picture(rng: random.Random, n: int, colour: str, form: str) -> Image.Image:
    """Drawn at twice the size and scaled down, for smooth edges."""
    side = 2 * SIDE_PX
    picture = Image.new("RGB", (side, side), tuple(rng.randint(235, 255) for _ in range(3)))
    pen = ImageDraw.Draw(picture)
    placed: list[tuple[int, int, int]] = []
    while len(placed) < n:
        radius = rng.randint(9, 12)
        x, y = (rng.randint(radius + 2, side - radius - 2) for _ in range(2))
        if any((x - a) ** 2 + (y - b) ** 2 <= (radius + r + 3) ** 2 for a, b, r in placed):
            continue
        placed.append((x, y, radius))
        box = (x - radius, y - radius, x + radius, y + radius)
        (pen.ellipse if form == "circle" else pen.rectangle)(box, fill=COLOURS[colour])
    return picture.resize((SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)


def write_shapes(folder: Path, n_each: dict[str, int]) -> Path:
    """A JSONL of drawn questions for `file:`; the category is the kind."""
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    rows = []
    for kind, n in n_each.items():
        for seed in range(n):
            drawn = draw(seed, kind)
            name = f"pictures/{kind}-{seed}.png"
            (folder / name).write_bytes(drawn.png)
            row = {"id": f"{kind}-{seed}", "image": name, "question": drawn.question, "answer": drawn.answer}
            rows.append({**row, "category": kind})
    path = folder / "shapes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
