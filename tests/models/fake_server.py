"""A stand-in for `vllm serve` and `transformers serve`: answers /health and chat completions, misbehaves on demand.

usage: fake_server.py serve MODEL --host H --port P [--die-after N] [--never-ready] [--fail] [--child FILE]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ARGS = sys.argv[1:]


def option(name: str) -> str | None:
    """Value behind an option, None when it is not given."""
    return ARGS[ARGS.index(name) + 1] if name in ARGS else None


class Handler(BaseHTTPRequestHandler):
    """Two routes."""

    n_answered = 0

    def do_GET(self) -> None:
        """Health."""
        self._reply(503 if "--never-ready" in ARGS else 200, {})

    def do_POST(self) -> None:
        """One chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Handler.n_answered += 1
        limit = option("--die-after")
        if limit is not None and Handler.n_answered > int(limit):
            os._exit(9)
        said = f"{body['model']} {'key' if self.headers['Authorization'] else 'no key'}"
        choice = {"message": {"content": said}, "finish_reason": "stop"}
        self._reply(200, {"model": body["model"], "choices": [choice]})

    def _reply(self, status: int, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


def main() -> None:
    """Serve until stopped."""
    print("stand-in starts", flush=True)
    if "--fail" in ARGS:
        sys.exit("no such model weights")
    if (file := option("--child")) is not None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
        with open(file, "w") as out:
            out.write(f"{os.getpid()} {child.pid}")
    time.sleep(0.2)
    ThreadingHTTPServer(("127.0.0.1", int(option("--port") or 0)), Handler).serve_forever()


if __name__ == "__main__":
    main()
