"""Judge runs end to end, against a server in a process of its own: killed, resumed, broken, unreachable."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.conftest import snellen

SERVER = Path(__file__).with_name("judge_server.py")
COMMON = ["--no-sight-check", "--retries", "1", "--timeout", "20"]
N_PAIRS = 19


class Server:
    """A running judge server and what it was asked."""

    def __init__(self, folder: Path, latency_s: float) -> None:
        self.log = folder / "requests.jsonl"
        self.log.touch()
        self._process = subprocess.Popen(
            [sys.executable, str(SERVER), str(self.log), str(latency_s)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"

    def asked(self, model: str) -> Counter[str]:
        """Prompt hash → requests of one model."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return Counter(line["hash"] for line in lines if line["model"] == model)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A fast server."""
    running = Server(tmp_path, 0.0)
    yield running
    running.close()


@pytest.fixture
def slow_server(tmp_path: Path) -> Iterator[Server]:
    """A server whose judges take their time."""
    running = Server(tmp_path, 0.1)
    yield running
    running.close()


def picture(shade: int) -> bytes:
    """A PNG."""
    buffer = io.BytesIO()
    Image.new("RGB", (32, 24), (shade, 60, 90)).save(buffer, "PNG")
    return buffer.getvalue()


RUBRICS = (
    "",
    "Decide whether the answer is right.",
    "Question: {question}\nReference: {correct_answer}\nAnswer: {model_answer}\nRespond with exactly two lines:\nx",
    "Rubric first.\nRespond with exactly two lines:\nReason: why\nanswer: true or false",
)


def judge_rows(folder: Path) -> Path:
    """Judge-mode rows of chart, general and math in DatBench's schema; the right answer is (7,6) in half of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for c, (capability, dataset) in enumerate((("chart", "chartqapro"), ("general", "mmmu"), ("math", "mathvista"))):
        rows = [
            {
                "id": f"{capability}-{i}", "image": {"bytes": picture(50 * c + 6 * i), "path": None},
                "question": f"How large is {capability} {i}?", "prompt_format": {"prefix": "", "suffix": "\nAnswer:"},
                "answer": "(7,6)" if i % 2 else "(4,3)", "eval_mode": "judge", "judge_prompt": RUBRICS[i % 4],
                "is_circular": False, "source_info": {"dataset": dataset, "original_idx": str(i)},
                "eval_metrics": {"discrimination": 0.1, "is_frontier": False},
                "all_answers": ["(7,6)" if i % 2 else "(4,3)"], "metadata": "{}",
            }
            for i in range(8)
        ]  # fmt: skip
        (folder / capability).mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(rows), folder / capability / "test-00000-of-00001.parquet")
    return folder


def run_args(benchmark: str, data: Path, server: Server, out: Path, *judges: str) -> list[str]:
    """Arguments of a judged run."""
    flags = [flag for judge in judges for flag in ("--judge", judge)]
    return ["run", benchmark, "--data", str(data), "--model", "openai:m", "--base-url", server.url, "--out", str(out),
            *COMMON, *flags]  # fmt: skip


def only_run(out: Path) -> Path:
    """The one run directory."""
    (folder,) = [path for path in out.iterdir() if path.is_dir()]
    return folder


def report_of(out: Path) -> dict[str, Any]:
    """The report of the one run."""
    value: dict[str, Any] = json.loads((only_run(out) / "report.json").read_text())
    return value


def verdict_lines(out: Path) -> list[dict[str, Any]]:
    """Whole records of the verdict log."""
    folders = [path for path in out.glob("*") if (path / "verdicts.jsonl").exists()]
    if not folders:
        return []
    raw = (folders[0] / "verdicts.jsonl").read_bytes()
    return [json.loads(line) for line in raw[: raw.rfind(b"\n") + 1].splitlines()]


def kill_in_the_middle(args: list[str], out: Path, n_verdicts: int) -> None:
    """Start a run, wait for some verdicts, and kill it with -9."""
    process = subprocess.Popen(
        [sys.executable, "-m", "snellen", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    deadline = time.monotonic() + 60
    while len(verdict_lines(out)) < n_verdicts and time.monotonic() < deadline:
        assert process.poll() is None, process.stdout.read()  # type: ignore[union-attr]
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()  # type: ignore[union-attr]


def check_killed_and_resumed(args: list[str], out: Path, server: Server) -> dict[str, Any]:
    """Kill a judged run, resume it, and check that no verdict was paid twice."""
    kill_in_the_middle(args, out, 6)
    before = verdict_lines(out)
    assert before
    asked_before = server.asked("good").total()
    done = snellen(*args)
    assert done.returncode in (0, 1), done.stderr
    lines = verdict_lines(out)
    assert lines[: len(before)] == before
    assert len({line["key"] for line in lines}) == len(lines)
    n_in_flight = asked_before - N_PAIRS - len([line for line in before if "raw" in line])
    assert server.asked("good").total() == N_PAIRS + len([line for line in lines if "raw" in line]) + n_in_flight
    assert 0 <= n_in_flight <= 2
    total = server.asked("good").total()
    assert snellen(*args).returncode in (0, 1)
    assert server.asked("good").total() == total
    return report_of(out)


@pytest.mark.slow
@pytest.mark.parametrize("benchmark", ["datbench/table", "perceptionbench"])
def test_real_rows_killed_and_resumed(benchmark: str, shared: Path, slow_server: Server, tmp_path: Path) -> None:
    """Real questions: after kill -9 and resume every answer is judged, and none was judged twice."""
    data = shared / "data" / ("datbench-mini" if benchmark.startswith("datbench") else "perceptionbench-mini")
    args = [*run_args(benchmark, data, slow_server, tmp_path / "runs", "openai:good"), "--judge-concurrency", "2"]
    report = check_killed_and_resumed(args, tmp_path / "runs", slow_server)
    results = report["results"]
    assert results["n_scored"] == results["n_asked"] == (29 if benchmark.startswith("datbench") else 46)
    assert results["missing"] == {}
    judge = report["facts"]["judging"]["judges"]["openai:good"]
    assert judge["self_test"]["n_pairs"] == N_PAIRS
    assert judge["tokens"]["input"] == 100 * (
        N_PAIRS + len([v for v in verdict_lines(tmp_path / "runs") if "raw" in v])
    )


def test_made_judge_rows_killed_and_resumed(slow_server: Server, tmp_path: Path) -> None:
    """Judge rows of chart, general and math, with four kinds of rubric, are judged as they should."""
    data = judge_rows(tmp_path / "data")
    args = [*run_args("datbench", data, slow_server, tmp_path / "runs", "openai:good"), "--judge-concurrency", "2"]
    report = check_killed_and_resumed(args, tmp_path / "runs", slow_server)
    assert report["results"]["score"] == 0.5
    assert {name: cell["score"] for name, cell in report["results"]["by_capability"].items()} == {
        "chart": 0.5, "general": 0.5, "math": 0.5
    }  # fmt: skip


def test_a_panel_with_a_broken_judge_gives_honest_numbers(server: Server, tmp_path: Path) -> None:
    """The two that can be read decide; splits are unparsed; the broken one is named with a warning."""
    data = judge_rows(tmp_path / "data")
    judges = ("openai:good", "openai:lenient", "openai:garbled")
    assert snellen(*run_args("datbench", data, server, tmp_path / "runs", *judges)).returncode == 1
    report = report_of(tmp_path / "runs")
    results, judging = report["results"], report["facts"]["judging"]
    assert (results["n_scored"], results["missing"]) == (12, {"unparsed": 12})
    assert results["if_missing_left_out"] == 1.0
    assert results["if_missing_wrong"] == 0.5
    states = {name: about["verdicts"] for name, about in judging["judges"].items()}
    assert states == {
        "openai:good": {"correct": 12, "incorrect": 12}, "openai:lenient": {"correct": 24},
        "openai:garbled": {"unparsed": 24},
    }  # fmt: skip
    pair = judging["agreement"]["overall"]["pairs"][0]
    assert (pair["n"], pair["observed"]["value"], pair["kappa"]["value"]) == (24, 0.5, 0.0)
    assert set(judging["agreement"]) == {"overall", "chartqapro", "mmmu", "mathvista"}
    warned = [note for note in report["facts"]["notes"] if note.startswith("WARNING: judge")]
    assert any("garbled" in note and "(19 unreadable)" in note for note in warned)


def test_a_judge_that_breaks_in_mid_run_stops_with_a_sentence(server: Server, tmp_path: Path) -> None:
    """What it judged stays, what it could not is unjudged, and a working judge of that name would go on."""
    data = judge_rows(tmp_path / "data")
    args = [*run_args("datbench", data, server, tmp_path / "runs", "openai:dying"), "--judge-concurrency", "1"]
    done = snellen(*args)
    assert done.returncode == 1
    assert "judge openai:dying" in done.stdout
    assert "nothing is lost" in done.stdout
    results = report_of(tmp_path / "runs")["results"]
    assert results["n_scored"] == 6
    assert results["missing"] == {"unjudged": 18}


def test_an_unreachable_judge_stops_the_run_before_the_model_is_asked(server: Server, tmp_path: Path) -> None:
    """The sentence names the address and the cause; the model was asked nothing."""
    data = judge_rows(tmp_path / "data")
    args = run_args("datbench", data, server, tmp_path / "runs", "openai:good")
    done = snellen(*args, "--judge-base-url", "http://127.0.0.1:9/v1")
    assert done.returncode == 1
    assert "http://127.0.0.1:9/v1" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert server.asked("m").total() == 0


def test_judging_later_and_again(server: Server, tmp_path: Path) -> None:
    """`snellen judge` asks each verdict once; an edited prompt asks anew; a resume keeps the judge."""
    data, out = judge_rows(tmp_path / "data"), tmp_path / "runs"
    snellen(*run_args("datbench", data, server, out))
    assert report_of(out)["results"]["missing"] == {"unjudged": 24}
    n_model = server.asked("m").total()
    verb = ["judge", only_run(out), "--judge", "openai:good", "--base-url", server.url]
    assert snellen(*verb).returncode == 0
    n_judge = server.asked("good").total()
    assert report_of(out)["results"]["score"] == 0.5
    snellen(*verb)
    assert server.asked("good").total() == n_judge
    snellen(*run_args("datbench", data, server, out))
    assert report_of(out)["results"]["score"] == 0.5
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Reference: {references}\n{answer}\nanswer: ")
    snellen(*verb, "--prompt", prompt)
    assert server.asked("good").total() > n_judge
    assert report_of(out)["results"]["score"] == 0.5
    assert server.asked("m").total() == n_model


def test_a_judge_that_cannot_be_used_changes_nothing(server: Server, tmp_path: Path) -> None:
    """The panel of an earlier judging, and the score it gave, outlive a mistyped address."""
    data, out = judge_rows(tmp_path / "data"), tmp_path / "runs"
    snellen(*run_args("datbench", data, server, out, "openai:good"), "--judge-base-url", server.url)
    before = (only_run(out) / "run.json").read_bytes()
    verb = [
        "judge",
        only_run(out),
        "--judge",
        "openai:lenient",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--retries",
        "0",
    ]
    done = snellen(*verb)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (1, 1)
    assert "nothing was asked or changed" in done.stderr
    assert (only_run(out) / "run.json").read_bytes() == before
    assert report_of(out)["results"]["score"] == 0.5


def test_rule_unsure_skips_what_the_rule_settles(server: Server, tmp_path: Path) -> None:
    """Exactly right answers cost no call, and the report says how many."""
    data, out = judge_rows(tmp_path / "data"), tmp_path / "runs"
    snellen(*run_args("datbench", data, server, out, "openai:good"), "--judge-when", "rule-unsure")
    report = report_of(out)
    assert report["results"]["score"] == 0.5
    assert report["facts"]["judging"]["n_skipped"] == 12
    assert any("rule-unsure" in note for note in report["facts"]["notes"])
    assert sum("raw" in line for line in verdict_lines(out)) == 12


def test_the_rule_as_a_judge(server: Server, tmp_path: Path) -> None:
    """`--judge rule` asks no model and keeps its reasons."""
    data, out = judge_rows(tmp_path / "data"), tmp_path / "runs"
    snellen(*run_args("datbench", data, server, out, "rule"))
    report = report_of(out)
    assert report["results"]["score"] == 0.5
    assert {line["protocol"] for line in verdict_lines(out)} == {"rule@1"}
    assert {line["reason"] for line in verdict_lines(out)} == {"exact", "mismatch"}
    assert not server.asked("good")


def test_the_examined_model_as_its_own_judge_is_named(server: Server, tmp_path: Path) -> None:
    """Self-judging is a warning."""
    data, out = judge_rows(tmp_path / "data"), tmp_path / "runs"
    done = snellen(*run_args("datbench", data, server, out, "openai:m"))
    assert "is the examined model itself" in done.stdout
    assert report_of(out)["results"]["missing"] == {"unparsed": 24}


def test_people_win_and_correct_the_number(server: Server, tmp_path: Path) -> None:
    """A queue of disagreements and a random audit comes back, overrules, and corrects a lenient judge."""
    data, out = judge_rows(tmp_path / "data"), tmp_path / "runs"
    snellen(*run_args("datbench", data, server, out, "openai:lenient"))
    assert report_of(out)["results"]["score"] == 1.0
    run, queue = only_run(out), tmp_path / "queue.jsonl"
    written = snellen("adjudicate", run, "--out", queue, "--audit", "10")
    assert "10 drawn at random" in written.stdout
    rows = [json.loads(line) for line in queue.read_text().splitlines()]
    assert {(row["why"], row["audit"]) for row in rows} == {("audit", 1)}
    assert all("votes" not in row for row in rows)
    for row in rows:
        row["verdict"] = "correct" if row["references"] in row["answer"] else "incorrect"
    queue.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = snellen("adjudicate", run, "--read", queue, "--by", "me")
    assert "10 verdicts of people taken over" in done.stdout
    assert "corrected for the judge's errors (PPI++)" in done.stdout
    report = report_of(out)
    people = report["facts"]["judging"]["people"]
    n_wrong = sum(row["verdict"] == "incorrect" for row in rows)
    assert people["n_overruled"] == n_wrong > 0
    assert people["raw"] == 1.0
    assert people["corrected"]["value"] == pytest.approx(1 - n_wrong / 10)
    assert people["specificity"]["value"] == 0.0
    assert report["results"]["score"] == pytest.approx(1 - n_wrong / 24)
