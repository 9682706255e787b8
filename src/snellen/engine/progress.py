"""What is known of a run while it goes on, and the score so far."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from snellen.types import Sample


@dataclass(slots=True)
class Progress:
    """Counters of a running examination; read by whoever draws them."""

    n_total: int = 0
    """Questions of the run, epochs included."""
    n_done: int = 0
    """Questions that have an outcome, earlier attempts included."""
    n_asked_now: int = 0
    """Outcomes of this attempt."""
    failures: Counter[str] = field(default_factory=Counter)
    """Failures by kind."""
    n_in: int = 0
    """Prompt tokens, all attempts."""
    n_out: int = 0
    """Completion tokens, all attempts."""
    in_flight: int = 0
    """Requests under way."""
    n_scored: int = 0
    """Answers scored so far."""
    sum_scores: float = 0.0
    """Their sum."""
    sum_squares: float = 0.0
    """Sum of their squares."""
    started: float = field(default_factory=time.monotonic)
    """Clock at the start of this attempt."""
    note: str = ""
    """One thing worth saying now (a warning, a stop)."""
    n_judged: int = 0
    """Verdicts so far."""

    def add_score(self, value: float) -> None:
        """Count one score."""
        self.n_scored += 1
        self.sum_scores += value
        self.sum_squares += value * value

    @property
    def mean(self) -> float:
        """Score so far; NaN before the first."""
        return self.sum_scores / self.n_scored if self.n_scored else math.nan

    @property
    def half_width(self) -> float:
        """Half of a 95 % interval (Wilson's, so not 0 where all are right), for the eye only; the report's is
        computed at the end.
        """
        n, z = self.n_scored, 1.96
        if n < 2:
            return math.nan
        variance = max(0.0, self.sum_squares / n - self.mean**2)
        return z / (1 + z * z / n) * math.sqrt(variance / n + z * z / (4 * n * n))

    @property
    def rate(self) -> float:
        """Outcomes a second in this attempt."""
        elapsed = time.monotonic() - self.started
        return self.n_asked_now / elapsed if elapsed > 0 else 0.0

    @property
    def eta_s(self) -> float:
        """Seconds to go at this rate; NaN while unknown."""
        return (self.n_total - self.n_done) / self.rate if self.rate > 0 else math.nan


class LiveScores:
    """Scores answers in a thread of its own while the run goes on, for the progress line only.

    The scores that count come at the end, from the logs. When scoring cannot keep up, answers are passed over.
    """

    def __init__(self, score: Callable[[Sample, str], float | None], progress: Progress) -> None:
        self._score = score
        self._progress = progress
        self._queue: queue.Queue[tuple[Sample, str] | None] = queue.Queue(maxsize=256)
        self._thread = threading.Thread(target=self._work, daemon=True, name="live-scores")
        self._thread.start()

    def put(self, sample: Sample, text: str) -> None:
        """Hand over one answer; returns at once."""
        try:
            self._queue.put_nowait((sample, text))
        except queue.Full:
            return

    def close(self) -> None:
        """Stop the thread."""
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            return

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            value = self._score(*item)
            if value is not None:
                self._progress.add_score(value)
