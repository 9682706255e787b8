"""The self-contained page."""

import re
from html.parser import HTMLParser
from pathlib import Path

from snellen.reports.alignment import align
from snellen.reports.comparison import compare
from snellen.reports.comparison_figures import ticks
from snellen.reports.comparison_html import comparison_page, leaderboard_page, thresholds_section, trend_page
from snellen.reports.leaderboard import leaderboard
from snellen.reports.run_data import load_run
from snellen.reports.trend import trend
from tests.reports.scored_runs import write_run

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """Model names, questions and answers become no markup; there is no script and no outside request."""
    samples = [{"question": HOSTILE + str(i), "answer": HOSTILE, "capability": HOSTILE} for i in range(30)]
    first = write_run(tmp_path / "a", [1.0] * 30, samples=samples)
    second = write_run(tmp_path / "b", [0.0] * 10 + [1.0] * 20, samples=samples, model__name=HOSTILE)
    result = compare(align([load_run(first), load_run(second)]))
    page = comparison_page(result, pictures=lambda flip: [("image/png", b"\x89PNG")])
    tags = _Tags(page)
    assert not [tag for tag, _ in tags.seen if tag in ("script", "iframe", "link", "object")]
    assert not [key for _, attrs in tags.seen for key in attrs if key.startswith("on")]
    pictures = [attrs["src"] for tag, attrs in tags.seen if tag == "img"]
    assert len(pictures) == 10
    assert all(str(source).startswith("data:image/png;base64,") for source in pictures)
    assert not re.search(r"https?://", page)
    assert "Content-Security-Policy" in page


def test_the_page_holds_the_numbers(tmp_path: Path) -> None:
    """Both scores, the difference and the figure with the interval stand in the page."""
    first = write_run(tmp_path / "a", [1.0] * 30 + [0.0] * 30, tokens=[10] * 60)
    second = write_run(tmp_path / "b", [1.0] * 45 + [0.0] * 15, model__name="b", tokens=[20] * 60)
    page = comparison_page(compare(align([load_run(first), load_run(second)])))
    for text in ("50.0", "75.0", "+25.0", "<svg", "the Pareto front", "model.name"):
        assert text in page


def test_trend_and_leaderboard_pages(tmp_path: Path) -> None:
    """Each is one page with its figure."""
    runs = [
        load_run(write_run(tmp_path / str(i), [float(j <= i) for j in range(6)], tags={"step": str(i)}))
        for i in range(4)
    ]
    assert "polygon" in trend_page(trend(align(runs)))
    own = load_run(write_run(tmp_path / "p", [1.0, 0.0], benchmark__name="perceptionbench"))
    page = leaderboard_page(leaderboard([own]))
    assert page.count("<rect") == 9
    assert thresholds_section([]) == ""


def test_ticks_are_round_and_inside() -> None:
    """Ticks lie within the range on a step of 1, 2 or 5."""
    for low, high in ((0.0, 1.0), (-0.31, 0.27), (1000, 16000), (0.501, 0.503)):
        found = ticks(low, high)
        assert 3 <= len(found) <= 7
        assert low - 1e-9 <= found[0]
        assert found[-1] <= high + 1e-9
