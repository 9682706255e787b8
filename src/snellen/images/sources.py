"""Any image source → the original encoded bytes. Nothing is decoded here, except a live PIL image."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from snellen.errors import ImageError
from snellen.images.headers import format_of
from snellen.redaction import redact
from snellen.types import ImageSource

MAX_ENCODED_BYTES = 256 * 1024 * 1024
"""Files and downloads beyond this are refused before they are read."""
MAX_PATH_CHARS = 4096
URL_TIMEOUT_S = 30.0

_BASE64_STARTS = ("/9j/", "iVBORw0KGgo", "R0lGOD", "UklGR", "SUkqA", "TU0AK")
"""How JPEG, PNG, GIF, WebP and TIFF begin in base64: "/9j/" must not be taken for an absolute path."""
_BASE64_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_")


def sha256_hex(data: bytes) -> str:
    """Content hash of encoded image bytes, as used in file names and prompt keys.

    >>> sha256_hex(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(data).hexdigest()


def read_bytes(source: ImageSource, *, root: Path | None = None, allow_urls: bool = False) -> bytes:
    """Fetch the original encoded bytes of an image, whatever form its benchmark holds it in.

    Args:
        source: bytes, a path (str or Path), a data URI, bare base64 (white space and missing padding are mended),
            a mapping with "bytes" and/or "path", or a PIL image (encoded as PNG).
        root: folder that relative paths start from and may not leave; None is the working directory.
        allow_urls: whether http and https addresses may be fetched.

    Returns:
        The bytes as they are stored (not checked to be an image: see `inspect`).

    Raises:
        ImageError: the source is empty, missing, too large, of an unknown kind, or a URL that is not allowed.

    >>> read_bytes("data:image/gif;base64,R0lG ODlh")
    b'GIF89a'
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return _not_empty(bytes(source))
    if isinstance(source, Mapping):
        return _from_mapping(source, root, allow_urls)
    if isinstance(source, str):
        return _not_empty(_from_text(source, root, allow_urls))
    if isinstance(source, os.PathLike):
        return _not_empty(_from_path(os.fspath(source), root))
    if source is None:
        raise ImageError("there is no image in this place (the value is empty)")
    if hasattr(source, "save") and hasattr(source, "size"):
        return _from_pil(source)
    raise ImageError(
        f"an image source of type {type(source).__name__} is not understood; give bytes, a path, a data URI, base64, "
        'a mapping with "bytes" or "path", or a PIL image'
    )


def _not_empty(data: bytes) -> bytes:
    if not data:
        raise ImageError("the image is empty (0 bytes)")
    return data


def _from_mapping(source: Mapping[Any, Any], root: Path | None, allow_urls: bool) -> bytes:
    for key in ("bytes", "path", "url"):
        if source.get(key) is not None:
            return read_bytes(source[key], root=root, allow_urls=allow_urls)
    raise ImageError(f'an image mapping needs "bytes" or "path", got the keys {sorted(map(str, source))[:8]}')


def _from_text(text: str, root: Path | None, allow_urls: bool) -> bytes:
    stripped = text.strip()
    scheme = stripped[:8].lower()
    if scheme.startswith("data:"):
        return _from_data_uri(stripped)
    if scheme.startswith(("http://", "https://")):
        return _from_url(stripped, allow_urls)
    if scheme.startswith(("file:", "ftp:", "s3:", "gs:")):
        raise ImageError(
            f"the address {_short(stripped)} is not read; give a plain path, or http(s) with --allow-urls"
        )
    if not stripped:
        raise ImageError("there is no image in this place (the text is empty)")
    if stripped.startswith(_BASE64_STARTS) or len(stripped) > MAX_PATH_CHARS:
        return _from_base64(stripped)
    return _from_path_or_base64(text, stripped, root)


def _from_path_or_base64(text: str, stripped: str, root: Path | None) -> bytes:
    """A short text is a path unless no such file exists and it spells an image in base64."""
    try:
        return _from_path(text, root)
    except ImageError:
        if len(stripped) < 32 or not _BASE64_ALPHABET.issuperset("".join(stripped.split())):
            raise
        data = _from_base64(stripped)
        if format_of(data) is None:
            raise
        return data


def _from_data_uri(uri: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma:
        raise ImageError(f"the data URI {_short(uri)} has no comma and so no data")
    if head.lower().rstrip().endswith(";base64"):
        return _from_base64(body)
    return unquote_to_bytes(body)


def _from_base64(text: str) -> bytes:
    compact = "".join(text.split()).rstrip("=")
    if "%" in compact[-4:] or "%2" in compact:
        compact = unquote_to_bytes(compact).decode("latin-1").rstrip("=")
    if "-" in compact or "_" in compact:
        compact = compact.replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ImageError(f"the text {_short(text)} is neither a path nor readable base64 ({error})") from None


def _from_path(path: str | bytes, root: Path | None) -> bytes:
    where = _locate(os.fsdecode(path), root)
    try:
        state = os.stat(where)
        if not stat.S_ISREG(state.st_mode):
            raise ImageError(f"the image path {_short(str(where))} is no regular file")
        if state.st_size > MAX_ENCODED_BYTES:
            raise ImageError(f"the image file {_short(str(where))} has {state.st_size:,} bytes; {_limit()}")
        with open(where, "rb") as file:
            return file.read(MAX_ENCODED_BYTES + 1)
    except FileNotFoundError:
        raise ImageError(f"the image file {_short(str(where))} does not exist") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ImageError(f"the image file {_short(str(where))} cannot be read: {reason}") from None


def _locate(path: str, root: Path | None) -> Path:
    """Symbolic links are followed (hub caches are made of them); only a written ".." can leave the root."""
    if os.path.isabs(path) or root is None:
        return Path(path)
    inside = os.path.normpath(path.replace("\\", "/") if os.sep == "/" and "\\" in path else path)
    if inside == os.pardir or inside.startswith(os.pardir + os.sep):
        raise ImageError(f"the image path {_short(path)} leaves the folder of its benchmark, {root}")
    return root / inside


def _from_url(url: str, allow_urls: bool) -> bytes:
    if not allow_urls:
        raise ImageError(f"the image is at {_short(redact(url))}, and addresses are only fetched with --allow-urls")
    from snellen.images.urls import fetch

    return fetch(url, max_bytes=MAX_ENCODED_BYTES, timeout_s=URL_TIMEOUT_S)


def _from_pil(image: Any) -> bytes:
    import io

    from PIL import ImageOps

    try:
        upright = ImageOps.exif_transpose(image) or image
        if upright.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I"):
            upright = upright.convert("RGB")
        buffer = io.BytesIO()
        upright.save(buffer, "PNG", compress_level=1)
    except Exception as error:
        raise ImageError(f"a PIL image could not be encoded: {type(error).__name__}: {error}") from error
    return buffer.getvalue()


def _limit() -> str:
    return f"the limit is {MAX_ENCODED_BYTES:,}"


def _short(text: str, n_chars: int = 80) -> str:
    return repr(text if len(text) <= n_chars else text[: n_chars - 1] + "…")
