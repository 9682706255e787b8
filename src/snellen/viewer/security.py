"""Who may talk to the viewer: the person who was given the token, from this machine, from the viewer's own pages.

The guard stands before every page. Model text never decides anything here: pages escape it, and the policy below lets
nothing run or load that is not the viewer's own.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every page."""
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; sandbox"
)
"""Of a run's own `report.html`, which has its style inside: no script, no form, no request."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
MAX_BODY_BYTES = 16_384


class Guard:
    """Refuses requests for another host, from another origin, or without the token; adds the headers."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: Iterable[str], cookie: str) -> None:
        self.app = app
        self.token = token
        self.hosts = frozenset(hosts)
        self.cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], headers)
        by_query = self._query_token(scope)
        if not refusal and not (by_query or self._cookie_token(headers)):
            refusal = (403, "open the address that `snellen view` printed (it holds the key to this viewer)")
        if refusal:
            answer = PlainTextResponse(
                f"snellen: {refusal[1]}\n", refusal[0], {**HEADERS, "Cache-Control": "no-store"}
            )
            await answer(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(MutableHeaders(scope=message), set_cookie=by_query)
            await send(message)

        await self.app(scope, receive, send_guarded)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if host not in self.hosts:
            return 400, "this viewer answers on its own address only"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return 403, "requests from other sites are refused"
        from_elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if from_elsewhere and (method != "GET" or headers.get("sec-fetch-mode") != "navigate"):
            return 403, "requests from other sites are refused"
        if method not in ("GET", "HEAD", "POST"):
            return 405, "there is nothing to do that way"
        if method == "POST":
            return _bad_post(headers, origin)
        return None

    def _query_token(self, scope: Scope) -> bool:
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=100)
        return self._is_token(query.get("token", [""])[0])

    def _cookie_token(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return found is not None and self._is_token(found.value)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode("utf-8"))

    def _add_headers(self, headers: MutableHeaders, *, set_cookie: bool) -> None:
        for name, value in _defaults().items():
            headers.setdefault(name, value)
        if set_cookie:
            headers.append("Set-Cookie", f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict")


def _bad_post(headers: Headers, origin: str | None) -> tuple[int, str] | None:
    if origin is None:
        return 403, "a change must come from the viewer's own page"
    length = headers.get("content-length", "")
    if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
        return 413, f"a change holds at most {MAX_BODY_BYTES:,} bytes"
    return None


def _defaults() -> Mapping[str, str]:
    return {**HEADERS, "Content-Security-Policy": POLICY, "Cache-Control": "no-store"}


def form_token(token: str) -> str:
    """The word that a form of the viewer carries, so that no other page can make one; it does not tell the token."""
    return hmac.new(token.encode("utf-8"), b"snellen viewer form", "sha256").hexdigest()
