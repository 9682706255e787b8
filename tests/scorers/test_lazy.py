"""Every rule that the table names exists, and naming it imports nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from snellen.scorers import SCORERS
from snellen.scorers.lazy import Rule


@pytest.mark.parametrize("name", SCORERS)
def test_every_rule_of_the_table_can_be_resolved(name: str) -> None:
    """A misspelt name in the table is caught here, not in somebody's run."""
    row = SCORERS[name]
    for rule in (row.fair, row.datbench_1_0, row.aggregate):
        if isinstance(rule, Rule):
            assert callable(rule.resolve())


def test_the_table_alone_imports_no_family() -> None:
    """The run path of an own file needs no document or formula rules."""
    code = "import snellen.scorers, sys; print([m for m in sys.modules if m.startswith('snellen.scorers.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for family in ("documents", "math", "choice", "vqa"):
        assert f"'snellen.scorers.{family}'" not in done.stdout
