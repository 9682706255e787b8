"""The exact tree edit distance, against two independent programs and by hand."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pytest

from snellen.errors import ScorerError
from snellen.scorers.tree_distance import Floats, UnitCosts, tree_distance
from snellen.scorers.trees import Node


class WeightedCosts:
    """Uneven metric costs, so that a mix-up of insert, delete and relabel shows."""

    def weights(self, labels: Sequence[Hashable]) -> Floats:
        """Between 1 and 1.6."""
        return np.array([weight(label) for label in labels])

    def relabels(self, first: Sequence[Hashable], second: Sequence[Hashable]) -> Floats:
        """0 for equal labels, else at least 0.6."""
        return np.array([[relabel(a, b) for b in second] for a in first])


def weight(label: Any) -> float:
    """Price of inserting or deleting."""
    return 1.0 + ord(label) % 3 * 0.3


def relabel(first: Any, second: Any) -> float:
    """Price of relabelling."""
    return 0.0 if first == second else 0.6 + abs(ord(first) - ord(second)) * 0.37


def random_tree(draw: random.Random) -> Node:
    """A tree of up to 25 nodes, sometimes deep, sometimes wide."""
    root = Node("r")
    nodes = [root]
    depth = draw.random()
    for _ in range(draw.randint(0, 24)):
        parent = draw.choice(nodes) if draw.random() < depth else nodes[-1]
        child = Node(draw.choice("abcd"))
        parent.children.insert(draw.randint(0, len(parent.children)), child)
        nodes.append(child)
    return root


def table(*widths: int) -> Node:
    """A table with rows of these widths."""
    return Node("table", [Node("tr", [Node("td") for _ in range(width)]) for width in widths])


@pytest.mark.parametrize("seed", range(0, 400, 40))
def test_agrees_with_apted_at_unit_costs(seed: int) -> None:
    """Forty random pairs of trees have the distance that APTED finds."""
    apted = pytest.importorskip("apted")

    class Config(apted.Config):  # type: ignore[misc,name-defined]  # the package has no types
        def rename(self, first: Node, second: Node) -> float:
            return float(first.label != second.label)

        def children(self, node: Node) -> list[Node]:
            return node.children

    for number in range(seed, seed + 40):
        draw = random.Random(number)
        first, second = random_tree(draw), random_tree(draw)
        assert tree_distance(first, second, UnitCosts()) == pytest.approx(
            apted.APTED(first, second, Config()).compute_edit_distance()
        )


@pytest.mark.parametrize("seed", range(0, 400, 40))
def test_agrees_with_zss_at_uneven_costs(seed: int) -> None:
    """Forty random pairs of trees have the distance that Zhang and Shasha's own recurrence finds."""
    zss = pytest.importorskip("zss")
    for number in range(seed, seed + 40):
        draw = random.Random(number)
        first, second = random_tree(draw), random_tree(draw)
        expected = zss.distance(
            first,
            second,
            lambda node: node.children,
            lambda node: weight(node.label),
            lambda node: weight(node.label),
            lambda a, b: relabel(a.label, b.label),
        )
        assert tree_distance(first, second, WeightedCosts()) == pytest.approx(expected)
        assert tree_distance(second, first, WeightedCosts()) == pytest.approx(expected)


def test_a_missing_row_costs_its_nodes() -> None:
    """Row and cells are inserted one by one."""
    assert tree_distance(table(3, 3), table(3, 3, 3), UnitCosts()) == 4


def test_equal_trees_cost_nothing_whatever_their_size() -> None:
    """Equal ends are cut off before any work bound is looked at."""
    wide = [8] * 5000
    assert tree_distance(table(*wide), table(*wide), UnitCosts()) == 0
    assert tree_distance(table(*wide), table(*wide[:2500]), UnitCosts()) == 2500 * 9


def test_one_odd_row_in_a_long_table_is_exact() -> None:
    """Only the rows that differ are compared."""
    assert tree_distance(table(*[8] * 5000), table(*[8] * 2000, 7, *[8] * 2999), UnitCosts()) == 1


def test_root_labels_count() -> None:
    """Different roots cost one relabelling."""
    assert tree_distance(Node("a", [Node("x")]), Node("b", [Node("x")]), UnitCosts()) == 1


def test_deep_trees_need_no_recursion() -> None:
    """Chains far beyond the interpreter's stack are compared."""
    first, second = Node("a"), Node("a")
    for step in range(20_000):
        first = Node("a", [first])
        second = Node("b" if step == 19_000 else "a", [second])
    assert tree_distance(first, first, UnitCosts()) == 0
    with pytest.raises(ScorerError, match="work bound"):
        tree_distance(first, second, UnitCosts())


def test_trees_beyond_the_bound_are_refused() -> None:
    """Two thousand ragged rows against as many others are too much, and it says so."""
    draw = random.Random(1)
    first = table(*(draw.randint(1, 9) for _ in range(2000)))
    second = table(*(draw.randint(1, 9) for _ in range(2000)))
    with pytest.raises(ScorerError, match="work bound"):
        tree_distance(first, second, UnitCosts())


@pytest.mark.parametrize("last", [True, False])
def test_trees_that_nest_to_one_side_are_compared(last: bool) -> None:
    """A chain of 300 nested records with one leaf each, all leaves different, costs one relabelling a leaf."""

    def nested(leaf: str) -> Node:
        root = Node("a")
        for _ in range(300):
            root = Node("b", [Node(leaf), root] if last else [root, Node(leaf)])
        return root

    assert tree_distance(nested("x"), nested("y"), UnitCosts()) == 300
