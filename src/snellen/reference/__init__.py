"""Published numbers that reports show beside a user's own. Facts with their source (see SOURCE.md), no code."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from snellen.errors import UsageError

TABLES = (
    "table3_scores",
    "table4_h100_hours",
    "table5_judge_filter",
    "table6_8_counts",
    "table7_blind_thresholds",
    "constants",
)


@cache
def datbench_table(name: str) -> tuple[dict[str, str], ...]:
    """One of the DatBench paper's tables, as text cells.

    Args:
        name: one of `TABLES`.

    >>> datbench_table("table7_blind_thresholds")[1]["threshold"]
    '4'
    """
    if name not in TABLES:
        raise UsageError(f"no published table {name!r}; there are {', '.join(TABLES)}")
    text = files(__name__).joinpath(f"datbench_{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@cache
def perceptionbench_scores() -> tuple[dict[str, str], ...]:
    """PerceptionBench's leaderboard rows that are publicly known, as text cells in percent.

    >>> perceptionbench_scores()[0]["overall"]
    '59.7'
    """
    text = files(__name__).joinpath("perceptionbench_scores.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))
