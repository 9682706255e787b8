"""Tables: find a cell among many, and follow references from cell to cell."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from snellen.benchmarks.eyechart.drawing import FAINT, Canvas
from snellen.benchmarks.eyechart.kinds import Item, Kind

WHITE = (255, 255, 255)
BAND = (240, 244, 248)
HEAD = (52, 84, 120)
_CONSONANTS, _VOWELS = "BDFGKLMNPRSTVZ", "AEIOU"


def _names(random: Random, n: int) -> list[str]:
    """N different short names that no one knows by heart."""
    pool = [a + v + b for a in _CONSONANTS for v in _VOWELS for b in _CONSONANTS if a != b]
    return random.sample(pool, n)


def draw_cell(random: Random, level: float) -> Item:
    """A table of about `level` cells of two digits in a picture of one size; one cell is asked by row and column."""
    columns = round((level * 0.75) ** 0.5)
    rows = round(level / columns)
    names = _names(random, rows + columns)
    row_names, column_names = names[:rows], names[rows:]
    cells = [[random.randrange(10, 100) for _ in range(columns)] for _ in range(rows)]
    canvas = _table(row_names, column_names, [[str(cell) for cell in line] for line in cells])
    r, c = random.randrange(rows), random.randrange(columns)
    question = f"What number stands in row {row_names[r]} and column {column_names[c]}? Answer with the number only."
    metadata = {"n_rows": rows, "n_columns": columns}
    return Item((canvas.image(),), question, str(cells[r][c]), metadata=metadata)


def _table(row_names: list[str], column_names: list[str], cells: list[list[str]]) -> Canvas:
    width, height, left, top = 380, 300, 40, 26
    step_x, step_y = (width - left - 8) / len(column_names), (height - top - 8) / len(row_names)
    print_px = min(9, 0.36 * step_y, 0.3 * step_x)
    canvas = Canvas(width, height, WHITE)
    canvas.rectangle((0, 0, width, top - 5), HEAD)
    for c, name in enumerate(column_names):
        canvas.text(left + (c + 0.5) * step_x, top / 2 - 2, name, print_px, fill=WHITE)
    for r, name in enumerate(row_names):
        y = top + (r + 0.5) * step_y
        if r % 2 == 0:
            canvas.rectangle((0, y - step_y / 2, width, y + step_y / 2), BAND)
        canvas.text(8, y, name, print_px, fill=HEAD, align="left")
        for c, value in enumerate(cells[r]):
            canvas.text(left + (c + 0.5) * step_x, y, value, print_px)
    return canvas


GRID = 5


def draw_steps(random: Random, level: float) -> Item:
    """A 5 × 5 table in which each cell names another cell; follow `level` references."""
    n = int(level)
    path = random.sample(range(GRID * GRID), n + 1)
    target = dict(pairwise(path))
    rest = [cell for cell in range(GRID * GRID) if cell not in target]
    for cell in rest:
        target[cell] = random.choice([other for other in range(GRID * GRID) if other != cell])
    canvas = Canvas(300, 260, WHITE)
    left, top, step_x, step_y = 40, 34, 50, 43
    for i in range(GRID):
        canvas.text(left + (i + 0.5) * step_x, 18, "ABCDE"[i], 11, fill=HEAD)
        canvas.text(22, top + (i + 0.5) * step_y, str(i + 1), 11, fill=HEAD)
    for cell, there in target.items():
        x, y = left + cell % GRID * step_x, top + cell // GRID * step_y
        canvas.rectangle((x, y, x + step_x, y + step_y), WHITE, outline=FAINT)
        canvas.text(x + step_x / 2, y + step_y / 2, cell_name(there), 12)
    times = "1 step" if n == 1 else f"{n} steps"
    question = (
        f"Each cell of this table names another cell (column letter, row number). Start at cell {cell_name(path[0])} "
        f"and go to the cell that it names; that is 1 step. At which cell are you after {times}? "
        "Answer with the name of the cell only."
    )
    metadata = {"start": cell_name(path[0]), "cells": {cell_name(k): cell_name(v) for k, v in sorted(target.items())}}
    return Item((canvas.image(),), question, cell_name(path[-1]), metadata=metadata)


def cell_name(cell: int) -> str:
    """Name of a cell: column letter and row number.

    >>> cell_name(0), cell_name(24)
    ('A1', 'E5')
    """
    return "ABCDE"[cell % GRID] + str(cell // GRID + 1)


KINDS = (
    Kind(
        "table_cell", "table", "cells", (6, 24, 90, 320, 1200), "number", draw_cell,
        "finds a cell in tables of up to {level} cells",
    ),
    Kind(
        "table_steps", "table", "steps", (1, 3, 6, 10, 16), "exact", draw_steps,
        "follows up to {level} references through a table", 1 / 25,
    ),
)  # fmt: skip
