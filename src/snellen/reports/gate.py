"""May this checkpoint go on? Pass, fail, or refuse to decide, for a training loop or CI.

Pass: the 95 % interval of the difference lies above the largest drop allowed. Fail: it lies below. Anything between
is undecided, with the number of samples that would decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from snellen.errors import UsageError
from snellen.reports.alignment import Alignment
from snellen.reports.comparison_text import bounds, points
from snellen.reports.run_data import clusters_of
from snellen.stats.paired import PairedDifference, paired_difference
from snellen.stats.power import required_n

MAX_MISSING = 0.05
"""Share of the baseline's scored samples that may lack a score before the gate refuses to decide."""


class Outcome(IntEnum):
    """What the gate says; the value is the exit code."""

    PASS = 0
    FAIL = 1
    UNDECIDED = 3


@dataclass(frozen=True, slots=True)
class Check:
    """The gate on one group of samples."""

    name: str
    """"overall" or a capability."""
    outcome: Outcome
    """What it says."""
    difference: PairedDifference
    """Run minus baseline."""
    n_needed: float
    """Shared samples that would decide, NaN where more samples cannot help or none are needed."""
    sentence: str
    """Why, in one line."""


@dataclass(frozen=True, slots=True)
class Gate:
    """All checks of a gate."""

    outcome: Outcome
    """Fail when any check fails, else undecided when any is, else pass."""
    checks: tuple[Check, ...]
    """One for each group asked for."""
    max_drop: float
    """Largest drop allowed, in score units."""

    @property
    def sentence(self) -> str:
        """The reason in one line."""
        decisive = next(check for check in self.checks if check.outcome is self.outcome)
        return f"{self.outcome.name}: {decisive.sentence}"

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "outcome": self.outcome.name.lower(),
            "exit_code": int(self.outcome),
            "reason": self.sentence,
            "max_drop_points": 100 * self.max_drop,
            "checks": [{**asdict(check), "outcome": check.outcome.name.lower()} for check in self.checks],
        }


def gate(alignment: Alignment, *, max_drop: float, capabilities: Sequence[str] = (), seed: int = 0) -> Gate:
    """Decide whether the second run of an alignment may replace the first.

    Args:
        alignment: baseline and run.
        max_drop: largest drop allowed, in score units (0.01 = one point), not negative.
        capabilities: groups that must each pass; () = all samples together; ("all",) = every capability.
        seed: of the draws.

    Raises:
        UsageError: a capability is not in the runs, or max_drop is negative.
    """
    if not 0 <= max_drop <= 1:
        raise UsageError(f"--max-drop must be 0 to 100 points, got {100 * max_drop:g}")
    groups = _groups(alignment, capabilities)
    checks = tuple(_check(alignment, name, where, max_drop, len(groups), seed) for name, where in groups.items())
    outcomes = {check.outcome for check in checks}
    order = (Outcome.FAIL, Outcome.UNDECIDED, Outcome.PASS)
    return Gate(next(outcome for outcome in order if outcome in outcomes), checks, max_drop)


def _groups(alignment: Alignment, capabilities: Sequence[str]) -> dict[str, list[int]]:
    if not capabilities:
        return {"overall": list(range(len(alignment.rows)))}
    found: dict[str, list[int]] = {}
    for i, shared in enumerate(alignment.rows):
        found.setdefault(shared[0].capability or "(none)", []).append(i)
    if tuple(capabilities) == ("all",):
        return found
    unknown = [name for name in capabilities if name not in found]
    if unknown:
        raise UsageError(f"no shared sample has the capability {unknown[0]!r}; there are {', '.join(found)}")
    return {name: found[name] for name in capabilities}


def _check(alignment: Alignment, name: str, where: list[int], max_drop: float, n_checks: int, seed: int) -> Check:
    rows = [alignment.rows[i] for i in where]
    before, after = (np.array([shared[m].score for shared in rows]) for m in (0, 1))
    clusters = clusters_of([shared[0] for shared in rows])
    difference = paired_difference(before, after, clusters=clusters, seed=seed)
    # Every group must pass, so passing needs no correction; failing on any one of several does.
    strict = difference
    if n_checks > 1:
        strict = paired_difference(before, after, clusters=clusters, seed=seed, level=1 - 0.05 / n_checks)
    # A sample that no judge decided stands as 0 in the score, but says nothing about the model.
    zeroed = np.array([[shared[m].is_zeroed for shared in rows] for m in (0, 1)])
    known = ~np.isnan(before)
    n_missing, n_scored = int((known & np.isnan(after) | (zeroed[0] != zeroed[1])).sum()), int(known.sum())
    outcome, n_needed, why = _decide(difference, strict.high, max_drop, n_missing, n_scored)
    change = f"{name} {points(difference.difference)} points ({bounds(difference.low, difference.high)})"
    return Check(name, outcome, difference, n_needed, f"{change} on {difference.n_pairs:,} shared samples; {why}")


def _decide(
    difference: PairedDifference, strict_high: float, max_drop: float, n_missing: int, n_scored: int
) -> tuple[Outcome, float, str]:
    limit = f"a drop of {100 * max_drop:g} points"
    nothing = float("nan")
    if math.isnan(difference.low):
        return Outcome.UNDECIDED, nothing, f"no interval: {difference.reason}"
    if n_missing > MAX_MISSING * n_scored:
        why = f"{n_missing:,} of {n_scored:,} samples have a score or a verdict in one run only: mend that first"
        return Outcome.UNDECIDED, nothing, why
    if difference.low >= -max_drop:
        return Outcome.PASS, nothing, f"{limit} is ruled out"
    if strict_high < -max_drop:
        return Outcome.FAIL, nothing, f"it dropped by more than {100 * max_drop:g} points"
    n_needed = _needed(difference, max_drop)
    if math.isnan(n_needed):
        return Outcome.UNDECIDED, n_needed, f"these samples cannot tell whether {limit} happened"
    return Outcome.UNDECIDED, n_needed, f"{limit} can be neither shown nor ruled out; about {n_needed:,.0f} would do"


def _needed(difference: PairedDifference, max_drop: float) -> float:
    """Samples that would rule out the drop for a run that is truly as good as the baseline, or as far off as seen."""
    margin = max(max_drop, abs(difference.difference + max_drop) if difference.difference < -max_drop else 0.0)
    margin = margin or abs(difference.difference)
    n = required_n(difference.standard_error, difference.n_pairs, margin)
    return max(n, difference.n_pairs + 1.0) if not math.isnan(n) else n
