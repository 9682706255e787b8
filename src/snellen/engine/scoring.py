"""Responses → scores: a pure pass over a run directory, repeatable at any time without the model.

Every answered sample gets the headline score and, where the dataset has one, the score of each rule set. What has no
answer or no grade is a state of its own, never a number.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.engine.ledger import Ledger
from snellen.engine.records import position_of, sample_of, sizes_sent
from snellen.engine.rules import Rulebook
from snellen.engine.scoring_pool import Job, is_worth_it, score_in_processes
from snellen.engine.verdict_ledger import Panel
from snellen.store import read_at, read_log
from snellen.types import Sample, ScoringContext

_REFUSALS = (
    "i cannot", "i can't", "i can’t", "i'm sorry", "i’m sorry", "i am sorry", "sorry, ", "i'm unable", "i am unable",
    "i'm not able", "as an ai", "i won't", "unable to assist",
)  # fmt: skip


def _silent(_n_done: int) -> None:
    """Nobody watches."""


@dataclass(slots=True)
class Scoring:
    """One pass over a run."""

    folder: Path
    """The run directory."""
    rulebook: Rulebook
    """Which rule scores which sample."""
    epochs: int = 1
    """Repeats of each question."""
    panel: Panel | None = None
    """The judges whose verdicts count; None where nothing was judged."""
    coordinates: str = "auto"
    """Convention of boxes and points over the run."""
    numeric_tolerance: float = 0.0
    """Relative tolerance of the number rule."""
    notes: list[str] = field(default_factory=list)
    """Damaged lines and the like."""
    tick: Callable[[int], None] = _silent
    """Called now and then with the number of rows made."""

    def rows(self, ledger: Ledger) -> Iterator[dict[str, Any]]:
        """One row a sample and epoch, in the order of the benchmark; over all cores where that pays."""
        jobs = self._jobs(ledger)
        if self.panel is None and is_worth_it(self._amounts()):
            made = score_in_processes(self, jobs)
        else:
            made = (self.row(*job) for job in jobs)
        for n_done, row in enumerate(made, 1):
            if n_done % 50 == 0:
                self.tick(n_done)
            yield row

    def _jobs(self, ledger: Ledger) -> Iterator[Job]:
        for record in sample_records(self.folder, self.notes):
            for epoch in range(self.epochs):
                yield record, epoch, ledger.record(record["key"], epoch)

    def _amounts(self) -> Iterator[tuple[str, int]]:
        counts = Counter(str(record.get("dataset", "")) for record in sample_records(self.folder))
        return ((name, n * self.epochs) for name, n in counts.items())

    def row(self, record: dict[str, Any], epoch: int, response: dict[str, Any] | None) -> dict[str, Any]:
        """The score row of one sample and epoch."""
        return self._row(record, sample_of(record), epoch, response)

    def __getstate__(self) -> dict[str, Any]:
        """For worker processes: what rows depend on (they report nothing)."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return {**state, "tick": _silent, "panel": None, "notes": []}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def _row(
        self, record: Mapping[str, Any], sample: Sample, epoch: int, response: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        row = _about(record, sample, epoch)
        if response is None:
            return row | {"state": "not_asked"}
        if response.get("status") != "ok":
            return row | {
                "state": "error", "error_kind": str(response.get("kind")), "reason": str(response.get("message"))
            }  # fmt: skip
        text = str(response.get("text") or "")
        context = ScoringContext(self.coordinates, sizes_sent(record), self.numeric_tolerance)
        if sample.mode == "judge":
            graded = self._judged(record, sample, epoch, text)
        else:
            graded = self._ruled(record, sample, epoch, text, context)
        return row | graded | {"flags": flags_of(response, text, graded)}

    def _verdict(self, record: Mapping[str, Any], sample: Sample, epoch: int, text: str) -> dict[str, Any] | None:
        if self.panel is None:
            return None
        return self.panel.find(sample, record["key"], epoch, record["reference_key"], text)

    def _judged(self, record: Mapping[str, Any], sample: Sample, epoch: int, text: str) -> dict[str, Any]:
        verdict = self._verdict(record, sample, epoch, text)
        if verdict is None:
            reason = "no judge was asked (snellen judge RUN --judge SPEC)" if self.panel is None else "no verdict yet"
            return {"state": "unjudged", "reason": reason, "answer": text}
        return {"answer": text, **_graded(verdict)}

    def _ruled(
        self, record: Mapping[str, Any], sample: Sample, epoch: int, text: str, context: ScoringContext
    ) -> dict[str, Any]:
        scored = self.rulebook.score(sample, text, context)
        head = scored.headline
        out = {
            "state": "scored" if head.value is not None else "unscored",
            "value": head.value,
            "fair": scored.fair.value if scored.fair else None,
            "datbench_1_0": scored.datbench_1_0.value if scored.datbench_1_0 else None,
            "answer": head.answer,
            "reason": head.reason,
            "scorer": scored.name,
            "scorer_version": scored.version,
            "details": head.details,
        }
        if scored.fair is not None and scored.fair is not head and scored.fair.value != head.value:
            out["fair_details"] = {"answer": scored.fair.answer, "reason": scored.fair.reason, **scored.fair.details}
        if self.rulebook.judged:
            verdict = self._verdict(record, sample, epoch, text)
            graded = _graded(verdict) if verdict else {"state": "unjudged", "reason": "no verdict yet", "value": None}
            out |= {"rule_value": head.value, **graded}
        return out


def sample_records(folder: Path, notes: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The samples of a run in order, each once (its last complete record); damaged lines are noted."""
    path = folder / "samples.jsonl"
    offsets: dict[int, int] = {}
    for record in read_log(path):
        position = position_of(record.value)
        if position is not None:
            offsets[position] = record.offset
        elif notes is not None and (record.value is None or "fingerprint" not in record.value):
            notes.append(f"{path.name} line {record.line} is damaged and was passed over")
    if not offsets:
        return
    with path.open("rb") as file:
        for position in sorted(offsets):
            value = read_at(file, offsets[position])
            if value is not None:
                yield value


def _graded(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a verdict; one that cannot be read is a state of its own, never a number."""
    value = verdict.get("value")
    state = "scored" if value is not None else str(verdict["state"])
    graded = {"state": state, "value": value, "verdict": verdict["state"], "reason": str(verdict.get("reason") or "")}
    graded["scorer"] = f"judge:{verdict.get('protocol', '')}"
    details = {name: verdict[name] for name in ("votes", "judged", "skipped", "imitates") if verdict.get(name)}
    if details:
        graded["details"] = details
    return graded


def _about(record: Mapping[str, Any], sample: Sample, epoch: int) -> dict[str, Any]:
    images = record.get("images", ())
    hashes = [image["sha256"] for image in images if "sha256" in image]
    return {
        "position": record["position"],
        "sample_id": sample.id,
        "epoch": epoch,
        "key": record["key"],
        "reference_key": record["reference_key"],
        "dataset": sample.dataset,
        "capability": sample.capability,
        "category": sample.category or sample.capability,
        "group": sample.group,
        "mode": sample.mode,
        "cluster": hashes[0] if hashes else "",
        "n_images": len(images),
        "long_side_px": max((max(i["width"], i["height"]) for i in images if "width" in i), default=0),
        "n_choices": len(sample.choices),
        "weight": sample.weight,
    }


def flags_of(response: Mapping[str, Any], text: str, graded: Mapping[str, Any]) -> list[str]:
    """Why a score may be low, of an answered sample: truncated, filtered, refused, empty, unparsed, looping."""
    flags = []
    finish = response.get("finish_reason")
    if finish == "length":
        flags.append("truncated")
    if finish == "content_filter":
        flags.append("filtered")
    if not text.strip():
        flags.append("empty")
    elif _is_refusal(text):
        flags.append("refused")
    elif graded.get("state") == "scored" and "verdict" not in graded and not graded.get("answer"):
        flags.append("unparsed")
    if is_looping(text) or (not text and is_looping(str(response.get("reasoning") or ""))):
        flags.append("looping")
    return flags


def _is_refusal(text: str) -> bool:
    start = text[:400].strip().lower()
    return len(text) < 600 and start.startswith(_REFUSALS)


def is_looping(text: str) -> bool:
    """Whether the end of a long text repeats itself over and over.

    >>> is_looping("no. " * 2000)
    True
    >>> is_looping("a short answer")
    False
    """
    if len(text) < 2000:
        return False
    tail = text[-4000:].encode("utf-8", "replace")
    return len(zlib.compress(tail, 1)) < 0.05 * len(tail)


def find_coordinates(records: Iterable[Mapping[str, Any]], ledger: Ledger) -> dict[str, Any] | None:
    """The coordinate convention of a model over its run; None where the run has no boxes or points."""
    from snellen.engine.rules import is_grounded

    texts: list[str] = []
    sizes: list[tuple[int, int] | None] = []
    for record in records:
        if not is_grounded(record):
            continue
        response = ledger.record(record["key"], 0)
        if response is not None and response.get("status") == "ok":
            sent = sizes_sent(record)
            texts.append(str(response.get("text") or ""))
            sizes.append(sent[0] if sent else None)
    if not texts:
        return None
    from snellen.scorers.grounding import detect_coordinates

    found = detect_coordinates(texts, sizes)
    counts = ", ".join(f"{n} as {name}" for name, n in found.counts.items())
    sentence = f"{found.convention} ({found.n_read} answers with coordinates: {counts})"
    if not found.n_read:
        sentence = f"{found.convention} (none of the {len(texts)} answers to such questions holds any)"
    return {"convention": found.convention, "sentence": sentence, "confidence": found.confidence}
