"""What there is to say about the judges of a run, as sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from snellen.reports.page import escape, row, table
from snellen.reports.run_page_data import PageData

_MAX_DEPTH = 7
_MAX_ROWS = 300


def judging_section(data: PageData) -> str:
    """Verdicts by state and reason, and all facts about the judges; "" where nobody judged."""
    facts = data.facts.get("judging")
    facts = facts if isinstance(facts, Mapping) else {}
    if not facts and not data.verdicts:
        return ""
    sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in facts.get("sentences") or ())
    rest = {name: value for name, value in facts.items() if name != "sentences"}
    lines = [row([name, value], texts=(1,)) for name, value in flat(rest)[:_MAX_ROWS]]
    listed = table(["", ""], lines, texts=(1,)) if lines else ""
    more = f"<details><summary>everything about the judges</summary>{listed}</details>" if listed else ""
    return f"<h2>Judges</h2>{sentences}{_verdicts(data.verdicts)}{more}"


def _verdicts(verdicts: Mapping[str, Mapping[str, int]]) -> str:
    rows = [
        row([state if i == 0 else "", f"{n:,}", reason or "(no reason given)"], texts=(2,))
        for state, reasons in verdicts.items()
        for i, (reason, n) in enumerate(reasons.items())
    ]
    return table(["verdict", "answers", "reason"], rows, texts=(2,)) if rows else ""


def flat(value: Any, name: str = "", depth: int = 0) -> list[tuple[str, str]]:
    """A nested mapping as (path, text) lines; empty values are left out.

    >>> flat({"a": {"b": 0.25, "c": {}}, "d": None})
    [('a, b', '0.25')]
    """
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        if set(value) >= {"value", "low", "high"}:
            return [(name, _estimate(value))]
        inner = [(f"{name}, {key}" if name else str(key), one) for key, one in value.items()]
        return [line for key, one in inner for line in flat(one, key, depth + 1)]
    if isinstance(value, list | tuple) and depth < _MAX_DEPTH:
        if any(isinstance(one, Mapping | list | tuple) for one in value):
            return [line for i, one in enumerate(value, 1) for line in flat(one, f"{name} {i}", depth + 1)]
        value = ", ".join(str(one) for one in value)
    if isinstance(value, Mapping | list | tuple):
        return [(name, "…")]
    if value is None or value == "":
        return []
    return [(name, _number(value) if isinstance(value, float) else str(value))]


def _estimate(value: Mapping[str, Any]) -> str:
    mean, low, high = (value[key] for key in ("value", "low", "high"))
    if not isinstance(mean, int | float):
        return str(value.get("reason") or "–")
    bounds = "" if low is None or high is None else f" ({_number(low)} … {_number(high)})"
    return f"{_number(mean)}{bounds}"


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:,.3f}".rstrip("0").rstrip(".")
