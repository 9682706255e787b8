"""Inspect: `.eval` logs (a zip of header.json and samples/ID_epoch_N.json) and `.json` logs (one object).

A sample holds id, epoch (from 1), input, choices, target, messages, output (choices with messages, usage, time),
scores, error and attachments, to which long texts point ("attachment://HASH").
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from snellen.errors import UsageError
from snellen.importers import Prediction, Predictions
from snellen.importers.cells import as_text, choices_of, content_text, count, key_of, number, references_of
from snellen.importers.rows import parse
from snellen.types import Usage

_ATTACHED = "attachment://"
_STOPS = {"stop": "stop", "max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}


def read(path: Path) -> Predictions:
    """Read a log.

    Raises:
        UsageError: it is no log of Inspect.
    """
    header, samples = _eval(path) if zipfile.is_zipfile(path) else _json(path)
    about = header.get("eval")
    if not isinstance(about, Mapping):
        raise UsageError(f"{path.name} is no Inspect log: it has no 'eval'")
    rows = [_prediction(sample, at) for at, sample in enumerate(samples)]
    status = header.get("status")
    notes = [f"the log's status is {status}: it may hold a part of the samples"] if status != "success" else []
    return Predictions(as_text(about.get("model")), as_text(about.get("task")), rows, notes)


def _json(path: Path) -> tuple[Mapping[str, Any], Iterator[Any]]:
    log = parse(path.read_bytes(), path.name)
    if not isinstance(log, Mapping):
        raise UsageError(f"{path.name} is no Inspect log: an object expected")
    return log, iter(log.get("samples") or ())


def _eval(path: Path) -> tuple[Mapping[str, Any], Iterator[Any]]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        start = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
        if start is None:
            raise UsageError(f"{path.name} is no Inspect log: the archive has no header.json")
        return parse(_member(archive, start), start), _samples(path)


def _samples(path: Path) -> Iterator[Any]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("samples/") and name.endswith(".json"):
                yield parse(_member(archive, name), name)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except NotImplementedError:
        raise UsageError(
            f"{archive.filename}: packed in a way that this Python cannot unpack; convert it with "
            "`inspect log convert --to json`"
        ) from None
    except (zipfile.BadZipFile, OSError) as error:
        raise UsageError(f"{archive.filename}: {name} is damaged: {error}") from None


def _prediction(sample: Any, at: int) -> Prediction:
    sample = sample if isinstance(sample, Mapping) else {}
    output = sample.get("output") if isinstance(sample.get("output"), Mapping) else {}
    assert isinstance(output, Mapping)
    attached = sample.get("attachments") or {}
    text, reasoning, stop = _answer(output, attached)
    problem = _problem(sample, output)
    usage = output.get("usage") or {}
    epoch = sample.get("epoch")
    return Prediction(
        id=key_of(sample.get("id"), at),
        text=text,
        problem=problem if text is None else "",
        question=_question(sample.get("input"), attached),
        references=references_of(sample.get("target")),
        choices=choices_of(sample),
        category=as_text((sample.get("metadata") or {}).get("category")),
        epoch=max(0, epoch - 1) if isinstance(epoch, int) else 0,
        reasoning=reasoning,
        finish_reason=_STOPS.get(stop, stop or "stop"),
        usage=Usage(
            count(usage.get("input_tokens")), count(usage.get("output_tokens")), count(usage.get("reasoning_tokens"))
        ),
        latency_s=number(output.get("time")) or 0.0,
        tool_score=_score(sample.get("scores")),
    )


def _answer(output: Mapping[str, Any], attached: Mapping[str, Any]) -> tuple[str | None, str, str]:
    """(text, reasoning, stop reason) of the model's last output; None where there is none."""
    choices = output.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return None, "", ""
    message = choices[0].get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    if content is None:
        return None, "", as_text(choices[0].get("stop_reason"))
    text, reasoning = content_text(_resolved(content, attached))
    return text, reasoning, as_text(choices[0].get("stop_reason"))


def _problem(sample: Mapping[str, Any], output: Mapping[str, Any]) -> str:
    error = sample.get("error") or output.get("error")
    said = error.get("message") if isinstance(error, Mapping) else error
    return as_text(said)[:300] or "no output in the log"


def _question(value: Any, attached: Mapping[str, Any]) -> str:
    """The last user message, or the input itself."""
    if isinstance(value, list):
        users = [m for m in value if isinstance(m, Mapping) and m.get("role") == "user"]
        value = users[-1].get("content") if users else ""
    value = _resolved(value, attached)
    return value if isinstance(value, str) else content_text(value)[0]


def _resolved(value: Any, attached: Mapping[str, Any]) -> Any:
    """A content with the long texts it points to."""
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return as_text(attached.get(value.removeprefix(_ATTACHED), ""))
    if isinstance(value, list):
        return [_resolved(one, attached) if isinstance(one, str) else _resolved_part(one, attached) for one in value]
    return value


def _resolved_part(part: Any, attached: Mapping[str, Any]) -> Any:
    if not isinstance(part, Mapping):
        return part
    return {key: _resolved(one, attached) if isinstance(one, str) else one for key, one in part.items()}


def _score(scores: Any) -> float | None:
    """The first scorer's value; letters as Inspect means them."""
    if not isinstance(scores, Mapping) or not scores:
        return None
    value = next(iter(scores.values()))
    value = value.get("value") if isinstance(value, Mapping) else value
    letters = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
    return letters[value] if isinstance(value, str) and value in letters else number(value)
