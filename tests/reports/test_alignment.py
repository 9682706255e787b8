"""Which samples are the same, and what may not be mixed."""

from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UsageError
from snellen.reports.alignment import Alignment, align
from snellen.reports.run_data import load_run
from tests.reports.scored_runs import write_run


def aligned(tmp_path: Path, *runs: dict[str, Any], allow: tuple[str, ...] = ()) -> Alignment:
    """Write the runs and align them."""
    folders = [
        write_run(tmp_path / f"run{i}", one.pop("scores", [1.0, 0.0, 1.0]), **one) for i, one in enumerate(runs)
    ]
    return align([load_run(folder) for folder in folders], allow=allow)


def test_order_and_number_of_samples_do_not_matter(tmp_path: Path) -> None:
    """Samples are matched by content: a run with two of three samples in another order shares those two."""
    samples = [{"id": "s2", "question": "question 2", "images": ["image2"]}, {}]
    samples[1] = {"id": "s0", "question": "question 0", "images": ["image0"]}
    result = aligned(tmp_path, {}, {"scores": [0.5, 0.25], "samples": samples, "model__name": "b"})
    assert [[row.id for row in shared] for shared in result.rows] == [["s0", "s0"], ["s2", "s2"]]
    assert "2 samples in all runs (of 3 / 2)" in result.sentence


def test_equal_prompts_stay_apart(tmp_path: Path) -> None:
    """Two samples that ask the same are two pairs."""
    samples = [{"id": f"s{i}", "question": "same", "images": ["p"]} for i in range(3)]
    result = aligned(tmp_path, {"samples": samples}, {"samples": samples, "model__name": "b"})
    assert len(result.rows) == 3


@pytest.mark.parametrize(
    ("change", "mix"),
    [
        ({"benchmark__fingerprint": "f2"}, "data"),
        ({"prompt__name": "cot"}, "prompts"),
        ({"prompt__system": "Be brief."}, "prompts"),
        ({"rules": "datbench-1.0"}, "rules"),
        ({"convention": "wrong"}, "rules"),
        ({"samples": [{"version": "2"}] * 3}, "rules"),
        ({"samples": [{"suffix": " Think."}] * 3}, "prompts"),
    ],
)
def test_mixed_runs_are_refused_unless_told(tmp_path: Path, change: dict[str, Any], mix: str) -> None:
    """The refusal names the mix and the option that allows it; allowed, the mix is said."""
    with pytest.raises(UsageError, match=f"--allow {mix}"):
        aligned(tmp_path / "refused", {}, {"model__name": "b", **change})
    result = aligned(tmp_path / "allowed", {}, {"model__name": "b", **change}, allow=(mix,))
    assert len(result.rows) == 3
    assert any(mix in sentence for sentence in result.allowed) or mix == "prompts"


def test_a_blind_twin_is_no_mix(tmp_path: Path) -> None:
    """A run and its blind twin are matched by id, and the kind says what it is."""
    blind = {"prompt__blind": True, "samples": [{"images": []}] * 3}
    result = aligned(tmp_path, {}, blind)
    assert result.kind == "vision gap"
    assert result.names == ("model-a", "model-a blind")
    with pytest.raises(UsageError, match="prompts differ"):
        aligned(tmp_path / "other", {}, {**blind, "model__name": "b"})


def test_names_tell_runs_apart(tmp_path: Path) -> None:
    """Runs of one model are named by what differs."""
    result = aligned(tmp_path, {"tags": {"step": "1"}}, {"tags": {"step": "2"}}, {"images__max_side_px": 512})
    assert len(set(result.names)) == 3
    assert "step=2" in result.names[1]


def test_settings_that_differ_are_listed(tmp_path: Path) -> None:
    """Image size and sampling are no mix, but they are told."""
    result = aligned(tmp_path, {}, {"model__name": "b", "images__max_side_px": 512, "generation__temperature": 1.0})
    assert result.settings["images.max_side_px"] == ("None", "512")
    assert result.settings["generation.temperature"] == ("0.0", "1.0")


def test_nothing_in_common_is_refused(tmp_path: Path) -> None:
    """No shared sample, one run, or an unknown mix: one sentence."""
    other = [{"id": f"t{i}", "question": f"else {i}"} for i in range(3)]
    with pytest.raises(UsageError, match="nothing to compare"):
        aligned(tmp_path, {}, {"samples": other, "model__name": "b"})
    with pytest.raises(UsageError, match="two runs"):
        aligned(tmp_path / "one", {})
    with pytest.raises(UsageError, match="--allow takes"):
        aligned(tmp_path / "word", {}, {}, allow=("everything",))
