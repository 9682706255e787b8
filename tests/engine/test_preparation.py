"""The key of a prompt: what the model is really shown, no more and no less."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from snellen.engine.preparation import Preparation
from snellen.images import ImagePolicy
from snellen.types import ImagePart, Sample, TextPart


def encoded(side_px: int, kind: str = "PNG", mode: str = "RGB") -> bytes:
    """A plain picture."""
    stream = io.BytesIO()
    Image.new(mode, (side_px, side_px // 2), 90 if mode != "RGB" else (90, 20, 200)).save(stream, kind)
    return stream.getvalue()


def key(data: bytes, **policy: int) -> str:
    """Prompt key of a sample with this picture under a policy."""
    sample = Sample("a", (ImagePart(data), TextPart("What?")), "What?")
    return Preparation(ImagePolicy(**policy), {"model": "m"}).prepare(0, sample).key


def test_limits_that_leave_a_picture_alone_give_one_key() -> None:
    """It goes out byte for byte under all three."""
    data = encoded(300)
    assert key(data) == key(data, max_side_px=512) == key(data, max_side_px=2048, jpeg_quality=50)


@pytest.mark.parametrize("other", [{"max_side_px": 100}, {"max_side_px": 200}, {}])
def test_a_picture_that_is_changed_is_keyed_by_how(other: dict[str, int]) -> None:
    """Each size is another prompt."""
    assert key(encoded(300), max_side_px=150) != key(encoded(300), **other)


def test_a_picture_that_must_be_re_encoded_is_keyed_by_what_acts_on_it() -> None:
    """A size limit above its size does not; the JPEG quality might."""
    data = encoded(300, "BMP")
    assert key(data, max_side_px=512) == key(data, max_side_px=1024)
    assert key(data, max_side_px=512) != key(data, jpeg_quality=50)
    assert key(data) != key(encoded(300))
