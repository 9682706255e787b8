"""Reading a run directory for comparison."""

import math
from pathlib import Path

import pytest

from snellen.errors import StoreError
from snellen.reports.run_data import load_run
from tests.reports.scored_runs import write_run


def test_a_run_comes_back_as_rows(tmp_path: Path) -> None:
    """Scores, tokens, pictures and texts stand in one row a sample; a failed sample is missing, not zero."""
    folder = write_run(tmp_path / "a", [1.0, 0.25, None], tokens=[5, 7, 0], cost=1.5)
    run = load_run(folder)
    assert [row.score for row in run.samples[:2]] == [1.0, 0.25]
    assert math.isnan(run.samples[2].score)
    assert math.isnan(run.samples[2].n_out)
    assert run.samples[1].n_out == 7
    assert run.samples[0].images == ("image0",)
    assert run.cost == 1.5
    assert run.clusters() is None


def test_the_convention_counts_zero_where_it_says_so(tmp_path: Path) -> None:
    """DatBench's own convention counts unjudged samples 0 and leaves failed ones out."""
    run = load_run(write_run(tmp_path / "a", [1.0, "unjudged", None], convention="datbench"))
    assert run.samples[1].score == 0.0
    assert math.isnan(run.samples[2].score)


def test_content_depends_on_text_and_pictures_only(tmp_path: Path) -> None:
    """The same question about the same picture is the same content in any run."""
    first = load_run(write_run(tmp_path / "a", [1.0, 1.0]))
    second = load_run(write_run(tmp_path / "b", [0.0, 0.0], samples=[{}, {"images": ["other"]}]))
    assert first.samples[0].content == second.samples[0].content
    assert first.samples[1].content != second.samples[1].content


def test_repeated_pictures_are_clusters(tmp_path: Path) -> None:
    """Samples about one picture depend on each other."""
    run = load_run(write_run(tmp_path / "a", [1.0, 0.0], samples=[{"images": ["p"]}, {"images": ["p"]}]))
    assert run.clusters() == ["p", "p"]


def test_no_run_directory_is_said(tmp_path: Path) -> None:
    """A folder without a run, or never scored, is one sentence."""
    with pytest.raises(StoreError, match="is missing"):
        load_run(tmp_path)
