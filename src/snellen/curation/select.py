"""Pass 4: choose the subset. Three methods, one plan.

`two-part` (default): a discriminating part D, the items with the highest shrunk item–rest correlation inside strata
of dataset and difficulty, and a probability part R, a stratified random sample of everything else with known
inclusion probabilities. D is in for sure (weight 1), an item of R stands for 1/π items, so that together they
estimate the full set without bias. The share of D is chosen by validation inside the calibrating models; it may be 0.

`datbench`: the highest item–rest correlation first, negatives last, as the paper has it; ≤ 20 % frontier reserve.
`random`: the same strata, drawn in proportion.

References: DatBench, arXiv 2601.02316, section 3.4; Cochran, Sampling Techniques (1977), ch. 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from snellen.curation.discrimination import Discrimination, item_rest, shrink
from snellen.curation.level import CERTAIN
from snellen.curation.matrix import Floats, Ints, ResponseMatrix
from snellen.curation.sampling import allocate, difficulty, draw, stratify
from snellen.errors import UsageError

METHODS = ("two-part", "datbench", "random")
FRONTIER_SHARE = 0.2
"""Upper bound of the reserve of items that no model solves (DatBench's)."""
MIN_CALIBRATING = 8
"""With fewer calibrating models no item statistics are used: the subset is a plain probability sample."""
D_PER_STRATUM = 8
"""Picks per stratum of the discriminating part: fewer would force it into strata that discriminate nothing."""
D_BINS = 3
"""Difficulty bins per dataset of the discriminating part."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A subset, and why each item is in it."""

    method: str
    """One of `METHODS`."""
    chosen: Ints
    """Positions in the matrix, ascending."""
    part: tuple[str, ...]
    """"discriminating", "probability" or "frontier", one a chosen item."""
    weights: Floats
    """Items of the full set that each stands for; NaN where the method gives no known probability."""
    strata: Ints
    """Stratum of each chosen item; `CERTAIN` for the discriminating part."""
    share: float
    """Share of the discriminating part."""
    r: Floats
    """Item–rest correlation of each chosen item (as printed in `eval_metrics`), NaN where unknown."""
    r_shrunk: Floats
    """The shrunk value that decided, NaN where unknown."""
    reliability: float
    """How much the models say about single items, 0–1."""
    dropped_duplicates: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Items left out of the frame because a near-duplicate stands for them."""
    notes: tuple[str, ...] = ()
    """Plain sentences: fallbacks and warnings."""

    @property
    def is_weighted(self) -> bool:
        """Whether the subset estimates the full set's score."""
        return bool(np.isfinite(self.weights).all())


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the calibrating models say about the items."""

    item: Discrimination
    """Raw item–rest correlations."""
    shrunk: Floats
    """Empirical-Bayes estimate; -1 where unknown, so that it sorts last."""
    level: Floats
    """Smoothed mean score."""
    reliability: float
    """Mean weight of an item's own r."""


def statistics(scores: Floats, groups: Ints, *, min_models: int = MIN_CALIBRATING) -> Statistics:
    """Item statistics that selection needs.

    Args:
        scores: calibrating models, shape (n_models, n_items).
        groups: dataset code of each item.
        min_models: as for `item_rest`.
    """
    item = item_rest(scores, min_models=min_models)
    found = shrink(item, groups)
    return Statistics(item, np.nan_to_num(found.r, nan=-1.0), difficulty(scores), found.reliability)


def n_chosen(size: float, n_items: int) -> int:
    """Items asked for: a share when at most 1 and not a whole number above it, else a count.

    >>> n_chosen(0.1, 2000), n_chosen(50, 2000)
    (200, 50)
    """
    n = round(size * n_items) if size <= 1 else int(size)
    if not 1 <= n <= n_items:
        raise UsageError(
            f"size {size:g} asks for {n} of {n_items} items; give a share in (0, 1] or a count up to that"
        )
    return n


def select(
    matrix: ResponseMatrix,
    n: int,
    *,
    method: str = "two-part",
    share: float = 0.25,
    seed: int = 0,
    clusters: Ints | None = None,
    preference: Floats | None = None,
    cost: Floats | None = None,
    frontier: Sequence[int] = (),
) -> Plan:
    """Choose a subset of n items.

    Args:
        matrix: calibrating models x items.
        n: items to choose; with `cost`, the budget in average items.
        method: one of `METHODS`.
        share: share of the discriminating part (two-part); see `snellen.curation.share.choose_share`.
        seed: of the random part.
        clusters: near-duplicate cluster of each item; one item stands for its cluster (two-part and random).
        preference: which member stands for its cluster: the highest (image pixels, say); None takes the first.
        cost: cost of each item (tokens); the budget is n x the mean cost.
        frontier: positions of judge-accepted items that no model solves (datbench's reserve).

    Raises:
        UsageError: unknown method, impossible size, or no model at all.
    """
    if method not in METHODS:
        raise UsageError(f"unknown method {method!r}; choose one of {', '.join(METHODS)}")
    if matrix.n_models == 0 or matrix.n_items == 0:
        raise UsageError("the matrix is empty; selection needs at least one model and one item")
    stats = statistics(matrix.scores, matrix.stratum_codes())
    if method == "datbench":
        return _datbench(stats, matrix.n_models, min(n, matrix.n_items), frontier)
    kept, dropped = representatives(matrix.n_items, clusters, preference)
    share = share if method == "two-part" else 0.0
    share, notes = _affordable(share, matrix, stats)
    picker = Picker(stats, matrix.stratum_codes(), kept, cost)
    return picker.plan(min(n, kept.size), share, seed, (method, dropped, notes))


def _affordable(share: float, matrix: ResponseMatrix, stats: Statistics) -> tuple[float, tuple[str, ...]]:
    notes: list[str] = []
    if share > 0 and not np.isfinite(stats.item.r).any():
        notes.append(
            f"{matrix.n_models} models give no item–rest correlation (at least {MIN_CALIBRATING} are needed, and "
            f"items that they score differently): the subset is a plain stratified random sample"
        )
        share = 0.0
    if len(set(matrix.families)) == 1 and matrix.n_models > 1:
        notes.append(
            f"all models are of one family ({matrix.families[0]}): they are one witness, not {matrix.n_models}"
        )
    return share, tuple(notes)


def representatives(n_items: int, clusters: Ints | None, preference: Floats | None = None) -> tuple[Ints, Ints]:
    """One item for each near-duplicate cluster.

    Returns:
        Positions that stand for their cluster, and the positions left out, both ascending.
    """
    everything = np.arange(n_items)
    if clusters is None:
        return everything, np.zeros(0, dtype=np.int64)
    worth = np.zeros(n_items) if preference is None else np.nan_to_num(preference, nan=-np.inf)
    order = np.lexsort((everything, -worth, clusters))
    first = np.ones(n_items, dtype=bool)
    first[1:] = np.diff(clusters[order]) != 0
    kept = np.sort(order[first])
    return kept, np.setdiff1d(everything, kept)


@dataclass(frozen=True, slots=True)
class Design:
    """A two-part design: who is certain, and how the rest is drawn."""

    certain: Ints
    """Positions of the discriminating part, ascending."""
    rest: Ints
    """Positions that may be drawn."""
    strata: Ints
    """Stratum of each of `rest`."""
    quota: Ints
    """Draws per stratum."""


@dataclass(frozen=True, slots=True)
class Picker:
    """Draws two-part subsets of one matrix for any share and seed; the item statistics are computed once."""

    stats: Statistics
    """Item statistics of the calibrating models."""
    groups: Ints
    """Dataset code of each item."""
    frame: Ints
    """Positions that may be chosen."""
    cost: Floats | None = None
    """Cost of each item, or None."""
    _designs: dict[tuple[float, int], Design] = field(default_factory=dict, repr=False)

    def discriminating(self, n: int) -> Ints:
        """The n items with the highest shrunk correlation inside strata of dataset and difficulty."""
        if n <= 0:
            return np.zeros(0, dtype=np.int64)
        level = self.stats.level[self.frame]
        strata = stratify(level, self.groups[self.frame], n_draws=n, per_stratum=D_PER_STRATUM, max_bins=D_BINS)
        quota = allocate(strata, np.ones(level.size), n)
        worth = self.stats.shrunk[self.frame]
        if self.cost is not None:
            worth = _per_cost(worth, self.cost[self.frame])
        order = np.lexsort((np.arange(level.size), -worth, strata))
        start = np.concatenate([[0], np.cumsum(np.bincount(strata))[:-1]])
        rank = np.empty(level.size, dtype=np.int64)
        rank[order] = np.arange(level.size) - start[strata[order]]
        return self.frame[rank < quota[strata]]

    def design(self, share: float, n: int) -> Design:
        """The two-part design for a share and a size; worked out once."""
        if (share, n) not in self._designs:
            certain = self.discriminating(round(share * n))
            rest = np.setdiff1d(self.frame, certain)
            n_drawn = min(n - certain.size, rest.size)
            groups = self.groups if self.cost is None else self.groups * 2 + (self.cost > np.nanmedian(self.cost))
            strata = stratify(self.stats.level[rest], groups[rest], n_draws=max(n_drawn, 1))
            size = np.ones(rest.size) if self.cost is None else _per_cost(np.ones(rest.size), self.cost[rest])
            self._designs[share, n] = Design(certain, rest, strata, allocate(strata, size, n_drawn))
        return self._designs[share, n]

    def sample(self, share: float, n: int, rng: np.random.Generator) -> tuple[Ints, Ints, Floats, Ints]:
        """One subset.

        Returns:
            Positions, strata (`CERTAIN` for D), weights, and the positions of D.
        """
        design = self.design(share, n)
        drawn = draw(design.strata, design.quota, rng)
        chosen = np.concatenate([design.certain, design.rest[drawn.chosen]])
        weights = np.concatenate([np.ones(design.certain.size), 1 / drawn.inclusion[drawn.chosen]])
        codes = np.concatenate([np.full(design.certain.size, CERTAIN), design.strata[drawn.chosen]])
        return chosen, codes, weights, design.certain

    def plan(self, n: int, share: float, seed: int, about: tuple[str, Ints, tuple[str, ...]]) -> Plan:
        """One subset with its evidence.

        Args:
            n: items.
            share: of the discriminating part.
            seed: of the draw.
            about: (method, dropped duplicates, notes).
        """
        if self.cost is not None:
            n = self._within_budget(n, share, seed)
        chosen, strata, weights, certain = self.sample(share, n, np.random.default_rng(seed))
        order = np.argsort(chosen)
        chosen = chosen[order]
        is_certain = np.isin(chosen, certain)
        return Plan(
            method=about[0],
            chosen=chosen,
            part=tuple("discriminating" if d else "probability" for d in is_certain),
            weights=weights[order],
            strata=strata[order],
            share=float(is_certain.mean()),
            r=self.stats.item.r[chosen],
            r_shrunk=np.where(self.stats.shrunk[chosen] > -1, self.stats.shrunk[chosen], np.nan),
            reliability=self.stats.reliability,
            dropped_duplicates=about[1],
            notes=about[2],
        )

    def _within_budget(self, n: int, share: float, seed: int) -> int:
        """The largest size tried whose items, drawn with this seed, cost no more than n average items."""
        assert self.cost is not None
        budget = n * float(np.nanmean(self.cost[self.frame]))
        best, size = 1, n
        for _ in range(12):
            spent = float(np.nansum(self.cost[self.sample(share, size, np.random.default_rng(seed))[0]]))
            best = max(best, size) if spent <= budget else best
            proposed = int(np.clip(int(size * budget / max(spent, 1e-12)), 1, self.frame.size))
            size = proposed if proposed != size else max(1, size - 1)
        return best


def _per_cost(worth: Floats, cost: Floats) -> Floats:
    """Worth per square root of cost (optimal where units cost differently); unknown costs the mean."""
    known = np.where(np.isfinite(cost) & (cost > 0), cost, np.nan)
    mean = float(np.nanmean(known)) if np.isfinite(known).any() else 1.0
    relative = np.nan_to_num(known / mean, nan=1.0)
    return np.where(worth > 0, worth / np.sqrt(relative), worth)


def _datbench(stats: Statistics, n_models: int, n: int, frontier: Sequence[int]) -> Plan:
    reserve = np.asarray(sorted(set(frontier)), dtype=np.int64)[: int(FRONTIER_SHARE * n)]
    ranked = datbench_order(stats.item)
    ranked = ranked[~np.isin(ranked, reserve)][: n - reserve.size]
    chosen = np.sort(np.concatenate([ranked, reserve]))
    known = int(np.isfinite(stats.item.r).sum())
    notes = [
        "scores on this subset are not on the full set's scale, and the items were chosen by the models they are "
        "judged by: use two-part for level scores"
    ]
    if known < ranked.size:
        notes.append(
            f"only {known} items have an item–rest correlation over {n_models} models; the rest fills up in order"
        )
    return Plan(
        method="datbench",
        chosen=chosen,
        part=tuple("frontier" if i in set(reserve.tolist()) else "discriminating" for i in chosen.tolist()),
        weights=np.full(chosen.size, np.nan),
        strata=np.full(chosen.size, CERTAIN),
        share=1.0,
        r=stats.item.r[chosen],
        r_shrunk=np.full(chosen.size, np.nan),
        reliability=stats.reliability,
        notes=tuple(notes),
    )


def datbench_order(item: Discrimination) -> Ints:
    """All items, the highest item–rest correlation first, unknown ones at 0, negatives last; ties in order."""
    value: NDArray[np.float64] = np.nan_to_num(item.r, nan=0.0)
    return np.argsort(-value, kind="stable").astype(np.int64)
