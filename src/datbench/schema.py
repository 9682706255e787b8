"""The records of the public library: what goes into an evaluation and what comes out of it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import orjson


@dataclass
class DatBenchSample:
    """One row of the data set. Its image is read when it is looked at."""

    id: str
    """Unique within the capability."""
    image: Any
    """PIL image (or whatever the row holds); rows from `datasets` are decoded on access."""
    question: Any
    """The bare question."""
    answer: Any
    """The canonical answer, as stored."""
    all_answers: Any
    """Accepted answers, as stored; [answer] where the row has none."""
    eval_mode: str = "direct"
    """"direct" (scored by rule) or "judge" (scored from a verdict)."""
    judge_prompt: str = ""
    """The sample's rubric."""
    is_circular: bool = False
    """Whether it is one rotation of a circular item."""
    metadata: Any = "{}"
    """JSON text (or a mapping) that the scorers read."""
    source_info: Any = field(default_factory=dict)
    """{"dataset", "original_idx"}."""
    eval_metrics: Any = field(default_factory=dict)
    """{"discrimination", "is_frontier"}."""
    prompt_format: Any = field(default_factory=dict)
    """{"prefix", "suffix"}."""
    capability: str = ""
    """As given by the caller."""


@dataclass
class InferenceTask:
    """What to ask the model."""

    id: str
    """The sample's id."""
    image: Any
    """The picture, decoded on access."""
    question: str
    """prefix + question + suffix."""
    eval_mode: str
    """"direct" or "judge"."""


@dataclass
class VLMResponse:
    """What the model said."""

    id: str
    """The sample's id."""
    raw_output: str
    """Its whole text."""
    parsed_answer: str | None = None
    """An answer that the caller read out of it; taken instead of the text where set."""


@dataclass
class JudgeRequest:
    """What to ask the judge."""

    id: str
    """The sample's id."""
    vlm_response: str
    """The answer to grade."""
    ground_truth: Any
    """The canonical answer."""
    judge_prompt: str
    """The rubric; placeholders such as {question} are filled by the caller."""


@dataclass
class JudgeResponse:
    """What the judge said."""

    id: str
    """The sample's id."""
    raw_judge_output: str
    """Its whole text, "" if there is none."""
    verdict: str | None = None
    """A verdict that the caller read out of it."""


@dataclass
class SampleScore:
    """One sample's result."""

    id: str
    """The sample's id."""
    score: float
    """In [0, 1]."""
    is_correct: bool
    """score ≥ 0.5."""
    vlm_output: Any
    """What was scored."""
    ground_truth: Any
    """The canonical answer."""
    metadata: dict[str, Any]
    """capability, eval_mode, dataset, is_circular, discrimination, score_details."""


@dataclass
class DatBenchReport:
    """The result of an evaluation."""

    summary: dict[str, Any]
    """All numbers."""
    results: list[SampleScore]
    """One a scored sample, in the order of the data set."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write summary and results as JSON; NaN and infinities become null, unknown objects their text."""
        value = {"summary": self.summary, "results": [asdict(result) for result in self.results]}
        Path(path).write_bytes(_as_json(value))


def _as_json(value: Any) -> bytes:
    try:
        return orjson.dumps(value, default=_plain, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)
    except TypeError:  # lone surrogates, keys that are no text, huge integers: rare, so the slow road is fine
        text = json.dumps(_finite(value), indent=2, ensure_ascii=False, default=_plain)
        return text.encode("utf-8", "replace")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain(value: Any) -> Any:
    """Arrays and numbers of numpy as plain ones, sets as lists, all else as text."""
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)
