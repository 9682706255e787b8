"""The examples run as they stand: the notebook from end to end, the training script for some steps."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOK = EXAMPLES / "pipeline.ipynb"


def code_cells() -> list[str]:
    """Source of the notebook's code, cell by cell."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_is_plain_python_without_outputs() -> None:
    """It compiles cell by cell and carries no stale results."""
    for source in code_cells():
        compile(source, NOTEBOOK.name, "exec")
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert all(not cell.get("outputs") for cell in cells)
    assert sum(cell["cell_type"] == "markdown" for cell in cells) >= 8


@pytest.mark.slow
def test_the_notebook_s_code_runs_from_end_to_end(tmp_path: Path) -> None:
    """As one script, in an empty folder, without a network."""
    script = tmp_path / "pipeline.py"
    script.write_text("\n\n".join(code_cells()), "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "their-model - three-colours" in done.stdout
    assert (tmp_path / "compare.html").exists()


@pytest.mark.slow
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("nbclient", "nbformat", "ipykernel")),
    reason="nbclient and ipykernel are not installed",
)
def test_the_notebook_runs_as_a_notebook(tmp_path: Path) -> None:
    """Inside a kernel, whose event loop is running already."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=500, resources={"metadata": {"path": str(tmp_path)}}).execute()
    tables = [out for cell in notebook.cells for out in cell.get("outputs", []) if "text/html" in out.get("data", {})]
    assert len(tables) >= 3


@pytest.mark.slow
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "transformers", "tokenizers")),
    reason="torch and transformers are not installed (extra local)",
)
def test_the_training_script_trains_examines_and_saves(tmp_path: Path) -> None:
    """Ten seconds of it: four checkpoints in a trend, and a checkpoint that `hf:` opens."""
    command = [sys.executable, str(EXAMPLES / "train_tiny_vlm.py"), str(tmp_path / "out"), "--minutes", "0.15"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("step ") >= 2
    assert (tmp_path / "out" / "checkpoint" / "model.safetensors").exists()
    assert len(list((tmp_path / "out" / "runs").iterdir())) >= 2
