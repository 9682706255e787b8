"""The panel of a run: which judges, which protocol, which samples, from options or from the frozen spec."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import config, models
from snellen.engine.judging import Judge, Judging
from snellen.engine.ledger import Ledger
from snellen.engine.limits import Gate, Retrier
from snellen.engine.records import reference_key, sample_of
from snellen.engine.verdict_ledger import Panel, VerdictLedger, is_rule
from snellen.errors import UsageError
from snellen.protocols import protocol, rule
from snellen.store import Log, read_log
from snellen.types import GenerationOptions


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """How a run is judged."""

    models: tuple[str, ...]
    """Judge model specs."""
    protocol: str
    """Name in PROTOCOLS."""
    template: str | None = None
    """Text that replaces the protocol's prompt."""
    when: str = "always"
    """"always", or "rule-unsure"."""
    judge_all: bool = False
    """Judge every sample, not only those whose mode is "judge"."""
    base_url: str | None = None
    """Address of the judges' server."""
    headers: Mapping[str, str] | None = None
    """Request headers."""
    timeout_s: float = 600.0
    """Seconds for one attempt."""
    n_retries: int = 6
    """Attempts after the first."""
    concurrency: int | None = None
    """Requests in flight a judge; None finds it."""
    max_tokens: int | None = None
    """New tokens a judge may use; the protocol's own number when None. Judges that think need more."""
    prices: Mapping[str, Mapping[str, float]] | None = None
    """Judge → {"input", "output"}: money a million tokens."""
    self_test: bool = True
    """Try each judge on pairs with known verdicts before it is used."""

    def as_record(self) -> dict[str, Any]:
        """For `run.json`: what is needed to find the verdicts again."""
        template = hashlib.sha256(self.template.encode()).hexdigest()[:16] if self.template is not None else ""
        return {
            "models": list(self.models),
            "protocol": self.protocol,
            "template": template,
            **({"template_text": self.template} if self.template is not None else {}),
            "when": self.when,
            "judge_all": self.judge_all,
            **({"prices": {name: dict(row) for name, row in self.prices.items()}} if self.prices else {}),
        }


def read_template(path: str | None) -> str | None:
    """Text of a replaced judge prompt.

    Raises:
        UsageError: the file cannot be read.
    """
    if path is None:
        return None
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--judge-prompt {path}: cannot be read: {error}") from error


def judge_prices(judges: Sequence[str], prices: str | None) -> dict[str, dict[str, float]]:
    """Prices a million tokens of the judges that a price file knows; {} without a file.

    Raises:
        UsageError: the file cannot be read.
    """
    if prices is None:
        return {}
    table = config.read_prices(Path(prices))
    found = {name: table.get(name) or table.get(name.partition(":")[2]) for name in judges}
    return {name: row for name, row in found.items() if row}


def open_judging(folder: Path, options: PanelOptions) -> Judging:
    """Open the judges and the verdict log of a run.

    Raises:
        UsageError: no such model or protocol.
    """
    how = protocol(options.protocol)
    judges = [_open(spec, options) for spec in options.models]
    log = Log(folder / "verdicts.jsonl")
    return Judging(
        judges,
        how,
        VerdictLedger.load(folder),
        log,
        reference_key,
        template=options.template,
        generation=GenerationOptions(options.max_tokens or how.max_tokens, how.temperature),
        is_certain=rule.certain if options.when == "rule-unsure" else lambda _sample, _text: None,
        wants=(lambda _sample: True) if options.judge_all else (lambda sample: sample.mode == "judge"),
    )


def sweep(judging: Judging, folder: Path, answers: Ledger, n_epochs: int) -> None:
    """Hand over every answer of a run that is not judged yet; call it on the loop's own thread."""
    from snellen.engine.scoring import sample_records

    for record in sample_records(folder):
        sample = sample_of(record)
        if not judging.wants(sample):
            continue
        for epoch in range(n_epochs):
            response = answers.record(record["key"], epoch)
            if response is not None and response.get("status") == "ok":
                judging.put(sample, record["key"], epoch, str(response.get("text") or ""))


def _open(spec: str, options: PanelOptions) -> Judge:
    if is_rule(spec):
        tolerance = _tolerance(spec)
        return Judge(
            spec, None, Gate(1), Retrier(0), grade=lambda sample, text: rule.reading(sample, text, tolerance)
        )
    model = models.open_model(
        spec, base_url=options.base_url, headers=dict(options.headers or {}), timeout_s=options.timeout_s
    )
    gate = Gate(options.concurrency)
    return Judge(spec, model, gate, Retrier(options.n_retries, on_throttle=gate.throttled))


def _tolerance(spec: str) -> float:
    """Relative tolerance of numbers in "rule:0.05"."""
    text = spec.partition(":")[2] or "0"
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise UsageError(f"--judge {spec}: behind rule: stands a relative tolerance such as 0.05, not {text!r}")
    return value


def panel_of(folder: Path, spec: Mapping[str, Any]) -> Panel | None:
    """The panel whose verdicts count in a run; None where nobody judged."""
    judge = spec.get("judge") or {}
    people = _people(folder)
    if not judge.get("models") and not people:
        return None
    how = protocol(str(judge["protocol"])) if judge.get("protocol") else None
    protocol_id = f"{how.name}@{how.version}" if how is not None else ""
    return Panel(
        VerdictLedger.load(folder),
        list(judge.get("models", ())),
        protocol_id,
        str(judge.get("template") or ""),
        people,
    )


def _people(folder: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """Verdicts of people, which win over any judge's; the last word on an answer counts."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for record in read_log(folder / "adjudications.jsonl"):
        value = record.value
        if not value or "prompt_key" not in value:
            continue
        place = (str(value["prompt_key"]), int(value.get("epoch", 0)))
        if value.get("state") not in ("correct", "incorrect"):
            found.pop(place, None)  # the last word was that the label is broken
        else:
            number = 1.0 if value["state"] == "correct" else 0.0
            found[place] = {
                "state": value["state"], "value": number, "reason": value.get("reason", ""),
                "answer_hash": value.get("answer_hash"),
            }  # fmt: skip
    return found
