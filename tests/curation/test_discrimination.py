"""Item–rest correlation, jackknife and shrinkage against direct computations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from snellen.curation.discrimination import (
    Discrimination,
    item_rest,
    jackknife,
    leverage,
    score_variance_share,
    shrink,
)
from snellen.curation.streaming import item_rest_streaming
from snellen.errors import UsageError


def _direct(y: NDArray[np.float64], min_models: int = 8) -> NDArray[np.float64]:
    r = np.full(y.shape[1], np.nan)
    for i in range(y.shape[1]):
        seen = [m for m in range(y.shape[0]) if not np.isnan(y[m, i])]
        rest = [np.nanmean(np.delete(y[m], i)) for m in seen]
        if len(seen) >= min_models and np.ptp(y[seen, i]) > 0:
            r[i] = np.corrcoef(y[seen, i], rest)[0, 1]
    return r


def _random(seed: int, *, graded: bool, missing: float) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    y = rng.random((17, 300))
    y = y if graded else (y < rng.random(300)).astype(float)
    y[rng.random(y.shape) < missing] = np.nan
    return y


@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.1, 0.4])
def test_equals_direct_computation(graded: bool, missing: float) -> None:
    """The value equals numpy's correlation with the mean of the other items to 1e-12."""
    y = _random(1, graded=graded, missing=missing)
    np.testing.assert_allclose(item_rest(y).r, _direct(y), atol=1e-12)


def test_hand_value() -> None:
    """A Guttman scale of three items, worked out by hand."""
    y = np.array([[1, 1, 1.0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    rest = np.array([1, 0.5, 0.5, 0.0])
    expected = np.corrcoef(y[:, 1], rest)[0, 1]
    assert item_rest(y, min_models=3).r[1] == pytest.approx(expected, abs=1e-12)


def test_refuses_few_models_and_flat_items() -> None:
    """Fewer than eight observed models, or an item that all answer alike, has no r."""
    y = _random(2, graded=False, missing=0.0)
    y[:, 0], y[:, 1] = 1.0, 0.0
    y[:10, 2] = np.nan
    found = item_rest(y)
    assert np.isnan(found.r[:3]).all()
    assert found.n[2] == 7
    assert found.p[:2].tolist() == [1.0, 0.0]


def test_column_nobody_saw() -> None:
    """A column of missing cells has no p and no r, and does not disturb the others."""
    y = _random(3, graded=False, missing=0.0)
    with_hole = np.concatenate([y, np.full((17, 1), np.nan)], axis=1)
    found = item_rest(with_hole)
    assert np.isnan(found.p[-1])
    np.testing.assert_allclose(found.r[:-1], item_rest(y).r, atol=1e-12)


def test_model_order_does_not_matter() -> None:
    """Shuffling the models changes nothing."""
    y = _random(4, graded=True, missing=0.2)
    np.testing.assert_allclose(item_rest(y).r, item_rest(y[::-1]).r, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_jackknife_equals_deletion(missing: float) -> None:
    """The closed form equals running without the model."""
    y = _random(5, graded=True, missing=missing)
    left_out = jackknife(y, min_models=9).left_out
    for k in (0, 8, 16):
        without = item_rest(np.delete(y, k, axis=0), min_models=8).r
        known = np.isfinite(without) & np.isfinite(left_out[k])
        assert known.sum() > 200
        np.testing.assert_allclose(left_out[k][known], without[known], atol=1e-6)


def test_jackknife_standard_error() -> None:
    """The standard error and the minimum are those of the deleted values."""
    y = _random(6, graded=True, missing=0.0)
    found = jackknife(y)
    values = found.left_out[:, 0].astype(float)
    expected = np.sqrt(16 / 17 * ((values - values.mean()) ** 2).sum())
    assert found.se[0] == pytest.approx(expected, rel=1e-5)
    assert found.minimum[0] == pytest.approx(values.min(), rel=1e-5)
    assert found.low[0] == pytest.approx(item_rest(y).r[0] - 1.645 * found.se[0])


def test_additive_ability_mends_unequal_items() -> None:
    """When weak models saw only easy items, the additive scale ranks items as the complete matrix does."""
    rng = np.random.default_rng(7)
    ability = np.linspace(-0.35, 0.35, 24)
    difficulty = rng.uniform(0.2, 0.8, 400)
    y = (rng.random((24, 400)) < difficulty + ability[:, None]).astype(float)
    holes = y.copy()
    holes[np.ix_(ability < 0, difficulty < 0.5)] = np.nan
    shown = ~np.isnan(holes).any(axis=0)
    truth = item_rest(y).r[shown]

    def agreement(name: str) -> float:
        return float(np.nanmean(np.abs(item_rest(holes, ability=name).r[shown] - truth)))

    assert agreement("additive") < agreement("rest")


def test_unknown_ability_is_refused() -> None:
    """A misspelt ability names the choices."""
    with pytest.raises(UsageError, match="rest or additive"):
        item_rest(np.ones((9, 3)), ability="theta")


def test_streaming_agrees() -> None:
    """The int8 kernel in chunks agrees with the exact one, missing cells included."""
    y = _random(8, graded=False, missing=0.1)
    cells = np.where(np.isnan(y), -1, y).astype(np.int8).T.copy()
    exact, stream = item_rest(y), item_rest_streaming(cells, chunk_items=64)
    np.testing.assert_allclose(stream.r, exact.r, atol=1e-5)
    np.testing.assert_allclose(stream.p, exact.p, atol=1e-6)


def test_streaming_graded() -> None:
    """Scores in hundredths work too."""
    y = np.round(_random(9, graded=True, missing=0.0), 2)
    cells = np.round(y * 100).astype(np.int8).T.copy()
    np.testing.assert_allclose(item_rest_streaming(cells, scale=100).r, item_rest(y).r, atol=1e-4)


def test_shrinkage_formula() -> None:
    """Posterior = w z + (1 - w) mean, with tau² what the residuals hold beyond 1/(n - 3)."""
    rng = np.random.default_rng(10)
    item = Discrimination(np.tanh(rng.normal(0.3, 0.5, 500)), np.full(500, 20.0), rng.random(500))
    z = np.arctanh(item.r)
    design = np.stack([np.ones(500), item.p, item.p**2], axis=1)
    mean = design @ np.linalg.lstsq(design, z, rcond=None)[0]
    tau2 = ((z - mean) ** 2).sum() / 497 - 1 / 17
    weight = tau2 / (tau2 + 1 / 17)
    found = shrink(item)
    assert found.tau2 == pytest.approx(tau2)
    assert found.reliability == pytest.approx(weight)
    np.testing.assert_allclose(found.r, np.tanh(weight * z + (1 - weight) * mean))


def test_shrinkage_of_pure_noise() -> None:
    """Items of models that all guess are shrunk to almost nothing."""
    rng = np.random.default_rng(11)
    y = (rng.random((20, 2000)) < 0.5).astype(float)
    found = shrink(item_rest(y))
    assert found.reliability < 0.1
    assert np.nanmax(np.abs(found.r)) < 0.2


def test_shrinkage_of_few_items() -> None:
    """With hardly any item the estimate is 0, and missing stays missing."""
    item = Discrimination(np.array([0.5, np.nan]), np.array([10.0, 2.0]), np.array([0.5, 0.5]))
    found = shrink(item)
    assert found.r[0] == 0.0
    assert np.isnan(found.r[1])


def test_leverage_warns_of_one_outlier() -> None:
    """One broken model among equals is named, by its share of the variance."""
    rng = np.random.default_rng(12)
    y = (rng.random((12, 500)) < 0.7).astype(float)
    y[3] = rng.random(500) < 0.05
    found = leverage(y, tuple(f"m{i}" for i in range(12)), 50)
    assert found.variance_share.sum() == pytest.approx(1.0)
    assert found.variance_share.argmax() == 3
    assert any("m3 alone carries" in text for text in found.warnings)
    assert found.overlap.argmin() == 3


def test_equal_models_have_no_leverage() -> None:
    """When all models score the same nothing is divided by zero."""
    assert score_variance_share(np.full(5, 0.4)).tolist() == [0.0] * 5


def test_streaming_from_a_file(tmp_path: Path) -> None:
    """A memory-mapped matrix gives the same, and the file stays as it was."""
    y = _random(13, graded=False, missing=0.1)
    cells = np.where(np.isnan(y), -1, y).astype(np.int8).T.copy()
    (tmp_path / "cells").write_bytes(cells.tobytes())
    mapped = np.memmap(tmp_path / "cells", dtype=np.int8, mode="r", shape=cells.shape)
    from_file, in_memory = item_rest_streaming(mapped, chunk_items=8), item_rest_streaming(cells, chunk_items=8)
    np.testing.assert_array_equal(from_file.r, in_memory.r)
    assert (tmp_path / "cells").read_bytes() == cells.tobytes()
