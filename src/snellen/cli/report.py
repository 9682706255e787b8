"""`snellen report`."""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli.printing import print_result


@click.command(short_help="Write a run's reports again and show its table.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--figures", type=click.Path(path_type=Path), help="Folder for the figures as PNG, SVG and PDF.")
@click.option("--track", type=click.Choice(["mlflow"]), default=None, help="Give the numbers to a tracker.")
@click.option("--beside", multiple=True, metavar="MODEL", help="Published model to set the run beside (repeatable).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(run: Path, figures: Path | None, track: str | None, beside: tuple[str, ...], as_json: bool) -> None:
    """Write the reports of RUN (a run directory) again, from its scores as they stand."""
    from snellen import reporting

    result = reporting.report(run, figures=figures, track=track or "", beside=beside or None)
    print_result(result, as_json=as_json)
    if figures is not None and not as_json:
        click.echo(f"figures: {figures}")
