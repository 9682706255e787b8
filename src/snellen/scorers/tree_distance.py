"""Exact edit distance between ordered labelled trees, fast for the wide, shallow trees of tables and records.

The recurrence is Zhang and Shasha's. Three things make it fast without changing its result: equal subtrees at
either end of the two forests are cut off first, all subtrees of one nesting height are compared in one go as numpy
rows, and label costs are computed once per pair of distinct labels.

References:
    Zhang and Shasha, "Simple fast algorithms for the editing distance between trees and related problems", SIAM J.
    Comput. 18 (1989), doi:10.1137/0218082.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from snellen.errors import ScorerError
from snellen.scorers.trees import Ints, Layout, Node, postorder

Floats = NDArray[np.float64]

MAX_CELLS = 40_000_000
"""Largest product of both trees' table sizes; about a second on one core."""
MAX_STEPS = 200_000
"""Largest number of numpy rows; bounds deep trees, where each row is short."""
MAX_NODES = 100_000
"""Trees with more nodes are not built."""
_CHUNK_CELLS = 8_000_000


class Costs(Protocol):
    """Prices of the three edits. Deleting x may never cost more than relabelling it to y and deleting y."""

    def weights(self, labels: Sequence[Hashable]) -> Floats:
        """Price of inserting or deleting each label, shape (n,)."""
        ...

    def relabels(self, first: Sequence[Hashable], second: Sequence[Hashable]) -> Floats:
        """Price of turning each first label into each second one, shape (n_first, n_second); 0 for equal labels."""
        ...


class UnitCosts:
    """Every edit costs 1."""

    def weights(self, labels: Sequence[Hashable]) -> Floats:
        """All ones."""
        return np.ones(len(labels))

    def relabels(self, first: Sequence[Hashable], second: Sequence[Hashable]) -> Floats:
        """1 where the labels differ."""
        return np.array([[float(a != b) for b in second] for a in first]).reshape(len(first), len(second))


def tree_distance(first: Node, second: Node, costs: Costs) -> float:
    """Least total price of relabelling, inserting and deleting nodes that turns one tree into the other.

    Args:
        first: root of one tree (order does not matter: the costs are symmetric).
        second: root of the other.
        costs: prices of the edits.

    Raises:
        ScorerError: the trees are too large for an exact answer within the work bound.

    >>> row = lambda n: Node("tr", [Node("td") for _ in range(n)])
    >>> tree_distance(Node("table", [row(3), row(2)]), Node("table", [row(3), row(3)]), UnitCosts())
    1.0
    """
    left, right = _differing_forests(first, second)
    first_nodes, second_nodes = postorder(left), postorder(right)
    if not left or not right:
        return float(costs.weights([node.label for node in first_nodes or second_nodes]).sum())
    n_first, n_second = len(first_nodes), len(second_nodes)
    if n_first * n_second <= MAX_CELLS:
        plan = _Plan.of(first_nodes, second_nodes)
        if plan.work > MAX_CELLS // 8:  # trees that nest to the right are easy from the right
            mirrored = _Plan.of(postorder(left, mirrored=True), postorder(right, mirrored=True))
            plan = min(plan, mirrored, key=lambda one: one.work)
        if plan.work <= MAX_CELLS:
            return _Comparison(plan.rows, plan.columns, costs).distance()
    raise ScorerError(
        f"work bound: trees of {n_first} and {n_second} differing nodes are too large to compare exactly"
    )


def _differing_forests(first: Node, second: Node) -> tuple[list[Node], list[Node]]:
    """Cut off what is equal: equal roots of single trees, and equal trees at either end of two forests.

    Both cuts keep the distance, because any edit script that maps across the cut can be shortened along the
    identity (following a mapped node through the equal part ends in a deletion that costs no less).
    """
    known: dict[tuple[Hashable, tuple[int, ...]], int] = {}
    left, right = [first], [second]
    for node in postorder(left) + postorder(right):
        key = (node.label, tuple(child.identity for child in node.children))
        node.identity = known.setdefault(key, len(known))
    while True:
        left, right = _without_equal_ends(left, right)
        if len(left) != 1 or len(right) != 1 or left[0].label != right[0].label:
            return left, right
        left, right = left[0].children, right[0].children


def _without_equal_ends(left: list[Node], right: list[Node]) -> tuple[list[Node], list[Node]]:
    shorter = min(len(left), len(right))
    start = 0
    while start < shorter and left[start].identity == right[start].identity:
        start += 1
    end = 0
    while end < shorter - start and left[-1 - end].identity == right[-1 - end].identity:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which forest gives the rows and which the columns, and what that costs."""

    rows: Layout
    columns: Layout
    work: int
    """In table cells; a numpy step counts as as many cells as take its time."""

    @classmethod
    def of(cls, first: Sequence[Node], second: Sequence[Node]) -> _Plan:
        a, b = Layout.of(first), Layout.of(second)
        if a.n_steps * b.n_heights > b.n_steps * a.n_heights:
            a, b = b, a
        n_steps = a.n_steps * b.n_heights
        return cls(a, b, max(a.n_cells * b.n_cells, n_steps * (MAX_CELLS // MAX_STEPS)))


class _Columns:
    """The second forest's blocks side by side: per block one column for "nothing yet", then one per node."""

    def __init__(self, layout: Layout, weights: Floats) -> None:
        n_nodes, n_blocks = len(layout.labels), len(layout.starts)
        width = layout.sizes + 1
        first = np.concatenate([[0], np.cumsum(width)[:-1]])
        block = np.repeat(np.arange(n_blocks), width)
        step = np.arange(int(width.sum())) - first[block]
        node = layout.starts[block] + step - 1
        self.node: Ints = np.where(step == 0, n_nodes, node)
        inside = np.where(step == 0, 0, layout.leftmost[np.maximum(node, 0)] - layout.starts[block])
        self.jump: Ints = first[block] + inside
        self.on_left_path = (inside == 0) & (step > 0)
        price = np.where(step == 0, 0.0, weights[np.maximum(node, 0)])
        running = np.cumsum(price)
        self.inserted: Floats = running - running[first][block]
        # Between blocks the running sum leaps by twice a block's price, so that a minimum never crosses over.
        totals = self.inserted[first + layout.sizes]
        leap = np.concatenate([[0.0], np.cumsum(2 * totals + 1)[:-1]])
        self.running: Floats = leap[block] + self.inserted
        bounds = first[np.searchsorted(layout.heights, np.unique(layout.heights))].tolist()
        self.levels = list(zip(bounds, [*bounds[1:], len(block)], strict=True))
        self.left_columns = [lo + np.flatnonzero(self.on_left_path[lo:hi]) for lo, hi in self.levels]

    def relax(self, rows: Floats, lo: int, hi: int) -> None:
        """Allow insertions: each column may extend the best column to its left in its block, in place."""
        part = self.running[lo:hi]
        rows -= part
        np.minimum.accumulate(rows, axis=-1, out=rows)
        rows += part


class _Comparison:
    """One run of the recurrence; the first forest gives the rows, the second the columns."""

    def __init__(self, a: Layout, b: Layout, costs: Costs) -> None:
        self.a = a
        self.weights = costs.weights(a.labels)
        self.columns = _Columns(b, costs.weights(b.labels))
        shape = (len(a.labels), len(b.labels) + 1)
        self.relabel = np.full(shape, np.inf)
        self.relabel[:, :-1] = _relabel_matrix(a.labels, b.labels, costs)
        self.between = np.full(shape, np.inf)

    def distance(self) -> float:
        result = 0.0
        for height in np.unique(self.a.heights):
            chosen = np.flatnonzero(self.a.heights == height)
            chosen = chosen[np.argsort(-self.a.sizes[chosen], kind="stable")]
            for blocks in _chunks(chosen, self.a.sizes, len(self.columns.node)):
                result = self._compare(self.a.starts[blocks], self.a.sizes[blocks])
        return result

    def _compare(self, starts: Ints, sizes: Ints) -> float:
        """Fill the tables of some blocks of one height, the longest first; the last corner of the first one."""
        table = np.empty((int(sizes[0]) + 1, len(starts), len(self.columns.node)))
        table[0] = self.columns.inserted
        for step in range(1, len(table)):
            n_active = int(np.searchsorted(-sizes, -step, side="right"))
            nodes = starts[:n_active] + step - 1
            jumps = self.a.leftmost[nodes] - starts[:n_active]
            rows = table[step, :n_active]
            np.add(table[step - 1, :n_active], self.weights[nodes, None], out=rows)
            inner = np.flatnonzero(jumps)
            if len(inner) == n_active:
                self._inner_rows(table, rows, nodes, jumps)
                continue
            for row in inner.tolist():
                self._inner_rows(
                    table[:, row : row + 1], rows[row : row + 1], nodes[row : row + 1], jumps[row : row + 1]
                )
            outer = np.flatnonzero(jumps == 0)
            self._left_path_rows(table[step - 1], rows, nodes[outer], outer)
        return float(table[int(sizes[0]), 0, -1])

    def _inner_rows(self, table: Floats, rows: Floats, nodes: Ints, jumps: Ints) -> None:
        """Rows of nodes off the left path: their trees were compared before, in their own blocks."""
        columns = self.columns
        before = table[jumps, np.arange(len(nodes))].take(columns.jump, axis=1)
        before += self.between[nodes].take(columns.node, axis=1)
        np.minimum(rows, before, out=rows)
        columns.relax(rows, 0, rows.shape[1])

    def _left_path_rows(self, previous: Floats, rows: Floats, nodes: Ints, chosen: Ints) -> None:
        """Rows of nodes on the left path: these settle the distances between their trees, innermost first."""
        columns = self.columns
        for (lo, hi), left in zip(columns.levels, columns.left_columns, strict=True):
            part = rows[chosen, lo:hi]
            node = columns.node[lo:hi]
            other = self.between[nodes].take(node, axis=1) + columns.inserted[columns.jump[lo:hi]]
            same = self.relabel[nodes].take(node, axis=1)
            same[:, 1:] += previous[chosen, lo : hi - 1]
            np.minimum(part, np.where(columns.on_left_path[lo:hi], same, other), out=part)
            columns.relax(part, lo, hi)
            rows[chosen, lo:hi] = part
            self.between[nodes[:, None], columns.node[left]] = part[:, left - lo]


def _chunks(blocks: Ints, sizes: Ints, n_columns: int) -> list[Ints]:
    """Split blocks, longest first, so that one table stays within a memory bound."""
    per_block = (int(sizes[blocks[0]]) + 1) * n_columns
    n_each = max(1, _CHUNK_CELLS // per_block)
    return [blocks[at : at + n_each] for at in range(0, len(blocks), n_each)]


def _relabel_matrix(first: Sequence[Hashable], second: Sequence[Hashable], costs: Costs) -> Floats:
    rows, row_of = _distinct(first)
    columns, column_of = _distinct(second)
    return costs.relabels(rows, columns)[np.ix_(row_of, column_of)]


def _distinct(labels: Sequence[Hashable]) -> tuple[list[Hashable], Ints]:
    index = {label: at for at, label in enumerate(dict.fromkeys(labels))}
    return list(index), np.array([index[label] for label in labels], dtype=np.int64)
