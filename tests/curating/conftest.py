"""A small drawn benchmark on disk, and runs over it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from snellen.config import RunOptions
from snellen.curating.subset import write_rows

N_ITEMS = 24


def _picture(k: int) -> bytes:
    rng = np.random.default_rng(k)
    image = Image.new("RGB", (200, 150), "white")
    pen = ImageDraw.Draw(image)
    for _ in range(10):
        x, y = rng.integers(0, 150), rng.integers(0, 100)
        pen.rectangle(
            (x, y, x + rng.integers(10, 80), y + rng.integers(10, 80)), fill=tuple(rng.integers(0, 255, 3).tolist())
        )
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _rows() -> Iterator[dict[str, Any]]:
    for k in range(N_ITEMS):
        is_choice = k % 4 == 0
        yield {
            "id": f"q{k}",
            "image": {"bytes": _picture(k), "path": f"{k}.png"},
            "question": f"How many blocks of kind {k} are there?",
            "prompt_format": {"prefix": "", "suffix": "\nAnswer:"},
            "answer": "B" if is_choice else str(k),
            "eval_mode": "direct",
            "judge_prompt": "",
            "is_circular": False,
            "source_info": {"dataset": "mathvision" if is_choice else "docvqa", "original_idx": str(k)},
            "eval_metrics": {"discrimination": None, "is_frontier": False},
            "all_answers": ["B" if is_choice else str(k)],
            "metadata": '{"options": ["seven", "eight", "nine"]}' if is_choice else "{}",
        }


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in DatBench's layout: 24 items of one capability."""
    folder = tmp_path_factory.mktemp("data")
    write_rows(folder / "math" / "test-00000-of-00001.parquet", _rows())
    return folder


@pytest.fixture(scope="session")
def runs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Five scripted models that know more and more answers."""
    from snellen.running import run

    folder = tmp_path_factory.mktemp("runs")
    made = []
    for level in range(5):
        script = folder / f"level{level}.toml"
        known = [k for k in range(N_ITEMS) if k % 6 <= level and k != 7]
        rules = "".join(f'[[rules]]\nid = "q{k}"\ntext = "{"B" if k % 4 == 0 else k}"\n' for k in known)
        script.write_text(f'default = "none of them"\n{rules}', encoding="utf-8")
        options = RunOptions(
            benchmark="datbench/math", model=f"scripted:{script}", data=str(data), out=str(folder / "out")
        )
        made.append(run(options).folder)
    return made
