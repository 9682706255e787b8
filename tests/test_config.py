"""Options: from the command line and TOML, checked, and what of them makes a run the same run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from snellen.config import IDENTITY, RunOptions, check, from_toml, merge, read_prices, run_id, shard, with_system_text
from snellen.errors import UsageError

BASE = RunOptions("eyechart", "ocr")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limit": 0}, "--limit"),
        ({"limit": 2.5}, "whole number"),
        ({"epochs": 0}, "--epochs"),
        ({"max_failed": 2.0}, "--max-failed"),
        ({"shard": "3/2"}, "--shard"),
        ({"shard": "a"}, "--shard"),
        ({"concurrency": "many"}, "--concurrency"),
        ({"concurrency": "0"}, "--concurrency"),
        ({"max_cost": 1.0}, "--prices"),
        ({"missing": "wrnog"}, "did you mean 'wrong'"),
        ({"coordinates": "pixels"}, "did you mean 'pixel'"),
        ({"jpeg_quality": 101}, "--jpeg-quality"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(changes: dict[str, Any], message: str) -> None:
    """The option, what it got, what it takes."""
    with pytest.raises(UsageError, match=message) as caught:
        check(replace(BASE, **changes))
    assert "\n" not in str(caught.value)


def test_an_unknown_key_in_a_file_names_the_nearest(tmp_path: Path) -> None:
    """A misspelt option is never ignored."""
    path = tmp_path / "run.toml"
    path.write_text('max_token = 512\nmodel = "ocr"')
    with pytest.raises(UsageError, match="did you mean 'max_tokens'"):
        from_toml(path)


def test_a_file_and_the_command_line_are_merged_and_the_command_line_wins(tmp_path: Path) -> None:
    """Keys with - or _, tables for params."""
    path = tmp_path / "run.toml"
    path.write_text('benchmark = "eyechart"\nmodel = "prior"\nmax-tokens = 9\nconcurrency = 3\n[param]\ntop_p = 0.5')
    options = merge(from_toml(path), {"model": "ocr"})
    assert (options.model, options.max_tokens, options.concurrency, options.params) == ("ocr", 9, "3", {"top_p": 0.5})


def test_a_value_of_the_wrong_kind_is_refused(tmp_path: Path) -> None:
    """`blind = "no"` is not a truth value."""
    path = tmp_path / "run.toml"
    path.write_text('blind = "no"')
    with pytest.raises(UsageError, match="blind must be true or false"):
        from_toml(path)


def test_missing_names_are_a_usage_error() -> None:
    """Benchmark and model are needed."""
    with pytest.raises(UsageError, match="model is missing"):
        merge({}, {"benchmark": "eyechart"})


CHANGED = {
    "benchmark": "datbench/chart", "data": "elsewhere", "limit": 5.0, "per_category": 3, "shard": "1/2",
    "max_side": 512, "jpeg_quality": 80, "max_pixels": 1000, "max_image_bytes": 9, "max_tokens": 7,
    "temperature": 1.0, "params": {"a": 1},
    "system": "be brief", "prompt": "cot", "blind": True, "epochs": 2, "columns": {"question": "q"},
    "options": {"hint": "user"}, "allow_urls": True,
}  # fmt: skip
UNCHANGED = {
    "concurrency": "9", "retries": 1, "timeout": 1.0, "base_url": "http://x", "headers": {"a": "b"}, "out": "o",
    "rules": "fair", "scorer": "exact", "tags": {"step": "1"}, "judge": ("ocr",), "max_failed": 0.5, "seed": 9,
    "retry_errors": True, "missing": "wrong", "keep_images": True,
}  # fmt: skip


def test_each_part_of_the_identity_makes_another_run_and_nothing_else_does() -> None:
    """DESIGN: prompts and sampling do; addresses, retries, rules and judges do not."""
    own = run_id(BASE, model_name="ocr")
    assert set(CHANGED) == set(IDENTITY)
    for name, value in CHANGED.items():
        assert run_id(replace(BASE, **{name: value}), model_name="ocr") != own, name
    for name, value in UNCHANGED.items():
        assert run_id(replace(BASE, **{name: value}), model_name="ocr") == own, name
    assert run_id(BASE, model_name="other") != own


def test_the_seed_is_part_of_the_identity_where_it_draws_samples() -> None:
    """Another seed of a stratified draw is another set of samples."""
    drawn = replace(BASE, per_category=3)
    assert run_id(replace(drawn, seed=1), model_name="m") != run_id(drawn, model_name="m")


def test_shard_is_read_one_based() -> None:
    """2/4 is the second of four."""
    assert shard("2/4") == (1, 4)
    assert shard(None) == (0, 1)


def test_a_system_message_can_stand_in_a_file(tmp_path: Path) -> None:
    """@FILE is replaced by its text; a missing file is a usage error."""
    (tmp_path / "s.txt").write_text("Be brief.")
    assert with_system_text(replace(BASE, system=f"@{tmp_path / 's.txt'}")).system == "Be brief."
    with pytest.raises(UsageError, match="cannot be read"):
        with_system_text(replace(BASE, system="@nowhere"))


def test_prices_are_checked(tmp_path: Path) -> None:
    """A table a model with input and output."""
    path = tmp_path / "prices.toml"
    path.write_text('["gpt-4o"]\ninput = 2.5\noutput = 10')
    assert read_prices(path) == {"gpt-4o": {"input": 2.5, "output": 10.0}}
    path.write_text('["gpt-4o"]\ninput = "free"')
    with pytest.raises(UsageError, match="needs input and output"):
        read_prices(path)
