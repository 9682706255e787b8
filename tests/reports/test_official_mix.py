"""A sample reweighted to a benchmark's official mix."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from snellen.reports.official_mix import official_overall
from snellen.reports.summary import CONVENTIONS, Summary, summarise


def summary(scores: dict[str, list[float]]) -> Summary:
    """The summary of a run with these scores in each capability."""
    rows: list[dict[str, Any]] = []
    for capability, values in scores.items():
        for value in values:
            rows.append(
                {"position": len(rows), "capability": capability, "dataset": "d", "category": capability, "group": "",
                 "cluster": "", "state": "scored", "value": value, "error_kind": "", "flags": []}
            )  # fmt: skip
    return summarise(rows, convention=CONVENTIONS["left-out"], seed=0)


def test_capabilities_count_by_their_share() -> None:
    """A balanced sample of a 3:1 mix counts the larger capability three times."""
    found = official_overall(summary({"a": [1, 1, 1, 0], "b": [0, 0, 0, 0]}), {"a": 300, "b": 100})
    assert found is not None
    assert found.mean == pytest.approx(0.75 * 0.75)
    assert found.low < found.mean < found.high
    assert "56.2" in found.sentence


def test_official_mix_needs_no_weights() -> None:
    """A sample that has the official mix is left alone."""
    assert official_overall(summary({"a": [1, 0], "b": [1]}), {"a": 2, "b": 1}) is None


def test_missing_capability_gives_no_number() -> None:
    """Without a sample of one capability there is no estimate, and the sentence says which is lacking."""
    found = official_overall(summary({"a": [1, 0]}), {"a": 2, "b": 1})
    assert found is not None
    assert math.isnan(found.mean)
    assert found.lacking == ("b",)
    assert found.as_record()["score"] is None


def test_interval_covers_the_official_figure() -> None:
    """Over 300 balanced samples the 95 % interval covers the item-weighted truth about that often."""
    rng, truth, mix = random.Random(1), {"a": 0.2, "b": 0.6, "c": 0.9}, {"a": 500, "b": 300, "c": 200}
    target = sum(truth[name] * n for name, n in mix.items()) / 1000
    hits = 0
    for _ in range(300):
        drawn = {name: [float(rng.random() < p) for _ in range(40)] for name, p in truth.items()}
        found = official_overall(summary(drawn), mix)
        assert found is not None
        hits += found.low <= target <= found.high
    assert 0.91 <= hits / 300 <= 0.99
