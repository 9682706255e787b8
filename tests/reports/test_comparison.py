"""Runs side by side."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from snellen.reports import comparison_text
from snellen.reports.alignment import align
from snellen.reports.comparison import Comparison, compare
from snellen.reports.run_data import load_run
from snellen.stats.paired import paired_difference
from snellen.store import encode
from tests.reports.scored_runs import NAN, write_run

RNG = np.random.default_rng(0)
A = (RNG.random(200) < 0.5).astype(float).tolist()
B = [1.0 if RNG.random() < 0.3 else a for a in A]
SAMPLES = [
    {"capability": "chart" if i < 120 else "math", "dataset": f"d{i % 3}", "answer": f"a{i}"} for i in range(200)
]


def compared(tmp_path: Path, *runs: dict[str, Any], allow: tuple[str, ...] = ()) -> Comparison:
    """Write the runs and compare them."""
    folders = [write_run(tmp_path / f"run{i}", one.pop("scores"), **one) for i, one in enumerate(runs)]
    return compare(align([load_run(folder) for folder in folders], allow=allow))


@pytest.fixture
def plain(tmp_path: Path) -> Comparison:
    """B is better than A."""
    return compared(
        tmp_path,
        {"scores": A, "samples": SAMPLES, "tokens": [10] * 200, "cost": 1.0},
        {
            "scores": B,
            "samples": SAMPLES,
            "model__name": "model-b",
            "tokens": [5 if b else 50 for b in B],
            "cost": 2.0,
        },
    )


def test_overall_is_the_paired_statistic(plain: Comparison) -> None:
    """The table holds what the statistics say on the same pairs."""
    expected = paired_difference(A, B)
    assert plain.overall.differences[0] == expected
    assert plain.overall.p_holm[0] == expected.p_value
    assert plain.overall.relative_gain() == pytest.approx((np.mean(B) - np.mean(A)) / np.mean(A))


def test_levels_partition_the_samples(plain: Comparison) -> None:
    """Capabilities and datasets add up to all samples; categories that repeat the capabilities are left out."""
    assert {row.name for row in plain.of_level("capability")} == {"chart", "math"}
    for level in ("capability", "dataset"):
        assert sum(row.n_samples for row in plain.of_level(level)) == 200
    assert plain.of_level("category") == ()


def test_p_values_are_corrected_within_a_level(plain: Comparison) -> None:
    """Holm over the two capabilities: never below the plain p, at most twice it."""
    for row in plain.of_level("capability"):
        assert row.differences[0].p_value <= row.p_holm[0] <= 2 * row.differences[0].p_value


def test_flips_are_the_wins_and_losses(plain: Comparison) -> None:
    """Every sample that changed sides is listed with both answers, losses first."""
    difference = plain.overall.differences[0]
    assert len(plain.flips) == difference.n_wins + difference.n_losses
    signs = [flip.scores[0] > flip.scores[1] for flip in plain.flips]
    assert signs == sorted(signs, reverse=True)
    assert plain.flips[0].answers[0].startswith("a")


def test_tokens_are_split_by_right_and_wrong(plain: Comparison) -> None:
    """Wrong answers of B are ten times as long, and the cost stands beside the score."""
    b = plain.runs[1]
    assert (b.n_out_right, b.n_out_wrong) == (5.0, 50.0)
    assert [run.cost for run in plain.runs] == [1.0, 2.0]


def test_pareto_front_of_three(tmp_path: Path) -> None:
    """A run with a lower score for more tokens is off the front."""
    result = compared(
        tmp_path,
        {"scores": [1.0, 1.0, 0.0, 0.0], "tokens": [10] * 4},
        {"scores": [1.0, 1.0, 1.0, 0.0], "tokens": [20] * 4, "model__name": "b"},
        {"scores": [1.0, 0.0, 0.0, 0.0], "tokens": [30] * 4, "model__name": "c"},
    )
    assert [run.on_front for run in result.runs] == [True, True, False]
    assert [run.rank.rank for run in result.runs] == [2.0, 1.0, 3.0]
    assert len(result.overall.differences) == 2


def test_missing_is_left_out_of_the_pairs(tmp_path: Path) -> None:
    """A failed sample drops the pair and is counted."""
    result = compared(tmp_path, {"scores": [1.0, 0.0, 1.0]}, {"scores": [1.0, None, 0.0], "model__name": "b"})
    assert result.overall.differences[0].n_pairs == 2
    assert [run.n_missing for run in result.runs] == [0, 1]
    assert "model" in comparison_text.terminal(result)


def test_vision_gap(tmp_path: Path) -> None:
    """A run against its blind twin says what the pictures are worth, clustered by the pictures of the first."""
    samples = [{"images": [f"p{i // 2}"]} for i in range(40)]
    blind = [{"images": []} for _ in range(40)]
    result = compared(
        tmp_path,
        {"scores": [1.0] * 30 + [0.0] * 10, "samples": samples},
        {"scores": [1.0] * 10 + [0.0] * 30, "samples": blind, "prompt__blind": True},
    )
    assert result.overall.differences[0].n_clusters == 20
    assert "pictures are worth 50.0 points" in comparison_text.terminal(result)


def test_format_effect(tmp_path: Path) -> None:
    """Circular rotations count once a question; free response has no guessing."""
    rotations = [
        {"id": f"q{i}-{r}", "group": f"q{i}", "n_choices": 4, "question": f"q{i} {r}"}
        for i in range(2)
        for r in range(4)
    ]
    free = [dict(sample, n_choices=0, group="") for sample in rotations]
    result = compared(
        tmp_path,
        {"scores": [1.0] * 4 + [1.0, 0.0, 1.0, 1.0], "samples": rotations},
        {"scores": [1.0] * 8, "samples": free, "model__name": "b"},
    )
    circular, open_form = result.formats
    assert (circular.n_questions, circular.all_rotations.mean, circular.per_answer.mean) == (2, 0.5, 7 / 8)
    assert (circular.guessing, open_form.guessing) == (0.25, 0.0)
    assert "format effect" in comparison_text.terminal(result)


def test_terminal_fits_eighty_columns(plain: Comparison) -> None:
    """No line is wider than 80 columns."""
    lines = comparison_text.terminal(plain).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("model-b is better than model-a: +")


def test_record_is_strict_json(plain: Comparison) -> None:
    """The record encodes without NaN and holds every number of the table."""
    record = orjson.loads(encode(plain.as_record()))
    overall = record["groups"][0]["against_baseline"][0]
    assert overall["n_wins"] == plain.overall.differences[0].n_wins
    assert record["runs"][1]["model"] == "model-b"
    assert record["n_matched"] == 200


def test_markdown_cannot_be_broken_by_names(tmp_path: Path) -> None:
    """Pipes and markup of a model's name are escaped."""
    result = compared(tmp_path, {"scores": [1.0, 0.0]}, {"scores": [0.0, 0.0], "model__name": "b|<script>\nx"})
    text = comparison_text.markdown(result)
    assert "<script>" not in text
    assert "b\\|&lt;script>" in text


def test_nothing_scored_says_why(tmp_path: Path) -> None:
    """Without a pair there is no difference, and the reason stands in the first line."""
    result = compared(tmp_path, {"scores": [None, None]}, {"scores": [1.0, 1.0], "model__name": "b"})
    assert math.isnan(result.overall.differences[0].difference)
    assert "no sample has both scores" in comparison_text.terminal(result).replace("\n  ", " ")


@pytest.mark.parametrize(("value", "expected"), [(0.0004, "0.0"), (-0.0004, "0.0"), (NAN, "–"), (1.0, "+100.0")])
def test_points(value: float, expected: str) -> None:
    """Signs only where there is something to sign."""
    assert comparison_text.points(value) == expected


def test_unjudged_samples_are_said_where_they_count_zero(tmp_path: Path) -> None:
    """A score that holds zeros for want of a judge says how many, in the text and the record."""
    scores: list[Any] = [1.0] * 30 + ["unjudged"] * 10
    result = compared(
        tmp_path, *({"scores": scores, "convention": "datbench", "model__name": name} for name in ("a", "b"))
    )
    assert [run.n_zeroed for run in result.runs] == [10, 10]
    text = " ".join(comparison_text.terminal(result).split())
    assert "no verdict, counted 0 (of 40): a 10, b 10" in text


def test_the_other_rule_set_stands_beside_the_headline(tmp_path: Path) -> None:
    """Where the library's rules turn the order of two models round, the first lines say so."""
    parity = {"a": [1.0] * 20 + [0.0] * 20, "b": [0.0] * 40}
    fair = {"a": [1.0] * 20 + [0.0] * 20, "b": [1.0] * 40}
    runs = [
        {
            "scores": parity[name],
            "samples": [{"fair": f, "datbench_1_0": d} for f, d in zip(fair[name], parity[name], strict=True)],
            "model__name": name,
            "rules": "datbench-1.0",
        }
        for name in ("a", "b")
    ]
    text = " ".join(comparison_text.terminal(compared(tmp_path, *runs)).split())
    assert "b is worse than a: −50.0 points" in text
    assert "b by the fair rules: +50.0 points" in text
    assert "by datbench-1.0 −50.0" in text
    assert "the conclusion depends on the rules" in text


def test_whole_ids_of_changed_samples_are_printed(tmp_path: Path) -> None:
    """An id that is cut cannot be looked up."""
    samples = [{"id": f"a_rather_long_capability_name-{i:04}"} for i in range(8)]
    result = compared(
        tmp_path,
        {"scores": [1.0] * 8, "samples": samples},
        {"scores": [0.0] * 8, "samples": samples, "model__name": "b"},
    )
    assert f"  {samples[0]['id']}\n" in comparison_text.terminal(result)
