"""The paper's published numbers come out of its published tables."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation import published
from snellen.curation.discrimination import score_variance_share


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("chart", "general", 0.90),
        ("math", "general", 0.76),
        ("grounding", "document", -0.29),
        ("grounding", "scene", -0.19),
        ("math", "spatial", -0.19),
    ],
)
def test_correlation(first: str, second: str, expected: float) -> None:
    """Capability correlations over the complete models are the printed ones."""
    assert round(published.published_correlations().between(first, second), 2) == expected


def test_correlations_are_listwise() -> None:
    """The model without a document score is left out of every pair."""
    assert published.published_correlations().n_models == 26


def test_clusters() -> None:
    """Two clusters: what is reasoned about and what is read."""
    reasoning = {"chart", "grounding", "counting", "math", "general"}
    reading = {"document", "scene", "spatial", "table"}
    assert set(published.published_clusters()) == {frozenset(reasoning), frozenset(reading)}


@pytest.mark.parametrize(
    "capability, percent", [("math", 36.8), ("chart", 10.8), ("scene", -53.5), ("document", -47.8)]
)
def test_thinking_gain(capability: str, percent: float) -> None:
    """Relative gains of the four thinking models are the printed ones."""
    assert round(published.published_thinking_gain()[capability] * 100, 1) == percent


def test_thinking_gain_on_other_sets() -> None:
    """The same contrast is half as large before selection, and smaller still on the original sets."""
    assert round(published.published_thinking_gain("datbench_full")["document"] * 100, 1) == -23.5
    assert round(published.published_thinking_gain("original")["document"] * 100, 1) == -15.7


def test_speedup() -> None:
    """Mean 13.3 times, at most 49.3 times."""
    speedups = published.published_speedups()
    assert round(sum(speedups.values()) / len(speedups), 1) == 13.3
    assert round(max(speedups.values()), 1) == 49.3
    assert max(speedups, key=lambda name: speedups[name]) == "general"


def test_blind_share() -> None:
    """The blind pass removed 72.07 % of the general items."""
    assert round(published.blind_shares()["general"] * 100, 2) == 72.07


def test_judge_share() -> None:
    """The label pass removed 42.07 % of the spatial items."""
    assert round(published.judge_shares()["spatial"] * 100, 2) == 42.07


@pytest.mark.parametrize("dataset, percent", [("ChartQAPro", 17.2), ("MMMU-Pro", 24.3)])
def test_label_share_of_a_dataset(dataset: str, percent: float) -> None:
    """Shares removed per dataset are the printed ones."""
    assert round(published.label_shares()[dataset] * 100, 1) == percent


def test_flagged_and_removed() -> None:
    """71 % of the flagged items were removed."""
    sums = published.label_filter()
    assert (sums.total, sums.flagged, sums.removed) == (470_325, 20_408, 14_514)
    assert round(sums.removed_of_flagged, 2) == 0.71


def test_implied_full_sizes() -> None:
    """Items left after both passes, with the dataset that table 6 omits taken off."""
    assert published.implied_full() == {
        "general": 59_460,
        "math": 5_734,
        "chart": 5_952,
        "scene": 7_565,
        "counting": 22_325,
        "document": 64_616,
        "grounding": 26_411,
        "spatial": 3_296,
        "table": 7_101,
    }
    assert sum(published.implied_full().values()) == 202_460


def test_constants_are_cited() -> None:
    """Numbers that no table can yield ship as constants."""
    constants = published.constants()
    assert (constants["ai2d_choice"], constants["ai2d_free"]) == (77.56, 40.53)
    assert (constants["tokens_correct"], constants["tokens_wrong"]) == (425, 1196.9)
    gaps = [constants[f"vision_gap_{c}"] for c in ("counting", "grounding", "math", "spatial")]
    assert gaps == [60.2, 42.3, 13.0, 14.9]


def test_one_model_owns_counting() -> None:
    """One model is 84 % of the between-model variance of counting, which the leverage guard must see."""
    profile = published.published_profile()
    share = score_variance_share(profile.scores[:, profile.capabilities.index("counting")])
    assert profile.models[int(share.argmax())] == "Gemma-3-4B-it"
    assert round(float(share.max()), 2) == 0.84


def test_profile_keeps_missing() -> None:
    """The empty cells of table 3 are missing, not zero."""
    profile = published.published_profile()
    row = profile.row("SmolVLM2-2.2B-Instruct")
    assert np.isnan(row[profile.capabilities.index("document")])
    assert np.isnan(profile.scores).sum() == 1
