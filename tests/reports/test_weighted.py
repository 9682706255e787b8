"""Comparisons on a weighted subset."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.reports.alignment import align
from snellen.reports.run_data import load_run
from snellen.reports.weighted import weighted_rows
from tests.reports.scored_runs import write_run


def _runs(folder: Path, weights: list[float | None]) -> tuple[Path, Path]:
    n = len(weights)
    samples = [{"weight": w, "dataset": "docvqa"} for w in weights]
    first = write_run(folder / "a", [1.0 if k % 4 == 0 else 0.0 for k in range(n)], samples=samples)
    second = write_run(folder / "b", [1.0 if k % 4 < 3 else 0.0 for k in range(n)], samples=samples, model__name="b")
    return first, second


def test_weights_estimate_the_full_set(tmp_path: Path) -> None:
    """The difference counts each item as often as its weight says, with an interval and a word on telling apart."""
    folders = _runs(tmp_path, [1.0] * 40 + [5.0] * 80)
    (row,) = weighted_rows(align([load_run(f) for f in folders]))
    assert row.difference.full_set == pytest.approx(0.5)
    assert row.difference.low < 0.5 < row.difference.high
    assert row.difference.is_told_apart
    assert "+50.0 points on the full set" in row.sentence


@pytest.mark.parametrize("weights", [[None] * 40, [1.0] * 40, [None] + [5.0] * 39])
def test_no_weights_no_row(tmp_path: Path, weights: list[float | None]) -> None:
    """Without weights, with weights that say nothing, or with a hole in them, nothing is claimed."""
    assert weighted_rows(align([load_run(f) for f in _runs(tmp_path, weights)])) == ()
