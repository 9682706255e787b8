"""The examples in the docstrings hold, in whatever copy of the package is installed."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import datbench
import snellen

MODULES = sorted(
    found.name
    for package in (snellen, datbench)
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not found.name.endswith("__main__")
)


@pytest.mark.parametrize("name", [*MODULES, "snellen", "datbench"])
def test_docstring_examples(name: str) -> None:
    """Each module imports without extras and its examples print what they say."""
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_there_are_examples_to_run() -> None:
    """The walk found the packages, and they hold examples."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = ("snellen.answers.numbers", "snellen.stats.intervals", "snellen.config", "snellen.rows")
    assert all(any(test.examples for test in finder.find(importlib.import_module(name))) for name in names)
    assert len(MODULES) > 200
