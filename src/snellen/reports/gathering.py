"""What a run's page shows beside the numbers, gathered in one pass over the scores and the samples."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from snellen.engine.ledger import Ledger
from snellen.engine.scoring import sample_records
from snellen.reports import examples
from snellen.reports.run_page_data import PageData
from snellen.reports.slices import Slices
from snellen.reports.summary import Summary
from snellen.reports.thresholds import KindThreshold, thresholds
from snellen.scores_file import stream_scores

_COLUMNS = [
    "position", "epoch", "sample_id", "state", "value", "fair", "datbench_1_0", "answer", "reason", "flags",
    "scorer", "dataset", "capability", "category", "verdict", "n_images", "long_side_px",
    "n_choices", "details", "fair_details",
]  # fmt: skip
_MAX_WRONG_PER_CATEGORY = 40
_MAX_DIFFERENCES = 200
_MAX_REASONS = 2000
_SHOWN_REASONS = 8


def pairs(folder: Path, columns: list[str]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """(score row, sample record) in the order of the benchmark, a batch in memory at a time."""
    records = sample_records(folder)
    record: dict[str, Any] = {"position": -1}
    for row in stream_scores(folder / "scores.parquet", columns):
        while record["position"] != row["position"]:
            record = next(records)
        yield row, record


def gather(
    folder: Path,
    summary: Summary,
    *,
    spec: Mapping[str, Any],
    facts: Mapping[str, Any],
    ledger: Ledger,
    pictures: Callable[[list[int]], dict[int, list[bytes]]] | None,
) -> PageData:
    """Everything on the page of a scored run."""
    seed = int(spec.get("seed", 0))
    gathered = _Gathered()
    for row, record in pairs(folder, _COLUMNS):
        gathered.add(row, record)
    chosen = examples.choose(gathered.wrong)
    wanted = {one.position for one in chosen}
    return PageData(
        summary=summary,
        spec=spec,
        facts=facts,
        slices=gathered.slices.means(seed=seed),
        examples=chosen,
        records=gathered.records,
        responses={
            position: str((ledger.record(gathered.records[position]["key"], 0) or {}).get("text") or "")
            for position in wanted
        },
        differences=gathered.differences,
        thresholds=_thresholds(gathered.rungs),
        verdicts=gathered.frequent_reasons(),
        pictures=pictures,
    )


class _Gathered:
    """What one pass collects; bounded, whatever the size of the run."""

    def __init__(self) -> None:
        self.slices = Slices()
        self.wrong: list[dict[str, Any]] = []
        self.differences: list[dict[str, Any]] = []
        self.rungs: list[dict[str, Any]] = []
        self.records: dict[int, Mapping[str, Any]] = {}
        self.reasons: dict[str, Counter[str]] = defaultdict(Counter)
        self._n_wrong: Counter[str] = Counter()

    def add(self, row: dict[str, Any], record: Mapping[str, Any]) -> None:
        """Take in one row."""
        self.slices.add(row, record)
        if row["verdict"]:
            reasons = self.reasons[row["verdict"]]
            reason = " ".join(str(row["reason"] or "").split())[:120]
            reasons[reason if len(reasons) < _MAX_REASONS else "(other reasons)"] += 1
        metadata = record.get("metadata") or {}
        if "level" in metadata and "kind" in metadata:
            self.rungs.append({"score": row["value"], "capability": row["capability"], "metadata": metadata})
        if row["epoch"] == 0 and row["state"] == "scored" and row["value"] < 0.5:
            self._keep_wrong(row, record)
        if _differ(row) and len(self.differences) < _MAX_DIFFERENCES:
            self.differences.append({**row, "why": _why(row)})
            self.records[row["position"]] = record

    def frequent_reasons(self) -> dict[str, dict[str, int]]:
        """State of a verdict → its most frequent reasons; the others counted together."""
        found: dict[str, dict[str, int]] = {}
        for state, reasons in sorted(self.reasons.items()):
            found[state] = dict(reasons.most_common(_SHOWN_REASONS))
            n_others = reasons.total() - sum(found[state].values())
            if n_others:
                found[state]["(other reasons)"] = found[state].get("(other reasons)", 0) + n_others
        return found

    def _keep_wrong(self, row: dict[str, Any], record: Mapping[str, Any]) -> None:
        group = str(row["category"] or row["dataset"])
        self._n_wrong[group] += 1
        if self._n_wrong[group] <= _MAX_WRONG_PER_CATEGORY:
            self.wrong.append(row)
            self.records[row["position"]] = record


def _differ(row: Mapping[str, Any]) -> bool:
    fair, parity = row["fair"], row["datbench_1_0"]
    return fair is not None and parity is not None and abs(fair - parity) > 1e-9


def _why(row: Mapping[str, Any]) -> str:
    """Why the rule sets differ: their reasons, else what each read."""
    try:
        fair = orjson.loads(row["fair_details"] or "{}")
    except orjson.JSONDecodeError:
        fair = {}
    reasons = [str(text) for text in (row["reason"], fair.get("reason")) if text]
    if reasons:
        return "; ".join(reasons)
    return f"fair read {fair['answer']!r}" if fair.get("answer") and fair["answer"] != row["answer"] else ""


def _thresholds(rungs: list[dict[str, Any]]) -> tuple[KindThreshold, ...]:
    return thresholds(rungs) if rungs else ()


def predictions(folder: Path, ledger: Ledger) -> Iterator[dict[str, Any]]:
    """One mapping a sample and epoch, with question, answer and references, for other tools."""
    columns = ["position", "epoch", "state", "value", "fair", "datbench_1_0", "answer", "verdict", "flags"]
    for row, record in pairs(folder, columns):
        response = ledger.record(record["key"], row["epoch"]) or {}
        yield {
            "id": record["id"],
            "epoch": row["epoch"],
            "question": record.get("question"),
            "references": record.get("references", []),
            "response": response.get("text"),
            "answer": row["answer"],
            "state": row["state"],
            "score": row["value"],
            "fair": row["fair"],
            "datbench_1_0": row["datbench_1_0"],
            "verdict": row["verdict"] or None,
            "flags": row["flags"],
        }
