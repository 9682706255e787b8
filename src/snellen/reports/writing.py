"""Everything that is written for people and other tools at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from snellen.reports import tables
from snellen.reports.run_html import PageData, run_page
from snellen.reports.summary import Summary
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
    write_bytes(folder / "report.md", _markdown(summary, spec, facts).encode("utf-8"))
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
    return results


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    from snellen.store import Log

    path.unlink(missing_ok=True)
    with Log(path) as log:
        for record in records:
            log.append(record)


def _markdown(summary: Summary, spec: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    benchmark, model = spec.get("benchmark", {}), spec.get("model", {})
    out = [
        f"# {benchmark.get('name')} · {model.get('name')}",
        "",
        tables.markdown(summary),
        "",
        "## How it was run",
        "",
        f"- benchmark: {benchmark.get('title')}, fingerprint `{benchmark.get('fingerprint')}`",
        f"- rules: {spec.get('rules')}; {summary.convention.sentence}",
        f"- tokens: {facts.get('tokens')}",
    ]
    out += [f"- note: {note}" for note in facts.get("notes", ())]
    if benchmark.get("citation"):
        out += ["", f"Cite: {benchmark['citation']}"]
    out += ["", "```json", encode(spec).decode("utf-8"), "```", ""]
    return "\n".join(out)
