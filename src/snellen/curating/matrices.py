"""Response matrices from plain files and from runs; missing stays missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from snellen.curation.matrix import Ints, ResponseMatrix, TidyColumns, matrix_from_tidy, merge
from snellen.errors import BenchmarkError, UsageError

ITEM_NAMES = ("item", "sample_id", "id", "item_id")
MODEL_NAMES = ("model", "model_name")
SCORE_NAMES = ("score", "value", "correct")
_RUN_COLUMNS = [
    "sample_id", "epoch", "value", "state", "dataset", "capability", "category", "group", "n_choices", "cluster",
]  # fmt: skip


def read_matrix(
    sources: Sequence[Path | str],
    *,
    items: Path | str | None = None,
    families: Path | str | None = None,
    stratum: str = "",
    blind: bool | None = None,
) -> ResponseMatrix:
    """Read and join matrices.

    Args:
        sources: tidy CSV or Parquet files (`item, model, score`, further columns are kept) and run directories.
        items: table with one row an item; `X.items.csv` beside `X.csv` is found by itself.
        families: table `model, family`.
        stratum: column that names the dataset of an item.
        blind: whether the run directories must be of models that saw no image (True) or that did (False); None takes
            either, but never both together. Plain files do not tell.

    Raises:
        UsageError: a source does not exist, or runs with and without images are mixed.
        BenchmarkError: a table is damaged, holds a pair twice, or a score outside [0, 1].
    """
    if not sources:
        raise UsageError("no matrix given; name a file (item, model, score) or run directories")
    paths = [Path(source) for source in sources]
    runs = [path for path in paths if path.is_dir()]
    known = read_families(families)
    matrices = [_read_file(path, items, known, stratum) for path in paths if not path.is_dir()]
    if runs:
        _check_sight(runs, blind)
        matrices.append(_read_runs(runs, known, stratum))
    return merge(matrices)


def _check_sight(runs: Sequence[Path], blind: bool | None) -> None:
    """Blind answers among sighted ones look like a weak model, sighted ones among blind ones like items to remove."""
    saw = {folder: not bool((_spec_of(folder).get("prompt") or {}).get("blind")) for folder in runs}
    sighted = next((folder for folder in runs if saw[folder]), None)
    without = next((folder for folder in runs if not saw[folder]), None)
    if blind and sighted:
        raise UsageError(f"{sighted} saw the images; the blind pass takes runs made with `snellen run --blind`")
    if blind is False and without:
        raise UsageError(f"{without} was made with --blind; here runs are needed that saw the images")
    if sighted and without:
        raise UsageError(f"{without} was made with --blind, {sighted} was not: one matrix holds one kind of runs")


def read_families(path: Path | str | None) -> dict[str, str]:
    """Model → family from a table with the columns model and family; {} for none."""
    if path is None:
        return {}
    table = read_table(Path(path))
    if "model" not in table.column_names or "family" not in table.column_names:
        raise BenchmarkError(f"{path} needs the columns model and family; it has {', '.join(table.column_names)}")
    return dict(zip(table["model"].to_pylist(), table["family"].to_pylist(), strict=True))


def read_table(path: Path) -> Any:
    """A CSV (also .gz) or Parquet file as an Arrow table.

    Raises:
        UsageError: it does not exist.
        BenchmarkError: it cannot be read.
    """
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    if not path.is_file():
        raise UsageError(f"{path} is no file and no run directory")
    try:
        if path.suffix == ".parquet":
            return pq.read_table(path)
        texts = {name: pa.string() for name in (*ITEM_NAMES, *MODEL_NAMES, "family", "answer", "answer_type")}
        return pc.read_csv(path, convert_options=pc.ConvertOptions(column_types=texts, strings_can_be_null=True))
    except (pa.ArrowInvalid, OSError) as error:
        raise BenchmarkError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}") from error


def _read_file(path: Path, items: Path | str | None, families: Mapping[str, str], stratum: str) -> ResponseMatrix:
    table = read_table(path)
    item, model, score = (_column(table, path, names) for names in (ITEM_NAMES, MODEL_NAMES, SCORE_NAMES))
    coded = _coded(table, item, model, score, path)
    own = [name for name in table.column_names if name not in (item, model, score, "family")]
    item_table = _first_rows(table, coded.item_codes, coded.items, own) if own else {}
    beside = Path(items) if items else _items_beside(path)
    if beside is not None:
        for name, row in read_item_table(beside).items():
            item_table.setdefault(name, {}).update(row)
    if "family" in table.column_names:
        stated = _first_rows(table, coded.model_codes, coded.models, ["family"])
        families = {**{name: str(row["family"]) for name, row in stated.items() if row["family"]}, **families}
    return matrix_from_tidy(coded, families=families, item_table=item_table, stratum=stratum, source=str(path))


def _column(table: Any, path: Path, names: Sequence[str]) -> str:
    for name in names:
        if name in table.column_names:
            return name
    raise BenchmarkError(f"{path} has no column {names[0]!r}; it has {', '.join(table.column_names)}")


def _coded(table: Any, item: str, model: str, score: str, path: Path) -> TidyColumns:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        numbers = pc.cast(table[score], pa.float64())
    except pa.ArrowInvalid as error:
        raise BenchmarkError(f"{path}: the column {score!r} is not numeric: {str(error).splitlines()[0]}") from error
    codes = []
    for name in (item, model):
        column = table[name].combine_chunks()
        if column.null_count:
            row = column.is_null().to_pylist().index(True)
            raise BenchmarkError(f"{path}: row {row + 1} has no {name}")
        encoded = (
            column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(pc.cast(column, pa.string()))
        )
        names = tuple(str(value) for value in encoded.dictionary.to_pylist())
        codes.append((encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), names))
    scores = numbers.to_numpy().astype(np.float64)
    return TidyColumns(codes[0][0], codes[1][0], scores, codes[0][1], codes[1][1])


def _items_beside(path: Path) -> Path | None:
    stem = path.name.removesuffix(".gz").removesuffix(".csv").removesuffix(".parquet")
    for ending in (".items.csv", ".items.parquet"):
        candidate = path.with_name(stem + ending)
        if candidate.is_file():
            return candidate
    return None


def read_item_table(path: Path) -> dict[str, dict[str, object]]:
    """Item → its columns.

    Raises:
        BenchmarkError: an item stands twice.
    """
    table = read_table(path)
    item = _column(table, path, ITEM_NAMES)
    names = [str(name) for name in table[item].to_pylist()]
    if len(set(names)) != len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise BenchmarkError(f"{path}: item {twice!r} stands twice in the item table")
    columns = [name for name in table.column_names if name != item]
    return _first_rows(table, np.arange(len(names)), names, columns)


def _first_rows(
    table: Any, codes: Ints, names: Sequence[str], columns: Sequence[str]
) -> dict[str, dict[str, object]]:
    """Columns of each name's first row; a tidy table repeats an item's columns on each of its rows."""
    import pyarrow as pa

    found, first = np.unique(codes, return_index=True)
    part = table.select(columns).take(pa.array(first))
    values = {column: part[column].to_pylist() for column in columns}
    return {names[code]: {column: values[column][k] for column in columns} for k, code in enumerate(found.tolist())}


def _read_runs(folders: Sequence[Path], families: Mapping[str, str], stratum: str) -> ResponseMatrix:
    rows: dict[tuple[str, str], float] = {}
    table: dict[str, dict[str, object]] = {}
    origin: dict[str, Path] = {}
    for folder in folders:
        model = model_of_run(folder)
        if model in origin:
            model = _other_name(model, folder, origin)
        origin[model] = folder
        for item, score, about in _scores_of_run(folder):
            rows[item, model] = score
            table.setdefault(item, about)
    items = tuple(dict.fromkeys(item for item, _ in rows))
    models = tuple(origin)
    where = {name: i for i, name in enumerate(items)}
    column = {name: i for i, name in enumerate(models)}
    coded = TidyColumns(
        np.array([where[i] for i, _ in rows], dtype=np.int64),
        np.array([column[m] for _, m in rows], dtype=np.int64),
        np.array(list(rows.values()), dtype=np.float64),
        items,
        models,
    )
    return matrix_from_tidy(coded, families=families, item_table=table, stratum=stratum, source="the runs")


def _other_name(model: str, folder: Path, origin: Mapping[str, Path]) -> str:
    """A second run of one model (another image size, prompt or seed) goes by its folder's name."""
    name = f"{model} ({folder.name})"
    if name in origin:
        raise UsageError(f"{folder} is named twice; each run may stand once")
    return name


def model_of_run(folder: Path) -> str:
    """Name of the model of a run directory.

    Raises:
        UsageError: it is no run directory.
    """
    about = _spec_of(folder).get("model")
    name = about.get("name") if isinstance(about, Mapping) else about
    return str(name or folder.name)


def _spec_of(folder: Path) -> Mapping[str, Any]:
    from snellen.store import read_json

    if not (folder / "run.json").is_file():
        raise UsageError(f"{folder} is no run directory (it has no run.json)")
    return read_json(folder / "run.json")


def _scores_of_run(folder: Path) -> list[tuple[str, float, dict[str, object]]]:
    """One score an item: the mean over epochs; a circular item is right only in so far as all rotations are."""
    from snellen.scores_file import read_scores

    found: dict[str, dict[str, list[float]]] = {}
    about: dict[str, dict[str, object]] = {}
    for row in read_scores(folder / "scores.parquet", _RUN_COLUMNS):
        if row["state"] == "not_asked":
            continue
        item = row["group"] or row["sample_id"]
        value = float("nan") if row["value"] is None else float(row["value"])
        found.setdefault(item, {}).setdefault(row["sample_id"], []).append(value)
        about.setdefault(item, _about(row))
    return [(item, _circular(samples), about[item]) for item, samples in found.items()]


def _about(row: Mapping[str, Any]) -> dict[str, object]:
    columns: dict[str, object] = {name: row[name] for name in ("dataset", "capability", "category") if row[name]}
    if row["n_choices"]:
        columns["n_options"] = row["n_choices"]
    return columns


def _circular(samples: Mapping[str, Sequence[float]]) -> float:
    means = []
    for values in samples.values():
        known = [v for v in values if v == v]
        means.append(sum(known) / len(known) if known else float("nan"))
    if any(m != m for m in means):
        return float("nan")
    return min(means)


def write_matrix(path: Path, matrix: ResponseMatrix) -> None:
    """Write a matrix as a tidy Parquet (or CSV) file that `read_matrix` reads back as it was."""
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    n_models, n_items = matrix.scores.shape
    item_index = np.repeat(np.arange(n_items, dtype=np.int32), n_models)
    model_index = np.tile(np.arange(n_models, dtype=np.int32), n_items)
    scores = matrix.scores.T.ravel()
    columns = {
        "item": pa.DictionaryArray.from_arrays(item_index, pa.array(matrix.items, pa.string())),
        "model": pa.DictionaryArray.from_arrays(model_index, pa.array(matrix.models, pa.string())),
        "score": pa.array(scores, mask=np.isnan(scores)),
        "family": pa.DictionaryArray.from_arrays(model_index, pa.array(matrix.families, pa.string())),
    }
    for name, values in _all_columns(matrix).items():
        columns[name] = pa.array(values).take(pa.array(item_index))
    table = pa.table(columns)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(table, path, compression="zstd")
    else:
        plain = [pa.array(c.to_pylist()) if pa.types.is_dictionary(c.type) else c for c in table.columns]
        pc.write_csv(pa.table(dict(zip(table.column_names, plain, strict=True))), path)


def _all_columns(matrix: ResponseMatrix) -> dict[str, tuple[object, ...]]:
    columns = {name: values for name, values in matrix.columns.items() if name not in ("item", "model", "score")}
    if matrix.strata and not {"dataset", "task", "category", "capability"} & set(columns):
        columns["dataset"] = matrix.strata
    return columns
