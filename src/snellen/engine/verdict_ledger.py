"""Verdicts of a run: what is judged already, by whom, with what result. Nothing is ever asked twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from snellen.protocols import rule
from snellen.store import read_log
from snellen.types import Sample

KEPT = ("judge", "protocol", "state", "reason", "answer", "skipped", "imitates")
"""Fields of a record that stay in memory."""
STATES = ("correct", "incorrect", "unparsed", "unjudged", "skipped")


def verdict_key(*, judge: str, protocol: str, template: str, sample: Sample, reference_key: str, text: str) -> str:
    """Key of one verdict: judge, protocol and its version, prompt text, question, references, answer.

    An edited judge prompt, a mended reference or another answer is judged anew; nothing else is.
    """
    if is_rule(judge):  # no prompt has a part in it
        protocol, template = f"rule@{rule.VERSION}", ""
    content = [judge, protocol, template, reference_key, _safe(sample.question), _safe(text)]
    return hashlib.sha256(orjson.dumps(content)).hexdigest()


def is_rule(judge: str) -> bool:
    """Whether a judge is the rule judge, which asks no model: "rule", or "rule:0.05" with a tolerance."""
    return judge == "rule" or judge.startswith("rule:")


def answer_hash(text: str) -> str:
    """Hash of an answer, so that a person's verdict counts for that very answer only."""
    return hashlib.sha256(_safe(text).encode()).hexdigest()[:16]


def _safe(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


@dataclass(slots=True)
class VerdictLedger:
    """All `verdicts*.jsonl` of a run."""

    by_key: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Verdict key → last record; a verdict is never replaced by a failed call."""
    damaged: list[str] = field(default_factory=list)
    """Lines that could not be read."""
    n_in: Counter[str] = field(default_factory=Counter)
    """Prompt tokens by judge, over all attempts."""
    n_out: Counter[str] = field(default_factory=Counter)
    """Completion tokens by judge, over all attempts."""

    @classmethod
    def load(cls, folder: Path) -> VerdictLedger:
        """Read all verdict logs of a run directory."""
        ledger = cls()
        for path in sorted(folder.glob("verdicts*.jsonl")):
            for record in read_log(path):
                if record.value is None or "key" not in record.value:
                    ledger.damaged.append(f"{path.name} line {record.line}")
                else:
                    ledger.note(record.value)
        return ledger

    def note(self, record: Mapping[str, Any]) -> None:
        """Count one record."""
        judge = str(record.get("judge"))
        self.n_in[judge] += record.get("n_in") or 0
        self.n_out[judge] += record.get("n_out") or 0
        key = record["key"]
        before = self.by_key.get(key)
        if before is None or before["state"] == "unjudged" or record["state"] != "unjudged":
            self.by_key[key] = {name: record.get(name) for name in KEPT}

    def is_open(self, key: str) -> bool:
        """Whether this verdict has to be asked: never asked, or its call failed."""
        record = self.by_key.get(key)
        return record is None or record["state"] == "unjudged"


@dataclass(frozen=True, slots=True)
class Panel:
    """The judges whose verdicts count, and how they are keyed; finds the panel's verdict on an answer."""

    ledger: VerdictLedger
    """All verdicts of the run."""
    judges: Sequence[str]
    """Names of the judges that count."""
    protocol: str
    """Name and version, as in the key."""
    template: str = ""
    """Hash of a replaced prompt text."""
    people: Mapping[tuple[str, int], Mapping[str, Any]] = field(default_factory=dict)
    """(prompt key, epoch) → a person's verdict, which wins."""

    def find(self, sample: Sample, key: str, epoch: int, reference_key: str, text: str) -> dict[str, Any] | None:
        """The panel's verdict on one answer: majority of the readable ones; a tie is unparsed; None = not judged."""
        votes = self.votes(sample, reference_key, text)
        judged = decide(votes, self.protocol.partition("@")[0]) if votes else None
        person = self.people.get((key, epoch))
        if person is None or person.get("answer_hash") not in (None, answer_hash(text)):
            return judged
        kept = {"votes": judged["votes"], "judged": judged["state"]} if judged else {}
        return {**person, "protocol": "person", "by": "person", **kept}

    def votes(self, sample: Sample, reference_key: str, text: str) -> dict[str, dict[str, Any]]:
        """Judge → its record on this very answer."""
        found = {}
        for judge in self.judges:
            key = verdict_key(
                judge=judge, protocol=self.protocol, template=self.template, sample=sample,
                reference_key=reference_key, text=text,
            )  # fmt: skip
            if key in self.ledger.by_key:
                found[judge] = self.ledger.by_key[key]
        return found


def decide(votes: Mapping[str, Mapping[str, Any]], protocol: str) -> dict[str, Any]:
    """One verdict out of several.

    >>> decide({"a": {"state": "correct"}, "b": {"state": "unjudged"}}, "one-token")["state"]
    'correct'
    >>> decide({"a": {"state": "correct"}, "b": {"state": "incorrect"}}, "one-token")["state"]
    'unparsed'
    """
    states = {judge: str(vote["state"]) for judge, vote in votes.items()}
    n_right = sum(state == "correct" for state in states.values())
    n_wrong = sum(state == "incorrect" for state in states.values())
    reasons = "; ".join(str(vote.get("reason") or "") for vote in votes.values() if vote.get("reason"))
    if n_right != n_wrong:
        state = "correct" if n_right > n_wrong else "incorrect"
    elif n_right:
        state, reasons = "unparsed", f"the judges are split {n_right} to {n_wrong}; {reasons}"
    else:
        state = "unparsed" if "unparsed" in states.values() else "unjudged"
    value = {"correct": 1.0, "incorrect": 0.0}.get(state)
    found = {"state": state, "value": value, "protocol": protocol, "reason": reasons, "votes": states}
    for mark in ("skipped", "imitates"):
        if any(vote.get(mark) for vote in votes.values()):
            found[mark] = True
    return found
