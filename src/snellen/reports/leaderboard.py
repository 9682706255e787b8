"""Own runs beside published numbers, with the differences of protocol said.

References:
    "DatBench: Discriminative, faithful, and efficient VLM evaluations", arXiv:2601.02316, Table 3.
    "PerceptionBench", arXiv:2607.24957 (official leaderboard, 8 of its 16 models).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from snellen import reference
from snellen.errors import UsageError
from snellen.reports.comparison_text import fit, number
from snellen.reports.run_data import NAN, RunData, clusters_of
from snellen.reports.tables import percent
from snellen.stats.intervals import Interval, mean_interval
from snellen.stats.ranks import RankSpread, average_ranks, rank_spread

_CODES = {
    "visual_relation_error": "VRel", "visual_counting_error": "Coun", "visual_attribute_error": "Attr",
    "depth_3d_perception_error": "Dept", "visual_localization_error": "Loc", "visual_comparison_error": "Comp",
    "fine_grained_recognition_error": "FGR", "context_integration_error": "Ctx", "ocr_error": "OCR",
    "hallucination": "Hall",
}  # fmt: skip
"""PerceptionBench's categories, by the codes of its leaderboard."""


@dataclass(frozen=True, slots=True)
class Published:
    """A published table."""

    name: str
    """Benchmark."""
    source: str
    """Where it stands."""
    columns: tuple[str, ...]
    """Capabilities, in the table's order."""
    scores: Mapping[str, Mapping[str, float]]
    """Model → {capability → score in [0, 1]}; a missing cell is absent."""
    overall: Mapping[str, float]
    """Model → published overall score; the mean of its columns where the source prints none."""
    protocol: tuple[str, ...]
    """How those numbers were made."""
    codes: Mapping[str, str]
    """Column → a name of at most four letters."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the leaderboard."""

    model: str
    """Model name."""
    is_own: bool
    """A run of the user's."""
    overall: float
    """Overall score in [0, 1]."""
    rank: float
    """1 = best overall; NaN without an overall score."""
    cells: Mapping[str, float]
    """Capability → score in [0, 1]."""
    intervals: Mapping[str, Interval]
    """Capability (and "overall") → interval; empty for published rows."""
    spread: RankSpread
    """Specialist or even."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Own and published rows, best first."""

    published: Published
    """The table beside which the own rows stand."""
    entries: tuple[Entry, ...]
    """Best overall first."""
    remarks: tuple[str, ...]
    """Differences of protocol."""

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "benchmark": self.published.name,
            "source": self.published.source,
            "columns": list(self.published.columns),
            "entries": [asdict(entry) for entry in self.entries],
            "remarks": list(self.remarks),
        }


def datbench_published(column: str = "datbench") -> Published:
    """DatBench's own table: 27 models, 9 capabilities.

    Args:
        column: "datbench", "datbench_full" or "original".

    >>> table = datbench_published()
    >>> len(table.scores), len(table.columns)
    (27, 9)
    """
    scores: dict[str, dict[str, float]] = {}
    columns: dict[str, None] = {}
    for row in reference.datbench_table("table3_scores"):
        columns.setdefault(row["capability"])
        cells = scores.setdefault(row["model"], {})
        if row[column]:
            cells[row["capability"]] = float(row[column]) / 100
    whole = {model: float(np.mean(list(c.values()))) for model, c in scores.items() if len(c) == len(columns)}
    return Published(
        "DatBench" if column == "datbench" else f"DatBench ({column})",
        "arXiv:2601.02316, Table 3",
        tuple(columns),
        scores,
        whole,
        (
            "at most 4,096 answer tokens, sampling as each model's card says, the library's own rules",
            "overall is the plain mean of the nine capabilities; the paper prints none",
        ),
        {name: name[:4] for name in columns},
    )


def perceptionbench_published() -> Published:
    """PerceptionBench's leaderboard: the eight rows that are known.

    >>> perceptionbench_published().overall["Kimi K3"]
    0.585
    """
    rows = reference.perceptionbench_scores()
    columns = tuple(name for name in rows[0] if name not in ("model", "overall"))
    scores = {row["model"]: {name: float(row[name]) / 100 for name in columns} for row in rows}
    overall = {row["model"]: float(row["overall"]) / 100 for row in rows}
    protocol = (
        "3,000 questions, graded by GPT-oss-120B with the official judge prompt",
        "8 of the leaderboard's 16 models; overall is the mean over questions",
    )
    return Published("PerceptionBench", "arXiv:2607.24957, leaderboard", columns, scores, overall, protocol, _CODES)


def published_for(benchmark: str) -> Published:
    """The published table of a benchmark.

    Raises:
        UsageError: there is none.
    """
    name = benchmark.lower()
    if name.startswith("perceptionbench"):
        return perceptionbench_published()
    if name.startswith("datbench"):
        return datbench_published("datbench_full" if "full" in name.partition("/")[0] else "datbench")
    raise UsageError(
        f"no published table is shipped for {benchmark!r}; there are datbench, datbench-full and perceptionbench"
    )


def leaderboard(runs: Sequence[RunData], *, seed: int = 0) -> Leaderboard:
    """Own runs beside the published rows; runs of one model (one a capability) make one row.

    Args:
        runs: one or more runs of one benchmark.
        seed: of the intervals.

    Raises:
        UsageError: the runs are of several benchmarks, or there is no published table.
    """
    tables = {published_for(run.benchmark).name: published_for(run.benchmark) for run in runs}
    if len(tables) != 1:
        raise UsageError(f"--leaderboard takes runs of one benchmark, got {', '.join(tables) or 'none'}")
    (published,) = tables.values()
    models: dict[str, list[RunData]] = {}
    for run in runs:
        models.setdefault(run.model + (" (blind)" if run.is_blind else ""), []).append(run)
    own = {name: _own_cells(group, published, seed) for name, group in models.items()}
    return Leaderboard(published, _ranked(published, own), _remarks(runs, published, own))


_Cells = dict[str, Interval]


def _own_cells(runs: Sequence[RunData], published: Published, seed: int) -> _Cells:
    """Capability → interval, and "overall" as the published table makes it."""
    groups: dict[str, list[Any]] = {}
    rows = [row for run in runs for row in run.samples]
    for row in rows:
        name = next((n for n in (row.capability, row.category, row.dataset) if n in published.columns), "")
        if name:
            groups.setdefault(name, []).append(row)
    cells = {
        name: mean_interval([r.score for r in members], clusters=clusters_of(members), seed=seed)
        for name, members in groups.items()
        if not all(r.is_zeroed for r in members)  # no judge decided any: there is nothing to set beside a score
    }
    if published.name.startswith("DatBench"):
        cells["overall"] = _plain_mean([cells.get(name) for name in published.columns])
    else:
        cells["overall"] = mean_interval([row.score for row in rows], clusters=clusters_of(rows), seed=seed)
    return cells


def _plain_mean(cells: Sequence[Interval | None]) -> Interval:
    """Mean of capability means, NaN unless all are there; independent capabilities' half widths add in squares."""
    known = [cell for cell in cells if cell is not None and not math.isnan(cell.mean)]
    n = sum(cell.n for cell in known)
    if len(known) < len(cells):
        return Interval(NAN, NAN, NAN, n, n, "", f"{len(known)} of {len(cells)} capabilities were run and scored")
    mean = float(np.mean([cell.mean for cell in known]))
    half = math.sqrt(sum(cell.half_width**2 for cell in known)) / len(known)
    return Interval(mean, mean - half, mean + half, n, n, "mean of capabilities")


def _ranked(published: Published, own: Mapping[str, _Cells]) -> tuple[Entry, ...]:
    cells: dict[str, dict[str, float]] = {name: dict(row) for name, row in published.scores.items()}
    overall: dict[str, float] = {name: published.overall.get(name, NAN) for name in cells}
    is_own: dict[str, Mapping[str, Interval]] = {}
    for name, row in own.items():
        label = name if name not in cells else f"{name} (yours)"
        cells[label] = {key: value.mean for key, value in row.items() if key != "overall"}
        overall[label], is_own[label] = row["overall"].mean, row
    by_column = {c: {m: row[c] for m, row in cells.items() if c in row} for c in published.columns}
    ranks = dict(zip(overall, average_ranks(list(overall.values())).tolist(), strict=True))
    entries = [
        Entry(
            model, model in is_own, overall[model], ranks[model], cells[model], is_own.get(model, {}),
            rank_spread(by_column, model),
        )
        for model in cells
    ]  # fmt: skip
    return tuple(
        sorted(entries, key=lambda e: (math.isnan(e.rank), e.rank if not math.isnan(e.rank) else 0, e.model))
    )


def _remarks(runs: Sequence[RunData], published: Published, own: Mapping[str, _Cells]) -> tuple[str, ...]:
    remarks = [f"published: {sentence}" for sentence in published.protocol]
    for name, cells in own.items():
        if cells["overall"].reason and math.isnan(cells["overall"].mean):
            remarks.append(f"{name}: no overall score, {cells['overall'].reason}")
    for run in runs:
        n_zeroed = sum(row.is_zeroed for row in run.samples)
        if n_zeroed:
            where = ", ".join(
                dict.fromkeys(row.capability for row in run.samples if row.is_zeroed and row.capability)
            )
            remarks.append(
                f"{run.model}: {n_zeroed:,} samples have no verdict ({where}); `snellen judge` decides them"
            )
        told = _own_protocol(run)
        if told:
            remarks.append(f"{run.model}, {run.benchmark}: {told}")
    return tuple(dict.fromkeys(remarks))


def protocol_of(spec: Mapping[str, Any]) -> list[str]:
    """What of a run is unlike the usual protocol, from its frozen spec."""
    generation = spec.get("generation", {})
    selection, prompt = spec.get("selection", {}), spec.get("prompt", {})
    told = [f"rules {spec.get('rules')}"]
    told += [f"{generation['max_tokens']:,} answer tokens"] if isinstance(generation.get("max_tokens"), int) else []
    told += [f"temperature {generation['temperature']:g}"] if generation.get("temperature") is not None else []
    told += [f"{n} {selection[n]:g}" for n in ("limit", "per_category") if selection.get(n) is not None]
    told += ["without pictures"] if prompt.get("blind") else []
    told += [f"prompt {prompt['name']}"] if prompt.get("name") not in (None, "default") else []
    side = spec.get("images", {}).get("max_side_px")
    told += [f"pictures at most {side} px"] if side else []
    return told


def _own_protocol(run: RunData) -> str:
    told = protocol_of(run.spec)
    n_missing = sum(math.isnan(row.score) for row in run.samples)
    told += [f"{n_missing:,} of {len(run.samples):,} samples without a score"] if n_missing else []
    return ", ".join(told)


def terminal(board: Leaderboard) -> str:
    """The leaderboard as text, at most 80 columns wide; own rows are marked."""
    columns, codes = board.published.columns, board.published.codes
    width = 4
    room = 80 - 11 - len(columns) * (width + 1)
    head = f"{'':<4} {'':<{room}} {'all':>5}" + "".join(f" {codes[name][:width]:>{width}}" for name in columns)
    lines = [f"{board.published.name}: {board.published.source}, and your runs (marked >)", "", head]
    lines.append("─" * len(head))
    for entry in board.entries:
        cells = "".join(f" {percent(entry.cells.get(name, NAN))[:width]:>{width}}" for name in columns)
        mark = ">" if entry.is_own else " "
        lines.append(f"{mark}{number(entry.rank):>3} {fit(entry.model, room)} {percent(entry.overall):>5}{cells}")
    lines += ["", *_spread_lines(board), *(f"note: {remark}" for remark in board.remarks)]
    return "\n".join(_wrap(lines))


def _wrap(lines: Sequence[str]) -> list[str]:
    import textwrap

    return [
        part
        for line in lines
        for part in ([line] if len(line) <= 80 else textwrap.wrap(line, 80, subsequent_indent="  "))
    ]


def _spread_lines(board: Leaderboard) -> list[str]:
    lines = []
    for entry in board.entries:
        spread = entry.spread
        if entry.is_own and spread.best:
            word = "a specialist" if spread.spread > 0.8 else "even" if spread.spread < 0.4 else "somewhat uneven"
            best, worst = (f"{name} (rank {number(spread.ranks[name])})" for name in (spread.best, spread.worst))
            lines.append(f"{entry.model} is {word}: best at {best}, worst at {worst}; spread {spread.spread:.2f}")
    return lines


def markdown(board: Leaderboard) -> str:
    """The leaderboard as Markdown."""
    columns = board.published.columns
    lines = [f"# {board.published.name} leaderboard", "", f"Published rows: {board.published.source}.", ""]
    lines.append(f"| rank | model | overall | {' | '.join(columns)} | rank spread |")
    lines.append("|---" * (len(columns) + 4) + "|")
    for entry in board.entries:
        name = entry.model.replace("|", "\\|").replace("<", "&lt;")
        cells = " | ".join(percent(entry.cells.get(column, NAN)) for column in columns)
        shown = f"**{name}**" if entry.is_own else name
        spread = number(entry.spread.spread, 2)
        lines.append(f"| {number(entry.rank)} | {shown} | {percent(entry.overall)} | {cells} | {spread} |")
    return "\n".join([*lines, "", *(f"- {remark}" for remark in (*_spread_lines(board), *board.remarks)), ""])
