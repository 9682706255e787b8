"""Scoring over all cores, where that pays: document trees and formulas take milliseconds each, short texts do not."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.engine.scoring import Scoring

Job = tuple[dict[str, Any], int, dict[str, Any] | None]
"""(sample record, epoch, response record)."""

_HEAVY_MS = {
    "cc-ocr-doc_parsing": 20.0, "cc-ocr-kie": 10.0, "ocrbench-v2": 5.0, "mathvision": 3.0, "mathvista": 2.0,
    "pixmo_points_eval": 4.0,
}  # fmt: skip
_LIGHT_MS = 0.15
_WORTH_MS = 6_000.0  # below this the start of the workers costs more than they save
_CHUNK = 64


def is_worth_it(datasets: Iterable[tuple[str, int]]) -> bool:
    """Whether several processes would finish sooner.

    Args:
        datasets: (dataset, number of answers).
    """
    work_ms = sum(n * _HEAVY_MS.get(name, _LIGHT_MS) for name, n in datasets)
    return work_ms > _WORTH_MS and (os.cpu_count() or 1) > 1


def score_in_processes(scoring: Scoring, jobs: Iterator[Job]) -> Iterator[dict[str, Any]]:
    """Rows in the order of the jobs, made by one process a core; a bounded number of chunks is under way."""
    n_workers = os.cpu_count() or 1
    waiting: deque[Future[list[dict[str, Any]]]] = deque()
    # Spawned, not forked: the run path holds threads and sockets that a fork would copy in mid-air.
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
        while chunk := list(islice(jobs, _CHUNK)):
            waiting.append(pool.submit(_score_chunk, scoring, chunk))
            if len(waiting) > 2 * n_workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _score_chunk(scoring: Scoring, jobs: list[Job]) -> list[dict[str, Any]]:
    return [scoring.row(*job) for job in jobs]
