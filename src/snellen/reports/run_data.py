"""A run directory as arrays: one entry a sample, epochs averaged, ready to be set beside another run."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from snellen.errors import StoreError
from snellen.reports.summary import CONVENTIONS
from snellen.scores_file import read_scores
from snellen.stats.resampling import Floats
from snellen.store import read_json, read_log, read_spec

NAN = float("nan")
_SCORE_COLUMNS = [
    "position", "sample_id", "epoch", "key", "dataset", "capability", "category", "group", "cluster", "n_choices",
    "weight", "state", "value", "fair", "datbench_1_0", "flags", "answer", "scorer", "scorer_version",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One sample of a run, its epochs averaged."""

    position: int
    """Row in the benchmark."""
    id: str
    """Sample id."""
    content: str
    """Hash of what is asked: texts, choices and pictures (as the benchmark holds them)."""
    question: str
    """The bare question."""
    references: tuple[str, ...]
    """Accepted truths."""
    images: tuple[str, ...]
    """SHA-256 of each picture."""
    capability: str
    """Skill group, "" for none."""
    dataset: str
    """Source dataset, "" for none."""
    category: str
    """Finer group, "" for none."""
    group: str
    """Circular group, "" for none."""
    cluster: str
    """Samples about the same picture share it."""
    n_choices: int
    """Options, 0 for free response."""
    weight: float | None
    """Survey weight, None for none."""
    score: float
    """Mean over epochs under the run's convention; NaN = missing."""
    answer: str
    """What was read out of the first epoch's response."""
    flags: frozenset[str]
    """Flags of any epoch."""
    scorer: str
    """Name and version of the rule that scored it."""
    n_out: float
    """Mean tokens of an answer, reasoning included; NaN where the server did not say."""
    n_in: float
    """Mean prompt tokens."""
    latency_s: float
    """Mean seconds of a call."""
    metadata: Mapping[str, Any]
    """The sample's metadata where it is small, else empty."""
    fair: float
    """Mean over epochs by the fair rules; NaN where the sample has no score by both rule sets."""
    datbench_1_0: float
    """The same by the public library's rules."""
    is_zeroed: bool
    """No judge decided an epoch, and the run's convention counts that as 0."""


@dataclass(frozen=True, slots=True)
class RunData:
    """A run ready for comparison."""

    folder: Path
    """Its directory."""
    spec: Mapping[str, Any]
    """Its frozen spec."""
    facts: Mapping[str, Any]
    """What happened (cost, notes)."""
    samples: tuple[SampleRow, ...]
    """In the order of the benchmark."""

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.spec.get("model", {}).get("name", "?"))

    @property
    def benchmark(self) -> str:
        """Name of the benchmark."""
        return str(self.spec.get("benchmark", {}).get("name", "?"))

    @property
    def is_blind(self) -> bool:
        """Whether the images were left out."""
        return bool(self.spec.get("prompt", {}).get("blind"))

    @property
    def cost(self) -> float:
        """Money spent, in the unit of the price file; NaN when no prices were given."""
        value = self.facts.get("cost")
        return float(value) if isinstance(value, int | float) and value > 0 else NAN

    def scores(self) -> Floats:
        """Scores in order, shape (n_samples,); NaN = missing."""
        return np.array([row.score for row in self.samples], dtype=np.float64)

    def clusters(self) -> list[str] | None:
        """Picture of each sample where any picture is used twice, else None."""
        return clusters_of(self.samples)


def clusters_of(samples: Sequence[SampleRow]) -> list[str] | None:
    """Labels of dependent samples: their picture, or their circular group; None where nothing repeats."""
    labels = [row.cluster or row.group for row in samples]
    named = [label for label in labels if label]
    return labels if len(set(named)) < len(named) else None


def load_run(folder: Path) -> RunData:
    """Read a scored run directory.

    Args:
        folder: a directory that `snellen run` made.

    Raises:
        StoreError: it is no run directory, or it is damaged, or it was never scored.
    """
    spec = read_spec(folder)
    rows = read_scores(folder / "scores.parquet", _SCORE_COLUMNS)
    records = _sample_records(folder / "samples.jsonl")
    calls = _calls(folder)
    zero = CONVENTIONS[str(spec.get("convention", "left-out"))].zero
    by_position: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_position.setdefault(int(row["position"]), []).append(row)
    samples = [
        _sample(epochs, records.get(position, {}), calls, zero) for position, epochs in sorted(by_position.items())
    ]
    return RunData(folder, spec, _facts(folder), tuple(samples))


def _facts(folder: Path) -> Mapping[str, Any]:
    try:
        facts = read_json(folder / "report.json").get("facts")
    except StoreError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _sample_records(path: Path) -> dict[int, dict[str, Any]]:
    """Position → the fields of its last record that a comparison needs."""
    kept: dict[int, dict[str, Any]] = {}
    for record in read_log(path):
        if record.value is not None and "position" in record.value:
            kept[int(record.value["position"])] = _slim(record.value)
    return kept


def _slim(record: Mapping[str, Any]) -> dict[str, Any]:
    images = tuple(str(image.get("sha256", "")) for image in record.get("images", ()))
    texts = [record.get(name) for name in ("prefix", "question", "suffix", "system", "choices")]
    content = hashlib.sha256(orjson.dumps([texts, images], default=str)).hexdigest()[:32]
    metadata = record.get("metadata")
    return {
        "content": content,
        "question": str(record.get("question") or ""),
        "references": tuple(str(text) for text in record.get("references") or ()),
        "images": images,
        "metadata": metadata if isinstance(metadata, dict) else {},
    }


@dataclass(frozen=True, slots=True)
class _Call:
    n_in: float
    n_out: float
    latency_s: float


def _calls(folder: Path) -> dict[tuple[str, int], _Call]:
    """(prompt key, epoch) → tokens and time of its answer."""
    calls: dict[tuple[str, int], _Call] = {}
    for path in sorted(folder.glob("responses*.jsonl")):
        for record in read_log(path):
            value = record.value
            if value is not None and value.get("status") == "ok":
                numbers = (_number(value.get(name)) for name in ("n_in", "n_out", "latency_s"))
                calls[str(value.get("key")), int(value.get("epoch") or 0)] = _Call(*numbers)
    return calls


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else NAN


def _sample(
    epochs: Sequence[Mapping[str, Any]],
    record: Mapping[str, Any],
    calls: Mapping[tuple[str, int], _Call],
    zero: Sequence[str],
) -> SampleRow:
    first = epochs[0]
    made = [call for row in epochs if (call := calls.get((row["key"], row["epoch"]))) is not None]
    return SampleRow(
        position=int(first["position"]),
        id=first["sample_id"],
        content=str(record.get("content", "")),
        question=str(record.get("question", "")),
        references=tuple(record.get("references", ())),
        images=tuple(record.get("images", ())),
        capability=first["capability"] or "",
        dataset=first["dataset"] or "",
        category=first["category"] or "",
        group=first["group"] or "",
        cluster=first["cluster"] or "",
        n_choices=first["n_choices"] or 0,
        weight=first.get("weight"),
        score=_score(epochs, zero),
        answer=first["answer"] or "",
        flags=frozenset(flag for row in epochs for flag in row.get("flags") or ()),
        scorer=f"{first['scorer'] or ''} {first['scorer_version'] or ''}".strip(),
        n_out=_mean([call.n_out for call in made]),
        n_in=_mean([call.n_in for call in made]),
        latency_s=_mean([call.latency_s for call in made]),
        metadata=record.get("metadata", {}),
        fair=_both(epochs, "fair"),
        datbench_1_0=_both(epochs, "datbench_1_0"),
        is_zeroed=any(row["state"] in zero for row in epochs),
    )


def _score(epochs: Sequence[Mapping[str, Any]], zero: Sequence[str]) -> float:
    values = [row["value"] for row in epochs if row["state"] == "scored" and row["value"] is not None]
    n = len(values) + sum(row["state"] in zero for row in epochs)
    return math.fsum(values) / n if n else NAN


def _both(epochs: Sequence[Mapping[str, Any]], name: str) -> float:
    """Mean by one of the two rule sets over the epochs that have both."""
    return _mean([row[name] for row in epochs if row.get("fair") is not None and row.get("datbench_1_0") is not None])


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else NAN
