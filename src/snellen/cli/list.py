"""`snellen list`."""

from __future__ import annotations

from dataclasses import asdict

import click


@click.command(short_help="What there is: benchmarks, models, scorers, prompts, judge protocols.")
@click.argument("what", required=False, metavar="[benchmarks|models|scorers|prompts|protocols]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def command(what: str | None, as_json: bool) -> None:
    """List what there is, with citations."""
    from snellen import listing
    from snellen.store import encode

    lists = listing.entries(what)
    if as_json:
        click.echo(encode({name: [asdict(row) for row in rows] for name, rows in lists.items()}))
        return
    for line in listing.lines_of(lists):
        click.echo(line)
