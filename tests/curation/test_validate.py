"""Validation on held-out models: splits, measures, and the bar that the default has to clear on real matrices."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from snellen.curation.ranking import pairs_touching, tau_b
from snellen.curation.validate import SPLITS, Cell, Effort, splits_of, validate
from snellen.errors import UsageError
from tests.curation.synthetic import matrix, rasch

SMALL = Effort(n_thirds=3, n_draws=2, n_redraws=60)
SHARED = Path(os.environ.get("SNELLEN_SHARED") or Path(__file__).parents[3] / "shared")
MATRICES = ("blink_val.csv", "mathvision.csv", "mmlu_pro.csv.gz")


def test_tau_b_agrees_with_scipy() -> None:
    """Ties included."""
    from scipy.stats import kendalltau

    rng = np.random.default_rng(0)
    for _ in range(20):
        x, y = rng.integers(0, 5, 12).astype(float), rng.integers(0, 5, 12).astype(float)
        assert tau_b(x, y) == pytest.approx(kendalltau(x, y)[0])


def test_tau_b_over_some_pairs() -> None:
    """Only pairs that touch a marked model count; a flat ranking gives NaN."""
    x, y = np.array([1.0, 2, 3]), np.array([1.0, 3, 2])
    assert tau_b(x, y, pairs_touching(np.array([True, False, False]))) == 1.0
    assert np.isnan(tau_b(np.ones(3), y))


def test_splits_never_share_models() -> None:
    """Selecting and judged models are apart; the strongest third is the strongest; families go as a whole."""
    m = matrix(rasch(12, 80), families=4)
    for split in splits_of(m, "random-thirds", 5, 0):
        assert not set(split.train) & set(split.rows)
        assert len(split.rows) == 4
    (strongest,) = splits_of(m, "strongest-third", 1, 0)
    means = m.scores.mean(axis=1)
    assert means[strongest.rows].min() >= means[strongest.train].max()
    for split in splits_of(m, "family", 1, 0):
        assert len({m.families[i] for i in split.train}) == 3
        held = {m.families[i] for i in range(12) if i not in set(split.train.tolist())}
        assert len(held) == 1


def test_random_always_stands_beside() -> None:
    """Each asked method and random, at each size and split, in the printed order."""
    cells = validate(matrix(rasch(12, 200), families=6), ["datbench"], [0.2], effort=SMALL)
    assert [(c.method, c.split) for c in cells] == [(m, s) for m in ("datbench", "random") for s in SPLITS]


def test_measures_are_sane() -> None:
    """A subset of all items ranks as the full set, with no error and full discrimination."""
    cells = validate(matrix(rasch(12, 150), families=6), ["two-part"], [1.0], effort=SMALL)
    for cell in cells:
        assert cell.tau == pytest.approx(1.0)
        assert cell.mae == pytest.approx(0.0, abs=1e-9)
        assert cell.discrimination_in_sample == pytest.approx(1.0)
        assert cell.wrong_sign == 0.0
        assert cell.coverage == 1.0


def test_share_zero_equals_random() -> None:
    """Without a discriminating part the default draws the very items that random draws."""
    cells = validate(matrix(rasch(12, 200), families=6), ["two-part"], [0.1], effort=SMALL, share=0.0)
    by = {(c.method, c.split): c for c in cells}
    for split in SPLITS:
        assert by["two-part", split].tau == by["random", split].tau
        assert by["two-part", split].tau_vs_random == 0.0


def test_seed_decides() -> None:
    """The same seed gives the same cells, another one others."""
    m = matrix(rasch(12, 200), families=6)
    one, two, other = (validate(m, ["two-part"], [0.1], effort=SMALL, seed=s) for s in (1, 1, 2))
    assert repr(one) == repr(two)
    assert repr(one) != repr(other)


@pytest.mark.parametrize("n_models", [1, 2, 5])
def test_few_models_are_refused(n_models: int) -> None:
    """Too few models to hold any out: refused with both numbers."""
    with pytest.raises(UsageError, match=f"{n_models} models are too few, at least 6"):
        validate(matrix(rasch(n_models, 100)), ["two-part"], [0.1])


def test_one_family_has_no_family_split() -> None:
    """All of one family: the other splits still work, the family split alone is refused."""
    m = matrix(rasch(9, 100), families=1)
    assert {c.split for c in validate(m, ["datbench"], [0.2], effort=SMALL)} == {"random-thirds", "strongest-third"}
    with pytest.raises(UsageError, match="no split leaves models"):
        validate(m, ["datbench"], [0.2], splits=["family"], effort=SMALL)


def test_holes_and_flat_items() -> None:
    """A tenth missing, columns of NaN, constant items and a silent model: numbers, no crash, no warning."""
    y = rasch(13, 200)
    y[np.random.default_rng(1).random(y.shape) < 0.1] = np.nan
    y[:, :5], y[:, 5:10], y[12] = np.nan, 1.0, np.nan
    cells = validate(matrix(y, families=5), ["two-part", "datbench"], [0.2], effort=SMALL)
    assert all(np.isfinite(c.tau) for c in cells)


def test_equal_models_give_nan() -> None:
    """Models that cannot be ranked have no tau; nothing is made up."""
    cells = validate(matrix(np.tile(rasch(1, 100), (9, 1)), families=3), ["two-part"], [0.2], effort=SMALL)
    assert all(np.isnan(c.tau) and np.isnan(c.separated) for c in cells)


@pytest.fixture(scope="module")
def real_cells() -> dict[str, list[Cell]]:
    """All cells of the three real matrices."""
    from snellen.curating.matrices import read_matrix

    folder = SHARED / "data" / "matrices"
    if not folder.is_dir():
        pytest.skip("the real matrices are not here (SNELLEN_SHARED)")
    return {
        name: validate(read_matrix([folder / name]), ["two-part", "datbench"], [0.1, 0.4], effort=Effort(12, 6, 2000))
        for name in MATRICES
    }


def _mean(cells: dict[str, list[Cell]], field: str, **where: object) -> float:
    values = [
        getattr(cell, field)
        for of_matrix in cells.values()
        for cell in of_matrix
        if all(getattr(cell, key) == value for key, value in where.items())
    ]
    assert len(values) == len(cells)
    return float(np.mean(values))


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("size", [0.1, 0.4])
def test_the_bar_on_real_matrices(real_cells: dict[str, list[Cell]], split: str, size: float) -> None:
    """The default ranks better than datbench, not worse than random, with hardly more wrong signs, and covers."""
    where = {"split": split, "size": size}
    two_part = {"method": "two-part", **where}
    assert _mean(real_cells, "tau", **two_part) > _mean(real_cells, "tau", method="datbench", **where)
    assert _mean(real_cells, "tau_vs_random", **two_part) > -0.03
    excess = _mean(real_cells, "wrong_sign", **two_part) - _mean(real_cells, "wrong_sign", method="random", **where)
    assert excess <= 0.005
    assert 0.93 <= _mean(real_cells, "coverage", **two_part) <= 0.97


@pytest.mark.slow
def test_separates_more_than_random(real_cells: dict[str, list[Cell]]) -> None:
    """In random thirds at a tenth of the items it tells more pairs apart than random does."""
    where = {"split": "random-thirds", "size": 0.1}
    assert _mean(real_cells, "separated", method="two-part", **where) > _mean(
        real_cells, "separated", method="random", **where
    )
