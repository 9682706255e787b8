"""What an image is, from its header alone: format, upright size, mode, rotation, frames, whether it is all there.

Formats are recognised by their first bytes and opened by their own reader, so that an odd file is never offered to
readers nobody asked for, and the pixel limit is ours, not a global of the imaging library.
"""

from __future__ import annotations

import importlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.errors import ImageError

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MAX_PIXELS = 100_000_000
"""Default bound on width × height: nothing larger is decoded or sent."""

_PLUGINS = {
    "JPEG": "JpegImagePlugin",
    "PNG": "PngImagePlugin",
    "WEBP": "WebPImagePlugin",
    "GIF": "GifImagePlugin",
    "BMP": "BmpImagePlugin",
    "TIFF": "TiffImagePlugin",
    "JPEG2000": "Jpeg2KImagePlugin",
    "AVIF": "AvifImagePlugin",
}
_SIGNATURES = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "JPEG2000"),
    (b"\xff\x4f\xff\x51", "JPEG2000"),
)
_EXIF_ORIENTATION = 0x0112
_UPRIGHT = 1
_LYING = frozenset((5, 6, 7, 8))
"""EXIF orientations that swap width and height."""


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """What the header of an image says."""

    format: str
    """"JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "JPEG2000" or "AVIF"."""
    width: int
    """Pixels, upright."""
    height: int
    """Pixels, upright."""
    mode: str
    """Pillow's name for the pixel layout ("RGB", "L", "P", "RGBA", "CMYK", "I;16", …)."""
    exif_rotated: bool
    """Whether an EXIF orientation other than upright is to be applied."""
    n_frames: int
    """Frames or pages; 1 for a still image."""
    has_alpha: bool = False
    """Whether pixels may be transparent (an alpha band or a transparent colour)."""
    is_whole: bool = True
    """False when the end mark of the file is missing: it may be cut off, and only decoding tells."""


def format_of(data: bytes) -> str | None:
    """Name the format that encoded bytes begin like, None when they begin like no image.

    >>> format_of(b"GIF89a"), format_of(b"hello")
    ('GIF', None)
    """
    for start, name in _SIGNATURES:
        if data.startswith(start):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "AVIF"
    return None


def inspect(data: bytes) -> ImageInfo:
    """Read an image's header, without decoding its pixels.

    Args:
        data: encoded bytes.

    Returns:
        Format, upright size in pixels and what else matters for sending it.

    Raises:
        ImageError: empty, no image, an unknown format or a broken header.
    """
    with open_image(data) as image:
        return info_of(image, data)


def open_image(data: bytes) -> ImageFile:
    """Open encoded bytes as a Pillow image whose pixels are not yet decoded.

    Raises:
        ImageError: empty, no image, or a broken header.
    """
    name = format_of(data)
    if name is None:
        raise ImageError(_not_an_image(data))
    from PIL import Image

    try:
        if name not in Image.OPEN:
            importlib.import_module(f"PIL.{_PLUGINS[name]}")
        image: ImageFile = Image.OPEN[name][0](io.BytesIO(data), "")
    except Exception as error:
        raise ImageError(f"the {name} image cannot be opened: {_reason(error)}") from error
    if image.width < 1 or image.height < 1:
        raise ImageError(f"the {name} image has no pixels ({image.width} x {image.height})")
    return image


def info_of(image: ImageFile, data: bytes) -> ImageInfo:
    """Describe an image opened by `open_image`."""
    name = format_of(data) or str(image.format)
    orientation = orientation_of(image, name)
    width, height = image.size
    if orientation in _LYING:
        width, height = height, width
    return ImageInfo(
        format=name,
        width=width,
        height=height,
        mode=image.mode,
        exif_rotated=orientation != _UPRIGHT,
        n_frames=1 if name == "JPEG" else _n_frames(image),
        has_alpha=image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info,
        is_whole=_is_whole(name, data),
    )


def orientation_of(image: ImageFile, name: str) -> int:
    """EXIF orientation, 1 (upright) to 8; 1 where there is none or it cannot be read."""
    if name == "PNG" and "exif" not in image.info and "Raw profile type exif" not in image.info:
        return _UPRIGHT  # asking Pillow would decode the whole picture to look for a late EXIF chunk
    if name == "JPEG" and "exif" not in image.info and "xmp" not in image.info:
        return _UPRIGHT
    if name in ("GIF", "BMP", "JPEG2000"):
        return _UPRIGHT
    try:
        value = image.getexif().get(_EXIF_ORIENTATION, _UPRIGHT)
    except Exception:
        return _UPRIGHT
    return value if isinstance(value, int) and 1 <= value <= 8 else _UPRIGHT


def check_pixels(info: ImageInfo, max_pixels: int) -> None:
    """Refuse an image that is too large to decode.

    Raises:
        ImageError: more pixels than the limit.
    """
    if info.width * info.height > max_pixels:
        raise ImageError(
            f"the {info.format} image is {info.width} x {info.height} = {info.width * info.height:,} pixels; "
            f"the limit is {max_pixels:,}"
        )


def _n_frames(image: ImageFile) -> int:
    try:
        return int(getattr(image, "n_frames", 1)) if getattr(image, "is_animated", False) else 1
    except Exception:
        return 1


def _is_whole(name: str, data: bytes) -> bool:
    if name == "JPEG":
        return data.rfind(b"\xff\xd9") > _first_scan(data)
    if name == "PNG":
        return b"IEND" in data[-4096:]
    if name == "WEBP":
        return len(data) >= int.from_bytes(data[4:8], "little") + 8
    return True


def _first_scan(data: bytes) -> int:
    """Where the pixels of a JPEG begin: an end mark before it belongs to an embedded thumbnail."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xDA:
            return at
        if marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return len(data)


def _not_an_image(data: bytes) -> str:
    if not data:
        return "the image is empty (0 bytes)"
    start = bytes(data[:16])
    if start.lstrip().lower().startswith((b"<svg", b"<?xml")):
        return "the image is an SVG drawing; turn it into a PNG first"
    return f"the {len(data):,} bytes are no JPEG, PNG, WebP, GIF, BMP or TIFF; they begin {start!r}"


def _reason(error: BaseException) -> str:
    return str(error).replace("\n", " ")[:200] or type(error).__name__
