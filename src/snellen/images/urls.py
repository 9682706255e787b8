"""Fetch an image from an http(s) address: only when the user allowed it, with a cap on size and time."""

from __future__ import annotations

import urllib.error
import urllib.request
from http.client import HTTPMessage
from typing import IO

from snellen.errors import ImageError
from snellen.redaction import redact

AGENT = "snellen (image fetch)"


class _OnlyWeb(urllib.request.HTTPRedirectHandler):
    """Follows redirects to http and https only."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        """Refuse a redirect that leaves the web."""
        if not newurl.lower().startswith(("http://", "https://")):
            raise urllib.error.URLError(f"redirected to {redact(newurl)[:80]!r}, which is no web address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(url: str, *, max_bytes: int, timeout_s: float) -> bytes:
    """Download the bytes at a web address.

    Args:
        url: an http or https address.
        max_bytes: more than this is refused.
        timeout_s: seconds without a byte before giving up.

    Raises:
        ImageError: no web address, not reachable, an error status, or too large.
    """
    if not url.lower().startswith(("http://", "https://")):
        raise ImageError(f"the address {redact(url)[:80]!r} is no http or https address")
    request = urllib.request.Request(url, headers={"User-Agent": AGENT, "Accept": "image/*"})  # noqa: S310 - checked
    try:
        with urllib.request.build_opener(_OnlyWeb).open(request, timeout=timeout_s) as reply:
            data: bytes = reply.read(max_bytes + 1)
    except Exception as error:
        raise ImageError(f"the image at {redact(url)[:80]!r} could not be fetched: {redact(str(error))}") from None
    if len(data) > max_bytes:
        raise ImageError(f"the image at {redact(url)[:80]!r} is larger than {max_bytes:,} bytes")
    return data
