"""Several processes, one run: under torchrun each rank asks its share, and the first rank finishes for all.

No process group is needed, only a shared folder: the first rank holds the run's lock and says when the run is open;
the others write logs of their own below `ranks/<k>/` and say when they are done. Who is gone is seen by its lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.errors import SnellenError, StoreError
from snellen.store import Log, make_folder, owner_of, read_json, read_log, write_json

_POLL_S = 0.1
START_S = 180.0
"""Seconds that the ranks wait for each other to begin; nothing heavy is loaded before."""


@dataclass(frozen=True, slots=True)
class Rank:
    """This process among those of a launcher."""

    number: int = 0
    """0 leads."""
    size: int = 1
    """Processes in all."""

    @property
    def leads(self) -> bool:
        """Whether this process holds the run's lock and finishes the run."""
        return self.number == 0

    @property
    def worker(self) -> str:
        """Name of this process's response log, "" when it is alone."""
        return f"rank{self.number}" if self.size > 1 else ""

    def share(self, positions: Sequence[int]) -> list[int]:
        """The positions that this process asks: every size-th."""
        return list(positions[self.number :: self.size])


def this_rank(env: Mapping[str, str] | None = None) -> Rank:
    """The rank that a launcher gave this process (RANK and WORLD_SIZE).

    >>> this_rank({"RANK": "1", "WORLD_SIZE": "4"}).share([0, 1, 2, 3, 4, 5])
    [1, 5]
    >>> this_rank({}).leads
    True
    """
    env = os.environ if env is None else env
    number, size = env.get("RANK", ""), env.get("WORLD_SIZE", "")
    if not (number.isdecimal() and size.isdecimal()) or int(number) >= int(size):
        return Rank()
    return Rank(int(number), int(size))


def own_folder(folder: Path, rank: Rank) -> Path:
    """Where a rank keeps its logs: the run directory for the first."""
    return folder if rank.leads else folder / "ranks" / str(rank.number)


def announce(folder: Path, rank: Rank) -> None:
    """The first rank says that the run is open; what earlier launches left is cleared before."""
    if rank.size > 1:
        ranks = folder / "ranks"
        make_folder(ranks)
        for path in (*ranks.glob("*/done.json"), *ranks.glob("*/started.json"), ranks / "finished.json"):
            path.unlink(missing_ok=True)
        write_json(ranks / "open.json", {"owner": owner_of(folder), "size": rank.size})


def wait_until_open(folder: Path, rank: Rank, *, wait_s: float = START_S) -> None:
    """A rank waits until the first has opened the run in this launch.

    Raises:
        StoreError: it does not open it in time, or was started with another number of processes.
    """
    until = time.monotonic() + wait_s
    while time.monotonic() < until:
        owner, said = owner_of(folder), _read(folder / "ranks" / "open.json")
        if owner is not None and said is not None and said.get("owner") == owner:
            if said.get("size") != rank.size:
                raise StoreError(f"{folder} is run by {said.get('size')} processes, this one is of {rank.size}")
            return
        time.sleep(_POLL_S)
    raise StoreError(f"rank {rank.number}: rank 0 did not open {folder} within {wait_s:g} s")


def report_started(folder: Path, rank: Rank) -> None:
    """A rank says that it takes part, its own lock being held."""
    write_json(own_folder(folder, rank) / "started.json", {})


def report_done(folder: Path, rank: Rank, *, problem: str = "") -> None:
    """A rank says that its share is asked, or why not."""
    with suppress(SnellenError):
        write_json(own_folder(folder, rank) / "done.json", {"problem": problem})


def wait_for_others(folder: Path, rank: Rank) -> list[str]:
    """The first rank waits for the shares of all others.

    Returns:
        What went wrong in them, one sentence each.
    """
    problems = []
    for number in range(1, rank.size):
        other = own_folder(folder, Rank(number, rank.size))
        said = _wait_for(other / "done.json", other, other / "started.json")
        if said is None and not (other / "started.json").exists():
            said = {"problem": f"did not begin within {START_S:g} s (where only one process calls: --no-ranks)"}
        problem = "ended without a word" if said is None else said.get("problem")
        if problem:
            problems.append(f"rank {number}: {problem}; its open questions are asked when the run is resumed")
    return problems


def report_finished(folder: Path, rank: Rank, facts: Mapping[str, Any]) -> None:
    """The first rank says that scores and reports are written."""
    if rank.size > 1:
        write_json(folder / "ranks" / "finished.json", {"facts": facts})


def wait_until_finished(folder: Path) -> dict[str, Any]:
    """A rank waits for the scores of the whole run.

    Returns:
        The facts of the run.

    Raises:
        StoreError: the first rank ended before it had finished.
    """
    said = _wait_for(folder / "ranks" / "finished.json", folder, folder / "ranks" / "open.json")
    if said is None:
        raise StoreError(f"rank 0 ended before it had finished {folder}; the same command resumes")
    facts: dict[str, Any] = said["facts"]
    return facts


def _wait_for(path: Path, lock_folder: Path, started: Path) -> dict[str, Any] | None:
    """Wait for a file while the process that is to write it lives, or has yet to start; None when it is gone."""
    until = time.monotonic() + START_S
    while (said := _read(path)) is None:
        gone = owner_of(lock_folder) is None
        if gone and (started.exists() or time.monotonic() > until):
            return _read(path)  # it may have written its last word just before it let the lock go
        time.sleep(_POLL_S)
    return said


def fold(folder: Path, fingerprint: str) -> None:
    """Move the samples that other ranks indexed into the run's own index; call it with the run's lock held."""
    for path in sorted((folder / "ranks").glob("*/samples.jsonl")):
        records = read_log(path)
        head = next(records, None)
        if head is not None and head.value is not None and head.value.get("fingerprint") == fingerprint:
            with Log(folder / "samples.jsonl") as log:
                for record in records:
                    if record.value is not None and "key" in record.value:
                        log.append(record.value)
        path.unlink()


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return read_json(path)
    except SnellenError:
        return None
