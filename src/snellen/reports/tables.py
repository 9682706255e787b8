"""The numbers of a run as text: for a terminal of 80 columns, as Markdown, as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping

from snellen.reports.summary import Cell, Summary


def percent(value: float) -> str:
    """A score for people.

    >>> percent(0.5), percent(float("nan"))
    ('50.0', '–')
    """
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def interval_text(cell: Cell) -> str:
    """The 95 % interval of a cell, "–" when it cannot be known."""
    low, high = cell.interval.low, cell.interval.high
    return "–" if math.isnan(low) or math.isnan(high) else f"{percent(low)} … {percent(high)}"


def counts_text(counts: Mapping[str, int]) -> str:
    """Counts by kind on one line.

    >>> counts_text({"error: timeout": 2, "unjudged": 1})
    '2 error: timeout, 1 unjudged'
    """
    return ", ".join(f"{n} {kind}" for kind, n in counts.items())


def lines(summary: Summary) -> list[Cell]:
    """The rows of the main table: capabilities, then overall."""
    cells = [cell for cell in summary.by_capability if cell.name != "(none)" or len(summary.by_capability) > 1]
    return [*cells, summary.overall]


def terminal(summary: Summary) -> str:
    """The table as `snellen run` prints it, at most 80 columns wide."""
    cells = lines(summary)
    both = any(not math.isnan(cell.fair) for cell in cells)
    width = min(22, max(len(cell.name) for cell in cells))
    head = f"{'':<{width}}  {'scored':>11}  {'score':>5}  {'95 % interval':>13}"
    if both:
        head += f"  {'fair':>5}"
    head += f"  {'missing = wrong':>15}"
    out = [head, "─" * len(head)]
    for cell in cells:
        line = f"{cell.name[:width]:<{width}}  {f'{cell.n_scored}/{cell.n_asked}':>11}  {percent(cell.score):>5}"
        line += f"  {interval_text(cell):>13}"
        if both:
            line += f"  {percent(cell.fair):>5}"
        line += f"  {percent(cell.if_wrong):>15}"
        if cell is summary.overall and len(cells) > 1:
            out.append("─" * len(head))
        out.append(line)
    return "\n".join([*out, *wrapped(_notes(summary))])


def wrapped(notes: Iterable[str], width: int = 80) -> list[str]:
    """Sentences broken to the width of a terminal.

    >>> wrapped(["short", "a long sentence"], width=10)
    ['short', 'a long', '  sentence']
    """
    import textwrap

    return [line for note in notes for line in textwrap.wrap(note, width, subsequent_indent="  ") or [""]]


def _notes(summary: Summary) -> list[str]:
    cell = summary.overall
    notes = []
    if cell.missing:
        notes.append(
            f"missing: {counts_text(cell.missing)} ({summary.convention.sentence}); "
            f"overall with all missing left out: {percent(cell.if_left_out)}"
        )
    if not math.isnan(cell.fair) and cell.n_differ:
        notes.append(
            f"rules: on the samples scored by both rule sets, fair gives {percent(cell.fair)} and datbench-1.0 (the "
            f"public library's rules) {percent(cell.datbench_1_0)}; they differ on {cell.n_differ:,} samples"
        )
    if cell.flags:
        notes.append(f"flags:   {counts_text(cell.flags)}")
    if cell.n_scored == 0:
        notes.append(f"0 scored of {cell.n_asked}: there is no score to report")
    if summary.circular is not None and summary.circular.n_groups:
        c = summary.circular
        notes.append(
            f"circular items: {percent(c.all_right)} right on all rotations ({c.n_groups} items), "
            f"{percent(c.per_row)} a row ({c.n_rows} rows)"
        )
    if summary.n_epochs > 1:
        notes.append(f"each question was asked {summary.n_epochs} times; epochs are averaged a question first")
    return ["", *notes] if notes else []


def markdown(summary: Summary) -> str:
    """The main table as Markdown."""
    out = [
        "| | scored | score | 95 % interval | fair | missing = wrong | missing left out | missing | flags |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for cell in lines(summary):
        name = f"**{cell.name}**" if cell is summary.overall else cell.name
        values = [
            name.replace("|", "\\|"), f"{cell.n_scored} of {cell.n_asked}", percent(cell.score), interval_text(cell),
            percent(cell.fair), percent(cell.if_wrong), percent(cell.if_left_out), counts_text(cell.missing),
            counts_text(cell.flags),
        ]  # fmt: skip
        out.append("| " + " | ".join(values) + " |")
    return "\n".join([*out, *_notes(summary)])


def per_capability_csv(summary: Summary) -> str:
    """The main table as CSV, scores in [0, 1]."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["capability", "n_asked", "n_scored", "score", "ci95_low", "ci95_high", "fair", "datbench_1_0"])
    for cell in lines(summary):
        numbers = (cell.score, cell.interval.low, cell.interval.high, cell.fair, cell.datbench_1_0)
        writer.writerow([cell.name, cell.n_asked, cell.n_scored, *("" if math.isnan(n) else n for n in numbers)])
    return buffer.getvalue()
