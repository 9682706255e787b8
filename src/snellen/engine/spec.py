"""What a run was made with: package versions, git revision, machine. Never a secret."""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

_PACKAGES = (
    "snellen", "numpy", "pillow", "pyarrow", "aiohttp", "orjson", "rapidfuzz", "lxml", "mpmath", "scipy", "torch",
    "transformers", "rapidocr", "onnxruntime",
)  # fmt: skip


def environment() -> dict[str, Any]:
    """Versions and revision, read without importing anything heavy."""
    return {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "packages": {name: version for name in _PACKAGES if (version := _version(name))},
        "git": git_revision(Path.cwd()),
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def git_revision(folder: Path) -> str | None:
    """Commit that is checked out around a folder, read from the files of git; None outside a repository."""
    for parent in (folder, *folder.parents):
        head = parent / ".git" / "HEAD"
        try:
            text = head.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            continue
        return _resolve(parent / ".git", text)
    return None


def _resolve(git: Path, head: str) -> str | None:
    if not head.startswith("ref: "):
        return head or None
    name = head.removeprefix("ref: ")
    try:
        return (git / name).read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return _packed(git / "packed-refs", name)


def _packed(path: Path, name: str) -> str | None:
    try:
        for line in path.read_text("utf-8").splitlines():
            if line.endswith(f" {name}"):
                return line.split(" ")[0]
    except (OSError, UnicodeDecodeError):
        return None
    return None
