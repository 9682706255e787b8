"""The list of runs, and a run's own page with its numbers and figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from snellen.errors import SnellenError
from snellen.redaction import redact_known
from snellen.reports.report_file import slices_of, summary_of, verdicts_of
from snellen.reports.run_data import load_run
from snellen.reports.run_html import overview
from snellen.reports.run_page_data import PageData
from snellen.reports.thresholds import KindThreshold, thresholds_of
from snellen.stats.intervals import wilson
from snellen.store import encode
from snellen.viewer.filters import Filter
from snellen.viewer.library import Library, RunView, benchmark_of, model_of
from snellen.viewer.rendering import render, safe
from snellen.viewer.security import REPORT_POLICY

_N_LISTED = 500


class RunPages:
    """Pages about whole runs."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._lines: dict[str, tuple[Any, dict[str, Any]]] = {}
        self._thresholds: dict[str, tuple[Any, tuple[KindThreshold, ...]]] = {}

    def index(self, request: Request) -> Response:
        """All runs with their scores and intervals."""
        text = request.query_params.get("q", "").strip()[:200]
        names = self.library.names()
        lines = [self._line(RunView(name, folder)) for name, folder in list(names.items())[:_N_LISTED]]
        shown = [line for line in lines if text.lower() in line["words"]]
        live = any(line["is_live"] for line in shown)
        return render("runs.html", runs=shown, n_all=len(names), root=str(self.library.root), q=text, live=live)

    def _line(self, view: RunView) -> dict[str, Any]:
        """One run in the list; read again only when its files changed."""
        stamp = [
            _time(view, name) for name in ("run.json", "report.json", "scores.parquet", "lock", "responses.jsonl")
        ]
        known = self._lines.get(view.name)
        if known is not None and known[0] == stamp:
            return known[1]
        line = _line_of(view)
        self._lines[view.name] = (stamp, line)
        return line

    def run(self, request: Request) -> Response:
        """One run: its numbers, its figures, where it stands."""
        view = opened(self.library, request.path_params["run"])
        report = view.report()
        results = report.get("results")
        if view.is_live() or not isinstance(results, Mapping):
            return self._live_page(view)
        facts = report.get("facts") if isinstance(report.get("facts"), dict) else {}
        data = PageData(
            summary_of(results), view.spec, {"notes": [], **(facts or {})}, slices_of(results),
            thresholds=self._thresholds_of(view, results), verdicts=verdicts_of(results),
        )  # fmt: skip
        return render(
            "run.html", run=view.name, title=f"{model_of(view.spec)} on {benchmark_of(view.spec)}", live=False,
            about=_about(view), sections=[safe(one) for one in overview(data)], progress=None,
            links=_links(results), spec=_spec_text(view.spec), has_report=(view.folder / "report.html").exists(),
        )  # fmt: skip

    def _live_page(self, view: RunView) -> Response:
        return render(
            "run.html", run=view.name, title=f"{model_of(view.spec)} on {benchmark_of(view.spec)}", live=True,
            about=_about(view), sections=[], progress=progress_of(view), links=[], spec=_spec_text(view.spec),
            has_report=False,
        )  # fmt: skip

    def _thresholds_of(self, view: RunView, results: Mapping[str, Any]) -> tuple[KindThreshold, ...]:
        if not results.get("thresholds"):
            return ()
        stamp = _time(view, "scores.parquet")
        known = self._thresholds.get(view.name)
        if known is None or known[0] != stamp:
            try:
                known = (stamp, thresholds_of(load_run(view.folder)))
            except SnellenError:
                known = (stamp, ())
            self._thresholds[view.name] = known
        return known[1]

    def progress(self, request: Request) -> Response:
        """Where a run stands, for the page that watches it."""
        view = opened(self.library, request.path_params["run"])
        return JSONResponse(_without_nan(progress_of(view)))

    def report(self, request: Request) -> Response:
        """The run's own `report.html`, with nothing in it allowed to run."""
        view = opened(self.library, request.path_params["run"])
        try:
            data = (view.folder / "report.html").read_bytes()
        except OSError:
            raise HTTPException(404, "this run has no report.html; `snellen report` makes it") from None
        return Response(data, media_type="text/html", headers={"Content-Security-Policy": REPORT_POLICY})


def opened(library: Library, name: str) -> RunView:
    """The run of a name; a page that says so when there is none."""
    view = library.open(name)
    if view is None:
        raise HTTPException(404, "there is no run of that name")
    return view


def progress_of(view: RunView) -> dict[str, Any]:
    """Answered and scored so far, with a provisional score."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = view.table()
    state = pc.cast(table["state"], pa.string())
    n_scored = int(pc.sum(pc.equal(state, "scored")).as_py() or 0)
    n_open = int(pc.sum(pc.equal(state, "not_asked")).as_py() or 0)
    n_waiting = int(pc.sum(pc.equal(state, "waiting")).as_py() or 0)
    total = float(pc.sum(table["value"]).as_py() or 0.0)
    epochs = view.spec.get("epochs", 1)
    n_all = max(view.n_selected() * (epochs if isinstance(epochs, int) else 1), table.num_rows)
    low, high = wilson(total, n_scored) if n_scored else (math.nan, math.nan)
    return {
        "n_all": n_all, "n_answered": table.num_rows - n_open, "n_scored": n_scored, "n_waiting": n_waiting,
        "score": total / n_scored if n_scored else math.nan, "low": low, "high": high,
        "is_live": view.is_live(), "is_being_written": view.is_being_written(),
        "groups": _groups(table),
    }  # fmt: skip


def _groups(table: Any) -> list[dict[str, Any]]:
    """Provisional means by capability."""
    import pyarrow as pa

    plain = pa.table({"name": table["capability"].cast(pa.string()), "value": table["value"]})
    means = plain.group_by("name").aggregate([("value", "mean"), ("value", "count")])
    rows = [{"name": r["name"], "score": r["value_mean"], "n": r["value_count"]} for r in means.to_pylist()]
    return [row for row in rows if row["name"]]


def _line_of(view: RunView) -> dict[str, Any]:
    from snellen.errors import StoreError
    from snellen.store import read_json

    try:
        view.spec = read_json(view.folder / "run.json")
    except StoreError as error:
        return _broken(view, str(error))
    results = view.report().get("results")
    results = results if isinstance(results, Mapping) else {}
    overall = summary_of(results).overall if results else None
    model, benchmark = model_of(view.spec), benchmark_of(view.spec)
    return {
        "name": view.name, "model": model, "benchmark": benchmark, "problem": "",
        "score": overall.score if overall else math.nan,
        "low": overall.interval.low if overall else math.nan, "high": overall.interval.high if overall else math.nan,
        "n_scored": overall.n_scored if overall else 0, "n_asked": overall.n_asked if overall else 0,
        "rules": str(view.spec.get("rules") or ""), "blind": bool((view.spec.get("prompt") or {}).get("blind")),
        "state": "going on" if view.is_being_written() else "not finished" if view.is_live() else "",
        "at": _when(_time(view, "run.json")), "is_live": view.is_being_written(),
        "words": f"{view.name} {model} {benchmark}".lower(),
    }  # fmt: skip


def _broken(view: RunView, problem: str) -> dict[str, Any]:
    return {
        "name": view.name, "model": "?", "benchmark": "?", "problem": problem, "score": math.nan, "low": math.nan,
        "high": math.nan, "n_scored": 0, "n_asked": 0, "rules": "", "blind": False, "state": "damaged", "at": "",
        "is_live": False, "words": view.name.lower(),
    }  # fmt: skip


def _about(view: RunView) -> list[tuple[str, str]]:
    spec = view.spec
    generation = spec.get("generation") or {}
    facts = {
        "benchmark": str((spec.get("benchmark") or {}).get("title") or benchmark_of(spec)),
        "rules": str(spec.get("rules") or ""),
        "prompt": str((spec.get("prompt") or {}).get("name") or ""),
        "judge": ", ".join(map(str, (spec.get("judge") or {}).get("models") or ())),
        "temperature": str(generation.get("temperature")),
        "answer tokens at most": str(generation.get("max_tokens")),
        "folder": str(view.folder),
    }
    return [(name, value) for name, value in facts.items() if value]


def _links(results: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """(what, query of the sample list, samples) for the questions people ask first."""
    summary = summary_of(results)
    overall = summary.overall
    links = [("wrong answers", Filter(outcome="wrong", sort="score").query(), -1)]
    links += [("rule sets differ", Filter(differs="yes", sort="-gap").query(), overall.n_differ)]
    links += [(f"missing: {kind}", Filter(failure=kind).query(), n) for kind, n in overall.missing.items()]
    links += [(f"flag: {flag}", Filter(flag=flag).query(), n) for flag, n in overall.flags.items()]
    links += [
        (f"wrong in {cell.name}", Filter(capability=cell.name, outcome="wrong").query(), -1)
        for cell in summary.by_capability
        if cell.name != "(none)" and len(summary.by_capability) > 1
    ]
    return [link for link in links if link[2] != 0]


def _spec_text(spec: Mapping[str, Any]) -> str:
    import orjson

    return redact_known(orjson.dumps(orjson.loads(encode(spec)), option=orjson.OPT_INDENT_2).decode("utf-8"))


def _time(view: RunView, name: str) -> int:
    try:
        return (view.folder / name).stat().st_mtime_ns
    except OSError:
        return 0


def _when(time_ns: int) -> str:
    return datetime.fromtimestamp(time_ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M") if time_ns else ""


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
