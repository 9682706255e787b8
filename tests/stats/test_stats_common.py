"""What every statistic must keep to: order, sign, seed, missing."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.stats.agreement import agreement
from snellen.stats.circular import circular_score
from snellen.stats.epochs import sample_means
from snellen.stats.intervals import mean_interval, standard_error, stratified_interval
from snellen.stats.judging_error import corrected_mean, judge_quality
from snellen.stats.paired import paired_difference
from snellen.stats.psychometric import fit_curve
from snellen.stats.ranks import rank_intervals

N = 240
RNG = np.random.default_rng(42)
BINARY = (RNG.random(N) < 0.6).astype(float)
GRADED = RNG.random(N)
IMAGES = RNG.integers(0, 80, N).astype(str)
WEIGHTS = RNG.random(N) + 0.1
SIZES = RNG.choice([4.0, 8.0, 16.0, 32.0], N)
READS = (RNG.random(N) < np.log2(SIZES) / 6).astype(float)

# name → function of a row order, returning numbers that must not depend on it
STATISTICS: dict[str, Callable[[np.ndarray], object]] = {
    "binary mean": lambda o: mean_interval(BINARY[o]),
    "graded mean": lambda o: mean_interval(GRADED[o]),
    "clustered mean": lambda o: mean_interval(GRADED[o], clusters=IMAGES[o]),
    "weighted mean": lambda o: mean_interval(GRADED[o], weights=WEIGHTS[o]),
    "standard error": lambda o: standard_error(GRADED[o], clusters=IMAGES[o]),
    "stratified": lambda o: stratified_interval(BINARY[o], [i[:1] for i in IMAGES[o]]).mean,
    "paired": lambda o: paired_difference(BINARY[o], BINARY[::-1][o]),
    "paired clustered": lambda o: paired_difference(GRADED[o], GRADED[::-1][o], clusters=IMAGES[o]),
    "ranks": lambda o: [_numbers(one) for one in rank_intervals([BINARY[o], GRADED[o], GRADED[::-1][o]])],
    "agreement": lambda o: agreement(list(BINARY[o]), list(BINARY[::-1][o])),
    "judge": lambda o: judge_quality(BINARY[o], BINARY[::-1][o]),
    "corrected": lambda o: corrected_mean(GRADED[o][:0].tolist() + GRADED.tolist(), BINARY[o], BINARY[::-1][o]).mean,
    "psychometric": lambda o: fit_curve(SIZES[o], READS[o], 0.0).threshold,
}


def _numbers(result: object) -> object:
    if isinstance(result, float):
        return result
    slots = getattr(type(result), "__slots__", ())
    return tuple(_numbers(getattr(result, name)) for name in slots) if slots else result


def _close(a: object, b: object) -> bool:
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(_close(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))
    return a == b


@pytest.mark.parametrize("name", STATISTICS)
def test_order_does_not_matter(name: str) -> None:
    """Shuffled rows give the same numbers, random draws included."""
    statistic = STATISTICS[name]
    straight = _numbers(statistic(np.arange(N)))
    shuffled = _numbers(statistic(np.random.default_rng(1).permutation(N)))
    assert _close(straight, shuffled), (straight, shuffled)


@pytest.mark.parametrize("name", STATISTICS)
def test_same_seed_same_numbers(name: str) -> None:
    """Two calls give bit-identical results (ST-seed)."""
    rows = np.arange(N)
    assert repr(STATISTICS[name](rows)) == repr(STATISTICS[name](rows))


def test_another_seed_moves_the_bounds_a_little() -> None:
    """The seed is used, and 4,000 draws leave little noise."""
    one, two = mean_interval(GRADED, seed=1), mean_interval(GRADED, seed=2)
    assert one.low != two.low
    assert one.low == pytest.approx(two.low, abs=0.005)


@pytest.mark.parametrize("scores", [BINARY, GRADED], ids=["binary", "graded"])
@pytest.mark.parametrize("clusters", [None, IMAGES], ids=["plain", "clustered"])
def test_comparison_is_antisymmetric(scores: np.ndarray, clusters: np.ndarray | None) -> None:
    """A against B is B against A with the sign turned; p and MDD are the same."""
    forward = paired_difference(scores, scores[::-1] ** 2, clusters=clusters)
    backward = paired_difference(scores[::-1] ** 2, scores, clusters=clusters)
    assert (forward.difference, forward.low, forward.high) == pytest.approx(
        (-backward.difference, -backward.high, -backward.low)
    )
    assert forward.p_value == backward.p_value
    assert forward.minimum_detectable == pytest.approx(backward.minimum_detectable)
    assert (forward.n_wins, forward.n_losses) == (backward.n_losses, backward.n_wins)


def test_missing_is_never_zero() -> None:
    """Adding NaN rows changes no mean, no difference and no rank."""
    gap = np.full(20, np.nan)
    padded = np.concatenate([GRADED, gap])
    assert mean_interval(padded) == mean_interval(GRADED)
    assert paired_difference(padded, np.concatenate([BINARY, gap])) == paired_difference(GRADED, BINARY)
    assert np.nanmean(sample_means(list(range(N + 20)), padded).means) == pytest.approx(GRADED.mean())
    assert rank_intervals([padded, padded[::-1]])[0].score == pytest.approx(GRADED.mean())
    assert circular_score(["q", "q", "r"], [1, 1, np.nan], [2, 2, 2]).circular.mean == 1.0


@given(
    st.lists(st.one_of(st.floats(0, 1), st.just(float("nan"))), max_size=40),
    st.integers(0, 5),
)
@settings(max_examples=80, deadline=None)
def test_any_scores_give_a_sound_interval(scores: list[float], n_images: int) -> None:
    """Whatever the scores: bounds hold the mean and stay in [0, 1], or are NaN with a reason."""
    clusters = [i % (n_images + 1) for i in range(len(scores))] if n_images else None
    result = mean_interval(scores, clusters=clusters, n_draws=200)
    if math.isnan(result.low):
        assert result.reason
        return
    assert -1e-9 <= result.low <= result.mean + 1e-9
    assert result.mean - 1e-9 <= result.high <= 1 + 1e-9


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_pairs_give_a_sound_difference(pairs: list[tuple[float, float]]) -> None:
    """Whatever the pairs: p in (0, 1], bounds in order, or NaN with a reason."""
    result = paired_difference([a for a, _ in pairs], [b for _, b in pairs], n_draws=200)
    if math.isnan(result.low):
        assert result.reason
        return
    assert 0 < result.p_value <= 1
    assert -1 - 1e-9 <= result.low <= result.high <= 1 + 1e-9
