"""An OpenAI-compatible server in a process of its own, with a model and several judges of known character.

`python judge_server.py LOG LATENCY_S` prints its port and serves until it is killed. Each request is one line of LOG.
Models: `m` answers, `good` compares the reference with what it is shown, `lenient` says yes, `garbled` says nothing
readable, `dying` is good for 25 requests and broken from then on.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

REFERENCE = re.compile(r"Reference(?: answer)?(?: \(any line is right\))?:\s*([^\n]+)")
SHOWN = re.compile(r"<<<answer (\w+)\n(.*?)\n\1 answer>>>", re.DOTALL)
DYING_AFTER = 25


def verdict(prompt: str, character: str) -> str:
    """What a judge replies: it quotes the answer, then gives its own verdict in the form it is asked for."""
    reference, shown = REFERENCE.search(prompt), SHOWN.search(prompt)
    text = shown[2] if shown else ""
    is_right = bool(reference) and re.search(
        rf"(?<![\w.-]){re.escape(reference[1].strip())}(?![\w])", text, re.IGNORECASE
    )
    if character == "garbled":
        return "As a language model I find both persuasive: truefalse."
    right = bool(is_right) or character == "lenient"
    if "[judge]" in prompt:
        return f"[reason] It says {text[:200]!r}. [judge] {right}"
    if prompt.rstrip().endswith("answer:") or "`answer: true`" in prompt:
        return f"answer: {str(right).lower()}"
    nonce = shown[1] if shown else ""
    return f"It says {text[:200]!r}.\nverdict {nonce}: {'correct' if right else 'incorrect'}"


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions."""

    protocol_version = "HTTP/1.1"
    log: Path
    latency_s: float
    counts: ClassVar[Counter[str]] = Counter()
    lock = threading.Lock()

    def do_POST(self) -> None:
        """One completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = body["model"]
        prompt = text_of(body["messages"][-1]["content"])
        with self.lock:
            self.counts[name] += 1
            n = self.counts[name]
            with self.log.open("a") as file:
                file.write(
                    json.dumps({"model": name, "hash": hashlib.sha256(prompt.encode()).hexdigest(), "n": n}) + "\n"
                )
        time.sleep(self.latency_s if name != "m" else 0.0)
        if name == "dying" and n > DYING_AFTER:
            return self.reply(500, {"error": {"message": "out of memory"}})
        text = "Answer: (7,6)" if name == "m" else verdict(prompt, name)
        return self.reply(200, {
            "id": "x", "object": "chat.completion", "model": name,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
        })  # fmt: skip

    def reply(self, status: int, value: dict[str, object]) -> None:
        """Send JSON."""
        data = json.dumps(value).encode()
        with suppress(BrokenPipeError, ConnectionResetError):  # the run was killed
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Quiet."""


def text_of(content: object) -> str:
    """Text parts of a message."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)  # type: ignore[attr-defined,union-attr]


if __name__ == "__main__":
    Handler.log, Handler.latency_s = Path(sys.argv[1]), float(sys.argv[2])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
