"""`snellen report`: reports again, figures, published models, trackers."""

from pathlib import Path

import pytest

from snellen import reporting
from snellen.errors import UsageError
from snellen.store import read_json
from tests.reports.scored_runs import write_run

CAPABILITIES = ("chart", "counting", "document", "general", "grounding", "math", "scene", "spatial", "table")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A scored run over the nine capabilities, whose benchmark is not at hand."""
    samples = [{"id": f"s{i}", "capability": name, "references": ["12"]} for i, name in enumerate(CAPABILITIES * 6)]
    scores = [float(i % 2) for i in range(len(samples))]
    return write_run(tmp_path / "run", scores, samples=samples, benchmark__data=str(tmp_path / "gone"))


def test_the_reports_hold_the_same_numbers(run: Path) -> None:
    """JSON, Markdown, HTML and CSV are written, with slices, published models and citations."""
    result = reporting.report(run)
    record = read_json(run / "report.json")["results"]
    assert record["score"] == pytest.approx(result.score)
    assert record["published"]["measure"] == "mean of the 9 capabilities"
    assert len(record["published"]["chosen"]) == 3
    markdown = (run / "report.md").read_text()
    assert "## Beside published models" in markdown
    assert f"{100 * result.score:.1f}" in (run / "report.html").read_text()
    assert "chart" in (run / "per_capability.csv").read_text()


def test_chosen_models_are_kept_until_changed(run: Path) -> None:
    """--beside is remembered by the next report; an unknown model is refused and nothing is forgotten."""
    reporting.report(run, beside=["R-4B"])
    reporting.report(run)
    assert read_json(run / "report.json")["results"]["published"]["chosen"] == {"R-4B": "chosen"}
    with pytest.raises(UsageError, match="no published scores"):
        reporting.report(run, beside=["Nobody"])
    reporting.report(run, beside=[])
    assert len(read_json(run / "report.json")["results"]["published"]["chosen"]) == 3


def test_an_unknown_tracker_is_refused(run: Path) -> None:
    """Only trackers that there are can be named."""
    with pytest.raises(UsageError, match="--track takes mlflow"):
        reporting.report(run, track="paper")


@pytest.mark.slow
def test_figures_are_written_where_asked(run: Path, tmp_path: Path) -> None:
    """--figures makes the folder and the files."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra plots)")
    reporting.report(run, figures=tmp_path / "deep" / "figures")
    assert (tmp_path / "deep" / "figures" / "radar.svg").exists()
