"""Data sets of the Hugging Face hub, without `datasets`: read what is needed, keep it, say what failed.

Three ways are tried, one after the other, and the reason of each failure is kept: the hub's own conversion to Parquet
by range requests, the original files by range requests, the original files downloaded whole. All of them yield the
same rows in the same order, so a way that fails in the middle is left for the next one at the row it had reached.
Whatever was read is cached under the pinned revision; a second run needs no network.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import orjson

from snellen.benchmarks.fingerprints import fingerprint
from snellen.benchmarks.hub import client
from snellen.benchmarks.hub.blocks import BlockFile
from snellen.benchmarks.hub.client import AccessRefused, RemoteFile, RepoInfo
from snellen.benchmarks.row_sources import JsonLinesRows, ParquetRows, Row, RowSource, json_rows
from snellen.errors import BenchmarkError, UsageError

CONVERTED = "refs/convert/parquet"
"""Where the hub keeps its own conversion of a data set to Parquet."""
WAYS = ("converted", "original", "download")
_LOG = logging.getLogger("snellen")


@dataclass(frozen=True, slots=True)
class HubSet:
    """Which rows of which data set."""

    repo: str
    """"owner/name"."""
    files: tuple[str, ...]
    """Patterns of its original data files ("PerceptionBench.jsonl", "chart/test-*.parquet")."""
    config: str = "default"
    """Config, as in the paths of the conversion."""
    split: str = "train"
    """Split."""
    revision: str = "main"
    """Branch, tag or commit; pinned to a commit when opened."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load."""

    mode: str = "stream"
    """"stream" (read what is needed) or "full" (download whole files first)."""
    max_scan: int | None = None
    """Rows looked at before stopping, None for all."""
    revision: str | None = None
    """Overrides the data set's revision."""


def load_options(options: Mapping[str, Any]) -> LoadOptions:
    """Read load, max_scan and revision from a benchmark's options.

    Raises:
        UsageError: another mode than stream and full, or a cap that is no positive number.

    >>> load_options({"load": "full", "max_scan": "1200"})
    LoadOptions(mode='full', max_scan=1200, revision=None)
    """
    mode = options.get("load") or "stream"
    if mode not in ("stream", "full"):
        raise UsageError(f"--load is stream or full, not {mode!r}")
    cap = options.get("max_scan")
    if cap is not None and (not str(cap).isdigit() or int(cap) < 1):
        raise UsageError(f"--max-scan is a number of rows from 1, not {cap!r}")
    return LoadOptions(str(mode), None if cap is None else int(cap), options.get("revision") or None)


class HubRows:
    """Rows of a hub data set; implements `RowSource` over the ways of loading."""

    def __init__(self, wanted: HubSet, options: LoadOptions) -> None:
        self.wanted = replace(wanted, revision=options.revision or wanted.revision)
        self.max_scan = options.max_scan
        self.notes: list[str] = []
        try:
            self.info = _info(self.wanted.repo, self.wanted.revision, self.notes)
        except AccessRefused:
            raise
        except BenchmarkError as error:
            raise BenchmarkError(f"{error}; a local copy can be given with --data") from error
        self._ways = list(WAYS if options.mode == "stream" else WAYS[2:])
        self._source: RowSource | None = None
        self.way = ""
        scanned = [] if self.max_scan is None else [f"first {self.max_scan}"]
        self.fingerprint = fingerprint([wanted.repo, self.info.revision, wanted.config, wanted.split, *scanned])
        self._open_next()

    @property
    def facts(self) -> dict[str, Any]:
        """What a run records: data set, pinned revision, way of loading, notes (a list that grows)."""
        return {
            "source": f"{client.endpoint()}/datasets/{self.wanted.repo}",
            "revision": self.info.revision,
            "loaded_by": self.way,
            "notes": self.notes,
        }

    def rows(
        self, positions: Sequence[int] | None = None, *, columns: Sequence[str] | None = None, start: int = 0
    ) -> Iterator[tuple[int, Row]]:
        """See `RowSource.rows`; goes on by the next way where one fails."""
        if self.max_scan is not None:
            positions = range(self.max_scan) if positions is None else [p for p in positions if p < self.max_scan]
        while True:
            assert self._source is not None
            try:
                for position, row in self._source.rows(positions, columns=columns, start=start):
                    yield position, row
                    start = position + 1
                return
            except AccessRefused:
                raise
            except BenchmarkError as error:
                self._failed(error)
                self._open_next()

    def open_file(self, path: str) -> BinaryIO:
        """A further file of the data set (an archive of images), readable anywhere, fetched as it is read."""
        found = next((one for one in self.info.files if one.path == path), None)
        if found is None:
            raise BenchmarkError(f"{self.wanted.repo} holds no file {path}")
        return _remote(self.info, found)()

    def _open_next(self) -> None:
        """Open by the first way left that works, and remember why the others did not."""
        while self._ways:
            self.way = self._ways.pop(0)
            try:
                self._source = _OPEN[self.way](self)
                next(self._source.rows([0]), None)
                return
            except AccessRefused:
                raise
            except BenchmarkError as error:
                self._failed(error)
        raise BenchmarkError(f"{self.wanted.repo} could not be loaded. " + " | ".join(self.notes))

    def _failed(self, error: BenchmarkError) -> None:
        self.notes.append(f"loading by {self.way} failed: {error}")
        _LOG.warning("%s: %s", self.wanted.repo, self.notes[-1])


def open_hub(wanted: HubSet, options: Mapping[str, Any]) -> HubRows:
    """Open a data set of the hub.

    Args:
        wanted: which rows.
        options: load ("stream", "full"), max_scan (rows), revision.

    Raises:
        UsageError: options that make no sense.
        AccessRefused: gated or private; says which page to open and which variable to set.
        BenchmarkError: no way of loading works; the sentence holds the reason of each.
    """
    return HubRows(wanted, load_options(options))


def cache_folder() -> Path:
    """Where fetched pieces are kept: SNELLEN_CACHE, else XDG_CACHE_HOME/snellen, else ~/.cache/snellen."""
    own = os.environ.get("SNELLEN_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "snellen"


def _converted(rows: HubRows) -> RowSource:
    """The hub's conversion, refused where it holds only the first part of a large set."""
    info = _info(rows.wanted.repo, CONVERTED, rows.notes)
    config, split = rows.wanted.config, rows.wanted.split
    names = [one for one in info.files if one.path.startswith(f"{config}/{split}/")]
    if not names and len({one.path.split("/")[0] for one in info.files if f"/{split}/" in one.path}) == 1:
        names = [one for one in info.files if f"/{split}/" in one.path]  # its only config goes by another name
    if not names and any(one.path.startswith(f"{config}/partial-{split}/") for one in info.files):
        raise BenchmarkError(f"the conversion holds only a part of {config}/{split}")
    return _parquet(info, names, f"{config}/{split}", rows.fingerprint)


def _original(rows: HubRows) -> RowSource:
    """The original files by range requests; one that the hub's own cache holds whole is read there."""
    files = _matching(rows)
    if files[0].path.endswith(".parquet"):
        return _parquet(rows.info, files, files[0].path, rows.fingerprint)
    return _text_rows(files[0].path, _remote(rows.info, files[0]), rows.fingerprint)


def _downloaded(rows: HubRows) -> RowSource:
    """The original files, fetched whole into the hub's own cache."""
    info = rows.info
    openers = [(one.path, _local(client.download(info.repo, info.revision, one.path))) for one in _matching(rows)]
    if openers[0][0].endswith(".parquet"):
        return ParquetRows(openers, rows.fingerprint)
    return _text_rows(*openers[0], rows.fingerprint)


_OPEN: dict[str, Callable[[HubRows], RowSource]] = {
    "converted": _converted,
    "original": _original,
    "download": _downloaded,
}


def _matching(rows: HubRows) -> list[RemoteFile]:
    patterns = rows.wanted.files
    files = sorted((one for one in rows.info.files if any(fnmatch(one.path, p) for p in patterns)), key=_path)
    if not files:
        raise BenchmarkError(f"{rows.wanted.repo} holds no file {' or '.join(patterns)}")
    return files


def _path(file: RemoteFile) -> str:
    return file.path


def _parquet(info: RepoInfo, files: Sequence[RemoteFile], what: str, fingerprint: str) -> ParquetRows:
    shards = sorted((one for one in files if one.path.endswith(".parquet")), key=_path)
    if not shards:
        raise BenchmarkError(f"there is no Parquet file of {what}")
    return ParquetRows([(one.path, _remote(info, one)) for one in shards], fingerprint)


def _text_rows(name: str, opener: Callable[[], BinaryIO], fingerprint: str) -> RowSource:
    make = JsonLinesRows if name.endswith(".jsonl") else json_rows
    return make(name, opener, fingerprint)


def _remote(info: RepoInfo, file: RemoteFile) -> Callable[[], BinaryIO]:
    whole = client.downloaded(info.repo, info.revision, file.path)
    if whole is not None:
        return _local(whole)
    where = _repo_folder(info.repo) / info.revision / Path(*(quote(part) for part in file.path.split("/")))

    def fetch(start: int, end: int) -> tuple[bytes, int]:
        return client.read_range(info.repo, info.revision, file.path, start, end)

    return lambda: BlockFile(where, fetch, file.size)  # type: ignore[return-value]  # a RawIOBase reads bytes


def _local(path: Path) -> Callable[[], BinaryIO]:
    return lambda: path.open("rb")


def _repo_folder(repo: str) -> Path:
    return cache_folder() / "hub" / repo.replace("/", "--")


def _info(repo: str, revision: str, notes: list[str]) -> RepoInfo:
    """What a data set holds: from the hub, else (no network) as it was when last asked; a commit is asked once."""
    where = _repo_folder(repo) / "refs" / (quote(revision, safe="") + ".json")
    known = _known_info(where)
    if known is not None and known.revision == revision:
        return known
    try:
        info = client.repo_info(repo, revision)
    except AccessRefused:
        raise
    except BenchmarkError as error:
        if known is None or "no such data set" in str(error):
            raise
        notes.append(f"the hub was not reached ({error}); using revision {known.revision[:12]} from the cache")
        return known
    for path in (where, where.with_name(info.revision + ".json")):
        _write(path, orjson.dumps(info.as_json()))
    return info


def _known_info(where: Path) -> RepoInfo | None:
    try:
        found = orjson.loads(where.read_bytes())
        files = tuple(RemoteFile(one["path"], one["size"]) for one in found["files"])
        return RepoInfo(found["repo"], found["revision"], files)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, data: bytes) -> None:
    """Write a small file so that no one ever reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    aside.write_bytes(data)
    os.replace(aside, path)
