"""Samples, responses and failures as the records of a run directory, and back."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import Any

import orjson

from snellen.engine.limits import Failure, Outcome
from snellen.store import encode
from snellen.types import PreparedImage, Response, Sample

_HEX = re.compile(r"[0-9a-f]{64}")
_BIG_METADATA_BYTES = 16_384
_TUPLES = ("references", "choices")
_KEPT = tuple(f.name for f in fields(Sample) if f.name not in ("parts", "image_sizes", "metadata"))
_DEFAULTS = {f.name: f.default for f in fields(Sample) if f.default is not MISSING}


def sample_record(sample: Sample, *, position: int, key: str, images: list[dict[str, Any]]) -> dict[str, Any]:
    """Everything of a sample that scoring, judging and looking need; fields at their default are left out."""
    record: dict[str, Any] = {"position": position, "key": key, "reference_key": reference_key(sample)}
    for name in _KEPT:
        value = getattr(sample, name)
        if name not in _DEFAULTS or value != _DEFAULTS[name] or type(value) is not type(_DEFAULTS[name]):
            record[name] = value
    if sample.references and sample.answer == sample.references[0]:
        record.pop("answer", None)
        record["answer_is_first"] = True
    if sample.metadata:
        record.update(_metadata(sample.metadata))
    if images:
        record["images"] = images
    return record


def _metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata as it is; masks and the like, which are large and regular, compressed."""
    raw = encode(metadata)
    if len(raw) <= _BIG_METADATA_BYTES:
        return {"metadata": metadata}
    return {"metadata_zlib": base64.b64encode(zlib.compress(raw, 6)).decode("ascii")}


def position_of(record: Mapping[str, Any] | None) -> int | None:
    """Position of a sample's line; None for one that is damaged, also where it is JSON of something else."""
    if record is None or not isinstance(record.get("key"), str) or not isinstance(record.get("position"), int):
        return None
    return int(record["position"]) if _HEX.fullmatch(record["key"]) and isinstance(record.get("id"), str) else None


def sample_of(record: Mapping[str, Any]) -> Sample:
    """The sample of a record; its parts are empty (the pictures and the prompt stay with the benchmark)."""
    values = {name: record[name] for name in _KEPT if name in record}
    for name in _TUPLES:
        values[name] = tuple(values.get(name) or ())
    if record.get("answer_is_first") and values["references"]:
        values["answer"] = values["references"][0]
    if "metadata_zlib" in record:
        values["metadata"] = orjson.loads(zlib.decompress(base64.b64decode(record["metadata_zlib"])))
    else:
        values["metadata"] = record.get("metadata") or {}
    sizes = tuple((image["width"], image["height"]) for image in record.get("images", ()) if "width" in image)
    return Sample(parts=(), image_sizes=sizes, **values)


def sizes_sent(record: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """(width, height) of each image as the model saw it."""
    images = record.get("images", ())
    return tuple((i.get("sent_width", i["width"]), i.get("sent_height", i["height"])) for i in images if "width" in i)


def reference_key(sample: Sample) -> str:
    """Hash of what an answer is compared with; mending a reference changes it and nothing else."""
    truth = [sample.references, sample.choices, sample.metadata, sample.judge_prompt, sample.mode]
    return hashlib.sha256(orjson.dumps([_hashable(v) for v in truth])).hexdigest()[:32]


def _hashable(value: Any) -> Any:
    return encode({"v": value}).decode("utf-8", "replace")


def image_record(image: PreparedImage, n_bytes: int) -> dict[str, Any]:
    """One image of a sample: the original by hash, and what was sent."""
    record = {
        "sha256": image.source_sha256,
        "width": image.source_width,
        "height": image.source_height,
        "n_bytes": n_bytes,
        "mime": image.mime,
    }
    if image.change:
        record.update(change=image.change, sent_width=image.width, sent_height=image.height)
        record["sent_bytes"] = len(image.data)
    return record


def outcome_record(outcome: Outcome, *, key: str, epoch: int, sample_id: str) -> dict[str, Any]:
    """A response or failure as one line of `responses.jsonl`."""
    record: dict[str, Any] = {"key": key, "epoch": epoch, "sample_id": sample_id}
    record.update(_response(outcome) if isinstance(outcome, Response) else _failure(outcome))
    record["at"] = datetime.now(UTC).isoformat(timespec="milliseconds")
    return record


def _response(response: Response) -> dict[str, Any]:
    record: dict[str, Any] = {"status": "ok", "text": response.text}
    if response.reasoning:
        record["reasoning"] = response.reasoning
    record["finish_reason"] = response.finish_reason
    record["n_in"], record["n_out"] = response.usage.n_in, response.usage.n_out
    if response.usage.n_reasoning is not None:
        record["n_reasoning"] = response.usage.n_reasoning
    record["latency_s"] = round(response.latency_s, 4)
    record["n_attempts"] = response.n_attempts
    record["served_model"] = response.served_model
    return record


def _failure(failure: Failure) -> dict[str, Any]:
    return {
        "status": "error",
        "kind": failure.kind,
        "message": failure.message,
        "http_status": failure.status,
        "retryable": failure.retryable,
        "n_attempts": failure.n_attempts,
    }
