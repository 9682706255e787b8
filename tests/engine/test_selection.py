"""Which samples a run asks."""

from __future__ import annotations

from collections import Counter

import pytest

from snellen.engine.selection import select
from snellen.errors import UsageError
from snellen.types import IndexRow

ROWS = [IndexRow(i, f"s{i}", "abc"[i % 3], group=f"g{i // 6}" if i % 3 == 2 else "") for i in range(60)]


def test_a_limit_is_a_number_or_a_share() -> None:
    """10 samples, or a tenth."""
    assert select(ROWS, limit=10) == list(range(10))
    assert len(select(ROWS, limit=0.1)) == 6


def test_a_stratified_draw_takes_n_of_each_category_and_the_seed_decides_which() -> None:
    """Same seed, same draw; another seed, another; groups stay whole."""
    drawn = select(ROWS, per_category=4, seed=1)
    counts = Counter(ROWS[i].category for i in drawn)
    assert counts["a"] == counts["b"] == 4
    assert drawn == select(ROWS, per_category=4, seed=1) != select(ROWS, per_category=4, seed=2)
    for group in {ROWS[i].group for i in drawn} - {""}:
        assert {row.position for row in ROWS if row.group == group} <= set(drawn)


def test_shards_are_disjoint_and_cover_everything() -> None:
    """Four shards make the whole."""
    shards = [select(ROWS, shard=(k, 4)) for k in range(4)]
    assert sorted(i for shard in shards for i in shard) == list(range(60))


def test_nothing_left_is_a_usage_error() -> None:
    """An empty benchmark cannot be run."""
    with pytest.raises(UsageError, match="no sample is left"):
        select([])
