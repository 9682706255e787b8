"""A small memory of prepared images, so that a picture many questions ask about is converted once."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from threading import Lock

from snellen.images.preparing import ImagePolicy, prepare
from snellen.images.sources import sha256_hex
from snellen.types import PreparedImage

_Key = tuple[str, ImagePolicy]


class PreparedCache:
    """Least-recently-used memory of converted images, keyed by content and policy. Safe to share between threads.

    Images that go out byte for byte are not kept: they cost only their hash.

    Attributes:
        n_prepared: conversions and checks really made.
        n_reused: answers from memory.
    """

    def __init__(self, max_bytes: int = 64 * 1024 * 1024) -> None:
        self.n_prepared = 0
        self.n_reused = 0
        self._max_bytes = max_bytes
        self._held_bytes = 0
        self._kept: OrderedDict[_Key, PreparedImage] = OrderedDict()
        self._running: dict[_Key, Future[PreparedImage]] = {}
        self._lock = Lock()

    def prepare(self, data: bytes, policy: ImagePolicy, *, sha256: str | None = None) -> PreparedImage:
        """Do as `snellen.images.prepare` does, from memory where the same image was converted before.

        Two threads that ask for the same image at once wait for one conversion.

        Raises:
            ImageError: as `prepare`; failures are not remembered.
        """
        key = (sha256 or sha256_hex(data), policy)
        with self._lock:
            held = self._recall(key)
            if held is not None:
                return held
            running = self._running.get(key)
            mine = running is None
            future = self._running.setdefault(key, Future())
            self.n_prepared += mine
            self.n_reused += not mine
        if not mine:
            return future.result()
        return self._make(key, data, future)

    def _recall(self, key: _Key) -> PreparedImage | None:
        held = self._kept.get(key)
        if held is not None:
            self._kept.move_to_end(key)
            self.n_reused += 1
        return held

    def _make(self, key: _Key, data: bytes, future: Future[PreparedImage]) -> PreparedImage:
        try:
            made = prepare(data, key[1], sha256=key[0])
        except BaseException as error:
            with self._lock:
                del self._running[key]
            future.set_exception(error)
            raise
        with self._lock:
            del self._running[key]
            self._keep(key, made)
        future.set_result(made)
        return made

    def _keep(self, key: _Key, made: PreparedImage) -> None:
        if not made.change or len(made.data) > self._max_bytes:
            return
        self._kept[key] = made
        self._held_bytes += len(made.data)
        while self._held_bytes > self._max_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._held_bytes -= len(dropped.data)
