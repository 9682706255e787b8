"""Keep secrets out of everything that is written or printed.

Secrets are registered when they are read (an API key, a header's value, a password in a URL); every text that leaves
the process towards a file, a log or a terminal goes through `redact`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_SECRETS: list[str] = []
"""Longest first, so that a secret that holds another one is replaced whole."""
_MIN_LENGTH = 6  # shorter strings would blank out ordinary words
_PLACEHOLDERS = frozenset(
    ("ollama", "lm-studio", "lmstudio", "not-needed", "no-key-required", "sk-no-key-required", "unused", "anything",
     "placeholder", "nothing", "dummy-key", "no-api-key")
)  # fmt: skip
"""What people set where a server wants no key: no secrets, and often part of a model's name."""
_URL_PASSWORD = re.compile(r"(?<=://)[^/\s:@]{0,200}:[^/\s@]{1,200}(?=@)")
_BEARER = re.compile(r"(?i)(\bbearer\s+)[\w.~+/=-]{6,}")
_SECRET_FIELD = re.compile(r"(?i)(?:^|[_-])(?:api[_-]?key|secret|password|authorization|(?:access|auth)[_-]token)$")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|hf|gsk|xai|AIza)[-_][A-Za-z0-9_-]{12,}")
_QUERY_KEY = re.compile(r"(?i)([?&][\w-]{0,40}(?:key|token|sig|signature|secret|password|credential)=)[^&\s'\"]+")
MARK = "[redacted]"


def register_secret(value: str | None) -> None:
    """Remember a secret, so that `redact` replaces it wherever it turns up, also escaped for JSON, HTML or a URL."""
    if not value or len(value) < _MIN_LENGTH or value.lower() in _PLACEHOLDERS:
        return
    _SECRETS[:] = sorted({*_SECRETS, value, *_spellings(value)}, key=lambda secret: (-len(secret), secret))


def _spellings(value: str) -> Iterator[str]:
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield json.dumps(value)[1:-1]
    yield value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;")
    yield value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    from urllib.parse import quote

    yield quote(value, safe="", errors="replace")


def register_secret_fields(fields: Mapping[str, Any]) -> None:
    """Remember the values of request fields that are named like a secret (api_key, password, access_token)."""
    for name, value in fields.items():
        if isinstance(value, str) and _SECRET_FIELD.search(name):
            register_secret(value)
        elif isinstance(value, Mapping):
            register_secret_fields(value)


def redact(text: str) -> str:
    """Replace registered secrets, credentials in URLs and key-like words.

    >>> redact("GET http://me:hunter22@host/v1?api_key=abcdef123")
    'GET http://[redacted]@host/v1?api_key=[redacted]'
    """
    text = redact_known(text)
    text = _URL_PASSWORD.sub(MARK, text)
    text = _BEARER.sub(rf"\1{MARK}", text)
    text = _QUERY_KEY.sub(rf"\1{MARK}", text)
    return _KEY_LIKE.sub(MARK, text)


def redact_known(text: str) -> str:
    """Replace registered secrets only: for text that is not ours to change otherwise (a model's answer)."""
    for secret in _SECRETS:
        if secret in text:
            text = text.replace(secret, MARK)
    return text


def redact_line(line: bytes) -> bytes:
    """`redact_known` for an encoded log line."""
    for secret in _SECRETS:
        raw = secret.encode("utf-8", "surrogatepass")
        if raw in line:
            line = line.replace(raw, MARK.encode())
    return line
