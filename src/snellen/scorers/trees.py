"""Ordered labelled trees, and their layout in postorder for the edit distance."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Node:
    """A node of an ordered tree: a hashable label and its children, left to right."""

    __slots__ = ("children", "identity", "label")

    def __init__(self, label: Hashable, children: Iterable[Node] = ()) -> None:
        self.label = label
        self.children = list(children)
        self.identity = -1


def postorder(forest: Sequence[Node], *, mirrored: bool = False) -> list[Node]:
    """Children before parents, left before right (or right before left); no recursion, however deep the trees are."""
    turn = -1 if mirrored else 1
    waiting, found = list(forest[::turn]), []
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.children[::turn])
    found.reverse()
    return found


@dataclass(frozen=True, slots=True)
class Layout:
    """A forest in postorder, cut into blocks: one per leftmost leaf, from that leaf to the top of its left path."""

    labels: list[Hashable]
    """Labels in postorder, shape (n,)."""
    leftmost: Ints
    """Postorder index of each node's leftmost leaf, shape (n,)."""
    starts: Ints
    """First node of each block, sorted by (height, start)."""
    sizes: Ints
    """Nodes of each block."""
    heights: Ints
    """How deeply further blocks are nested in each block; the last block holds the whole forest."""

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> Layout:
        """Lay out a forest that is given in postorder, at least one node."""
        leftmost, height_at = _left_paths(nodes)
        ends = {first: index for index, first in enumerate(leftmost)}
        blocks = [(height_at[end], start, end - start + 1) for start, end in ends.items() if start]
        top = max([height_at[ends[0]], *(height + 1 for height, _, _ in blocks)])
        blocks.append((top, 0, len(nodes)))
        blocks.sort()
        heights, starts, sizes = np.array(blocks, dtype=np.int64).T
        return cls([node.label for node in nodes], np.array(leftmost, dtype=np.int64), starts, sizes, heights)

    @property
    def n_cells(self) -> int:
        """Entries of all blocks together."""
        return int(self.sizes.sum())

    @property
    def n_heights(self) -> int:
        """Distinct nesting heights."""
        return len(np.unique(self.heights))

    @property
    def n_steps(self) -> int:
        """Rows to fill when all blocks of one height are filled at once."""
        return sum(int(self.sizes[self.heights == height].max()) for height in np.unique(self.heights))


def _left_paths(nodes: Sequence[Node]) -> tuple[list[int], list[int]]:
    """Leftmost leaf of every node, and how many blocks deep the part of its left path below it is."""
    leftmost: list[int] = []
    heights: list[int] = []
    done: list[int] = []
    for index, node in enumerate(nodes):
        n_children = len(node.children)
        children = done[len(done) - n_children :]
        del done[len(done) - n_children :]
        leftmost.append(leftmost[children[0]] if children else index)
        deepest = heights[children[0]] if children else 0
        heights.append(max([deepest, *(heights[child] + 1 for child in children[1:])]))
        done.append(index)
    return leftmost, heights
