"""The floor: what a bare asyncio client needs for the same questions (read, base64, POST, regex, append a line).

python benchmarks/bare_client.py QUESTIONS.jsonl OUT.jsonl URL 64
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import sys
from pathlib import Path

import aiohttp


async def main() -> None:
    """Ask all questions with N in flight."""
    questions, out, url, n_in_flight = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    lines = Path(questions).read_text().splitlines()  # noqa: ASYNC240 - that is how a bare script does it
    rows = iter([json.loads(line) for line in lines])
    with open(out, "a") as log:  # noqa: ASYNC230 - that is how a bare script does it
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=n_in_flight)) as session:

            async def work() -> None:
                for row in rows:
                    raw = Path(row["image"]).read_bytes()  # noqa: ASYNC240 - as above
                    encoded = base64.b64encode(raw).decode()
                    image = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + encoded}}
                    content = [{"type": "text", "text": row["question"]}, image]
                    body = {"model": "mock-vlm", "messages": [{"role": "user", "content": content}]}
                    headers = {"content-type": "application/json"}
                    address = url + "/chat/completions"
                    async with session.post(address, data=json.dumps(body).encode(), headers=headers) as reply:
                        value = await reply.json()
                    text = value["choices"][0]["message"]["content"]
                    found = re.findall(r"Answer:\s*(\d+)", text)
                    record = {"id": row["id"], "text": text, "ok": bool(found) and found[-1] == row["answer"]}
                    log.write(json.dumps({**record, "usage": value["usage"]}) + "\n")
                    log.flush()

            await asyncio.gather(*[work() for _ in range(n_in_flight)])


asyncio.run(main())
