"""Both rule sets and the judges' verdicts on a sample's page, and the filters for them."""

import os
from pathlib import Path

import pytest

from snellen.scores_file import read_scores, write_scores
from snellen.store import Log, read_json, write_json
from tests.viewer.viewed import client, make_run

ROWS = [{"question": "What is it?", "answer": "a cat"}, {"question": "And this?", "answer": "dog"}]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run in which the rule sets differ on the first sample and a judge looked at the second."""
    run = make_run(tmp_path, ROWS, lambda prompt: "the cat", scorer="exact")
    spec = read_json(run / "run.json")
    write_json(run / "run.json", {**spec, "rules": "datbench-1.0"})
    rows = read_scores(run / "scores.parquet")
    rows[0] |= {
        "value": 0.0, "fair": 1.0, "datbench_1_0": 0.0, "reason": "library: no match", "answer": "the cat",
        "details": {"anls": 0.4}, "fair_details": {"answer": "cat", "reason": "articles dropped", "anls": 0.9},
    }  # fmt: skip
    rows[1] |= {"verdict": "incorrect", "scorer": "judge:one-token", "reason": "it is a dog", "fair": None,
                "datbench_1_0": None, "details": {"votes": {"j": "incorrect"}}, "fair_details": None}  # fmt: skip
    list(write_scores(run / "scores.parquet", rows))
    verdict = {"key": "k", "prompt_key": rows[1]["key"], "epoch": 0, "sample_id": "q1", "judge": "j<b>",
               "protocol": "one-token@1", "state": "incorrect", "reason": "<script>", "raw": "<i>no</i>"}  # fmt: skip
    with Log(run / "verdicts.jsonl") as log:
        log.append(verdict | {"state": "unjudged", "reason": "timeout"})
        log.append(verdict)
    os.utime(run / "scores.parquet")
    return run


def test_both_rule_sets_stand_side_by_side(run: Path) -> None:
    """Each rule set has its score, what it read and why; the one that counts is marked."""
    page = client(run.parent).get(f"/runs/{run.name}/samples/0").text
    assert "datbench-1.0 (counts)" in page
    assert "library: no match" in page
    assert "articles dropped" in page
    assert ">cat</td>" in page
    assert "details of fair" in page
    listing = client(run.parent).get(f"/runs/{run.name}/samples?differs=yes").text
    assert "<b>1</b> of 2" in listing
    assert "rules differ" in listing


def test_verdicts_stand_with_reason_and_reply(run: Path) -> None:
    """All verdicts on the answer are shown, escaped, and can be filtered by."""
    page = client(run.parent).get(f"/runs/{run.name}/samples/1").text
    assert "by j&lt;b&gt;" in page
    assert "&lt;script&gt;" in page
    assert "&lt;i&gt;no&lt;/i&gt;" in page
    assert "timeout" in page
    assert "<b>1</b> of 2" in client(run.parent).get(f"/runs/{run.name}/samples?verdict=incorrect").text
    assert "<b>1</b> of 2" in client(run.parent).get(f"/runs/{run.name}/samples?verdict=any").text
    assert "<b>0</b> of 2" in client(run.parent).get(f"/runs/{run.name}/samples?verdict=correct").text


def test_lists_show_small_copies(run: Path) -> None:
    """The list asks for small pictures, the sample's page for whole ones."""
    listing = client(run.parent).get(f"/runs/{run.name}/samples").text
    assert f"/runs/{run.name}/images/0/0?small=1" in listing
    visitor = client(run.parent)
    small = visitor.get(f"/runs/{run.name}/images/0/0?small=1")
    assert small.status_code == 200
    assert small.headers["content-type"].startswith("image/")


def test_repeats_are_kept_apart(tmp_path: Path) -> None:
    """With several epochs each repeat is a row of its own, with its own page; the list of runs shows the mean."""
    said = iter(["dog", "cat"] * 4)
    run = make_run(tmp_path, ROWS[1:], lambda prompt: next(said), scorer="exact", epochs=2)
    listing = client(run.parent).get(f"/runs/{run.name}/samples").text
    assert "<b>2</b> of 2" in listing
    assert "repeat 2" in listing
    first = client(run.parent).get(f"/runs/{run.name}/samples/0").text
    second = client(run.parent).get(f"/runs/{run.name}/samples/0?epoch=1").text
    assert first != second
    assert "1 of 2" in first
    assert "2 of 2" in second
    assert client(run.parent).get(f"/runs/{run.name}/samples/0?epoch=2").status_code == 404


def test_a_judged_answer_has_no_rule_that_counts(run: Path) -> None:
    """Where a judge decided, the rule's score stands there without the judge's reason and does not count."""
    rows = read_scores(run / "scores.parquet")
    rows[1] |= {"fair": 0.25, "rule_value": 0.25}
    list(write_scores(run / "scores.parquet", rows))
    page = client(run.parent).get(f"/runs/{run.name}/samples/1").text
    table = page.split('<th scope="col">rules</th>')[1].split("</table>")[0]
    assert "0.25" in table
    assert "(counts)" not in table
    assert "it is a dog" not in table
