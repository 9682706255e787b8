"""`snellen analyze`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from snellen.errors import UsageError


@click.command(short_help="Correlations, clusters, vision gap, thinking gain, reliability, saturation.")
@click.argument("matrices", nargs=-1, type=click.Path(path_type=Path))
@click.option("--published", is_flag=True, help="The DatBench paper's analyses over its own published tables.")
@click.option("--by", default="capability", show_default=True, help="Item column that names the capability.")
@click.option("--items", type=click.Path(path_type=Path), help="Item table.")
@click.option("--families", type=click.Path(path_type=Path), help="Table: model, family.")
@click.option("--pair", "pairs", multiple=True, metavar="PLAIN=THINKING", help="A model and its thinking twin.")
@click.option("--blind", multiple=True, type=click.Path(path_type=Path), help="Blind matrix or runs (vision gap).")
@click.option("--subset", type=click.Path(path_type=Path), help="weights.csv of a subset, to set against all items.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for analysis.md and analysis.html.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    matrices: tuple[Path, ...],
    published: bool,
    by: str,
    items: Path | None,
    families: Path | None,
    pairs: tuple[str, ...],
    blind: tuple[Path, ...],
    subset: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Analyse MATRICES: tidy files (item, model, score) or run directories.

    \b
    snellen analyze runs/*                        # what five runs say
    snellen analyze M.parquet --out analysis      # with a page of figures
    snellen analyze --published --json            # the paper's own numbers, recomputed
    """  # noqa: D301 - click reads the backspace sign
    from snellen import analyzing
    from snellen.curating.matrices import read_matrix, read_table

    if published:
        click.echo(json.dumps(analyzing.published_record(), indent=None if as_json else 1))
        return
    chosen = None if subset is None else [str(i) for i in read_table(subset)["item"].to_pylist()]
    found = analyzing.analyze(
        read_matrix(matrices, items=items, families=families, blind=False),
        by=by,
        pairs=[_pair(pair) for pair in pairs],
        blind=read_matrix(blind, blind=True) if blind else None,
        subset=chosen,
        tokens=analyzing.tokens_of_runs([path for path in matrices if path.is_dir()]),
    )
    report = analyzing.report_of(found)
    if out is not None:
        report.write(out, "analysis")
    click.echo(json.dumps(found.as_record()) if as_json else report.terminal())


def _pair(text: str) -> tuple[str, str]:
    plain, equals, thinking = text.partition("=")
    if not equals or not plain or not thinking:
        raise UsageError(f"--pair expects PLAIN=THINKING, got {text!r}")
    return plain, thinking
