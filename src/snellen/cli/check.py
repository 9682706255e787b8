"""`snellen check`."""

from __future__ import annotations

import sys
from typing import Any

import click

from snellen.cli.options import JSON_VALUE, KEY_VALUE, as_mapping


@click.command(short_help="What is wrong with a benchmark (exit 1 if anything).")
@click.argument("benchmark")
@click.option("--data", help="Folder or file that holds the benchmark's data.")
@click.option("--columns", multiple=True, type=KEY_VALUE, metavar="OURS=THEIRS", help="Columns of own data.")
@click.option("--option", "options", multiple=True, type=JSON_VALUE, metavar="KEY=JSON", help="Benchmark option.")
@click.option("--allow-urls", is_flag=True, help="Fetch images given as http(s) addresses.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def command(benchmark: str, data: str | None, columns: Any, options: Any, allow_urls: bool, as_json: bool) -> None:
    """Look at every sample and image of BENCHMARK; exit 1 when anything is found.

    Reported, with ids: missing or unreadable images, damaged rows, duplicate ids and items, answers that are none of
    the options, answers that stand in the question, empty answers, repeated options, unusable metadata, and a key
    that prefers some letters.
    """
    from snellen import benchmarks, checking
    from snellen.store import encode

    given: dict[str, Any] = as_mapping(options)
    if columns:
        given["columns"] = as_mapping(columns)
    if benchmark.startswith("file:"):
        given["skip_damaged"] = True
    report = checking.check(benchmarks.load(benchmark, data=data, options=given), allow_urls=allow_urls)
    if as_json:
        click.echo(encode(report.as_record()))
    else:
        for line in checking.lines_of(report):
            click.echo(line)
    if not report.ok:
        sys.exit(1)
