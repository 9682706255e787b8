"""Which rule scores which sample: the user's scorer, the sample's own, its dataset's, the benchmark's."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.errors import UsageError
from snellen.scorers import GENERIC, SCORERS, score_sample
from snellen.types import Sample, Score, ScorerFunction, ScoringContext

_GROUNDED_DATASETS = ("refcoco", "pixmo")
_GROUNDED_SCORERS = ("box", "point")


@dataclass(frozen=True, slots=True)
class Scored:
    """One response under all rule sets that apply."""

    headline: Score
    """The one that counts."""
    fair: Score | None
    """By the fair rules."""
    datbench_1_0: Score | None
    """By the public library's rules."""
    name: str
    """Scorer."""
    version: str
    """Its version."""


@dataclass(slots=True)
class Rulebook:
    """The scorers of one run."""

    rules: str = "fair"
    """Headline rule set."""
    forced: str = ""
    """The user's scorer for all samples."""
    default: str = "auto"
    """Scorer of samples whose dataset has none."""
    judged: bool = False
    """Whether verdicts, not rules, make the headline of every sample."""
    _loaded: dict[str, ScorerFunction] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        """For worker processes, which load a user's own scorer themselves."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "_loaded": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def name_for(self, sample: Sample) -> str:
        """Name of the scorer that this sample gets."""
        if self.forced or sample.scorer:
            return self.forced or sample.scorer
        return sample.dataset if sample.dataset in SCORERS else self.default

    def score(self, sample: Sample, text: str, context: ScoringContext) -> Scored:
        """Score one response by every rule set that applies; never raises on any text."""
        name = self.name_for(sample)
        if name in SCORERS:
            fair = score_sample(sample, text, "fair", context, name=name)
            parity = score_sample(sample, text, "datbench-1.0", context, name=name)
            head = parity if self.rules == "datbench-1.0" else fair
            return Scored(head, fair, parity, name, SCORERS[name].version)
        score = self._guarded(name, sample, text, context)
        return Scored(score, score, None, name, "1")

    def _guarded(self, name: str, sample: Sample, text: str, context: ScoringContext) -> Score:
        if not sample.references and sample.answer in (None, "", []) and not name.startswith("python:"):
            return Score(None, reason="the sample has no reference answer to compare with")
        rule = self._rule(name)
        try:
            return rule(sample, text, context)
        except Exception as error:
            return Score(None, reason=f"scorer {name}: {type(error).__name__}: {error}")

    def _rule(self, name: str) -> ScorerFunction:
        if name in GENERIC:
            return GENERIC[name]
        if name not in self._loaded:
            self._loaded[name] = load_scorer(name)
        return self._loaded[name]


def rulebook_of(spec: Mapping[str, Any]) -> Rulebook:
    """The scorers a frozen spec names."""
    own = spec.get("scorer", {})
    return Rulebook(
        rules=str(spec.get("rules", "fair")),
        forced=str(own.get("forced") or ""),
        default=str(own.get("default") or "auto"),
        judged=bool((spec.get("judge") or {}).get("judge_all")),
    )


def known_scorers() -> list[str]:
    """Names that `--scorer` takes."""
    return [*GENERIC, *SCORERS]


def check_scorer(name: str) -> None:
    """Refuse an unknown scorer before anything is asked.

    Raises:
        UsageError: no such scorer; the nearest is named.
    """
    if name and name not in GENERIC and name not in SCORERS:
        load_scorer(name)


def load_scorer(name: str) -> ScorerFunction:
    """A user's own scorer, `python:module:function` or `python:file.py:function`.

    The function gets (sample, text) and returns a number in [0, 1], a bool, None (unscored) or a Score.

    Raises:
        UsageError: it cannot be found.
    """
    from difflib import get_close_matches

    if not name.startswith("python:"):
        near = get_close_matches(name, known_scorers(), n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise UsageError(f"unknown scorer {name!r}{hint}; `snellen list` shows all, or give python:module:function")
    module_name, _, function_name = name.removeprefix("python:").rpartition(":")
    function = _import(module_name, function_name, name)
    return lambda sample, text, _context: _as_score(function(sample, text), name)


def _import(module_name: str, function_name: str, spec: str) -> Callable[[Sample, str], Any]:
    try:
        if module_name.endswith(".py"):
            found = importlib.util.spec_from_file_location(Path(module_name).stem, module_name)
            assert found is not None
            assert found.loader is not None
            module = importlib.util.module_from_spec(found)
            found.loader.exec_module(module)
        else:
            if "" not in sys.path:
                sys.path.insert(0, "")
            module = importlib.import_module(module_name)
        function: Callable[[Sample, str], Any] = getattr(module, function_name)
    except Exception as error:
        raise UsageError(f"scorer {spec} cannot be loaded: {type(error).__name__}: {error}") from error
    return function


def _as_score(value: Any, name: str) -> Score:
    if isinstance(value, Score):
        return value
    if value is None:
        return Score(None, reason=f"scorer {name} gave no score")
    number = float(value)
    if not 0.0 <= number <= 1.0:
        return Score(None, reason=f"scorer {name} gave {number:g}, which is not in 0 to 1")
    return Score(number, answer="(own scorer)")


def is_grounded(record: Mapping[str, Any]) -> bool:
    """Whether a sample's answer is a box or a point."""
    dataset = str(record.get("dataset", ""))
    return dataset.startswith(_GROUNDED_DATASETS) or record.get("scorer") in _GROUNDED_SCORERS
