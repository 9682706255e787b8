"""Pass, fail, undecided."""

from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UsageError
from snellen.reports.alignment import align
from snellen.reports.gate import Gate, Outcome, gate
from snellen.reports.run_data import load_run
from tests.reports.scored_runs import write_run

N = 1000


def decided(tmp_path: Path, before: list[Any], after: list[Any], **options: Any) -> Gate:
    """Gate of a run against its baseline."""
    samples = [{"capability": "chart" if i % 2 else "math"} for i in range(len(before))]
    baseline = load_run(write_run(tmp_path / "base", before, samples=samples))
    run = load_run(write_run(tmp_path / "run", after, samples=samples, model__name="b"))
    return gate(align([baseline, run]), max_drop=options.pop("max_drop", 0.01), **options)


def test_equal_answers_pass(tmp_path: Path) -> None:
    """No sample changed among a thousand: a drop of one point is ruled out."""
    result = decided(tmp_path, [1.0, 0.0] * (N // 2), [1.0, 0.0] * (N // 2))
    assert result.outcome is Outcome.PASS
    assert int(result.outcome) == 0
    assert result.sentence.startswith("PASS: overall")


def test_a_clear_drop_fails(tmp_path: Path) -> None:
    """Ten points lost on a thousand samples is a failure, in one line with the numbers."""
    result = decided(tmp_path, [1.0] * N, [0.0] * 100 + [1.0] * (N - 100))
    assert result.outcome is Outcome.FAIL
    assert "−10.0 points" in result.sentence
    assert "\n" not in result.sentence


def test_too_little_data_is_undecided_and_says_how_much_would_do(tmp_path: Path) -> None:
    """On forty samples one point cannot be seen; the number that would do is larger."""
    result = decided(tmp_path, [1.0, 0.0] * 20, [1.0, 0.0] * 17 + [0.0, 1.0] * 3)
    assert result.outcome is Outcome.UNDECIDED
    assert int(result.outcome) == 3
    assert result.checks[0].n_needed > 1000
    assert "would do" in result.sentence


def test_missing_scores_are_not_passed_over(tmp_path: Path) -> None:
    """A run that failed on a tenth of the samples is not judged on the rest."""
    result = decided(tmp_path, [1.0] * N, [None] * 100 + [1.0] * (N - 100))
    assert result.outcome is Outcome.UNDECIDED
    assert "in one run only" in result.sentence


@pytest.mark.parametrize("side", [0, 1])
def test_a_judge_that_failed_in_one_run_decides_nothing(tmp_path: Path, side: int) -> None:
    """DatBench counts unjudged samples 0; that is neither a drop of the model nor a gain over its baseline."""
    runs: list[list[Any]] = [[1.0] * N, [1.0] * N]
    runs[side][:200] = ["unjudged"] * 200
    folders = [
        write_run(tmp_path / f"{i}", scores, convention="datbench", model__name=f"m{i}")
        for i, scores in enumerate(runs)
    ]
    result = gate(align([load_run(folder) for folder in folders]), max_drop=0.01)
    assert result.outcome is Outcome.UNDECIDED
    assert "200 of 1,000 samples" in result.sentence


def test_each_capability_must_pass(tmp_path: Path) -> None:
    """A gain elsewhere does not hide a drop in one capability."""
    after = [1.0 if i % 2 or i > 200 else 0.0 for i in range(N)]
    before = [1.0 if not i % 2 or i > 900 else 0.0 for i in range(N)]
    assert decided(tmp_path / "o", before, after).outcome is Outcome.PASS
    result = decided(tmp_path / "c", before, after, capabilities=("all",))
    assert result.outcome is Outcome.FAIL
    assert "math" in result.sentence
    assert decided(tmp_path / "one", before, after, capabilities=("chart",)).outcome is Outcome.PASS


def test_nonsense_is_refused(tmp_path: Path) -> None:
    """An unknown capability and a negative drop are one sentence."""
    with pytest.raises(UsageError, match="there are math, chart"):
        decided(tmp_path / "a", [1.0, 0.0], [1.0, 0.0], capabilities=("charts",))
    with pytest.raises(UsageError, match="--max-drop"):
        decided(tmp_path / "b", [1.0, 0.0], [1.0, 0.0], max_drop=-0.01)
