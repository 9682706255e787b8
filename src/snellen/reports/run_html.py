"""`report.html`: a run on one self-contained page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from snellen.reports import figures
from snellen.reports.examples import Example, boxes_of, thumbnail
from snellen.reports.page import escape, page, picture, row, table
from snellen.reports.slices import Slice
from snellen.reports.summary import Cell, Summary
from snellen.reports.tables import counts_text, interval_text, lines, percent
from snellen.reports.thresholds import KindThreshold
from snellen.store import encode

_N_DIFFERENCES = 60


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything on the page."""

    summary: Summary
    """The numbers."""
    spec: Mapping[str, Any]
    """The frozen spec."""
    facts: Mapping[str, Any]
    """What happened."""
    slices: Sequence[Slice] = ()
    """Scores by what samples are like."""
    examples: Sequence[Example] = ()
    """Instructive errors."""
    records: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """Position → sample record, of the examples and differing samples."""
    responses: Mapping[int, str] = field(default_factory=dict)
    """Position → response text, of the examples."""
    differences: Sequence[Mapping[str, Any]] = ()
    """Score rows on which the two rule sets differ."""
    thresholds: Sequence[KindThreshold] = ()
    """Eye-chart thresholds."""
    pictures: Callable[[list[int]], dict[int, list[bytes]]] | None = None
    """Positions → encoded images."""


def run_page(data: PageData) -> str:
    """The page as one string."""
    benchmark, model = data.spec.get("benchmark", {}), data.spec.get("model", {})
    title = f"{model.get('name')} on {benchmark.get('name')}"
    head = f"<header><h1>{escape(title)}</h1><p class='soft'>{escape(benchmark.get('title') or '')}</p></header>"
    return page(title, [head, *overview(data), _examples(data), _spec(data)])


def overview(data: PageData) -> list[str]:
    """The sections with the numbers and figures of a run, without examples and spec."""
    model = data.spec.get("model", {})
    return [
        _headline(data),
        _notes(data.facts),
        _main_table(data.summary),
        _figures(data.summary),
        _thresholds(str(model.get("name")), data.thresholds),
        _rules(data),
        _failures(data.summary),
        _slices(data.slices),
        _cost(data.facts),
    ]


def _thresholds(model: str, found: Sequence[KindThreshold]) -> str:
    if not found:
        return ""
    from snellen.reports.comparison_html import thresholds_section  # the comparison's pages: not on every run's path

    return thresholds_section([(model, found)])


def _headline(data: PageData) -> str:
    cell = data.summary.overall
    if cell.n_scored == 0:
        return f'<p class="headline">no score <small>0 scored of {cell.n_asked:,}</small></p>'
    return (
        f'<p class="headline">{percent(cell.score)} <small>95 % interval {interval_text(cell)} · '
        f"{cell.n_scored:,} scored of {cell.n_asked:,} · rules {escape(data.spec.get('rules'))}</small></p>"
        f'<p class="soft">{escape(data.summary.convention.sentence)}; with all missing samples wrong '
        f"{percent(cell.if_wrong)}, left out {percent(cell.if_left_out)}. Interval: {escape(cell.interval.method)} "
        f"over {cell.interval.n_clusters:,} independent images or items.</p>"
    )


def _notes(facts: Mapping[str, Any]) -> str:
    return "".join(f'<p class="note">{escape(note)}</p>' for note in facts.get("notes", ()))


def _main_table(summary: Summary) -> str:
    both = any(not math.isnan(cell.fair) for cell in lines(summary))
    heads = [
        "",
        "scored",
        "score",
        "95 % interval",
        *(["fair rules"] if both else []),
        "missing = wrong",
        "missing",
        "flags",
    ]
    rows = [_main_row(cell, both=both, kind="total" if cell is summary.overall else "") for cell in lines(summary)]
    texts = (len(heads) - 2, len(heads) - 1)
    out = table(heads, rows, texts=texts)
    if summary.circular is not None and summary.circular.n_groups:
        c = summary.circular
        out += (
            f"<p>Circular items: {percent(c.all_right)} right on all rotations ({c.n_groups:,} items), "
            f"{percent(c.per_row)} a row ({c.n_rows:,} rows).</p>"
        )
    if len(summary.by_dataset) > 1:
        inner = table(heads, [_main_row(cell, both=both) for cell in summary.by_dataset], texts=texts)
        out += f"<details><summary>by dataset ({len(summary.by_dataset)})</summary>{inner}</details>"
    if len(summary.by_category) > 1:
        inner = table(heads, [_main_row(cell, both=both) for cell in summary.by_category], texts=texts)
        out += f"<details><summary>by category ({len(summary.by_category)})</summary>{inner}</details>"
    return f"<h2>Scores</h2>{out}"


def _main_row(cell: Cell, *, both: bool, kind: str = "") -> str:
    cells = [cell.name, f"{cell.n_scored:,} of {cell.n_asked:,}", percent(cell.score), interval_text(cell)]
    cells += [percent(cell.fair)] if both else []
    cells += [percent(cell.if_wrong), counts_text(cell.missing) or "–", counts_text(cell.flags) or "–"]
    return row(cells, kind=kind, texts=(len(cells) - 2, len(cells) - 1))


def _figures(summary: Summary) -> str:
    cells = summary.by_capability
    if len(cells) < 2:
        return ""
    return f'<div class="figures">{figures.capability_bars(cells)}{figures.radar(cells)}</div>'


def _rules(data: PageData) -> str:
    cells = [cell for cell in data.summary.by_dataset if cell.n_differ]
    if not cells:
        return ""
    rows = [_artefact(cell) for cell in cells]
    by_dataset = table(
        ["dataset", "samples", "datbench-1.0", "fair", "artefact, points", "samples that differ"], rows
    )
    listed = [_difference(one, data.records.get(one["position"], {})) for one in data.differences[:_N_DIFFERENCES]]
    heads = ["sample", "dataset", "datbench-1.0", "fair", "reference", "answer read", "why they differ"]
    more = len(data.differences) - len(listed)
    tail = f'<p class="soft">and {more:,} more in scores.parquet</p>' if more > 0 else ""
    return (
        "<h2>Where the rule sets differ</h2><p class='soft'>datbench-1.0 gives the public library's numbers, its "
        "faults included; fair gives the metric as its paper defines it. The difference is the scorer's own "
        "artefact.</p>"
        f"{by_dataset}<details><summary>samples that differ</summary>{table(heads, listed)}</details>{tail}"
    )


def _artefact(cell: Cell) -> str:
    points = f"{100 * (cell.datbench_1_0 - cell.fair):+.1f}"
    cells = [cell.name, f"{cell.n_asked:,}", percent(cell.datbench_1_0), percent(cell.fair), points]
    return row([*cells, f"{cell.n_differ:,}"])


def _difference(one: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    reference = "; ".join(map(str, (record.get("references") or [""])[:2]))
    cells = [one["sample_id"], one["dataset"], f"{one['datbench_1_0']:.2f}", f"{one['fair']:.2f}"]
    cells += [reference[:120], str(one["answer"])[:160], str(one.get("why") or "")[:160]]
    return row(cells, texts=(4, 5, 6))


def _failures(summary: Summary) -> str:
    overall = summary.overall
    if not overall.missing and not overall.flags:
        return ""
    missing = figures.count_bars(overall.missing, "Missing samples by kind")
    flags = figures.count_bars(overall.flags, "Flags on answered samples")
    return (
        "<h2>Missing samples and flags</h2><div class='figures'>"
        + (f"<div><p class='soft'>missing, no score</p>{missing}</div>" if missing else "")
        + (f"<div><p class='soft'>answered, scored, but worth a look</p>{flags}</div>" if flags else "")
        + "</div>"
    )


def _slices(found: Sequence[Slice]) -> str:
    if not found:
        return ""
    rows, last = [], ""
    for one in found:
        low, high = one.interval.low, one.interval.high
        bounds = "–" if math.isnan(low) else f"{percent(low)} … {percent(high)}"
        rows.append(
            row(
                [one.aspect if one.aspect != last else "", one.name, f"{one.n:,}", percent(one.interval.mean), bounds]
            )
        )
        last = one.aspect
    return f"<h2>Slices</h2>{table(['by', 'group', 'samples', 'score', '95 % interval'], rows, texts=(1,))}"


def _cost(facts: Mapping[str, Any]) -> str:
    tokens = facts.get("tokens") or {}
    rows = [
        row(["prompt tokens", f"{tokens.get('input', 0):,}"]),
        row(["completion tokens", f"{tokens.get('output', 0):,}"]),
        row(["calls, all attempts", f"{facts.get('n_calls', 0):,}"]),
        row(["attempts of the run", f"{facts.get('n_attempts', 0):,}"]),
        row(["active time", f"{facts.get('active_s', 0):,.1f} s"]),
        row(["most requests in flight", f"{facts.get('max_in_flight', 0):,}"]),
    ]
    latencies = {"median latency": facts.get("latency_p50_s"), "95th percentile latency": facts.get("latency_p95_s")}
    rows += [row([name, f"{value:.2f} s"]) for name, value in latencies.items() if value is not None]
    if facts.get("cost") is not None:
        rows.append(row(["cost", f"{facts['cost']:.4f}"]))
    return f"<h2>Cost</h2>{table(['', ''], rows)}"


def _examples(data: PageData) -> str:
    if not data.examples:
        return ""
    positions = [example.position for example in data.examples]
    found = data.pictures(positions) if data.pictures is not None else {}
    cards = "".join(_card(example, data, found.get(example.position, [])) for example in data.examples)
    return f"<h2>Instructive errors ({len(data.examples)})</h2><div class='cards'>{cards}</div>"


def _card(example: Example, data: PageData, originals: Iterable[bytes]) -> str:
    record = data.records.get(example.position, {})
    boxes = boxes_of(example.details)
    shown = [thumbnail(raw, boxes=boxes) for raw in list(originals)[:4]]
    pictures = "".join(picture(*small, alt="picture of the sample") for small in shown if small is not None)
    choices = "\n".join(f"{chr(65 + i)}. {text}" for i, text in enumerate(record.get("choices") or ()))
    facts = {
        "options": choices[:600],
        "truth": "; ".join(map(str, (record.get("references") or ["(see the green box)" if boxes else ""])[:3]))[
            :300
        ],
        "said": data.responses.get(example.position, "")[:500],
        "read as": str(example.row["answer"])[:200] or "(nothing)",
        "score": f"{example.row['value']:.2f} by {example.row['scorer']}",
        "why": str(example.row.get("reason") or "")[:200],
        "flags": ", ".join(example.row["flags"] or ()),
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value)
    where = " · ".join(
        str(v) for v in (example.row["capability"], example.row["dataset"], example.row["sample_id"]) if v
    )
    question = escape(str(record.get("question") or "")[:600])
    head = f'<div class="soft">{escape(where)}</div>{pictures}<div>{question}</div>'
    return f'<div class="card">{head}<dl>{listed}</dl></div>'


def _spec(data: PageData) -> str:
    import orjson

    spec = orjson.dumps(orjson.loads(encode(data.spec)), option=orjson.OPT_INDENT_2).decode("utf-8")
    citation = data.spec.get("benchmark", {}).get("citation")
    cite = f"<p>Cite: {escape(citation)}</p>" if citation else ""
    return (
        f"<h2>How it was run</h2>{cite}<details><summary>the whole spec</summary><pre>{escape(spec)}</pre></details>"
        "<p class='soft'>Made by snellen. The numbers are in report.json, one row a sample in scores.parquet.</p>"
    )
