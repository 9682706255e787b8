"""A contact sheet: exemplars of each capability side by side in one picture, to see what a benchmark asks."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from snellen.errors import ImageError
from snellen.images import decode, read_bytes
from snellen.types import Benchmark, ImagePart, Sample

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

CELL_PX = 220
CAPTION_PX = 58
NAME_PX = 26
MARGIN_PX = 8
PAPER, INK, FAINT = (255, 255, 255), (32, 34, 40), (110, 114, 122)


def exemplars(benchmark: Benchmark, n_each: int = 4, order: Sequence[str] = ()) -> dict[str, list[Sample]]:
    """The first samples of each capability; only they are read.

    Args:
        benchmark: an open benchmark.
        n_each: samples a capability.
        order: capabilities in the order wanted; others follow as they appear.
    """
    seen: Counter[str] = Counter()
    positions = []
    for row in benchmark.index():
        seen[row.category] += 1
        if seen[row.category] <= n_each:
            positions.append(row.position)
    found: dict[str, list[Sample]] = {}
    for sample in benchmark.samples(positions):
        group = found.setdefault(sample.capability or sample.category, [])
        if len(group) < n_each:
            group.append(sample)
    return dict(sorted(found.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))


def contact_sheet(groups: dict[str, list[Sample]], n_each: int = 4, *, root: Path | None = None) -> bytes:
    """Draw exemplars, a row a capability: picture, start of the question, reference.

    Args:
        groups: capability → samples, as `exemplars` gives them.
        n_each: columns.
        root: folder that relative image paths start from.

    Returns:
        A PNG. An image that cannot be read leaves a cell that says why.
    """
    from PIL import Image, ImageDraw

    row_px = NAME_PX + CELL_PX + CAPTION_PX
    size = (MARGIN_PX + n_each * (CELL_PX + MARGIN_PX), max(1, len(groups)) * row_px + MARGIN_PX)
    sheet = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(sheet)
    for r, (name, samples) in enumerate(groups.items()):
        top = r * row_px
        _write(pen, (MARGIN_PX, top + 6), name, 16, INK)
        for c, sample in enumerate(samples[:n_each]):
            _cell(sheet, pen, sample, (MARGIN_PX + c * (CELL_PX + MARGIN_PX), top + NAME_PX), root)
    stream = io.BytesIO()
    sheet.save(stream, "PNG")
    return stream.getvalue()


def _cell(
    sheet: Image.Image, pen: ImageDraw.ImageDraw, sample: Sample, at: tuple[int, int], root: Path | None
) -> None:
    x, y = at
    picture, problem = _thumbnail(sample, root)
    pen.rectangle((x, y, x + CELL_PX - 1, y + CELL_PX - 1), outline=(224, 226, 230))
    if picture is not None:
        sheet.paste(picture, (x + (CELL_PX - picture.width) // 2, y + (CELL_PX - picture.height) // 2))
    else:
        for i, line in enumerate(wrap(problem, 32)[:5]):
            _write(pen, (x + 8, y + 8 + 14 * i), line, 11, FAINT)
    answer = f" -> {sample.references[0]}" if sample.references else ""
    for i, line in enumerate(_caption(sample.question, answer)):
        _write(pen, (x, y + CELL_PX + 4 + 13 * i), line, 11, INK if i < 3 else FAINT)


def _caption(question: str, answer: str) -> Iterator[str]:
    lines = wrap(" ".join(question.split())[:400], 36)
    yield from lines[:2] if len(lines) < 3 else (lines[0], lines[1][:33] + "...")
    yield from wrap(answer, 36)[:1]


def _thumbnail(sample: Sample, root: Path | None) -> tuple[Image.Image | None, str]:
    source: Any = next((part.source for part in sample.parts if isinstance(part, ImagePart)), None)
    try:
        picture = decode(read_bytes(source, root=root)).convert("RGB")
    except ImageError as error:
        return None, str(error)
    picture.thumbnail((CELL_PX - 4, CELL_PX - 4))
    return picture, ""


def _write(pen: ImageDraw.ImageDraw, at: tuple[int, int], text: str, size: int, fill: tuple[int, int, int]) -> None:
    """Write with the font inside Pillow, which has little beyond ASCII."""
    from PIL import ImageFont

    pen.text(at, text.encode("ascii", "replace").decode(), fill, ImageFont.load_default(size))
