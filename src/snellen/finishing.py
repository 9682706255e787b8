"""Logs of a run directory → scores, numbers and reports. Used by every verb that ends in a scored run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from snellen import images
from snellen.engine.judge_facts import judge_facts
from snellen.engine.judge_panel import panel_of
from snellen.engine.judge_rules import against_rules
from snellen.engine.ledger import Ledger
from snellen.engine.rules import Rulebook
from snellen.engine.scoring import Scoring, find_coordinates, sample_records
from snellen.engine.sight import Sight
from snellen.errors import SnellenError
from snellen.reports.gathering import gather, predictions
from snellen.reports.official_mix import official_overall
from snellen.reports.results import RunResult
from snellen.reports.run_page_data import PageData
from snellen.reports.summary import CONVENTIONS, Summary, summarise
from snellen.reports.thresholds import summary_line
from snellen.reports.writing import write_report
from snellen.scores_file import stream_scores, write_scores
from snellen.store import read_log
from snellen.types import Benchmark, ImagePart, Sample


def finish_run(
    folder: Path,
    spec: Mapping[str, Any],
    *,
    benchmark: Benchmark | None,
    facts: Mapping[str, Any],
    n_selected: int,
    rulebook: Rulebook,
    tick: Callable[[int], None] | None = None,
) -> RunResult:
    """Score everything that is answered and write scores.parquet and the reports.

    Args:
        folder: the run directory.
        spec: its frozen spec.
        benchmark: for the pictures of the examples; None leaves them out.
        facts: what happened in this attempt.
        n_selected: samples that the run was to ask.
        rulebook: which rule scores which sample.
        tick: called now and then with the number of samples scored.
    """
    ledger = Ledger.load(folder)
    try:
        scoring = _scoring(folder, spec, ledger, rulebook)
        if tick is not None:
            scoring.tick = tick
        causes = Causes()
        rows = write_scores(folder / "scores.parquet", causes.watch(scoring.rows(ledger)))
        summary = _summary(rows, spec, n_selected)
        notes = [*facts.get("notes", ()), *dict.fromkeys(scoring.notes), *causes.sentences()]
        facts = {**facts, "coordinates": scoring.coordinates, "notes": notes}
        return _report(folder, spec, summary, ledger=ledger, benchmark=benchmark, facts=facts)
    finally:
        ledger.close()


class Causes:
    """Why samples have no score: counts by kind with the first reason of each."""

    def __init__(self) -> None:
        self._n: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def watch(self, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Hand the rows on and look at them in passing."""
        for row in rows:
            kind = row["state"] if row["state"] != "error" else f"error: {row.get('error_kind')}"
            if kind not in ("scored", "not_asked", "unjudged") and row.get("reason"):
                self._n[kind] += 1
                self._first.setdefault(kind, str(row["reason"]))
            yield row

    def sentences(self) -> list[str]:
        """One a kind, the most frequent first."""
        return [f"{kind} ({n}), such as: {self._first[kind][:_REASON_CHARS]}" for kind, n in self._n.most_common(4)]


def report_run(
    folder: Path,
    spec: Mapping[str, Any],
    *,
    benchmark: Benchmark | None,
    facts: Mapping[str, Any],
    n_selected: int,
    also: Callable[[PageData], None] | None = None,
) -> RunResult:
    """Write the reports of a scored run again, from `scores.parquet` as it stands.

    Args:
        folder: the run directory.
        spec: its frozen spec.
        benchmark: for the pictures of the examples; None leaves them out.
        facts: what happened in the run.
        n_selected: samples that the run was to ask.
        also: is given everything on the page when the reports are written (for figures, for trackers).
    """
    summary = _summary(stream_scores(folder / "scores.parquet", list(_NEEDED)), spec, n_selected)
    ledger = Ledger.load(folder)
    try:
        return _report(folder, spec, summary, ledger=ledger, benchmark=benchmark, facts=facts, also=also)
    finally:
        ledger.close()


def read_result(folder: Path, spec: Mapping[str, Any], *, facts: Mapping[str, Any], n_selected: int) -> RunResult:
    """A run that another process has just finished, without writing anything."""
    rows = stream_scores(folder / "scores.parquet", list(_NEEDED))
    return RunResult(folder, _summary(rows, spec, n_selected), facts, spec)


def _report(
    folder: Path,
    spec: Mapping[str, Any],
    summary: Summary,
    *,
    ledger: Ledger,
    benchmark: Benchmark | None,
    facts: Mapping[str, Any],
    also: Callable[[PageData], None] | None = None,
) -> RunResult:
    all_facts = {**_log_facts(folder, ledger), **facts}
    all_facts["notes"] = _with_sight(all_facts)
    judging = judge_facts(folder, spec, panel_of(folder, spec))
    if judging is not None:
        rules = against_rules(folder, seed=int(spec.get("seed", 0)))
        if rules is not None:
            judging = {**judging, "sentences": [*judging["sentences"], rules.pop("sentence")], "against_rules": rules}
        all_facts["judging"] = judging
        all_facts["notes"] += [sentence for sentence in judging["sentences"] if sentence not in all_facts["notes"]]
    mix = spec.get("benchmark", {}).get("facts", {}).get("official_mix")
    official = official_overall(summary, mix) if mix else None
    if official is not None:
        all_facts["official_overall"] = official.as_record()
        all_facts["notes"] += [official.sentence] if official.sentence not in all_facts["notes"] else []
    data = gather(folder, summary, spec=spec, facts=all_facts, ledger=ledger, pictures=_pictures(benchmark))
    write_report(folder, data, predictions(folder, ledger))
    if also is not None:
        also(data)
    if data.thresholds:
        all_facts["sees"] = summary_line(data.thresholds)
    return RunResult(folder, summary, all_facts, spec)


def _with_sight(facts: Mapping[str, Any]) -> list[str]:
    """The notes, with the warning of the sight check, which only the first attempt makes."""
    notes = list(facts.get("notes", ()))
    if facts.get("sight"):
        warning = Sight(facts["sight"]["state"], facts["sight"]["reason"]).warning
        if warning and warning not in notes:
            notes.append(warning)
    return notes


def _pictures(benchmark: Benchmark | None) -> Callable[[list[int]], dict[int, list[bytes]]] | None:
    """Encoded images of the samples at some positions, read from the benchmark; an unreadable one is left out."""
    if benchmark is None:
        return None

    def find(positions: list[int]) -> dict[int, list[bytes]]:
        found: dict[int, list[bytes]] = {}
        wanted = sorted(positions)
        with suppress(SnellenError, OSError):
            for position, sample in zip(wanted, benchmark.samples(wanted), strict=False):
                found[position] = _images_of(sample, getattr(benchmark, "root", None))
        return found

    return find


def _images_of(sample: Sample, root: Path | None) -> list[bytes]:
    out = []
    for part in sample.parts:
        if isinstance(part, ImagePart):
            with suppress(SnellenError):
                out.append(images.read_bytes(part.source, root=root))
    return out


_REASON_CHARS = 300
_NEEDED = (
    "position", "capability", "dataset", "category", "group", "cluster", "weight", "state", "error_kind", "value",
    "fair", "datbench_1_0", "flags",
)  # fmt: skip


def _scoring(folder: Path, spec: Mapping[str, Any], ledger: Ledger, rulebook: Rulebook) -> Scoring:
    wanted = spec.get("scorer", {})
    scoring = Scoring(
        folder, rulebook, int(spec.get("epochs", 1)), panel=panel_of(folder, spec),
        coordinates=str(wanted.get("coordinates", "auto")),
        numeric_tolerance=float(wanted.get("numeric_tolerance", 0.0)),
    )  # fmt: skip
    if scoring.coordinates == "auto":
        found = find_coordinates(sample_records(folder), ledger)
        if found is not None:
            scoring.coordinates = str(found["convention"])
            scoring.notes.append(f"coordinates: {found['sentence']}")
    return scoring


def _summary(rows: Iterable[dict[str, Any]], spec: Mapping[str, Any], n_selected: int) -> Summary:
    return summarise(
        rows,
        convention=CONVENTIONS[str(spec.get("convention", "left-out"))],
        seed=int(spec.get("seed", 0)),
        n_selected=n_selected,
        n_epochs=int(spec.get("epochs", 1)),
        order=[str(name) for name in spec.get("benchmark", {}).get("facts", {}).get("capability_order") or ()],
    )


def _log_facts(folder: Path, ledger: Ledger) -> dict[str, Any]:
    totals = ledger.totals
    sessions = [r.value for r in read_log(folder / "sessions.jsonl") if r.value]
    sights = [s["sight"] for s in sessions if s.get("sight")]
    return {
        "tokens": {
            "input": totals.n_in,
            "output": totals.n_out,
            "n_answers_without_usage": totals.n_answers_without_usage,
        },
        "n_calls": totals.n_calls,
        "n_shared": totals.n_shared,
        **_latencies(ledger),
        "n_attempts": sum(s.get("event") == "start" for s in sessions),
        "active_s": round(sum(s.get("active_s", 0.0) for s in sessions), 3),
        "sight": sights[-1] if sights else None,
        "max_in_flight": max((s.get("max_in_flight", 0) for s in sessions), default=0),
    }


def _latencies(ledger: Ledger) -> dict[str, float]:
    """Median and 95th percentile of the seconds an answer took."""
    seconds = sorted(ledger.latencies_s)
    if not seconds:
        return {}
    return {
        "latency_p50_s": seconds[len(seconds) // 2],
        "latency_p95_s": seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))],
    }
