"""Every page of the viewer, its filters, its figures."""

import re
from pathlib import Path

import pytest

from tests.viewer.viewed import XSS, client, make_run, picture

ROWS = [
    {"question": "How many dogs?", "answer": "2", "capability": "counting"},
    {"question": "What colour is the bus?", "answer": "red", "capability": "general"},
    {"question": "Which letter?", "answer": "A", "choices": ["one", "two"], "capability": "general"},
    {"question": "What is written?", "answer": "STOP", "capability": "scene"},
]
ANSWERS = {"How many dogs?": "2", "What colour is the bus?": "It is blue, I think", "Which letter?": "A"}


def answer(prompt):
    """Right, wrong, right, empty."""
    return ANSWERS.get(prompt.question, "")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A folder with two runs of one benchmark."""
    root = tmp_path_factory.mktemp("viewer")
    first = make_run(root, ROWS, answer, scorer="exact")
    second = make_run(root, ROWS, lambda prompt: "red", name="model-b", scorer="exact")
    return root / "runs", first.name, second.name


def text(root: Path, address: str) -> str:
    """A page that must be there."""
    got = client(root).get(address)
    assert got.status_code == 200, got.text
    return got.text


def test_the_list_shows_runs_with_scores_and_intervals(runs) -> None:
    """Both runs stand in the list with score, interval and counts."""
    root, first, second = runs
    page = text(root, "/")
    assert first in page
    assert second in page
    assert "<b>50.0</b>" in page
    assert "4 of 4" in page
    assert "…" in page
    assert text(root, "/?q=model-b").count("<tr data-href") == 1


def test_a_run_shows_figures_and_links(runs) -> None:
    """The run's page has the table, the bars, and ways into the samples."""
    root, first, _ = runs
    page = text(root, f"/runs/{first}")
    assert "Score by capability" in page
    assert "/samples?outcome=wrong" in page
    assert "flag: empty" in page
    assert "the whole spec" in page


def test_the_report_is_served_without_scripts(runs) -> None:
    """The run's own report.html comes under a policy that lets nothing run."""
    root, first, _ = runs
    got = client(root).get(f"/runs/{first}/report")
    assert got.status_code == 200
    assert "sandbox" in got.headers["content-security-policy"]
    assert "script-src" not in got.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", ["q0", "q1", "q2", "q3"]),
        ("outcome=wrong", ["q1", "q3"]),
        ("outcome=right", ["q0", "q2"]),
        ("outcome=missing", []),
        ("outcome=partial", []),
        ("capability=general", ["q1", "q2"]),
        ("capability=general&outcome=right", ["q2"]),
        ("capability=nothing", []),
        ("flag=empty", ["q3"]),
        ("flag=emp", []),
        ("flag=.*", []),
        ("failure=unjudged", []),
        ("differs=yes", []),
        ("differs=no", ["q0", "q1", "q2", "q3"]),
        ("verdict=none", ["q0", "q1", "q2", "q3"]),
        ("verdict=any", []),
        ("people=no", ["q0", "q1", "q2", "q3"]),
        ("people=yes", []),
        ("q=DOGS", ["q0"]),
        ("q=i+think", ["q1"]),
        ("q=stop", ["q3"]),
        ("q=position", []),
        ("q=two", ["q2"]),
        ("q=%00%ff%5B%28", []),
        ("sort=-score", ["q0", "q2", "q1", "q3"]),
        ("sort=score", ["q1", "q3", "q0", "q2"]),
        ("sort=-answer", ["q1", "q0", "q2", "q3"]),
        ("sort=nonsense&outcome=nonsense&page=-3&page=x", ["q0", "q1", "q2", "q3"]),
    ],
)
def test_filters(runs, query: str, ids: list[str]) -> None:
    """Each filter and sort lists exactly what it says, in its order."""
    root, first, _ = runs
    page = text(root, f"/runs/{first}/samples?{query}")
    assert re.findall(r"<bdi>(q\d)</bdi></a>", page) == ids
    assert f"<b>{len(ids)}</b> of 4 answers" in page


def test_a_sample_tells_everything(runs) -> None:
    """Picture, question, options, response, reading, rule, prompt with its hash checked, neighbours."""
    root, first, _ = runs
    page = text(root, f"/runs/{first}/samples/1?capability=general")
    assert "What colour is the bus?" in page
    assert "It is blue, I think" in page
    assert "exactly as sent" in page
    assert "scorer</dt><dd>exact" in page
    assert "1 of 2" in page
    assert f'data-next="/runs/{first}/samples/2?capability=general"' in page
    assert "data-previous" not in page
    assert '<li dir="auto">two</li>' in text(root, f"/runs/{first}/samples/2")
    assert 'id="adjudicate"' not in page


def test_images_come_from_the_benchmark_and_from_the_run(runs, tmp_path: Path) -> None:
    """A picture is read from the source; when that is gone, from the run's images; else it is 404."""
    root, first, _ = runs
    got = client(root).get(f"/runs/{first}/images/0/0")
    assert got.status_code == 200
    assert got.headers["content-type"] == "image/png"
    assert got.content.startswith(b"\x89PNG")
    assert client(root).get(f"/runs/{first}/images/0/7").status_code == 404
    assert client(root).get(f"/runs/{first}/images/99/0").status_code == 404
    kept = make_run(tmp_path, ROWS[:1], answer, scorer="exact", keep_images=True)
    (tmp_path / "data" / "questions.jsonl").unlink()
    (tmp_path / "data" / "images" / "0.png").unlink()
    assert client(tmp_path / "runs").get(f"/runs/{kept.name}/images/0/0").status_code == 200
    page = text(tmp_path / "runs", f"/runs/{kept.name}/samples/0")
    assert "pieced together" in page


def test_a_changed_source_is_said(tmp_path: Path) -> None:
    """A prompt that no longer hashes to the run's key is not called exact."""
    run = make_run(tmp_path, ROWS[:1], answer, scorer="exact")
    picture(tmp_path / "data" / "images" / "0.png", shade=200)
    page = text(tmp_path / "runs", f"/runs/{run.name}/samples/0")
    assert "the data changed since the run" in page
    assert "exactly as sent" not in page


def test_side_by_side_shows_only_what_differs(runs) -> None:
    """Two runs: the samples that differ, with the paired statistics; other views on demand."""
    root, first, second = runs
    page = text(root, f"/compare?run={first}&run={second}")
    assert re.findall(r"<bdi>(q\d)</bdi></a>", page) == ["q0", "q1", "q2"]
    assert "matched by prompt content: 4 samples" in page
    assert "<svg" in page
    for head in ("difference", "95 % interval", "p", "won"):
        assert f'<th scope="col">{head}</th>' in page
    lost = text(root, f"/compare?run={first}&run={second}&show=lost")
    assert re.findall(r"<bdi>(q\d)</bdi></a>", lost) == ["q0", "q2"]
    gained = text(root, f"/compare?run={first}&run={second}&show=gained&capability=general")
    assert re.findall(r"<bdi>(q\d)</bdi></a>", gained) == ["q1"]
    assert len(re.findall(r"<bdi>(q\d)</bdi></a>", text(root, f"/compare?run={first}&run={second}&show=all"))) == 4
    assert client(root).get(f"/compare?run={first}").status_code == 400
    assert client(root).get(f"/compare?run={first}&run=none").status_code == 404


def test_hostile_text_is_escaped_everywhere(tmp_path: Path) -> None:
    """Forty payloads as question, answer, options, id and reference stay text on every page."""
    rows = [
        {"id": f"id {i} {one}", "question": f"Q {one}", "answer": f"R {one}", "choices": [f"C {one}", "other"],
         "capability": one, "category": one}
        for i, one in enumerate(XSS)
    ]  # fmt: skip
    assert len(rows) >= 40
    run = make_run(tmp_path, rows, lambda prompt: prompt.question[2:], scorer="exact")
    root, client_ = tmp_path / "runs", client(tmp_path / "runs", may_adjudicate=True)
    addresses = ["/", f"/runs/{run.name}", f"/runs/{run.name}/samples"]
    addresses += [f"/runs/{run.name}/samples/{i}?q={'%3Cscript%3E'}" for i in range(len(XSS))]
    for address in addresses:
        assert_harmless(client_.get(address))
    for one in XSS:
        got = client_.get(f"/runs/{run.name}/samples", params={"q": one, "capability": one, "flag": one})
        assert_harmless(got)
    assert "49" not in text(root, f"/runs/{run.name}/samples/23").split("Response")[1].split("finish")[0]


def assert_harmless(got) -> None:
    """No tag, no handler, no foreign address on the page but the viewer's own."""
    assert got.status_code == 200
    page = got.text
    tags = re.findall(r"<\s*/?\s*([a-zA-Z0-9]+)([^>]*)>", page)
    names = {name.lower() for name, _ in tags}
    assert names <= OWN_TAGS, names - OWN_TAGS
    scripts = [about for name, about in tags if name.lower() == "script" and about]
    assert scripts == [' src="/static/viewer.js" defer']
    for _, about in tags:
        bare = re.sub(r'"[^"]*"', '""', about)
        assert not re.search(r"\bon\w+\s*=", bare), about
        for address in re.findall(r'(?:href|src|action)="([^"]*)"', about):
            assert address.startswith(("/", "?", "#", "data:,")), address
            assert not address.startswith("//"), address
    assert "script-src 'self'" in got.headers["content-security-policy"]


OWN_TAGS = {
    "html", "head", "meta", "title", "link", "script", "body", "a", "nav", "b", "main", "h1", "h2", "small",
    "p", "form", "label", "input", "button", "div", "table", "caption", "thead", "tr", "th", "tbody", "td",
    "br", "bdi", "span", "svg", "line", "circle", "footer", "details", "summary", "dl", "dt", "dd", "kbd",
    "section", "img", "ol", "li", "ul", "select", "option", "code", "pre", "rect", "text", "g", "polygon",
    "polyline", "figure", "figcaption", "header", "progress", "style",
}  # fmt: skip


def test_a_run_that_names_code_is_not_executed(tmp_path: Path) -> None:
    """A run whose scorer is a Python file is looked at without running that file."""
    run = make_run(tmp_path, ROWS[:1], answer, scorer="exact")
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').write('x')\ndef f(*a): return 1\n")
    spec = (run / "run.json").read_text().replace('"forced": "exact"', f'"forced": "python:{tmp_path}/evil.py:f"')
    assert "evil.py" in spec
    (run / "run.json").write_text(spec)
    (run / "scores.parquet").unlink()
    page = text(tmp_path / "runs", f"/runs/{run.name}/samples/0")
    assert not (tmp_path / "ran").exists()
    assert "does not execute" in page


def test_damaged_runs_do_not_spoil_the_list(runs, tmp_path: Path) -> None:
    """A broken run.json is named; the other runs are still shown."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "run.json").write_text("{}")
    page = text(tmp_path, "/")
    assert "damaged" in page
    assert client(tmp_path).get("/runs/empty").status_code == 200
    assert client(tmp_path).get("/runs/empty/samples").status_code == 200


def test_one_run_directory_can_be_given(runs) -> None:
    """`snellen view runs/one` shows that run alone."""
    root, first, _ = runs
    assert first in text(root / first, "/")
    assert "q3" in text(root / first, f"/runs/{first}/samples")
