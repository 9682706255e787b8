"""Scored run directories made by hand, for the tests of everything that reads them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.scores_file import write_scores
from snellen.store import Log, write_json

NAN = float("nan")


def spec_of(**changes: Any) -> dict[str, Any]:
    """A frozen spec; dotted keys with __ change one leaf (prompt__blind=True)."""
    spec: dict[str, Any] = {
        "format_version": 1,
        "benchmark": {"name": "datbench", "fingerprint": "f1", "data": None, "options": {}, "facts": {}},
        "model": {"name": "model-a"},
        "prompt": {"name": "default", "system": None, "blind": False},
        "images": {"max_side_px": None},
        "generation": {"max_tokens": 4096, "temperature": 0.0, "params": {}},
        "selection": {"limit": None, "per_category": None, "seed": 0, "shard": None},
        "epochs": 1,
        "seed": 0,
        "rules": "fair",
        "scorer": {"forced": "", "default": "auto", "coordinates": "auto", "numeric_tolerance": 0.0},
        "convention": "left-out",
        "judge": {"models": [], "protocol": None},
        "tags": {},
        "environment": {"packages": {"snellen": "0.1.0"}},
    }
    for path, value in changes.items():
        *parents, leaf = path.split("__")
        place = spec
        for name in parents:
            place = place[name]
        place[leaf] = value
    return spec


def write_run(
    folder: Path,
    scores: Sequence[float | str | None],
    *,
    samples: Sequence[Mapping[str, Any]] = (),
    tokens: Sequence[int] = (),
    cost: float | None = None,
    **spec: Any,
) -> Path:
    """Write a scored run.

    Args:
        folder: made if missing.
        scores: one a sample: a number, None (an error) or a state ("unjudged").
        samples: changes to each sample's defaults (id, question, images, capability, dataset, …).
        tokens: answer tokens of each sample.
        cost: money of the run.
        spec: see `spec_of`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "run.json", spec_of(**spec))
    write_json(folder / "report.json", {"facts": {"cost": cost, "notes": []}})
    rows = []
    with Log(folder / "samples.jsonl") as sample_log, Log(folder / "responses.jsonl") as response_log:
        for position, score in enumerate(scores):
            own = dict(samples[position]) if samples else {}
            about = {"id": f"s{position}", "question": f"question {position}", "capability": "chart"} | own
            key = hashlib.sha256(f"{folder}{position}".encode()).hexdigest()
            images = [{"sha256": digest} for digest in own.get("images", [f"image{position}"])]
            record = {k: v for k, v in about.items() if k not in ("images", "flags", "answer", "n_choices", "weight")}
            sample_log.append({"position": position, "key": key, "reference_key": "r", **record, "images": images})
            if score is not None:
                n_out = tokens[position] if tokens else 10
                response_log.append(
                    {
                        "key": key,
                        "epoch": 0,
                        "status": "ok",
                        "text": "x",
                        "n_in": 50,
                        "n_out": n_out,
                        "latency_s": 0.5,
                    }
                )
            rows.append(_row(position, key, about, images, score))
    list(write_scores(folder / "scores.parquet", rows))
    return folder


def _row(
    position: int, key: str, about: Mapping[str, Any], images: Sequence[Mapping[str, str]], score: float | str | None
) -> dict[str, Any]:
    state = "error" if score is None else score if isinstance(score, str) else "scored"
    return {
        "position": position,
        "sample_id": about["id"],
        "epoch": 0,
        "key": key,
        "dataset": about.get("dataset", ""),
        "capability": about["capability"],
        "category": about.get("category", about["capability"]),
        "group": about.get("group", ""),
        "cluster": images[0]["sha256"] if images else "",
        "n_images": len(images),
        "long_side_px": about.get("long_side_px", 0),
        "n_choices": about.get("n_choices", 0),
        "weight": about.get("weight"),
        "state": state,
        "value": score if state == "scored" else None,
        "fair": about.get("fair"),
        "datbench_1_0": about.get("datbench_1_0"),
        "flags": list(about.get("flags", ())),
        "answer": about.get("answer", "x"),
        "scorer": "exact",
        "scorer_version": about.get("version", "1"),
    }
