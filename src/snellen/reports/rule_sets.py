"""Runs under the other rule set: is a difference the models', or the scorer's?

Where the headline follows the public library, a model that words its answers as that library does not expect looks
worse than it is. The same comparison by the fair rules stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.reports.alignment import Alignment
from snellen.reports.run_data import clusters_of
from snellen.stats.paired import PairedDifference, paired_difference


@dataclass(frozen=True, slots=True)
class RulesRow:
    """One run against the first, by both rule sets, on the samples that have both."""

    name: str
    """Short name of the run."""
    fair: PairedDifference
    """Run minus baseline by the fair rules."""
    datbench_1_0: PairedDifference
    """The same by the public library's rules."""

    @property
    def is_contradicted(self) -> bool:
        """Whether the rule sets draw different conclusions."""
        return _sign(self.fair) != _sign(self.datbench_1_0)

    @property
    def sentence(self) -> str:
        """For people, in points."""
        f, d = self.fair, self.datbench_1_0
        told = (
            (
                f"{self.name} by the fair rules: {100 * f.difference:+.1f} points "
                f"({100 * f.low:+.1f} … {100 * f.high:+.1f}), by datbench-1.0 {100 * d.difference:+.1f} "
                f"({100 * d.low:+.1f} … {100 * d.high:+.1f}), on {f.n_pairs:,} samples scored by both"
            )
            .replace("-", "−")
            .replace("datbench−1.0", "datbench-1.0")
        )
        return f"{told}; the conclusion depends on the rules" if self.is_contradicted else told


def rules_rows(alignment: Alignment, *, seed: int = 0) -> tuple[RulesRow, ...]:
    """Differences to the baseline by both rule sets; empty where the two nowhere differ.

    Args:
        alignment: the shared samples.
        seed: of the draws.
    """
    kept = [shared for shared in alignment.rows if not any(np.isnan(row.fair) for row in shared)]
    if not any(abs(row.fair - row.datbench_1_0) > 1e-9 for shared in kept for row in shared):
        return ()
    fair = np.array([[row.fair for row in shared] for shared in kept]).T
    parity = np.array([[row.datbench_1_0 for row in shared] for shared in kept]).T
    clusters = clusters_of([shared[0] for shared in kept])
    return tuple(
        RulesRow(
            name,
            paired_difference(fair[0], fair[k], clusters=clusters, seed=seed),
            paired_difference(parity[0], parity[k], clusters=clusters, seed=seed),
        )
        for k, name in enumerate(alignment.names)
        if k > 0
    )


def _sign(difference: PairedDifference) -> int:
    """1 better, -1 worse, 0 not told apart."""
    return int(difference.low > 0) - int(difference.high < 0)
