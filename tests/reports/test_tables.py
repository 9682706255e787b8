"""The numbers of a run as text."""

from snellen.reports import tables
from snellen.reports.summary import CONVENTIONS, summarise


def _rows(state: str, fair: float, parity: float, n: int) -> list[dict[str, object]]:
    scored = state == "scored"
    return [
        {
            "position": (state, i), "capability": "table", "dataset": "d", "category": "table", "group": "",
            "cluster": "", "state": state, "value": parity if scored else None, "fair": fair if scored else None,
            "datbench_1_0": parity if scored else None, "flags": (),
        }
        for i in range(n)
    ]  # fmt: skip


def test_the_terminal_says_both_bounds_and_both_rule_sets() -> None:
    """What unjudged samples hide, and what the rules make of the same answers, within 80 columns."""
    rows = [*_rows("scored", 1.0, 0.5, 10), *_rows("unjudged", 0.0, 0.0, 10)]
    text = tables.terminal(summarise(rows, convention=CONVENTIONS["datbench"], seed=0))
    assert max(map(len, text.splitlines())) <= 80
    said = " ".join(text.split())
    assert "missing: 10 unjudged" in said
    assert "overall with all missing left out: 50.0" in said
    assert "fair gives 100.0 and datbench-1.0 (the public library's rules) 50.0; they differ on 10 samples" in said
