"""`snellen adjudicate`: people decide what judges could not, and check a random sample of what they did decide.

A queue is written as CSV or JSONL, filled in by a person, and read back into `adjudications.jsonl`. A person's
verdict wins over any judge's and is kept apart. The random part of the queue (the probability of its draw stands in
it) gives the judge's error rates and a corrected accuracy.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from snellen.engine.judge_panel import panel_of
from snellen.engine.ledger import Ledger
from snellen.engine.records import sample_of
from snellen.engine.rules import rulebook_of
from snellen.engine.run_files import RunFiles, n_selected_of, open_benchmark
from snellen.engine.scoring import sample_records
from snellen.engine.verdict_ledger import Panel, answer_hash
from snellen.errors import StoreError, UsageError
from snellen.finishing import finish_run
from snellen.protocols.verdicts import word
from snellen.reports.results import RunResult
from snellen.store import Log, encode, read_json, read_log, write_bytes

COLUMNS = (
    "prompt_key", "epoch", "sample_id", "dataset", "why", "audit", "probability", "question", "references", "answer",
    "verdict", "reason", "answer_hash",
)  # fmt: skip
"""Of the queue; a person fills in `verdict` (correct or incorrect) and, if they like, `reason`."""
_SHOWN = ("question", "references", "answer")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue that was written."""

    path: Path
    """The file."""
    n_rows: int
    """Answers in it."""
    n_disagreements: int
    """Answers on which the judges are split."""
    n_unreadable: int
    """Answers without a readable verdict."""
    n_audit: int
    """Randomly drawn answers among the rows."""
    probability: float
    """Chance of each judged answer to be drawn."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One judged answer."""

    record: Mapping[str, Any]
    epoch: int
    text: str
    verdict: Mapping[str, Any]

    @property
    def why(self) -> str:
        """Why a person should look at it, "" for no such reason."""
        votes = set((self.verdict.get("votes") or {}).values())
        if {"correct", "incorrect"} <= votes:
            return "disagreement"
        return str(self.verdict["state"]) if self.verdict["state"] in ("unparsed", "unjudged") else ""


def write_queue(folder: Path, path: Path, *, n_audit: int = 50, seed: int = 0, show_votes: bool = False) -> Queue:
    """Write the answers that people should look at: disagreements, unreadable verdicts and a random audit.

    Args:
        folder: a judged run directory.
        path: file to write; .jsonl writes JSON lines, anything else CSV.
        n_audit: answers to draw at random among all judged ones; a larger number later draws the same and more.
        seed: of the draw.
        show_votes: add the judges' verdicts; left out by default, so that they do not sway the person.

    Raises:
        UsageError: nothing was judged, or the file exists already.
        StoreError: this is no run directory.
    """
    if path.exists():
        raise UsageError(f"{path} exists already; choose another --out, or read it back with --read {path}")
    cases = list(_cases(folder))
    if not cases:
        raise UsageError(f"{folder} has no verdicts: judge it first (snellen judge {folder} --judge SPEC)")
    drawn = {_place(case) for case in sorted(cases, key=lambda case: _lot(case, seed))[:n_audit]}
    done = {
        (str(r.value["prompt_key"]), int(r.value["epoch"]))
        for r in read_log(folder / "adjudications.jsonl")
        if r.value
    }
    open_cases = [c for c in cases if _place(c) not in done and (c.why or _place(c) in drawn)]
    probability = min(1.0, n_audit / len(cases))
    rows = [_row(case, _place(case) in drawn, probability, show_votes=show_votes) for case in open_cases]
    write_bytes(path, _as_lines(rows) if path.suffix == ".jsonl" else _as_csv(rows))
    return Queue(
        path,
        len(rows),
        sum(case.why == "disagreement" for case in open_cases),
        sum(case.why in ("unparsed", "unjudged") for case in open_cases),
        sum(bool(row["audit"]) for row in rows),
        probability,
    )


def read_queue(folder: Path, path: Path, *, by: str = "") -> tuple[int, RunResult]:
    """Take over the verdicts of a filled-in queue and score the run again.

    Args:
        folder: the run directory.
        path: the queue; rows without a verdict are passed over.
        by: who decided; kept with each verdict.

    Returns:
        How many verdicts were taken over, and the run.

    Raises:
        UsageError: the file cannot be read, or a row holds no verdict but another word.
    """
    records = [record for row in _rows_of(path) if (record := _adjudication(row, path, by)) is not None]
    spec = read_json(folder / "run.json")
    files = RunFiles.open(folder, spec)
    try:
        with Log(folder / "adjudications.jsonl") as log:
            for record in records:
                log.append(record)
        benchmark, notes = open_benchmark(spec)
        facts: dict[str, Any] = {"notes": [*files.notes, *notes], "stopped": "", "rescored": True}
        result = finish_run(
            folder, spec, benchmark=benchmark, facts=facts, n_selected=n_selected_of(folder),
            rulebook=rulebook_of(spec),
        )  # fmt: skip
        return len(records), result
    finally:
        files.close()


def _cases(folder: Path) -> Iterator[_Case]:
    """All answers that any judge of the run was asked about, each once."""
    spec = read_json(folder / "run.json")
    panel = panel_of(folder, spec)
    if panel is None:
        return
    answers = Ledger.load(folder)
    seen: set[tuple[str, int]] = set()
    try:
        for record in sample_records(folder):
            for epoch in range(int(spec.get("epochs", 1))):
                if (record["key"], epoch) not in seen:
                    seen.add((record["key"], epoch))
                    yield from _case(record, epoch, answers, panel)
    finally:
        answers.close()


def _case(record: Mapping[str, Any], epoch: int, answers: Ledger, panel: Panel) -> Iterator[_Case]:
    response = answers.record(record["key"], epoch)
    if response is None or response.get("status") != "ok":
        return
    text = str(response.get("text") or "")
    votes_only = Panel(panel.ledger, panel.judges, panel.protocol, panel.template)
    verdict = votes_only.find(sample_of(record), record["key"], epoch, record["reference_key"], text)
    if verdict is not None:
        yield _Case(record, epoch, text, verdict)


def _place(case: _Case) -> tuple[str, int]:
    return str(case.record["key"]), case.epoch


def _lot(case: _Case, seed: int) -> str:
    """Random order that depends on nothing but the seed and the answer's place."""
    return hashlib.sha256(f"audit {seed} {case.record['key']} {case.epoch}".encode()).hexdigest()


def _row(case: _Case, is_audit: bool, probability: float, *, show_votes: bool) -> dict[str, Any]:
    record = case.record
    row: dict[str, Any] = {
        "prompt_key": record["key"],
        "epoch": case.epoch,
        "sample_id": record["id"],
        "dataset": record.get("dataset", ""),
        "why": case.why or "audit",
        "audit": int(is_audit),
        "probability": round(probability, 6),
        "question": record.get("question", ""),
        "references": "\n".join(record.get("references") or ()),
        "answer": case.text,
        "verdict": "",
        "reason": "",
        "answer_hash": answer_hash(case.text),
    }
    return {**row, "votes": orjson.dumps(case.verdict.get("votes") or {}).decode()} if show_votes else row


def _as_lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(encode(row) + b"\n" for row in rows)


def _as_csv(rows: list[dict[str, Any]]) -> bytes:
    """CSV for a spreadsheet: a cell of the model's text that would be a formula is set off by an apostrophe."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, [*COLUMNS, *(["votes"] if rows and "votes" in rows[0] else [])])
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, **{name: _cell(str(row[name])) for name in _SHOWN}})
    return b"\xef\xbb\xbf" + buffer.getvalue().encode("utf-8", "replace")


def _cell(text: str) -> str:
    shown = text.replace("\x00", "")
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _rows_of(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        text = path.read_text("utf-8-sig")
        if path.suffix == ".jsonl":
            yield from (orjson.loads(line) for line in text.split("\n") if line.strip())
        else:
            csv.field_size_limit(2**27)
            yield from csv.DictReader(io.StringIO(text, newline=""))
    except (OSError, UnicodeDecodeError, csv.Error, orjson.JSONDecodeError) as error:
        raise UsageError(f"{path} cannot be read as a queue: {error}") from error


def _adjudication(row: Mapping[str, Any], path: Path, by: str) -> dict[str, Any] | None:
    """One filled-in row as a record; None where the person left it open."""
    said = str(row.get("verdict") or "").strip()
    if not said:
        return None
    verdict = {"1": True, "0": False, "right": True, "wrong": False}.get(said.lower(), word(said))
    if verdict is None:
        raise UsageError(f"{path}: {row.get('sample_id')}: the verdict is correct or incorrect, not {said!r}")
    try:
        return {
            "prompt_key": str(row["prompt_key"]),
            "epoch": int(row["epoch"]),
            "sample_id": row.get("sample_id"),
            "state": "correct" if verdict else "incorrect",
            "reason": str(row.get("reason") or ""),
            "why": row.get("why"),
            "audit": str(row.get("audit")) in ("1", "True", "true"),
            "probability": float(row.get("probability") or 0.0),
            "answer_hash": row.get("answer_hash"),
            "by": by,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: a row lacks what `snellen adjudicate` wrote ({error})") from error


def check_run(folder: Path) -> None:
    """Refuse a folder that is no run directory.

    Raises:
        StoreError: it has no run.json.
    """
    if not (folder / "run.json").is_file():
        raise StoreError(f"{folder} is no run directory (it has no run.json)")
