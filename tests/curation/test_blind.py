"""Pass 2: guessers are not punished, blind items are found, and what cannot be told is said."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation.blind import (
    NOT,
    SOLVABLE,
    UNKNOWN,
    calibrated,
    chances,
    datbench,
    family_votes,
    overdispersion,
    paper_threshold,
    power,
    tallies,
)
from snellen.errors import UsageError

ALONE = [f"f{k}" for k in range(27)]


def _guessers(n_options: int, seed: int, n_blind: int = 200, n_items: int = 2000) -> np.ndarray:
    rng = np.random.default_rng(seed)
    y = (rng.random((27, n_items)) < 1 / n_options).astype(float)
    y[:, :n_blind] = rng.random((27, n_blind)) < 0.9
    return y


@pytest.mark.parametrize("dependence", ["family", "beta-binomial"])
@pytest.mark.parametrize("n_options", [2, 4, 5, 10])
def test_guessers_stay_and_blind_items_go(n_options: int, dependence: str) -> None:
    """Of items that 27 models merely guess at most 5 % go; of planted blind items at least 80 % do."""
    y = _guessers(n_options, seed=n_options)
    found = calibrated(y, np.full(2000, 1 / n_options), ALONE, dependence=dependence)
    gone = np.array(found.state) == SOLVABLE
    assert gone[200:].mean() <= 0.05
    assert gone[:200].mean() >= 0.80
    assert any("power" in note for note in found.notes)


def test_the_papers_threshold_punishes_guessers() -> None:
    """More than 6 of 27 removes half of the four-option items that are merely guessed: the fault that is mended."""
    y = _guessers(4, seed=1)
    gone = np.array(datbench(y, np.full(2000, 6), strict=True).state) == SOLVABLE
    assert 0.45 < gone[200:].mean() < 0.60


def test_at_or_above() -> None:
    """The two readings of the paper differ at τ itself."""
    y = np.array([[1.0, 1], [0, 1], [0, 0]])
    thresholds = np.array([1, 1])
    assert datbench(y, thresholds).state == (SOLVABLE, SOLVABLE)
    assert datbench(y, thresholds, strict=True).state == (NOT, SOLVABLE)


def test_one_family_has_one_vote() -> None:
    """Twenty models of one maker that agree are one witness: the item is not removed on their word."""
    y = np.zeros((22, 50))
    y[:20, 0] = 1.0
    families = ["one"] * 20 + ["two", "three"]
    votes, voters = family_votes(y, families)
    assert votes[0] == 1
    assert voters[0] == 3
    assert calibrated(y, np.full(50, 0.25), families).state[0] != SOLVABLE


def test_few_models_cannot_tell() -> None:
    """With two families four-option items cannot be told, and it is said."""
    y = np.ones((2, 40))
    found = calibrated(y, np.full(40, 0.25), ["a", "b"])
    assert set(found.state) == {UNKNOWN}
    assert any("add models of other makers" in note for note in found.notes)


def test_missing_answers() -> None:
    """An item without any answer cannot be told; missing answers are no wrong ones."""
    y = np.full((10, 30), np.nan)
    y[:, 1:] = 0.0
    found = calibrated(y, np.full(30, 0.02), ALONE[:10])
    assert found.state[0] == UNKNOWN
    assert found.state[1] == NOT
    assert np.isnan(found.p_value[0])


def test_overdispersion_is_seen() -> None:
    """Models that copy each other show it; independent ones do not."""
    rng = np.random.default_rng(2)
    alone = (rng.random((20, 3000)) < 0.25).sum(axis=0).astype(float)
    pairs = 2.0 * (rng.random((10, 3000)) < 0.25).sum(axis=0)
    n, c = np.full(3000, 20.0), np.full(3000, 0.25)
    assert overdispersion(alone, n, c) < 0.02
    assert 0.03 < overdispersion(pairs, n, c) < 0.08


def test_chance_from_options_and_from_answers() -> None:
    """1 / options, else how often the answer occurs in its dataset among the other items."""
    found = chances([4, None, None, None], ["B", "two", "Two ", "seven"], ["x", "y", "y", "y"])
    assert found.tolist() == pytest.approx([0.25, 0.5, 0.5, 0.02])


def test_power_is_exact() -> None:
    """The needed votes are the smallest number in the tail."""
    from scipy.stats import binom

    needed, found = power(9, 0.25, 0.01)
    assert binom.sf(needed - 1, 9, 0.25) <= 0.01 < binom.sf(needed - 2, 9, 0.25)
    assert found == pytest.approx(binom.sf(needed - 1, 9, 0.9))
    assert power(2, 0.5, 0.01) == (3, 0.0)


@pytest.mark.parametrize(
    "dataset, n_options, n_correct",
    [("chartqapro", None, 1), ("countbench", None, 4), ("tallyqa", None, 6), ("ai2d", 4, 5), ("realworldqa", 4, 8),
     ("mathvision", None, 1), ("mathvision", 5, 6), ("mme-realworld-dt", 5, 1), ("refcoco_plus_testA", None, 1),
     ("cc-ocr-multi_scene_ocr", None, 5), ("mmmupro", 10, 6), ("unheard-of", 4, 6), ("unheard-of", None, 1)],
)  # fmt: skip
def test_paper_thresholds(dataset: str, n_options: int | None, n_correct: int) -> None:
    """Table 7, and the rule of thumb for data sets that it does not list."""
    assert paper_threshold(dataset, n_options, 27).n_correct == n_correct


def test_tallies_add_up() -> None:
    """Counts by group sum to the items."""
    found = datbench(np.array([[1.0, 0, 1]]), np.array([1, 1, 1]))
    rows = {row.group: row for row in tallies(found, ["a", "a", "b"])}
    assert (rows["a"].n, rows["a"].n_removed, rows["b"].n_removed) == (2, 1, 1)


def test_refuses_what_does_not_fit() -> None:
    """A wrong number of chances and an unknown dependence are refused."""
    with pytest.raises(UsageError, match="chances for"):
        calibrated(np.ones((3, 4)), np.ones(3), ["a", "b", "c"])
    with pytest.raises(UsageError, match="family or beta-binomial"):
        calibrated(np.ones((3, 4)), np.ones(4), ["a", "b", "c"], dependence="none")
