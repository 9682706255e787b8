"""A remote file that reads like a local one: each block is fetched once, kept on disk, and never fetched again."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from snellen.errors import BenchmarkError

BLOCK_BYTES = 256 * 1024
"""Unit of fetching and keeping."""
MAX_BLOCKS_AHEAD = 16
"""Longest request when a file is read in order (4 MiB)."""

Fetch = Callable[[int, int], tuple[bytes, int]]
"""(start, end) → (bytes, size of the whole file)."""


class BlockFile(io.RawIOBase):
    """Random access to a remote file through a cache of blocks.

    Two files lie side by side: the data, with holes where nothing was fetched yet, and one byte a block that says
    which blocks are there. A block's byte is set after its data is written, so a killed process loses only what it
    was fetching; two processes may share them.
    """

    def __init__(self, where: Path, fetch: Fetch, size: int | None = None) -> None:
        super().__init__()
        where.parent.mkdir(parents=True, exist_ok=True)
        self._fetch = fetch
        self._data = _opened(where.with_name(where.name + ".data"))
        self._marks = _opened(where.with_name(where.name + ".blocks"))
        self._at = 0
        self._next_miss = -1
        self._n_ahead = 1
        self._size = size if size is not None else self._first_size()

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self._size

    def readable(self) -> bool:
        """It can be read."""
        return True

    def seekable(self) -> bool:
        """It can be read anywhere."""
        return True

    def tell(self) -> int:
        """Current position in bytes."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a position."""
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def read(self, size: int | None = -1, /) -> bytes:
        """Read that many bytes, fewer only at the end of the file."""
        left = self._size - self._at
        n = max(0, left if size is None or size < 0 else min(size, left))
        pieces = []
        while n > 0:
            piece = self._piece(min(n, MAX_BLOCKS_AHEAD * BLOCK_BYTES))
            pieces.append(piece)
            n -= len(piece)
        return b"".join(pieces)

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]  # typeshed: any Buffer
        """Fill a buffer; the form that `io.BufferedReader` calls."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the cache files."""
        if not self.closed:
            self._data.close()
            self._marks.close()
        super().close()

    def _piece(self, n: int) -> bytes:
        first, last = self._at // BLOCK_BYTES, (self._at + n - 1) // BLOCK_BYTES
        self._ensure(first, last)
        self._data.seek(self._at)
        data = self._data.read(n)
        if len(data) != n:
            raise BenchmarkError(f"the cache of {self._data.name} is damaged: delete it and run again")
        self._at += n
        return data

    def _ensure(self, first: int, last: int) -> None:
        """Fetch what is missing of blocks `first` to `last`; more at a time the longer a file is read in order."""
        block = first
        while block <= last:
            if self._has(block):
                block += 1
                continue
            self._n_ahead = min(MAX_BLOCKS_AHEAD, self._n_ahead * 2) if block == self._next_miss else 1
            end = block + 1
            stop = min(self._n_blocks(), max(last + 1, block + self._n_ahead), block + MAX_BLOCKS_AHEAD)
            while end < stop and not self._has(end):
                end += 1
            self._get(block, end)
            self._next_miss = block = end

    def _get(self, first: int, end: int) -> None:
        start = first * BLOCK_BYTES
        data, total = self._fetch(start, min(end * BLOCK_BYTES, self._size))
        if total != self._size:
            raise BenchmarkError(f"the file has {total:,} bytes where the hub's list says {self._size:,}")
        self._keep(first, data)

    def _keep(self, first: int, data: bytes) -> None:
        self._data.seek(first * BLOCK_BYTES)
        self._data.write(data)
        self._data.flush()
        self._marks.seek(first)
        self._marks.write(b"\x01" * -(-len(data) // BLOCK_BYTES))
        self._marks.flush()

    def _has(self, block: int) -> bool:
        self._marks.seek(block)
        return self._marks.read(1) == b"\x01"

    def _n_blocks(self) -> int:
        return -(-self._size // BLOCK_BYTES)

    def _first_size(self) -> int:
        _, total = self._fetch(0, BLOCK_BYTES)
        return total


def _opened(path: Path) -> BinaryIO:
    try:
        path.touch(exist_ok=True)
        return path.open("r+b", buffering=0)
    except OSError as error:
        raise BenchmarkError(f"the cache file {path} cannot be written: {error.strerror or error}") from None
