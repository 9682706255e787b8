"""`snellen curate blind`: which items need no image, from runs made with `snellen run --blind`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.curating.subset import Fate, write_provenance
from snellen.curation.blind import (
    SOLVABLE,
    Blind,
    Tally,
    answer_type,
    calibrated,
    chances,
    datbench,
    paper_threshold,
    tallies,
)
from snellen.curation.matrix import Floats, ResponseMatrix, model_means
from snellen.errors import UsageError
from snellen.reports.blocks import Report, percent

METHODS = ("calibrated", "datbench")


@dataclass(frozen=True, slots=True)
class BlindResult:
    """What the blind pass found."""

    found: Blind
    """Verdict per item."""
    items: tuple[str, ...]
    """Names."""
    by: dict[str, tuple[Tally, ...]]
    """"dataset", "answer type", "format" → counts."""
    spread: tuple[float, float]
    """Standard deviation of the models' sighted means before and after; NaN without a sighted matrix."""
    fates: tuple[Fate, ...]
    """One an item."""

    def kept(self) -> list[str]:
        """Items that stay."""
        gone = set(self.found.removed().tolist())
        return [item for i, item in enumerate(self.items) if i not in gone]

    def as_record(self) -> dict[str, Any]:
        """JSON-able summary."""
        state = self.found.state
        return {
            "n": len(self.items),
            "n_removed": state.count(SOLVABLE),
            "states": {name: state.count(name) for name in dict.fromkeys(state)},
            "notes": list(self.found.notes),
            "by": {
                name: [{"group": t.group, "n": t.n, "removed": t.n_removed, "cannot_tell": t.n_unknown} for t in rows]
                for name, rows in self.by.items()
            },
            "spread_before": _known(self.spread[0]),
            "spread_after": _known(self.spread[1]),
        }


def _known(value: float) -> float | None:
    return None if value != value else value


@dataclass(frozen=True, slots=True)
class BlindOptions:
    """What `blind` can be told."""

    method: str = "calibrated"
    """Of `METHODS`."""
    q: float = 0.05
    """Expected share of wrongly removed items among the removed."""
    dependence: str = "family"
    """"family" or "beta-binomial"."""
    threshold: int | None = None
    """τ for all items (datbench); None takes the paper's."""
    strict: bool = False
    """Above τ instead of at τ or above (datbench)."""


def blind(
    matrix: ResponseMatrix, options: BlindOptions | None = None, *, sighted: ResponseMatrix | None = None
) -> BlindResult:
    """Judge each item by blind responses.

    Args:
        matrix: blind scores; item columns n_options, answer and chance are used where they exist.
        options: method and thresholds.
        sighted: scores with the image, for the spread before and after.

    Raises:
        UsageError: unknown method, or no model.
    """
    options = options or BlindOptions()
    if options.method not in METHODS:
        raise UsageError(f"unknown method {options.method!r}; choose one of {', '.join(METHODS)}")
    if matrix.n_models == 0:
        raise UsageError("no blind response: run models with `snellen run --blind` first")
    n_options, answers = _options(matrix), _answers(matrix)
    datasets = list(matrix.strata or ("",) * matrix.n_items)
    if options.method == "datbench":
        found = datbench(matrix.scores, _thresholds(matrix, options, datasets, n_options), strict=options.strict)
    else:
        chance = _given_chance(matrix)
        chance = chances(n_options, answers, datasets) if chance is None else chance
        found = calibrated(matrix.scores, chance, matrix.families, q=options.q, dependence=options.dependence)
    by = {
        "dataset": tallies(found, datasets),
        "answer type": tallies(found, [answer_type(a) for a in answers]),
        "format": tallies(found, [f"{int(n)} options" if n else "open" for n in n_options]),
    }
    return BlindResult(found, matrix.items, by, _spread(found, matrix, sighted), _fates(found, matrix))


def _options(matrix: ResponseMatrix) -> list[float | None]:
    column = matrix.columns.get("n_options") or (None,) * matrix.n_items
    return [None if v in (None, "", 0) else float(str(v)) for v in column]


def _answers(matrix: ResponseMatrix) -> list[str]:
    column = matrix.columns.get("answer") or ("",) * matrix.n_items
    # Without answers each item is its own: no item's answer seems to repeat.
    return [str(v) if v not in (None, "") else f"?{i}" for i, v in enumerate(column)]


def _given_chance(matrix: ResponseMatrix) -> Floats | None:
    column = matrix.columns.get("chance")
    return None if column is None else np.array([0.02 if v is None else float(str(v)) for v in column])


def _thresholds(
    matrix: ResponseMatrix, options: BlindOptions, datasets: Sequence[str], n_options: Sequence[float | None]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    if options.threshold is not None:
        return np.full(matrix.n_items, options.threshold, dtype=np.int64)
    pairs = zip(datasets, n_options, strict=True)
    return np.array([paper_threshold(d, n, matrix.n_models).n_correct for d, n in pairs], dtype=np.int64)


def _spread(found: Blind, matrix: ResponseMatrix, sighted: ResponseMatrix | None) -> tuple[float, float]:
    if sighted is None or sighted.n_models < 2:
        return float("nan"), float("nan")
    gone = {matrix.items[i] for i in found.removed()}
    kept = [i for i, item in enumerate(sighted.items) if item not in gone]
    before = model_means(sighted.scores)
    after = model_means(sighted.scores[:, kept]) if kept else np.full(sighted.n_models, np.nan)
    return _spread_of(before), _spread_of(after)


def _spread_of(means: Floats) -> float:
    known = means[np.isfinite(means)]
    return float(known.std(ddof=1)) if known.size > 1 else float("nan")


def _fates(found: Blind, matrix: ResponseMatrix) -> tuple[Fate, ...]:
    fates = []
    for i, item in enumerate(matrix.items):
        evidence = f"{found.n_right[i]:.0f} of {found.n_models[i]:.0f} models right without the image"
        if found.q_value[i] == found.q_value[i]:
            evidence += f"; chance {found.chance[i]:.3g}, q = {found.q_value[i]:.3g}: {found.state[i]}"
        fates.append(Fate(item, found.state[i] != SOLVABLE, "blind", evidence))
    return tuple(fates)


def report_of(result: BlindResult) -> Report:
    """The pass as a report."""
    from snellen.reports.curation_figures import histogram

    report = Report("Blind pass: what can be answered without the image")
    state = result.found.state
    n = max(len(state), 1)
    report.text(
        f"{state.count(SOLVABLE)} of {len(state)} items ({percent(state.count(SOLVABLE) / n)}) are solvable blind "
        f"and are removed; {percent(state.count('cannot tell') / n)} cannot be told with these models and stay."
    )
    report.notes(result.found.notes)
    if result.spread[0] == result.spread[0]:
        report.text(
            f"Spread of the models' scores with the image: {100 * result.spread[0]:.2f} points before, "
            f"{100 * result.spread[1]:.2f} after."
        )
    for name, rows in result.by.items():
        report.heading(f"By {name}")
        cells = [(t.group, t.n, t.n_removed, percent(t.n_removed / t.n), t.n_unknown) for t in rows]
        report.table((name, "items", "removed", "share", "cannot tell"), cells)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = result.found.n_right / result.found.n_models
    report.figure(histogram(share, title="share of models right", x="share of models right blind"), "All items.")
    return report


def write(folder: Path, result: BlindResult) -> Report:
    """Write `blind.json`, `kept.txt`, `provenance.csv` and the report."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "blind.json").write_text(json.dumps(result.as_record(), indent=1), encoding="utf-8")
    (folder / "kept.txt").write_text("".join(f"{item}\n" for item in result.kept()), encoding="utf-8")
    write_provenance(folder / "provenance.csv", result.fates)
    report = report_of(result)
    report.write(folder, "report")
    return report
