"""A loopback stand-in of the Hugging Face hub that serves small data sets and misbehaves on request."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

CONVERTED = "refs/convert/parquet"


@dataclass
class Repo:
    """One data set: named revisions, each a commit with its files."""

    refs: dict[str, str] = field(default_factory=dict)
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    needs_token: str = ""
    gated: bool = False

    def publish(self, files: dict[str, bytes], ref: str = "main") -> str:
        """Make a new commit of these files and move the reference to it."""
        digest = hashlib.sha1(repr(sorted((k, hashlib.sha1(v).hexdigest()) for k, v in files.items())).encode())
        sha = digest.hexdigest()
        self.refs[ref] = sha
        self.commits[sha] = files
        return sha


@dataclass
class Hub:
    """The state of the server: data sets, faults, and a log of what was asked."""

    repos: dict[str, Repo] = field(default_factory=dict)
    faults: list[tuple[str, str, int]] = field(default_factory=list)
    """(part of the address, fault, how many more times); faults: a status, "cut", "reset", "whole"."""
    asked: list[str] = field(default_factory=list)
    n_bytes: Counter[str] = field(default_factory=Counter)
    """Bytes of file content sent, by path."""
    tokens: set[str] = field(default_factory=set)
    url: str = ""

    def repo(self, name: str) -> Repo:
        """The data set of that name, made on first use."""
        return self.repos.setdefault(name, Repo())

    def misbehave(self, part: str, fault: str, times: int = 10**9) -> None:
        """Answer requests whose address holds `part` with a fault, so many times."""
        self.faults.append((part, fault, times))

    def fault_for(self, address: str) -> str:
        """The fault due for an address, "" for none."""
        for i, (part, fault, times) in enumerate(self.faults):
            if part in address and times > 0:
                self.faults[i] = (part, fault, times - 1)
                return fault
        return ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.asked.append(f"{self.command} {path}")
        self.hub.tokens.add(self.headers.get("Authorization", ""))
        fault = self.hub.fault_for(path)
        if fault.isdigit():
            self._reply(int(fault), b"{}", {"Retry-After": "0"} if fault == "429" else {})
        elif path.startswith("/api/datasets/"):
            self._info(path.removeprefix("/api/datasets/"))
        elif path.startswith("/datasets/"):
            self._file(path.removeprefix("/datasets/"), fault)
        else:
            self._reply(404, b"{}")

    def _info(self, rest: str) -> None:
        name, _, revision = rest.partition("/revision/")
        repo = self.hub.repos.get(name)
        sha = "" if repo is None else repo.refs.get(revision or "main", revision)
        if repo is None or (repo.needs_token and not repo.gated and not self._allowed(repo)):
            self._reply(401, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif sha not in repo.commits:
            self._reply(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
        else:
            files = [{"rfilename": path, "size": len(data)} for path, data in sorted(repo.commits[sha].items())]
            body = {"id": name, "sha": sha, "private": False, "gated": repo.gated, "siblings": files}
            body |= {"tags": [], "downloads": 0, "likes": 0}
            self._reply(200, json.dumps(body).encode())

    def _file(self, rest: str, fault: str) -> None:
        name, _, tail = rest.partition("/resolve/")
        repo = self.hub.repos.get(name, Repo())
        revision = next((one for one in (*repo.refs, *repo.commits) if tail.startswith(one + "/")), "")
        path = tail.removeprefix(revision + "/")
        sha = repo.refs.get(revision, revision)
        data = repo.commits.get(sha, {}).get(path)
        if repo.needs_token and not self._allowed(repo):
            code = "GatedRepo" if repo.gated else "RepoNotFound"
            self._reply(403 if repo.gated else 401, b"{}", {"X-Error-Code": code})
        elif data is None:
            self._reply(404, b"{}", {"X-Error-Code": "EntryNotFound"})
        else:
            self._send(path, data, sha, fault)

    def _allowed(self, repo: Repo) -> bool:
        return self.headers.get("Authorization") == f"Bearer {repo.needs_token}"

    def _send(self, path: str, data: bytes, sha: str, fault: str) -> None:
        headers = {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": sha, "Accept-Ranges": "bytes"}
        asked = self.headers.get("Range", "")
        piece, status = data, 200
        if asked.startswith("bytes=") and fault != "whole":
            start, _, end = asked.removeprefix("bytes=").partition("-")
            piece, status = data[int(start) : int(end or len(data)) + 1], 206
            headers["Content-Range"] = f"bytes {start}-{int(start) + len(piece) - 1}/{len(data)}"
        if self.command == "GET":
            self.hub.n_bytes[path] += len(piece)
        if fault == "reset":
            self.close_connection = True
            self.connection.close()
            return
        self._reply(status, piece, headers, cut=fault == "cut")

    def _reply(self, status: int, body: bytes, headers: dict[str, str] | None = None, *, cut: bool = False) -> None:
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.close_connection = True


@contextmanager
def running_hub() -> Iterator[Hub]:
    """A hub that runs on a free port while the block lasts."""
    hub = Hub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
