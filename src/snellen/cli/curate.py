"""`snellen curate` and its passes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from snellen.curation.matrix import ResponseMatrix
    from snellen.reports.blocks import Report
    from snellen.types import Benchmark

F = TypeVar("F", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)


@click.group(short_help="Make a benchmark that says more with less.")
def command() -> None:
    """From many models' responses to a smaller, more faithful benchmark.

    \b
    MATRIX is a tidy CSV or Parquet file (item, model, score; score in 0 to 1; a missing
    row is a missing answer) or one or more run directories.
    1  reformat   choice questions become free response or circular
    2  blind      drop what can be answered without the image
    3  labels     find wrong and ambiguous labels
    4  select     choose the subset, with weights that estimate the full score
       validate   does it hold on models that had no say in it?
       all        the four passes from one TOML file
       drift      do new models still fit?
    """  # noqa: D301 - click reads the backspace sign


def _inputs(function: F) -> F:
    """Options by which every pass reads its matrix."""
    for option in (
        click.option("--stratum", default="", help="Item column that names the dataset (default: dataset, task, …)."),
        click.option("--families", type=PATH, help="Table: model, family (default: by name)."),
        click.option("--items", type=PATH, help="Item table (default: X.items.csv beside X.csv)."),
    ):
        function = option(function)
    return function


def _outputs(function: F) -> F:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--out", type=PATH, help="Folder for the result, its provenance and the report."),
    ):
        function = option(function)
    return function


def _source(function: F) -> F:
    for option in (
        click.option("--data", type=PATH, help="Folder or file that holds the benchmark's data."),
        click.option("--benchmark", help="Benchmark the items come from (as for `snellen run`)."),
    ):
        function = option(function)
    return function


def _read(
    matrices: tuple[Path, ...], items: Path | None, families: Path | None, stratum: str, *, blind: bool | None = None
) -> ResponseMatrix:
    from snellen.curating.matrices import read_matrix

    return read_matrix(matrices, items=items, families=families, stratum=stratum, blind=blind)


def _open(benchmark: str | None, data: Path | None) -> Benchmark | None:
    if benchmark is None:
        return None
    from snellen.benchmarks import load

    return load(benchmark, data=data)


def _say(record: dict[str, Any], report: Report, out: Path | None, *, as_json: bool) -> None:
    """One JSON object, or the report and where it lies."""
    if as_json:
        click.echo(json.dumps(record))
        return
    click.echo(report.terminal())
    if out is not None:
        click.echo(f"written: {out}")


def _command_line() -> str:
    return "snellen " + " ".join(sys.argv[1:]) if len(sys.argv) > 1 else "snellen curate"


@command.command(short_help="Runs and files → one response matrix.")
@click.argument("matrices", nargs=-1, required=True, type=PATH)
@_inputs
@click.option("--out", type=PATH, required=True, help="Matrix to write (.parquet or .csv).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def matrix(
    matrices: tuple[Path, ...], items: Path | None, families: Path | None, stratum: str, out: Path, as_json: bool
) -> None:
    """Join MATRICES (files and run directories) into one matrix; missing stays missing."""
    from snellen.curating.matrices import write_matrix
    from snellen.curation.matrix import percent_missing

    found = _read(matrices, items, families, stratum)
    write_matrix(out, found)
    n_families = len(set(found.families))
    record = {
        "n_models": found.n_models,
        "n_items": found.n_items,
        "n_families": n_families,
        "missing_percent": percent_missing(found),
        "families": dict(zip(found.models, found.families, strict=True)),
        "out": str(out),
    }
    click.echo(
        json.dumps(record)
        if as_json
        else f"{found.n_models} models ({n_families} families) × {found.n_items} items, "
        f"{record['missing_percent']:.2f} % missing: {out}"
    )


@command.command(short_help="Pass 1: free response or circular.")
@click.argument("benchmark")
@click.option("--data", type=PATH, help="Folder or file that holds the benchmark's data.")
@click.option("--out", type=PATH, required=True, help="Folder for the new benchmark.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def reformat(benchmark: str, data: Path | None, out: Path, as_json: bool) -> None:
    """Choice items of BENCHMARK that can stand alone become free response; the others circular.

    The result runs with `snellen run datbench --data OUT` (free items need `--judge`).
    """
    from snellen.curating import reformatting

    opened = _open(benchmark, data)
    assert opened is not None
    result = reformatting.reformat(opened, out)
    _say(result.as_record(), reformatting.report_of(result), out, as_json=as_json)


@command.command(short_help="Pass 2: what needs no image.")
@click.argument("matrices", nargs=-1, required=True, type=PATH)
@_inputs
@click.option("--method", type=click.Choice(["calibrated", "datbench"]), default="calibrated", show_default=True)
@click.option("--q", default=0.05, show_default=True, help="Expected share of wrong removals among the removed.")
@click.option(
    "--dependence", type=click.Choice(["family", "beta-binomial"]), default="family", show_default=True,
    help="One vote per family, or an over-dispersion estimate.",
)  # fmt: skip
@click.option(
    "--threshold", type=int, help="datbench: τ for all items (default: the paper's, per dataset and format)."
)
@click.option("--strict", is_flag=True, help="datbench: remove above τ instead of at τ or above.")
@click.option(
    "--sighted", multiple=True, type=PATH, help="Matrix with images: spread of the models before and after."
)
@_outputs
def blind(
    matrices: tuple[Path, ...],
    items: Path | None,
    families: Path | None,
    stratum: str,
    method: str,
    q: float,
    dependence: str,
    threshold: int | None,
    strict: bool,
    sighted: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Judge items by MATRICES of blind responses (`snellen run --blind`).

    Item columns that help: n_options, answer, chance.
    """
    from snellen.curating import blinding

    result = blinding.blind(
        _read(matrices, items, families, stratum, blind=True),
        blinding.BlindOptions(method, q, dependence, threshold, strict),
        sighted=_read(sighted, None, families, "", blind=False) if sighted else None,
    )
    report = blinding.write(out, result) if out else blinding.report_of(result)
    _say(result.as_record(), report, out, as_json=as_json)


@command.command(short_help="Pass 3: wrong and ambiguous labels.")
@click.argument("matrices", nargs=-1, required=True, type=PATH)
@_inputs
@_source
@click.option("--judge", "judges", multiple=True, help="Model spec of a judge that sees the image; give two.")
@click.option("--base-url", help="Server of the judges.")
@click.option("--policy", type=click.Choice(["two-judges", "datbench"]), default="two-judges", show_default=True)
@click.option("--audit", default=0.02, show_default=True, help="Share of the other items that people look at.")
@click.option("--human", type=PATH, help="queue.csv as filled in by people.")
@click.option("--seed", default=0, show_default=True)
@click.option("--out", type=PATH, required=True, help="Folder for verdicts, states, queue and report.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def labels(
    matrices: tuple[Path, ...],
    items: Path | None,
    families: Path | None,
    stratum: str,
    benchmark: str | None,
    data: Path | None,
    judges: tuple[str, ...],
    base_url: str | None,
    policy: str,
    audit: float,
    human: Path | None,
    seed: int,
    out: Path,
    as_json: bool,
) -> None:
    """Flag items of MATRICES, ask judges, decide; run it again to add judges or people's verdicts.

    Without --judge it flags and queues only. Disputed items are kept on the list, never thrown away.
    """
    from snellen.curating import labelling

    settings = {"base_url": base_url} if base_url else {}
    options = labelling.LabelOptions(judges, policy, audit, seed, settings=settings)
    result = labelling.labels(
        _read(matrices, items, families, stratum),
        out,
        options,
        benchmark=_open(benchmark, data),
        answers=labelling.answers_of_runs([path for path in matrices if path.is_dir()]),
        human=human,
    )
    _say(result.as_record(), labelling.write(out, result), out, as_json=as_json)


@command.command(short_help="Pass 4: choose the subset.")
@click.argument("matrices", nargs=-1, required=True, type=PATH)
@_inputs
@_source
@click.option("--size", type=float, required=True, help="Share (0.1) or number (500) of items.")
@click.option(
    "--method", type=click.Choice(["two-part", "datbench", "random"]), default="two-part", show_default=True
)
@click.option("--share", type=click.FloatRange(0, 1), help="Discriminating share (default: chosen by validation).")
@click.option("--cost", default="", help="Item column with the cost: select per token instead of per item.")
@click.option("--frontier", type=PATH, help="datbench: frontier.txt of the label pass (≤ 20 % reserve).")
@click.option("--hash-cache", type=PATH, help="Image and text hashes, kept between calls (.npz).")
@click.option("--previous", type=PATH, help="Folder of the version before, for the diff.")
@click.option("--seed", default=0, show_default=True)
@_outputs
def select(
    matrices: tuple[Path, ...],
    items: Path | None,
    families: Path | None,
    stratum: str,
    benchmark: str | None,
    data: Path | None,
    size: float,
    method: str,
    share: float | None,
    cost: str,
    frontier: Path | None,
    hash_cache: Path | None,
    previous: Path | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Choose a subset of the items of MATRICES.

    two-part: a stratified probability sample that estimates the full score without bias, and, where
    validation inside the models shows that it helps, a discriminating part. With --benchmark, OUT holds
    the subset in DatBench's schema with weights: `snellen run datbench --data OUT`.
    """
    from snellen.curating import selecting

    reserve = tuple(frontier.read_text(encoding="utf-8").split()) if frontier else ()
    options = selecting.SelectOptions(size, method, share, seed, cost, reserve, _command_line())
    found, opened = _read(matrices, items, families, stratum), _open(benchmark, data)
    clusters, pixels = selecting.near_duplicates(opened, found, hash_cache or (out and out / "prints.npz"))
    result = selecting.choose(found, options, clusters=clusters, pixels=pixels)
    if out:
        report = selecting.write(out, found, result, options, benchmark=opened, data=data, previous=previous)
    else:
        report = selecting.report_of(found, result, options)
    _say(result.as_record(), report, out, as_json=as_json)


@command.command(short_help="Does the selection hold on unseen models?")
@click.argument("matrices", nargs=-1, required=True, type=PATH)
@_inputs
@click.option(
    "--method", "methods", multiple=True, type=click.Choice(["two-part", "datbench", "random"]),
    help="Methods to judge (default: two-part and datbench); random always stands beside.",
)  # fmt: skip
@click.option("--size", "sizes", multiple=True, type=float, help="Sizes to judge (default: 0.1 and 0.4).")
@click.option(
    "--split", "splits", multiple=True, type=click.Choice(["random-thirds", "strongest-third", "family"]),
    help="Ways to hold models out (default: all three).",
)  # fmt: skip
@click.option("--share", type=click.FloatRange(0, 1), help="Discriminating share (default: chosen in each split).")
@click.option("--repeats", default=12, show_default=True, help="Random thirds.")
@click.option("--draws", default=6, show_default=True, help="Draws of the random part per split.")
@click.option("--redraws", default=2000, show_default=True, help="Redraws for the coverage of the level interval.")
@click.option("--seed", default=0, show_default=True)
@_outputs
def validate(
    matrices: tuple[Path, ...],
    items: Path | None,
    families: Path | None,
    stratum: str,
    methods: tuple[str, ...],
    sizes: tuple[float, ...],
    splits: tuple[str, ...],
    share: float | None,
    repeats: int,
    draws: int,
    redraws: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Select on some models of MATRICES, judge on the others; selection is done again inside each split."""
    from snellen.curating import validating
    from snellen.curation.validate import SPLITS, Effort
    from snellen.curation.validate import validate as run

    cells = run(
        _read(matrices, items, families, stratum),
        methods or ("two-part", "datbench"),
        sizes or (0.1, 0.4),
        splits=splits or SPLITS,
        effort=Effort(repeats, draws, redraws),
        seed=seed,
        share=share,
    )
    report = validating.report_of(cells)
    if out:
        report.write(out, "validate")
        (out / "validate.json").write_text(json.dumps(validating.as_record(cells), indent=1), encoding="utf-8")
    _say(validating.as_record(cells), report, out, as_json=as_json)


@command.command(name="all", short_help="The four passes from one TOML file.")
@click.argument("recipe", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def all_(recipe: Path, as_json: bool) -> None:
    """Run the passes of RECIPE (TOML) in order; writes full/ (after pass 3) and subset/ (after pass 4).

    \b
    out = "curated"
    runs = ["runs/*"]
    benchmark = "datbench"
    data = "datbench-mini"
    [blind]
    runs = ["blind-runs/*"]
    [labels]
    judges = ["openai:gpt-4o", "openai:gpt-5"]
    [select]
    size = 0.5
    """  # noqa: D301 - click reads the backspace sign
    from snellen.curating.everything import curate_all, read_recipe

    result = curate_all(read_recipe(recipe), root=recipe.resolve().parent, command=_command_line())
    record = {"out": str(result.folder), "counts": dict(result.counts)}
    _say(record, result.report, result.folder, as_json=as_json)


@command.command(short_help="Do new models still fit?")
@click.argument("calibrating", type=PATH)
@click.argument("new", nargs=-1, required=True, type=PATH)
@_inputs
@_outputs
def drift(
    calibrating: Path,
    new: tuple[Path, ...],
    items: Path | None,
    families: Path | None,
    stratum: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Set NEW models (matrix or runs) against the CALIBRATING matrix: saturation, live items, misfit."""
    from snellen.curating import drifting
    from snellen.curation.drift import drift as compare

    found = compare(_read((calibrating,), items, families, stratum), _read(new, items, families, stratum))
    report = drifting.report_of(found)
    if out:
        report.write(out, "drift")
    _say(drifting.as_record(found), report, out, as_json=as_json)
