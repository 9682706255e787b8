"""Which samples of a benchmark a run asks: a limit, a stratified draw, a shard. Pure and seeded."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import islice

from snellen.errors import UsageError
from snellen.types import IndexRow


def select(
    index: Iterable[IndexRow],
    *,
    limit: float | None = None,
    per_category: int | None = None,
    seed: int = 0,
    shard: tuple[int, int] = (0, 1),
) -> list[int]:
    """Positions to run, ascending.

    Args:
        index: all samples of the benchmark.
        limit: first N (≥ 1) or that share (< 1) of what is left after the stratified draw.
        per_category: N drawn at random from each category; a category that has fewer gives all.
        seed: of the draw; another seed draws others.
        shard: 0-based (k, n): every n-th of the chosen, from the k-th.

    Returns:
        Ascending positions; rows of one circular group stay together in a stratified draw.

    Raises:
        UsageError: nothing is left.
    """
    alone = per_category is None and limit is not None and limit >= 1
    rows = list(islice(index, int(limit or 0)) if alone else index)  # a limit alone reads no further
    if per_category is not None:
        rows = _stratified(rows, per_category, seed)
    if limit is not None:
        n_kept = int(limit) if limit >= 1 else max(1, round(limit * len(rows)))
        rows = rows[:n_kept]
    k, n = shard
    chosen = [row.position for row in rows][k::n]
    if not chosen:
        raise UsageError("no sample is left to run: the benchmark is empty, or --limit/--shard leaves nothing")
    return chosen


def _stratified(rows: list[IndexRow], n_each: int, seed: int) -> list[IndexRow]:
    units: dict[str, dict[str, list[IndexRow]]] = {}
    for row in rows:
        unit = f"group {row.group}" if row.group else f"row {row.position}"
        units.setdefault(row.category, {}).setdefault(unit, []).append(row)
    drawn: list[IndexRow] = []
    for category, members in units.items():
        rng = random.Random(f"{seed}|{category}")
        names = sorted(members)
        for name in rng.sample(names, min(n_each, len(names))):
            drawn.extend(members[name])
    return sorted(drawn, key=lambda row: row.position)
