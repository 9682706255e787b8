"""What a table of models x capabilities shows: which skills go together, what thinking costs, how even a model is.

References: DatBench, arXiv 2601.02316, section 4 (listwise Pearson correlations, average linkage on 1 - r).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.curation.matrix import Floats, item_means, model_means
from snellen.errors import UsageError


@dataclass(frozen=True, slots=True)
class Profile:
    """Mean scores of models on capabilities."""

    models: tuple[str, ...]
    """Row names."""
    capabilities: tuple[str, ...]
    """Column names."""
    scores: Floats
    """Shape (n_models, n_capabilities), any unit, NaN = missing."""

    def row(self, model: str) -> Floats:
        """Scores of one model.

        Raises:
            UsageError: no such model.
        """
        if model not in self.models:
            raise UsageError(f"no model {model!r} in the table; it has {', '.join(self.models)}")
        row: Floats = self.scores[self.models.index(model)]
        return row


@dataclass(frozen=True, slots=True)
class Correlations:
    """Pearson correlations between capabilities over the models that have them all."""

    capabilities: tuple[str, ...]
    """Row and column names."""
    r: Floats
    """Shape (n_capabilities, n_capabilities)."""
    n_models: int
    """Complete models used."""

    def between(self, first: str, second: str) -> float:
        """Correlation of two capabilities."""
        return float(self.r[self.capabilities.index(first), self.capabilities.index(second)])


def correlate(profile: Profile) -> Correlations:
    """Correlate capabilities, listwise: a model that lacks one capability is left out of all.

    Raises:
        UsageError: fewer than three complete models.
    """
    complete = ~np.isnan(profile.scores).any(axis=1)
    n_models = int(complete.sum())
    if n_models < 3:
        raise UsageError(f"{n_models} models have a score on every capability; correlations need at least 3")
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.corrcoef(profile.scores[complete], rowvar=False)
    return Correlations(profile.capabilities, np.atleast_2d(r), n_models)


@dataclass(frozen=True, slots=True)
class Tree:
    """Average-linkage tree over capabilities."""

    leaves: tuple[str, ...]
    """Capabilities in the order a dendrogram draws them."""
    merges: tuple[tuple[int, int, float], ...]
    """(first, second, distance 1 - r) of each merge; numbers below n are capabilities, n + k is merge k."""


def link(correlations: Correlations) -> Tree:
    """Cluster capabilities by average linkage on 1 - r (an undefined r counts as 0)."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distance = 1 - np.nan_to_num(correlations.r)
    np.fill_diagonal(distance, 0.0)
    merged = linkage(squareform((distance + distance.T) / 2, checks=False), method="average")
    names = tuple(correlations.capabilities[i] for i in leaves_list(merged))
    return Tree(names, tuple((int(a), int(b), float(d)) for a, b, d, _ in merged))


def cut(tree: Tree, capabilities: Sequence[str], n_clusters: int) -> tuple[frozenset[str], ...]:
    """Clusters left when the last merges are undone.

    Args:
        tree: from `link`.
        capabilities: in the order of the correlations.
        n_clusters: how many clusters to leave.
    """
    groups: dict[int, frozenset[str]] = {i: frozenset([name]) for i, name in enumerate(capabilities)}
    n = len(capabilities)
    for step, (first, second, _) in enumerate(tree.merges):
        if len(groups) <= n_clusters:
            break
        groups[n + step] = groups.pop(first) | groups.pop(second)
    return tuple(sorted(groups.values(), key=lambda group: (-len(group), sorted(group))))


def relative_gain(profile: Profile, pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Mean over pairs of (second - first) / first, per capability: what thinking adds or costs.

    Args:
        profile: scores.
        pairs: (plain model, thinking model).

    Returns:
        Capability → mean relative gain (0.368 = +36.8 %); NaN where no pair has both scores.
    """
    gains = np.stack([(profile.row(t) - profile.row(i)) / profile.row(i) for i, t in pairs])
    return {name: _mean(gains[:, k]) for k, name in enumerate(profile.capabilities)}


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


@dataclass(frozen=True, slots=True)
class Evenness:
    """Whether a model is a specialist."""

    model: str
    """Name."""
    spread: float
    """Standard deviation of its z-scores over capabilities (0 = equally strong everywhere)."""
    best: str
    """Capability with its highest z-score."""
    worst: str
    """Capability with its lowest z-score."""


def evenness(profile: Profile) -> tuple[Evenness, ...]:
    """Specialist or even: spread of each model's z-scores (each capability standardised over the models)."""
    gap = profile.scores - item_means(profile.scores)
    n = (~np.isnan(gap)).sum(axis=0)
    spread = np.sqrt(np.nansum(gap**2, axis=0) / np.maximum(n - 1, 1))
    z = np.divide(gap, spread, out=np.full_like(gap, np.nan), where=spread > 0)
    rows = []
    for name, values in zip(profile.models, z, strict=True):
        known = np.flatnonzero(np.isfinite(values))
        if known.size >= 2:
            best, worst = known[values[known].argmax()], known[values[known].argmin()]
            spread = float(values[known].std(ddof=1))
            rows.append(Evenness(name, spread, profile.capabilities[best], profile.capabilities[worst]))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Line:
    """Least-squares line of subset scores on full scores."""

    slope: float
    """Above 1: the subset spreads the models more."""
    intercept: float
    """In the unit of the scores."""
    tau: float
    """Kendall's tau-b between the two rankings."""
    mean_difference: float
    """Mean absolute distance of subset from full score."""
    n: int
    """Models used."""


def subset_line(full: Floats, subset: Floats) -> Line:
    """How the subset's scores of the models relate to those on the full set.

    Args:
        full: shape (n_models,).
        subset: the same models.
    """
    from scipy.stats import kendalltau

    known = np.isfinite(full) & np.isfinite(subset)
    x, y = full[known], subset[known]
    if x.size < 3 or np.ptp(x) == 0:
        return Line(float("nan"), float("nan"), float("nan"), float("nan"), int(x.size))
    slope, intercept = np.polyfit(x, y, 1)
    return Line(float(slope), float(intercept), float(kendalltau(x, y)[0]), float(np.abs(y - x).mean()), int(x.size))


def reliability(scores: Floats) -> float:
    """Cronbach's alpha of the items (KR-20 when binary): share of score variance that is no item noise.

    Args:
        scores: shape (n_models, n_items); items with a missing cell are left out.

    >>> round(reliability(np.array([[1, 1, 1.0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])), 3)
    0.75
    """
    complete = scores[:, ~np.isnan(scores).any(axis=0)]
    k = complete.shape[1]
    if k < 2 or complete.shape[0] < 2:
        return float("nan")
    total = complete.sum(axis=1).var(ddof=1)
    return float(k / (k - 1) * (1 - complete.var(axis=0, ddof=1).sum() / total)) if total > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class Saturation:
    """How much room the benchmark has left."""

    live_share: float
    """Share of items that some models solve and some do not."""
    best: float
    """Highest mean score."""
    top_gap: float
    """Best minus second-best mean score."""
    top_gap_in_se: float
    """The same in paired standard errors; below 2 the top is not told apart."""


def saturation(scores: Floats) -> Saturation:
    """Live items and the gap at the top, in its own standard error.

    Args:
        scores: shape (n_models, n_items).
    """
    mean = model_means(scores)
    low = np.where(np.isnan(scores), np.inf, scores).min(axis=0)
    high = np.where(np.isnan(scores), -np.inf, scores).max(axis=0)
    live = float((high > low).mean())
    order = np.argsort(-np.nan_to_num(mean, nan=-1.0))
    if np.isfinite(mean).sum() < 2:
        return Saturation(live, float(mean[order[0]]), float("nan"), float("nan"))
    difference = scores[order[0]] - scores[order[1]]
    difference = difference[np.isfinite(difference)]
    gap = float(difference.mean())
    se = float(difference.std(ddof=1) / np.sqrt(difference.size)) if difference.size > 1 else 0.0
    return Saturation(live, float(mean[order[0]]), gap, gap / se if se > 0 else float("nan"))


def pooled_share(counts: Mapping[str, float], totals: Mapping[str, float]) -> dict[str, float]:
    """Share of each key: count over total."""
    return {key: counts[key] / totals[key] for key in counts if totals.get(key)}
