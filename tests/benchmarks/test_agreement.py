"""The agreement benchmark and its table of corrections."""

from __future__ import annotations

import csv
import importlib.util
import os
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
OUTPUTS = Path(os.environ.get("SNELLEN_SHARED", ROOT / "../shared")) / "data/outputs"


@pytest.fixture(scope="module")
def agreement() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("agreement", ROOT / "benchmarks/agreement.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["agreement"] = module
    spec.loader.exec_module(module)
    return module


def test_every_correction_has_a_reason(agreement: ModuleType) -> None:
    """Each line names set, item, model, a verdict and why; none twice."""
    with agreement.CORRECTIONS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert rows
    assert all(row["reason"] and row["verdict"] in ("0", "1") and row["set"] in agreement.SCORER_OF for row in rows)
    assert max(Counter((row["set"], row["item"], row["model"]) for row in rows).values()) == 1


@pytest.mark.skipif(not OUTPUTS.exists(), reason="the real outputs are not here")
@pytest.mark.parametrize("name", ["blink_val", "logicvista", "mmmu_pro"])
def test_agreement_with_published_verdicts(agreement: ModuleType, name: str) -> None:
    """At least 95 % raw and 99 % against the corrected table."""
    corrected = agreement.corrections()
    rows = list(agreement.judged(OUTPUTS / f"{name}.jsonl"))
    raw = sum(row.agrees for row in rows) / len(rows)
    truths = [corrected.get((name, row.item, row.model), row.published) for row in rows]
    right = sum((row.ours.value or 0.0) == truth for row, truth in zip(rows, truths, strict=True)) / len(rows)
    assert raw >= 0.95
    assert right >= 0.99
