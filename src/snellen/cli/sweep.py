"""`snellen sweep`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from snellen.cli import run as run_cli
from snellen.cli.options import KEY_VALUE, as_mapping
from snellen.errors import UsageError

_NOT_HERE = ("max_side", "prompt", "estimate", "quiet", "as_json", "fresh", "shard")


def _values(text: str) -> list[Any]:
    """Values between commas; each JSON where it is some, "full" for no limit; or one JSON list of all.

    >>> _values("512,full,cot")
    [512, None, 'cot']
    >>> _values('[{"enable_thinking": true}, {"enable_thinking": false}]')
    [{'enable_thinking': True}, {'enable_thinking': False}]
    """
    if text.lstrip().startswith("["):
        try:
            listed = json.loads(text)
        except ValueError as error:
            raise UsageError(f"{text[:60]!r} is no JSON list ({error})") from None
        return list(listed)
    out: list[Any] = []
    for word in text.split(","):
        try:
            out.append(None if word.strip() == "full" else json.loads(word))
        except ValueError:
            out.append(word.strip())
    return out


@click.command(short_help="Run a grid of options and compare its cells.")
@click.option("--max-side", help="Longest image sides in pixels: 512,1024,full.")
@click.option("--prompt", help="Prompts: default,direct,cot.")
@click.option("--crop", help="full,region: whole pictures, and cut to the region in the metadata.")
@click.option(
    "--vary", multiple=True, type=KEY_VALUE, metavar="OPTION=V1,V2",
    help="Any further option: temperature=0,0.7 or params.reasoning_effort=low,high.",
)  # fmt: skip
@click.option("--html", "html_file", type=click.Path(path_type=Path), help="Write a self-contained comparison page.")
@click.option("--quiet", "-q", is_flag=True, help="No progress lines.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(
    max_side: str | None,
    prompt: str | None,
    crop: str | None,
    vary: Sequence[list[tuple[str, Any]]],
    html_file: Path | None,
    quiet: bool,
    as_json: bool,
    config_file: Path | None,
    **given: Any,
) -> None:
    """Examine a MODEL on a BENCHMARK under every combination of some options; the same command again resumes.

    The first value of each option makes the baseline. All further options are those of `snellen run`.

    \b
    snellen sweep datbench/chart --data DIR --model openai:NAME --max-side 1024,512,2048 --prompt direct,cot
    snellen sweep file:own.jsonl --model hf:PATH --crop full,region
    """  # noqa: D301 - click reads the control character as "do not rewrap"
    from snellen import comparing, config, sweeping

    axes: dict[str, list[Any]] = {}
    for name, text in (("max_side", max_side), ("prompt", prompt), ("crop", crop)):
        if text is not None:
            axes[name] = text.split(",") if name == "crop" else _values(text)
    axes |= {name.replace("-", "_"): _values(text) for name, text in as_mapping(vary).items()}
    base = config.from_toml(config_file) if config_file else {}
    options = config.merge(base, run_cli.chosen_options(given))
    is_quiet = quiet or as_json or not sys.stderr.isatty()
    watch = None if is_quiet else run_cli.progress_line()
    done = sweeping.sweep(options, axes, watch=watch, on_cell=lambda label: _say(label, quiet=is_quiet))
    if html_file is not None:
        if done.comparison is None:
            raise UsageError("--html needs two cells or more")
        compared = comparing.compare([cell.result.folder for cell in done.cells], allow=("data", "prompts"))
        html_file.write_text(compared.page(), "utf-8")
    _print(done, as_json)


command.params[:0] = [param for param in run_cli.command.params if param.name not in _NOT_HERE]


def _say(label: str, *, quiet: bool) -> None:
    if not quiet:
        sys.stderr.write(f"\r\x1b[K{label}\n")


def _print(done: Any, as_json: bool) -> None:
    from snellen.redaction import redact_known
    from snellen.store import encode

    if as_json:
        click.echo(redact_known(encode(done.as_record()).decode("utf-8")))
        return
    for line in done.lines():
        click.echo(redact_known(line))
    for cell in done.cells:
        click.echo(f"run: {cell.result.folder}")
