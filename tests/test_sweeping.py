"""Grids of runs: every combination once, equal prompts asked once, paired differences to the first cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from snellen import sweeping
from snellen.config import RunOptions
from snellen.errors import UsageError
from snellen.store import read_log
from snellen.sweeping import cell_options, grid_of, label_of
from snellen.types import PreparedImage, Prompt
from tests.conftest import snellen


class Eyes:
    """Answers with the size of the picture it is shown; counts its calls."""

    name = "eyes"
    takes_images = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def generate(self, prompt: Prompt, _options: Any) -> Any:
        """The longest side, as text."""
        from snellen.types import Response, Usage

        self.asked.append(prompt.sample_id)
        sides = [max(part.width, part.height) for part in prompt.parts if isinstance(part, PreparedImage)]
        return Response(str(max(sides)), usage=Usage(100 * len(sides), 3))

    async def aclose(self) -> None:
        """Nothing to free."""


def pictures(folder: Path, sides: list[int], regions: list[Any] | None = None) -> Path:
    """Questions on pictures of these sides; the right answer is the side of the whole picture."""
    folder.mkdir(exist_ok=True)
    rows = []
    for i, side in enumerate(sides):
        Image.new("RGB", (side, side), (i * 3, 20, 30)).save(folder / f"{i}.png")
        row: dict[str, Any] = {"id": f"q{i}", "image": f"{i}.png", "question": "Side?", "answer": str(side)}
        if regions is not None and regions[i] is not None:
            row["metadata"] = {"bbox": regions[i]}
        rows.append(row)
    path = folder / "sides.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def options_of(path: Path, tmp_path: Path) -> RunOptions:
    """What all cells share."""
    return RunOptions(f"file:{path}", "live", out=str(tmp_path / "runs"))


def test_a_grid_has_every_combination_with_the_last_axis_fastest() -> None:
    """The first of all is the baseline."""
    grid = grid_of({"max_side": [512, None], "prompt": ["direct", "cot"]})
    assert [label_of(values) for values in grid] == [
        "max_side=512 prompt=direct", "max_side=512 prompt=cot", "max_side=full prompt=direct",
        "max_side=full prompt=cot",
    ]  # fmt: skip


@pytest.mark.parametrize("axes", [{}, {"prompt": []}, {"prompt": ["cot", "cot"]}, {"max_side": list(range(1, 80))}])
def test_a_grid_that_cannot_be_meant_is_refused(axes: dict[str, list[Any]]) -> None:
    """Nothing to vary, nothing to try, one value twice, far too many."""
    with pytest.raises(UsageError):
        grid_of(axes)


def test_only_what_makes_another_run_can_be_varied() -> None:
    """A misspelt axis is named, and concurrency would change nothing."""
    options = RunOptions("eyechart", "prior")
    assert cell_options(options, {"params.top_p": 0.5}).params == {"top_p": 0.5}
    with pytest.raises(UsageError, match="did you mean 'temperature'"):
        cell_options(options, {"temprature": 1})
    with pytest.raises(UsageError, match="concurrency"):
        cell_options(options, {"concurrency": "4"})


def test_equal_prompts_are_asked_once_over_all_cells(tmp_path: Path) -> None:
    """Small pictures under three limits are one prompt; the answers stand in each run, marked; a resume asks none."""
    path, model = pictures(tmp_path / "data", [40, 50, 60, 200]), Eyes()
    done = sweeping.sweep(options_of(path, tmp_path), {"max_side": [None, 100, 300]}, model=model)
    assert sorted(model.asked) == ["q0", "q1", "q2", "q3", "q3"]
    assert [cell.n_shared for cell in done.cells] == [0, 3, 4]
    assert [round(cell.result.score, 2) for cell in done.cells] == [1.0, 0.75, 1.0]
    assert done.comparison is not None
    assert done.comparison.overall.differences[0].difference == pytest.approx(-0.25)
    records = [r.value for r in read_log(done.cells[2].result.folder / "responses.jsonl") if r.value]
    assert {record["shared_from"] for record in records} == {done.cells[0].result.folder.name}
    spent = [cell.result.facts["tokens"]["input"] for cell in done.cells]
    assert spent == [400, 100, 0]
    again = sweeping.sweep(options_of(path, tmp_path), {"max_side": [None, 100, 300]}, model=model)
    assert len(model.asked) == 5
    assert [cell.n_shared for cell in again.cells] == [0, 3, 4]
    assert any("spent: 500 tokens in, 15 out" in line for line in again.lines())


def test_crop_shows_the_region_and_says_where_there_is_none(tmp_path: Path) -> None:
    """Cut pictures are smaller; a sample without a region is the same prompt in both cells."""
    path, model = pictures(tmp_path / "data", [100, 120], [[10, 10, 60, 60], None]), Eyes()
    done = sweeping.sweep(options_of(path, tmp_path), {"crop": ["full", "region"]}, model=model)
    assert [cell.result.score for cell in done.cells] == [1.0, 0.5]
    assert done.notes == ("crop: 1 of 2 samples have a region; the others are shown whole in all cells",)
    assert done.cells[1].n_shared == 1


def test_crop_without_any_region_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    """It says what the metadata must hold."""
    path, model = pictures(tmp_path / "data", [100]), Eyes()
    with pytest.raises(UsageError, match="none of the 1 samples"):
        sweeping.sweep(options_of(path, tmp_path), {"crop": ["full", "region"]}, model=model)
    assert model.asked == []


def test_the_command_prints_the_grid_and_resumes(questions: Callable[..., Path], tmp_path: Path) -> None:
    """With JSON for a script, and the options of run."""
    path = questions([f"How many? {i}" for i in range(6)])
    args = ["sweep", f"file:{path}", "--model", "prior", "--prompt", "default,cot", "--out", tmp_path / "runs"]
    done = snellen(*args)
    assert done.returncode == 0, done.stderr
    assert "baseline" in done.stdout
    assert "prompt=cot" in done.stdout
    record = json.loads(snellen(*args, "--json").stdout)
    assert [cell["values"] for cell in record["cells"]] == [{"prompt": "default"}, {"prompt": "cot"}]
    assert record["comparison"]
    page = tmp_path / "grid.html"
    assert snellen(*args, "--html", page).returncode == 0
    assert "<html" in page.read_text()[:500]
