"""Loading from the hub: the three ways, their failures, the cache, tokens, and how little is read."""

from __future__ import annotations

import io
import logging
import tracemalloc
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from snellen.benchmarks.hub import AccessRefused, HubRows, HubSet, open_hub
from snellen.benchmarks.hub.blocks import BLOCK_BYTES, BlockFile
from snellen.errors import BenchmarkError, UsageError
from tests.benchmarks.hub_server import CONVERTED, Hub

REPO = "owner/set"
SET = HubSet(REPO, ("rows.jsonl",))


def table(n: int = 40, n_bytes: int = 200) -> list[dict[str, Any]]:
    """Rows with a name, a category and a payload that does not compress."""
    noise = [i.to_bytes(4, "big").hex() + ("%08x" % (i * 2654435761 % 2**32)) * (n_bytes // 8) for i in range(n)]
    return [{"id": f"r{i}", "category": "ab"[i % 2], "image": noise[i]} for i in range(n)]


def as_jsonl(rows: list[dict[str, Any]]) -> bytes:
    """Rows as JSON lines."""
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def as_parquet(rows: list[dict[str, Any]], group: int = 100) -> bytes:
    """Rows as a Parquet file with row groups of a hundred, uncompressed."""
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), stream, row_group_size=group, compression="none", use_dictionary=False)
    return stream.getvalue()


def publish(hub: Hub, rows: list[dict[str, Any]], *, converted: bool = True) -> str:
    """Put a set on the hub, with the hub's conversion in two shards; returns the commit."""
    half = len(rows) // 2
    if converted:
        shards = {"0000.parquet": as_parquet(rows[:half]), "0001.parquet": as_parquet(rows[half:])}
        hub.repo(REPO).publish({f"default/train/{name}": data for name, data in shards.items()}, CONVERTED)
    return hub.repo(REPO).publish({"rows.jsonl": as_jsonl(rows), "README.md": b"#"})


def ids(rows: HubRows, positions: Any = None) -> list[str]:
    """The ids of the rows at these positions."""
    return [row["id"] for _, row in rows.rows(positions)]


ALL = [f"r{i}" for i in range(40)]


def test_conversion_is_read_first(hub: Hub) -> None:
    """Without faults the rows come from the conversion, in order; the commit is pinned and recorded."""
    sha = publish(hub, table())
    rows = open_hub(SET, {})
    assert rows.way == "converted"
    assert rows.facts["revision"] == sha
    assert ids(rows) == ALL
    assert ids(rows, [39, 3, 21]) == ["r3", "r21", "r39"]
    assert rows.notes == []
    assert not any("rows.jsonl" in address for address in hub.asked)


@pytest.mark.parametrize("fault", ["500", "429", "cut", "whole", "404", "reset"])
def test_original_is_read_when_the_conversion_fails(hub: Hub, fault: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is wrong with the conversion, the original is streamed; the reason is kept and printed."""
    publish(hub, table())
    hub.misbehave("0000.parquet", fault)
    with caplog.at_level(logging.WARNING, "snellen"):
        rows = open_hub(SET, {})
    assert rows.way == "original"
    assert ids(rows) == ALL
    assert ids(rows, [5, 30]) == ["r5", "r30"]
    assert "loading by converted failed" in rows.notes[0]
    assert rows.notes[0] in caplog.text


def test_no_conversion_is_a_reason(hub: Hub) -> None:
    """A set that the hub never converted is streamed from its own files."""
    publish(hub, table(), converted=False)
    rows = open_hub(SET, {})
    assert (rows.way, ids(rows)) == ("original", ALL)


def test_partial_conversion_is_not_the_set(hub: Hub) -> None:
    """A conversion of the first part only is refused."""
    publish(hub, table(), converted=False)
    hub.repo(REPO).publish({"default/partial-train/0000.parquet": as_parquet(table(3))}, CONVERTED)
    rows = open_hub(SET, {})
    assert ids(rows) == ALL
    assert "only a part" in rows.notes[0]


def test_download_is_the_last_way(hub: Hub) -> None:
    """A server that answers no range requests is downloaded from, whole."""
    publish(hub, table(), converted=False)
    hub.misbehave("rows.jsonl", "whole")
    rows = open_hub(SET, {})
    assert rows.way == "download"
    assert ids(rows) == ALL
    assert len(rows.notes) == 2


def test_full_mode_downloads_at_once(hub: Hub) -> None:
    """--load full neither looks at the conversion nor reads ranges."""
    publish(hub, table())
    rows = open_hub(SET, {"load": "full"})
    assert (rows.way, ids(rows)) == ("download", ALL)
    assert not any(CONVERTED in address for address in hub.asked)


def test_all_ways_failing_says_each_reason(hub: Hub) -> None:
    """When nothing works the sentence holds the reason of every way."""
    publish(hub, table())
    hub.misbehave(".parquet", "500")
    hub.misbehave("rows.jsonl", "404")
    with pytest.raises(BenchmarkError, match=r"by converted failed.*by original failed.*by download failed"):
        open_hub(SET, {})


def test_failure_in_the_middle_goes_on_at_the_row_reached(hub: Hub) -> None:
    """A second shard that breaks is replaced by the original from that row on: no row twice, none lost."""
    publish(hub, table())
    rows = open_hub(SET, {})
    hub.misbehave("0001.parquet", "cut")
    assert ids(rows) == ALL
    assert rows.way == "original"
    assert "0001.parquet of owner/set" in rows.notes[0]


def test_passing_faults_are_retried(hub: Hub) -> None:
    """One 429, one cut reply and one reset do not make a way fail."""
    publish(hub, table(), converted=False)
    for fault in ("429", "cut", "reset"):
        hub.misbehave("rows.jsonl", fault, 1)
    rows = open_hub(SET, {})
    assert ids(rows) == ALL
    assert len(rows.notes) == 1


def test_gated_set_says_page_and_variable(hub: Hub) -> None:
    """A gated set stops at once with the page to accept and the variable to set; a token opens it."""
    publish(hub, table())
    hub.repo(REPO).gated, hub.repo(REPO).needs_token = True, "hf_secret"
    with pytest.raises(AccessRefused, match=rf"gated; accept .* at {hub.url}/datasets/{REPO} and set HF_TOKEN"):
        open_hub(SET, {})


def test_private_set_opens_with_the_token_of_the_environment(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A private set names HF_TOKEN; with the variable set it loads, and the token is in no note, fact or error."""
    publish(hub, table())
    hub.repo(REPO).needs_token = "hf_secret"
    with pytest.raises(AccessRefused, match="set HF_TOKEN") as caught:
        open_hub(SET, {})
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    rows = open_hub(SET, {})
    assert ids(rows) == ALL
    assert hub.tokens == {"", "Bearer hf_secret"}
    assert "hf_secret" not in str(caught.value) + repr(rows.facts)


def test_token_file_is_never_used(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token that lies in a file is not sent."""
    (tmp_path / "token").write_text("hf_file")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "token"))
    publish(hub, table())
    ids(open_hub(SET, {}))
    ids(open_hub(SET, {"load": "full"}))
    assert hub.tokens == {""}


def test_second_run_is_offline(hub: Hub) -> None:
    """What was read once is read again without one request for a file, and with the hub unreachable."""
    publish(hub, table())
    assert ids(open_hub(SET, {})) == ALL
    hub.asked.clear()
    hub.misbehave("/", "500")
    rows = open_hub(SET, {})
    assert ids(rows) == ALL
    assert not any("/resolve/" in address for address in hub.asked)
    assert "the hub was not reached" in rows.notes[0]


def test_pinned_commit_is_asked_no_more(hub: Hub) -> None:
    """A set pinned to a commit that is cached sends no request for the set itself."""
    sha = publish(hub, table(), converted=False)
    open_hub(SET, {"revision": sha})
    hub.asked.clear()
    open_hub(SET, {"revision": sha})
    assert not any("/revision/" + sha in address for address in hub.asked)


def test_change_between_runs_is_seen(hub: Hub) -> None:
    """A new commit changes fingerprint and rows; the old commit, pinned, still yields the old rows."""
    old = publish(hub, table())
    first = open_hub(SET, {})
    ids(first)
    changed = table()
    changed[7]["id"] = "new"
    publish(hub, changed)
    second = open_hub(SET, {})
    assert second.fingerprint != first.fingerprint
    assert ids(second, [7]) == ["new"]
    pinned = open_hub(SET, {"revision": old, "load": "full"})
    assert pinned.fingerprint == first.fingerprint
    assert ids(pinned, [7]) == ["r7"]


def test_max_scan_ends_the_stream(hub: Hub) -> None:
    """No row beyond the cap is yielded, whichever way is used, and the fingerprint says so."""
    publish(hub, table())
    for mode in ("stream", "full"):
        rows = open_hub(SET, {"max_scan": 12, "load": mode})
        assert ids(rows) == ALL[:12]
        assert ids(rows, [3, 20]) == ["r3"]
        assert rows.fingerprint != open_hub(SET, {}).fingerprint


@pytest.mark.parametrize("options", [{"load": "lazy"}, {"max_scan": 0}, {"max_scan": "many"}])
def test_wrong_options_are_refused(hub: Hub, options: dict[str, Any]) -> None:
    """Options that make no sense are usage errors."""
    with pytest.raises(UsageError):
        open_hub(SET, options)


def test_few_rows_read_little(hub: Hub) -> None:
    """The first rows and all categories of a large set cost a small part of it, by Parquet and by JSON lines."""
    publish(hub, table(400, 40_000))
    size = len(hub.repo(REPO).commits[hub.repo(REPO).refs["main"]]["rows.jsonl"])
    rows = open_hub(SET, {})
    assert len(ids(rows, range(10))) == 10
    assert [row["category"] for _, row in rows.rows(columns=["category"])] == list("ab") * 200
    assert sum(hub.n_bytes.values()) < 0.35 * size
    before = sum(hub.n_bytes.values())
    hub.misbehave(".parquet", "500")
    hub.misbehave("convert", "500")
    first = list(open_hub(SET, {}).rows(range(10)))
    assert len(first) == 10
    assert hub.n_bytes["rows.jsonl"] <= 4 * BLOCK_BYTES
    assert sum(hub.n_bytes.values()) - before <= 4 * BLOCK_BYTES


@pytest.mark.parametrize("converted", [True, False])
def test_memory_stays_flat(hub: Hub, converted: bool) -> None:
    """Streaming 40 MB holds a few MB at a time."""
    publish(hub, table(800, 50_000), converted=converted)
    rows = open_hub(SET, {})
    tracemalloc.start()
    n = sum(1 for _ in rows.rows())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n == 800
    assert peak < 25e6


def test_damaged_line_is_named(hub: Hub) -> None:
    """A line that is no JSON is reported with its file and number once no way avoids it."""
    good = as_jsonl(table(3))
    hub.repo(REPO).publish({"rows.jsonl": good + b'{"id": "cut'})
    rows = open_hub(SET, {})
    with pytest.raises(BenchmarkError, match=r"rows\.jsonl, line 4 is no JSON.*may be cut short"):
        ids(rows)


def test_block_file_reads_like_a_file(tmp_path: Path) -> None:
    """Any seek and read equals the bytes; each block is fetched once, also by a second reader."""
    data = bytes(range(256)) * 5000
    fetched: list[tuple[int, int]] = []

    def fetch(start: int, end: int) -> tuple[bytes, int]:
        fetched.append((start, end))
        return data[start:end], len(data)

    with BlockFile(tmp_path / "f", fetch, len(data)) as file:
        for start, n in ((1_000_000, 30), (0, 300_000), (len(data) - 5, 50), (500_000, 500_000)):
            file.seek(start)
            assert file.read(n) == data[start : start + n]
    n_requests = len(fetched)
    with BlockFile(tmp_path / "f", fetch, len(data)) as file:
        assert file.read() == data
    covered = [block for start, end in fetched for block in range(start // BLOCK_BYTES, -(-end // BLOCK_BYTES))]
    assert len(covered) == len(set(covered)) == 5
    assert len(fetched) <= n_requests + 2


def test_block_file_reads_ahead_in_order(tmp_path: Path) -> None:
    """Reading from front to back takes ever longer requests instead of one a block."""
    size = 64 * BLOCK_BYTES
    fetched: list[int] = []

    def fetch(start: int, end: int) -> tuple[bytes, int]:
        fetched.append(end - start)
        return bytes(end - start), size

    with BlockFile(tmp_path / "f", fetch, size) as file:
        while file.read(65_536):
            pass
    assert len(fetched) < 10
    assert max(fetched) <= 16 * BLOCK_BYTES
