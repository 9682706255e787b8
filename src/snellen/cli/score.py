"""`snellen score`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from snellen.cli.printing import print_result


@click.command(short_help="Score a run again, without the model.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--rules", type=click.Choice(["fair", "datbench-1.0"]), help="Headline rules.")
@click.option("--scorer", help="Scorer for all samples: NAME, python:module:function, or '' for each dataset's own.")
@click.option("--coordinates", type=click.Choice(["auto", "fraction", "percent", "thousand", "pixel"]))
@click.option("--numeric-tolerance", type=float, help="Relative tolerance of the number scorer.")
@click.option("--missing", help="Missing samples in the headline: own, wrong or left-out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(
    run: Path,
    rules: str | None,
    scorer: str | None,
    coordinates: str | None,
    numeric_tolerance: float | None,
    missing: str | None,
    as_json: bool,
) -> None:
    """Score RUN (a run directory) again: new rules, mended references; the model is not asked."""
    from snellen import scoring

    changes = scoring.Changes(rules, scorer, coordinates, numeric_tolerance, missing)
    watched = sys.stderr.isatty() and not as_json
    result = scoring.score(run, changes, tick=_show if watched else None)
    if watched:
        sys.stderr.write("\r\x1b[K")
    print_result(result, as_json=as_json)


def _show(n_done: int) -> None:
    sys.stderr.write(f"\rscored {n_done:,}")
    sys.stderr.flush()
