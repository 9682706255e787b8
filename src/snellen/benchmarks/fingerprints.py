"""Content hashes of data files, remembered within the process so that a file is hashed once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from snellen.errors import BenchmarkError

_KNOWN: dict[tuple[str, int, int], str] = {}


def file_sha256(path: Path) -> str:
    """SHA-256 (hex) of a file's content.

    Raises:
        BenchmarkError: the file cannot be read.
    """
    try:
        state = path.stat()
        key = (str(path.resolve()), state.st_size, state.st_mtime_ns)
        if key not in _KNOWN:
            with path.open("rb") as file:
                _KNOWN[key] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BenchmarkError(f"the data file {path} cannot be read: {error.strerror or error}") from None
    return _KNOWN[key]


def fingerprint(parts: Iterable[str]) -> str:
    """One hash over several texts, such that no two lists of texts share it.

    >>> fingerprint(["ab", "c"]) == fingerprint(["a", "bc"])
    False
    """
    total = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        total.update(len(encoded).to_bytes(8, "little") + encoded)
    return total.hexdigest()
