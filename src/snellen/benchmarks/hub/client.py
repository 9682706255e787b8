"""Talking to the Hugging Face hub: what a data set holds, and any range of bytes of any of its files.

`huggingface_hub` does the addresses, the sessions and the errors; this module adds bounded retries, a check that no
reply was cut short, and sentences that say what to do. The token comes from the environment alone.

References: Hugging Face Hub HTTP API (huggingface.co/docs/hub/api), `refs/convert/parquet` of the dataset viewer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import sleep
from typing import Any, TypeVar
from urllib.parse import quote

from snellen.errors import BenchmarkError

_T = TypeVar("_T")

N_TRIES = 4
"""Requests made before a file is given up, the first one included."""
TIMEOUT_S = 60.0
MAX_PAUSE_S = 60.0
_RETRIED = frozenset((408, 425, 429, 500, 502, 503, 504))
_TOKEN_VARIABLES = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")


class AccessRefused(BenchmarkError):
    """The hub does not let this user read the data set; no other way of loading will help."""


class _Transient(Exception):
    """A request that may succeed when it is made again."""

    def __init__(self, message: str, pause_s: float | None = None) -> None:
        super().__init__(message)
        self.pause_s = pause_s


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a data set at one revision."""

    path: str
    """Path inside the repository."""
    size: int | None = None
    """Bytes, None when the hub does not say."""


@dataclass(frozen=True, slots=True)
class RepoInfo:
    """What a data set holds at one revision."""

    repo: str
    """"owner/name"."""
    revision: str
    """Full commit hash: what was asked for, pinned."""
    files: tuple[RemoteFile, ...]
    """All files."""

    def as_json(self) -> dict[str, Any]:
        """Plain data, for the cache."""
        return asdict(self)


def endpoint() -> str:
    """Address of the hub: HF_ENDPOINT or the public one."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def token() -> str | bool:
    """The token of the environment, or False: a token that lies in a file is never used unasked."""
    return next((value for name in _TOKEN_VARIABLES if (value := os.environ.get(name))), False)


def page(repo: str) -> str:
    """Web page of a data set, where its terms are accepted."""
    return f"{endpoint()}/datasets/{repo}"


def repo_info(repo: str, revision: str) -> RepoInfo:
    """Ask the hub what a data set holds.

    Args:
        repo: "owner/name".
        revision: branch, tag, reference or commit.

    Raises:
        AccessRefused: private, gated, or a wrong token.
        BenchmarkError: it does not exist or the hub does not answer.
    """
    from huggingface_hub import HfApi

    api = HfApi(endpoint=endpoint(), token=token())

    def ask() -> RepoInfo:
        found = api.dataset_info(repo, revision=revision, files_metadata=True, timeout=TIMEOUT_S)
        files = tuple(RemoteFile(one.rfilename, one.size) for one in found.siblings or ())
        return RepoInfo(repo, str(found.sha), files)

    return _persistently(ask, repo, f"{repo} at {revision}")


def read_range(repo: str, revision: str, path: str, start: int, end: int) -> tuple[bytes, int]:
    """Fetch bytes `start` to `end` (not included) of a file.

    Returns:
        The bytes (fewer only at the end of the file) and the file's whole size.

    Raises:
        AccessRefused: the hub does not let us.
        BenchmarkError: no such file, no range requests, or no whole answer after several tries.
    """
    url = file_url(repo, revision, path)
    return _persistently(lambda: _range_once(url, start, end), repo, f"{path} of {repo}")


def file_url(repo: str, revision: str, path: str) -> str:
    """Address of one file.

    >>> file_url("a/b", "refs/convert/parquet", "x y.json").partition("/datasets/")[2]
    'a/b/resolve/refs%2Fconvert%2Fparquet/x%20y.json'
    """
    return f"{endpoint()}/datasets/{repo}/resolve/{quote(revision, safe='')}/{quote(path)}"


def download(repo: str, revision: str, path: str) -> Path:
    """Fetch a whole file into the hub's own cache (or find it there).

    Raises:
        AccessRefused: the hub does not let us.
        BenchmarkError: it cannot be fetched.
    """
    from huggingface_hub import hf_hub_download

    cache = os.environ.get("HF_HUB_CACHE")
    arguments = {"repo_id": repo, "filename": path, "repo_type": "dataset", "revision": revision}
    try:
        where = hf_hub_download(**arguments, cache_dir=cache, token=token(), endpoint=endpoint())
    except Exception as error:
        raise _explained(error, repo, f"{path} of {repo}") from error
    return Path(where)


def downloaded(repo: str, revision: str, path: str) -> Path | None:
    """Where a whole file already lies in the hub's own cache, None when it does not."""
    from huggingface_hub import try_to_load_from_cache

    cache = os.environ.get("HF_HUB_CACHE")
    found = try_to_load_from_cache(repo, path, cache_dir=cache, revision=revision, repo_type="dataset")
    return Path(found) if isinstance(found, str) else None


def _range_once(url: str, start: int, end: int) -> tuple[bytes, int]:
    from huggingface_hub.utils import build_hf_headers

    headers = build_hf_headers(token=token())
    headers |= {"Range": f"bytes={start}-{end - 1}", "Accept-Encoding": "identity"}
    try:
        with _streamed(url, headers) as (response, pieces):
            _check_status(response)
            total = _total_size(response)
            wanted = min(end, total) - start
            data = _up_to(pieces, wanted)
    except (BenchmarkError, _Transient):
        raise
    except Exception as error:
        if _status_of(error) or type(error).__name__ == "OfflineModeIsEnabled":
            raise
        raise _Transient(f"{type(error).__name__}: {_one_line(error)}") from error
    if len(data) != wanted:
        raise _Transient(f"the reply was cut short: {len(data):,} of {wanted:,} bytes")
    return data, total


@contextmanager
def _streamed(url: str, headers: dict[str, str]) -> Iterator[tuple[Any, Iterator[bytes]]]:
    """A response whose body is not read before its head was looked at (the session is httpx's or requests')."""
    from huggingface_hub.utils import get_session

    session: Any = get_session()
    if callable(getattr(session, "stream", None)):
        with session.stream("GET", url, headers=headers, timeout=TIMEOUT_S) as response:
            if response.status_code >= 400:
                response.read()
            yield response, response.iter_raw()
    else:
        with session.get(url, headers=headers, timeout=TIMEOUT_S, stream=True) as response:
            yield response, response.iter_content(1 << 16)


def _check_status(response: Any) -> None:
    if response.status_code in _RETRIED:
        raise _Transient(f"the hub answered {response.status_code}", _asked_pause(response))
    from huggingface_hub.utils import hf_raise_for_status

    hf_raise_for_status(response)


def _total_size(response: Any) -> int:
    """Size of the whole file; refuses a server that would send all of it for a piece."""
    _, slash, total = str(response.headers.get("Content-Range", "")).rpartition("/")
    if response.status_code != 206 or not slash or not total.isdigit():
        raise BenchmarkError("the server does not answer range requests")
    return int(total)


def _up_to(pieces: Iterator[bytes], n_bytes: int) -> bytes:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) >= n_bytes:
            break
    return bytes(data[:n_bytes])


def _persistently(call: Callable[[], _T], repo: str, what: str) -> _T:
    """Make a call up to N_TRIES times, as long as its failures are of the passing kind."""
    reason = ""
    for turn in range(N_TRIES):
        try:
            return call()
        except BenchmarkError as error:
            raise type(error)(f"{what}: {error}") from error
        except _Transient as error:
            reason, pause_s = str(error), error.pause_s
        except Exception as error:
            if not _may_pass(error):
                raise _explained(error, repo, what) from error
            reason, pause_s = _one_line(error), _asked_pause(getattr(error, "response", None))
        if turn + 1 < N_TRIES:
            sleep(min(MAX_PAUSE_S, 2**turn * 0.5 + Random().random() * 0.5 if pause_s is None else pause_s))
    raise BenchmarkError(f"{what}: {reason} (tried {N_TRIES} times)")


def _may_pass(error: Exception) -> bool:
    status = _status_of(error)
    if status is not None:
        return status in _RETRIED
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"TransportError", "ConnectionError", "Timeout"}) and "OfflineModeIsEnabled" not in names


def _explained(error: Exception, repo: str, what: str) -> BenchmarkError:
    """The hub's error as one sentence that says what to do."""
    names = {kind.__name__ for kind in type(error).__mro__}
    status = _status_of(error)
    if "GatedRepoError" in names:
        return AccessRefused(
            f"{what}: the data set is gated; accept its terms at {page(repo)} and set HF_TOKEN to a token of that "
            "account"
        )
    if status in (401, 403):
        return AccessRefused(
            f"{what}: the hub answered {status} (private, renamed, or a wrong token); look at {page(repo)} and set "
            "HF_TOKEN to a token that may read it"
        )
    if names & {"RevisionNotFoundError", "EntryNotFoundError", "RepositoryNotFoundError"} or status == 404:
        return BenchmarkError(f"{what}: there is no such data set, revision or file on {endpoint()}")
    if "OfflineModeIsEnabled" in names:
        return BenchmarkError(f"{what}: not in the cache, and HF_HUB_OFFLINE forbids to fetch it")
    return BenchmarkError(f"{what}: {type(error).__name__}: {_one_line(error)}")


def _status_of(error: Exception) -> int | None:
    status = getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def _asked_pause(response: Any) -> float | None:
    """Seconds that the hub asks to wait (Retry-After), None when it does not."""
    value = str(response.headers.get("Retry-After", "")) if response is not None else ""
    return float(value) if value.isdigit() else None


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
