"""Fixtures of the benchmark tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.hub_server import Hub, running_hub


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A stand-in of the hub, empty caches, no token, no waiting between tries."""
    with running_hub() as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hf"))
        for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("snellen.benchmarks.hub.client.sleep", lambda seconds: None)
        yield running
