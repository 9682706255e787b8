"""A loopback chat-completions server that misbehaves on demand. Bounded: it serves until the test stops it.

What it does with a request is written in the question itself: `[fault:NAME]`. Counts what it saw.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections import Counter
from typing import Any

FAULT = re.compile(rb"\[fault:([a-z0-9-]+)\]")
QUESTION = re.compile(rb"\[q(\w+)\]")


def completion(text: Any = "Answer: 3", **changes: Any) -> dict[str, Any]:
    """A well-formed reply."""
    reply: dict[str, Any] = {
        "id": "x",
        "object": "chat.completion",
        "model": "served-model",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }
    reply.update(changes)
    return reply


class FaultyServer:
    """Serves in a thread of its own; use as a context manager."""

    def __init__(self, *, latency_s: float = 0.0, answer: str = "Answer: 3") -> None:
        self.latency_s = latency_s
        self.answer = answer
        self.seen: Counter[str] = Counter()
        """Question mark or body hash → requests."""
        self.answered: Counter[str] = Counter()
        """The same, for replies sent in full."""
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.max_in_flight = 0
        self.refuse = 0
        """Status to refuse every request with; 0 to answer."""
        self._in_flight = 0
        self._n_by_fault: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._started = threading.Event()
        self.port = 0

    @property
    def url(self) -> str:
        """Base address."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> FaultyServer:
        self._thread.start()
        assert self._started.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**26))
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])  # type: ignore[index]
                body = await reader.readexactly(length)
                self.headers.append(head.decode("latin-1"))
                if not await self._answer(head, body, writer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            return
        finally:
            writer.close()

    async def _answer(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> bool:
        mark = QUESTION.search(body)
        name = mark[1].decode() if mark else f"other-{len(body)}"
        self.seen[name] += 1
        self.bodies.append(json.loads(body))
        self._in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self._in_flight)
        try:
            await asyncio.sleep(self.latency_s)
            fault = FAULT.search(body)
            return await self._reply(fault[1].decode() if fault else "ok", name, writer)
        finally:
            self._in_flight -= 1

    async def _reply(self, fault: str, name: str, writer: asyncio.StreamWriter) -> bool:
        self._n_by_fault[name + fault] += 1
        n_before = self._n_by_fault[name + fault] - 1
        if self.refuse:
            return await _send(writer, self.refuse, b'{"error":{"message":"refused"}}')
        if fault == "429-twice" and n_before < 2:
            return await _send(writer, 429, b'{"error":{"message":"slow down"}}', "Retry-After: 0")
        if fault == "429-bare-once" and n_before < 1:
            return await _send(writer, 429, b"busy")
        if fault == "500-once" and n_before < 1:
            return await _send(writer, 500, b"Internal Server Error")
        if fault in STATUS:
            more = ["Location: http://elsewhere.example/v1?token=abc123"] if fault == "302" else []
            return await _send(writer, *STATUS[fault], *more)
        if fault == "reset":
            writer.transport.abort()
            return False
        if fault == "hang":
            await asyncio.sleep(60)
            return False
        if fault == "drip":
            return await self._drip(writer)
        if fault == "half":
            return await _send(writer, 200, json.dumps(completion()).encode()[:60])
        value = REPLIES.get(fault) or completion(self.answer)
        self.answered[name] += 1
        return await _send(writer, 200, json.dumps(value() if callable(value) else value).encode())

    async def _drip(self, writer: asyncio.StreamWriter) -> bool:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(300):
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.2)
        return False


STATUS: dict[str, tuple[int, bytes]] = {
    "500": (500, b"Internal Server Error"),
    "502-html": (502, b"<html><body><h1>502 Bad Gateway</h1></body></html>"),
    "400": (400, b'{"error":{"message":"image too small"}}'),
    "401": (401, b'{"error":{"message":"Incorrect API key provided: Bearer sk-test-0123456789abcdef"}}'),
    "404": (404, b'{"error":{"message":"no such model"}}'),
    "413": (413, b"too large"),
    "422": (422, b'{"detail":"unknown field"}'),
    "402": (402, b'{"error":{"message":"token budget exceeded"}}'),
    "429-quota": (429, b'{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}'),
    "302": (302, b""),
    "204": (204, b""),
    "201": (201, json.dumps(completion()).encode()),
}

REPLIES: dict[str, Any] = {
    "empty-choices": completion(choices=[]),
    "null": completion(None),
    "parts": completion([{"type": "text", "text": "Answer: "}, {"type": "text", "text": "3"}]),
    "missing-content": completion(choices=[{"index": 0, "message": {"role": "assistant"}, "finish_reason": "stop"}]),
    "10mb": lambda: completion("x" * 10_000_000 + "\nAnswer: 3"),
    "length": completion(choices=[{"message": {"content": "so far I"}, "finish_reason": "length"}]),
    "filter": completion(choices=[{"message": {"content": None}, "finish_reason": "content_filter"}]),
    "no-usage": completion(usage=None),
    "think": completion("<think>maybe 4 or 5</think>Answer: 3"),
    "reasoning": completion(
        choices=[{"message": {"content": "Answer: 3", "reasoning_content": "I count"}, "finish_reason": "stop"}]
    ),
    "refusal": completion("I'm sorry, I can't help with that."),
    "float-usage": completion(usage={"prompt_tokens": 10.0, "completion_tokens": 2.0}),
    "surrogate": completion("Answer: 3 \ud83d"),
}


async def _send(writer: asyncio.StreamWriter, status: int, body: bytes, *headers: str) -> bool:
    lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()
    return True
