"""Pass 2: which items can be answered without the image, and which only look so because models guess.

`calibrated` (default): each item has its own chance of a lucky hit (1 / options, or how often its answer occurs in
its dataset). One vote per family counts as a hit where more than half of the family's models are right. The exact
binomial tail is corrected over all items (Benjamini–Hochberg at 5 %). Three states: solvable blind, not, cannot tell.

`datbench`: removed when at least (or more than) τ models are right, with the paper's τ per dataset.

References: DatBench, arXiv 2601.02316, section 3.2 and table 7; Benjamini and Hochberg, JRSS B 57 (1995).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.curation.matrix import CUT, Floats, Ints
from snellen.errors import UsageError
from snellen.reference import datbench_table
from snellen.stats.multiplicity import benjamini_hochberg

SOLVABLE, NOT, UNKNOWN = "solvable", "not", "cannot tell"
STATES = (SOLVABLE, NOT, UNKNOWN)
LUCKY_FLOOR = 0.02
"""Chance of a lucky string on an open answer that never repeats; measure your own with shuffled questions."""
BLIND_RATE = 0.9
"""Hit rate of an item that truly needs no image; power and the state "not" are stated against it."""
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Blind:
    """Verdict of the blind pass on each item, shape (n_items,)."""

    state: tuple[str, ...]
    """One of `STATES`."""
    n_right: Floats
    """Models right without the image."""
    n_models: Floats
    """Models that answered."""
    votes: Floats
    """Families (or models, or effective models) right."""
    voters: Floats
    """Families that answered."""
    chance: Floats
    """Chance of a lucky hit per voter."""
    p_value: Floats
    """Exact tail P(as many votes or more | chance); NaN for `datbench`."""
    q_value: Floats
    """After correction over the items."""
    notes: tuple[str, ...] = ()
    """Plain sentences: power, warnings."""

    def removed(self) -> Ints:
        """Positions of the items that are solvable blind."""
        return np.flatnonzero(np.asarray(self.state) == SOLVABLE).astype(np.int64)


def chances(n_options: Sequence[float | None], answers: Sequence[str], datasets: Sequence[str]) -> Floats:
    """Chance of a lucky hit on each item.

    Args:
        n_options: options of a choice item, None or 0 for open answers.
        answers: canonical answers (open items: how often an answer occurs in its dataset is its chance).
        datasets: source dataset of each item.

    >>> chances([4, None, None], ["B", "yes", "yes"], ["x", "y", "y"]).tolist()
    [0.25, 1.0, 1.0]
    """
    counts: dict[tuple[str, str], int] = {}
    sizes: dict[str, int] = {}
    keys = [(d, _plain(a)) for d, a in zip(datasets, answers, strict=True)]
    for dataset, answer in keys:
        counts[dataset, answer] = counts.get((dataset, answer), 0) + 1
        sizes[dataset] = sizes.get(dataset, 0) + 1
    chance = np.empty(len(keys))
    for i, (options, key) in enumerate(zip(n_options, keys, strict=True)):
        n = sizes[key[0]]
        prior = (counts[key] - 1) / (n - 1) if n > 1 else 0.0
        chance[i] = 1 / options if options and options >= 2 else max(LUCKY_FLOOR, prior)
    return chance


def _plain(answer: str) -> str:
    return " ".join(str(answer).casefold().split())


def calibrated(
    scores: Floats,
    chance: Floats,
    families: Sequence[str],
    *,
    q: float = 0.05,
    dependence: str = "family",
) -> Blind:
    """Blind pass with false-discovery control.

    Args:
        scores: blind responses' scores, shape (n_models, n_items), NaN = missing.
        chance: chance of a lucky hit per item, in (0, 1], see `chances`.
        families: family of each model.
        q: expected share of wrongly removed items among the removed.
        dependence: "family" (one vote per family) or "beta-binomial" (models count one by one, the spread of their
            hits beyond the binomial's is estimated from the matrix).

    Raises:
        UsageError: shapes differ or unknown dependence.
    """
    if chance.shape != (scores.shape[1],):
        raise UsageError(f"{chance.size} chances for {scores.shape[1]} items")
    right = np.where(np.isnan(scores), 0.0, scores >= CUT)
    notes: tuple[str, ...] = ()
    n_right, n_models = right.sum(axis=0), (~np.isnan(scores)).sum(axis=0).astype(np.float64)
    if dependence == "family":
        votes, voters = family_votes(scores, families)
        p_value = _binomial_tail(votes, voters, chance)
    elif dependence == "beta-binomial":
        votes, voters = n_right, n_models
        rho = overdispersion(n_right, n_models, chance)
        p_value = _beta_binomial_tail(votes, voters, chance, rho)
        notes = (f"models answer alike: over-dispersion rho = {rho:.3f}",)
    else:
        raise UsageError(f"unknown dependence {dependence!r}; choose family or beta-binomial")
    p_value = np.where(voters > 0, p_value, np.nan)
    q_value = benjamini_hochberg(p_value)
    state = _states(votes, voters, q_value, q)
    return Blind(
        state, n_right, n_models, votes, voters, chance, p_value, q_value,
        (*notes, *_power_notes(voters, chance, q_value, p_value, q), *_few_notes(families)),
    )  # fmt: skip


def family_votes(scores: Floats, families: Sequence[str]) -> tuple[Floats, Floats]:
    """One vote per family: right where more than half of its answering models are right.

    Whatever the dependence inside a family, this happens with at most the chance of one model when that is below one
    half, so that the binomial tail over families is valid.
    """
    names = np.asarray(families)
    votes, voters = np.zeros(scores.shape[1]), np.zeros(scores.shape[1])
    for family in dict.fromkeys(families):
        block = scores[names == family]
        seen = (~np.isnan(block)).sum(axis=0)
        right = (np.where(np.isnan(block), 0.0, block) >= CUT).sum(axis=0)
        votes += (2 * right > seen) & (seen > 0)
        voters += seen > 0
    return votes, voters


def _binomial_tail(votes: Floats, voters: Floats, chance: Floats) -> Floats:
    from scipy.stats import binom

    tail: Floats = binom.sf(votes - 1, voters, np.minimum(chance, 1.0))
    return tail


def overdispersion(n_right: Floats, n_models: Floats, chance: Floats) -> float:
    """Intra-item correlation of guesses beyond chance, by moments over the items that show no sign of more.

    Items above the median excess are left out (they may be solvable), and the truncation is made good by doubling the
    lower half of a symmetric spread.
    """
    known = (n_models > 1) & (chance > 0) & (chance < 1)
    if known.sum() < 10:
        return 0.0
    n, c = n_models[known], chance[known]
    excess = n_right[known] - n * c
    lower = excess <= np.minimum(np.median(excess), 0.0)
    if lower.sum() < 5:
        return 0.0
    ratio = (excess[lower] ** 2).mean() / (n[lower] * c[lower] * (1 - c[lower])).mean()
    return float(np.clip((ratio - 1) / (n[lower].mean() - 1), 0.0, 0.95))


def _beta_binomial_tail(votes: Floats, voters: Floats, chance: Floats, rho: float) -> Floats:
    if rho <= 0:
        return _binomial_tail(votes, voters, chance)
    from scipy.stats import betabinom

    scale = (1 - rho) / rho
    c = np.clip(chance, 1e-9, 1 - 1e-9)
    tail: Floats = betabinom.sf(votes - 1, voters, c * scale, (1 - c) * scale)
    return tail


def _states(votes: Floats, voters: Floats, q_value: Floats, q: float) -> tuple[str, ...]:
    """Solvable where corrected tail ≤ q; not where so few votes would be odd for a blind-solvable item."""
    from scipy.stats import binom

    too_few = binom.cdf(votes, voters, BLIND_RATE) <= _ALPHA
    return tuple(
        SOLVABLE if found else NOT if low else UNKNOWN
        for found, low in zip(np.nan_to_num(q_value, nan=1.0) <= q, too_few & (voters > 0), strict=True)
    )


def power(n_voters: int, chance: float, threshold: float) -> tuple[int, float]:
    """Votes an item needs to be removed, and how often a blind-solvable one gets them.

    Args:
        n_voters: families.
        chance: of a lucky hit.
        threshold: uncorrected p value at which items were removed.

    Returns:
        (needed votes; n_voters + 1 when no number suffices, power at `BLIND_RATE`).

    >>> power(27, 0.25, 0.005)
    (14, 0.9999999436643029)
    """
    from scipy.stats import binom

    counts = np.arange(n_voters + 1)
    enough = np.flatnonzero(binom.sf(counts - 1, n_voters, chance) <= threshold)
    if not enough.size:
        return n_voters + 1, 0.0
    needed = int(enough[0])
    return needed, float(binom.sf(needed - 1, n_voters, BLIND_RATE))


def _power_notes(voters: Floats, chance: Floats, q_value: Floats, p_value: Floats, q: float) -> tuple[str, ...]:
    """Power at each common chance, at the threshold that the correction came to."""
    if not (voters > 0).any():
        return ("no blind response at all: nothing can be told",)
    removed = np.nan_to_num(q_value, nan=1.0) <= q
    threshold = float(p_value[removed].max()) if removed.any() else q / max(int((voters > 0).sum()), 1)
    n_voters = int(np.median(voters[voters > 0]))
    levels, counts = np.unique(np.round(chance[voters > 0], 3), return_counts=True)
    notes = []
    for level in levels[np.argsort(-counts)][:4]:
        needed, found = power(n_voters, float(level), threshold)
        what = f"{needed} of {n_voters} votes" if needed <= n_voters else f"more than the {n_voters} votes there are"
        notes.append(
            f"at chance {level:g} an item is removed with {what}; power for a blind-solvable item {found:.0%}"
        )
    return tuple(notes)


def _few_notes(families: Sequence[str]) -> tuple[str, ...]:
    n = len(set(families))
    if n >= 5:
        return ()
    return (f"only {n} independent families: most items cannot be told either way; add models of other makers",)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The paper's threshold for one dataset."""

    n_correct: int
    """τ."""
    is_from_table: bool
    """False where the rule of thumb floor(0.25 N) stood in."""


_KEYS: Mapping[str, tuple[str, str]] = {
    "chartqa": ("ChartQA; ChartQA Pro; CharXiv; InfoVQA", ""),
    "chartqapro": ("ChartQA; ChartQA Pro; CharXiv; InfoVQA", ""),
    "charxiv": ("ChartQA; ChartQA Pro; CharXiv; InfoVQA", ""),
    "infovqa": ("ChartQA; ChartQA Pro; CharXiv; InfoVQA", ""),
    "countbench": ("CountBench", ""),
    "tallyqa": ("TallyQA", ""),
    "mmerealworlddt": ("MME-RW (Diagrams / Tables)", ""),
    "ai2d": ("AI2D", ""),
    "ocrvqa": ("OCR-VQA; CC-OCR (Document Parsing and KIE); DocVQA; OCRBench_v2", ""),
    "docvqa": ("OCR-VQA; CC-OCR (Document Parsing and KIE); DocVQA; OCRBench_v2", ""),
    "ccocrdocparsing": ("OCR-VQA; CC-OCR (Document Parsing and KIE); DocVQA; OCRBench_v2", ""),
    "ccocrkie": ("OCR-VQA; CC-OCR (Document Parsing and KIE); DocVQA; OCRBench_v2", ""),
    "ocrbenchv2": ("OCR-VQA; CC-OCR (Document Parsing and KIE); DocVQA; OCRBench_v2", ""),
    "ccocrmultisceneocr": ("CC-OCR (Multi-Scene OCR)", ""),
    "mmerealworldocr": ("MME-RW (OCR in the wild)", ""),
    "textvqa": ("TextVQA", ""),
    "mmerealworldad": ("MME-RW (Autonomous Driving, Remote Sensing)", ""),
    "mmerealworldmo": ("MME-RW (Autonomous Driving, Remote Sensing)", ""),
    "realworldqa": ("RealWorldQA", ""),
    "logicvista": ("LogicVista; MathVerse", ""),
    "mathverse": ("LogicVista; MathVerse", ""),
    "mathvision": ("MathVision; MathVista (generative)", "MathVision; MathVista (MCQ)"),
    "mathvista": ("MathVision; MathVista (generative)", "MathVision; MathVista (MCQ)"),
    "refcoco": ("RefCOCO; RefCOCO+; RefCOCO-G; RefCOCO-M; Pixmo-Point", ""),
    "pixmo": ("RefCOCO; RefCOCO+; RefCOCO-G; RefCOCO-M; Pixmo-Point", ""),
    "vqav2": ("VQA-v2", ""),
    "mmbench": ("MMBench; MMMU-Pro", ""),
    "mmmupro": ("MMBench; MMMU-Pro", ""),
}
"""Beginning of a dataset's name (letters and digits only) → row of table 7, and the row for choice items if it has
one of its own."""


def paper_threshold(dataset: str, n_options: float | None, n_models: int) -> Threshold:
    """The paper's τ for a dataset; floor(0.25 N) for choice items of others, 1 for open ones.

    >>> paper_threshold("text-vqa", None, 27).n_correct, paper_threshold("mathvista", 4, 27).n_correct
    (5, 6)
    """
    name = re.sub(r"[^a-z0-9]", "", dataset.lower())
    table = {row["dataset"]: int(row["threshold"]) for row in datbench_table("table7_blind_thresholds")}
    key = max((k for k in _KEYS if name.startswith(k)), key=len, default="")
    if not key:
        return Threshold(max(1, n_models // 4) if n_options else 1, False)
    open_row, choice_row = _KEYS[key]
    return Threshold(table[choice_row if choice_row and n_options else open_row], True)


def datbench(scores: Floats, thresholds: NDArray[np.int64], *, strict: bool = False) -> Blind:
    """The paper's blind pass: too many models right without the image.

    Args:
        scores: blind responses' scores, shape (n_models, n_items).
        thresholds: τ of each item.
        strict: remove above τ (captions of the paper) instead of at τ or above (its text).
    """
    n_right = np.where(np.isnan(scores), 0.0, scores >= CUT).sum(axis=0)
    n_models = (~np.isnan(scores)).sum(axis=0).astype(np.float64)
    removed = n_right > thresholds if strict else n_right >= thresholds
    nothing = np.full(n_right.shape, np.nan)
    state = tuple(SOLVABLE if gone else NOT for gone in removed)
    bound = "more than" if strict else "at least"
    note = f"removed where {bound} τ models are right; the paper's text and captions differ in this"
    return Blind(state, n_right, n_models, n_right, n_models, nothing, nothing, nothing, (note,))


@dataclass(frozen=True, slots=True)
class Tally:
    """What was removed of one group of items."""

    group: str
    """Dataset, answer type or format."""
    n: int
    """Items."""
    n_removed: int
    """Items removed."""
    n_unknown: int
    """Items that could not be told."""


def tallies(found: Blind, groups: Sequence[str]) -> tuple[Tally, ...]:
    """Count removals by group.

    Args:
        found: result of the pass.
        groups: group of each item.
    """
    state, names = np.asarray(found.state), np.asarray(groups)
    rows = []
    for name in dict.fromkeys(groups):
        of_group = state[names == name]
        rows.append(Tally(name, of_group.size, int((of_group == SOLVABLE).sum()), int((of_group == UNKNOWN).sum())))
    return tuple(rows)


def answer_type(answer: str) -> str:
    """Rough type of an answer, for the table of removals.

    >>> [answer_type(a) for a in ("yes", "B", "42", "$3.5", "a red bus", "Paris", "")]
    ['yes/no', 'letter', 'number', 'number', 'phrase', 'word', 'empty']
    """
    text = answer.strip()
    if not text:
        return "empty"
    if text.casefold().rstrip(".") in ("yes", "no", "true", "false"):
        return "yes/no"
    if len(text) == 1 and text.isalpha():
        return "letter"
    if re.fullmatch(r"[$€£]?-?[0-9][0-9,]*(\.[0-9]+)?%?", text):
        return "number"
    return "word" if len(text.split()) == 1 else "phrase"
