"""One line on the terminal while a run goes on."""

from __future__ import annotations

import math
import shutil
from typing import TextIO

from snellen.engine.progress import Progress
from snellen.redaction import redact


class ProgressLine:
    """Redraws itself in place; a warning gets a line of its own above it, once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._said: set[str] = set()

    def draw(self, progress: Progress) -> None:
        """Draw the counters; cut to the width of the terminal."""
        width = shutil.get_terminal_size((80, 24)).columns
        if progress.note and progress.note not in self._said:
            self._said.add(progress.note)
            self._stream.write(f"\r\x1b[K{redact(progress.note)}\n")
        self._stream.write("\r\x1b[K" + line(progress, width - 1))
        self._stream.flush()


def line(progress: Progress, width: int) -> str:
    """The line as text of at most `width` characters.

    >>> line(Progress(n_total=10, n_done=5), 24)
    '━━━━━╌╌╌╌╌ 5/10'
    """
    share = progress.n_done / progress.n_total if progress.n_total else 0.0
    filled = min(10, int(10 * share))
    parts = [f"{'━' * filled}{'╌' * (10 - filled)} {progress.n_done}/{progress.n_total}"]
    if progress.n_scored:
        half = progress.half_width
        parts.append(f"score {100 * progress.mean:.1f}" + ("" if math.isnan(half) else f" ± {100 * half:.1f}"))
    if progress.failures:
        parts.append(" ".join(f"{n} {kind}" for kind, n in progress.failures.most_common(3)))
    if progress.n_in or progress.n_out:
        parts.append(f"{_short(progress.n_in + progress.n_out)} tok")
    if progress.rate > 0:
        parts.append(f"{progress.rate:.1f}/s")
    if not math.isnan(progress.eta_s) and progress.n_done < progress.n_total:
        parts.append(f"ETA {_time(progress.eta_s)}")
    text = parts[0]
    for part in parts[1:]:
        if len(text) + 2 + len(part) <= width:
            text += "  " + part
    return text[:width]


def _short(n: int) -> str:
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if n >= size:
            return f"{n / size:.1f}{letter}"
    return str(n)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
