"""`serve:PATH_OR_NAME`: a server for one run. vLLM where it is installed, else `transformers serve`.

The server is started by the first question, on a free port of the loopback interface, and stopped when the run ends,
however it ends: the child hangs on a pipe of this process. A server that dies is started again, twice at most.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import shlex
import shutil
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from snellen.errors import ModelError, UsageError, did_you_mean
from snellen.models.chat_completions import ChatCompletions
from snellen.models.child_server import ChildServer
from snellen.models.hugging_face import Loading, default_threads, name_of
from snellen.types import GenerationOptions, Prompt, Response

MAX_STARTS = 3
STARTUP_S = 600.0
_KNOWN = ("engine", "executable", "args", "startup_s", "dtype", "device", "threads")
_CONCURRENCY = {"vllm": 32, "transformers": 4}


@dataclass(frozen=True, slots=True)
class Engine:
    """Which server is started, and how."""

    name: str
    """"vllm" or "transformers"."""
    executable: str
    """Its command."""
    path: str
    """Checkpoint: a folder, or a name on the hub; also the model's name in requests."""
    args: tuple[str, ...] = ()
    """Further arguments of the user."""
    dtype: str | None = None
    """Number type, None = the server's choice."""
    device: str | None = None
    """For transformers."""

    def command(self, port: int) -> list[str]:
        """The command line for a port."""
        line = [self.executable, "serve", self.path, "--host", "127.0.0.1", "--port", str(port)]
        if self.dtype:
            line += ["--dtype", self.dtype]
        if self.name == "vllm":
            line += ["--served-model-name", self.path]
        elif self.device:
            line += ["--device", self.device]
        return [*line, *self.args]

    @property
    def version(self) -> str:
        """Version of the server's package, where it is installed beside us."""
        if Path(self.executable).parent != Path(sys.executable).parent:
            return ""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return ""


class ServedModel:
    """A model behind a server of its own."""

    takes_images = True

    def __init__(
        self, name: str, engine: Engine, *, startup_s: float = STARTUP_S, timeout_s: float = 600.0, threads: int = 1
    ) -> None:
        self.name = name
        self.engine = engine
        self.start_concurrency = _CONCURRENCY[engine.name]
        self._timeout_s = timeout_s
        self._server = ChildServer(engine.command, _environment(engine.path, threads), _temporary_log(), startup_s)
        self._chat: ChatCompletions | None = None
        self._guard = threading.Lock()
        self._n_starts = 0
        self._closed = False

    @property
    def base_url(self) -> str:
        """Where the server listens, or will."""
        return f"http://127.0.0.1:{self._server.port}/v1" if self._server.port else "http://127.0.0.1/v1"

    @property
    def facts(self) -> dict[str, Any]:
        """What the report says about the server; {} when none was needed."""
        if not self._n_starts:
            return {}
        return {
            "engine": self.engine.name, "version": self.engine.version, "port": self._server.port,
            "log": str(self._server.log), "command": shlex.join(self.engine.command(self._server.port)),
            "n_starts": self._n_starts,
        }  # fmt: skip

    def use_folder(self, folder: Path) -> None:
        """Keep the server's log in a run directory."""
        self._server.log = folder / "server.log"

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Ask once; the first call starts the server.

        Raises:
            ModelError: the server cannot start, has died too often, or did not answer.
        """
        chat = self._chat
        if chat is None or not self._server.is_running:
            chat = await asyncio.to_thread(self._ready)
        try:
            response = await chat.generate(prompt, options)
        except ModelError as error:
            if error.kind != "connection" or not await asyncio.to_thread(self._server.has_ended, 0.5):
                raise
            message = f"the server ended: {self._server.last_words()}"
            raise ModelError(message, retryable=True, kind="connection") from error
        return replace(response, served_model=response.served_model or self.engine.path)

    async def rest(self) -> None:
        """Close the connections and keep the server: another run of this process goes on with it."""
        if self._chat is not None:
            await self._chat.aclose()

    async def aclose(self) -> None:
        """Stop the server; may be called twice."""
        self._closed = True
        chat, self._chat = self._chat, None
        if chat is not None:
            await chat.aclose()
        await asyncio.to_thread(self._server.stop)
        atexit.unregister(self._server.stop)

    def _ready(self) -> ChatCompletions:
        """The client of a running server, started here if need be; one caller starts it, the others wait."""
        with self._guard:
            if self._closed:
                raise ModelError("the server was stopped", retryable=True, kind="gone")
            if self._chat is not None and self._server.is_running:
                return self._chat
            if self._n_starts >= MAX_STARTS:
                message = f"the server ended {MAX_STARTS} times: {self._server.last_words()}"
                raise ModelError(message, retryable=True, kind="gone")
            self._n_starts += 1
            atexit.register(self._server.stop)
            self._server.start()
            if self._chat is None:
                self._chat = ChatCompletions(
                    self.engine.path, base_url=self.base_url, api_key="", timeout_s=self._timeout_s
                )
            self._chat.base_url = self.base_url  # a server that was started again listens elsewhere
            return self._chat


def _temporary_log() -> Path:
    return Path(tempfile.gettempdir()) / f"snellen-server-{os.getpid()}.log"


def _environment(path: str, threads: int) -> dict[str, str]:
    """Variables of the server: no telemetry, no key of ours, no look-ups for a model that lies here."""
    env = {"OMP_NUM_THREADS": str(threads), "VLLM_NO_USAGE_STATS": "1", "OPENAI_API_KEY": "", "PYTHONUNBUFFERED": "1"}
    if Path(path).is_dir():
        env["HF_HUB_OFFLINE"] = "1"
    return env


def open_model(path: str, **settings: Any) -> ServedModel:
    """Open "serve:PATH_OR_NAME"; nothing is started yet.

    Args:
        path: a checkpoint folder, or a name on the hub.
        **settings: timeout_s, and `model_options` with engine ("vllm", "transformers"), executable, args (further
            arguments as one text), startup_s, dtype, device, threads.

    Raises:
        UsageError: no path, no server installed, or an unknown option.
    """
    if not path:
        raise UsageError("serve: needs a checkpoint folder or a name on the hub, such as serve:checkpoints/step-1000")
    if os.name == "nt":
        raise UsageError("serve: stops its server by process groups, which Windows lacks; start one and use openai:")
    options = _checked(settings.get("model_options") or {})
    name = name_of(Loading(path, dtype=options.get("dtype"))).replace("hf:", "serve:", 1)
    folder = Path(path).expanduser()
    engine = find_engine(str(folder.resolve()) if folder.is_dir() else path, options)
    return ServedModel(
        name,
        engine,
        startup_s=float(options.get("startup_s", STARTUP_S)),
        timeout_s=float(settings.get("timeout_s", 600.0)),
        threads=int(options.get("threads") or default_threads()),
    )


def _checked(options: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in options:
        if key not in _KNOWN:
            hint = did_you_mean(key, _KNOWN, otherwise=f"it takes {', '.join(_KNOWN)}")
            raise UsageError(f"serve: has no --model-option {key!r}; {hint}")
    if options.get("engine") not in (None, "vllm", "transformers"):
        raise UsageError(f"--model-option engine is vllm or transformers, not {options['engine']!r}")
    return options


def find_engine(path: str, options: Mapping[str, Any]) -> Engine:
    """The server to start: the one asked for, else vLLM where it is installed, else transformers.

    Raises:
        UsageError: there is none.
    """
    names: Sequence[str] = (options["engine"],) if options.get("engine") else ("vllm", "transformers")
    further = tuple(shlex.split(str(options.get("args") or "")))
    for name in names:
        command = options.get("executable") or _find(name)
        if command:
            if options.get("executable") and not options.get("engine"):
                name = "vllm" if "vllm" in Path(str(command)).name else "transformers"
            return Engine(name, str(command), path, further, options.get("dtype"), options.get("device"))
    raise UsageError(
        f"serve: finds no {' and no '.join(names)} command; pip install 'snellen[serve]' (or install vllm)"
    )


def _find(name: str) -> str | None:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.is_file() else shutil.which(name)
