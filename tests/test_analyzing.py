"""`snellen analyze` beyond what the command-line tests see."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from snellen.analyzing import analyze, published_record, report_of, tokens_of_runs
from snellen.curation.matrix import ResponseMatrix
from snellen.errors import UsageError
from tests.curation.synthetic import matrix, rasch
from tests.reports.scored_runs import write_run


def test_tokens_of_right_and_wrong_answers(tmp_path: Path) -> None:
    """Mean output tokens, apart for right and wrong answers."""
    run = write_run(tmp_path / "a", [1.0, 1.0, 0.0, 0.0], tokens=[10, 20, 100, 300])
    ((right, wrong),) = tokens_of_runs([run]).values()
    assert (right, wrong) == (15.0, 200.0)


def test_formats_stand_beside_chance() -> None:
    """Choice and open items apart, with what guessing gives."""
    y = np.array([[1, 1, 0, 0.0], [1, 0, 0, 0]])
    m = ResponseMatrix(y, ("a", "b"), tuple("wxyz"), ("a", "b"), ("d",) * 4, {"n_options": (4, 4, None, None)})
    assert analyze(m).formats == {"open": (0.0, 0.0), "4 options": (0.75, 0.25)}


def test_vision_gap_in_points() -> None:
    """With the image minus without, over models that have both."""
    seen, unseen = np.tile([1.0, 1, 1, 0], (2, 1)), np.tile([1.0, 0, 0, 0], (2, 1))
    found = analyze(matrix(seen), blind=matrix(unseen))
    assert found.vision_gap == {"d0": 50.0}


def test_subset_against_full() -> None:
    """Slope and speed-up of a subset; unknown items are refused."""
    m = matrix(rasch(12, 200), strata=2)
    found = analyze(m, by="none", subset=m.items[:40])
    assert found.speedup == {"d0": 5.0, "d1": 5.0}
    assert found.lines["d0"].n == 12
    with pytest.raises(UsageError, match="none of the subset"):
        analyze(m, subset=["nowhere"])


def test_small_data_says_what_is_missing() -> None:
    """Two models, one capability: no correlation, and a note instead."""
    found = analyze(matrix(rasch(2, 50)))
    assert found.correlations is None
    assert any("nothing to correlate" in note for note in found.notes)
    two = analyze(matrix(rasch(2, 50), strata=2))
    assert two.correlations is None
    assert any("at least 3" in note for note in two.notes)
    with pytest.raises(UsageError, match="empty"):
        analyze(matrix(np.zeros((0, 3))))


def test_one_owner_of_a_capability_is_named() -> None:
    """More than 30 % of the variance in one model is a note."""
    y = (np.random.default_rng(0).random((10, 300)) < 0.7).astype(float)
    y[4] = 0.0
    assert any("m4 alone carries" in note for note in analyze(matrix(y)).notes)


def test_report_is_one_safe_page() -> None:
    """Names from data are escaped; figures are inline; nothing is loaded from outside."""
    m = matrix(rasch(12, 200), strata=3)
    nasty = ResponseMatrix(m.scores, ("<script>x</script>", *m.models[1:]), m.items, m.families, m.strata)
    page = report_of(analyze(nasty)).html()
    assert "<script>" not in page
    assert "<svg" in page


def test_published_record_is_complete() -> None:
    """All that the paper's tables yield stands in the record."""
    record = published_record()
    assert record["n_models"] == 26
    assert round(record["blind_removed"]["general"], 4) == 0.7207
    assert round(record["judge_removed"]["spatial"], 4) == 0.4207
    assert record["implied_full"]["document"] == 64_616
