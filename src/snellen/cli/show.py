"""`snellen show`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from snellen.cli.options import JSON_VALUE, KEY_VALUE, as_mapping


@click.command(short_help="One sample exactly as the model will see it.")
@click.argument("benchmark")
@click.option("--id", "sample_id", help="Which sample (default: the first).")
@click.option("--data", help="Folder or file that holds the benchmark's data.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("shown"), show_default=True, help="Image folder."
)
@click.option("--prompt", default="default", help="default (as the benchmark asks), direct or cot.")
@click.option("--blind", is_flag=True, help="Leave the images out.")
@click.option("--system", help="System message in place of the sample's own, or @FILE.")
@click.option("--max-side", type=int, help="Scale images down to this longest side, in pixels.")
@click.option("--jpeg-quality", type=click.IntRange(1, 100), default=90, help="Quality of re-encoded JPEGs.")
@click.option("--seed", type=int, help="Seed of a drawn benchmark.")
@click.option("--columns", multiple=True, type=KEY_VALUE, metavar="OURS=THEIRS", help="Columns of own data.")
@click.option("--option", "options", multiple=True, type=JSON_VALUE, metavar="KEY=JSON", help="Benchmark option.")
@click.option("--allow-urls", is_flag=True, help="Fetch images given as http(s) addresses.")
@click.option("--profile", "as_profile", is_flag=True, help="What the benchmark is made of, instead of a sample.")
@click.option("--limit", type=click.IntRange(1), help="With --profile: the first N samples only.")
@click.option("--svg", type=click.Path(path_type=Path), help="With --profile: write its figure.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Write a contact sheet (PNG): exemplars a capability.")
@click.option("--per-capability", type=click.IntRange(1, 12), default=4, help="Exemplars on the sheet (default: 4).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def command(
    benchmark: str,
    data: str | None,
    columns: Any,
    options: Any,
    seed: int | None,
    as_json: bool,
    as_profile: bool,
    limit: int | None,
    svg: Path | None,
    sheet: Path | None,
    per_capability: int,
    **how: Any,
) -> None:
    """Show a sample of BENCHMARK: text, images (saved to files), and what the model is not shown.

    With --profile, what the benchmark is made of; with --sheet, a picture of examples.
    """
    from snellen import benchmarks, images, showing
    from snellen.store import encode

    given: dict[str, Any] = as_mapping(options)
    if columns:
        given["columns"] = as_mapping(columns)
    if seed is not None:
        given["seed"] = seed
    policy = images.ImagePolicy(max_side_px=how.pop("max_side"), jpeg_quality=how.pop("jpeg_quality"))
    system = how.pop("system")
    if system is not None and system.startswith("@"):
        system = _text_of(Path(system[1:]))
    opened = benchmarks.load(benchmark, data=data, options=given)
    if as_profile or sheet is not None:
        if sheet is not None:
            showing.write_sheet(opened, sheet, n_each=per_capability)
            click.echo(f"written: {sheet}", err=as_json)
        if as_profile or svg is not None:
            _show_profile(opened, limit, svg, as_json)
        return
    shown = showing.show(opened, how.pop("sample_id"), policy=policy, system=system, **how)
    if as_json:
        click.echo(encode(shown.as_record()))
        return
    for line in showing.lines_of(shown):
        click.echo(line)


def _show_profile(opened: Any, limit: int | None, svg: Path | None, as_json: bool) -> None:
    from snellen import showing
    from snellen.reports.profile import profile_lines
    from snellen.store import encode

    found = showing.profile_of(opened, limit=limit, svg=svg)
    if as_json:
        click.echo(encode(found.as_json()))
        return
    for line in profile_lines(found):
        click.echo(line)
    if svg is not None:
        click.echo(f"written: {svg}")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--system @{path} cannot be read: {error.strerror or error}") from None
