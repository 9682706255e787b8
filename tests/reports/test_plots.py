"""Figures as files."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from snellen.errors import UsageError
from snellen.reports import plots
from snellen.reports.slices import Slice
from snellen.reports.thresholds import thresholds
from snellen.stats.intervals import mean_interval
from tests.reports.made_pages import data_of

# A mark, not a skip at import: the standard library's discovery imports this module too.
pytestmark = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed (extra plots)")


@pytest.mark.slow
def test_every_figure_in_every_format(tmp_path: Path) -> None:
    """All five figures, each as PNG, SVG and PDF, on white ground; the same run gives the same SVG."""
    rows = [
        {"score": size >= 12, "metadata": {"kind": "letters", "unit": "px", "level": size, "harder": "lower"}}
        for size in (6, 8, 12, 16, 24)
        for _ in range(12)
    ]
    odd = "$\\frac{a <b>\x00 名"
    slices = [Slice("long side", "< 800 px", 3, mean_interval([0, 1, 1], seed=0))]
    data = replace(data_of(model__name=odd), thresholds=thresholds(rows), slices=slices)
    paths = plots.save_figures(data, tmp_path / "figures")
    names = {path.name for path in paths}
    stems = ("capabilities", "slices", "radar", "published", "thresholds")
    assert names == {f"{stem}.{ending}" for stem in stems for ending in plots.FORMATS}
    assert Image.open(tmp_path / "figures" / "radar.png").convert("RGB").getpixel((2, 2)) == (255, 255, 255)
    assert (tmp_path / "figures" / "radar.pdf").read_bytes().startswith(b"%PDF")
    svg = (tmp_path / "figures" / "published.svg").read_text()
    assert "<script" not in svg
    plots.save_figures(data, tmp_path / "again")
    assert (tmp_path / "again" / "published.svg").read_text() == svg


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing matplotlib is one sentence with what to install."""
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"snellen\[plots\]"):
        plots.save_figures(data_of(), tmp_path)
