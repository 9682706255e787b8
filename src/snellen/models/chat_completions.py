"""A model behind any OpenAI-compatible chat-completions server: one attempt a call, typed errors, no retries here.

What real servers do is taken as it comes: content that is null, a list of parts or missing; reasoning in
`reasoning_content`, `reasoning` or tags; usage that is missing; HTML, half a JSON, 10 MB.
"""

from __future__ import annotations

import asyncio
import binascii
import os
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import aiohttp
import orjson

from snellen.answers.thinking import split_thinking
from snellen.errors import ModelError, UsageError
from snellen.redaction import redact, register_secret
from snellen.types import GenerationOptions, PreparedImage, Prompt, Response, Usage

DEFAULT_BASE_URL = "https://api.openai.com/v1"
MAX_REPLY_BYTES = 256 * 2**20
_EXCERPT_CHARS = 300
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class ChatCompletions:
    """`openai:NAME`: pooled connections, bodies built once as bytes."""

    takes_images = True

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 600.0,
    ) -> None:
        self.name = f"openai:{model}"
        self.model = model
        address = base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
        self.base_url = base_url_of(address)
        """Without credentials and query, which are sent and never shown."""
        self._query = urlsplit(address).query
        self._headers = _headers(_key(api_key), _login(address) | dict(headers or {}), self.base_url)
        self._timeout = aiohttp.ClientTimeout(total=timeout_s, sock_connect=min(timeout_s, 30.0))
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Ask once.

        Raises:
            ModelError: with kind, status and whether it may pass.
        """
        body = request_body(self.model, prompt, options)
        started = time.perf_counter()
        status, headers, raw = await self._post(body)
        if not 200 <= status < 300:
            raise _http_error(status, headers, raw, url=self.base_url, n_bytes=len(body))
        return read_reply(raw, latency_s=time.perf_counter() - started)

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        url = self.base_url + "/chat/completions"
        target = f"{url}?{self._query}" if self._query else url
        try:
            async with self._open_session().post(target, data=body, allow_redirects=False) as reply:
                return reply.status, reply.headers, await _read_bounded(reply)
        except TimeoutError as error:
            raise ModelError(
                f"{url}: no answer within {self._timeout.total:g} s (--timeout)", retryable=True, kind="timeout"
            ) from error
        except aiohttp.InvalidURL as error:
            raise ModelError(f"{redact(url)} is no address: {error}", kind="not_found") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # A ValueError is aiohttp's word for a reply that breaks HTTP (a bad chunk size, a bad header).
            message = redact(f"{url}: {type(error).__name__}: {error}")
            raise ModelError(message, retryable=True, kind="connection") from error

    def _open_session(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        if self._session is None or self._loop is not loop:
            proxies = any(os.environ.get(k) for k in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"))
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30),
                headers=self._headers,
                timeout=self._timeout,
                trust_env=proxies,
            )
            self._loop = loop
        return self._session

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    headers: Mapping[str, str] | None = None,
    timeout_s: float = 600.0,
    api_key: str | None = None,
    **_ignored: Any,
) -> ChatCompletions:
    """Open `openai:NAME`.

    Raises:
        UsageError: no name, or an address of the plain completions kind.
    """
    if not name:
        raise UsageError("openai: needs a model name, such as openai:gpt-4o-mini")
    return ChatCompletions(name, base_url=base_url, headers=headers, timeout_s=timeout_s, api_key=api_key)


def base_url_of(address: str) -> str:
    """Bring an address into the form http(s)://host[:port]/…/v1.

    >>> base_url_of("http://127.0.0.1:8000")
    'http://127.0.0.1:8000/v1'
    >>> base_url_of("http://127.0.0.1:8000/v1/chat/completions/")
    'http://127.0.0.1:8000/v1'
    >>> base_url_of("http://me:secret@127.0.0.1:8000/v1?key=secret")
    'http://127.0.0.1:8000/v1'

    Raises:
        UsageError: it is no http address, or one of the plain completions kind, which takes no images.
    """
    try:
        parts = urlsplit(address)
        password = parts.password
    except ValueError as error:
        raise UsageError(f"--base-url {redact(address)} is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--base-url must begin with http:// or https:// and name a host, got {redact(address)!r}")
    register_secret(password)
    for value in parse_qs(parts.query).values():
        register_secret(value[-1])
    path = parts.path.rstrip("/")
    if path.endswith("/chat/completions"):
        path = path.removesuffix("/chat/completions")
    elif path.endswith("/completions"):
        raise UsageError(
            f"{redact(address)} is a plain completions endpoint, which takes no images; "
            "give the server's chat address (…/v1)"
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path or '/v1'}"


def _login(address: str) -> dict[str, str]:
    """The header that carries the user and the password of an address; {} where it has none."""
    parts = urlsplit(address)
    if not parts.username and not parts.password:
        return {}
    login = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    register_secret(unquote(parts.password or parts.username or ""))
    return {"Authorization": "Basic " + binascii.b2a_base64(login.encode("utf-8"), newline=False).decode("ascii")}


def _key(given: str | None) -> str | None:
    """The key to send: the variable's where none is given; "" sends none."""
    return (os.environ.get("OPENAI_API_KEY") or "").strip() if given is None else given


def _headers(api_key: str | None, extra: Mapping[str, str], base_url: str) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if api_key:
        register_secret(api_key)
        headers["Authorization"] = f"Bearer {api_key}"
    for name, value in extra.items():
        register_secret(value)
        register_secret(value.partition(" ")[2])
        headers = {known: text for known, text in headers.items() if known.lower() != name.lower()}
        headers[name] = value
    for name, value in headers.items():
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in name + value):
            raise UsageError(f"the request header {name!r} holds a line break or a control character")
    if not api_key and not extra and urlsplit(base_url).hostname == "api.openai.com":
        raise UsageError("no API key: set the variable OPENAI_API_KEY (or give --base-url for another server)")
    return headers


def request_body(model: str, prompt: Prompt, options: GenerationOptions) -> bytes:
    """The JSON body: text and image parts in order, options last; a param of null leaves that field out.

    >>> from snellen.types import TextPart
    >>> prompt = Prompt("q1", (TextPart("Hi"),))
    >>> request_body("m", prompt, GenerationOptions(max_tokens=5, params={"temperature": None}))
    b'{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":5}'
    """
    head: dict[str, Any] = {"model": model}
    messages = [_dumps({"role": "system", "content": prompt.system})] if prompt.system is not None else []
    tail: dict[str, Any] = {}
    if "max_completion_tokens" not in options.params:
        tail["max_tokens"] = options.max_tokens
    tail["temperature"] = options.temperature
    tail.update(options.params)
    tail = {key: value for key, value in tail.items() if value is not None}
    pieces = [_dumps(head)[:-1], b',"messages":[', *(message + b"," for message in messages)]
    pieces += [b'{"role":"user","content":', *_content(prompt), b"}]"]
    pieces += [b"," + _dumps(tail)[1:]] if tail else [b"}"]
    # Joined once: an image of megabytes is copied as its base64 bytes, never decoded, escaped or validated again.
    return b"".join(pieces)


def _dumps(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # lone surrogates in a benchmark's text: JSON can escape what UTF-8 cannot carry
        import json

        return json.dumps(value).encode("ascii")


def _content(prompt: Prompt) -> list[bytes]:
    """The user message's content as pieces of JSON."""
    if not any(isinstance(part, PreparedImage) for part in prompt.parts):
        return [_dumps("\n".join(part.text for part in prompt.parts if not isinstance(part, PreparedImage)))]
    pieces = [b"["]
    for part in prompt.parts:
        if isinstance(part, PreparedImage):
            opening = f'{{"type":"image_url","image_url":{{"url":"data:{part.mime};base64,'
            pieces += [opening.encode("ascii"), binascii.b2a_base64(part.data, newline=False), b'"}},']
        else:
            pieces.append(_dumps({"type": "text", "text": part.text}) + b",")
    pieces[-1] = pieces[-1][:-1]
    return [*pieces, b"]"]


async def _read_bounded(reply: aiohttp.ClientResponse) -> bytes:
    if (reply.content_length or 0) > MAX_REPLY_BYTES:
        raise ModelError(f"the reply has {reply.content_length} bytes, more than any answer", kind="bad_reply")
    chunks, n_bytes = [], 0
    async for chunk in reply.content.iter_any():
        n_bytes += len(chunk)
        if n_bytes > MAX_REPLY_BYTES:
            raise ModelError(f"the reply has over {MAX_REPLY_BYTES} bytes, more than any answer", kind="bad_reply")
        chunks.append(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


_KINDS = {400: "bad_request", 401: "auth", 402: "no_credit", 403: "auth", 404: "not_found", 408: "timeout",
          413: "too_large", 422: "bad_request", 429: "rate_limit"}  # fmt: skip


def _http_error(status: int, headers: Mapping[str, str], raw: bytes, *, url: str, n_bytes: int) -> ModelError:
    kind = _KINDS.get(status, "server" if status >= 500 else "bad_request")
    said = _excerpt(raw)
    message = f"{redact(url)}: HTTP {status}: {said}" if said else f"{redact(url)}: HTTP {status}"
    if kind == "too_large":
        message += f" (the request had {n_bytes} bytes; lower --max-side or set --max-image-bytes)"
    if 300 <= status < 400 and headers.get("Location"):
        message += f" (it sends on to {redact(headers['Location'])[:200]}; give that address with --base-url)"
    if status == 429 and b"insufficient_quota" in raw[:4000]:  # no rate limit: waiting does not help
        kind = "no_credit"
    retryable = (status in (408, 409, 425, 429) or status >= 500) and kind != "no_credit"
    return ModelError(message, retryable=retryable, status=status, kind=kind, retry_after_s=_retry_after_s(headers))


def _excerpt(raw: bytes) -> str:
    """What the server said, shortened, on one line, without secrets."""
    text = raw[:4000].decode("utf-8", "replace")
    try:
        value = orjson.loads(raw)
        error = value.get("error", value) if isinstance(value, dict) else value
        text = str(error.get("message") or error) if isinstance(error, dict) else str(error)
    except orjson.JSONDecodeError:
        pass
    flat = " ".join(redact(text).split())
    return flat[:_EXCERPT_CHARS] + ("…" if len(flat) > _EXCERPT_CHARS else "")


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    value = headers.get("Retry-After")
    if value is None:
        return None
    try:
        wait_s = float(value)
    except ValueError:
        wait_s = _seconds_until(value)
    return wait_s if 0 <= wait_s < 86_400 else None


def _seconds_until(http_date: str) -> float:
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(http_date).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return -1.0


def read_reply(raw: bytes, *, latency_s: float) -> Response:
    """A 200 reply as a Response.

    Raises:
        ModelError: it is no JSON, or holds no choice.
    """
    value = _parse(raw)
    if not isinstance(value, dict):
        raise _bad_reply(f"the reply is a {type(value).__name__}, not an object")
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _bad_reply(f"the reply has no choices: {_excerpt(raw)}")
    message = choices[0].get("message")
    message = message if isinstance(message, dict) else {}
    text, thought = split_thinking(_text_of(message.get("content"), choices[0].get("text")))
    reasoning = _text_of(message.get("reasoning_content"), message.get("reasoning"))
    return Response(
        text=text or _text_of(message.get("refusal"), None),
        reasoning="\n".join(part for part in (reasoning, thought) if part),
        finish_reason=str(choices[0].get("finish_reason") or ""),
        usage=_usage(value.get("usage")),
        latency_s=latency_s,
        served_model=str(value.get("model") or ""),
    )


def _parse(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        import json

        try:  # half of an emoji (a lone surrogate) is valid JSON to the rest of the world
            return json.loads(raw)
        except (ValueError, RecursionError):
            raise _bad_reply(f"the reply is no JSON ({error}): {_excerpt(raw)}") from error


def _bad_reply(message: str) -> ModelError:
    return ModelError(message, retryable=True, status=200, kind="bad_reply")


def _text_of(content: Any, otherwise: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        pieces = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "".join(piece for piece in pieces if isinstance(piece, str))
    return otherwise if isinstance(otherwise, str) else ""


def _usage(value: Any) -> Usage:
    if not isinstance(value, dict):
        return Usage()
    details = value.get("completion_tokens_details")
    reasoning = details.get("reasoning_tokens") if isinstance(details, dict) else None
    return Usage(_count(value.get("prompt_tokens")), _count(value.get("completion_tokens")), _count(reasoning))


def _count(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None
