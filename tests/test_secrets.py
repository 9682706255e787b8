"""No key, password or token in any file, log line, message or report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from snellen import redaction
from snellen.errors import UsageError
from snellen.models.chat_completions import ChatCompletions, base_url_of
from tests.conftest import snellen
from tests.servers import FaultyServer

SECRET = "zq7-LEAK-81"


@pytest.fixture(autouse=True)
def _forget_secrets():
    """Secrets of one test are none of the next."""
    before = list(redaction._SECRETS)
    yield
    redaction._SECRETS[:] = before


@pytest.mark.parametrize(
    ("address", "more", "env"),
    [
        ("http://user:{secret}@{host}/v1", (), {}),
        ("http://{secret}@{host}/v1", (), {}),
        ("http://{host}/v1?api_key={secret}", (), {}),
        ("http://user:{secret}@127.0.0.1:9/v1", (), {}),
        ("http://user:{secret}@{host}/v1", ("--timeout", "0.0001"), {}),
        ("http://user:{secret}@{host}/v1", (), {"OPENAI_API_KEY": "another-key-123"}),
        ("http://{host}/v1", (), {"OPENAI_API_KEY": 'a"b\\c-{secret}'}),
        ("http://{host}/v1", ("--header", "Authorization=Bearer {secret}"), {}),
        ("http://{host}/v1", ("--param", "api_key={secret}"), {}),
    ],
)
def test_a_secret_stands_in_no_file_and_no_output(
    questions: Callable[..., Path], tmp_path: Path, address: str, more: tuple[str, ...], env: dict[str, str]
) -> None:
    """Key, header, URL with a password, query, request field; the server being there, slow or gone."""
    file = questions(["[q0] How many?", "[q1] [fault:401] How many?"])
    with FaultyServer() as server:
        host = server.url.removeprefix("http://").removesuffix("/v1")
        done = snellen(
            "run", f"file:{file}", "--model", "openai:m", "--out", tmp_path / "runs", "--retries", "0",
            "--base-url", address.format(secret=SECRET, host=host), *(text.format(secret=SECRET) for text in more),
            env={name: value.format(secret=SECRET) for name, value in env.items()},
        )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stdout + done.stderr
    files = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []


def test_a_secret_request_field_does_not_keep_the_run_from_going_on(
    questions: Callable[..., Path], tmp_path: Path
) -> None:
    """What is redacted in run.json is compared redacted."""
    file = questions(["[q0] How many?"])
    with FaultyServer() as server:
        for _ in range(2):
            done = snellen(
                "run", f"file:{file}", "--model", "openai:m", "--out", tmp_path / "runs", "--no-sight-check",
                "--base-url", server.url, "--param", f"api_key={SECRET}", "--scorer", "number",
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
        assert server.seen["0"] == 1


def test_a_placeholder_key_blanks_out_no_model_name_and_no_path(
    questions: Callable[..., Path], tmp_path: Path
) -> None:
    """OPENAI_API_KEY=ollama, as its manual says, with a model of that name; the printed run directory is there."""
    file = questions(["[q0] How many?"])
    with FaultyServer() as server:
        for _ in range(2):
            done = snellen(
                "run", f"file:{file}", "--model", "openai:ollama/llava", "--out", tmp_path / "runs",
                "--base-url", server.url, "--scorer", "number", env={"OPENAI_API_KEY": "ollama"},
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
    assert Path(done.stdout.splitlines()[-1].removeprefix("run: ")).is_dir()


def test_credentials_in_an_address_are_sent_and_not_shown(questions: Callable[..., Path], tmp_path: Path) -> None:
    """As a Basic header, the query behind the path; an own header wins."""
    file = questions(["[q0] How many?"])
    with FaultyServer() as server:
        host = server.url.removeprefix("http://")
        snellen(
            "run", f"file:{file}", "--model", "openai:m", "--out", tmp_path / "runs", "--no-sight-check",
            "--base-url", f"http://me:p%40ss-word@{host}?api-version=7", "--header", "X-Meta=a=1,b=2",
        )  # fmt: skip
        head = server.headers[-1]
    assert "POST /v1/chat/completions?api-version=7 " in head
    assert "Authorization: Basic bWU6cEBzcy13b3Jk\r\n" in head
    assert "X-Meta: a=1,b=2\r\n" in head
    assert base_url_of(f"http://me:p%40ss-word@{host}?x=1") == server.url


def test_one_authorization_header_whatever_its_case() -> None:
    """A header given by hand replaces the key's, also in lower case; a line break in one is refused."""
    model = ChatCompletions(
        "m", base_url="http://h/v1", api_key="key-key-1", headers={"authorization": "Bearer other-key"}
    )
    assert [name for name in model._headers if name.lower() == "authorization"] == ["authorization"]
    with pytest.raises(UsageError, match="line break"):
        ChatCompletions("m", base_url="http://h/v1", headers={"X-Note": "a\r\nHost: evil"})


def test_a_secret_is_found_in_every_spelling() -> None:
    """Escaped for JSON, HTML or a URL, and inside a longer secret."""
    redaction.register_secret('p"w<ü>&1')
    redaction.register_secret('Bearer p"w<ü>&1')
    for text in ('p"w<ü>&1', 'p\\"w<ü>&1', 'p\\"w<\\u00fc>&1', "p&#34;w&lt;ü&gt;&amp;1", "p%22w%3C%C3%BC%3E%261"):
        assert redaction.redact_known(f"x {text} y") == "x [redacted] y"
    assert redaction.redact_known('Bearer p"w<ü>&1') == "[redacted]"


def test_the_signature_of_an_image_address_is_not_written_down(tmp_path: Path) -> None:
    """A signed address that cannot be fetched stands in the report without its signature."""
    file = tmp_path / "q.jsonl"
    address = f"http://127.0.0.1:9/a.png?X-Amz-Signature={SECRET}&size=3"
    file.write_text(f'{{"id": "a", "image": "{address}", "question": "How many?", "answer": "3"}}\n')
    for more in ((), ("--allow-urls",)):
        done = snellen("run", f"file:{file}", "-m", "prior", "--out", tmp_path / "runs", *more)
        assert "X-Amz-Signature=[redacted]&size=3" in done.stdout.replace("\n  ", "")
        assert SECRET not in done.stdout + done.stderr
    files = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert [path.name for path in files if SECRET.encode() in path.read_bytes()] == []
