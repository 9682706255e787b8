"""A server as a child process: started, waited for, stopped whatever happens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from snellen.errors import ModelError

_POLL_S = 0.2
_STOP_S = 20.0
_TAIL_CHARS = 600


@dataclass(slots=True)
class ChildServer:
    """One server process with its port and its log; `start` may be called again after it ended."""

    command: Callable[[int], Sequence[str]]
    """Port → command line."""
    env: Mapping[str, str]
    """Variables set over this process's own."""
    log: Path
    """Where its output is appended."""
    startup_s: float
    """Seconds it may take until it is ready."""
    port: int = 0
    """Where it listens; chosen anew at each start."""
    _process: subprocess.Popen[bytes] | None = None
    _stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def is_running(self) -> bool:
        """Whether its process lives."""
        return self._process is not None and self._process.poll() is None

    def has_ended(self, within_s: float) -> bool:
        """Whether its process ends within some time: a broken connection is seen before the end of the process."""
        process = self._process
        if process is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(within_s)
        return not self.is_running

    def start(self) -> None:
        """Start it and wait until it answers /health.

        Raises:
            ModelError: it ended, or was not ready in time; with the end of its log.
        """
        self.stop()
        self._stopping.clear()
        self.port = free_port()
        keeper = [sys.executable, "-I", str(Path(__file__).with_name("keeper.py"))]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - the server that the user asked for
                [*keeper, *self.command(self.port)], stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, **self.env}, start_new_session=True,
            )  # fmt: skip
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + self.startup_s
        while time.monotonic() < until:
            if self._stopping.is_set():
                raise ModelError("the server was stopped while it started", retryable=True, kind="gone")
            if not self.is_running:
                raise ModelError(
                    f"the server ended while it started: {self.last_words()}", retryable=True, kind="gone"
                )
            if self._answers():
                return
            self._stopping.wait(_POLL_S)
        raise ModelError(
            f"the server was not ready within {self.startup_s:g} s (--model-option startup_s=…): {self.last_words()}",
            retryable=True, kind="gone",
        )  # fmt: skip

    def _answers(self) -> bool:
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # never ask a proxy for our child
            with opener.open(f"http://127.0.0.1:{self.port}/health", timeout=5) as reply:
                return bool(reply.status == 200)
        except (OSError, urllib.error.URLError, ValueError):
            return False

    def last_words(self) -> str:
        """The end of its log, on one line, and where the rest is."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - _TAIL_CHARS))
                text = " ".join(file.read().decode("utf-8", "replace").split())
        except OSError:
            text = ""
        return f"…{text} (log: {self.log})"

    def stop(self) -> None:
        """Stop it and everything it started; may be called twice and from any thread."""
        self._stopping.set()
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()  # the keeper sees it and stops the group
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
