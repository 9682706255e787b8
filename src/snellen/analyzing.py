"""`snellen analyze`: what a set of runs or matrices says about models, skills and the benchmark itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.curating.matrices import model_of_run
from snellen.curation import profile as p
from snellen.curation import published
from snellen.curation.discrimination import score_variance_share
from snellen.curation.matrix import CUT, ResponseMatrix
from snellen.errors import UsageError
from snellen.reports.blocks import Report, percent
from snellen.scores_file import read_scores
from snellen.store import read_log


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that could be computed; None where the data does not allow it."""

    profile: p.Profile
    """Mean scores, models x capabilities, 0–1."""
    correlations: p.Correlations | None
    """Between capabilities."""
    tree: p.Tree | None
    """Average linkage on 1 - r."""
    thinking: dict[str, float] | None
    """Relative gain per capability of the second of each pair."""
    vision_gap: dict[str, float] | None
    """Score with the image minus score without, per capability, points."""
    lines: dict[str, p.Line]
    """Subset against full, per capability."""
    evenness: tuple[p.Evenness, ...]
    """Specialist or even, one a model."""
    reliability: dict[str, float]
    """Cronbach's alpha per capability."""
    saturation: dict[str, p.Saturation]
    """Per capability."""
    leverage: dict[str, tuple[str, float]]
    """Capability → (model with the largest share of the variance, its share)."""
    formats: dict[str, tuple[float, float]]
    """"4 options", "open" → (mean score of the models, chance); only where the items state their options."""
    speedup: dict[str, float]
    """Capability → items of all over items of the subset; empty without one."""
    tokens: dict[str, tuple[float, float]]
    """Model → mean output tokens of right and of wrong answers; empty where the runs hold none."""
    notes: tuple[str, ...]
    """Plain sentences."""

    def as_record(self) -> dict[str, Any]:
        """JSON-able form; what is not known is null."""
        names, clean = self.profile.capabilities, _clean
        found = self.correlations
        return {
            "models": list(self.profile.models),
            "capabilities": list(names),
            "scores": clean(self.profile.scores.tolist()),
            "correlations": None if found is None else {"n_models": found.n_models, "r": clean(found.r.tolist())},
            "merges": None if self.tree is None else [list(m) for m in self.tree.merges],
            "clusters": None if self.tree is None else [sorted(c) for c in p.cut(self.tree, names, 2)],
            "thinking_gain": clean(self.thinking),
            "vision_gap": clean(self.vision_gap),
            "subset_lines": {
                k: clean([v.slope, v.intercept, v.tau, v.mean_difference]) for k, v in self.lines.items()
            },
            "evenness": {e.model: {"spread": e.spread, "best": e.best, "worst": e.worst} for e in self.evenness},
            "reliability": clean(self.reliability),
            "saturation": {
                k: clean([v.live_share, v.best, v.top_gap, v.top_gap_in_se]) for k, v in self.saturation.items()
            },
            "leverage": {k: list(v) for k, v in self.leverage.items()},
            "formats": {k: clean(list(v)) for k, v in self.formats.items()},
            "speedup": self.speedup,
            "tokens_right_wrong": {k: clean(list(v)) for k, v in self.tokens.items()},
            "notes": list(self.notes),
        }


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _clean(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(v) for v in value]
    return None if isinstance(value, float) and value != value else value


def analyze(
    matrix: ResponseMatrix,
    *,
    by: str = "capability",
    pairs: Sequence[tuple[str, str]] = (),
    blind: ResponseMatrix | None = None,
    subset: Sequence[str] | None = None,
    tokens: Mapping[str, tuple[float, float]] | None = None,
) -> Analysis:
    """Analyse a matrix by capability.

    Args:
        matrix: models x items.
        by: item column that names the capability (falls back to the strata).
        pairs: (plain, thinking) models.
        blind: scores of the same models without images.
        subset: items of a subset, set against all.
        tokens: from `tokens_of_runs`.

    Raises:
        UsageError: the matrix is empty.
    """
    if not matrix.n_models or not matrix.n_items:
        raise UsageError("the matrix is empty")
    groups = groups_of(matrix, by)
    profile = profile_of(matrix, groups)
    notes: list[str] = []
    correlations, tree = _correlations(profile, notes)
    return Analysis(
        profile=profile,
        correlations=correlations,
        tree=tree,
        thinking=p.relative_gain(profile, pairs) if pairs else None,
        vision_gap=_vision_gap(profile, blind, by) if blind is not None else None,
        lines=_lines(matrix, groups, profile, subset),
        evenness=p.evenness(profile) if len(profile.capabilities) > 1 and matrix.n_models > 2 else (),
        reliability={name: p.reliability(matrix.scores[:, groups == name]) for name in profile.capabilities},
        saturation={name: p.saturation(matrix.scores[:, groups == name]) for name in profile.capabilities},
        leverage=_leverage(profile, notes),
        formats=_formats(matrix),
        speedup=_speedup(matrix, groups, subset),
        tokens=dict(tokens or {}),
        notes=tuple(notes),
    )


def groups_of(matrix: ResponseMatrix, by: str) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
    """Group name of each item: the column asked for, else the strata, else "all"."""
    column = matrix.columns.get(by) or matrix.strata or ("all",) * matrix.n_items
    return np.asarray(["" if v is None else str(v) for v in column], dtype=object)


def profile_of(matrix: ResponseMatrix, groups: np.ndarray[tuple[int, ...], np.dtype[np.object_]]) -> p.Profile:
    """Mean score of each model on each group; NaN where it has none."""
    names = tuple(dict.fromkeys(groups.tolist()))
    scores = np.full((matrix.n_models, len(names)), np.nan)
    for k, name in enumerate(names):
        block = matrix.scores[:, groups == name]
        n = (~np.isnan(block)).sum(axis=1)
        scores[:, k] = np.divide(np.nansum(block, axis=1), n, out=scores[:, k], where=n > 0)
    return p.Profile(matrix.models, names, scores)


def _correlations(profile: p.Profile, notes: list[str]) -> tuple[p.Correlations | None, p.Tree | None]:
    if len(profile.capabilities) < 2:
        notes.append("one capability only: nothing to correlate")
        return None, None
    try:
        found = p.correlate(profile)
    except UsageError as error:
        notes.append(str(error))
        return None, None
    return found, p.link(found)


def _vision_gap(profile: p.Profile, blind: ResponseMatrix, by: str) -> dict[str, float]:
    without = profile_of(blind, groups_of(blind, by))
    gaps: dict[str, float] = {}
    for k, name in enumerate(profile.capabilities):
        if name not in without.capabilities:
            continue
        j = without.capabilities.index(name)
        both = [
            100 * (profile.scores[i, k] - without.scores[without.models.index(model), j])
            for i, model in enumerate(profile.models)
            if model in without.models
        ]
        known = [gap for gap in both if np.isfinite(gap)]
        gaps[name] = float(np.mean(known)) if known else float("nan")
    return gaps


def _lines(
    matrix: ResponseMatrix,
    groups: np.ndarray[tuple[int, ...], np.dtype[np.object_]],
    profile: p.Profile,
    subset: Sequence[str] | None,
) -> dict[str, p.Line]:
    if subset is None:
        return {}
    wanted = set(subset)
    columns = [i for i, item in enumerate(matrix.items) if item in wanted]
    if not columns:
        raise UsageError("none of the subset's items is in the matrix")
    part = profile_of(matrix.take_items(columns), groups[columns])
    return {
        name: p.subset_line(profile.scores[:, profile.capabilities.index(name)], part.scores[:, k])
        for k, name in enumerate(part.capabilities)
    }


def _formats(matrix: ResponseMatrix) -> dict[str, tuple[float, float]]:
    """Mean score of all models by number of options, beside what guessing would give."""
    column = matrix.columns.get("n_options")
    if column is None:
        return {}
    n_options = np.array([0.0 if v in (None, "") else float(str(v)) for v in column])
    found = {}
    for n in sorted(set(n_options.tolist())):
        block = matrix.scores[:, n_options == n]
        mean = float(block[~np.isnan(block)].mean()) if (~np.isnan(block)).any() else float("nan")
        found[f"{n:g} options" if n else "open"] = (mean, 1 / n if n else 0.0)
    return found


def _speedup(
    matrix: ResponseMatrix, groups: np.ndarray[tuple[int, ...], np.dtype[np.object_]], subset: Sequence[str] | None
) -> dict[str, float]:
    if subset is None:
        return {}
    wanted = set(subset)
    inside = np.array([item in wanted for item in matrix.items])
    names = dict.fromkeys(groups.tolist())
    return {n: float((groups == n).sum() / inside[groups == n].sum()) for n in names if inside[groups == n].any()}


def tokens_of_runs(folders: Sequence[Path]) -> dict[str, tuple[float, float]]:
    """Mean output tokens of right and of wrong answers of each model; runs without token counts are left out."""
    found: dict[str, tuple[float, float]] = {}
    for folder in folders:
        scores = read_scores(folder / "scores.parquet", ["key", "epoch", "value"])
        value = {(row["key"], row["epoch"]): row["value"] for row in scores if row["value"] is not None}
        right: list[int] = []
        wrong: list[int] = []
        for path in sorted(folder.glob("responses*.jsonl")):
            for record in read_log(path):
                said = record.value or {}
                score = value.get((said.get("key"), said.get("epoch")))
                if score is not None and isinstance(said.get("n_out"), int):
                    (right if score >= CUT else wrong).append(said["n_out"])
        if right or wrong:
            found[model_of_run(folder)] = (_mean(right), _mean(wrong))
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def _leverage(profile: p.Profile, notes: list[str]) -> dict[str, tuple[str, float]]:
    found = {}
    for k, name in enumerate(profile.capabilities):
        share = score_variance_share(profile.scores[:, k])
        top = int(np.nanargmax(share)) if np.isfinite(share).any() else 0
        found[name] = (profile.models[top], float(np.nan_to_num(share[top])))
        if found[name][1] > 0.30 and len(profile.models) > 3:
            notes.append(f"{name}: {profile.models[top]} alone carries {found[name][1]:.0%} of the variance")
    return found


def published_record() -> dict[str, Any]:
    """The paper's analyses over its own tables, and its printed constants."""
    correlations = published.published_correlations()
    speedups = published.published_speedups()
    labels = published.label_filter()
    pairs = (
        ("chart", "general"),
        ("math", "general"),
        ("grounding", "document"),
        ("grounding", "scene"),
        ("math", "spatial"),
    )
    return {
        "n_models": correlations.n_models,
        "correlations": {f"{a}-{b}": correlations.between(a, b) for a, b in pairs},
        "clusters": [sorted(group) for group in published.published_clusters()],
        "thinking_gain": published.published_thinking_gain(),
        "thinking_gain_full": published.published_thinking_gain("datbench_full"),
        "thinking_gain_original": published.published_thinking_gain("original"),
        "speedup": {**speedups, "mean": sum(speedups.values()) / len(speedups)},
        "blind_removed": published.blind_shares(),
        "judge_removed": published.judge_shares(),
        "labels_removed_by_dataset": published.label_shares(),
        "labels_removed_of_flagged": labels.removed_of_flagged,
        "implied_full": published.implied_full(),
        "constants": published.constants(),
    }


def report_of(found: Analysis) -> Report:
    """The analysis as a report with figures, the paper's numbers beside."""
    from snellen.reports.curation_figures import bars, heat_map

    report = Report("Analysis")
    report.notes(found.notes)
    report.heading("Scores")
    rows = [(m, *(percent(float(v)) for v in found.profile.scores[i])) for i, m in enumerate(found.profile.models)]
    report.table(("model", *found.profile.capabilities), rows)
    if found.correlations is not None and found.tree is not None:
        report.heading("Which capabilities go together")
        caption = (
            f"Pearson correlations over {found.correlations.n_models} complete models; average linkage on 1 - r."
        )
        report.figure(heat_map(found.correlations, found.tree), caption)
    constants = published.constants()
    if found.vision_gap:
        report.heading("Vision gap")
        report.figure(bars(found.vision_gap, title="vision gap", unit=" points"), "With the image minus without.")
        beside = [(n, f"{g:.1f}", constants.get(f"vision_gap_{n}")) for n, g in found.vision_gap.items()]
        report.table(("capability", "points", "DatBench's paper"), beside)
    if found.thinking:
        report.heading("Thinking")
        theirs = published.published_thinking_gain()
        gains = [
            (n, f"{100 * g:+.1f} %", f"{100 * theirs[n]:+.1f} %" if n in theirs else "–")
            for n, g in found.thinking.items()
        ]
        report.table(("capability", "relative gain", "DatBench's paper"), gains)
    if found.lines:
        report.heading("Subset against full set")
        lines = [(n, v.slope, v.intercept, v.tau, 100 * v.mean_difference, v.n) for n, v in found.lines.items()]
        report.table(("capability", "slope", "intercept", "tau-b", "mean distance, points", "models"), lines)
    if found.speedup:
        report.table(("capability", "times fewer items"), [(n, f"{v:.1f}") for n, v in found.speedup.items()])
    if found.formats:
        report.heading("Format")
        free = (
            f"AI2D in the paper: {constants['ai2d_choice']} % as choice, {constants['ai2d_free']} % as free response."
        )
        report.table(
            ("format", "mean score", "chance"), [(n, percent(a), percent(b)) for n, (a, b) in found.formats.items()]
        )
        report.text(free)
    if found.tokens:
        report.heading("Output tokens")
        rows = [(m, f"{a:.0f}", f"{b:.0f}") for m, (a, b) in found.tokens.items()]
        paper = ("(DatBench's paper, thinking models)", constants["tokens_correct"], constants["tokens_wrong"])
        report.table(("model", "right answers", "wrong answers"), [*rows, paper])
    report.heading("Reliability and saturation")
    report.table(
        ("capability", "alpha", "live items", "best", "top gap in SE", "largest share of variance", "of"),
        [
            (n, found.reliability[n], percent(s.live_share), percent(s.best), s.top_gap_in_se,
             percent(found.leverage[n][1]), found.leverage[n][0])
            for n, s in found.saturation.items()
        ],
    )  # fmt: skip
    if found.evenness:
        report.heading("Specialist or even")
        even = sorted(found.evenness, key=lambda e: e.spread)
        report.table(
            ("model", "spread of z", "best at", "worst at"), [(e.model, e.spread, e.best, e.worst) for e in even]
        )
    return report
