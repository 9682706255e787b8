"""Predictions that other tools made, as answers: the IMPORTERS table. A reader knows one tool's public file format.

To add a tool: write `read(path) -> Predictions` in a module here and add one row.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.errors import ModelError, UsageError
from snellen.types import GenerationOptions, Prompt, Response, Usage


@dataclass(frozen=True, slots=True)
class Prediction:
    """One answer as another tool wrote it down, with what it says about the question."""

    id: str
    """The tool's id of the sample (index, doc_id)."""
    text: str | None
    """Raw answer; None = there is none."""
    problem: str = ""
    """Why there is none."""
    question: str = ""
    """The question as the tool keeps it, "" where it does not."""
    references: tuple[str, ...] = ()
    """Accepted truths; empty where the file has none."""
    choices: tuple[str, ...] = ()
    """Option texts."""
    category: str = ""
    """Its group."""
    group: str = ""
    """Circular group."""
    epoch: int = 0
    """Repeat index, 0-based."""
    reasoning: str = ""
    """Thought that the tool kept apart."""
    finish_reason: str = "stop"
    """As the tool says, "stop" where it does not."""
    usage: Usage = field(default_factory=Usage)
    """Tokens, where the tool tells them."""
    latency_s: float = 0.0
    """Seconds of the call, 0 where unknown."""
    tool_score: float | None = None
    """Score that the tool gave it, for comparison only."""
    model: str = ""
    """Which model it is of, where one file holds several."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """What one file holds."""

    model: str
    """Name of the model, as far as the file or its folder tells."""
    task: str
    """Name of the benchmark in the other tool, as far as known."""
    rows: Sequence[Prediction]
    """In the order of the file."""
    notes: Sequence[str] = ()
    """What had to be left out or is missing."""

    def lacks(self) -> list[str]:
        """What the file does not tell, one sentence each."""
        n = len(self.rows)
        counts = {
            "no answer": sum(row.text is None for row in self.rows),
            "no reference answer": sum(not row.references for row in self.rows),
            "no question": sum(not row.question for row in self.rows),
            "no number of tokens": sum(row.usage.n_out is None for row in self.rows),
        }
        said = [f"{count} of {n} rows have {what}" for what, count in counts.items() if count]
        problems = Counter(row.problem for row in self.rows if row.text is None)
        return said + [f"no answer: {why} ({count})" for why, count in problems.most_common(3) if why]


@dataclass(frozen=True, slots=True)
class ImporterRow:
    """One row of the IMPORTERS table."""

    loader: str
    """"module:function", called with the path."""
    title: str
    """What it reads."""


IMPORTERS: dict[str, ImporterRow] = {
    "vlmevalkit": ImporterRow("snellen.importers.vlmevalkit:read", "VLMEvalKit tables (.xlsx, .tsv, .csv, .json)"),
    "lmms-eval": ImporterRow("snellen.importers.lmms_eval:read", "lmms-eval, lm-eval samples (--log_samples)"),
    "inspect": ImporterRow("snellen.importers.inspect_log:read", "Inspect logs (.eval, .json)"),
    "evalscope": ImporterRow("snellen.importers.evalscope:read", "EvalScope predictions/ or reviews/ (.jsonl)"),
    "jsonl": ImporterRow("snellen.importers.plain:read", "any JSON lines with an id and an answer"),
    "csv": ImporterRow("snellen.importers.plain:read", "any CSV, TSV or Excel table with an id and an answer"),
}
"""Word behind --from → row."""


def read(path: Path, kind: str) -> Predictions:
    """Read another tool's predictions.

    Args:
        path: its file.
        kind: a name in IMPORTERS.

    Raises:
        UsageError: no such kind or file, or the file is not of that kind.
    """
    if kind not in IMPORTERS:
        raise UsageError(f"--from takes {', '.join(IMPORTERS)}, got {kind!r}")
    if not path.is_file():
        what = "is a folder; give one of its files" if path.is_dir() else "does not exist"
        raise UsageError(f"{path} {what}")
    module, _, function = IMPORTERS[kind].loader.partition(":")
    found: Predictions = getattr(importlib.import_module(module), function)(path)
    if not found.rows:
        raise UsageError(f"{path} holds no predictions")
    return found


class Recorded:
    """A model that gives the imported answers; see `snellen.types.Model`."""

    takes_images = True
    start_concurrency = 64

    def __init__(
        self, name: str, answers: Mapping[tuple[str, int], Prediction], *, notes: Sequence[str] = (), model: str = ""
    ) -> None:
        self.name = name
        self.notes = list(notes)
        self._answers = answers
        self._model = model

    async def generate(self, prompt: Prompt, _options: GenerationOptions) -> Response:
        """Look the answer up.

        Raises:
            ModelError: the file holds none; the sample is missing, never empty.
        """
        found = self._answers.get((prompt.sample_id, prompt.epoch))
        if found is None or found.text is None:
            why = found.problem if found is not None and found.problem else "the imported file holds no answer to it"
            raise ModelError(why, kind="unsupported")
        return Response(
            found.text, found.reasoning, found.finish_reason, found.usage, found.latency_s, served_model=self._model
        )

    async def aclose(self) -> None:
        """Nothing to free."""


def first(row: Mapping[str, Any], *names: str) -> Any:
    """The first of some keys that a row holds and that is not None."""
    return next((row[name] for name in names if row.get(name) is not None), None)
