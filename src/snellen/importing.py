"""`snellen import`: another tool's predictions as a run, scored and compared like any other.

With a benchmark its samples are matched to the predictions; without one the questions are taken from the file itself
and written beside the runs, once for all models that answered them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from snellen import benchmarks, config, running
from snellen.config import RunOptions
from snellen.engine.plan import benchmark_options
from snellen.errors import UsageError
from snellen.importers import Prediction, Predictions, Recorded, read
from snellen.reports.results import RunResult
from snellen.store import make_folder, write_bytes
from snellen.types import Benchmark

MATCHES = ("id", "question", "position")
MIN_MATCHED = 0.5
"""Share of the predictions that must fit the benchmark's samples."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Predictions under the sample ids of a benchmark."""

    how: str
    """"id", "question" or "position"."""
    answers: Mapping[tuple[str, int], Prediction]
    """(sample id, epoch) → prediction."""
    n_left: int = 0
    """Predictions that no sample takes."""
    notes: Sequence[str] = field(default=())
    """What is worth knowing."""


def import_run(
    path: Path, kind: str, options: Mapping[str, Any], *, name: str | None = None, match: str = "auto"
) -> RunResult:
    """Turn a file of predictions into a run.

    Args:
        path: the other tool's file.
        kind: which tool ("vlmevalkit", "lmms-eval", "inspect", "evalscope", "jsonl", "csv").
        options: of the run: benchmark and data where the benchmark is known here, out, scorer, tags, judge, …
        name: name of the model; as the file or its folder says when None. Where the file holds several models, the
            one to take.
        match: how predictions find the benchmark's samples: "id", "question", "position", or "auto" for the first
            of these that fits.

    Raises:
        UsageError: the file is not of that kind, or does not fit the benchmark.
        BenchmarkError: the benchmark cannot be read.
    """
    found = _of_one_model(read(path, kind), name, path)
    model_name = f"imported:{name or found.model or path.stem}"
    bench: Benchmark | None = None
    if options.get("benchmark"):
        base = config.merge({"model": model_name}, options)
        bench = benchmarks.load(base.benchmark, data=base.data, options=benchmark_options(base))
        matched = match_samples(found, bench, match)
    else:
        questions = write_questions(found, Path(options.get("out") or "runs") / "imported")
        matched = _match(found.rows, {row.id: row.id for row in found.rows}, "id")
        options = {**options, "benchmark": f"file:{questions}"}
    run_options = _run_options(options, path, found, model_name)
    notes = [f"imported from {kind} file {path.name}", *_remarks(found, matched, bench)]
    model = Recorded(model_name, matched.answers, notes=notes, model=found.model)
    return running.run(run_options, model=model, benchmark=bench)


def _of_one_model(found: Predictions, name: str | None, path: Path) -> Predictions:
    """The predictions of one model; a file of several needs to be told which, or they would make one false run."""
    models = list(dict.fromkeys(row.model for row in found.rows if row.model))
    if len(models) < 2:
        return found
    if name not in models:
        shown = ", ".join(models[:6]) + (", …" if len(models) > 6 else "")
        raise UsageError(f"{path.name} holds the answers of {len(models)} models; take one with --name: {shown}")
    rows = [row for row in found.rows if row.model == name]
    return replace(found, model=name, rows=rows, notes=[*found.notes, f"one of {len(models)} models in the file"])


def _run_options(options: Mapping[str, Any], path: Path, found: Predictions, model_name: str) -> RunOptions:
    """The run's options; the file's hash is part of its identity, so that another file is another run."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    own = {
        **options,
        "model": model_name,
        "epochs": max((row.epoch for row in found.rows), default=0) + 1,
        "params": {"imported_sha256": digest},
        "temperature": None,
    }
    return config.merge({}, own)


def _remarks(found: Predictions, matched: Matched, bench: Benchmark | None) -> list[str]:
    said = [*found.notes, *found.lacks(), *matched.notes]
    if bench is not None:
        said.append(f"predictions were matched to {bench.name} by {matched.how}")
    if matched.n_left:
        said.append(f"{matched.n_left} predictions fit no sample, or one that has an answer, and were left out")
    said.append("the prompts shown are those of snellen; what the other tool sent is not known")
    return said


def match_samples(found: Predictions, bench: Benchmark, how: str) -> Matched:
    """Find each prediction's sample.

    Raises:
        UsageError: fewer than half of them fit.
    """
    if how not in ("auto", *MATCHES):
        raise UsageError(f"--match takes auto, {', '.join(MATCHES)}, got {how!r}")
    tried: list[str] = []
    for one in MATCHES if how == "auto" else (how,):
        matched = _match(found.rows, _keys(bench, one), one)
        n_fit = len(found.rows) - matched.n_left
        if n_fit >= MIN_MATCHED * len(found.rows):
            return matched
        tried.append(f"{n_fit} by {one}")
    ids = ", ".join(row.id for row in found.rows[:3])
    known = ", ".join(row.id for row, _ in zip(bench.index(), range(3), strict=False))
    raise UsageError(
        f"the {len(found.rows)} predictions do not fit {bench.name} ({', '.join(tried)}): their ids are like {ids}, "
        f"its own like {known}; leave --benchmark out to take the questions from the file"
    )


def _keys(bench: Benchmark, how: str) -> dict[str, str]:
    """What a prediction shows → sample id; what stands for several samples stands for none."""
    if how == "question":
        pairs = [(_plain(sample.question), sample.id) for sample in bench.samples()]
    else:
        pairs = [(row.id if how == "id" else str(row.position), row.id) for row in bench.index()]
    keys: dict[str, str] = {}
    twice = set()
    for key, sample_id in pairs:
        if keys.setdefault(key, sample_id) != sample_id:
            twice.add(key)
    return {key: sample_id for key, sample_id in keys.items() if key not in twice}


def _match(rows: Sequence[Prediction], keys: Mapping[str, str], how: str) -> Matched:
    answers: dict[tuple[str, int], Prediction] = {}
    n_left = 0
    for row in rows:
        sample_id = keys.get(_plain(row.question) if how == "question" else row.id)
        if sample_id is None or (sample_id, row.epoch) in answers:
            n_left += 1
        else:
            answers[(sample_id, row.epoch)] = row
    return Matched(how, answers, n_left)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def write_questions(found: Predictions, folder: Path) -> Path:
    """The questions of a file of predictions as a benchmark of their own; equal questions give one file.

    Returns:
        A JSONL that `file:` reads, named after the task and its content.
    """
    lines: dict[str, bytes] = {}
    for row in found.rows:
        lines.setdefault(row.id, orjson.dumps(_question_row(row)))
    data = b"\n".join(lines.values()) + b"\n"
    digest = hashlib.sha256(data).hexdigest()[:8]
    make_folder(folder)
    stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in found.task)[:60].strip("-.") or "questions"
    path = folder / f"{stem}-{digest}.jsonl"
    if not path.exists():
        write_bytes(path, data)
    return path


def _question_row(row: Prediction) -> dict[str, Any]:
    record: dict[str, Any] = {"id": row.id, "question": row.question.strip() or f"(question {row.id}, not recorded)"}
    if row.references:
        record["answer"] = row.references[0]
    if len(row.references) > 1:
        record["references"] = list(row.references)
    if row.choices:
        record["choices"] = list(row.choices)
    for name in ("category", "group"):
        if getattr(row, name):
            record[name] = getattr(row, name)
    return {key: _encodable(value) for key, value in record.items()}


def _encodable(value: Any) -> Any:
    """Half characters, which JSON in UTF-8 cannot carry, as question marks."""
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    return value.encode("utf-8", "replace").decode("utf-8")
