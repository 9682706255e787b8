"""`snellen run`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from snellen.cli.options import HEADER, JSON_VALUE, KEY_VALUE, as_mapping
from snellen.cli.printing import print_result


@click.command(short_help="Examine a model on a benchmark.")
@click.argument("benchmark", required=False)
@click.option(
    "--model", "-m", help="Model: openai:NAME, hf:PATH, serve:PATH, ocr, prior, replay:FILE, python:module:function …"
)
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="TOML file with these options.")
@click.option("--data", help="Folder or file that holds the benchmark's data.")
@click.option("--out", help="Folder for run directories (default: runs).")
@click.option("--limit", type=float, help="First N samples, or a share below 1.")
@click.option("--per-category", type=int, help="N samples of each category, drawn with the seed.")
@click.option("--seed", type=int, help="Seed of draws and intervals (default: 0).")
@click.option("--shard", help="k/n: every n-th sample, from the k-th; join with `snellen merge`.")
@click.option("--concurrency", help="Requests in flight: N or auto (default).")
@click.option("--max-side", type=int, help="Scale images down to this longest side, in pixels.")
@click.option("--jpeg-quality", type=int, help="Quality of re-encoded JPEGs (default: 90).")
@click.option("--max-pixels", type=int, help="Refuse images of more pixels (default: 100 million).")
@click.option("--max-image-bytes", type=int, help="Re-encode an image that has more bytes.")
@click.option("--max-tokens", type=int, help="New tokens an answer may have (default: the benchmark's, else 4096).")
@click.option("--temperature", type=float, help="Sampling temperature (default: 0).")
@click.option("--param", "params", multiple=True, type=JSON_VALUE, metavar="KEY=JSON", help="Any request field.")
@click.option("--system", help="System message, or @FILE.")
@click.option("--prompt", help="default (as the benchmark asks), direct or cot.")
@click.option("--blind", is_flag=True, default=None, help="Leave the images out.")
@click.option("--epochs", type=int, help="Ask each question N times.")
@click.option("--rules", type=click.Choice(["fair", "datbench-1.0"]), help="Headline rules.")
@click.option("--scorer", help="Scorer for own data: NAME or python:module:function.")
@click.option("--coordinates", help="Boxes and points of the model: auto, fraction, percent, thousand, pixel.")
@click.option("--numeric-tolerance", type=float, help="Relative tolerance of the number scorer (default: 0).")
@click.option("--missing", help="Missing samples in the headline: own, wrong or left-out.")
@click.option("--base-url", help="Address of the server (or OPENAI_BASE_URL).")
@click.option("--header", "headers", multiple=True, type=HEADER, metavar="NAME=VALUE", help="Request header.")
@click.option("--timeout", type=float, help="Seconds for one attempt (default: 600).")
@click.option("--retries", type=int, help="Attempts after the first (default: 6).")
@click.option("--max-failed", type=float, help="Missing share above which the exit code is 1 (default: 0.05).")
@click.option("--max-total-tokens", type=int, help="Stop at this many tokens, resumable.")
@click.option("--max-cost", type=float, help="Stop at this cost, resumable (needs --prices).")
@click.option("--prices", help="TOML file of prices a million tokens.")
@click.option("--retry-errors", is_flag=True, default=None, help="Ask final failures again too.")
@click.option("--fresh", is_flag=True, default=None, help="Begin anew; an earlier run of this name is put aside.")
@click.option("--sight-check/--no-sight-check", default=None, help="Check that the server looks at images.")
@click.option("--keep-images", is_flag=True, default=None, help="Store each image in the run directory.")
@click.option("--allow-urls", is_flag=True, default=None, help="Allow images given as http(s) addresses.")
@click.option("--columns", multiple=True, type=KEY_VALUE, metavar="OURS=THEIRS", help="Columns of own data.")
@click.option("--option", "options", multiple=True, type=JSON_VALUE, metavar="KEY=JSON", help="Benchmark option.")
@click.option(
    "--model-option",
    "model_options",
    multiple=True,
    type=JSON_VALUE,
    metavar="KEY=JSON",
    help="How a local model runs: batch, device, dtype, threads, engine …",
)
@click.option("--hint", type=click.Choice(["system", "user", "none"]), help="Where PerceptionBench's hint goes.")
@click.option("--preset", help="Preset of the benchmark (perceptionbench: tutorial).")
@click.option("--load", type=click.Choice(["stream", "full"]), help="How to load from the hub.")
@click.option("--max-scan", type=int, help="Rows to scan at most.")
@click.option(
    "--tag", "tags", multiple=True, type=KEY_VALUE, metavar="KEY=VALUE", help="Label of the run (step=1000)."
)
@click.option("--judge", multiple=True, help="Judge: any model spec, or rule; several make a panel.")
@click.option("--judge-protocol", help="Judge protocol (default: the benchmark's).")
@click.option("--judge-prompt", help="File with the judge prompt's text.")
@click.option("--judge-when", help="always, or rule-unsure.")
@click.option("--judge-base-url", help="Address of the judge's server.")
@click.option("--judge-concurrency", help="Judge requests in flight.")
@click.option("--judge-max-tokens", type=int, help="New tokens a judge may use (default: the protocol's).")
@click.option(
    "--judge-self-test/--no-judge-self-test", default=None, help="Try judges on known pairs first (default: yes)."
)
@click.option("--ranks/--no-ranks", default=None, help="Share the samples among torchrun's processes (default: yes).")
@click.option("--estimate", is_flag=True, help="Ask a small pilot; print expected tokens, cost and time.")
@click.option("--quiet", "-q", is_flag=True, help="No progress line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(config_file: Path | None, quiet: bool, as_json: bool, estimate: bool, **given: Any) -> None:
    """Examine a MODEL on a BENCHMARK; the same command again resumes.

    \b
    snellen run eyechart --model ocr
    snellen run datbench/chart --data DIR --model openai:gpt-4o-mini
    snellen run file:questions.jsonl --model openai:NAME --base-url http://127.0.0.1:8000
    """  # noqa: D301 - click reads the control character as "do not rewrap"
    from snellen import config, running
    from snellen.engine.ranks import this_rank

    chosen = chosen_options(given)
    base = config.from_toml(config_file) if config_file else {}
    options = config.merge(base, chosen)
    shown = config.display_of(config_file) if config_file else {}
    quiet, as_json = quiet or shown.get("quiet", False), as_json or shown.get("json", False)
    if estimate or shown.get("estimate", False):
        _print_estimate(options, as_json)
        return
    watch = None if quiet or as_json or not sys.stderr.isatty() else progress_line()
    result = running.run(options, watch=watch)
    if watch is not None:
        sys.stderr.write("\r\x1b[K")
    if this_rank().leads or not options.ranks:
        print_result(result, as_json=as_json)
    sys.exit(running.exit_code(result, max_failed=options.max_failed))


def chosen_options(given: dict[str, Any]) -> dict[str, Any]:
    """What the user wrote, under the names of RunOptions."""
    chosen = {name: value for name, value in given.items() if value is not None and value != ()}
    for name in ("params", "headers", "columns", "options", "model_options", "tags"):
        if name in chosen:
            chosen[name] = as_mapping(chosen[name])
    own = dict(chosen.get("options", {}))
    for name in ("hint", "preset", "load", "max_scan"):
        if name in chosen:
            own[name] = chosen.pop(name)
    if own:
        chosen["options"] = own
    return chosen


def progress_line() -> Any:
    """What draws a run's counters on the terminal."""
    from snellen.cli.progress_line import ProgressLine

    return ProgressLine(sys.stderr).draw


def _print_estimate(options: Any, as_json: bool) -> None:
    from snellen import estimating
    from snellen.store import encode

    estimate = estimating.estimate(options)
    if as_json:
        click.echo(encode(estimate.as_record()).decode("utf-8"))
    else:
        click.echo(estimate.text())
