"""A comparison, a trend or a leaderboard as one self-contained page: inline SVG, no script, no outside request.

All text of models, users and benchmarks is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from snellen.reports import comparison_figures as figures
from snellen.reports import comparison_text as text
from snellen.reports import thresholds as eyechart
from snellen.reports.comparison import Comparison, Flip, GroupRow, RunFigures
from snellen.reports.leaderboard import Leaderboard
from snellen.reports.page import escape as _e
from snellen.reports.page import page, picture, row, table
from snellen.reports.rule_sets import rules_rows
from snellen.reports.tables import percent
from snellen.reports.thresholds import KindThreshold
from snellen.reports.trend import Trend, summary_line
from snellen.reports.trend import terminal as trend_text
from snellen.reports.weighted import weighted_rows

Pictures = Callable[[Flip], Sequence[tuple[str, bytes]]]
"""Flip → (MIME type, bytes) of its pictures, already small; empty where they are not at hand."""

N_FLIPS_SHOWN = 24
"""Changed samples shown with their pictures, for each run and direction."""


def comparison_page(
    comparison: Comparison,
    *,
    pictures: Pictures | None = None,
    seen: Sequence[tuple[str, Sequence[KindThreshold]]] = (),
) -> str:
    """The whole comparison as one page.

    Args:
        comparison: the numbers.
        pictures: finds the pictures of changed samples; None shows none.
        seen: (run name, thresholds) for eye-chart runs; their curves are drawn side by side.
    """
    names = [run.name for run in comparison.runs]
    verdicts = [text.verdict(comparison, which) for which in range(len(names) - 1)]
    parts = [
        f"<h1>{_e(' vs '.join(names))}</h1>",
        *(f'<p class="verdict">{_e(sentence)}</p>' for sentence in verdicts),
        f'<p class="soft">{_e(comparison.alignment.sentence)}</p>',
        *(f"<p>mixed: {_e(sentence)}</p>" for sentence in comparison.alignment.allowed),
        *(f"<p>weighted: {_e(row.sentence)}</p>" for row in weighted_rows(comparison.alignment)),
        *(f"<p>{_e(row.sentence)}</p>" for row in rules_rows(comparison.alignment, seed=comparison.seed)),
        *(f"<p>{_e(sentence)}</p>" for sentence in text.zeroed(comparison)),
        _runs_section(comparison),
        *(difference_section(comparison, which) for which in range(len(names) - 1)),
        _answers_section(comparison.runs),
        _formats_section(comparison),
        thresholds_section(seen),
        *(_flips_section(comparison, which, pictures) for which in range(1, len(names))),
        _settings_section(comparison),
        f'<p class="soft">seed {comparison.seed}; p values corrected within each block (Holm), intervals are not; '
        "“detectable” is the smallest true difference that these samples find four times in five at the 95 % "
        "level</p>",
    ]
    return page(" vs ".join(names), parts)


def trend_page(trend: Trend) -> str:
    """The trend over checkpoints as one page with a figure for each group."""
    parts = [f"<h1>Trend over {_e(trend.tag)}</h1>", f"<p>{trend.n_samples:,} samples in all checkpoints</p>"]
    parts += [f"<h2>{_e(summary_line(curve))}</h2>{figures.trend(curve, trend.tag)}" for curve in trend.curves]
    parts.append(f"<h2>Numbers</h2><pre>{_e(trend_text(trend))}</pre>")
    return page(f"Trend over {trend.tag}", parts)


def leaderboard_page(board: Leaderboard) -> str:
    """The leaderboard as one page."""
    columns = board.published.columns
    head = "".join(f"<th>{_e(name)}</th>" for name in ("", "model", "overall", *columns, "rank spread"))
    rows = []
    for entry in board.entries:
        cells = [percent(entry.overall), *(percent(entry.cells.get(name, math.nan)) for name in columns)]
        cells.append(text.number(entry.spread.spread, 2))
        own = ' class="own"' if entry.is_own else ""
        numbers = "".join(f"<td>{_e(cell)}</td>" for cell in cells)
        rows.append(f"<tr{own}><td>{text.number(entry.rank)}</td><td>{_e(entry.model)}</td>{numbers}</tr>")
    remarks = "".join(f"<li>{_e(remark)}</li>" for remark in board.remarks)
    title = f"{board.published.name} leaderboard"
    shown = f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'
    source = f"<p>Published rows: {_e(board.published.source)}. Your runs are bold.</p>"
    parts = [f"<h1>{_e(title)}</h1>", source, figures.bars(board), shown, f"<ul>{remarks}</ul>"]
    return page(title, parts)


def thresholds_section(seen: Sequence[tuple[str, Sequence[KindThreshold]]]) -> str:
    """Eye-chart curves of one run or several: the same kind of all runs in one figure.

    Args:
        seen: (run name, thresholds); runs without any are passed over.

    Returns:
        An HTML section, "" when there is nothing to show.
    """
    told = [(name, {one.kind: one for one in found}) for name, found in seen if found]
    if not told:
        return ""
    kinds = dict.fromkeys(kind for _, found in told for kind in found)
    curves = []
    for kind in kinds:
        first, *rest = [(name, found[kind]) for name, found in told if kind in found]
        curves.append(f'<div class="card">{eyechart.svg(first[1], rest)}{_sentences(first, rest)}</div>')
    lines = "".join(
        f"<p><b>{_e(name)}</b>: {_e(eyechart.summary_line(list(found.values())))}</p>" for name, found in told
    )
    return f'<h2>What it can still see</h2>{lines}<div class="cards">{"".join(curves)}</div>'


def _sentences(first: tuple[str, KindThreshold], rest: Sequence[tuple[str, KindThreshold]]) -> str:
    shown = [
        f'<div class="c{i % 6}">{_e(f"{name}: {kind.sentence}" if rest else kind.sentence)}</div>'
        for i, (name, kind) in enumerate((first, *rest))
    ]
    return "".join(shown)


def _runs_section(comparison: Comparison) -> str:
    heads = (
        "",
        "score",
        "95 % interval",
        "rank",
        "tokens in",
        "tokens out",
        "s a call",
        "median s",
        "cost",
        "Pareto",
    )
    rows = "".join(_run_row(run) for run in comparison.runs)
    figure = figures.pareto(comparison.runs)
    return f"<h2>Runs</h2>{table(heads, rows)}{figure}"


def _run_row(run: RunFigures) -> str:
    cells = (
        run.name, percent(run.score.mean), text.interval(run.score),
        f"{text.number(run.rank.low)}–{text.number(run.rank.high)}", text.number(run.n_in_mean),
        text.number(run.n_out_mean), text.number(run.latency_s_mean, 2), text.number(run.latency_s_median, 2),
        text.number(run.cost, 2), "yes" if run.on_front else "",
    )  # fmt: skip
    return row(cells)


def difference_section(comparison: Comparison, which: int) -> str:
    """One run against the baseline: the figure, and each group's numbers with interval, p and wins.

    Args:
        comparison: the numbers.
        which: 0 for the first run after the baseline.

    Returns:
        An HTML section with a heading.
    """
    name, base = comparison.runs[which + 1].name, comparison.runs[0].name
    heads = (
        "",
        "n",
        "base",
        "run",
        "difference",
        "95 % interval",
        "p",
        "detectable",
        "won",
        "lost",
        "tied",
        "relative",
    )
    rows = []
    level = ""
    for group in comparison.groups:
        if group.level != level and group.level != "overall":
            rows.append(f'<tr class="level"><td colspan="{len(heads)}">by {_e(group.level)}</td></tr>')
        level = group.level
        rows.append(_difference_row(group, which))
    title = f"<h2>{_e(name)} − {_e(base)}</h2>"
    return f"{title}{figures.differences(comparison, which)}{table(heads, ''.join(rows))}"


def _difference_row(group: GroupRow, which: int) -> str:
    d = group.differences[which]
    # Coloured only where the corrected p says so: one of many intervals clears zero by chance.
    is_sure = group.p_holm[which] < 0.05
    direction = ("up" if d.difference > 0 else "down") if is_sure else ""
    before = (group.name, f"{d.n_pairs:,}", percent(d.mean_a), percent(d.mean_b))
    after = (
        text.bounds(d.low, d.high), text.p_text(group.p_holm[which]),
        text.points(d.minimum_detectable).lstrip("+"), d.n_wins, d.n_losses, d.n_ties,
        text.relative(group.relative_gain(which)),
    )  # fmt: skip
    middle = f'<td class="{direction}">{text.points(d.difference)}</td>'
    return f"<tr>{_cells(before)}{middle}{_cells(after)}</tr>"


def _answers_section(runs: Sequence[RunFigures]) -> str:
    heads = (
        "",
        "tokens, right answers",
        "tokens, wrong answers",
        "cut off",
        "looping",
        "empty",
        "refused",
        "unparsed",
    )
    flags = ("truncated", "looping", "empty", "refused", "unparsed")
    rows = "".join(
        row(
            (
                run.name,
                text.number(run.n_out_right),
                text.number(run.n_out_wrong),
                *(f"{percent(run.flags.get(flag, 0.0))} %" for flag in flags),
            )
        )
        for run in runs
    )
    return f"<h2>How they answer</h2>{table(heads, rows)}"


def _formats_section(comparison: Comparison) -> str:
    if not comparison.formats:
        return ""
    heads = ("", "questions", "score per answer", "right on all rotations", "with options", "guessing")
    rows = "".join(
        row(
            (
                effect.name,
                f"{effect.n_questions:,}",
                percent(effect.per_answer.mean),
                percent(effect.all_rotations.mean),
                f"{percent(effect.share_with_choices)} %",
                percent(effect.guessing),
            )
        )
        for effect in comparison.formats
    )
    return f"<h2>Format effect</h2>{table(heads, rows)}"


def _flips_section(comparison: Comparison, which: int, pictures: Pictures | None) -> str:
    own = [flip for flip in comparison.flips if flip.run == which]
    name, base = comparison.runs[which].name, comparison.runs[0].name
    parts = []
    for title, flips in (
        (f"Lost: {base} right, {name} wrong", [f for f in own if f.scores[0] > f.scores[1]]),
        (f"Gained: {base} wrong, {name} right", [f for f in own if f.scores[0] < f.scores[1]]),
    ):
        cards = "".join(_card(flip, base, name, pictures) for flip in flips[:N_FLIPS_SHOWN])
        more = f'<p class="soft">and {len(flips) - N_FLIPS_SHOWN:,} more</p>' if len(flips) > N_FLIPS_SHOWN else ""
        if flips:
            parts.append(f'<h2>{_e(title)} ({len(flips):,})</h2><div class="cards">{cards}</div>{more}')
    return "".join(parts)


def _card(flip: Flip, base: str, name: str, pictures: Pictures | None) -> str:
    shown = "".join(
        picture(mime, data, "picture of the sample") for mime, data in (pictures(flip) if pictures else ())
    )
    facts: Mapping[str, str] = {
        "truth": ", ".join(flip.references[:3]),
        base: f"{flip.answers[0][:200] or '(empty)'} ({flip.scores[0]:.2f})",
        name: f"{flip.answers[1][:200] or '(empty)'} ({flip.scores[1]:.2f})",
    }
    listed = "".join(f"<dt>{_e(key)}</dt><dd>{_e(value)}</dd>" for key, value in facts.items())
    where = " · ".join(part for part in (flip.capability, flip.dataset, flip.id) if part)
    question = _e(flip.question[:600])
    return f'<div class="card"><div class="soft">{_e(where)}</div>{shown}<div>{question}</div><dl>{listed}</dl></div>'


def _settings_section(comparison: Comparison) -> str:
    alignment = comparison.alignment
    if not alignment.settings:
        return ""
    rows = "".join(row((name, *values)) for name, values in alignment.settings.items())
    return f"<h2>Settings that differ</h2>{table(('', *alignment.names), rows)}"


def _cells(cells: Sequence[object]) -> str:
    return "".join(f"<td>{_e(cell)}</td>" for cell in cells)
