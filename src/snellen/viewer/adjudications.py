"""What people decided about answers: read from, and appended durably to, `adjudications.jsonl` of a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from snellen.errors import UsageError
from snellen.store import Log, read_log

FILE_NAME = "adjudications.jsonl"
STATES = {
    "correct": "accept: the answer is right",
    "incorrect": "reject: the answer is wrong",
    "broken": "the label is broken",
}
"""State → its name for people; the last word on an answer counts."""
MAX_REASON_CHARS = 2000


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A person's word on one answer."""

    prompt_key: str
    """Prompt key of the answer."""
    epoch: int
    """Its repeat."""
    sample_id: str
    """Whose answer."""
    state: str
    """Key of STATES."""
    reason: str
    """Why, in the person's words."""
    by: str
    """Who."""
    at: str = ""
    """When (ISO 8601, UTC); filled in when written."""
    answer_hash: str | None = None
    """Hash of the answer that was seen, so that the word counts for that very answer only."""

    def as_record(self) -> dict[str, Any]:
        """One line of the log."""
        return {
            "prompt_key": self.prompt_key, "epoch": self.epoch, "sample_id": self.sample_id, "state": self.state,
            "reason": self.reason, "by": self.by, "at": self.at, "answer_hash": self.answer_hash,
        }  # fmt: skip


def adjudications(folder: Path) -> dict[tuple[str, int], Adjudication]:
    """(prompt key, epoch) → the last word on that answer."""
    found: dict[tuple[str, int], Adjudication] = {}
    for record in read_log(folder / FILE_NAME):
        value = record.value
        if value is None or value.get("state") not in STATES or not isinstance(value.get("epoch"), int):
            continue
        texts = [str(value.get(name) or "") for name in ("sample_id", "state", "reason", "by", "at")]
        key, epoch = str(value.get("prompt_key")), value["epoch"]
        found[key, epoch] = Adjudication(key, epoch, *texts)
    return found


def adjudicate(folder: Path, word: Adjudication) -> None:
    """Write a person's word; it is on the disk when this returns.

    Args:
        folder: the run directory.
        word: what was decided.

    Raises:
        UsageError: an unknown state, or a reason that is too long.
        StoreError: the log cannot be written.
    """
    if word.state not in STATES:
        raise UsageError(f"a decision is one of {', '.join(STATES)}, got {word.state!r}")
    if len(word.reason) > MAX_REASON_CHARS:
        raise UsageError(f"a reason has at most {MAX_REASON_CHARS:,} characters, got {len(word.reason):,}")
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    with Log(folder / FILE_NAME) as log:  # closing it syncs it to the disk
        log.append({**word.as_record(), "at": at})
