"""The shape of the program: light imports, the lazy command table, one sentence for every mistake."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import snellen

HEAVY = ("torch", "transformers", "datasets", "pandas", "matplotlib", "scipy", "sympy", "pyarrow", "numpy", "aiohttp")


@pytest.mark.parametrize(
    "code", ["import snellen", "from snellen.cli import main\ntry:\n main(['--help'])\nexcept SystemExit: pass"]
)
def test_import_and_help_load_nothing_heavy(code: str) -> None:
    """They must be instant."""
    script = f"{code}\nimport sys\nprint('LOADED', [m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_a_run_on_a_server_loads_no_scipy_matplotlib_or_sympy() -> None:
    """What the run path imports."""
    script = (
        "import snellen.running, snellen.models.chat_completions, snellen.benchmarks.files, sys\n"
        "print([m for m in ('scipy', 'matplotlib', 'sympy', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["rum"], "did you mean 'run'"),
        (["run"], "benchmark is missing"),
        (["run", "eyechart"], "model is missing"),
        (["run", "eyechrt", "--model", "prior"], "eyechart"),
        (["run", "eyechart", "--model", "orc"], "ocr"),
        (["run", "eyechart", "--model", "prior", "--limit", "-1"], "--limit"),
        (["run", "eyechart", "--model", "prior", "--scorer", "exat"], "did you mean 'exact'"),
        (["run", "eyechart", "--model", "prior", "--config", "nowhere.toml"], "does not exist"),
        (["run", "eyechart", "--model", "openai:m", "--base-url", "ftp://x"], "http"),
        (["run", "eyechart", "--model", "openai:m", "--base-url", "http://x/v1/completions"], "takes no images"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence_and_exit_2(args: list[str], says: str) -> None:
    """No traceback, the nearest name where there is one."""
    done = snellen(*args, env={"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""})
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
