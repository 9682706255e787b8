"""`snellen curate labels`: flag items, ask judges that see the image, decide, and queue what people should see."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from snellen.curating.matrices import model_of_run, read_table
from snellen.curating.subset import Fate, write_provenance, write_table
from snellen.curation.labels import (
    ALL_WRONG,
    BROKEN,
    DISPUTED,
    REASONS,
    Flag,
    LabelState,
    LabelVerdict,
    QueueRow,
    decide,
    flag_items,
    human_queue,
    label_prompt,
    parse_label_verdict,
    share_of_bad_labels,
)
from snellen.curation.matrix import ResponseMatrix
from snellen.errors import BenchmarkError, ModelError
from snellen.images import ImagePolicy, prepare, read_bytes
from snellen.models import open_model
from snellen.reports.blocks import Report, percent
from snellen.stats.agreement import Agreement, agreement
from snellen.stats.intervals import Interval
from snellen.store import Log, read_log
from snellen.types import Benchmark, GenerationOptions, ImagePart, Model, Prompt, Sample, SentPart, TextPart

_POLICY = ImagePolicy(max_side_px=2048)
_ATTEMPTS = 4


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """What `labels` can be told."""

    judges: tuple[str, ...] = ()
    """Model specs that see the image; none only flags."""
    policy: str = "two-judges"
    """Of `snellen.curation.labels.POLICIES`."""
    audit: float = 0.02
    """Share of decided and of unflagged items that people look at."""
    seed: int = 0
    """Of the audit sample."""
    concurrency: int = 8
    """Judge calls in flight."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """For `open_model` (base_url, …)."""


@dataclass(frozen=True, slots=True)
class LabelResult:
    """What the label pass found."""

    flags: tuple[Flag, ...]
    """Items looked at."""
    verdicts: Mapping[str, tuple[LabelVerdict, ...]]
    """Item → what its judges said."""
    states: tuple[LabelState, ...]
    """One a flagged item."""
    queue: tuple[QueueRow, ...]
    """For people."""
    agreement: Agreement | None
    """Of the first two judges; None with fewer."""
    bad_share: Interval | None
    """Share of bad labels among all items; None before people have looked at the audit."""
    n_items: int
    """Items of the matrix."""
    fates: tuple[Fate, ...]
    """One an item."""

    def kept(self) -> list[str]:
        """Items that stay in the score: neither broken nor disputed."""
        return [fate.item for fate in self.fates if fate.kept]

    def frontier(self) -> list[str]:
        """Items that no model solves and the judges found valid."""
        valid = {s.item for s in self.states if s.state not in (BROKEN, DISPUTED)}
        return [flag.item for flag in self.flags if flag.item in valid and flag.why == ALL_WRONG]

    def as_record(self) -> dict[str, Any]:
        """JSON-able summary."""
        return {
            "n": self.n_items,
            "n_flagged": len(self.flags),
            "flags": dict(Counter(flag.why for flag in self.flags)),
            "states": dict(Counter(state.state for state in self.states)),
            "reasons": dict(Counter(reason for state in self.states for reason in state.reasons)),
            "n_queue": len(self.queue),
            "agreement": None if self.agreement is None else _agreement_record(self.agreement),
            "share_of_bad_labels": None if self.bad_share is None else _interval_record(self.bad_share),
        }


def _agreement_record(found: Agreement) -> dict[str, Any]:
    names = ("observed", "kappa", "ac1", "alpha")
    return {"n": found.n, **{name: _interval_record(getattr(found, name)) for name in names}}


def _interval_record(interval: Interval) -> dict[str, float | None]:
    values = {"mean": interval.mean, "low": interval.low, "high": interval.high}
    return {name: None if value != value else float(value) for name, value in values.items()}


def labels(
    matrix: ResponseMatrix,
    folder: Path,
    options: LabelOptions | None = None,
    *,
    benchmark: Benchmark | None = None,
    answers: Mapping[str, Mapping[str, str]] | None = None,
    human: Path | None = None,
) -> LabelResult:
    """Flag, judge, decide; verdicts are kept in the folder, so that a second call asks only for what is missing.

    Args:
        matrix: models x items.
        folder: where the verdicts and the result lie.
        options: judges and policy.
        benchmark: the items with their images; needed for judges.
        answers: item → model → answer, for the second flag.
        human: CSV `item, wrong_label, ambiguous, too_coarse, reason` filled in by people from the queue.

    Raises:
        BenchmarkError: a judge is named and there is no benchmark.
    """
    options = options or LabelOptions()
    folder.mkdir(parents=True, exist_ok=True)
    flags = flag_items(matrix, answers)
    if options.judges and flags:
        if benchmark is None:
            raise BenchmarkError("label judges must see the images: give --benchmark and --data")
        asyncio.run(_ask_all(folder / "verdicts.jsonl", flags, benchmark, options))
    verdicts = _read_verdicts(folder / "verdicts.jsonl")
    people = read_human(human)
    for item, verdict in people.items():
        verdicts[item] = (*verdicts.get(item, ()), verdict)
    states = tuple(decide(flag.item, verdicts.get(flag.item, ()), options.policy) for flag in flags)
    flagged = {flag.item for flag in flags}
    unflagged = [item for item in matrix.items if item not in flagged]
    queue = human_queue(states, unflagged, share=options.audit, seed=options.seed)
    return LabelResult(
        flags=flags,
        verdicts=verdicts,
        states=states,
        queue=queue,
        agreement=_first_two(verdicts, options.judges),
        bad_share=_bad_share(matrix, states, people, queue),
        n_items=matrix.n_items,
        fates=_fates(matrix, flags, states, people),
    )


async def _ask_all(path: Path, flags: Sequence[Flag], benchmark: Benchmark, options: LabelOptions) -> None:
    done = {(record["item"], record["judge"]) for record in _records(path)}
    wanted = {flag.item for flag in flags}
    models = [open_model(spec, **options.settings) for spec in options.judges]
    gate = asyncio.Semaphore(options.concurrency)
    try:
        with Log(path) as log:
            tasks: set[asyncio.Task[None]] = set()
            for sample in benchmark.samples():
                item = sample.group or sample.id
                if item not in wanted:
                    continue
                wanted.discard(item)
                for model in models:
                    if (item, model.name) not in done:
                        tasks.add(asyncio.create_task(_ask(log, item, sample, model, gate)))
                if len(tasks) >= 4 * options.concurrency:
                    _, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.gather(*tasks)
    finally:
        for model in models:
            await model.aclose()


async def _ask(log: Log, item: str, sample: Sample, model: Model, gate: asyncio.Semaphore) -> None:
    """One verdict; a judge that fails or cannot be read leaves none, so that the next call asks again."""
    async with gate:
        prompt = Prompt(sample.id, await asyncio.to_thread(_parts, sample), question=sample.question)
        for attempt in range(_ATTEMPTS):
            try:
                reply = await model.generate(prompt, GenerationOptions(max_tokens=1024))
            except ModelError as error:
                if not error.retryable or attempt + 1 == _ATTEMPTS:
                    return
                await asyncio.sleep(error.retry_after_s or 2.0**attempt)
                continue
            verdict = parse_label_verdict(model.name, reply.text)
            if verdict is not None:
                log.append({"item": item, **asdict(verdict)})
            return


def _parts(sample: Sample) -> tuple[SentPart, ...]:
    images = [prepare(read_bytes(p.source), _POLICY) for p in sample.parts if isinstance(p, ImagePart)]
    official = sample.references[0] if sample.references else str(sample.answer)
    return (*images, TextPart(label_prompt(sample.question, official, sample.choices)))


def _records(path: Path) -> list[dict[str, Any]]:
    return [record.value for record in read_log(path) if record.value] if path.is_file() else []


def _read_verdicts(path: Path) -> dict[str, tuple[LabelVerdict, ...]]:
    found: dict[str, tuple[LabelVerdict, ...]] = {}
    for record in _records(path):
        flags = {name: bool(record.get(name)) for name in REASONS}
        verdict = LabelVerdict(str(record["judge"]), reason=str(record.get("reason", "")), **flags)
        found[record["item"]] = (*found.get(record["item"], ()), verdict)
    return found


def read_human(path: Path | None) -> dict[str, LabelVerdict]:
    """People's verdicts, item → verdict; rows that are not filled in are left out."""
    if path is None:
        return {}
    found = {}
    for row in read_table(path).to_pylist():
        values = [row.get(name) for name in REASONS]
        if all(value in (None, "") for value in values):
            continue
        flags = {name: _truth(value) for name, value in zip(REASONS, values, strict=True)}
        found[str(row["item"])] = LabelVerdict("human", reason=str(row.get("reason") or ""), **flags)
    return found


def _truth(value: object) -> bool:
    return str(value).strip().lower() in ("1", "1.0", "yes", "y", "true", "x")


def _first_two(verdicts: Mapping[str, Sequence[LabelVerdict]], judges: Sequence[str]) -> Agreement | None:
    names = [n for n in dict.fromkeys(v.judge for vs in verdicts.values() for v in vs) if n != "human"][:2]
    if len(names) < 2 or len(judges) < 2:
        return None
    said = {name: [_said(vs, name) for vs in verdicts.values()] for name in names}
    return agreement(said[names[0]], said[names[1]])


def _said(verdicts: Sequence[LabelVerdict], judge: str) -> str | None:
    mine = [v for v in verdicts if v.judge == judge]
    return None if not mine else "bad" if mine[-1].is_bad else "good"


def _bad_share(
    matrix: ResponseMatrix,
    states: Sequence[LabelState],
    people: Mapping[str, LabelVerdict],
    queue: Sequence[QueueRow],
) -> Interval | None:
    sampled = {row.item for row in queue if row.why.startswith("audit")}
    audited = {item: verdict.is_bad for item, verdict in people.items() if item in sampled}
    if len(audited) < 2:
        return None
    bad = {s.item for s in states if s.state in (BROKEN, DISPUTED)}
    return share_of_bad_labels({item: item in bad for item in matrix.items}, audited)


def _fates(
    matrix: ResponseMatrix,
    flags: Sequence[Flag],
    states: Sequence[LabelState],
    people: Mapping[str, LabelVerdict],
) -> tuple[Fate, ...]:
    state_of = {s.item: s for s in states}
    why = {flag.item: flag for flag in flags}
    fates = []
    for item in matrix.items:
        if item in state_of:
            s = state_of[item]
            kept = s.state not in (BROKEN, DISPUTED)
            fates.append(Fate(item, kept, "labels", f"{why[item].why}: {why[item].evidence}; {s.state}: {s.why}"))
        elif item in people and people[item].is_bad:
            fates.append(Fate(item, False, "labels", f"audit: a person found it bad ({people[item].reason})"))
        else:
            fates.append(Fate(item, True, "labels", "not flagged"))
    return tuple(fates)


def answers_of_runs(folders: Sequence[Path]) -> dict[str, dict[str, str]]:
    """What each run's model answered: item → model → answer as it was read."""
    from snellen.scores_file import read_scores

    found: dict[str, dict[str, str]] = {}
    for folder in folders:
        model = model_of_run(folder)
        for row in read_scores(folder / "scores.parquet", ["sample_id", "group", "answer"]):
            if row["answer"] and not row["group"]:
                found.setdefault(row["sample_id"], {})[model] = row["answer"]
    return found


def write(folder: Path, result: LabelResult) -> Report:
    """Write `labels.json`, `kept.txt`, `frontier.txt`, `queue.csv`, `provenance.csv` and the report."""
    (folder / "labels.json").write_text(json.dumps(result.as_record(), indent=1), encoding="utf-8")
    for name, items in (("kept.txt", result.kept()), ("frontier.txt", result.frontier())):
        (folder / name).write_text("".join(f"{item}\n" for item in items), encoding="utf-8")
    write_provenance(folder / "provenance.csv", result.fates)
    heads = ("item", "why", "inclusion", *REASONS, "reason")
    write_table(folder / "queue.csv", heads, ((q.item, q.why, q.inclusion, "", "", "", "") for q in result.queue))
    report = report_of(result)
    report.write(folder, "report")
    return report


def report_of(result: LabelResult) -> Report:
    """The pass as a report."""
    report = Report("Labels")
    report.text(
        f"{len(result.flags)} of {result.n_items} items were flagged "
        f"({percent(len(result.flags) / max(result.n_items, 1))}). Broken items are left out; disputed ones are left "
        f"out of the score until a person has looked; both stand in provenance.csv."
    )
    record = result.as_record()
    report.table(("state", "items"), list(record["states"].items()))
    if record["reasons"]:
        report.table(("reason", "items"), list(record["reasons"].items()))
    if result.agreement is not None:
        rows = [(n, v["mean"], v["low"], v["high"]) for n, v in record["agreement"].items() if n != "n"]
        report.heading(f"Agreement of the first two judges ({result.agreement.n} items)")
        report.table(("measure", "value", "low", "high"), rows)
    if result.bad_share is not None:
        share = result.bad_share
        report.text(
            f"Share of bad labels among all items, corrected by the audit: {percent(share.mean)} "
            f"({percent(share.low)} to {percent(share.high)})."
        )
    else:
        report.text(
            "Fill in queue.csv and give it back with --human to learn the share of bad labels among all items."
        )
    report.heading("Flagged items")
    state_of = {s.item: s for s in result.states}
    rows = [(f.item, f.why, state_of[f.item].state, "; ".join(_reasons(result, f.item))) for f in result.flags[:200]]
    report.table(("item", "flag", "state", "judges"), rows, texts=(3,))
    return report


def _reasons(result: LabelResult, item: str) -> list[str]:
    return [f"{v.judge}: {v.reason or 'nothing wrong'}" for v in result.verdicts.get(item, ())]
