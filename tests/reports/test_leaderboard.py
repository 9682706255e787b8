"""Own runs beside published tables."""

import math
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UsageError
from snellen.reports import leaderboard as boards
from snellen.reports.run_data import load_run
from tests.reports.scored_runs import write_run

CAPABILITIES = boards.datbench_published().columns


def test_shipped_tables_are_whole() -> None:
    """27 models and nine capabilities; eight rows of PerceptionBench whose columns give the printed overall."""
    datbench = boards.datbench_published()
    assert (len(datbench.scores), len(datbench.columns)) == (27, 9)
    assert len(datbench.overall) == 26
    sizes = (330, 330, 330, 330, 330, 279, 290, 255, 255, 271)
    perception = boards.perceptionbench_published()
    for model, cells in perception.scores.items():
        mean = np.average(list(cells.values()), weights=sizes)
        assert mean == pytest.approx(perception.overall[model], abs=0.0006)


def test_runs_of_one_model_make_one_row(tmp_path: Path) -> None:
    """Nine runs, one a capability, are one row with an overall score and a rank among the published."""
    runs = [
        load_run(
            write_run(
                tmp_path / name, [1.0] * 80 + [0.0] * 20, samples=[{"capability": name}] * 100,
                benchmark__name=f"datbench/{name}",
            )
        )
        for name in CAPABILITIES
    ]  # fmt: skip
    board = boards.leaderboard(runs)
    (own,) = [entry for entry in board.entries if entry.is_own]
    assert own.overall == pytest.approx(0.8)
    assert own.rank >= 1
    assert len(own.cells) == 9
    assert len(board.entries) == 28
    text = boards.terminal(board)
    assert max(map(len, text.splitlines())) <= 80
    assert "model-a is" in text
    assert "**model-a**" in boards.markdown(board)


def test_an_incomplete_model_has_no_overall_score(tmp_path: Path) -> None:
    """One capability of nine gives its cell, no overall score, and the reason."""
    run = load_run(write_run(tmp_path / "a", [1.0, 0.0], benchmark__name="datbench/chart"))
    board = boards.leaderboard([run])
    own = board.entries[-1]
    assert own.is_own
    assert math.isnan(own.overall)
    assert any("1 of 9 capabilities" in remark for remark in board.remarks)


def test_protocol_differences_are_said(tmp_path: Path) -> None:
    """Blind, limited, small pictures: all said beside the table."""
    run = load_run(
        write_run(
            tmp_path / "a", [1.0, None], benchmark__name="perceptionbench", prompt__blind=True,
            selection__limit=2, images__max_side_px=512,
            samples=[{"capability": "ocr_error"}] * 2,
        )
    )  # fmt: skip
    board = boards.leaderboard([run])
    told = " ".join(board.remarks)
    for word in ("GPT-oss-120B", "without pictures", "limit 2", "512 px", "1 of 2 samples without a score"):
        assert word in told
    assert board.entries[0].overall == 1.0
    assert max(map(len, boards.terminal(board).splitlines())) <= 80


def test_unknown_or_mixed_benchmarks_are_refused(tmp_path: Path) -> None:
    """Only benchmarks with a published table, and one at a time."""
    eyechart = load_run(write_run(tmp_path / "e", [1.0], benchmark__name="eyechart"))
    chart = load_run(write_run(tmp_path / "c", [1.0], benchmark__name="datbench/chart"))
    perception = load_run(write_run(tmp_path / "p", [1.0], benchmark__name="perceptionbench"))
    with pytest.raises(UsageError, match="no published table"):
        boards.leaderboard([eyechart])
    with pytest.raises(UsageError, match="one benchmark"):
        boards.leaderboard([chart, perception])


def test_a_capability_without_a_verdict_is_no_zero(tmp_path: Path) -> None:
    """Judged samples that no judge has seen leave their cell empty, and the row without an overall score."""
    runs = [
        load_run(
            write_run(
                tmp_path / name, ["unjudged"] * 9 if name == "table" else [1.0] * 9,
                samples=[{"capability": name}] * 9, benchmark__name=f"datbench/{name}", convention="datbench",
            )
        )
        for name in CAPABILITIES
    ]  # fmt: skip
    board = boards.leaderboard(runs)
    (own,) = [entry for entry in board.entries if entry.is_own]
    assert "table" not in own.cells
    assert math.isnan(own.overall)
    assert any("9 samples have no verdict (table)" in remark for remark in board.remarks)
