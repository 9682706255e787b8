"""Sample → prompt ready to send, off the event loop, with bounded look-ahead.

Reading, hashing and (where needed) shrinking of images happen in a few threads that pull from one stream; at most
`n_ahead` prepared samples wait, so memory stays flat in the number of samples.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from snellen import images, prompts
from snellen.engine.limits import Failure
from snellen.engine.records import image_record, sample_record
from snellen.errors import BenchmarkError, ImageError
from snellen.types import Benchmark, ImagePart, PreparedImage, Sample, SentPart, TextPart


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sample with everything that is needed to ask it."""

    position: int
    """Row in the source."""
    sample: Sample
    """With `image_sizes` filled in."""
    key: str
    """Prompt key, SHA-256 hex."""
    record: dict[str, Any]
    """Its line in `samples.jsonl`."""
    parts: tuple[SentPart, ...]
    """What is sent."""
    system: str | None
    """System message."""
    failure: Failure | None = None
    """Why it cannot be asked (an unreadable image)."""
    originals: tuple[tuple[str, bytes], ...] = ()
    """(sha256, bytes) of the images, when they are to be kept."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How samples become prompts in one run."""

    policy: images.ImagePolicy
    """Limits on images."""
    identity: Mapping[str, Any]
    """What besides the prompt changes an answer: model and generation options."""
    prompt: str = "default"
    """Name in PROMPTS."""
    blind: bool = False
    """Images left out."""
    system: str | None = None
    """System message of the run."""
    root: Path | None = None
    """Folder that relative image paths start from."""
    allow_urls: bool = False
    """Whether http(s) images may be fetched."""
    keep_images: bool = False
    """Hand on the original bytes."""
    cache: images.PreparedCache | None = None
    """Shared by the threads."""

    def prepare(self, position: int, sample: Sample) -> Prepared:
        """Build one prompt; an unreadable image becomes a failure of this sample, never an exception."""
        parts, system = prompts.build(sample, name=self.prompt, blind=self.blind, system=self.system)
        sent: list[SentPart] = []
        records: list[dict[str, Any]] = []
        originals: list[tuple[str, bytes]] = []
        problems: list[str] = []
        for part in parts:
            if isinstance(part, TextPart):
                sent.append(part)
                continue
            try:
                image, n_bytes, raw = self._image(part)
            except ImageError as error:
                problems.append(str(error))
                records.append({"error": str(error)})
                continue
            sent.append(image)
            records.append(image_record(image, n_bytes) | _stat(part.source, self.root))
            if self.keep_images:
                originals.append((image.source_sha256, raw))
        failure = _unreadable(sample, problems) if problems else None
        sizes = tuple((r["width"], r["height"]) for r in records if "width" in r)
        key = self._key(sent, system, problems, sample.id)
        sample = replace(sample, image_sizes=sizes)
        record = sample_record(sample, position=position, key=key, images=records)
        if failure is not None:
            record["error"] = failure.message
        return Prepared(position, sample, key, record, tuple(sent), system, failure, tuple(originals))

    def _image(self, part: ImagePart) -> tuple[PreparedImage, int, bytes]:
        raw = images.read_bytes(part.source, root=self.root, allow_urls=self.allow_urls)
        sha256 = hashlib.sha256(raw).hexdigest()
        if self.cache is None:
            return images.prepare(raw, self.policy, sha256=sha256), len(raw), raw
        return self.cache.prepare(raw, self.policy, sha256=sha256), len(raw), raw

    def _key(self, sent: list[SentPart], system: str | None, problems: list[str], sample_id: str) -> str:
        shown = [_image_key(part, self.policy) if isinstance(part, PreparedImage) else part.text for part in sent]
        kinds = ["image" if isinstance(part, PreparedImage) else "text" for part in sent]
        content = {"parts": shown, "kinds": kinds, "system": system, **self.identity}
        if problems:  # not askable as it is: keyed apart, so that mending the image asks anew
            content |= {"unreadable": problems, "sample_id": sample_id}
        return hashlib.sha256(_canonical(content)).hexdigest()


def _image_key(image: PreparedImage, policy: images.ImagePolicy) -> str:
    """What tells a sent image from others: its own bytes where they go out as they are, else also how it was changed.

    Two policies that leave an image alone give one key, so that runs with several size limits share its answer.
    """
    if not image.change:
        return image.source_sha256
    how = policy.identity()
    is_small = policy.max_side_px is None or max(image.source_width, image.source_height) <= policy.max_side_px
    if is_small and policy.max_bytes is None:
        how["max_side_px"] = None
    return f"{image.source_sha256} {orjson.dumps(how, option=orjson.OPT_SORT_KEYS).decode()}"


def _canonical(content: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # lone surrogates
        import json

        return json.dumps(content, sort_keys=True, default=str).encode("ascii")


def _unreadable(sample: Sample, problems: list[str]) -> Failure:
    message = f"sample {sample.id}: {'; '.join(problems)}"
    return Failure("image", message, None, retryable=False, n_attempts=0)


def _stat(source: Any, root: Path | None) -> dict[str, Any]:
    """Size and time of an image file, so that a changed file is noticed without reading it."""
    if not isinstance(source, str | Path) or (isinstance(source, str) and len(source) > 4096):
        return {}
    path = path_of(source, root)
    try:
        stat = os.stat(path)
    except (OSError, ValueError):
        return {}
    return {"path": str(path), "stat": [stat.st_size, stat.st_mtime_ns]}


def path_of(source: str | Path, root: Path | None) -> Path:
    """Where an image path points."""
    path = Path(source)
    return path if root is None or path.is_absolute() else root / path


def preparation_of(spec: Mapping[str, Any], benchmark: Benchmark, *, keep_images: bool = False) -> Preparation:
    """How a run's samples become prompts, from its frozen spec."""
    known = {k: v for k, v in spec.get("images", {}).items() if k in images.ImagePolicy.__dataclass_fields__}
    policy = images.ImagePolicy(**known)
    generation = spec["generation"]
    identity = {
        "model": spec["model"]["name"],
        "max_tokens": generation["max_tokens"],
        "temperature": generation["temperature"],
        "params": generation["params"],
    }
    return Preparation(
        policy,
        identity,
        prompt=spec["prompt"]["name"],
        blind=spec["prompt"]["blind"],
        system=spec["prompt"]["system"],
        root=getattr(benchmark, "root", None),
        allow_urls=bool(spec["benchmark"]["options"].get("allow_urls", False)),
        keep_images=keep_images,
        cache=images.PreparedCache(),
    )


class Feed:
    """Prepared samples as an asynchronous stream, made by a few threads, with bounded look-ahead."""

    def __init__(
        self,
        samples: Iterable[tuple[int, Sample]],
        prepare: Callable[[int, Sample], Prepared],
        *,
        n_threads: int,
        n_ahead: int,
    ) -> None:
        self._samples: Iterator[tuple[int, Sample]] = iter(samples)
        self._prepare = prepare
        self._loop = asyncio.get_running_loop()
        self._pull = threading.Lock()
        self._room = threading.Semaphore(n_ahead)
        self._ready: deque[Prepared] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._error: BaseException | None = None
        self._n_alive = n_threads
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, daemon=True, name=f"prepare-{i}") for i in range(n_threads)
        ]
        for thread in self._threads:
            thread.start()

    async def get(self) -> Prepared | None:
        """The next prepared sample, None at the end.

        Raises:
            BenchmarkError: the source cannot be read any further.
        """
        while not self._ready or self._closed:
            if self._closed:
                return None
            if self._error is not None:
                raise self._error
            if self._n_alive == 0:
                return None
            self._waiter = self._loop.create_future()
            await self._waiter
        self._room.release()
        return self._ready.popleft()

    def close(self) -> None:
        """Stop the threads; what is prepared is dropped. Call it on the loop's own thread."""
        self._closed = True
        self._tell()
        for _ in self._threads:
            self._room.release()

    def _work(self) -> None:
        error: BaseException | None = None
        try:
            while not self._closed:
                self._room.acquire()
                if self._closed:
                    break
                with self._pull:
                    item = next(self._samples, None)
                if item is None:
                    break
                self._send(self._prepare(*item))
        except BenchmarkError as problem:
            error = problem
        except Exception as problem:
            error = BenchmarkError(f"the benchmark cannot be read: {type(problem).__name__}: {problem}")
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._thread_ended, error)

    def _send(self, prepared: Prepared) -> None:
        if not self._closed:
            self._loop.call_soon_threadsafe(self._arrived, prepared)

    def _arrived(self, prepared: Prepared) -> None:
        self._ready.append(prepared)
        self._tell()

    def _thread_ended(self, error: BaseException | None) -> None:
        self._n_alive -= 1
        self._error = self._error or error
        self._tell()

    def _tell(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
