"""`snellen import`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from snellen.cli.options import JSON_VALUE, KEY_VALUE, as_mapping
from snellen.cli.printing import print_result


@click.command(short_help="Make a run of another tool's predictions.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--from", "kind", required=True, help="vlmevalkit, lmms-eval, inspect, evalscope, jsonl or csv.")
@click.option("--name", help="Name of the model (default: as the file says); of a file of several, the one to take.")
@click.option("--benchmark", help="Benchmark that the questions are from (default: those in the file).")
@click.option("--data", help="Folder or file that holds the benchmark's data.")
@click.option("--match", default="auto", show_default=True, help="Find samples by id, question, position or auto.")
@click.option("--out", help="Folder for run directories (default: runs).")
@click.option("--scorer", help="Scorer for all samples: NAME or python:module:function.")
@click.option("--rules", type=click.Choice(["fair", "datbench-1.0"]), help="Headline rules.")
@click.option("--missing", help="Missing samples in the headline: own, wrong or left-out.")
@click.option("--columns", multiple=True, type=KEY_VALUE, metavar="OURS=THEIRS", help="Columns of own data.")
@click.option("--option", "options", multiple=True, type=JSON_VALUE, metavar="KEY=JSON", help="Benchmark option.")
@click.option("--tag", "tags", multiple=True, type=KEY_VALUE, metavar="KEY=VALUE", help="Label of the run.")
@click.option("--judge", multiple=True, help="Judge model; several make a panel.")
@click.option("--judge-protocol", help="Judge protocol (default: the benchmark's).")
@click.option("--judge-base-url", help="Address of the judge's server.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(file: Path, kind: str, name: str | None, match: str, as_json: bool, **given: Any) -> None:
    """Make a run directory of the predictions in FILE; it is scored and compared like any other.

    \b
    snellen import outputs/M/M_MMBench.xlsx --from vlmevalkit
    snellen import samples_chartqa.jsonl --from lmms-eval --benchmark datbench/chart --data DIR
    """  # noqa: D301 - click reads the control character as "do not rewrap"
    from snellen import importing

    chosen = {key: value for key, value in given.items() if value is not None and value != ()}
    for key in ("columns", "options", "tags"):
        if key in chosen:
            chosen[key] = as_mapping(chosen[key])
    print_result(importing.import_run(file, kind, chosen, name=name, match=match), as_json=as_json)
