"""`snellen merge`: the shards of a run as one run."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from snellen import config
from snellen.engine.records import position_of
from snellen.engine.rules import rulebook_of
from snellen.engine.run_files import n_selected_of, open_benchmark
from snellen.errors import StoreError, UsageError
from snellen.finishing import finish_run
from snellen.reports.results import RunResult
from snellen.store import Lock, Log, make_folder, owner_of, read_log, read_spec, write_json


def merge(folders: Sequence[Path], *, out: Path | None = None) -> RunResult:
    """Make one run of several that differ in nothing but their samples.

    Args:
        folders: run directories (shards, or runs over parts of one benchmark).
        out: the new run directory; beside the first, named after it, when None.

    Raises:
        UsageError: fewer than two runs, or they differ in more than their shard.
        StoreError: a run is damaged or being written.
    """
    if len(folders) < 2:
        raise UsageError("merge needs at least two run directories")
    specs = [read_spec(folder, whole=True) for folder in folders]
    _check_finished(folders)
    _check_alike(folders, specs)
    target = out or folders[0].parent / str(_merged_spec(specs)["run"])
    if (target / "run.json").exists():
        raise UsageError(f"{target} exists already; choose another --out")
    make_folder(target)
    lock = Lock(target)
    lock.acquire()
    try:
        return _merge_into(target, folders, specs)
    finally:
        lock.release()


def _check_finished(folders: Sequence[Path]) -> None:
    for folder in folders:
        owner = owner_of(folder)
        if owner is not None:
            raise StoreError(f"run {folder} is being written by process {owner.get('pid')}; merge it when it is done")
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UsageError("a run directory is named twice; each shard is merged once")


def _check_alike(folders: Sequence[Path], specs: Sequence[dict[str, Any]]) -> None:
    first = _apart_from_shard(specs[0])
    for folder, spec in zip(folders[1:], specs[1:], strict=True):
        other = _apart_from_shard(spec)
        differing = [key for key in first if first[key] != other.get(key)]
        if differing:
            raise UsageError(
                f"{folder} differs from {folders[0]} in {', '.join(differing)}; only shards can be merged"
            )


def _apart_from_shard(spec: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.get("identity", {}).items() if key != "shard"}


def _merged_spec(specs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    identity = {**specs[0]["identity"], "shard": None}
    shards = sorted(str(spec["identity"].get("shard")) for spec in specs)
    stem = str(specs[0]["run"]).rpartition("-")[0]
    return {
        **specs[0],
        "identity": identity,
        "run": f"{stem}-{config.digest(identity)[:8]}",
        "selection": {**specs[0].get("selection", {}), "shard": None},
        "merged_from": {"runs": [spec["run"] for spec in specs], "shards": shards},
    }


def _merge_into(target: Path, folders: Sequence[Path], specs: Sequence[dict[str, Any]]) -> RunResult:
    spec = _merged_spec(specs)
    n_selected = sum(n_selected_of(folder) for folder in folders)
    _merge_samples(target, folders)
    for k, folder in enumerate(folders):
        for kind in ("responses", "verdicts"):
            for path in folder.glob(f"{kind}*.jsonl"):
                shutil.copyfile(path, target / f"{kind}-{k}{path.stem.removeprefix(kind)}.jsonl")
    with Log(target / "sessions.jsonl") as log:
        log.append({"event": "start", "n_selected": n_selected, "merged": [str(folder) for folder in folders]})
    write_json(target / "run.json", spec)  # last: a merge that was ended before this begins anew
    benchmark, notes = open_benchmark(spec)
    notes += _remarks(specs)
    return finish_run(
        target, spec, benchmark=benchmark, facts={"notes": notes, "stopped": ""}, n_selected=n_selected,
        rulebook=rulebook_of(spec),
    )  # fmt: skip


def _remarks(specs: Sequence[dict[str, Any]]) -> list[str]:
    notes = []
    if len({spec.get("benchmark", {}).get("fingerprint") for spec in specs}) > 1:
        notes.append("the merged runs were made from different versions of the data")
    shards = {str(spec["identity"].get("shard")) for spec in specs}
    sizes = {shard.partition("/")[2] for shard in shards}
    if len(sizes) == 1 and (size := sizes.pop()).isdigit() and len(shards) < int(size):
        absent = [f"{k}/{size}" for k in range(1, int(size) + 1) if f"{k}/{size}" not in shards]
        notes.append(f"not all shards were merged; absent: {', '.join(absent)}")
    return notes


def _merge_samples(target: Path, folders: Sequence[Path]) -> None:
    seen: dict[int, str] = {}
    for name in ("samples.jsonl", "sessions.jsonl"):
        (target / name).unlink(missing_ok=True)
    with Log(target / "samples.jsonl") as log:
        log.append({"fingerprint": "", "format_version": 1})
        for folder in folders:
            for record in read_log(folder / "samples.jsonl"):
                value = record.value
                if value is None or position_of(value) is None:
                    continue
                before = seen.setdefault(value["position"], value["key"])
                if before != value["key"]:
                    raise StoreError(
                        f"{folder}: sample {value.get('id')} has another prompt than in an earlier shard"
                    )
                log.append(value)
