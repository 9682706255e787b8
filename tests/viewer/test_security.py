"""Who is answered, and what is never done."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from snellen.viewer.app import create_app
from tests.viewer.viewed import HOST, TOKEN, client, make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One small run."""
    rows = [{"question": "How many?", "answer": "2"}]
    return make_run(tmp_path_factory.mktemp("secure"), rows, lambda prompt: "3", scorer="exact")


def test_without_the_token_nothing_is_shown(run: Path) -> None:
    """Pages, pictures and files need the token or its cookie; a wrong one is refused."""
    stranger = client(run.parent, known=False)
    for address in ("/", f"/runs/{run.name}", f"/runs/{run.name}/images/0/0", "/static/viewer.css", "/?token=wrong"):
        got = stranger.get(address)
        assert got.status_code == 403
        assert "How many" not in got.text
    assert stranger.get("/", headers={"cookie": "snellen_8642=wrong"}).status_code == 403
    assert stranger.get("/", headers={"cookie": "a=b; ;;;=\x01"}).status_code == 403


def test_the_token_becomes_a_cookie_that_scripts_cannot_read(run: Path) -> None:
    """The first visit sets an HttpOnly, SameSite=Strict cookie, with which the next one works."""
    visitor = client(run.parent, known=False)
    first = visitor.get(f"/?token={TOKEN}")
    assert first.status_code == 200
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert visitor.get("/").status_code == 200
    assert "set-cookie" not in visitor.get("/").headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:9999", "127.0.0.1", "localhost.evil.example:8642", ""])
def test_other_hosts_are_refused(run: Path, host: str) -> None:
    """A name that somebody pointed at this machine (DNS rebinding) gets nothing, token or not."""
    got = client(run.parent).get(f"/?token={TOKEN}", headers={"host": host})
    assert got.status_code == 400


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:8642", "http://127.0.0.1:1"])
def test_other_origins_are_refused(run: Path, origin: str) -> None:
    """Requests that another page makes are refused, reading or writing."""
    assert client(run.parent).get("/", headers={"origin": origin}).status_code == 403


def test_requests_from_other_sites_are_refused_but_links_work(run: Path) -> None:
    """An image or fetch from another site is refused; following a link with the token is not."""
    visitor = client(run.parent)
    assert visitor.get("/", headers={"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}).status_code == 403
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert visitor.get("/", headers=followed).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/runs/../run.json", "/runs/%2e%2e%2f%2e%2e%2fetc", "/runs/..%2f..%2fetc%2fpasswd/samples",
        "/static/..%2fviewer.py", "/static/../app.py", "/static/viewer.py", "/runs/%00/samples", "/runs/~/samples",
        "/runs/..~..~etc/report", "/runs//etc/report", "/static/%2fetc%2fpasswd", "/runs/NAME/images/0/-1",
        "/runs/NAME/images/..%2f..%2fetc%2fpasswd/0", "/runs/NAME/samples/-1", "/runs/NAME/samples/1e9",
        "/runs/NAME/samples/99999999999999999999",
    ],
)  # fmt: skip
def test_no_path_leads_out(run: Path, address: str) -> None:
    """Paths that climb, or that name no run, lead nowhere."""
    got = client(run.parent).get(address.replace("NAME", run.name))
    assert got.status_code == 404
    assert "root:" not in got.text


def test_a_picture_path_in_a_run_is_not_followed(run: Path, tmp_path: Path) -> None:
    """A hash in a run's record that is really a path does not make the viewer read that file."""
    copy = tmp_path / "runs" / "copy"
    copy.mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes((run.parent.parent / "data" / "images" / "0.png").read_bytes())
    for name in ("run.json", "responses.jsonl", "scores.parquet"):
        (copy / name).write_bytes((run / name).read_bytes())
    samples = (run / "samples.jsonl").read_text()
    digest = samples.split('"sha256":"')[1].split('"')[0]
    (copy / "samples.jsonl").write_text(samples.replace(digest, "../../../secret"))
    spec = (copy / "run.json").read_text().replace("questions.jsonl", "gone.jsonl")
    (copy / "run.json").write_text(spec)
    assert client(tmp_path / "runs").get("/runs/copy/images/0/0").status_code == 404


def test_every_answer_carries_the_policy(run: Path) -> None:
    """Pages, errors and refusals come with headers that let nothing foreign run, frame or sniff."""
    visitor = client(run.parent)
    for address in ("/", f"/runs/{run.name}/samples", "/nothing", f"/runs/{run.name}/images/0/0"):
        headers = visitor.get(address).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
    assert client(run.parent, known=False).get("/").headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(run: Path, method: str) -> None:
    """Nothing but looking (and deciding) is possible."""
    assert client(run.parent).request(method, "/").status_code == 405


def test_looking_writes_nothing(run: Path) -> None:
    """After visits to all pages the run directory holds the same files with the same bytes."""
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    visitor = client(run.parent)
    for address in ("/", f"/runs/{run.name}", f"/runs/{run.name}/samples?q=many", f"/runs/{run.name}/samples/0"):
        assert visitor.get(address).status_code == 200
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_web_sockets_are_not_answered(run: Path) -> None:
    """A web socket gets no answer."""
    app = create_app(run.parent, token=TOKEN, hosts=[HOST])
    visitor = TestClient(app, base_url=f"http://{HOST}", cookies={"snellen_8642": TOKEN})
    with pytest.raises(WebSocketDisconnect), visitor.websocket_connect("/"):
        pass
