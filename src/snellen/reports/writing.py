"""Everything that is written for people and other tools at the end of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.reports import tables
from snellen.reports.citations import citations
from snellen.reports.published_section import beside_of
from snellen.reports.run_html import run_page
from snellen.reports.run_page_data import PageData
from snellen.reports.slices import Slice
from snellen.store import encode, write_bytes, write_json


def write_report(folder: Path, data: PageData, predictions: Iterable[Mapping[str, Any]]) -> list[Path]:
    """Write report.json, report.md, report.html, per_capability.csv and predictions.jsonl.

    Args:
        folder: the run directory.
        data: numbers, spec, facts, examples.
        predictions: one mapping a sample and epoch, in order.

    Returns:
        The paths written.
    """
    summary, spec, facts = data.summary, data.spec, data.facts
    report = {"format_version": 1, "results": _results(data), "facts": dict(facts), "spec": dict(spec)}
    write_json(folder / "report.json", report)
    write_bytes(folder / "report.md", _markdown(data).encode("utf-8"))
    write_bytes(folder / "report.html", run_page(data).encode("utf-8"))
    write_bytes(folder / "per_capability.csv", tables.per_capability_csv(summary).encode("utf-8"))
    _write_lines(folder / "predictions.jsonl", predictions)
    names = ("report.json", "report.md", "report.html", "per_capability.csv", "predictions.jsonl")
    return [folder / name for name in names]


def _results(data: PageData) -> dict[str, Any]:
    results = data.summary.as_record()
    results["slices"] = [
        {"aspect": one.aspect, "name": one.name, "n": one.n, "score": one.interval.mean,
         "ci95": [one.interval.low, one.interval.high]}
        for one in data.slices
    ]  # fmt: skip
    if data.thresholds:
        results["thresholds"] = [one.as_record() for one in data.thresholds]
    if data.verdicts:
        results["verdicts"] = {state: dict(reasons) for state, reasons in data.verdicts.items()}
    found = beside_of(data)
    if found is not None:
        results["published"] = found.as_record()
    return results


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    from snellen.store import Log

    path.unlink(missing_ok=True)
    with Log(path) as log:
        for record in records:
            log.append(record)


def _slices_markdown(found: Sequence[Slice]) -> list[str]:
    if not found:
        return []
    out = ["## Slices", "", "| by | group | samples | score | 95 % interval |", "|---|---|---|---|---|"]
    for one in found:
        low, high = one.interval.low, one.interval.high
        bounds = "–" if math.isnan(low) else f"{tables.percent(low)} … {tables.percent(high)}"
        out.append(f"| {one.aspect} | {one.name} | {one.n} | {tables.percent(one.interval.mean)} | {bounds} |")
    return [*out, ""]


def _published_markdown(data: PageData) -> list[str]:
    found = beside_of(data)
    if found is None:
        return []
    model = (data.spec.get("model") or {}).get("name")
    own = f"| **{model}** | **{tables.percent(found.own.mean)}** | this run |"
    rows = [(found.scores[name], f"| {name} | {tables.percent(found.scores[name])} | {why} |")
            for name, why in found.chosen.items()]  # fmt: skip
    ordered = sorted([*rows, (found.own.mean, own)], key=lambda line: -line[0])
    head = ["## Beside published models", "", f"| model | {found.measure} | |", "|---|---|---|"]
    return [*head, *(line for _, line in ordered), "", *(f"- {remark}" for remark in found.remarks), ""]


def _markdown(data: PageData) -> str:
    summary, spec, facts = data.summary, data.spec, data.facts
    benchmark, model = spec.get("benchmark", {}), spec.get("model", {})
    out = [
        f"# {benchmark.get('name')} · {model.get('name')}",
        "",
        tables.markdown(summary),
        "",
        *_slices_markdown(data.slices),
        *_published_markdown(data),
        "## How it was run",
        "",
        f"- benchmark: {benchmark.get('title')}, fingerprint `{benchmark.get('fingerprint')}`",
        f"- rules: {spec.get('rules')}; {summary.convention.sentence}",
        f"- tokens: {facts.get('tokens')}",
    ]
    out += [f"- note: {note}" for note in facts.get("notes", ())]
    out += ["", "Cite:", "", *(f"- {what}: {paper}" for what, paper in citations(summary, spec))]
    out += ["", "```json", encode(spec).decode("utf-8"), "```", ""]
    return "\n".join(out)
