"""The published schemas hold for what real runs write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from snellen import api
from tests.servers import FaultyServer

SCHEMAS = Path(__file__).parents[1] / "docs" / "schemas"
LOGS = ("samples", "responses", "sessions", "predictions")


def validator(name: str) -> jsonschema.Draft202012Validator:
    """Validator of one published schema."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture
def run_folder(questions: Callable[..., Path], tmp_path: Path) -> Path:
    """A run with answers, failures, flags and an unreadable image."""
    texts = [
        f"[q{i}] [fault:{fault}] How many?" for i, fault in enumerate(["ok", "400", "length", "null", "think", "ok"])
    ]
    file = questions(texts)
    (tmp_path / "data" / "images" / "5.png").write_bytes(b"no image")
    with FaultyServer() as server:
        return api.run(f"file:{file}", model="openai:m", base_url=server.url, out=tmp_path / "runs", retries=1).folder


def test_every_file_of_a_run_matches_its_schema(run_folder: Path) -> None:
    """run.json, report.json and each line of each log."""
    for name in ("run", "report"):
        validator(name).validate(json.loads((run_folder / f"{name}.json").read_text()))
    for name in LOGS:
        lines = (run_folder / f"{name}.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines][1 if name == "samples" else 0 :]
        assert records
        for record in records:
            validator(name).validate(record)


def test_a_failure_with_a_text_is_against_the_schema() -> None:
    """No sentinel text can stand in for an answer that was not given."""
    record = {"key": "0" * 64, "epoch": 0, "sample_id": "a", "status": "error", "at": "", "n_attempts": 1}
    record |= {"kind": "server", "message": "x", "retryable": True}
    validator("responses").validate(record)
    with pytest.raises(jsonschema.ValidationError):
        validator("responses").validate({**record, "text": "Failed to obtain answer"})
