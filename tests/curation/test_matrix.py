"""Tidy tables → response matrices."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.curation.families import family_of
from snellen.curation.matrix import ResponseMatrix, TidyColumns, matrix_from_tidy, merge
from snellen.errors import BenchmarkError


def _table(rows: list[tuple[str, str, float]]) -> TidyColumns:
    items = tuple(dict.fromkeys(r[0] for r in rows))
    models = tuple(dict.fromkeys(r[1] for r in rows))
    return TidyColumns(
        np.array([items.index(r[0]) for r in rows], dtype=np.int64),
        np.array([models.index(r[1]) for r in rows], dtype=np.int64),
        np.array([r[2] for r in rows], dtype=np.float64),
        items,
        models,
    )


def test_missing_stays_missing() -> None:
    """A pair that is not in the table is NaN, not 0."""
    matrix = matrix_from_tidy(_table([("a", "m", 1.0), ("b", "m", 0.5), ("a", "k", 0.0)]))
    assert matrix.models == ("m", "k")
    assert matrix.scores[0].tolist() == [1.0, 0.5]
    assert matrix.scores[1, 0] == 0.0
    assert np.isnan(matrix.scores[1, 1])


def test_duplicate_names_both_rows() -> None:
    """A repeated pair is an error that names both rows."""
    with pytest.raises(BenchmarkError, match=r"'b'.*'m'.*row 2 and again in row 4"):
        matrix_from_tidy(_table([("a", "m", 1.0), ("b", "m", 1.0), ("a", "k", 1.0), ("b", "m", 0.0)]))


@pytest.mark.parametrize("score", [1.5, -0.1, float("inf")])
def test_impossible_score_names_the_row(score: float) -> None:
    """A score outside [0, 1] is an error with its row."""
    with pytest.raises(BenchmarkError, match=r"row 2 \(item 'b', model 'm'\)"):
        matrix_from_tidy(_table([("a", "m", 1.0), ("b", "m", score)]))


def test_strata_come_from_the_item_table() -> None:
    """The first of dataset, task, category is the stratum unless another is asked for."""
    table = _table([("a", "m", 1.0), ("b", "m", 1.0)])
    extra: dict[str, dict[str, object]] = {"a": {"category": "x", "cost": 3}, "b": {"category": "y", "cost": 4}}
    assert matrix_from_tidy(table, item_table=extra).strata == ("x", "y")
    assert matrix_from_tidy(table, item_table=extra, stratum="cost").strata == ("3", "4")
    with pytest.raises(BenchmarkError, match="no column 'level'"):
        matrix_from_tidy(table, item_table=extra, stratum="level")


def test_merge_is_a_union() -> None:
    """Matrices join over models and items; what neither has stays missing."""
    one = matrix_from_tidy(_table([("a", "m", 1.0)]))
    two = matrix_from_tidy(_table([("b", "k", 0.0), ("a", "k", 0.25)]))
    joined = merge([one, two])
    assert joined.models == ("m", "k")
    assert joined.items == ("a", "b")
    assert joined.scores[1].tolist() == [0.25, 0.0]
    assert np.isnan(joined.scores[0, 1])


def test_merge_refuses_the_same_cell() -> None:
    """A cell that stands in two matrices is named."""
    one = matrix_from_tidy(_table([("a", "m", 1.0)]))
    with pytest.raises(BenchmarkError, match="item 'a' with model 'm'"):
        merge([one, one])


def test_take_keeps_names_together() -> None:
    """Taking models and items keeps families, strata and columns in step."""
    matrix = ResponseMatrix(
        np.arange(6.0).reshape(2, 3) / 6,
        ("m", "k"),
        ("a", "b", "c"),
        ("f", "g"),
        ("x", "y", "z"),
        {"cost": (1, 2, 3)},
    )
    part = matrix.take_models([1]).take_items([2, 0])
    assert (part.models, part.families, part.items, part.strata) == (("k",), ("g",), ("c", "a"), ("z", "x"))
    assert part.columns["cost"] == (3, 1)
    assert part.scores.tolist() == [[5 / 6, 3 / 6]]


@pytest.mark.parametrize(
    "model, family",
    [
        ("Qwen-VL-Max-CoT", "qwen"),
        ("QwenVLMax", "qwen"),
        ("GPT4-CoT (Text Only)", "openai"),
        ("ChatGPT3.5-CoT (Text+Image Caption)", "openai"),
        ("GeminiProVision", "gemini"),
        ("Yi_VL_34B", "yi"),
        ("Yi-6b-Chat", "yi"),
        ("mathstral-7B", "mistral"),
        ("OPUS", "claude"),
        ("Random-Chance", "random"),
        ("yieldnet-2b", "yieldnet"),
    ],
)
def test_family_by_name(model: str, family: str) -> None:
    """Families come from the beginnings of names."""
    assert family_of(model) == family
