"""`snellen curate` and `snellen analyze` end to end, through the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from snellen.cli import app
from snellen.config import RunOptions
from tests.curation.synthetic import rasch


def _call(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exception is None, result.output + repr(result.exception)
    return result


def _json(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_call(*arguments, "--json").stdout)
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tidy CSV of 14 models x 240 items in three data sets."""
    path = tmp_path_factory.mktemp("tables") / "m.csv"
    y = rasch(14, 240, guess=0.2)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "model", "score", "dataset", "cost"])
        for i in range(240):
            writer.writerows([f"i{i}", f"model_{m}", int(y[m, i]), f"d{i % 3}", 1 + i % 7] for m in range(14))
    return path


def test_matrix(runs: list[Path], tmp_path: Path) -> None:
    """Runs become one file."""
    found = _json("curate", "matrix", *runs, "--out", tmp_path / "M.parquet")
    assert (found["n_models"], found["n_items"], found["missing_percent"]) == (5, 24, 0.0)
    assert (tmp_path / "M.parquet").is_file()


def test_select_from_a_table(table: Path, tmp_path: Path) -> None:
    """Weights, provenance, card and reports are written; weights sum to the full set."""
    found = _json("curate", "select", table, "--size", "0.2", "--out", tmp_path)
    assert found["n"] == 48
    rows = _rows(tmp_path / "weights.csv")
    assert sum(float(row["weight"]) for row in rows) == pytest.approx(240)
    provenance = _rows(tmp_path / "provenance.csv")
    assert len(provenance) == 240
    assert sum(int(row["kept"]) for row in provenance) == 48
    assert all(row["evidence"] for row in provenance)
    page = (tmp_path / "report.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "First version" in (tmp_path / "README.md").read_text()


def test_second_version_shows_the_difference(table: Path, tmp_path: Path) -> None:
    """Selecting again with another seed lists what came and went."""
    _call("curate", "select", table, "--size", "48", "--out", tmp_path)
    _call("curate", "select", table, "--size", "48", "--seed", "5", "--out", tmp_path)
    assert "items added" in (tmp_path / "README.md").read_text()


def test_select_by_cost(table: Path) -> None:
    """More items for the same budget; an unknown column is refused."""
    assert _json("curate", "select", table, "--size", "0.2", "--cost", "cost")["n"] > 48
    result = CliRunner().invoke(app, ["curate", "select", str(table), "--size", "0.2", "--cost", "price"])
    assert "no item column 'price'" in str(result.exception)


def test_validate_prints_the_fixed_form(table: Path) -> None:
    """One entry per method, size and split with the promised keys."""
    found = _json("curate", "validate", table, "--size", "0.2", "--repeats", "2", "--draws", "1", "--redraws", "20")
    keys = {
        "method", "size", "split", "tau", "rho", "separated", "wrong_sign", "discrimination_heldout",
        "discrimination_in_sample", "mae", "coverage", "n_splits",
    }  # fmt: skip
    assert all(set(entry) == keys for entry in found["results"])
    assert {e["method"] for e in found["results"]} == {"two-part", "datbench", "random"}
    assert {e["split"] for e in found["results"]} == {"random-thirds", "strongest-third", "family"}


def test_blind_from_a_table(tmp_path: Path) -> None:
    """Removed items are those that models solve above their chance; the table of removals is written."""
    rng = np.random.default_rng(0)
    y = (rng.random((12, 100)) < 0.25).astype(int)
    y[:, :10] = 1
    with (tmp_path / "b.csv").open("w") as file:
        file.write("item,model,score,n_options,dataset,answer\n")
        file.writelines(f"i{i},model_{m},{y[m, i]},4,d,B\n" for i in range(100) for m in range(12))
    found = _json("curate", "blind", tmp_path / "b.csv", "--out", tmp_path / "out")
    assert found["n_removed"] == 10
    kept = (tmp_path / "out" / "kept.txt").read_text().split()
    assert len(kept) == 90
    assert "i0" not in kept
    assert _json("curate", "blind", tmp_path / "b.csv", "--method", "datbench", "--threshold", "6")["n_removed"] >= 10


def test_drift(table: Path) -> None:
    """A matrix against itself: no model is above the range."""
    found = _json("curate", "drift", table, table)
    assert found["alarm"] is False
    assert len(found["models"]) == 14


def test_analyze(table: Path, tmp_path: Path) -> None:
    """Correlations, tree, reliability and the page with its figures."""
    found = _json("analyze", table, "--by", "dataset", "--pair", "model_3=model_9", "--out", tmp_path)
    assert found["capabilities"] == ["d0", "d1", "d2"]
    assert len(found["merges"]) == 2
    assert found["thinking_gain"]["d0"] > 0
    assert "<svg" in (tmp_path / "analysis.html").read_text()


def test_published_numbers_by_command() -> None:
    """The paper's numbers come out of its tables by one command."""
    found = _json("analyze", "--published")
    assert round(found["correlations"]["chart-general"], 2) == 0.90
    assert round(found["speedup"]["mean"], 1) == 13.3
    assert round(found["thinking_gain"]["math"], 3) == 0.368
    assert found["constants"]["ai2d_free"] == 40.53


def test_reformat_runs(data: Path, tmp_path: Path) -> None:
    """Choice items that stand alone become free, the guessing floor falls, and the result can be opened and run."""
    from snellen.running import run

    found = _json("curate", "reformat", "datbench/math", "--data", data, "--out", tmp_path / "new")
    assert found["actions"] == {"free": 6, "keep": 18}
    assert found["guessing_floor_after"] < found["guessing_floor_before"]
    script = tmp_path / "s.toml"
    script.write_text('default = "eight"', encoding="utf-8")
    options = RunOptions(
        "datbench/math", f"scripted:{script}", data=str(tmp_path / "new"), out=str(tmp_path / "runs")
    )
    assert run(options).folder.is_dir()


def test_labels_with_two_judges(runs: list[Path], data: Path, tmp_path: Path) -> None:
    """The item that nobody solves is judged by two models; a second call asks nothing again."""
    judge = tmp_path / "judge.toml"
    judge.write_text(
        'default = """wrong_label: yes\nambiguous: no\ntoo_coarse: no\nreason: there are nine"""', encoding="utf-8"
    )
    other = tmp_path / "other.toml"
    other.write_text(judge.read_text(), encoding="utf-8")
    arguments = [
        "curate", "labels", *runs, "--benchmark", "datbench/math", "--data", data, "--out", tmp_path / "labels",
        "--judge", f"scripted:{judge}", "--judge", f"scripted:{other}",
    ]  # fmt: skip
    found = _json(*arguments)
    assert found["states"] == {"broken": found["n_flagged"]}
    n_lines = len((tmp_path / "labels" / "verdicts.jsonl").read_text().splitlines())
    assert n_lines == 2 * found["n_flagged"]
    _json(*arguments)
    assert len((tmp_path / "labels" / "verdicts.jsonl").read_text().splitlines()) == n_lines


def test_people_decide(runs: list[Path], tmp_path: Path) -> None:
    """Without judges flagged items are disputed; a filled-in queue settles them."""
    out = tmp_path / "labels"
    before = _json("curate", "labels", *runs, "--out", out)
    assert before["states"] == {"disputed": before["n_flagged"]}
    rows = _rows(out / "queue.csv")
    with (tmp_path / "human.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "wrong_label": "no", "ambiguous": "no", "too_coarse": "no"} for row in rows)
    after = _json("curate", "labels", *runs, "--out", out, "--human", tmp_path / "human.csv")
    assert after["states"] == {"valid": before["n_flagged"]}
    assert after["share_of_bad_labels"]["mean"] is not None


def test_all_passes_from_one_recipe(runs: list[Path], data: Path, tmp_path: Path) -> None:
    """Five runs become a curated benchmark on disk that runs, with weights in its scores."""
    from snellen.running import run
    from snellen.scores_file import read_scores

    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f'out = "made"\nruns = {json.dumps([str(r) for r in runs])}\nbenchmark = "datbench/math"\n'
        f'data = "{data}"\n[labels]\n[select]\nsize = 0.5\n',
        encoding="utf-8",
    )
    found = _json("curate", "all", recipe)
    assert found["counts"]["in the matrix"] == 24
    assert found["counts"]["in the subset"] == 12
    full = pq.read_table(tmp_path / "made" / "full" / "math" / "test-00000-of-00001.parquet")
    subset = pq.read_table(tmp_path / "made" / "subset" / "math" / "test-00000-of-00001.parquet")
    assert (full.num_rows, subset.num_rows) == (24, 12)
    assert sum(subset["weight"].to_pylist()) == pytest.approx(24)
    assert {"id", "image", "question", "answer", "eval_metrics", "metadata"} <= set(subset.column_names)
    script = tmp_path / "s.toml"
    script.write_text('default = "8"', encoding="utf-8")
    options = RunOptions(
        "datbench/math", f"scripted:{script}", data=str(tmp_path / "made" / "subset"), out=str(tmp_path / "r")
    )
    rows = read_scores(run(options).folder / "scores.parquet", ["sample_id", "weight"])
    assert sum(row["weight"] for row in rows) == pytest.approx(24)


@pytest.mark.parametrize(
    "text, message",
    [
        ("runs = ['x']\n[select]\nsize = 0.1", "'out' is missing"),
        ("out = 'o'\nruns = ['x']", "needs a size"),
        ("out = 'o'\nruns = ['x']\n[select]\nsize = 0.1\nsise = 2", "unknown key [select] 'sise'"),
        ("out = ", "no TOML"),
    ],
)
def test_recipe_faults_are_named(tmp_path: Path, text: str, message: str) -> None:
    """A recipe that cannot be meant is one clear sentence."""
    (tmp_path / "r.toml").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["curate", "all", str(tmp_path / "r.toml")])
    assert message in str(result.exception)


def test_near_duplicates_by_hash_cache(data: Path, runs: list[Path], tmp_path: Path) -> None:
    """Hashes are kept between calls and are of this very benchmark."""
    cache = tmp_path / "prints.npz"
    arguments = ["curate", "select", *runs, "--size", "0.5", "--benchmark", "datbench/math", "--data", data]
    first = _json(*arguments, "--hash-cache", cache)
    stamp = cache.stat().st_mtime_ns
    assert _json(*arguments, "--hash-cache", cache) == first
    assert cache.stat().st_mtime_ns == stamp
    assert first["dropped_duplicates"] == 0


def test_matrix_of_another_benchmark_is_refused(table: Path, data: Path, tmp_path: Path) -> None:
    """Items that the benchmark does not hold are an error, not an empty subset."""
    result = CliRunner().invoke(
        app,
        ["curate", "select", str(table), "--size", "0.1", "--benchmark", "datbench/math", "--data", str(data), "--out",
         str(tmp_path)],
    )  # fmt: skip
    assert "do not share their sample ids" in str(result.exception)
