"""The numbers of a run in MLflow, the same as in the report. MLflow is loaded only here."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from snellen.errors import SnellenError, UsageError
from snellen.redaction import redact_known
from snellen.reports.run_page_data import PageData

EXPERIMENT = "snellen"
_MAX_PARAM_CHARS = 500
_PARTS = ("benchmark", "model", "generation", "images", "prompt", "judge", "scorer", "selection", "tags")
_ODD = re.compile(r"[^\w\-. /]+")


def track_mlflow(data: PageData, *, name: str, files: list[Any]) -> str:
    """Log a scored run to MLflow (where MLFLOW_TRACKING_URI points; ./mlruns when it is not set).

    Args:
        data: the numbers, the spec and the facts.
        name: name of the run.
        files: paths of reports that are stored with it.

    Returns:
        The id that MLflow gave the run.

    Raises:
        UsageError: mlflow is not installed.
        SnellenError: MLflow refused.
    """
    # The small mlflow writes to a server or to files; recent ones ask for this word before the latter.
    os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")
    try:
        import mlflow
    except ImportError:
        raise UsageError("--track mlflow needs mlflow: pip install 'snellen[mlflow]'") from None
    try:
        if mlflow.active_run() is None:
            mlflow.set_experiment(EXPERIMENT)
        with mlflow.start_run(run_name=name, nested=mlflow.active_run() is not None) as run:
            mlflow.log_params(params_of(data.spec))
            mlflow.log_metrics(metrics_of(data))
            mlflow.set_tags({"snellen.run": name, "snellen.rules": str(data.spec.get("rules"))})
            for path in files:
                mlflow.log_artifact(str(path))
            return str(run.info.run_id)
    except (mlflow.exceptions.MlflowException, OSError) as error:
        raise SnellenError(f"mlflow did not take the run: {error}") from error


def metrics_of(data: PageData) -> dict[str, float]:
    """Metric name → number; what is unknown is left out, never 0.

    Args:
        data: the numbers and the facts of a run.
    """
    summary, facts = data.summary, data.facts
    overall = summary.overall
    found: dict[str, float | None] = {
        "score": overall.score, "score_low": overall.interval.low, "score_high": overall.interval.high,
        "n_scored": overall.n_scored, "n_asked": overall.n_asked, "score_missing_wrong": overall.if_wrong,
        "score_fair": overall.fair, "score_datbench_1_0": overall.datbench_1_0,
    }  # fmt: skip
    for kind, cells in (("capability", summary.by_capability), ("dataset", summary.by_dataset)):
        for cell in cells:
            found[f"{kind}/{cell.name}"] = cell.score
    found |= {f"missing/{kind}": n for kind, n in overall.missing.items()}
    found |= {f"flag/{flag}": n for flag, n in overall.flags.items()}
    tokens = facts.get("tokens") or {}
    found |= {"tokens_in": tokens.get("input"), "tokens_out": tokens.get("output")}
    found |= {key: facts.get(key) for key in ("cost", "latency_p50_s", "latency_p95_s", "n_calls", "active_s")}
    found |= {f"threshold/{one.kind}": one.curve.threshold for one in data.thresholds}
    return {
        _named(name): float(value)
        for name, value in found.items()
        if isinstance(value, int | float) and not math.isnan(value)
    }


def params_of(spec: Mapping[str, Any]) -> dict[str, str]:
    """The spec as flat parameters, without secrets; long values are cut."""
    parts = {name: spec[name] for name in (*_PARTS, "rules", "seed", "epochs", "convention") if name in spec}
    return dict(list(_flat(parts, ""))[:200])


def _flat(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and name.count(".") < 3:
        for key, one in value.items():
            yield from _flat(one, f"{name}.{key}" if name else str(key))
    elif value not in (None, "", [], {}):
        yield _named(name), redact_known(str(value))[:_MAX_PARAM_CHARS]


def _named(name: str) -> str:
    return _ODD.sub("_", name)[:200]
