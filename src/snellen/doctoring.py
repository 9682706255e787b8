"""`snellen doctor`: is this machine fit to run? Python, packages, extras, GPU, write access, the server.

Each finding is one line; the exit code is 1 when something that is needed is broken.
"""

from __future__ import annotations

import importlib.metadata as metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from snellen.redaction import redact
from snellen.version import __version__

State = Literal["ok", "note", "problem"]
EXTRAS = {
    "ocr": ("rapidocr", "onnxruntime"), "local": ("torch", "transformers", "accelerate"), "datasets": ("datasets",),
    "plots": ("matplotlib",), "mlflow": ("mlflow",), "excel": ("openpyxl",),
}  # fmt: skip
"""Extra → modules it brings."""
OLDEST_PYTHON = (3, 11)
_NEEDED = ("aiohttp", "click", "huggingface_hub", "jinja2", "lxml", "mpmath", "numpy", "orjson", "PIL", "pyarrow",
           "rapidfuzz", "rjieba", "scipy", "starlette", "uvicorn")  # fmt: skip
"""Modules of the distribution's own dependencies."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    """What."""
    state: State
    """"ok", "note" (good to know) or "problem" (something will not work)."""
    text: str
    """What was found, and what to do about it."""


def examine(*, base_url: str | None = None, out: Path = Path("runs"), timeout_s: float = 5.0) -> list[Finding]:
    """Look at everything that a run needs.

    Args:
        base_url: server to try; OPENAI_BASE_URL when None; none is tried when neither is set.
        out: folder for run directories.
        timeout_s: seconds to wait for the server.
    """
    return [
        _python(),
        Finding("snellen", "ok", f"{__version__} at {Path(__file__).parent}"),
        _packages(),
        *_extras(),
        _drop_in(),
        _gpu(),
        _writable(out),
        *_server(base_url or os.environ.get("OPENAI_BASE_URL"), timeout_s),
    ]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("python", "problem", f"{version}; snellen needs 3.11 or later")
    return Finding("python", "ok", f"{version} at {sys.executable}")


def _packages() -> Finding:
    missing = [name for name in _NEEDED if not _is_there(name)]
    if missing:
        return Finding("packages", "problem", f"missing: {', '.join(missing)}; pip install --force-reinstall snellen")
    return Finding("packages", "ok", "all that snellen itself needs")


def _extras() -> Iterator[Finding]:
    for extra, modules in EXTRAS.items():
        missing = [name for name in modules if not _is_there(name)]
        if missing:
            yield Finding(f"extra {extra}", "note", f"without {', '.join(missing)}; pip install 'snellen[{extra}]'")
        else:
            yield Finding(f"extra {extra}", "ok", "installed")


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _drop_in() -> Finding:
    """Which `datbench` is imported: ours, or another distribution's that shadows it or is shadowed by it."""
    owners = sorted(set(metadata.packages_distributions().get("datbench", ())) - {"snellen"})
    try:
        spec = importlib.util.find_spec("datbench")
    except (ImportError, ValueError):
        spec = None
    where = Path(spec.origin).parent if spec is not None and spec.origin else None
    ours = Path(__file__).parent.parent / "datbench"
    if where is not None and where != ours:
        owner = f" of {', '.join(owners)}" if owners else ""
        return Finding(
            "datbench", "problem", f"`import datbench` gives {where}{owner}, not snellen's drop-in at {ours}"
        )
    if owners:
        named = ", ".join(f"{name} {metadata.version(name)}" for name in owners)
        return Finding(
            "datbench", "problem", f"{named} is installed too and shares the name: pip uninstall {owners[0]}"
        )
    return Finding("datbench", "ok", f"the drop-in at {ours}")


def _gpu() -> Finding:
    """By the driver's own tool, so that no heavy library is imported."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return Finding("gpu", "note", "no NVIDIA driver found; local models would run on the CPU")
    try:
        query = [tool, "--query-gpu=name,memory.total", "--format=csv,noheader"]
        done = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True)  # noqa: S603 - no user text
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("gpu", "note", f"nvidia-smi does not answer: {error}")
    return Finding("gpu", "ok", "; ".join(line.strip() for line in done.stdout.splitlines() if line.strip()))


def _writable(out: Path) -> Finding:
    folder = out
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.NamedTemporaryFile(dir=folder):
            free_gb = shutil.disk_usage(folder).free / 1e9
    except OSError as error:
        return Finding("write access", "problem", f"{folder}: {error.strerror or error}; choose another --out")
    state: State = "ok" if free_gb >= 1 else "problem"
    return Finding("write access", state, f"{folder.resolve()} ({free_gb:.1f} GB free)")


def _server(base_url: str | None, timeout_s: float) -> Iterator[Finding]:
    if not base_url:
        yield Finding("server", "note", "none given (--base-url or OPENAI_BASE_URL)")
        return
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    from snellen.errors import UsageError
    from snellen.models.chat_completions import base_url_of

    try:
        url = f"{base_url_of(base_url)}/models"
        key = os.environ.get("OPENAI_API_KEY")
        request = Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})  # noqa: S310 - checked to be http(s) by base_url_of
        with urlopen(request, timeout=timeout_s) as reply:  # noqa: S310 - as above
            yield Finding("server", "ok", redact(f"{url}: HTTP {reply.status}"))
    except UsageError as error:
        yield Finding("server", "problem", str(error))
    except HTTPError as error:
        # It is there; not all servers list their models, but a wrong key is worth knowing.
        state: State = "problem" if error.code in (401, 403) else "note"
        yield Finding("server", state, redact(f"{url}: HTTP {error.code} {error.reason}"))
    except (URLError, OSError, ValueError) as error:
        yield Finding("server", "problem", redact(f"{url} cannot be reached: {getattr(error, 'reason', error)}"))
