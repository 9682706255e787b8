"""What a run's page shows, in one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from snellen.reports.examples import Example
from snellen.reports.slices import Slice
from snellen.reports.summary import Summary
from snellen.reports.thresholds import KindThreshold


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything on the page."""

    summary: Summary
    """The numbers."""
    spec: Mapping[str, Any]
    """The frozen spec."""
    facts: Mapping[str, Any]
    """What happened."""
    slices: Sequence[Slice] = ()
    """Scores by what samples are like."""
    examples: Sequence[Example] = ()
    """Instructive errors."""
    records: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """Position → sample record, of the examples and differing samples."""
    responses: Mapping[int, str] = field(default_factory=dict)
    """Position → response text, of the examples."""
    differences: Sequence[Mapping[str, Any]] = ()
    """Score rows on which the two rule sets differ."""
    thresholds: Sequence[KindThreshold] = ()
    """Eye-chart thresholds."""
    verdicts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """State of a verdict → its most frequent reasons with their counts."""
    pictures: Callable[[list[int]], dict[int, list[bytes]]] | None = None
    """Positions → encoded images."""
