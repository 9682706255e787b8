"""The drop-in's tests run with the standard library's runner too, and there are enough of them."""

from __future__ import annotations

import unittest
from pathlib import Path


def test_unittest_finds_the_tests_of_the_drop_in() -> None:
    """`python -m unittest discover -s tests` collects at least 25 tests of the package `datbench`."""
    folder = Path(__file__).parent
    found = unittest.TestLoader().discover(str(folder), pattern="test_datbench*.py", top_level_dir=str(folder.parent))
    assert found.countTestCases() >= 25
