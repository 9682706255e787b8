"""Plain files and runs → matrices."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from snellen.curating.matrices import read_matrix, write_matrix
from snellen.errors import BenchmarkError, UsageError


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_with_item_table_beside(tmp_path: Path) -> None:
    """`X.items.csv` is found by itself; empty scores are missing."""
    path = _write(tmp_path / "m.csv", "item,model,score\n1,a,1\n2,a,\n1,b,0.5\n2,b,0\n")
    _write(tmp_path / "m.items.csv", "item,task,n_options\n1,x,4\n2,y,\n")
    matrix = read_matrix([path])
    assert matrix.strata == ("x", "y")
    assert matrix.columns["n_options"] == (4, None)
    assert np.isnan(matrix.scores[0, 1])


@pytest.mark.parametrize("name", ["m.parquet", "m.csv"])
def test_round_trip(tmp_path: Path, name: str) -> None:
    """What is written is read back: scores, holes, families, columns."""
    path = _write(
        tmp_path / "in.csv", "item,model,score,family,dataset,cost\n1,a,1,f,x,3\n2,a,,f,y,4\n1,b,0.25,g,x,3\n"
    )
    matrix = read_matrix([path])
    write_matrix(tmp_path / "out" / name, matrix)
    again = read_matrix([tmp_path / "out" / name])
    np.testing.assert_array_equal(matrix.scores, again.scores)
    assert (again.items, again.models, again.families, again.strata) == (
        ("1", "2"),
        ("a", "b"),
        ("f", "g"),
        ("x", "y"),
    )
    assert again.columns["cost"] == (3, 4)


@pytest.mark.parametrize(
    "text, message",
    [
        ("item,model,score\n1,a,1\n1,a,0\n", r"row 1 and again in row 2"),
        ("item,model,score\n1,a,1\n2,a,3\n", r"row 2 \(item '2', model 'a'\) has score 3"),
        ("item,model,points\n1,a,1\n", "no column 'score'"),
        ("item,model,score\n1,a,yes\n", "not numeric"),
        ("item,model,score\n,a,1\n", "row 1 has no item"),
    ],
)
def test_damage_is_named(tmp_path: Path, text: str, message: str) -> None:
    """Duplicates, impossible scores and missing columns are errors with the row."""
    with pytest.raises(BenchmarkError, match=message):
        read_matrix([_write(tmp_path / "m.csv", text)])


def test_missing_file_and_no_source(tmp_path: Path) -> None:
    """A path that does not exist, and no path at all, are said plainly."""
    with pytest.raises(UsageError, match="no file and no run directory"):
        read_matrix([tmp_path / "nothing.csv"])
    with pytest.raises(UsageError, match="no matrix given"):
        read_matrix([])


def test_item_twice_in_the_item_table(tmp_path: Path) -> None:
    """An item table may name an item once."""
    path = _write(tmp_path / "m.csv", "item,model,score\n1,a,1\n")
    with pytest.raises(BenchmarkError, match="'1' stands twice"):
        read_matrix([path], items=_write(tmp_path / "i.csv", "item,task\n1,x\n1,y\n"))


def test_families_from_a_table(tmp_path: Path) -> None:
    """A table of families overrides the guess by name."""
    path = _write(tmp_path / "m.csv", "item,model,score\n1,qwen-1,1\n1,qwen-2,1\n")
    table = _write(tmp_path / "f.csv", "model,family\nqwen-1,mine\n")
    assert read_matrix([path], families=table).families == ("mine", "qwen")


def test_runs(runs: list[Path]) -> None:
    """Run directories join into one matrix, with datasets and option counts."""
    matrix = read_matrix(runs)
    assert matrix.scores.shape == (5, 24)
    assert (np.diff(matrix.scores.mean(axis=1)) > 0).all()
    assert set(matrix.strata) == {"docvqa", "mathvision"}
    assert matrix.columns["n_options"][0] == 3


def test_blind_and_sighted_runs_are_not_mixed(runs: list[Path], tmp_path: Path) -> None:
    """A blind run is no weak model, and a sighted one no evidence that an item needs no image."""
    blind = tmp_path / "blind"
    shutil.copytree(runs[0], blind)
    spec = json.loads((blind / "run.json").read_text())
    spec["prompt"]["blind"] = True
    (blind / "run.json").write_text(json.dumps(spec))
    with pytest.raises(UsageError, match="one matrix holds one kind of runs"):
        read_matrix([runs[1], blind])
    with pytest.raises(UsageError, match="takes runs made with `snellen run --blind`"):
        read_matrix(runs, blind=True)
    with pytest.raises(UsageError, match="that saw the images"):
        read_matrix([blind], blind=False)
    assert read_matrix([blind], blind=True).scores.shape == (1, 24)


def test_not_a_run(tmp_path: Path) -> None:
    """A folder without run.json is no run."""
    with pytest.raises(UsageError, match="no run directory"):
        read_matrix([tmp_path])
