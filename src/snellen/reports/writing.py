"""Everything that is written for people and other tools at the end of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from snellen.reports import tables
from snellen.reports.summary import Summary
from snellen.store import encode, write_bytes, write_json


def write_report(
    folder: Path,
    *,
    summary: Summary,
    spec: Mapping[str, Any],
    facts: Mapping[str, Any],
    predictions: Iterable[Mapping[str, Any]],
    picture: Callable[[list[int]], dict[int, list[bytes]]] | None = None,
) -> list[Path]:
    """Write report.json, report.md, report.html, per_capability.csv and predictions.jsonl.

    Args:
        folder: the run directory.
        summary: the numbers.
        spec: the frozen spec of the run.
        facts: what happened: tokens, time, attempts, sight check, notes.
        predictions: one mapping a sample and epoch, in order.
        picture: positions → encoded images of those samples, for the examples in the page; None: no pictures.

    Returns:
        The paths written.
    """
    report = {"format_version": 1, "results": summary.as_record(), "facts": dict(facts), "spec": dict(spec)}
    write_json(folder / "report.json", report)
    write_bytes(folder / "report.md", _markdown(summary, spec, facts).encode("utf-8"))
    write_bytes(folder / "per_capability.csv", tables.per_capability_csv(summary).encode("utf-8"))
    _write_lines(folder / "predictions.jsonl", predictions)
    return [folder / name for name in ("report.json", "report.md", "per_capability.csv", "predictions.jsonl")]


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
