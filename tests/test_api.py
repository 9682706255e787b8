"""The Python side: live models, notebooks, results."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest

import snellen
from snellen.errors import ModelError, UsageError
from snellen.types import Prompt
from tests.conftest import write_questions


def questions(folder: Path, n: int = 6) -> str:
    """Name of an own benchmark whose answers are all 3."""
    return f"file:{write_questions(folder, [f'[q{i}] How many?' for i in range(n)])}"


def test_a_live_callable_is_a_model_and_the_result_shows_itself(tmp_path: Path) -> None:
    """As a training loop would: no server, no spec."""

    def three(prompt: Prompt) -> str:
        return "Answer: 3" if prompt.sample_id != "q0" else "Answer: 4"

    result = snellen.run(questions(tmp_path), three, name="now", out=tmp_path / "runs", tags={"step": "1000"})
    assert result.score == pytest.approx(5 / 6)
    assert result.ci95[0] < result.score < result.ci95[1]
    assert [row["value"] for row in result.rows()] == [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    assert "<table>" in result._repr_html_()
    assert "6 of 6 scored" in repr(result)
    assert result.spec["tags"] == {"step": "1000"}


def test_it_works_inside_a_running_event_loop(tmp_path: Path) -> None:
    """As in a notebook; an async model works too."""

    async def three(prompt: Prompt) -> str:
        await asyncio.sleep(0.001)
        return "3"

    async def cell() -> float:
        return snellen.run(questions(tmp_path), three, out=tmp_path / "runs").score

    assert asyncio.run(cell()) == 1.0


def test_a_model_that_always_raises_stops_with_its_own_error(tmp_path: Path) -> None:
    """Never a table without a number and without a reason."""

    def broken(prompt: Prompt) -> str:
        raise ValueError("expected scalar type Half but found Float")

    with pytest.raises(ModelError, match="expected scalar type Half"):
        snellen.run(questions(tmp_path, 40), broken, out=tmp_path / "runs")


def test_an_unknown_option_names_the_nearest(tmp_path: Path) -> None:
    """`max_token=1` is never ignored."""
    with pytest.raises(UsageError, match="did you mean 'max_tokens'"):
        snellen.run("eyechart", "prior", max_token=1)


def test_epochs_are_averaged_a_question_first(tmp_path: Path) -> None:
    """Asking each question four times gives no more independent questions."""

    def by_epoch(prompt: Prompt) -> str:
        return "3" if prompt.epoch % 2 == 0 else "4"

    result = snellen.run(questions(tmp_path), by_epoch, epochs=4, temperature=1.0, out=tmp_path / "runs")
    overall = result.summary.overall
    assert (overall.n_asked, overall.interval.n, len(result.rows())) == (6, 6, 24)
    assert result.score == 0.5


def test_the_same_scored_run_reports_the_same_interval(tmp_path: Path) -> None:
    """The bootstrap is seeded and the seed stands in the report."""
    results = [
        snellen.run(questions(tmp_path / str(k), 30), _two_thirds, out=tmp_path / f"runs{k}", seed=5)
        for k in range(2)
    ]
    assert results[0].ci95 == results[1].ci95
    report = json.loads((results[0].folder / "report.json").read_text())
    assert report["spec"]["seed"] == 5


def _two_thirds(prompt: Prompt) -> str:
    return "3" if int(prompt.sample_id[1:]) % 3 else "4"


def test_images_are_kept_once_each_on_demand(tmp_path: Path) -> None:
    """Original bytes, named by their hash."""
    result = snellen.run(questions(tmp_path), lambda prompt: "3", name="m", out=tmp_path / "runs", keep_images=True)
    kept = sorted((result.folder / "images").iterdir())
    sources = {path.read_bytes() for path in (tmp_path / "images").iterdir()}
    assert {path.read_bytes() for path in kept} == sources


def test_a_blind_run_sends_no_image(tmp_path: Path) -> None:
    """And is another run than the seeing one."""
    seen: list[int] = []

    def count(prompt: Prompt) -> str:
        seen.append(sum(hasattr(part, "data") for part in prompt.parts))
        return "3"

    blind = snellen.run(questions(tmp_path), count, name="m", out=tmp_path / "runs", blind=True)
    sighted = snellen.run(questions(tmp_path), count, name="m", out=tmp_path / "runs")
    assert seen == [0] * 6 + [1] * 6
    assert blind.folder != sighted.folder


def test_a_score_of_nothing_is_nan_not_zero(tmp_path: Path) -> None:
    """No answer, no number; the exit code says so."""
    from snellen.running import exit_code

    def refuse(prompt: Prompt) -> str:
        raise ModelError("no", kind="bad_request")

    failed = snellen.run(questions(tmp_path, 3), refuse, name="m", out=tmp_path / "runs")
    assert math.isnan(failed.score)
    assert failed.as_record()["score"] is None
    assert failed.summary.overall.missing == {"error: bad_request": 3}
    assert "0 scored of 3" in failed.table()
    assert exit_code(failed, max_failed=0.05) == 1
    mended = snellen.run(questions(tmp_path, 3), lambda p: "3", name="m", out=tmp_path / "runs")
    assert mended.score == 1.0
    assert exit_code(mended, max_failed=0.05) == 0


def test_a_final_failure_among_answers_is_asked_again_only_when_told(tmp_path: Path) -> None:
    """A 400 for one sample is this sample's own; --retry-errors asks it again."""

    def refuse_one(prompt: Prompt) -> str:
        if prompt.sample_id == "q1":
            raise ModelError("no", kind="bad_request")
        return "3"

    out = tmp_path / "runs"
    first = snellen.run(questions(tmp_path, 3), refuse_one, name="m", out=out)
    again = snellen.run(questions(tmp_path, 3), lambda p: "3", name="m", out=out)
    mended = snellen.run(questions(tmp_path, 3), lambda p: "3", name="m", out=out, retry_errors=True)
    assert [result.summary.overall.n_scored for result in (first, again, mended)] == [2, 2, 3]


def test_score_answer_takes_a_row_or_a_sample() -> None:
    """The public scoring function."""
    row = {"id": "1", "image": None, "question": "How many?", "answer": "3", "source_info": {"dataset": "countbench"}}
    assert snellen.score_answer(row, "There are three.").value == 1.0
    assert snellen.score_answer(row, "4").value == 0.0
    sample = next(iter(snellen.load("eyechart", per_level=1).samples([0])))
    assert snellen.score_answer(sample, "").value == 0.0
    with pytest.raises(UsageError, match="unknown rules"):
        snellen.score_answer(row, "3", rules="unfair")  # type: ignore[arg-type]  # that is the point
