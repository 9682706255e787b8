"""How verbs that end in a scored run print it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from snellen.redaction import redact_known
from snellen.store import encode

if TYPE_CHECKING:
    from snellen.reports.results import RunResult


def print_result(result: RunResult, *, as_json: bool) -> None:
    """The table, the notes, where the report lies, and as the last line the run directory; or one JSON object."""
    if as_json:
        click.echo(redact_known(encode(result.as_record()).decode("utf-8")))
        return
    click.echo(redact_known(result.table()))
    if result.facts.get("sees"):
        click.echo(_wrapped(f"{result.spec['model']['name']}: {result.facts['sees']}"))
    for note in result.facts.get("notes", ()):
        click.echo(_wrapped(f"note: {note}"))
    click.echo(f"report: {result.folder / 'report.html'}")
    click.echo(f"run: {result.folder}")


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(redact_known(text), 80, subsequent_indent="  ", break_on_hyphens=False)) or text
