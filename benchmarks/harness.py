"""What the harness itself costs: snellen beside a bare asyncio client, in turn, against an instant loopback server.

    python benchmarks/harness.py            500 and 5,000 questions, latency runs, start-up
    python benchmarks/harness.py --quick    500 questions only

CPU is user + system of the whole process tree (wait4); memory is the peak of its summed RSS, sampled every 20 ms;
disk is what the kernel says was written. Ratios are medians over rounds in which both run in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from PIL import Image, ImageDraw

HERE = Path(__file__).parent
PORT = 8931
URL = f"http://127.0.0.1:{PORT}/v1"
FIGURES = (("cpu_s", "CPU s"), ("wall_s", "wall s"), ("span_s", "first to last request s"), ("peak_mb", "peak MB"))
IN_FLIGHT = 64


@dataclass(frozen=True)
class Measured:
    """One finished process."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    written_mb: float
    span_s: float
    requests: int


def make_data(folder: Path, n_pictures: int, n_questions: int) -> Path:
    """Photo-sized JPEGs (1024 × 768, about 180 KB) and questions about them."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    low = rng.integers(0, 255, (96, 128, 3), dtype=np.uint8)
    for i in range(n_pictures):
        path = folder / f"{i:04}.jpg"
        if not path.exists():
            base = np.asarray(Image.fromarray(np.roll(low, i, axis=1)).resize((1024, 768))).astype(np.int16)
            noise = rng.normal(0, 4, (768, 1024, 1)).astype(np.int16)
            picture = Image.fromarray(np.clip(base + noise, 0, 255).astype(np.uint8))
            ImageDraw.Draw(picture).text((20, 20), f"q{i}", fill="white")
            picture.save(path, quality=85)
    file = folder / f"questions-{n_questions}.jsonl"
    with file.open("w") as out:
        for i in range(n_questions):
            image = str((folder / f"{i % n_pictures:04}.jpg").resolve())
            question = f"[q{i}] How many circles are there? End with 'Answer: N'."
            out.write(
                json.dumps({"id": f"q{i}", "image": image, "question": question, "answer": "34"[i % 5 > 2]}) + "\n"
            )
    return file


class Server:
    """A fresh mock server for one measurement."""

    def __init__(self, *more: str) -> None:
        command = [sys.executable, str(HERE / "mock_server.py"), "--port", str(PORT), *more]
        self._process = subprocess.Popen(command)
        for _ in range(200):
            try:
                self.stats()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the mock server did not start")

    def stats(self) -> dict[str, float]:
        """Counters of the server."""
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/stats", timeout=5) as reply:
            value: dict[str, float] = json.load(reply)
            return value

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


def measure(command: list[str], *server_options: str) -> Measured:
    """Run one command against a fresh server."""
    server = Server(*server_options)
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    peak, written, usage, status = 0.0, 0.0, None, 0
    process = psutil.Process(child.pid)
    while usage is None:
        try:
            tree = [process, *process.children(recursive=True)]
            peak = max(peak, sum(one.memory_info().rss for one in tree) / 1e6)
            written = process.io_counters().write_bytes / 1e6
        except psutil.Error:
            pass
        pid, status, rusage = os.wait4(child.pid, os.WNOHANG)
        usage = rusage if pid else None
        time.sleep(0.02)
    wall_s = time.monotonic() - started
    stats = server.stats()
    server.stop()
    if status != 0:
        raise RuntimeError(f"{command} failed: {child.stderr.read().decode() if child.stderr else ''}")
    cpu_s = usage.ru_utime + usage.ru_stime
    return Measured(cpu_s, wall_s, peak, written, stats["last"] - stats["first"], int(stats["requests"]))


def bare(questions: Path, folder: Path) -> list[str]:
    """Command of the bare client."""
    return [
        sys.executable,
        str(HERE / "bare_client.py"),
        str(questions),
        str(folder / "bare.jsonl"),
        URL,
        str(IN_FLIGHT),
    ]


def ours(questions: Path, folder: Path) -> list[str]:
    """Command of snellen, everything on but the sight check (three requests more)."""
    return [
        sys.executable, "-m", "snellen", "run", f"file:{questions}", "--model", "openai:mock-vlm", "--base-url", URL,
        "--concurrency", str(IN_FLIGHT), "--out", str(folder / "runs"), "--no-sight-check", "--quiet",
        "--scorer", "number",
    ]  # fmt: skip


def pairs(questions: Path, n_rounds: int, *server_options: str) -> tuple[list[Measured], list[Measured], int]:
    """Both in turn, n times; also the bytes snellen keeps on disk."""
    theirs, own, kept = [], [], 0
    for _ in range(n_rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            theirs.append(measure(bare(questions, folder), *server_options))
            own.append(measure(ours(questions, folder), *server_options))
            kept = sum(path.stat().st_size for path in (folder / "runs").rglob("*") if path.is_file())
    return theirs, own, kept


def median(values: list[Measured], name: str) -> float:
    """Median of one figure."""
    return statistics.median(getattr(value, name) for value in values)


def report(title: str, theirs: list[Measured], own: list[Measured]) -> None:
    """One line a figure: bare, snellen, ratio or difference."""
    print(f"\n{title}")
    for name, unit in (
        ("cpu_s", "CPU s"),
        ("wall_s", "wall s"),
        ("span_s", "first to last request s"),
        ("peak_mb", "peak MB"),
    ):
        a, b = median(theirs, name), median(own, name)
        print(f"  {unit:<26} bare {a:8.2f}   snellen {b:8.2f}   ratio {b / a:5.2f}   difference {b - a:+8.2f}")


def start_up() -> None:
    """CPU of the start alone."""
    print("\nstart-up (CPU s, best of 7)")
    for title, command in (
        ("snellen --help", [sys.executable, "-m", "snellen", "--help"]),
        ("import snellen", [sys.executable, "-c", "import snellen"]),
        ("python alone", [sys.executable, "-c", "pass"]),
    ):
        best = min(_cpu_s(command) for _ in range(7))
        print(f"  {title:<26} {best:.3f}")


def _cpu_s(command: list[str]) -> float:
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data", type=Path, default=Path(tempfile.gettempdir()) / "snellen-bench")
    options = parser.parse_args()
    small = make_data(options.data, 500, 500)
    theirs, own, kept = pairs(small, options.rounds)
    report("500 JPEG questions, 64 in flight, no latency", theirs, own)
    written = median(own, "written_mb")
    print(f"  kept on disk {kept / 1e6:.2f} MB ({kept / 500 / 1e3:.2f} KB a sample), written {written:.2f} MB")
    start_up()
    if options.quick:
        return
    large = make_data(options.data, 500, 5000)
    theirs_large, own_large, _ = pairs(large, 1)
    report("5,000 questions", theirs_large, own_large)
    marginal = [(median(many, "cpu_s") - median(few, "cpu_s")) / 4500 * 1e3
                for many, few in ((theirs_large, theirs), (own_large, own))]  # fmt: skip
    both = f"bare {marginal[0]:.3f}   snellen {marginal[1]:.3f}   ratio {marginal[1] / marginal[0]:.2f}"
    print(f"  marginal CPU ms a sample    {both}")
    print(f"  peak MB, 5,000 less 500     snellen {median(own_large, 'peak_mb') - median(own, 'peak_mb'):+.1f}")
    constant = measure(ours(small, Path(tempfile.mkdtemp())), "--latency", "1.0")
    print(f"\n1 s constant latency, 500 questions: {constant.span_s:.2f} s from first to last request")
    report("log-normal latency (median 0.5 s)", *pairs(small, 1, "--latency", "0.5", "--lognormal")[:2])
    shutil.rmtree(options.data / "runs", ignore_errors=True)


if __name__ == "__main__":
    main()
