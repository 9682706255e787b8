"""Encoded bytes → the bytes a model is sent: untouched where possible, else upright, opaque, 8-bit, within limits.

Measured (Pillow): a file that already fits costs little more than its hash; decode, LANCZOS and re-encode of a
6-megapixel JPEG costs 40 ms with a scaled decode and 115 ms without.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from snellen.errors import ImageError
from snellen.images.headers import MAX_PIXELS, ImageInfo, check_pixels, info_of, open_image
from snellen.images.sources import sha256_hex
from snellen.types import PreparedImage

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

MIME = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
"""Formats that go out as they are."""
PREPARATION_VERSION = 1
"""Raised whenever the same image and policy can give other bytes; part of a run's identity."""
_PLAIN_MODES = frozenset(("1", "L", "P", "RGB", "RGBA", "LA"))
_PNG_LEVEL = 2
"""Half the CPU of level 4 for a sixth more bytes on photos."""
_SMALLEST_QUALITY = 40


@dataclass(frozen=True, slots=True)
class ImagePolicy:
    """How images are brought into the form a model is sent."""

    max_side_px: int | None = None
    """Longest side after preparation; larger images are downscaled, none is ever enlarged. None = as they are."""
    jpeg_quality: int = 90
    """Quality of re-encoded JPEGs, 1 to 100."""
    max_pixels: int = MAX_PIXELS
    """Images with more pixels than this are refused before they are decoded."""
    max_bytes: int | None = None
    """Largest encoded size of one image in bytes; larger ones are re-encoded as JPEG, then downscaled."""

    def identity(self) -> dict[str, Any]:
        """What of the policy changes the bytes a model sees, for the run's identity."""
        return {
            "max_side_px": self.max_side_px,
            "jpeg_quality": self.jpeg_quality,
            "max_bytes": self.max_bytes,
            "version": PREPARATION_VERSION,
        }


def prepare(data: bytes, policy: ImagePolicy, *, sha256: str | None = None) -> PreparedImage:
    """Turn an image's original bytes into what the model is sent. Safe to call from many threads.

    Args:
        data: encoded bytes as the benchmark holds them.
        policy: limits.
        sha256: their hash, where it is already known.

    Returns:
        The same bytes when they are an upright, opaque JPEG, PNG or WebP within the limits; otherwise a re-encoded
        image, with `change` saying what was done (a JPEG stays a JPEG, lossless formats become PNG).

    Raises:
        ImageError: unreadable, cut off, or over the pixel limit.
    """
    with open_image(data) as image:
        info = info_of(image, data)
        check_pixels(info, policy.max_pixels)
        if _fits(info, len(data), policy) and _is_sound(image, info):
            return _result(data, MIME[info.format], (info.width, info.height), info, sha256 or sha256_hex(data), "")
        encoded, mime, size, change = _convert(image, info, data, policy)
    return _result(encoded, mime, size, info, sha256 or sha256_hex(data), change)


def decode(data: bytes, *, max_pixels: int = MAX_PIXELS) -> Image:
    """Decode an image to upright RGB, transparent pixels on white.

    Args:
        data: encoded bytes.
        max_pixels: images with more pixels are refused before decoding.

    Raises:
        ImageError: unreadable, cut off, or over the pixel limit.
    """
    with open_image(data) as image:
        info = info_of(image, data)
        check_pixels(info, max_pixels)
        pixels, _ = _upright_plain(image, info, None)
    return pixels if pixels.mode == "RGB" else pixels.convert("RGB")


def _result(
    data: bytes, mime: str, size: tuple[int, int], info: ImageInfo, sha256: str, change: str
) -> PreparedImage:
    return PreparedImage(data, mime, size[0], size[1], sha256, info.width, info.height, change)


def _fits(info: ImageInfo, n_bytes: int, policy: ImagePolicy) -> bool:
    return (
        info.format in MIME
        and not info.exif_rotated
        and info.n_frames == 1
        and info.mode in _PLAIN_MODES
        and (policy.max_side_px is None or max(info.width, info.height) <= policy.max_side_px)
        and (policy.max_bytes is None or n_bytes <= policy.max_bytes)
    )


def _is_sound(image: ImageFile, info: ImageInfo) -> bool:
    """Decode only where the header leaves a doubt: transparency that may be unused, an end that is missing."""
    if info.is_whole and not info.has_alpha:
        return True
    _load(image, info)
    return not info.has_alpha or _is_opaque(image)


def _is_opaque(image: Image) -> bool:
    low = image.convert("RGBA").getchannel("A").getextrema()[0]
    return isinstance(low, int | float) and low == 255


def _load(image: ImageFile, info: ImageInfo) -> None:
    try:
        image.load()
    except Exception as error:
        raise ImageError(f"the {info.format} image is damaged or cut off: {str(error)[:200]}") from error


def _convert(
    image: ImageFile, info: ImageInfo, data: bytes, policy: ImagePolicy
) -> tuple[bytes, str, tuple[int, int], str]:
    target = _target_size(info, policy.max_side_px)
    pixels, changes = _upright_plain(image, info, target)
    if target != (info.width, info.height):
        pixels = _resize(pixels, target)
        changes.append(f"downscaled to {target[0]} x {target[1]}")
    lossy = info.format == "JPEG" or _is_lossy_webp(info, data)
    encoded, mime = _encode(pixels, lossy, policy.jpeg_quality)
    if policy.max_bytes is not None and len(encoded) > policy.max_bytes:
        pixels, encoded = _shrink(pixels, policy)
        mime = MIME["JPEG"]
        changes.append(f"brought under {policy.max_bytes:,} bytes at {pixels.width} x {pixels.height}")
    changes.append(f"re-encoded from {info.format} as {mime.removeprefix('image/').upper()}")
    return encoded, mime, pixels.size, ", ".join(changes)


def _target_size(info: ImageInfo, max_side_px: int | None) -> tuple[int, int]:
    """Upright size after downscaling; never larger than the source.

    >>> _target_size(ImageInfo("PNG", 3000, 2000, "RGB", False, 1), 1024)
    (1024, 683)
    """
    longest = max(info.width, info.height)
    if max_side_px is None or longest <= max_side_px:
        return info.width, info.height
    scale = max_side_px / longest
    return max(1, round(info.width * scale)), max(1, round(info.height * scale))


def _upright_plain(image: ImageFile, info: ImageInfo, target: tuple[int, int] | None) -> tuple[Image, list[str]]:
    """Decoded pixels as upright L or RGB, and what had to be done for that."""
    changes = []
    if target is not None and info.format == "JPEG":
        _draft(image, info, target)
    if info.n_frames > 1:
        changes.append(f"first of {info.n_frames} frames")
    _load(image, info)
    try:
        pixels, change = _plain(image)
        if change:
            changes.append(change)
        if info.exif_rotated:
            pixels = _rotate(pixels, image)
            changes.append("turned upright")
    except Exception as error:
        raise ImageError(f"the {info.format} image cannot be converted: {str(error)[:200]}") from error
    return pixels, changes


def _draft(image: ImageFile, info: ImageInfo, target: tuple[int, int]) -> None:
    """Let the JPEG decoder do the first halvings (three times faster); it stays at or above the target size."""
    width, height = target
    if image.size != (info.width, info.height):
        width, height = height, width
    image.draft(None, (width, height))


def _plain(image: Image) -> tuple[Image, str]:
    if image.mode in ("L", "RGB") and "transparency" not in image.info:
        return image, ""
    if image.mode == "1":
        return image.convert("L"), ""
    if image.mode in ("I;16", "I;16L", "I;16B", "I;16N", "I", "F"):
        return _eight_bit(image)
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        return _on_white(image)
    return image.convert("RGB"), f"{image.mode} to RGB"


def _on_white(image: Image) -> tuple[Image, str]:
    from PIL import Image as pil

    layer = image.convert("RGBA")
    if _is_opaque(layer):
        return layer.convert("RGB"), ""
    paper = pil.new("RGBA", layer.size, (255, 255, 255, 255))
    paper.alpha_composite(layer)
    return paper.convert("RGB"), "transparency on white"


def _eight_bit(image: Image) -> tuple[Image, str]:
    """16-bit values are divided by 257; other ranges (32-bit, float) are stretched from lowest to highest."""
    wide = image if image.mode == "F" else image.convert("I")
    low, high = (float(value) for value in wide.getextrema())  # type: ignore[arg-type]
    if image.mode != "F" and low >= 0 and high <= 65535:
        low, high, change = 0.0, 65535.0, "16-bit to 8-bit"
    else:
        change = f"range {low:g} to {high:g} stretched to 8-bit"
    scale = 255.0 / (high - low) if high > low else 0.0
    return wide.convert("F").point(lambda value: value * scale - low * scale).convert("L"), change


def _rotate(pixels: Image, source: ImageFile) -> Image:
    from PIL import Image as pil

    turn = {
        2: pil.Transpose.FLIP_LEFT_RIGHT,
        3: pil.Transpose.ROTATE_180,
        4: pil.Transpose.FLIP_TOP_BOTTOM,
        5: pil.Transpose.TRANSPOSE,
        6: pil.Transpose.ROTATE_270,
        7: pil.Transpose.TRANSVERSE,
        8: pil.Transpose.ROTATE_90,
    }
    return pixels.transpose(turn[int(source.getexif()[0x0112])])


def _resize(pixels: Image, size: tuple[int, int]) -> Image:
    from PIL import Image as pil

    return pixels.resize(size, pil.Resampling.LANCZOS, reducing_gap=3.0) if pixels.size != size else pixels


def _is_lossy_webp(info: ImageInfo, data: bytes) -> bool:
    return info.format == "WEBP" and b"VP8L" not in data[:64]


def _encode(pixels: Image, lossy: bool, quality: int) -> tuple[bytes, str]:
    buffer = io.BytesIO()
    if lossy:
        pixels.save(buffer, "JPEG", quality=quality)
    else:
        pixels.save(buffer, "PNG", compress_level=_PNG_LEVEL)
    return buffer.getvalue(), MIME["JPEG" if lossy else "PNG"]


def _shrink(pixels: Image, policy: ImagePolicy) -> tuple[Image, bytes]:
    """JPEG at the asked quality, then at lower ones, then at smaller sizes, until the byte limit is met."""
    limit = policy.max_bytes or 0
    while True:
        for quality in sorted({policy.jpeg_quality, 75, 60, _SMALLEST_QUALITY}, reverse=True):
            if quality > policy.jpeg_quality:
                continue
            encoded, _ = _encode(pixels, True, quality)
            if len(encoded) <= limit:
                return pixels, encoded
        if max(pixels.size) <= 16:
            raise ImageError(f"the image cannot be brought under {limit:,} bytes")
        pixels = _resize(pixels, (max(1, pixels.width * 3 // 4), max(1, pixels.height * 3 // 4)))
