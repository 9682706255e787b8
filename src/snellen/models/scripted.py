"""Answers, errors and delays by rules in a file: for tests, demonstrations and rehearsals of a run.

A TOML file has `[[rules]]` tables and, beside them, `default`; a JSONL file has one rule a line. The first rule that
fits answers:

    [[rules]]
    match = "how many"      # regular expression on the question, case ignored; or
    id = "q7"               # one sample
    text = "2"              # the answer; or
    status = 429            # an HTTP status, or
    error = "timeout"       # a kind of ModelError
    delay_s = 0.1
    times = 2               # only the first two calls that fit
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import orjson

from snellen.errors import ModelError, UsageError
from snellen.models.prior import question_of
from snellen.types import GenerationOptions, Prompt, Response, Usage

_KINDS = {400: "bad_request", 401: "auth", 403: "auth", 404: "not_found", 408: "timeout", 413: "too_large",
          422: "bad_request", 429: "rate_limit"}  # fmt: skip
_PASSING = ("timeout", "connection", "rate_limit", "server", "bad_reply")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; unset conditions fit everything."""

    match: str = ""
    """Regular expression on the question."""
    id: str = ""
    """Sample id."""
    text: str = ""
    """The answer."""
    reasoning: str = ""
    """Its thought."""
    finish_reason: str = "stop"
    """Why it ended."""
    status: int = 0
    """HTTP status to fail with; 0 answers."""
    error: str = ""
    """Kind of ModelError to fail with; "" answers."""
    delay_s: float = 0.0
    """Seconds before the answer or the failure."""
    retry_after_s: float | None = None
    """What a failure asks to wait."""
    times: int = 0
    """Calls it serves at most; 0 for any number."""
    n_in: int | None = None
    """Prompt tokens to report."""
    n_out: int | None = None
    """Completion tokens to report."""


class Scripted:
    """Answers by the first rule that fits."""

    takes_images = True
    start_concurrency = 64

    def __init__(self, rules: list[Rule], *, name: str = "scripted", default: str | None = None) -> None:
        self.name = name
        self._rules = [(rule, re.compile(rule.match, re.IGNORECASE | re.DOTALL)) for rule in rules]
        self._default = default
        self._n_served = [0] * len(rules)

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Answer, wait or fail as the rule says.

        Raises:
            ModelError: the rule says so, or no rule fits and there is no default.
        """
        rule = self._find(prompt)
        if rule is None:
            if self._default is None:
                raise ModelError(f"no rule of {self.name} fits sample {prompt.sample_id!r}", kind="unsupported")
            return Response(self._default, served_model=self.name)
        if rule.delay_s:
            await asyncio.sleep(rule.delay_s)
        if rule.status or rule.error:
            raise _failure(rule)
        usage = Usage(rule.n_in, rule.n_out)
        return Response(rule.text, rule.reasoning, rule.finish_reason, usage, rule.delay_s, served_model=self.name)

    async def aclose(self) -> None:
        """Nothing to free."""

    def _find(self, prompt: Prompt) -> Rule | None:
        question = question_of(prompt)
        for at, (rule, pattern) in enumerate(self._rules):
            if rule.times and self._n_served[at] >= rule.times:
                continue
            if (not rule.id or rule.id == prompt.sample_id) and pattern.search(question):
                self._n_served[at] += 1
                return rule
        return None


def _failure(rule: Rule) -> ModelError:
    kind = rule.error or _KINDS.get(rule.status, "server" if rule.status >= 500 else "bad_request")
    return ModelError(
        rule.text or f"scripted failure: {rule.status or kind}",
        retryable=kind in _PASSING,
        status=rule.status or None,
        kind=kind,
        retry_after_s=rule.retry_after_s,
    )


def open_model(rest: str, **_settings: Any) -> Scripted:
    """Open "scripted:FILE".

    Raises:
        UsageError: no such file, no valid TOML or JSON, or a rule with an unknown key or a broken pattern.
    """
    if not rest:
        raise UsageError("scripted: needs a file, such as scripted:rules.toml")
    path = Path(rest).expanduser()
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the rules {path} cannot be read: {error.strerror or error}") from None
    rules, default = _from_toml(path, raw) if path.suffix.lower() == ".toml" else _from_lines(path, raw)
    name = f"scripted:{path.name}#{hashlib.sha256(raw).hexdigest()[:8]}"
    return Scripted(rules, name=name, default=default)


def _from_toml(path: Path, raw: bytes) -> tuple[list[Rule], str | None]:
    import tomllib

    try:
        table = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no valid TOML: {error}") from None
    unknown = sorted(set(table) - {"rules", "default"})
    if unknown:
        raise UsageError(f"{path} has an unknown key {unknown[0]!r}; it takes [[rules]] and default")
    default = table.get("default")
    rules = [_rule(entry, f"{path}, rule {n}") for n, entry in enumerate(table.get("rules", []), 1)]
    return rules, None if default is None else str(default)


def _from_lines(path: Path, raw: bytes) -> tuple[list[Rule], str | None]:
    rules = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise UsageError(f"{path}, line {number}: no JSON ({error})") from None
        rules.append(_rule(entry, f"{path}, line {number}"))
    return rules, None


def _rule(entry: Any, place: str) -> Rule:
    if not isinstance(entry, Mapping):
        raise UsageError(f"{place}: a rule is a table of settings")
    known = {field.name for field in fields(Rule)}
    unknown = sorted(set(entry) - known)
    if unknown:
        raise UsageError(f"{place}: unknown key {unknown[0]!r}; known are {', '.join(sorted(known))}")
    try:
        rule = Rule(**entry)
        re.compile(rule.match)
    except (re.error, TypeError) as error:
        raise UsageError(f"{place}: {error}") from None
    return rule
