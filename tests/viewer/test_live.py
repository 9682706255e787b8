"""A run that is going on: its growing logs are followed, without a lock, without writing."""

from pathlib import Path

import orjson
import pytest

from snellen.store import Log
from snellen.viewer import live
from snellen.viewer.library import Library, RunView
from tests.viewer.viewed import client, make_run

ROWS = [{"question": f"Number {i}?", "answer": str(i), "capability": "counting"} for i in range(12)]


@pytest.fixture
def going(tmp_path: Path) -> tuple[Path, list[bytes]]:
    """A run with the first four of twelve answers, and the lines that are still to come."""
    run = make_run(tmp_path, ROWS, lambda prompt: prompt.question[7:-1], scorer="exact")
    lines = (run / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (run / "responses.jsonl").write_bytes(b"".join(lines[:4]))
    for name in ("scores.parquet", "report.json", "report.html", "report.md"):
        (run / name).unlink()
    (run / "lock").write_text("{}")
    return run, lines


def states(view: RunView) -> dict[str, int]:
    """State → rows."""
    found: dict[str, int] = {}
    for state in view.table()["state"].to_pylist():
        found[state] = found.get(state, 0) + 1
    return found


def test_answers_are_scored_as_they_come(going) -> None:
    """Each look takes in the new lines alone, and nothing is written."""
    run, lines = going
    before = {path.name for path in run.iterdir()}
    view = Library(run.parent).open(run.name)
    assert view.is_live()
    assert states(view) == {"scored": 4, "not_asked": 8}
    with (run / "responses.jsonl").open("ab") as file:
        file.write(lines[4] + lines[5] + lines[6][:30])
    n_before = view.answers().n_lines_read
    assert states(view) == {"scored": 6, "not_asked": 6}
    assert view.answers().n_lines_read == n_before + 2
    with (run / "responses.jsonl").open("ab") as file:
        file.write(lines[6][30:])
    assert states(view) == {"scored": 7, "not_asked": 5}
    assert {path.name for path in run.iterdir()} == before


def test_the_page_follows_the_run(going) -> None:
    """The run's page says how far it is, with a provisional score, and asks to be refreshed."""
    run, _ = going
    page = client(run.parent).get(f"/runs/{run.name}").text
    assert "4 of 12 answered" in page
    assert "100.0" in page
    assert 'data-live="1"' in page
    assert "The run is going on" in page
    progress = client(run.parent).get(f"/runs/{run.name}/progress").json()
    assert progress["n_answered"] == 4
    assert progress["n_scored"] == 4
    assert progress["score"] == 1.0
    listing = client(run.parent).get(f"/runs/{run.name}/samples?outcome=right").text
    assert "<b>4</b> of 12 answers" in listing
    assert "not asked yet" in client(run.parent).get(f"/runs/{run.name}/samples/11").text


def test_a_look_scores_a_bounded_number(going, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one look does not score waits for the next, and says so."""
    run, _ = going
    monkeypatch.setattr(live, "SCORED_A_REFRESH", 3)
    view = Library(run.parent).open(run.name)
    assert states(view) == {"scored": 3, "waiting": 1, "not_asked": 8}
    assert states(view) == {"scored": 4, "not_asked": 8}


def test_earlier_scores_are_taken_over(going, tmp_path: Path) -> None:
    """A resumed run is not scored again from its beginning; only what came in since is."""
    run = make_run(tmp_path / "other", ROWS, lambda prompt: prompt.question[7:-1], scorer="exact")
    record = orjson.loads((run / "samples.jsonl").read_bytes().splitlines()[-1])
    record |= {"position": 12, "key": "ab" * 32, "id": "q12"}
    with Log(run / "samples.jsonl") as log:
        log.append(record)
    with Log(run / "responses.jsonl") as log:
        log.append({"key": "ab" * 32, "epoch": 0, "sample_id": "q12", "status": "ok", "text": "11"})
    view = Library(run.parent).open(run.name)
    assert states(view) == {"scored": 13}
    assert view._live is not None
    assert view._live.n_scored == 1


def test_a_copied_run_is_not_taken_for_a_live_one(tmp_path: Path) -> None:
    """File times that a copy mixed up do not make a finished run look unfinished."""
    run = make_run(tmp_path, ROWS, lambda prompt: "1", scorer="exact")
    for name in ("samples.jsonl", "responses.jsonl"):
        data = (run / name).read_bytes()
        (run / name).unlink()
        (run / name).write_bytes(data)
    assert not Library(run.parent).open(run.name).is_live()


def test_a_failure_does_not_replace_an_answer(going) -> None:
    """The ledger's rule holds here too: a later failure of an answered prompt is passed over."""
    run, lines = going
    first = orjson.loads(lines[0])
    with Log(run / "responses.jsonl") as log:
        log.append({"key": first["key"], "epoch": 0, "sample_id": "q0", "status": "error", "kind": "timeout"})
    view = Library(run.parent).open(run.name)
    assert states(view) == {"scored": 4, "not_asked": 8}
