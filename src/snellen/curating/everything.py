"""`snellen curate all`: the four passes in order from one TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.benchmarks import load
from snellen.curating import blinding, labelling, selecting
from snellen.curating.matrices import read_matrix
from snellen.curating.subset import Entry, Fate, write_benchmark, write_provenance
from snellen.curation.matrix import ResponseMatrix
from snellen.errors import UsageError
from snellen.reports.blocks import Report
from snellen.types import Benchmark

_KEYS = {
    "": ("out", "runs", "benchmark", "data", "items", "families", "stratum", "previous", "blind", "labels", "select"),
    "blind": ("runs", "method", "q", "dependence", "threshold", "strict"),
    "labels": ("judges", "policy", "audit", "human", "base_url", "seed", "concurrency"),
    "select": ("size", "method", "share", "seed", "cost"),
}
"""Table of the TOML file → keys it may have."""


@dataclass(frozen=True, slots=True)
class Curated:
    """What the passes left."""

    folder: Path
    """Holds `full/` (after pass 3), `subset/` (after pass 4), `blind/`, `labels/`, the report."""
    counts: tuple[tuple[str, int], ...]
    """(stage, items) in order."""
    report: Report
    """All passes on one page."""


def read_recipe(path: Path) -> dict[str, Any]:
    """Read and check the TOML file.

    Raises:
        UsageError: it does not exist, is no TOML, or has an unknown key.
    """
    try:
        recipe = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"there is no recipe {path}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML file: {error}") from error
    for table, keys in _KEYS.items():
        for key in recipe if not table else recipe.get(table, {}):
            if key not in keys:
                where = f"[{table}] " if table else ""
                raise UsageError(f"{path}: unknown key {where}{key!r}; there are {', '.join(keys)}")
    for key in ("out", "runs"):
        if key not in recipe:
            raise UsageError(f"{path}: {key!r} is missing (out = folder, runs = matrices or run directories)")
    if "size" not in recipe.get("select", {}):
        raise UsageError(f"{path}: [select] needs a size (a share such as 0.1, or a count)")
    return recipe


def curate_all(recipe: Mapping[str, Any], *, root: Path, command: str = "snellen curate all") -> Curated:
    """Run the passes that the recipe asks for: blind (with `[blind]`), labels (with `[labels]`), select.

    Args:
        recipe: from `read_recipe`.
        root: folder that relative paths start from.
        command: for the card.
    """
    out = root / recipe["out"]
    paths = _paths(recipe["runs"], root)
    matrix = read_matrix(
        paths, items=_path(recipe, "items", root), families=_path(recipe, "families", root),
        stratum=recipe.get("stratum", ""),
    )  # fmt: skip
    benchmark, data = _benchmark(recipe, root)
    counts, fates = [("in the matrix", matrix.n_items)], {}
    report = Report("Curated benchmark")
    if "blind" in recipe:
        matrix, removed = _blind(recipe["blind"], matrix, root, out, report)
        counts.append(("after the blind pass", matrix.n_items))
        fates.update(removed)
    if "labels" in recipe:
        runs = [path for path in paths if path.is_dir()]
        matrix, removed, frontier = _labels(recipe["labels"], matrix, (benchmark, runs), (root, out), report)
        counts.append(("after the label pass", matrix.n_items))
        fates.update(removed)
    else:
        frontier = ()
    if benchmark is not None:
        write_benchmark(out / "full", benchmark, {item: Entry() for item in matrix.items})
    result = _select(recipe, matrix, (benchmark, data), (root, out), frontier, command)
    counts.append(("in the subset", len(result.items)))
    fates.update({fate.item: fate for fate in result.fates})
    write_provenance(out / "provenance.csv", list(fates.values()))
    _finish(report, counts, out)
    return Curated(out, tuple(counts), report)


def _paths(names: Sequence[str] | str, root: Path) -> list[Path]:
    """Files and run directories; a pattern such as "runs/*" names all that fit."""
    found: list[Path] = []
    for name in [names] if isinstance(names, str) else names:
        if any(c in name for c in "*?["):
            fits = sorted(root.glob(name)) if not Path(name).is_absolute() else sorted(Path("/").glob(name[1:]))
            if not fits:
                raise UsageError(f"nothing fits {name!r} under {root}")
            found += fits
        else:
            found.append(root / name)
    return found


def _path(table: Mapping[str, Any], key: str, root: Path) -> Path | None:
    return root / table[key] if table.get(key) else None


def _benchmark(recipe: Mapping[str, Any], root: Path) -> tuple[Benchmark | None, Path | None]:
    if "benchmark" not in recipe:
        return None, None
    data = _path(recipe, "data", root)
    return load(recipe["benchmark"], data=data), data


def _blind(
    table: Mapping[str, Any], matrix: ResponseMatrix, root: Path, out: Path, report: Report
) -> tuple[ResponseMatrix, dict[str, Fate]]:
    if "runs" not in table:
        raise UsageError("[blind] needs runs: run directories made with `snellen run --blind`, or a matrix")
    given = {key: table[key] for key in ("method", "q", "dependence", "threshold", "strict") if key in table}
    blind_matrix = read_matrix(_paths(table["runs"], root), blind=True)
    columns = {**_shared_columns(matrix, blind_matrix), **blind_matrix.columns}
    known = ResponseMatrix(
        blind_matrix.scores,
        blind_matrix.models,
        blind_matrix.items,
        blind_matrix.families,
        blind_matrix.strata,
        columns,
    )
    result = blinding.blind(known, blinding.BlindOptions(**given), sighted=matrix)
    blinding.write(out / "blind", result)
    gone = {fate.item: fate for fate in result.fates if not fate.kept}
    report.heading("Blind pass")
    report.text(f"{len(gone)} items are solvable without the image and were removed.")
    report.notes(result.found.notes)
    return _without(matrix, gone), gone


def _shared_columns(matrix: ResponseMatrix, other: ResponseMatrix) -> dict[str, tuple[object, ...]]:
    where = {item: i for i, item in enumerate(matrix.items)}
    return {
        name: tuple(values[where[item]] if item in where else None for item in other.items)
        for name, values in matrix.columns.items()
    }


def _without(matrix: ResponseMatrix, gone: Mapping[str, Fate]) -> ResponseMatrix:
    return matrix.take_items([i for i, item in enumerate(matrix.items) if item not in gone])


def _labels(
    table: Mapping[str, Any],
    matrix: ResponseMatrix,
    sources: tuple[Benchmark | None, list[Path]],
    folders: tuple[Path, Path],
    report: Report,
) -> tuple[ResponseMatrix, dict[str, Fate], tuple[str, ...]]:
    (benchmark, runs), (root, out) = sources, folders
    given = {key: table[key] for key in ("policy", "audit", "seed", "concurrency") if key in table}
    settings = {"base_url": table["base_url"]} if "base_url" in table else {}
    options = labelling.LabelOptions(judges=tuple(table.get("judges", ())), settings=settings, **given)
    result = labelling.labels(
        matrix, out / "labels", options, benchmark=benchmark, answers=labelling.answers_of_runs(runs),
        human=_path(table, "human", root),
    )  # fmt: skip
    labelling.write(out / "labels", result)
    # Without judges a flag alone condemns nothing: only what a judge or a person looked at is taken out.
    judged = {item for item, said in result.verdicts.items() if said}
    gone = {fate.item: fate for fate in result.fates if not fate.kept and (fate.item in judged or options.judges)}
    report.heading("Label pass")
    report.text(
        f"{len(result.flags)} items were flagged, {len(gone)} left out (broken or disputed), {len(result.queue)} "
        f"stand in labels/queue.csv for a person to look at."
    )
    return _without(matrix, gone), gone, tuple(result.frontier())


def _select(
    recipe: Mapping[str, Any],
    matrix: ResponseMatrix,
    source: tuple[Benchmark | None, Path | None],
    folders: tuple[Path, Path],
    frontier: tuple[str, ...],
    command: str,
) -> selecting.SelectResult:
    (benchmark, data), (root, out) = source, folders
    options = selecting.SelectOptions(**recipe["select"], frontier=frontier, command=command)
    clusters, pixels = selecting.near_duplicates(benchmark, matrix, out / "cache" / "prints.npz")
    result = selecting.choose(matrix, options, clusters=clusters, pixels=pixels)
    previous = _path(recipe, "previous", root)
    selecting.write(out / "subset", matrix, result, options, benchmark=benchmark, data=data, previous=previous)
    return result


def _finish(report: Report, counts: Sequence[tuple[str, int]], out: Path) -> None:
    report.heading("What is left")
    report.table(("stage", "items"), counts)
    report.text("full/ holds the filtered set, subset/ the selected one with its weights, card and provenance.")
    report.write(out, "report")
