"""Images: read them from any source, look at their headers, bring them into the form a model is sent.

An image within the limits goes out byte for byte. Everything else that is done to it is said in `change`.
"""

from __future__ import annotations

from snellen.images.cache import PreparedCache
from snellen.images.headers import ImageInfo, inspect
from snellen.images.preparing import ImagePolicy, decode, prepare
from snellen.images.sources import read_bytes, sha256_hex

__all__ = [
    "ImageInfo",
    "ImagePolicy",
    "PreparedCache",
    "decode",
    "inspect",
    "prepare",
    "read_bytes",
    "sha256_hex",
]
