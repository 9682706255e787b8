"""Reading a row's metadata."""

from __future__ import annotations

from snellen.rows import read_metadata


def test_metadata_as_python_writes_it() -> None:
    """NaN and a lone surrogate, which Python's writer lets through, are read; hostile depth is only a reason."""
    parsed, reason = read_metadata('{"bbox": [NaN, 1], "name": "\\ud800"}')
    assert reason == ""
    assert parsed["bbox"][1] == 1
    assert parsed["name"] == "\ud800"
    assert read_metadata('{"a":' * 100_000)[1].startswith("metadata is no JSON")
