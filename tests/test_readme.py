"""What the README shows is what happens: its Python runs as written, its commands and options exist."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from snellen.cli import COMMANDS

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def blocks(language: str) -> list[str]:
    """Code blocks of one language."""
    return [text for name, text in BLOCKS if name == language]


def test_the_first_screen_holds_the_two_commands_and_nothing_before_them() -> None:
    """They do all the set-up."""
    shell = blocks("bash")
    assert shell[0].strip() == "pip install '.[ocr]' && snellen run eyechart --model ocr"
    assert shell[1].strip() == "pip install '.[test]' && python -m pytest"


def test_test_files_of_one_name_live_in_packages_of_their_own() -> None:
    """Otherwise the second command of a fresh clone collects nothing."""
    folders = {path.parent for path in (README.parent / "tests").rglob("test_*.py")}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_the_python_of_the_readme_runs_as_written(tmp_path: Path) -> None:
    """In an empty folder, in a fresh process."""
    (code, *_) = blocks("python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1.0"


def test_the_quick_start_of_the_drop_in_runs_as_written(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With real rows instead of the hub, a made model and a made judge."""
    import pyarrow.parquet as pq

    def load_dataset(name: str, capability: str, split: str) -> list[dict[str, object]]:
        assert (name, split) == ("DatologyAI/DatBench", "test")
        folder = shared / "data" / "datbench-mini" / capability
        return pq.read_table(next(folder.glob("*.parquet"))).to_pylist()

    fake = types.ModuleType("datasets")
    fake.load_dataset = load_dataset  # type: ignore[attr-defined]  # a stand-in for the hub
    monkeypatch.setitem(sys.modules, "datasets", fake)
    monkeypatch.chdir(tmp_path)
    names = {"my_vlm": lambda image, question: f"Answer: {image.size[0]}", "my_judge": lambda task: "answer: true"}
    exec(compile(blocks("python")[1], "README.md", "exec"), names)
    assert names["report"].summary["total_samples"] == 11
    assert (tmp_path / "results.json").stat().st_size > 1000


def commands() -> list[str]:
    """Every `snellen …` line of the README."""
    lines = [line.removeprefix("$ ") for text in blocks("bash") + blocks("console") for line in text.splitlines()]
    return [line[line.index("snellen ") :] for line in lines if re.match(r"(pip install .* && )?snellen ", line)]


@pytest.mark.parametrize("line", commands())
def test_every_command_and_option_of_the_readme_exists(line: str) -> None:
    """A renamed option must not live on in the README."""
    words = line.split()[1:]
    command = importlib.import_module(COMMANDS[words[0]][0]).command
    if hasattr(command, "commands") and len(words) > 1:
        command = command.get_command(None, words[1])
        assert command is not None, line
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    for word in words:
        if word.startswith("--"):
            assert word in known, (line, word)


def test_the_overview_of_other_verbs_is_complete() -> None:
    """Each verb of the command line is named in the README."""
    text = README.read_text("utf-8")
    assert [name for name in COMMANDS if f"snellen {name}" not in text and f"`{name}`" not in text] == []


@pytest.mark.parametrize("words", [(), ("curate",)])
def test_a_name_alone_gives_the_overview_and_no_error(words: tuple[str, ...]) -> None:
    """`snellen` alone helps, without dressing the help as an error sentence."""
    done = subprocess.run([sys.executable, "-m", "snellen", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: snellen")
    assert "Traceback" not in done.stderr


def test_what_the_readme_shows_of_a_run_is_what_comes_out(tmp_path: Path) -> None:
    """The comparison with a guesser, made again from scratch for the guesser's half; line for line where it is shown."""
    done = subprocess.run(
        [sys.executable, "-m", "snellen", "run", "eyechart", "--model", "prior", "-q"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    (run,) = re.findall(
        r"(\d+\.\d) +(\d+\.\d … \d+\.\d)",
        next(line for line in done.stdout.splitlines() if line.startswith("overall")),
    )
    shown = next(text for text in blocks("console") if "compare" in text)
    assert re.search(rf"^prior +{re.escape(run[0])} +{re.escape(run[1])}", shown, re.MULTILINE)
    assert done.stdout.splitlines()[0] in blocks("text")[0].splitlines()[0]
