"""`snellen compare`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from snellen.errors import UsageError


@click.command(short_help="Compare runs: is B better than A, at what, by how much, how sure.")
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--trend", "as_trend", is_flag=True, help="Runs are checkpoints: scores over their --tag step=N.")
@click.option("--trend-tag", default="step", show_default=True, help="Tag that holds the step.")
@click.option("--leaderboard", "as_leaderboard", is_flag=True, help="Set the runs beside the published table.")
@click.option("--allow", multiple=True, type=click.Choice(["data", "prompts", "rules"]), help="What may be mixed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all draws.")
@click.option("--flips", type=int, default=6, show_default=True, help="Changed samples to list for each direction.")
@click.option("--html", "html_file", type=click.Path(path_type=Path), help="Write a self-contained page.")
@click.option("--markdown", "markdown_file", type=click.Path(path_type=Path), help="Write Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the tables.")
def command(
    runs: tuple[Path, ...],
    as_trend: bool,
    trend_tag: str,
    as_leaderboard: bool,
    allow: tuple[str, ...],
    seed: int,
    flips: int,
    html_file: Path | None,
    markdown_file: Path | None,
    as_json: bool,
) -> None:
    """Compare scored RUNS (run directories) on the samples they share; the first is the baseline.

    \b
    snellen compare runs/A runs/B --html compare.html
    snellen compare --trend runs/step-*
    snellen compare --leaderboard runs/datbench-*
    """  # noqa: D301 - click reads the control character as "do not rewrap"
    from snellen import comparing

    if as_trend and as_leaderboard:
        raise UsageError("--trend and --leaderboard exclude each other")
    if as_leaderboard:
        told = _leaderboard(comparing.leaderboard(runs, seed=seed))
    elif as_trend:
        told = _trend(comparing.trend(runs, tag=trend_tag, allow=allow, seed=seed))
    else:
        told = _comparison(comparing.compare(runs, allow=allow, seed=seed), flips)
    _deliver(told, html_file, markdown_file, as_json=as_json)


def _comparison(compared: Any, n_flips: int) -> dict[str, Any]:
    from snellen.reports import comparison_text, thresholds

    result = compared.comparison
    record = result.as_record()
    record["thresholds"] = {name: [one.as_record() for one in found] for name, found in compared.thresholds}
    lines = [comparison_text.terminal(result, n_flips=n_flips)]
    for name, found in compared.thresholds:
        lines += ["", *textwrap.wrap(f"{name}: {thresholds.summary_line(found)}", 80, subsequent_indent="  ")]
    return {
        "text": "\n".join(lines),
        "markdown": lambda: comparison_text.markdown(result),
        "html": compared.page,
        "record": record,
    }


def _trend(result: Any) -> dict[str, Any]:
    from snellen.reports import comparison_html, trend

    return {
        "text": trend.terminal(result),
        "markdown": lambda: trend.markdown(result),
        "html": lambda: comparison_html.trend_page(result),
        "record": result.as_record(),
    }


def _leaderboard(board: Any) -> dict[str, Any]:
    from snellen.reports import comparison_html, leaderboard

    return {
        "text": leaderboard.terminal(board),
        "markdown": lambda: leaderboard.markdown(board),
        "html": lambda: comparison_html.leaderboard_page(board),
        "record": board.as_record(),
    }


def _deliver(told: dict[str, Any], html_file: Path | None, markdown_file: Path | None, *, as_json: bool) -> None:
    from snellen.redaction import redact_known
    from snellen.store import encode, write_bytes

    for path, kind in ((html_file, "html"), (markdown_file, "markdown")):
        if path is not None:
            write_bytes(path, redact_known(told[kind]()).encode("utf-8", "replace"))
    if as_json:
        click.echo(redact_known(encode(told["record"]).decode("utf-8")))
        return
    click.echo(redact_known(told["text"]))
    for path in (html_file, markdown_file):
        if path is not None:
            click.echo(f"written: {path}")
