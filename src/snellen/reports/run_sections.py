"""The sections of a run's page that hold its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from snellen.reports import figures
from snellen.reports.page import escape, row, table
from snellen.reports.run_page_data import PageData
from snellen.reports.slices import Slice
from snellen.reports.summary import Cell, Summary
from snellen.reports.tables import counts_text, interval_text, lines, percent

_N_DIFFERENCES = 60


def headline(data: PageData) -> str:
    """The score with its interval, and what missing samples do to it."""
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


def notes(facts: Mapping[str, Any]) -> str:
    """Warnings and remarks of the run."""
    return "".join(f'<p class="note">{escape(note)}</p>' for note in facts.get("notes", ()))


def main_table(summary: Summary) -> str:
    """Scores by capability; by data set and category folded."""
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


def rules(data: PageData) -> str:
    """Where datbench-1.0 and the fair rules give different scores."""
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


def failures(summary: Summary) -> str:
    """Missing samples and flags, by kind."""
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


def slices(found: Sequence[Slice]) -> str:
    """Scores by what samples are like, each group with its interval drawn."""
    if not found:
        return ""
    rows, last = [], ""
    for one in found:
        low, high = one.interval.low, one.interval.high
        bounds = "–" if math.isnan(low) else f"{percent(low)} … {percent(high)}"
        aspect = escape(one.aspect if one.aspect != last else "")
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in (f"{one.n:,}", percent(one.interval.mean), bounds))
        drawn = figures.interval_bar(one.interval)
        rows.append(f'<tr><td>{aspect}</td><td class="text">{escape(one.name)}</td>{cells}<td>{drawn}</td></tr>')
        last = one.aspect
    heads = ["by", "group", "samples", "score", "95 % interval", ""]
    return f"<h2>Slices</h2>{table(heads, rows, texts=(1,))}"


def cost(data: PageData) -> str:
    """Tokens, calls, time and money."""
    facts = data.facts
    tokens = facts.get("tokens") or {}
    n_in, n_out = tokens.get("input") or 0, tokens.get("output") or 0
    n_told = data.summary.overall.n_asked - (tokens.get("n_answers_without_usage") or 0)
    rows = [
        row(["prompt tokens", f"{n_in:,}" if n_in else "not stated"]),
        row(["completion tokens", f"{n_out:,}" if n_out else "not stated"]),
    ]
    if n_out and n_told > 0:
        rows.append(row(["completion tokens an answer", f"{n_out / n_told:,.0f}"]))
    if tokens.get("n_answers_without_usage"):
        rows.append(row(["answers whose tokens the server did not state", f"{tokens['n_answers_without_usage']:,}"]))
    rows += [
        row(["calls, all attempts", f"{facts.get('n_calls') or 0:,}"]),
        row(["attempts of the run", f"{facts.get('n_attempts') or 0:,}"]),
        row(["active time", f"{facts.get('active_s') or 0:,.1f} s"]),
        row(["most requests in flight", f"{facts.get('max_in_flight') or 0:,}"]),
    ]
    latencies = {"median latency": facts.get("latency_p50_s"), "95th percentile latency": facts.get("latency_p95_s")}
    rows += [row([name, f"{value:.2f} s"]) for name, value in latencies.items() if value is not None]
    if facts.get("cost") is not None:
        rows.append(row(["cost", f"{facts['cost']:.4f}"]))
        if data.summary.overall.n_scored:
            a_thousand = 1000 * facts["cost"] / data.summary.overall.n_scored
            rows.append(row(["cost of 1,000 scored samples", f"{a_thousand:.4f}"]))
    return f"<h2>Cost and time</h2>{table(['', ''], rows)}"
