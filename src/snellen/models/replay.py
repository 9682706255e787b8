"""Answers that were recorded before: a JSONL file of ids and texts, or the run directory of an earlier run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from snellen.errors import ModelError, UsageError
from snellen.types import GenerationOptions, Prompt, Response

_IDS = ("id", "sample_id", "question_id", "item_id")
_TEXTS = ("response", "text", "output", "raw_output", "prediction", "answer")


class Replay:
    """Gives each sample the answer that a file holds for it; a sample without one is missing, never empty."""

    takes_images = True
    start_concurrency = 64

    def __init__(self, path: Path) -> None:
        self.name = f"replay:{path.name}#{_digest(path)}"
        self._path = path
        self._answers: dict[tuple[str, int], Response] = {}
        for number, (file, record) in enumerate(_records(path), 1):
            self._note(record, f"{file}, record {number}")
        if not self._answers:
            raise UsageError(f"{path} holds no answers: each line needs an id and a text ({', '.join(_TEXTS)})")

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Look the answer up.

        Raises:
            ModelError: the file holds none for this sample and epoch (final).
        """
        found = self._answers.get((prompt.sample_id, prompt.epoch)) or self._answers.get((prompt.sample_id, 0))
        if found is None:
            raise ModelError(f"{self._path} holds no answer for sample {prompt.sample_id!r}", kind="unsupported")
        return found

    async def aclose(self) -> None:
        """Nothing to free."""

    def _note(self, record: dict[str, Any], place: str) -> None:
        if record.get("status", "ok") != "ok":
            return
        name = next((record[key] for key in _IDS if record.get(key) is not None), None)
        if name is None:
            raise UsageError(f"{place} has no id; it has {', '.join(map(str, record))[:200]}")
        text = next((record[key] for key in _TEXTS if key in record), None)
        if text is None and not any(key in record for key in _TEXTS):
            raise UsageError(f"{place} has no text; one of {', '.join(_TEXTS)} is expected")
        self._answers[(str(name), _epoch(record))] = _response(text, record)


def _response(text: Any, record: dict[str, Any]) -> Response:
    """A null text is an empty answer."""
    if isinstance(text, dict):
        text = text.get("text", "")
    return Response(
        text=text if isinstance(text, str) else "" if text is None else orjson.dumps(text).decode(),
        reasoning=str(record.get("reasoning") or ""),
        finish_reason=str(record.get("finish_reason") or "stop"),
        served_model=str(record.get("served_model") or record.get("model") or ""),
    )


def _epoch(record: dict[str, Any]) -> int:
    epoch = record.get("epoch", 0)
    return epoch if isinstance(epoch, int) else 0


def _digest(path: Path) -> str:
    """Short hash of what is replayed, so that another file of the same name is another model."""
    total = hashlib.sha256()
    for file in _files(path):
        with file.open("rb") as content:
            total.update(hashlib.file_digest(content, "sha256").digest())
    return total.hexdigest()[:8]


def _files(path: Path) -> list[Path]:
    files = sorted(path.glob("responses*.jsonl")) if path.is_dir() else [path]
    if not files or not files[0].is_file():
        raise UsageError(f"{path} is no JSONL file and no run directory with responses.jsonl")
    return files


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in _files(path):
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield file.name, _object(line, f"{file.name}, line {number}")


def _object(line: bytes, place: str) -> dict[str, Any]:
    import json

    try:
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            record = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: no JSON ({str(error)[:100]})") from None
    if not isinstance(record, dict):
        raise UsageError(f"{place}: a JSON object expected")
    return record


def open_model(rest: str, **_settings: Any) -> Replay:
    """Open "replay:FILE".

    Args:
        rest: a JSONL file (id, and response, text or output; epoch, reasoning, finish_reason if known), or a run
            directory.

    Raises:
        UsageError: no such file, or a line without an id or a text.
    """
    if not rest:
        raise UsageError("replay: needs a file, such as replay:answers.jsonl")
    return Replay(Path(rest).expanduser())
