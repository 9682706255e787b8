"""Figures of a run as files (PNG, SVG, PDF), with matplotlib, which is loaded only here.

Colours are Okabe and Ito's, told apart by colour-blind readers; marks, dashes and labels say the same without colour.
The ground is white, so that a figure reads alike in print and on a dark page.

References:
    M. Okabe, K. Ito, "Color Universal Design", 2008.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from snellen.errors import StoreError, UsageError
from snellen.reports.published_section import beside_of
from snellen.reports.run_page_data import PageData
from snellen.reports.thresholds import level_text
from snellen.store import make_folder

FORMATS = ("png", "svg", "pdf")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("-", "--", ":", "-.")
_MARKS = ("o", "s", "^", "D")
_MAX_GROUPS = 40


def save_figures(data: PageData, folder: Path) -> list[Path]:
    """Draw what the run has numbers for, each figure in all FORMATS.

    Args:
        data: the numbers.
        folder: where the files go; made when it is not there.

    Returns:
        The paths written: capabilities, slices, radar, published, thresholds.

    Raises:
        UsageError: matplotlib is not installed.
        StoreError: the folder cannot be written.
    """
    plt = _matplotlib()
    make_folder(folder)
    drawings: dict[str, Callable[[Any, PageData], Any]] = {
        "capabilities": _capabilities, "slices": _slices, "radar": _radar, "published": _published,
        "thresholds": _thresholds,
    }  # fmt: skip
    paths = []
    with warnings.catch_warnings():
        # A model may be named in signs that the font lacks; they become boxes, which is all there is to say.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        for name, draw in drawings.items():
            figure = draw(plt, data)
            if figure is not None:
                paths += _save(figure, folder / name)
                plt.close(figure)
    return paths


def _matplotlib() -> Any:
    try:
        import matplotlib as mpl
    except ImportError:
        raise UsageError("figures need matplotlib: pip install 'snellen[plots]'") from None
    mpl.use("Agg")
    mpl.rcParams.update({
        "svg.hashsalt": "snellen", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
        "figure.facecolor": "white", "savefig.facecolor": "white", "axes.axisbelow": True, "svg.fonttype": "none",
        "text.parse_math": False,
    })  # fmt: skip
    import matplotlib.pyplot as plt

    return plt


def _save(figure: Any, stem: Path) -> list[Path]:
    paths = [stem.with_suffix(f".{ending}") for ending in FORMATS]
    metadata: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    try:
        for path in paths:
            figure.savefig(path, dpi=160, bbox_inches="tight", metadata=metadata[path.suffix[1:]])
    except OSError as error:
        raise StoreError(f"cannot write figures to {stem.parent}: {error.strerror or error}") from error
    return paths


def _title(data: PageData) -> str:
    model = (data.spec.get("model") or {}).get("name")
    return plain(f"{model} on {(data.spec.get('benchmark') or {}).get('name')}")


def plain(text: str, n_chars: int = 60) -> str:
    r"""A name that fonts can draw: on one line, cut, without control characters.

    >>> plain("a\x00b\nc")
    'a b c'
    """
    shown = "".join(c if c.isprintable() else " " for c in text)[:n_chars]
    return " ".join(shown.split())


def _dots(plt: Any, names: list[str], intervals: list[Any], title: str) -> Any:
    """Means with their intervals, one a row, top down."""
    figure, axes = plt.subplots(figsize=(7, 0.6 + 0.32 * len(names)))
    places = list(range(len(names)))[::-1]
    for y, one in zip(places, intervals, strict=True):
        if not math.isnan(one.low):
            axes.plot([100 * one.low, 100 * one.high], [y, y], color=_COLOURS[0], linewidth=2.5)
        axes.plot([100 * one.mean], [y], _MARKS[0], color=_COLOURS[0], markersize=7)
        axes.annotate(f"{100 * one.mean:.1f}", (101, y), va="center", annotation_clip=False)
    axes.set_yticks(places, [plain(name, 40) for name in names])
    axes.set_xlim(0, 100)
    axes.grid(axis="x", color="#dddddd")
    axes.set_xlabel("score, with 95 % interval")
    axes.set_title(title, loc="left")
    return figure


def _capabilities(plt: Any, data: PageData) -> Any:
    cells = [cell for cell in data.summary.by_capability if not math.isnan(cell.score)][:_MAX_GROUPS]
    cells = [*cells, data.summary.overall] if not math.isnan(data.summary.overall.score) else cells
    if not cells:
        return None
    return _dots(plt, [cell.name for cell in cells], [cell.interval for cell in cells], _title(data))


def _slices(plt: Any, data: PageData) -> Any:
    found = list(data.slices)[:_MAX_GROUPS]
    if not found:
        return None
    names = [f"{one.aspect}: {one.name}" for one in found]
    return _dots(plt, names, [one.interval for one in found], f"{_title(data)}: slices")


def _radar(plt: Any, data: PageData) -> Any:
    found = beside_of(data)
    cells = found.cells if found else tuple(c for c in data.summary.by_capability if not math.isnan(c.score))
    if len(cells) < 3:
        return None
    angles = [2 * math.pi * i / len(cells) for i in range(len(cells) + 1)]
    figure, axes = plt.subplots(figsize=(6.5, 6.5), subplot_kw={"projection": "polar"})
    axes.set_theta_offset(math.pi / 2)
    axes.set_theta_direction(-1)
    lines = {_title(data): {cell.name: cell.score for cell in cells}}
    if found:
        lines |= {f"{name} ({found.chosen[name]})": dict(scores) for name, scores in found.profiles.items()}
    for i, (name, scores) in enumerate(lines.items()):
        values = [100 * scores.get(cell.name, math.nan) for cell in cells]
        style = {"color": _COLOURS[i % 6], "linestyle": _DASHES[i % 4], "marker": _MARKS[i % 4]}
        axes.plot(angles, [*values, values[0]], label=plain(name), linewidth=2.5 if i == 0 else 1.5, **style)
    axes.fill(angles, [100 * c.score for c in (*cells, cells[0])], color=_COLOURS[0], alpha=0.12)
    axes.set_xticks(angles[:-1], [plain(cell.name.removesuffix("_error").replace("_", " "), 24) for cell in cells])
    axes.set_ylim(0, 100)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
    return figure


def _published(plt: Any, data: PageData) -> Any:
    found = beside_of(data)
    if found is None:
        return None
    own = f"▸ {_title(data)}"
    lines = sorted([*found.scores.items(), (own, found.own.mean)], key=lambda line: line[1])
    figure, axes = plt.subplots(figsize=(7, 0.8 + 0.26 * len(lines)))
    for y, (name, score) in enumerate(lines):
        is_own = name == own
        axes.barh(
            y, 100 * score, color=_COLOURS[1 if is_own else 0], alpha=1 if is_own else 0.55, hatch="//" * is_own
        )
        end = max(score, found.own.high) if is_own and not math.isnan(found.own.high) else score
        axes.annotate(f"{100 * score:.1f}", (100 * end + 0.8, y), va="center", fontsize=8)
    place = [name for name, _ in lines].index(own)
    if not math.isnan(found.own.low):
        axes.plot([100 * found.own.low, 100 * found.own.high], [place, place], color="black", linewidth=1.5)
    axes.axvline(100 * found.ceiling, color="black", linestyle="--", linewidth=1)
    axes.set_yticks(range(len(lines)), [plain(name, 40) for name, _ in lines])
    axes.set_xlabel(f"{found.measure}; dashed: best published ({found.source})")
    axes.set_xlim(0, 100)
    return figure


def _thresholds(plt: Any, data: PageData) -> Any:
    kinds = [one for one in data.thresholds if one.seen][:24]
    if not kinds:
        return None
    n_columns = min(4, len(kinds))
    n_rows = math.ceil(len(kinds) / n_columns)
    figure, grid = plt.subplots(n_rows, n_columns, figsize=(3 * n_columns, 2.4 * n_rows), squeeze=False)
    for axes in grid.flat[len(kinds) :]:
        axes.set_visible(False)
    for axes, one in zip(grid.flat, kinds, strict=False):
        levels = [share.level for share in one.seen]
        axes.plot(levels, [100 * share.share for share in one.seen], _MARKS[0] + "-", color=_COLOURS[0])
        axes.axhline(100 * one.curve.chance, color="#666666", linestyle=":")
        if not math.isnan(one.curve.threshold):
            axes.axvline(one.curve.threshold, color=_COLOURS[1], linestyle="--")
        if min(levels) > 0:
            axes.set_xscale("log")
        shown = sorted({levels[0], levels[len(levels) // 2], levels[-1]})
        axes.set_xticks(shown, [level_text(level) for level in shown])
        axes.minorticks_off()
        axes.set_ylim(-4, 104)
        axes.set_title(plain(f"{one.kind} ({one.unit})", 28), fontsize=9)
    figure.suptitle(f"{_title(data)}: share right by level; dashed: threshold, dotted: guessing", y=1.0)
    figure.tight_layout()
    return figure
