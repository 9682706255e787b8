"""The response matrix: what many models scored on the same samples, missing kept missing. Arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from snellen.curation.families import families_of
from snellen.errors import BenchmarkError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

CUT = 0.5
"""Scores at or above it count as right wherever a method needs right or wrong (DatBench's cut)."""


@dataclass(frozen=True, slots=True)
class ResponseMatrix:
    """Scores of many models on the same items."""

    scores: Floats
    """Shape (n_models, n_items), in [0, 1], NaN = missing."""
    models: tuple[str, ...]
    """Row names."""
    items: tuple[str, ...]
    """Column names: sample ids."""
    families: tuple[str, ...]
    """Family of each model; models of one family are no independent witnesses."""
    strata: tuple[str, ...] = ()
    """Dataset (else category) of each item; empty when unknown."""
    columns: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """Further columns of the item table (cost, n_options, answer_type, text, …)."""

    @property
    def n_models(self) -> int:
        """Rows."""
        return int(self.scores.shape[0])

    @property
    def n_items(self) -> int:
        """Columns."""
        return int(self.scores.shape[1])

    def take_models(self, rows: Sequence[int] | Ints) -> ResponseMatrix:
        """The same items, only these models."""
        index = np.asarray(rows, dtype=np.int64)
        return replace(
            self,
            scores=self.scores[index],
            models=tuple(self.models[i] for i in index),
            families=tuple(self.families[i] for i in index),
        )

    def take_items(self, columns: Sequence[int] | Ints) -> ResponseMatrix:
        """The same models, only these items."""
        index = np.asarray(columns, dtype=np.int64)
        return replace(
            self,
            scores=self.scores[:, index],
            items=tuple(self.items[i] for i in index),
            strata=tuple(self.strata[i] for i in index) if self.strata else (),
            columns={name: tuple(values[i] for i in index) for name, values in self.columns.items()},
        )

    def stratum_codes(self) -> Ints:
        """Integer code of each item's stratum (all 0 when unknown), shape (n_items,)."""
        if not self.strata:
            return np.zeros(self.n_items, dtype=np.int64)
        return np.unique(np.asarray(self.strata), return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, slots=True)
class TidyColumns:
    """A tidy table `item, model, score` as integer codes, so that millions of rows stay cheap."""

    item_codes: Ints
    """Index into `items`, one a row."""
    model_codes: Ints
    """Index into `models`, one a row."""
    scores: Floats
    """One a row; NaN = missing."""
    items: tuple[str, ...]
    """Item names in order of first appearance."""
    models: tuple[str, ...]
    """Model names in order of first appearance."""


def matrix_from_tidy(
    table: TidyColumns,
    *,
    families: Mapping[str, str] | None = None,
    item_table: Mapping[str, Mapping[str, object]] | None = None,
    stratum: str = "",
    source: str = "the table",
) -> ResponseMatrix:
    """Turn a tidy table into a response matrix.

    Args:
        table: coded rows.
        families: model name → family; models it lacks get theirs by name.
        item_table: item name → its columns.
        stratum: column of the item table that names the dataset; "" takes the first of dataset, task, category,
            capability that exists.
        source: how errors name the table.

    Raises:
        BenchmarkError: a pair of item and model stands twice, or a score lies outside [0, 1]; with the row.
    """
    _refuse_impossible(table, source)
    _refuse_duplicates(table, source)
    scores = np.full((len(table.models), len(table.items)), np.nan)
    scores[table.model_codes, table.item_codes] = table.scores
    columns = _columns(table.items, item_table or {})
    name = stratum or next((c for c in ("dataset", "task", "category", "capability") if c in columns), "")
    if name and name not in columns:
        raise BenchmarkError(
            f"{source}: the item table has no column {name!r}; it has {', '.join(columns) or 'none'}"
        )
    return ResponseMatrix(
        scores=scores,
        models=table.models,
        items=table.items,
        families=families_of(table.models, families or {}),
        strata=tuple("" if v is None else str(v) for v in columns[name]) if name else (),
        columns=columns,
    )


def _refuse_impossible(table: TidyColumns, source: str) -> None:
    bad = np.flatnonzero((table.scores < 0) | (table.scores > 1) | np.isinf(table.scores))
    if bad.size:
        row = int(bad[0])
        raise BenchmarkError(
            f"{source}: row {row + 1} (item {table.items[table.item_codes[row]]!r}, model "
            f"{table.models[table.model_codes[row]]!r}) has score {table.scores[row]:g}; scores lie in [0, 1]"
            f"{f'; {bad.size - 1} more rows are outside too' if bad.size > 1 else ''}"
        )


def _refuse_duplicates(table: TidyColumns, source: str) -> None:
    flat = table.model_codes * max(len(table.items), 1) + table.item_codes
    counts = np.bincount(flat, minlength=1) if flat.size else np.zeros(1, dtype=np.int64)
    if counts.max(initial=0) <= 1:
        return
    twice = np.flatnonzero(counts[flat] > 1)
    first = int(twice[0])
    again = int(twice[twice > first][np.flatnonzero(flat[twice[twice > first]] == flat[first])[0]])
    raise BenchmarkError(
        f"{source}: item {table.items[table.item_codes[first]]!r} with model "
        f"{table.models[table.model_codes[first]]!r} stands in row {first + 1} and again in row {again + 1}; "
        f"each pair may stand once ({int((counts > 1).sum())} pairs are repeated)"
    )


def _columns(items: Sequence[str], table: Mapping[str, Mapping[str, object]]) -> dict[str, tuple[object, ...]]:
    names: dict[str, None] = {}
    for row in table.values():
        names.update(dict.fromkeys(row))
    empty: Mapping[str, object] = {}
    return {name: tuple(table.get(item, empty).get(name) for item in items) for name in names}


def merge(matrices: Sequence[ResponseMatrix]) -> ResponseMatrix:
    """Join matrices over the union of their models and items; cells that neither has stay missing.

    Raises:
        BenchmarkError: two matrices hold the same cell.
    """
    if len(matrices) == 1:
        return matrices[0]
    models = tuple(dict.fromkeys(name for m in matrices for name in m.models))
    items = tuple(dict.fromkeys(name for m in matrices for name in m.items))
    row_of = {name: i for i, name in enumerate(models)}
    column_of = {name: i for i, name in enumerate(items)}
    scores = np.full((len(models), len(items)), np.nan)
    for one in matrices:
        rows = np.array([row_of[n] for n in one.models])
        columns = np.array([column_of[n] for n in one.items])
        block = scores[np.ix_(rows, columns)]
        _refuse_overlap(one, block)
        scores[np.ix_(rows, columns)] = np.where(np.isnan(one.scores), block, one.scores)
    return ResponseMatrix(scores, models, items, _merged(matrices, models), *_merged_items(matrices, items))


def _refuse_overlap(one: ResponseMatrix, block: Floats) -> None:
    both = ~np.isnan(block) & ~np.isnan(one.scores)
    if both.any():
        row, column = np.argwhere(both)[0]
        raise BenchmarkError(
            f"item {one.items[column]!r} with model {one.models[row]!r} stands in two of the matrices to be merged; "
            f"rename the model in one of them or leave one out"
        )


def _merged(matrices: Sequence[ResponseMatrix], models: Sequence[str]) -> tuple[str, ...]:
    family: dict[str, str] = {}
    for one in matrices:
        for name, its in zip(one.models, one.families, strict=True):
            family.setdefault(name, its)
    return tuple(family[name] for name in models)


def _merged_items(
    matrices: Sequence[ResponseMatrix], items: Sequence[str]
) -> tuple[tuple[str, ...], dict[str, tuple[object, ...]]]:
    strata: dict[str, str] = {}
    rows: dict[str, dict[str, object]] = {}
    for one in matrices:
        for position, name in enumerate(one.items):
            if one.strata:
                strata.setdefault(name, one.strata[position])
            for column, values in one.columns.items():
                if values[position] is not None:
                    rows.setdefault(name, {}).setdefault(column, values[position])
    return tuple(strata.get(name, "") for name in items) if strata else (), _columns(items, rows)


def model_means(scores: Floats) -> Floats:
    """Mean score of each model over the items it answered; NaN where it answered none.

    Args:
        scores: shape (n_models, n_items), NaN = missing.
    """
    return _means(scores, axis=1)


def item_means(scores: Floats) -> Floats:
    """Mean score of each item over the models that answered it; NaN where none did.

    Args:
        scores: shape (n_models, n_items), NaN = missing.
    """
    return _means(scores, axis=0)


def _means(scores: Floats, axis: int) -> Floats:
    n = (~np.isnan(scores)).sum(axis=axis)
    means: Floats = np.divide(np.nansum(scores, axis=axis), n, out=np.full(n.shape, np.nan), where=n > 0)
    return means


def without_silent_models(matrix: ResponseMatrix) -> tuple[ResponseMatrix, tuple[str, ...]]:
    """The models that answered at least one item, and the names of the others."""
    spoke = (~np.isnan(matrix.scores)).sum(axis=1) > 0
    silent = tuple(matrix.models[i] for i in np.flatnonzero(~spoke))
    return (matrix.take_models(np.flatnonzero(spoke)), silent) if silent else (matrix, ())


def percent_missing(matrix: ResponseMatrix) -> float:
    """Share of missing cells, 0–100."""
    return float(np.isnan(matrix.scores).mean() * 100) if matrix.scores.size else 0.0
