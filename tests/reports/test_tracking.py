"""The numbers of a run in a tracker."""

import sys
from pathlib import Path

import pytest

from snellen.errors import UsageError
from snellen.reports.tracking import metrics_of, params_of, track_mlflow
from tests.reports.made_pages import data_of


def test_metrics_leave_out_what_is_unknown() -> None:
    """Scores, bounds and counts are there; what nobody knows is absent, not 0."""
    metrics = metrics_of(data_of(facts={"cost": None, "tokens": {"output": 7}}))
    assert metrics["score"] == pytest.approx(0.5)
    assert metrics["score_low"] < 0.5 < metrics["score_high"]
    assert metrics["capability/chart"] == pytest.approx(0.5)
    assert metrics["tokens_out"] == 7
    assert "cost" not in metrics
    assert "tokens_in" not in metrics
    assert "score_fair" not in metrics


def test_params_are_flat_short_and_named_for_the_tracker() -> None:
    """Nested options become dotted names without odd signs; long values are cut."""
    params = params_of({"model": {"name": "m" * 2000}, "tags": {"a:b?": 1}, "environment": {"x": 1}, "seed": 0})
    assert len(params["model.name"]) == 500
    assert params["tags.a_b_"] == "1"
    assert params["seed"] == "0"
    assert not any("environment" in name for name in params)


def test_without_mlflow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing mlflow is one sentence with what to install."""
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(UsageError, match=r"snellen\[mlflow\]"):
        track_mlflow(data_of(), name="run", files=[])


@pytest.mark.slow
def test_a_run_in_a_real_file_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read back from MLflow's own files is what the report says, with the report beside it."""
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed (extra mlflow)")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    report = tmp_path / "report.json"
    report.write_text("{}")
    data = data_of(facts={"latency_p50_s": 0.25})
    run_id = track_mlflow(data, name="my run", files=[report])
    kept = mlflow.get_run(run_id)
    assert kept.data.metrics["score"] == pytest.approx(data.summary.overall.score)
    assert kept.data.metrics["latency_p50_s"] == 0.25
    assert kept.data.params["model.name"] == "model-a"
    assert kept.info.run_name == "my run"
    client = mlflow.MlflowClient()
    assert [one.path for one in client.list_artifacts(run_id)] == ["report.json"]
