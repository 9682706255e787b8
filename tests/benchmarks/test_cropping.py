"""Pictures cut to the region a sample asks about."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from snellen import benchmarks
from snellen.benchmarks.cropping import crop, region_of
from snellen.errors import UsageError
from snellen.types import ImagePart, Sample, TextPart


def picture(width: int, height: int) -> bytes:
    """White, with a red square at (40, 20) to (60, 40)."""
    image = Image.new("RGB", (width, height), "white")
    image.paste((255, 0, 0), (40, 20, 60, 40))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def cut(metadata: dict[str, Any], **more: Any) -> Image.Image:
    """The picture a sample shows after cropping."""
    parts = (ImagePart(picture(200, 100)), TextPart("What colour?"))
    done = crop(Sample("a", parts, "What colour?", metadata=metadata, **more))
    part = done.parts[0]
    assert isinstance(part, ImagePart)
    return Image.open(io.BytesIO(part.source))


@pytest.mark.parametrize("box", [[40, 20, 60, 40], [0.2, 0.2, 0.3, 0.4], [[40, 20, 50, 40], [50, 20, 60, 40]]])
def test_pixels_fractions_and_several_boxes(box: list[Any]) -> None:
    """All three name the red square; a small cut is widened to 28 px."""
    image = cut({"bbox": box})
    assert image.size == (28, 28)
    assert image.getpixel((14, 14)) == (255, 0, 0)
    assert image.getpixel((1, 1)) == (255, 255, 255)


@pytest.mark.parametrize(
    "metadata",
    [{}, {"bbox": None}, {"bbox": "10,20"}, {"bbox": [1, 2, 3]}, {"bbox": [60, 20, 40, 40]}, {"bbox": {"x": 1}}],
)
def test_without_a_usable_region_the_picture_is_whole(metadata: dict[str, Any]) -> None:
    """Never an error."""
    assert cut(metadata).size == (200, 100)


def test_a_box_that_is_the_answer_is_no_region() -> None:
    """Cutting to it would give the answer away."""
    assert region_of(Sample("a", (), "Where?", dataset="refcoco_val", metadata={"bbox": [1, 2, 3, 4]})) is None
    assert cut({"bbox": [40, 20, 60, 40]}, scorer="box").size == (200, 100)


def test_a_region_beyond_the_picture_stays_inside() -> None:
    """And is marked in the metadata."""
    assert cut({"region": [150, 50, 400, 300]}).size[0] <= 200
    parts = (ImagePart(picture(200, 100)),)
    assert crop(Sample("a", parts, "?", metadata={"bbox": [1, 2, 30, 40]})).metadata["cropped"] is True


def test_crop_is_an_option_of_every_benchmark() -> None:
    """Its fingerprint tells it from the whole one; another word is refused."""
    whole, cropped = (benchmarks.load("eyechart", options=o) for o in ({}, {"crop": "region"}))
    assert cropped.fingerprint != whole.fingerprint
    assert len(list(cropped.samples([0, 3]))) == 2
    with pytest.raises(UsageError, match="full or region"):
        benchmarks.load("eyechart", options={"crop": "center"})
