"""TEDS: how alike two tables are, in structure and cell text.

References:
    Zhong, ShafieiBavani and Jimeno Yepes, "Image-based table recognition: data, model, and evaluation" (PubTabNet),
    2020, arXiv:1911.10683.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from snellen.answers.grid import Cell, Table
from snellen.errors import ScorerError
from snellen.scorers.edit_distance import edit_distances
from snellen.scorers.tree_distance import MAX_NODES, Floats, tree_distance
from snellen.scorers.trees import Node


def table_similarity(first: Table, second: Table) -> float:
    r"""TEDS with cell text: 1 − tree edit distance / nodes of the larger table, in [0, 1].

    Inserting or deleting a row or a cell costs 1; a cell with other spans costs 1; otherwise a cell costs the edit
    distance of the texts over the longer one. The table node itself is not counted.

    Raises:
        ScorerError: the tables are too large for an exact answer within the work bound.

    >>> from snellen.answers.tables import read_table
    >>> table_similarity(read_table("| a | b |\n|---|---|\n| 1 | 2 |"), read_table("|a|b|\n|-|-|\n|1|3|"))
    0.8333333333333334
    """
    n_nodes = max(first.n_nodes, second.n_nodes)
    if not n_nodes:
        return 1.0
    if n_nodes > MAX_NODES:
        raise ScorerError(f"work bound: a table of {n_nodes} rows and cells is not compared")
    return max(0.0, 1.0 - tree_distance(table_tree(first), table_tree(second), CellCosts()) / n_nodes)


def table_tree(table: Table) -> Node:
    """The table as a tree: table → rows → cells."""
    return Node("table", [Node("row", [Node(cell) for cell in row]) for row in table.rows])


class CellCosts:
    """Insert or delete 1; relabel 1 between kinds or other spans, else the cell texts' normalised edit distance."""

    def weights(self, labels: Sequence[Hashable]) -> Floats:
        """All ones."""
        return np.ones(len(labels))

    def relabels(self, first: Sequence[Hashable], second: Sequence[Hashable]) -> Floats:
        """Relabelling costs, shape (n_first, n_second)."""
        kinds = [[_kind(label) for label in side] for side in (first, second)]
        texts = [[_text(label) for label in side] for side in (first, second)]
        numbered = {kind: at for at, kind in enumerate(dict.fromkeys([*kinds[0], *kinds[1]]))}
        kind_a, kind_b = (np.array([numbered[kind] for kind in side], dtype=np.int64) for side in kinds)
        length_a, length_b = (np.array([len(text) for text in side], dtype=np.int64) for side in texts)
        longer = np.maximum(np.maximum.outer(length_a, length_b), 1)
        costs = edit_distances(*texts) / longer
        costs[kind_a[:, None] != kind_b[None, :]] = 1.0
        return costs


def _kind(label: Any) -> Hashable:
    return (label.n_columns, label.n_rows) if isinstance(label, Cell) else label


def _text(label: Any) -> str:
    return label.text if isinstance(label, Cell) else ""
