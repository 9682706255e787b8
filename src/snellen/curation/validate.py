"""Does a selected subset still rank models it has never seen? Three ways to hold models out, and what is measured.

* `random-thirds`: a random third of the models is held out, several times.
* `strongest-third`: the weakest two thirds choose the items, the strongest third is judged (the real use).
* `family`: one family after another is held out; pairs that touch it are judged.

Selection, the share of the discriminating part included, is done again inside each split on the models that stay.
The truth is the held-out models' score on all items.

References: DatBench, arXiv 2601.02316, fig. 7 (the same models select and judge there).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.curation.differences import plain_test, two_part_test
from snellen.curation.discrimination import item_rest
from snellen.curation.level import CERTAIN, estimates, t_quantile
from snellen.curation.matrix import Bools, Floats, Ints, ResponseMatrix, model_means, without_silent_models
from snellen.curation.ranking import all_pairs, pairs_touching, spearman, tau_b
from snellen.curation.redraws import coverage
from snellen.curation.select import Picker, datbench_order, n_chosen, representatives, statistics
from snellen.curation.share import choose_share
from snellen.errors import UsageError

SPLITS = ("random-thirds", "strongest-third", "family")
MIN_MODELS = 6
"""Fewer models leave no side large enough."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is drawn."""

    n_thirds: int = 12
    """Random splits."""
    n_draws: int = 4
    """Draws of the random part in each split (six times as many in the one strongest-third split)."""
    n_redraws: int = 2000
    """Redraws for coverage, over the splits of a cell together."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One method at one size over one kind of split; means over splits and draws."""

    method: str
    """Method name."""
    size: float
    """As asked for: a share or a count."""
    split: str
    """One of `SPLITS`."""
    tau: float
    """Kendall's tau-b of held-out models, subset against full set."""
    rho: float
    """Spearman's rho of the same (NaN for families, whose pairs are not all pairs)."""
    separated: float
    """Share of held-out pairs told apart at 95 % with the right sign."""
    wrong_sign: float
    """Share told apart with the wrong sign."""
    discrimination_heldout: float
    """Summed item–rest correlation over held-out models, subset over full set (random: its share of the items)."""
    discrimination_in_sample: float
    """The same over the models that chose the items."""
    mae: float
    """Mean absolute error of the level estimate, points of 100."""
    coverage: float
    """Share of the level estimate's 95 % intervals that hold the full-set score."""
    n_splits: int
    """Splits averaged over."""
    tau_vs_random: float
    """Mean paired difference of tau-b to random-in-strata in the same splits."""
    tau_vs_random_low: float
    """Lower end of its 95 % interval over splits and draws."""
    share: float
    """Mean share of the discriminating part."""


@dataclass(frozen=True, slots=True)
class _Split:
    name: str
    train: Ints
    rows: Ints
    pairs: Bools


@dataclass(frozen=True, slots=True)
class _Outcome:
    tau: float
    rho: float
    separated: float
    wrong: float
    mae: float
    heldout: float
    in_sample: float


def validate(
    matrix: ResponseMatrix,
    methods: Sequence[str],
    sizes: Sequence[float],
    *,
    splits: Sequence[str] = SPLITS,
    effort: Effort | None = None,
    seed: int = 0,
    share: float | None = None,
    clusters: Ints | None = None,
) -> list[Cell]:
    """Judge methods on models that had no say in the selection; random-in-strata always stands beside them.

    Args:
        matrix: all models x items.
        methods: of `snellen.curation.select.METHODS`.
        sizes: shares (≤ 1) or counts.
        splits: of `SPLITS`.
        effort: how much is drawn.
        seed: of everything random.
        share: fixes the share of the discriminating part; None chooses it inside each split.
        clusters: near-duplicate cluster of each item.

    Raises:
        UsageError: too few models, or none of the splits is possible.
    """
    effort = effort or Effort()
    matrix, _ = without_silent_models(matrix)
    if matrix.n_models < MIN_MODELS:
        raise UsageError(
            f"validation holds models out: {matrix.n_models} models are too few, at least {MIN_MODELS} are needed"
        )
    methods = tuple(dict.fromkeys((*methods, "random")))
    found = [
        cell
        for name in splits
        for size in sizes
        for cell in _cells(matrix, methods, size, name, effort, seed, share, clusters)
    ]
    if not found:
        raise UsageError("no split leaves models on both sides; give other splits or more models")
    order = {name: i for i, name in enumerate(methods)}
    return sorted(found, key=lambda cell: (order[cell.method], cell.size, SPLITS.index(cell.split)))


def splits_of(matrix: ResponseMatrix, name: str, n_thirds: int, seed: int) -> Iterator[_Split]:
    """The splits of one kind.

    Args:
        matrix: models and their families.
        name: one of `SPLITS`.
        n_thirds: random splits.
        seed: of the random splits.
    """
    n_models = matrix.n_models
    everyone = np.arange(n_models)
    n_held = max(2, round(n_models / 3))
    if name == "random-thirds":
        rng = np.random.default_rng([seed, 3])
        for _ in range(n_thirds):
            held = np.sort(rng.permutation(n_models)[:n_held])
            yield _Split(name, np.setdiff1d(everyone, held), held, all_pairs(n_held))
    elif name == "strongest-third":
        order = np.argsort(model_means(matrix.scores), kind="stable")
        yield _Split(name, np.sort(order[:-n_held]), np.sort(order[-n_held:]), all_pairs(n_held))
    elif name == "family":
        yield from _family_splits(matrix, everyone)
    else:
        raise UsageError(f"unknown split {name!r}; choose from {', '.join(SPLITS)}")


def _family_splits(matrix: ResponseMatrix, everyone: Ints) -> Iterator[_Split]:
    families = np.asarray(matrix.families)
    for family in dict.fromkeys(matrix.families):
        held = families == family
        train = everyone[~held]
        if train.size >= max(4, matrix.n_models // 3):
            yield _Split("family", train, everyone, pairs_touching(held))


def _cells(
    matrix: ResponseMatrix,
    methods: Sequence[str],
    size: float,
    name: str,
    effort: Effort,
    seed: int,
    share: float | None,
    clusters: Ints | None,
) -> list[Cell]:
    frame = representatives(matrix.n_items, clusters)[0]
    n = min(n_chosen(size, matrix.n_items), frame.size)
    splits = list(splits_of(matrix, name, effort.n_thirds, seed))
    outcomes: dict[str, list[list[_Outcome]]] = {method: [] for method in methods}
    covers: dict[str, list[float]] = {method: [] for method in methods}
    shares: list[float] = []
    for number, split in enumerate(splits):
        trial = _Trial(matrix, split, n, frame, (seed, number, n))
        used = trial.share(seed) if share is None and "two-part" in methods else share or 0.0
        shares.append(used)
        n_draws = effort.n_draws * (6 if name == "strongest-third" else 1)
        n_redraws = -(-effort.n_redraws // len(splits))
        for method in methods:
            outcomes[method].append(trial.outcomes(method, used, n_draws))
            covers[method].append(trial.covers(method, used, n_redraws))
    mean_share = {"two-part": _mean(shares), "datbench": 1.0, "random": 0.0}
    if not splits:
        return []
    return [
        _summary(method, size, name, outcomes[method], outcomes["random"], covers[method], mean_share[method])
        for method in methods
    ]


@dataclass(slots=True)
class _Trial:
    """One split: select on the models that stay, judge the others."""

    matrix: ResponseMatrix
    split: _Split
    n: int
    frame: Ints
    seeds: tuple[int, int, int]
    picker: Picker | None = None
    heldout_r: Floats | None = None

    def _picker(self) -> Picker:
        if self.picker is None:
            groups = self.matrix.stratum_codes()
            train = self.matrix.scores[self.split.train]
            self.picker = Picker(statistics(train, groups, min_models=min(8, max(4, len(train)))), groups, self.frame)
        return self.picker

    def share(self, seed: int) -> float:
        train = self.matrix.scores[self.split.train]
        return choose_share(train, self.matrix.stratum_codes(), self.n, frame=self.frame, seed=seed).share

    def outcomes(self, method: str, share: float, n_draws: int) -> list[_Outcome]:
        if method == "datbench":
            chosen = datbench_order(self._picker().stats.item)[: self.n]
            return [self._judge(method, chosen, np.full(self.n, CERTAIN), np.ones(self.n))]
        share = share if method == "two-part" else 0.0
        # The same seeds for every method: with a share of 0 two-part and random draw the same items.
        draws = (np.random.default_rng([*self.seeds, k]) for k in range(n_draws))
        return [self._judge(method, *self._picker().sample(share, self.n, rng)[:3]) for rng in draws]

    def _judge(self, method: str, chosen: Ints, strata: Ints, weights: Floats) -> _Outcome:
        y = self.matrix.scores[self.split.rows]
        part, truth = y[:, chosen], model_means(y[:, self.frame])
        score = model_means(part)
        level = estimates(part, weights, strata).mean if method == "two-part" else score
        separated, wrong = _separation(method, part, weights, strata, truth, self.split.pairs)
        judged = self.split.pairs.any(axis=0) | self.split.pairs.any(axis=1)
        is_family = self.split.name == "family"
        return _Outcome(
            tau=tau_b(score, truth, self.split.pairs),
            rho=float("nan") if is_family else spearman(score, truth),
            separated=separated,
            wrong=wrong,
            mae=float(np.abs(level - truth)[judged].mean() * 100),
            heldout=self._kept(self._heldout_r(), chosen),
            in_sample=self._kept(self._picker().stats.item.r, chosen),
        )

    def _heldout_r(self) -> Floats:
        """Item–rest correlations over the held-out models alone; all NaN where they are fewer than three."""
        if self.heldout_r is None:
            held = self._judged_rows()
            too_few = np.full(self.matrix.n_items, np.nan)
            self.heldout_r = too_few if held.size < 3 else item_rest(self.matrix.scores[held], min_models=3).r
        return self.heldout_r

    def _kept(self, r: Floats, chosen: Ints) -> float:
        """Summed item–rest correlation of the chosen items over that of all; NaN where that is not positive."""
        known = np.nan_to_num(r)
        total = float(known[self.frame].sum())
        return float(known[chosen].sum() / total) if total > 0 else float("nan")

    def covers(self, method: str, share: float, n_redraws: int) -> float:
        if method == "datbench":
            return self._plain_cover(datbench_order(self._picker().stats.item)[: self.n])
        design = self._picker().design(share if method == "two-part" else 0.0, self.n)
        strata = np.full(self.matrix.n_items, CERTAIN)
        strata[design.rest] = design.strata
        y = self.matrix.scores[self._judged_rows()]
        outside = np.setdiff1d(np.arange(self.matrix.n_items), self.frame)
        if outside.size:
            y = y.copy()
            y[:, outside] = np.nan
        return coverage(
            y,
            strata,
            design.quota,
            certain=design.certain,
            n_redraws=n_redraws,
            rng=np.random.default_rng(self.seeds),
        )

    def _judged_rows(self) -> Ints:
        if self.split.name != "family":
            return self.split.rows
        return np.setdiff1d(self.split.rows, self.split.train)

    def _plain_cover(self, chosen: Ints) -> float:
        y = self.matrix.scores[self._judged_rows()]
        part, truth = y[:, chosen], model_means(y[:, self.frame])
        n = (~np.isnan(part)).sum(axis=1)
        gap = np.nan_to_num(part - model_means(part)[:, None])
        half = 1.96 * np.sqrt((gap**2).sum(axis=1) / np.maximum(n - 1, 1) / np.maximum(n, 1))
        return float((np.abs(model_means(part) - truth) <= half).mean())


def _separation(
    method: str, part: Floats, weights: Floats, strata: Ints, truth: Floats, pairs: Bools
) -> tuple[float, float]:
    """Shares of pairs told apart at 95 % with the right and with the wrong sign."""
    first, second = np.nonzero(pairs)
    difference = part[first] - part[second]
    mean, significant = plain_test(difference)
    if method == "two-part":
        mean, significant = two_part_test(difference, weights, strata)
    sign = np.sign(truth[first] - truth[second])
    said = np.where(significant, np.sign(mean), 0.0)
    known = sign != 0
    if not known.any():
        return float("nan"), float("nan")
    return float((said == sign)[known].mean()), float((said == -sign)[known].mean())


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if np.isfinite(v)]
    return sum(known) / len(known) if known else float("nan")


def _summary(
    method: str,
    size: float,
    split: str,
    outcomes: list[list[_Outcome]],
    beside: list[list[_Outcome]],
    covers: list[float],
    share: float,
) -> Cell:
    flat = [one for draws in outcomes for one in draws]
    gap, low = _paired(outcomes, beside)
    return Cell(
        method=method,
        size=size,
        split=split,
        tau=_mean([o.tau for o in flat]),
        rho=_mean([o.rho for o in flat]),
        separated=_mean([o.separated for o in flat]),
        wrong_sign=_mean([o.wrong for o in flat]),
        discrimination_heldout=_mean([o.heldout for o in flat]),
        discrimination_in_sample=_mean([o.in_sample for o in flat]),
        mae=_mean([o.mae for o in flat]),
        coverage=_mean(covers),
        n_splits=len(outcomes),
        tau_vs_random=gap,
        tau_vs_random_low=low,
        share=share,
    )


def _paired(outcomes: list[list[_Outcome]], beside: list[list[_Outcome]]) -> tuple[float, float]:
    """Mean difference of tau-b to random in the same split, and its lower bound (t over splits, else over draws)."""
    gaps = [_mean([o.tau for o in a]) - _mean([o.tau for o in b]) for a, b in zip(outcomes, beside, strict=True)]
    if len(outcomes) == 1:
        gaps = [a.tau - b.tau for a, b in zip(outcomes[0] * len(beside[0]), beside[0], strict=False)]
    gaps = [gap for gap in gaps if np.isfinite(gap)]
    if len(gaps) < 2:
        return _mean(gaps), float("nan")
    se = float(np.std(gaps, ddof=1) / np.sqrt(len(gaps)))
    return _mean(gaps), _mean(gaps) - float(t_quantile(np.array([len(gaps) - 1.0]), 0.95)[0]) * se
