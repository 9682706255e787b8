"""Shared fixtures: small data sets with drawn images, and a way to call the command line as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Started in the background, where Ctrl-C is ignored and children inherit that: the tests press it for real.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED = Path(os.environ.get("SNELLEN_SHARED", Path(__file__).parents[2] / "shared"))


@pytest.fixture
def shared() -> Path:
    """The folder of real data beside the checkout; skips where it is not."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"no shared data at {SHARED}")
    return SHARED


def write_questions(folder: Path, questions: list[str], *, answer: str = "3") -> Path:
    """A JSONL of questions, each with a small picture of its own."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rows = []
    for i, question in enumerate(questions):
        picture = Image.new("RGB", (48, 32), (i * 7 % 255, 90, 200 - i % 200))
        ImageDraw.Draw(picture).text((4, 8), str(i), fill="white")
        path = folder / "images" / f"{i}.png"
        picture.save(path)
        rows.append({"id": f"q{i}", "image": f"images/{i}.png", "question": question, "answer": answer})
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture
def questions(tmp_path: Path) -> Callable[..., Path]:
    """Factory: (list of question texts) → path of a JSONL with pictures."""
    return lambda texts, **more: write_questions(tmp_path / "data", texts, **more)


def snellen(*args: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None, timeout_s: float = 120):
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "snellen", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        check=False,
    )
