"""An instant chat-completions server on loopback for benchmarks: reads the body, counts, replies; never looks inside.

python benchmarks/mock_server.py --port 8931 [--latency 1.0] [--lognormal]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re

LENGTH = re.compile(rb"(?i)content-length: *(\d+)")
REPLY = json.dumps(
    {
        "id": "bench",
        "object": "chat.completion",
        "model": "mock-vlm",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Answer: 3"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1100, "completion_tokens": 4, "total_tokens": 1104},
    }
).encode()
COUNTS = {"requests": 0, "in_flight": 0, "max_in_flight": 0, "first": 0.0, "last": 0.0}


def _http(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, options: argparse.Namespace) -> None:
    loop = asyncio.get_running_loop()
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"GET /stats"):
                writer.write(_http(json.dumps(COUNTS).encode()))
                continue
            found = LENGTH.search(head)
            COUNTS["first"] = COUNTS["first"] or loop.time()
            await reader.readexactly(int(found[1]) if found else 0)
            COUNTS["requests"] += 1
            COUNTS["in_flight"] += 1
            COUNTS["max_in_flight"] = max(COUNTS["max_in_flight"], COUNTS["in_flight"])
            if options.latency:
                factor = random.lognormvariate(0, 1) if options.lognormal else 1.0
                await asyncio.sleep(options.latency * factor)
            COUNTS["in_flight"] -= 1
            COUNTS["last"] = loop.time()
            writer.write(_http(REPLY))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        return
    finally:
        writer.close()


async def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8931)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--lognormal", action="store_true")
    options = parser.parse_args()
    random.seed(0)
    server = await asyncio.start_server(
        lambda r, w: _serve(r, w, options), "127.0.0.1", options.port, limit=2**22, backlog=512
    )
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
