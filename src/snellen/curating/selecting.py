"""`snellen curate select`: a matrix (and its benchmark) → a subset on disk, weighted, documented, ready to run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.curating.prints import for_items, prints_of
from snellen.curating.subset import (
    CardFacts,
    Entry,
    Fate,
    licences_of,
    previous_items,
    write_benchmark,
    write_card,
    write_provenance,
    write_table,
)
from snellen.curation.discrimination import leverage
from snellen.curation.level import estimates
from snellen.curation.matrix import Floats, Ints, ResponseMatrix, model_means, without_silent_models
from snellen.curation.select import Plan, n_chosen, representatives, select
from snellen.curation.share import ShareChoice, choose_share
from snellen.errors import BenchmarkError, UsageError
from snellen.reports.blocks import Report, percent
from snellen.types import Benchmark


@dataclass(frozen=True, slots=True)
class SelectOptions:
    """What `select` can be told."""

    size: float
    """Share (≤ 1) or count of items."""
    method: str = "two-part"
    """Of `snellen.curation.select.METHODS`."""
    share: float | None = None
    """Share of the discriminating part; None chooses it by validation."""
    seed: int = 0
    """Of the random part."""
    cost: str = ""
    """Item column with the cost of an item; "" counts items."""
    frontier: tuple[str, ...] = ()
    """Items that no model solves and a judge accepted (datbench's reserve)."""
    command: str = "snellen curate select"
    """Command line, for the card."""


@dataclass(frozen=True, slots=True)
class SelectResult:
    """A plan and what is known of it."""

    plan: Plan
    """Chosen items."""
    items: tuple[str, ...]
    """Names of the chosen items."""
    choice: ShareChoice | None
    """How the share was chosen; None where it was given."""
    warnings: tuple[str, ...]
    """Leverage guard, fallbacks."""
    fates: tuple[Fate, ...]
    """One an item of the matrix."""

    def as_record(self) -> dict[str, Any]:
        """JSON-able summary."""
        parts = Counter(self.plan.part)
        return {
            "method": self.plan.method,
            "n": len(self.items),
            "share": self.plan.share,
            "parts": dict(parts),
            "reliability": self.plan.reliability,
            "share_choice": None if self.choice is None else self.choice.reason,
            "dropped_duplicates": int(self.plan.dropped_duplicates.size),
            "warnings": list(self.warnings),
            "items": [
                {"item": item, "part": part, "weight": _known(weight), "r": _known(r)}
                for item, part, weight, r in zip(
                    self.items, self.plan.part, self.plan.weights, self.plan.r, strict=True
                )
            ],
        }


def _known(value: float) -> float | None:
    return None if value != value else float(value)


def choose(
    matrix: ResponseMatrix, options: SelectOptions, *, clusters: Ints | None = None, pixels: Floats | None = None
) -> SelectResult:
    """Choose the items: share by validation, near-duplicates once, leverage guarded.

    Args:
        matrix: calibrating models x items.
        options: what to choose.
        clusters: near-duplicate cluster of each item.
        pixels: image size of each item (which copy is the original).

    Raises:
        UsageError: an impossible size, an unknown column or item.
    """
    matrix, silent = without_silent_models(matrix)
    n = n_chosen(options.size, matrix.n_items)
    frame = representatives(matrix.n_items, clusters, pixels)[0] if options.method != "datbench" else None
    choice = None
    share = options.share
    if options.method == "two-part" and share is None:
        choice = choose_share(matrix.scores, matrix.stratum_codes(), n, frame=frame, seed=options.seed)
        share = choice.share
    plan = select(
        matrix, n, method=options.method, share=share or 0.0, seed=options.seed, clusters=clusters, preference=pixels,
        cost=_cost(matrix, options.cost), frontier=_positions(matrix, options.frontier),
    )  # fmt: skip
    warnings = (*plan.notes, *_gaps(matrix, silent), *_leverage(matrix, plan))
    return SelectResult(plan, tuple(matrix.items[i] for i in plan.chosen), choice, warnings, _fates(matrix, plan))


def _cost(matrix: ResponseMatrix, column: str) -> Floats | None:
    if not column:
        return None
    if column not in matrix.columns:
        raise UsageError(f"no item column {column!r} for --cost; there are {', '.join(matrix.columns) or 'none'}")
    try:
        return np.array([np.nan if v is None else float(str(v)) for v in matrix.columns[column]])
    except ValueError as error:
        raise UsageError(f"the item column {column!r} is not numeric: {error}") from error


def _positions(matrix: ResponseMatrix, items: Sequence[str]) -> list[int]:
    where = {name: i for i, name in enumerate(matrix.items)}
    unknown = [item for item in items if item not in where]
    if unknown:
        raise UsageError(f"{unknown[0]!r} stands in the frontier list but not in the matrix")
    return [where[item] for item in items]


def _gaps(matrix: ResponseMatrix, silent: Sequence[str]) -> tuple[str, ...]:
    """What is missing in the matrix, as far as it matters for the choice."""
    notes = []
    if silent:
        notes.append(f"{len(silent)} models answered nothing and were left out: {', '.join(silent[:5])}")
    n_unseen = int(np.isnan(matrix.scores).all(axis=0).sum())
    if n_unseen:
        notes.append(f"{n_unseen} items have no score of any model; they are drawn as items of average difficulty")
    return tuple(notes)


def _leverage(matrix: ResponseMatrix, plan: Plan) -> tuple[str, ...]:
    if matrix.n_models < 9:
        return ()
    n_top = round(plan.share * plan.chosen.size) or plan.chosen.size
    return leverage(matrix.scores, matrix.models, n_top).warnings


def _fates(matrix: ResponseMatrix, plan: Plan) -> tuple[Fate, ...]:
    at = {int(i): k for k, i in enumerate(plan.chosen)}
    copies = set(plan.dropped_duplicates.tolist())
    fates = []
    for i, item in enumerate(matrix.items):
        if i in at:
            fates.append(Fate(item, True, "select", _why(plan, at[i])))
        elif i in copies:
            fates.append(Fate(item, False, "redundancy", "a near-duplicate stands for it"))
        else:
            fates.append(Fate(item, False, "select", f"not drawn ({plan.method})"))
    return tuple(fates)


def _why(plan: Plan, k: int) -> str:
    if plan.part[k] == "discriminating":
        r = plan.r_shrunk[k] if plan.method == "two-part" else plan.r[k]
        return f"discriminating: {'shrunk ' if plan.method == 'two-part' else ''}item-rest r = {r:.3f}"
    if plan.part[k] == "frontier":
        return "frontier reserve: no model solves it, a judge accepted it"
    return f"drawn with probability {1 / plan.weights[k]:.4f} in stratum {plan.strata[k]}"


def write(
    folder: Path,
    matrix: ResponseMatrix,
    result: SelectResult,
    options: SelectOptions,
    *,
    benchmark: Benchmark | None = None,
    data: Path | None = None,
    previous: Path | None = None,
) -> Report:
    """Write the subset: `weights.csv`, `provenance.csv`, `select.json`, report, card, and the Parquet files.

    Args:
        folder: target.
        matrix: what was chosen from.
        result: of `choose`.
        options: as given.
        benchmark: open benchmark; without it no Parquet is written.
        data: its data folder (licences).
        previous: folder of the version before, for the diff.
    """
    before = previous_items(previous or (folder if (folder / "items.json").is_file() else None))
    plan = result.plan
    write_table(
        folder / "weights.csv",
        ("item", "part", "weight", "stratum", "r", "r_shrunk"),
        zip(result.items, plan.part, plan.weights, plan.strata, plan.r, plan.r_shrunk, strict=True),
    )
    write_provenance(folder / "provenance.csv", result.fates)
    (folder / "select.json").write_text(json.dumps(result.as_record(), indent=1), encoding="utf-8")
    if benchmark is not None:
        written = sum(write_benchmark(folder, benchmark, entries(matrix, plan)).values())
        if written < plan.chosen.size:
            raise BenchmarkError(
                f"{plan.chosen.size - written} of the {plan.chosen.size} chosen items are not in {benchmark.name}: "
                f"the matrix and the benchmark do not share their sample ids"
            )
    write_card(folder, _card(matrix, result, options, (benchmark, data), before))
    report = report_of(matrix, result, options)
    report.write(folder, "report")
    return report


def entries(matrix: ResponseMatrix, plan: Plan) -> dict[str, Entry]:
    """What each chosen item carries into the Parquet files."""
    best = np.nan_to_num(matrix.scores, nan=-1.0).max(axis=0)
    return {
        matrix.items[i]: Entry(
            weight=_known(plan.weights[k]),
            stratum=int(plan.strata[k]),
            part=plan.part[k],
            discrimination=_known(plan.r[k]),
            is_frontier=bool(0 <= best[i] < 0.5),
        )
        for k, i in enumerate(plan.chosen.tolist())
    }


def _card(
    matrix: ResponseMatrix,
    result: SelectResult,
    options: SelectOptions,
    source: tuple[Benchmark | None, Path | None],
    before: list[str] | None,
) -> CardFacts:
    benchmark, data = source
    strata = matrix.strata or ("",) * matrix.n_items
    kept = Counter(strata[i] for i in result.plan.chosen)
    counts: Mapping[str, tuple[int, int]] = {name: (kept[name], n) for name, n in sorted(Counter(strata).items())}
    return CardFacts(
        title=f"{benchmark.name if benchmark else 'Subset'}, {len(result.items)} items",
        source=benchmark.name if benchmark else "a response matrix",
        citation=benchmark.citation if benchmark else "",
        method=_method_sentence(result, matrix),
        command=options.command,
        counts=counts,
        licences=licences_of(benchmark, data) if benchmark else {},
        notes=result.warnings,
        previous=before,
        items=result.items,
    )


def _method_sentence(result: SelectResult, matrix: ResponseMatrix) -> str:
    plan = result.plan
    of = f"{plan.chosen.size} of {matrix.n_items} items, calibrated on {matrix.n_models} models"
    if plan.method == "datbench":
        return f"{of}; highest item–rest correlation first (DatBench's pass 4)."
    if plan.method == "random":
        return f"{of}; a stratified random sample."
    n_d = plan.part.count("discriminating")
    return f"{of}; {n_d} discriminating items and a stratified probability sample of {plan.chosen.size - n_d}."


def report_of(matrix: ResponseMatrix, result: SelectResult, options: SelectOptions) -> Report:
    """The selection as a report with figures."""
    from snellen.reports.curation_figures import bars, histogram, scatter

    plan, report = result.plan, Report("Selected subset")
    report.text(_method_sentence(result, matrix))
    report.notes(result.warnings)
    if result.choice is not None:
        report.text(f"Discriminating share: {result.choice.reason}.")
    report.text(
        f"Reliability of single items: {percent(plan.reliability)} of an item's own correlation is signal over "
        f"{matrix.n_models} models. {plan.dropped_duplicates.size} near-duplicates were left out."
    )
    share = model_means(matrix.scores)
    on_subset = model_means(matrix.scores[:, plan.chosen])
    points = {"plain mean": (share.tolist(), on_subset.tolist())}
    if plan.is_weighted:
        level = estimates(matrix.scores[:, plan.chosen], plan.weights, plan.strata).mean
        points["weighted estimate"] = (share.tolist(), level.tolist())
    report.heading("Models on the full set and on the subset")
    figure = scatter(points, title="scores of the models", x="full set", y="subset", diagonal=True)
    report.figure(figure, "Only the weighted estimate is on the scale of the full set.")
    report.heading("Items")
    report.figure(
        histogram(plan.r, title="item-rest correlation", x="item–rest r"), "Item–rest correlation of the chosen."
    )
    strata = matrix.strata or ("all",) * matrix.n_items
    counts = Counter(strata[i] for i in plan.chosen)
    rows = [(name, counts[name], n, percent(counts[name] / n)) for name, n in sorted(Counter(strata).items())]
    report.table(("dataset", "chosen", "of", "share"), rows)
    between = ((share - share.mean()) ** 2).astype(float)
    if between.sum() > 0 and matrix.n_models > 2:
        report.heading("Who carries the differences between the models")
        order = np.argsort(-between)[:10]
        top = {matrix.models[i]: float(100 * between[i] / between.sum()) for i in order}
        report.figure(
            bars(top, title="variance share", unit=" %", limit=30), "Share of the variance; the guard is at 30 %."
        )
    return report


def near_duplicates(
    benchmark: Benchmark | None, matrix: ResponseMatrix, cache: Path | None
) -> tuple[Ints | None, Floats | None]:
    """Clusters and image sizes in the order of the matrix; (None, None) without a benchmark."""
    if benchmark is None:
        return None, None
    return for_items(prints_of(benchmark, cache), matrix.items)
