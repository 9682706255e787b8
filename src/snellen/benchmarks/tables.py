"""Where a public table comes from: the user's file, a live object, or the hub."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.benchmarks.fingerprints import fingerprint
from snellen.benchmarks.hub import HubSet, load_options, open_hub
from snellen.benchmarks.row_sources import ObjectRows, Row, RowSource, open_local
from snellen.errors import UsageError


class FirstRows:
    """The first rows of another source; implements `RowSource`."""

    def __init__(self, source: RowSource, n_rows: int) -> None:
        self.fingerprint = fingerprint([source.fingerprint, f"first {n_rows}"])
        self._source = source
        self._n_rows = n_rows

    def rows(
        self, positions: Sequence[int] | None = None, *, columns: Sequence[str] | None = None, start: int = 0
    ) -> Iterator[tuple[int, Row]]:
        """See `RowSource.rows`."""
        inside = range(self._n_rows) if positions is None else [p for p in positions if p < self._n_rows]
        return self._source.rows(inside, columns=columns, start=start)


def open_table(data: Any, wanted: HubSet, options: Mapping[str, Any]) -> tuple[RowSource, dict[str, Any]]:
    """Open rows from what the user gave, else from the hub.

    Args:
        data: a path, a `datasets` object or other rows, or None.
        wanted: the data set on the hub.
        options: load, max_scan, revision.

    Returns:
        The rows, and facts to record (source, revision, notes as a list that may grow).

    Raises:
        UsageError: --load or a revision for what is not loaded from the hub.
        BenchmarkError: the data cannot be had.
    """
    if data is None:
        hub = open_hub(wanted, options)
        return hub, hub.facts
    chosen = load_options(options)
    if chosen.revision is not None or chosen.mode == "full":
        raise UsageError("--load and a revision are for the hub; leave --data out, or them")
    is_path = isinstance(data, str | os.PathLike)
    source = open_local(Path(data)) if is_path else ObjectRows(data)
    facts: dict[str, Any] = {"source": str(data) if is_path else type(data).__name__, "notes": []}
    return (source if chosen.max_scan is None else FirstRows(source, chosen.max_scan)), facts
