"""`snellen judge`."""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli.options import HEADER, as_mapping
from snellen.cli.printing import print_result


@click.command(short_help="Judge a finished run, without the model.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--judge", "judges", multiple=True, required=True, help="Any model spec, or rule; several make a panel."
)
@click.option("--protocol", default="", help="Judge protocol (default: the benchmark's own).")
@click.option("--prompt", "prompt_file", help="File whose text replaces the protocol's prompt.")
@click.option(
    "--when", type=click.Choice(["always", "rule-unsure"]), default="always", show_default=True,
    help="rule-unsure: no call where the rule is certain.",
)  # fmt: skip
@click.option("--base-url", help="Address of the judge's server (or OPENAI_BASE_URL).")
@click.option("--header", "headers", multiple=True, type=HEADER, metavar="NAME=VALUE", help="Request header.")
@click.option("--concurrency", default="auto", show_default=True, help="Requests in flight a judge.")
@click.option("--max-tokens", type=int, help="New tokens a judge may use (default: the protocol's).")
@click.option("--timeout", type=float, default=600.0, show_default=True, help="Seconds for one attempt.")
@click.option("--retries", type=int, default=6, show_default=True, help="Attempts after the first.")
@click.option("--prices", help="TOML file of prices a million tokens.")
@click.option("--self-test/--no-self-test", default=True, show_default=True, help="Try judges on known pairs first.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(
    run: Path,
    judges: tuple[str, ...],
    protocol: str,
    prompt_file: str | None,
    when: str,
    base_url: str | None,
    headers: tuple[list[tuple[str, str]], ...],
    concurrency: str,
    max_tokens: int | None,
    timeout: float,
    retries: int,
    prices: str | None,
    self_test: bool,
    as_json: bool,
) -> None:
    """Judge every answer of RUN (a run directory) that its judges have not judged yet; the model is not asked."""
    from snellen import config, judging
    from snellen.engine.judge_panel import PanelOptions, judge_prices, read_template

    options = PanelOptions(
        judges, protocol, read_template(prompt_file), when, base_url=base_url, headers=as_mapping(headers),
        timeout_s=timeout, n_retries=retries, concurrency=config.concurrency(concurrency), max_tokens=max_tokens,
        prices=judge_prices(judges, prices), self_test=self_test,
    )  # fmt: skip
    print_result(judging.judge(run, options), as_json=as_json)
