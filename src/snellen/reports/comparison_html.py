"""A comparison, a trend or a leaderboard as one self-contained page: inline SVG, no script, no outside request.

All text of models, users and benchmarks is escaped.
"""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Callable, Mapping, Sequence

from snellen.reports import comparison_figures as figures
from snellen.reports import comparison_text as text
from snellen.reports import thresholds as eyechart
from snellen.reports.comparison import Comparison, Flip, GroupRow, RunFigures
from snellen.reports.leaderboard import Leaderboard
from snellen.reports.tables import percent
from snellen.reports.thresholds import KindThreshold
from snellen.reports.trend import Trend, summary_line
from snellen.reports.trend import terminal as trend_text

Pictures = Callable[[Flip], Sequence[tuple[str, bytes]]]
"""Flip → (MIME type, bytes) of its pictures, already small; empty where they are not at hand."""

N_FLIPS_SHOWN = 24
"""Changed samples shown with their pictures, for each run and direction."""

_STYLE = """
:root{color-scheme:light dark;--ink:#1b1b1b;--soft:#5a5a5a;--line:#d4d4d4;--paper:#fff;--panel:#f6f6f4;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#a06a00;--c5:#3d6fd1;--good:#00704f;--bad:#a93f00}
@media(prefers-color-scheme:dark){:root{--ink:#ececec;--soft:#a9a9a9;--line:#444;--paper:#161616;--panel:#202020;
--c0:#56b4e9;--c1:#f0904a;--c2:#3fcf9f;--c3:#e3a4c6;--c4:#e6b93f;--c5:#8fb0f5;--good:#3fcf9f;--bad:#f0904a}}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1.5rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}
p.verdict{font-size:1.1rem;font-weight:600}p.soft,td.soft,.soft{color:var(--soft)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}th{font-weight:600;color:var(--soft)}tr.own td{font-weight:700}
tr.level td{color:var(--soft);border-bottom:0;padding-top:.8rem}td.up{color:var(--good)}td.down{color:var(--bad)}
svg{max-width:100%;height:auto;font:11px system-ui,sans-serif;fill:currentColor}
svg .title{font-weight:600;font-size:12px}
svg line,svg polyline,svg rect.axis{stroke:currentColor;fill:none}svg .grid{stroke:var(--line)}
svg .chance,svg .zero{stroke:var(--soft);stroke-dasharray:4 3}svg .fit,svg .line{stroke-width:2}
svg .threshold{stroke-width:5;opacity:.45}svg .band{opacity:.18;stroke:none;fill:currentColor}
.c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}.c5{color:var(--c5)}
svg .soft{fill:var(--soft)}.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr))}
.card{background:var(--panel);border-radius:.4rem;padding:.8rem;overflow-wrap:anywhere}
.card img{max-width:100%;max-height:14rem;display:block;margin:.4rem 0}.card dl{margin:.3rem 0;display:grid;
grid-template-columns:auto 1fr;gap:.1rem .6rem}.card dt{color:var(--soft)}.card dd{margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);padding:.8rem}
@media print{body{max-width:none}.card{break-inside:avoid}}
"""


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
        _runs_section(comparison),
        *(_difference_section(comparison, which) for which in range(len(names) - 1)),
        _answers_section(comparison.runs),
        _formats_section(comparison),
        thresholds_section(seen),
        *(_flips_section(comparison, which, pictures) for which in range(1, len(names))),
        _settings_section(comparison),
        f'<p class="soft">seed {comparison.seed}; p values corrected within each block (Holm); “detectable” is the '
        "smallest true difference that these samples find four times in five at the 95 % level</p>",
    ]
    return _page(" vs ".join(names), parts)


def trend_page(trend: Trend) -> str:
    """The trend over checkpoints as one page with a figure for each group."""
    parts = [f"<h1>Trend over {_e(trend.tag)}</h1>", f"<p>{trend.n_samples:,} samples in all checkpoints</p>"]
    parts += [f"<h2>{_e(summary_line(curve))}</h2>{figures.trend(curve, trend.tag)}" for curve in trend.curves]
    parts.append(f"<h2>Numbers</h2><pre>{_e(trend_text(trend))}</pre>")
    return _page(f"Trend over {trend.tag}", parts)


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
    table = f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'
    source = f"<p>Published rows: {_e(board.published.source)}. Your runs are bold.</p>"
    parts = [f"<h1>{_e(title)}</h1>", source, figures.bars(board), table, f"<ul>{remarks}</ul>"]
    return _page(title, parts)


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
    return f'<h2>What it can still see</h2>{lines}<div class="grid">{"".join(curves)}</div>'


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
    return f"<h2>Runs</h2>{_table(heads, rows)}{figure}"


def _run_row(run: RunFigures) -> str:
    cells = (
        run.name, percent(run.score.mean), text.interval(run.score),
        f"{text.number(run.rank.low)}–{text.number(run.rank.high)}", text.number(run.n_in_mean),
        text.number(run.n_out_mean), text.number(run.latency_s_mean, 2), text.number(run.latency_s_median, 2),
        text.number(run.cost, 2), "yes" if run.on_front else "",
    )  # fmt: skip
    return _row(cells)


def _difference_section(comparison: Comparison, which: int) -> str:
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
    for row in comparison.groups:
        if row.level != level and row.level != "overall":
            rows.append(f'<tr class="level"><td colspan="{len(heads)}">by {_e(row.level)}</td></tr>')
        level = row.level
        rows.append(_difference_row(row, which))
    title = f"<h2>{_e(name)} − {_e(base)}</h2>"
    return f"{title}{figures.differences(comparison, which)}{_table(heads, ''.join(rows))}"


def _difference_row(row: GroupRow, which: int) -> str:
    d = row.differences[which]
    direction = "up" if d.low > 0 else "down" if d.high < 0 else ""
    before = (row.name, f"{d.n_pairs:,}", percent(d.mean_a), percent(d.mean_b))
    after = (
        text.bounds(d.low, d.high), text.p_text(row.p_holm[which]),
        text.points(d.minimum_detectable).lstrip("+"), d.n_wins, d.n_losses, d.n_ties,
        text.points(row.relative_gain(which)) + " %",
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
        _row(
            (
                run.name,
                text.number(run.n_out_right),
                text.number(run.n_out_wrong),
                *(f"{percent(run.flags.get(flag, 0.0))} %" for flag in flags),
            )
        )
        for run in runs
    )
    return f"<h2>How they answer</h2>{_table(heads, rows)}"


def _formats_section(comparison: Comparison) -> str:
    if not comparison.formats:
        return ""
    heads = ("", "questions", "score per answer", "right on all rotations", "with options", "guessing")
    rows = "".join(
        _row(
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
    return f"<h2>Format effect</h2>{_table(heads, rows)}"


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
            parts.append(f'<h2>{_e(title)} ({len(flips):,})</h2><div class="grid">{cards}</div>{more}')
    return "".join(parts)


def _card(flip: Flip, base: str, name: str, pictures: Pictures | None) -> str:
    shown = "".join(_picture(mime, data) for mime, data in (pictures(flip) if pictures else ()))
    facts: Mapping[str, str] = {
        "truth": ", ".join(flip.references[:3]),
        base: f"{flip.answers[0][:200] or '(empty)'} ({flip.scores[0]:.2f})",
        name: f"{flip.answers[1][:200] or '(empty)'} ({flip.scores[1]:.2f})",
    }
    listed = "".join(f"<dt>{_e(key)}</dt><dd>{_e(value)}</dd>" for key, value in facts.items())
    where = " · ".join(part for part in (flip.capability, flip.dataset, flip.id) if part)
    question = _e(flip.question[:600])
    return f'<div class="card"><div class="soft">{_e(where)}</div>{shown}<div>{question}</div><dl>{listed}</dl></div>'


def _picture(mime: str, data: bytes) -> str:
    return f'<img alt="picture of the sample" src="data:{_e(mime)};base64,{base64.b64encode(data).decode("ascii")}">'


def _settings_section(comparison: Comparison) -> str:
    alignment = comparison.alignment
    if not alignment.settings:
        return ""
    rows = "".join(_row((name, *values)) for name, values in alignment.settings.items())
    return f"<h2>Settings that differ</h2>{_table(('', *alignment.names), rows)}"


def _page(title: str, parts: Sequence[str]) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{_e(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _table(heads: Sequence[str], rows: str) -> str:
    head = "".join(f"<th>{_e(name)}</th>" for name in heads)
    return f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div>'


def _row(cells: Sequence[object]) -> str:
    return f"<tr>{_cells(cells)}</tr>"


def _cells(cells: Sequence[object]) -> str:
    return "".join(f"<td>{_e(str(cell))}</td>" for cell in cells)


def _e(value: str) -> str:
    return html.escape(value, quote=True)
