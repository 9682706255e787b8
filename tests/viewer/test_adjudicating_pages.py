"""Decisions of people: written durably, from the viewer's own page only."""

from pathlib import Path

import orjson
import pytest

from snellen.viewer.adjudications import Adjudication, adjudicate, adjudications
from snellen.viewer.security import form_token
from tests.viewer.viewed import HOST, TOKEN, client, make_run

ORIGIN = {"origin": f"http://{HOST}"}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two samples, one answered wrongly."""
    rows = [{"question": "How many?", "answer": "2"}, {"question": "Which?", "answer": "left"}]
    return make_run(tmp_path, rows, lambda prompt: "3", scorer="exact")


def decide(run: Path, position: int = 0, *, headers=ORIGIN, may: bool = True, **changes: str):
    """Send a decision as the page does."""
    form = {
        "form_token": form_token(TOKEN),
        "state": "correct",
        "reason": "three is fine <b>",
        "epoch": "0",
    } | changes
    visitor = client(run.parent, may_adjudicate=may)
    return visitor.post(f"/runs/{run.name}/samples/{position}/adjudicate", data=form, headers=headers)


def test_a_decision_is_written_and_survives(run: Path) -> None:
    """It stands in adjudications.jsonl, on the sample's page and in the list, for a new viewer too."""
    got = decide(run, query="outcome=wrong")
    assert got.status_code == 303
    assert got.headers["location"] == f"/runs/{run.name}/samples/0?outcome=wrong"
    (line,) = (run / "adjudications.jsonl").read_bytes().splitlines()
    record = orjson.loads(line)
    assert record["state"] == "correct"
    assert record["reason"] == "three is fine <b>"
    assert record["by"] == "tester"
    assert record["sample_id"] == "q0"
    assert record["epoch"] == 0
    assert len(record["prompt_key"]) == 64
    assert record["at"]
    visitor = client(run.parent, may_adjudicate=True)
    page = visitor.get(f"/runs/{run.name}/samples/0").text
    assert "accept: the answer is right" in page
    assert "three is fine &lt;b&gt;" in page
    assert "person: correct" in visitor.get(f"/runs/{run.name}/samples?people=yes").text
    assert "person:" not in visitor.get(f"/runs/{run.name}/samples?people=no").text


def test_the_last_word_counts(run: Path) -> None:
    """A second decision does not erase the first from the log, but it is the one that is shown."""
    decide(run)
    decide(run, state="broken", reason="the reference is wrong")
    (word,) = adjudications(run).values()
    assert word.state == "broken"
    assert len((run / "adjudications.jsonl").read_bytes().splitlines()) == 2
    assert "<b>1</b> of 2" in client(run.parent).get(f"/runs/{run.name}/samples?people=broken").text


def test_a_torn_line_does_not_hide_the_others(run: Path) -> None:
    """Half a line, as a power loss leaves it, is passed over and cut by the next decision."""
    decide(run)
    with (run / "adjudications.jsonl").open("ab") as file:
        file.write(b'{"prompt_key":"ab')
    assert len(adjudications(run)) == 1
    decide(run, 1)
    assert len(adjudications(run)) == 2


@pytest.mark.parametrize(
    ("status", "how"),
    [
        (403, {"may": False}),
        (403, {"headers": {}}),
        (403, {"headers": {"origin": "http://evil.example"}}),
        (403, {"headers": {"origin": "null"}}),
        (403, {"form_token": "wrong"}),
        (403, {"form_token": TOKEN}),
        (400, {"state": "perfect"}),
        (404, {"position": 99}),
        (404, {"epoch": "5"}),
        (413, {"reason": "x" * 20_000}),
        (400, {"reason": "x" * 3000}),
    ],
)
def test_what_is_refused_is_not_written(run: Path, status: int, how: dict) -> None:
    """Without --adjudicate, origin, form token, a known answer and a short reason nothing is written."""
    assert decide(run, **how).status_code == status
    assert not (run / "adjudications.jsonl").exists()


def test_getting_the_address_does_not_decide(run: Path) -> None:
    """Only a POST writes."""
    got = client(run.parent, may_adjudicate=True).get(f"/runs/{run.name}/samples/0/adjudicate?state=correct")
    assert got.status_code == 405
    assert not (run / "adjudications.jsonl").exists()


def test_a_decision_counts_in_a_judged_sample(run: Path) -> None:
    """What the viewer writes is what the engine's panel reads: state, value, and the hash of that very answer."""
    from snellen.engine.judge_panel import panel_of
    from snellen.store import read_json

    decide(run)
    panel = panel_of(run, read_json(run / "run.json"))
    assert panel is not None
    ((_, verdict),) = panel.people.items()
    assert verdict["value"] == 1.0


def test_adjudicate_refuses_an_unknown_state(run: Path) -> None:
    """The function refuses by itself, whoever calls it."""
    from snellen.errors import UsageError

    with pytest.raises(UsageError, match="a decision is one of"):
        adjudicate(run, Adjudication("k", 0, "q0", "maybe", "", "me"))
