"""A comparison as text: for a terminal of 80 columns, and as Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from snellen.reports.comparison import Comparison, Flip, FormatEffect, GroupRow, RunFigures
from snellen.reports.rule_sets import rules_rows
from snellen.reports.tables import percent
from snellen.reports.weighted import weighted_rows
from snellen.stats.intervals import Interval
from snellen.stats.paired import PairedDifference

WIDTH = 80
"""Columns of the terminal."""
_NAME = 16
_MOST_CATEGORIES = 12
_LEVEL_TITLES = {"capability": "by capability", "dataset": "by dataset", "category": "by category"}


def points(value: float) -> str:
    """A difference in points, with its sign.

    >>> points(0.0125), points(-0.5), points(float("nan"))
    ('+1.2', '−50.0', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{abs(100 * value):.1f}"
    sign = "" if text == "0.0" else "+" if value > 0 else "−"
    return sign + text


def relative(value: float) -> str:
    r"""A relative gain.

    >>> relative(0.125), relative(float("nan"))
    ('+12.5\xa0%', '–')
    """
    return "–" if math.isnan(value) else f"{points(value)}\xa0%"


def p_text(value: float) -> str:
    """A p value for people.

    >>> p_text(0.0312), p_text(0.00001), p_text(float("nan"))
    ('0.031', '<.001', '–')
    """
    if math.isnan(value):
        return "–"
    return "<.001" if value < 0.001 else f"{value:.3f}"


def number(value: float, digits: int = 0) -> str:
    """A plain number, "–" when it is not known.

    >>> number(1234.5), number(float("nan"))
    ('1,234', '–')
    """
    return "–" if math.isnan(value) else f"{value:,.{digits}f}"


def bounds(low: float, high: float) -> str:
    """An interval of a difference in points.

    >>> bounds(-0.012, 0.034)
    '−1.2 … +3.4'
    """
    return "–" if math.isnan(low) or math.isnan(high) else f"{points(low)} … {points(high)}"


def interval(value: Interval) -> str:
    """An interval of a score, in percent."""
    known = not (math.isnan(value.low) or math.isnan(value.high))
    return f"{percent(value.low)} … {percent(value.high)}" if known else "–"


def fit(text: str, width: int) -> str:
    """Cut to a width with an ellipsis, then pad.

    >>> fit("grounding", 6), fit("a", 3)
    ('groun…', 'a  ')
    """
    return f"{text if len(text) <= width else text[: width - 1] + '…':<{width}}"


def verdict(comparison: Comparison, which: int = 0) -> str:
    """The answer in one sentence: is the run better than the baseline, by how much, how sure."""
    difference = comparison.overall.differences[which]
    base, name = comparison.runs[0].name, comparison.runs[which + 1].name
    if math.isnan(difference.difference):
        return f"{name} and {base} cannot be compared: {difference.reason}"
    if comparison.alignment.kind == "vision gap":
        return _vision_gap(comparison)
    size = f"{points(difference.difference)} points, 95 % interval {bounds(difference.low, difference.high)}"
    if difference.low > 0 or difference.high < 0:
        word = "better" if difference.difference > 0 else "worse"
        return f"{name} is {word} than {base}: {size}"
    seen = points(difference.minimum_detectable).lstrip("+")
    return f"no clear difference between {name} and {base}: {size} (differences from {seen} points show)"


def _vision_gap(comparison: Comparison) -> str:
    """What the pictures are worth: the run that sees them minus its blind twin."""
    d = comparison.overall.differences[0]
    sign = 1 if comparison.alignment.runs[1].is_blind else -1
    low, high = sorted((-sign * d.low, -sign * d.high))
    worth = points(-sign * d.difference).lstrip("+")
    return f"the pictures are worth {worth} points to {comparison.alignment.runs[0].model} ({bounds(low, high)})"


def terminal(comparison: Comparison, *, n_flips: int = 6) -> str:
    """The comparison as `snellen compare` prints it, at most 80 columns wide.

    Args:
        comparison: the numbers.
        n_flips: changed samples to list for each direction.
    """
    lines = [*_head(comparison), "", *_runs_table(comparison), ""]
    for which in range(len(comparison.runs) - 1):
        lines += [*_differences(comparison, which), ""]
    lines += _formats(comparison.formats)
    lines += _answers_table(comparison.runs)
    lines += _flips(comparison, n_flips)
    return "\n".join(_wrapped(lines)).rstrip()


def _wrapped(lines: Sequence[str]) -> list[str]:
    """Break sentences that are too wide; tables are made to fit."""
    import textwrap

    out: list[str] = []
    for line in lines:
        out += textwrap.wrap(line, WIDTH, subsequent_indent="  ") if len(line) > WIDTH else [line]
    return out


def _head(comparison: Comparison) -> list[str]:
    alignment = comparison.alignment
    lines = []
    if alignment.kind == "vision gap":
        lines.append("vision gap: the same model with and without pictures")
    lines += [verdict(comparison, which) for which in range(len(comparison.runs) - 1)]
    lines += [alignment.sentence, *(f"mixed: {sentence}" for sentence in alignment.allowed)]
    lines += [f"weighted: {row.sentence}" for row in weighted_rows(alignment)]
    lines += [row.sentence for row in rules_rows(alignment, seed=comparison.seed)]
    lines += zeroed(comparison)
    shown = [name for name in alignment.settings if not name.startswith(("model.", "tags"))]
    if shown:
        lines.append("settings that differ: " + ", ".join(shown[:8]) + (" …" if len(shown) > 8 else ""))
    return lines


def zeroed(comparison: Comparison) -> list[str]:
    """What to know before reading the scores where judges are missing: those samples stand as 0."""
    n = len(comparison.alignment.rows)
    counted = [f"{run.name} {run.n_zeroed:,}" for run in comparison.runs if run.n_zeroed]
    if not counted:
        return []
    return [f"no verdict, counted 0 (of {n:,}): {', '.join(counted)}; `snellen judge RUN --judge MODEL` decides them"]


def _runs_table(comparison: Comparison) -> list[str]:
    head = f"{'':<27} {'score':>5} {'95 % interval':>13} {'rank':>7} {'tokens':>7} {'s/call':>6} {'cost':>7}"
    lines = [head, "─" * len(head)]
    for run in comparison.runs:
        mark = "*" if run.on_front else " "
        rank = f"{number(run.rank.low)}–{number(run.rank.high)}"
        lines.append(
            f"{fit(run.name, 26)}{mark} {percent(run.score.mean):>5} {interval(run.score):>13} {rank:>7} "
            f"{number(run.n_out_mean):>7} {number(run.latency_s_mean, 2):>6} {number(run.cost, 2):>7}"
        )
    front = (
        "* on the Pareto front of score and answer tokens; " if any(run.on_front for run in comparison.runs) else ""
    )
    lines.append(f"{front}rank: 95 % interval")
    missing = [f"{run.name}: {run.n_missing}" for run in comparison.runs if run.n_missing]
    if missing:
        lines.append("samples without a score, left out of each difference: " + ", ".join(missing))
    return lines


def _differences(comparison: Comparison, which: int) -> list[str]:
    base, name = comparison.runs[0].name, comparison.runs[which + 1].name
    head = (
        f"{'':<{_NAME}} {'n':>6} {'base':>5} {'run':>5} {'diff':>6} {'95 % interval':>15} {'p':>5} {'sees':>5} "
        f"{'won/lost':>9}"
    )
    lines = [f"{name} − {base}", head, "─" * len(head)]
    for level in ("overall", "capability", "dataset", "category"):
        rows = comparison.of_level(level)
        if level == "category" and len(rows) > _MOST_CATEGORIES:
            lines.append(f"by category: {len(rows)} rows, see --html, --markdown or --json")
            continue
        if rows and level in _LEVEL_TITLES:
            lines.append(_LEVEL_TITLES[level])
        lines += [_difference_line(row, which) for row in rows]
    lines.append("relative gain: " + ", ".join(_gains(comparison, which)))
    lines.append(
        "p: corrected within each block (Holm), intervals are not; sees: smallest difference found 4 times in 5"
    )
    return lines


def _gains(comparison: Comparison, which: int) -> list[str]:
    """(run - base) / base, overall and by capability: what thinking gains its instruct twin, and where it costs."""
    rows = (comparison.overall, *comparison.of_level("capability"))
    return [f"{row.name} {relative(row.relative_gain(which))}" for row in rows]


def _difference_line(row: GroupRow, which: int) -> str:
    d = row.differences[which]
    return (
        f"{fit(row.name, _NAME)} {d.n_pairs:>6,} {percent(d.mean_a):>5} {percent(d.mean_b):>5} "
        f"{points(d.difference):>6} {bounds(d.low, d.high):>15} {p_text(row.p_holm[which]):>5} "
        f"{points(d.minimum_detectable).lstrip('+'):>5} {f'{d.n_wins}/{d.n_losses}':>9}"
    )


def _formats(effects: Sequence[FormatEffect]) -> list[str]:
    if not effects:
        return []
    head = f"{'format effect':<27} {'questions':>9} {'per answer':>10} {'all rotations':>13} {'guessing':>8}"
    lines = [head, "─" * len(head)]
    lines += [
        f"{fit(effect.name, 27)} {effect.n_questions:>9,} {percent(effect.per_answer.mean):>10} "
        f"{percent(effect.all_rotations.mean):>13} {percent(effect.guessing):>8}"
        for effect in effects
    ]
    return [*lines, ""]


def _answers_table(runs: Sequence[RunFigures]) -> list[str]:
    if all(math.isnan(run.n_out_mean) and not run.flags for run in runs):
        return []
    head = f"{'answers':<27} {'tokens right':>12} {'tokens wrong':>12} {'cut off':>7} {'looping':>7} {'empty':>6}"
    lines = [head, "─" * len(head)]
    for run in runs:
        shares = [percent(run.flags.get(flag, 0.0)) for flag in ("truncated", "looping", "empty")]
        lines.append(
            f"{fit(run.name, 27)} {number(run.n_out_right):>12} {number(run.n_out_wrong):>12} {shares[0]:>7} "
            f"{shares[1]:>7} {shares[2]:>6}"
        )
    return [*lines, ""]


def _flips(comparison: Comparison, n_flips: int) -> list[str]:
    lines: list[str] = []
    for which in range(1, len(comparison.runs)):
        own = [flip for flip in comparison.flips if flip.run == which]
        lost = [flip for flip in own if flip.scores[0] > flip.scores[1]]
        gained = [flip for flip in own if flip.scores[0] < flip.scores[1]]
        name = comparison.runs[which].name
        for title, flips in (("lost", lost), ("gained", gained)):
            if flips and n_flips:
                lines.append(f"{title} by {name}: {len(flips)}, such as")
                lines += [line for flip in flips[:n_flips] for line in _flip_lines(flip)]
    return lines


def _flip_lines(flip: Flip) -> tuple[str, str]:
    """The whole id, to look the sample up with, and what was said."""
    before, after = (_one_line(answer) for answer in flip.answers)
    truth = _one_line(flip.references[0]) if flip.references else ""
    said = f"    truth {fit(truth, 18)} base {fit(before, 20)} run {fit(after, 20)}"
    return f"  {flip.id}", said.rstrip()


def _one_line(text: str) -> str:
    return " ".join(text[:200].split()) or "(empty)"


def markdown(comparison: Comparison) -> str:
    """The comparison as Markdown."""
    alignment = comparison.alignment
    lines = ["# " + " vs ".join(_cell(run.name) for run in comparison.runs), ""]
    lines += [f"- {_cell(sentence)}" for sentence in _head(comparison)]
    lines += [
        "",
        "| run | score | 95 % interval | rank | answer tokens | right | wrong | s a call | cost | Pareto |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_markdown_run(run) for run in comparison.runs]
    for which in range(len(comparison.runs) - 1):
        lines += _markdown_differences(comparison, which)
    if alignment.settings:
        lines += ["", "## Settings that differ", "", f"| setting | {' | '.join(map(_cell, alignment.names))} |"]
        lines.append("|---" * (len(alignment.names) + 1) + "|")
        lines += [f"| {_cell(k)} | {' | '.join(map(_cell, v))} |" for k, v in alignment.settings.items()]
    return "\n".join([*lines, ""])


def _markdown_run(run: RunFigures) -> str:
    rank = f"{number(run.rank.low)}–{number(run.rank.high)}"
    cells = [
        _cell(run.name), percent(run.score.mean), interval(run.score), rank, number(run.n_out_mean),
        number(run.n_out_right), number(run.n_out_wrong), number(run.latency_s_mean, 2), number(run.cost, 2),
        "yes" if run.on_front else "",
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _markdown_differences(comparison: Comparison, which: int) -> list[str]:
    name, base = (_cell(comparison.runs[i].name) for i in (which + 1, 0))
    lines = [
        "",
        f"## {name} − {base}",
        "",
        "| | n | base | run | difference | 95 % interval | p (Holm) | detectable | won / lost / tied | relative |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in comparison.groups:
        d = row.differences[which]
        label = _cell(row.name) if row.level == "overall" else f"{row.level}: {_cell(row.name)}"
        lines.append(f"| {label} | {_difference_cells(row, d, which)} |")
    return lines


def _difference_cells(row: GroupRow, d: PairedDifference, which: int) -> str:
    cells = [
        f"{d.n_pairs:,}", percent(d.mean_a), percent(d.mean_b), points(d.difference), bounds(d.low, d.high),
        p_text(row.p_holm[which]), points(d.minimum_detectable).lstrip("+"),
        f"{d.n_wins} / {d.n_losses} / {d.n_ties}", relative(row.relative_gain(which)),
    ]  # fmt: skip
    return " | ".join(cells)


def _cell(text: str) -> str:
    """Text that cannot break a Markdown table, nor smuggle markup into it."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
