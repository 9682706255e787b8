"""Every reference vector of every dataset in SCORERS, in both rule sets."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from snellen.scorers import SCORERS, score_answer

GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED_TOLERANCE = 1e-9
FAIR_TOLERANCE = 1e-6
FAIR_SHARE = 0.99

PARITY_EXCEPTIONS: dict[str, str] = {}
"""Case → why `datbench-1.0` gives another value than the public library."""

FAIR_EXCEPTIONS: dict[str, str] = {}
"""Case → why `fair` gives another value than the vector."""


def vectors(dataset: str) -> list[dict[str, Any]]:
    """The reference vectors of one dataset."""
    path = GOLDEN / f"{dataset}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line] if path.exists() else []


def differences(got: Any, wanted: Any, path: str = "") -> list[str]:
    """Where two JSON-like values differ; floats to 1e-9, tuples as lists, keys that are not wanted are free."""
    if isinstance(wanted, dict) and isinstance(got, dict | type(wanted)):
        found = [f"{path}.{key} is missing" for key in wanted if key not in got]
        return found + [
            d for key in wanted if key in got for d in differences(got[key], wanted[key], f"{path}.{key}")
        ]
    if isinstance(wanted, list) and isinstance(got, list | tuple):
        if len(got) != len(wanted):
            return [f"{path} has {len(got)} items, not {len(wanted)}"]
        return [
            d for n, (g, w) in enumerate(zip(got, wanted, strict=True)) for d in differences(g, w, f"{path}[{n}]")
        ]
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        close = math.isclose(got, wanted, rel_tol=EXPECTED_TOLERANCE, abs_tol=EXPECTED_TOLERANCE)
        return [] if close or (got != got and wanted != wanted) else [f"{path} is {got!r}, not {wanted!r}"]
    return [] if got == wanted else [f"{path} is {got!r}, not {wanted!r}"]


def parity_differences(vector: dict[str, Any]) -> list[str]:
    """What our datbench-1.0 rules give otherwise than the vector's `expected`."""
    score = score_answer(vector["row"], vector["output"], "datbench-1.0")
    expected = vector["expected"]
    if "raises" in expected:
        if expected.get("stage") == "aggregate":
            return differences(score.value, expected["score_before_aggregate_failure"], "score")
        return [] if score.value == 0 and score.reason else [f"{score} where the public library raises"]
    if score.value is None:
        return [f"unscored: {score.reason}"]
    found = differences(score.value, expected["score"], "score")
    if score.is_correct is not expected["is_correct"]:
        found.append(f"is_correct is {score.is_correct}")
    details = json.loads(json.dumps(dict(score.details)))
    return found + differences(details, expected.get("score_details") or {}, "details")


@pytest.mark.parametrize("dataset", sorted(SCORERS))
def test_parity_with_the_public_library(dataset: str) -> None:
    """Score, is_correct and every detail of the public library come out, or 0 with a reason where it raises."""
    wrong = {v["case"]: found for v in vectors(dataset) if (found := parity_differences(v))}
    unexplained = {case: found for case, found in wrong.items() if case not in PARITY_EXCEPTIONS}
    assert not unexplained, json.dumps(unexplained, indent=1, ensure_ascii=False)[:4000]


@pytest.mark.parametrize("dataset", sorted(SCORERS))
def test_fair_values(dataset: str) -> None:
    """The fair rules give the vectors' fair values, named exceptions aside."""
    wrong = {}
    for vector in vectors(dataset):
        if vector.get("fair") is None or vector["case"] in FAIR_EXCEPTIONS:
            continue
        score = score_answer(vector["row"], vector["output"], "fair")
        if score.value is None or abs(score.value - vector["fair"]) > FAIR_TOLERANCE:
            wrong[vector["case"]] = f"{score.value} ({score.reason}), not {vector['fair']}"
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)[:4000]


def test_named_exceptions_are_few_and_still_needed() -> None:
    """At least 99 % of the fair values hold, and an exception that no longer differs is struck off."""
    known = {v["case"]: v for dataset in SCORERS for v in vectors(dataset)}
    n_fair = sum(vector.get("fair") is not None for vector in known.values())
    assert len(FAIR_EXCEPTIONS) <= (1 - FAIR_SHARE) * max(n_fair, 1)
    for case in FAIR_EXCEPTIONS:
        value = score_answer(known[case]["row"], known[case]["output"], "fair").value
        assert value is None or abs(value - known[case]["fair"]) > FAIR_TOLERANCE, case
    for case in PARITY_EXCEPTIONS:
        assert parity_differences(known[case]), case


def test_the_harness_sees_a_difference() -> None:
    """A wrong number, a missing key and a shorter list are reported, a further key of ours is not."""
    assert differences({"a": 1.0, "b": 2}, {"a": 1.0}) == []
    assert differences({"a": 1.1}, {"a": 1.0}) == [".a is 1.1, not 1.0"]
    assert differences({}, {"a": 1.0}) == [".a is missing"]
    assert differences([1], [1, 2], "x") == ["x has 1 items, not 2"]
