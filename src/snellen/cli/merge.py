"""`snellen merge`."""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli.printing import print_result


@click.command(short_help="Make one run of the shards of a run.")
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="The new run directory (default: beside the first).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(runs: tuple[Path, ...], out: Path | None, as_json: bool) -> None:
    """Make one run of RUNS, which differ in nothing but their --shard."""
    from snellen import merging

    print_result(merging.merge(runs, out=out), as_json=as_json)
