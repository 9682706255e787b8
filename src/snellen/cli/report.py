"""`snellen report`."""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli.printing import print_result


@click.command(short_help="Write a run's reports again and show its table.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(run: Path, as_json: bool) -> None:
    """Write the reports of RUN (a run directory) again, from its scores as they stand."""
    from snellen import reporting

    print_result(reporting.report(run), as_json=as_json)
