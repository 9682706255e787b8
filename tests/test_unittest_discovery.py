"""The drop-in's tests run with the standard library's runner too, and there are enough of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COUNT = """
import unittest
loader = unittest.TestLoader()
print(loader.discover("tests").countTestCases(), len(loader.errors), *loader.errors)
"""


def test_unittest_finds_the_tests_of_the_drop_in() -> None:
    """`python -m unittest discover -s tests` collects at least 40 tests and fails to import no module."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT], capture_output=True, text=True, cwd=ROOT, check=True, timeout=120
    )
    n_tests, n_errors, *errors = done.stdout.split(maxsplit=2)
    assert int(n_errors) == 0, errors
    assert int(n_tests) >= 40
