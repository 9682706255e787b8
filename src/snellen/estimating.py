"""`snellen run --estimate`: what a run will take, from a small pilot whose answers are kept for the run itself."""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import asdict, dataclass, replace
from typing import Any

from snellen import config
from snellen.config import RunOptions
from snellen.engine.attempt import attempt
from snellen.engine.ledger import Ledger
from snellen.engine.plan import Plan, make_plan, prices_of
from snellen.engine.run_files import RunFiles
from snellen.errors import ModelError
from snellen.store import read_log
from snellen.types import Benchmark

N_PILOT = 12


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected size of a run; the answers of the pilot stay in the run directory and are not asked again."""

    n_questions: int
    """Questions of the whole run, epochs included."""
    n_pilot: int
    """Questions answered by the pilot (earlier answers included)."""
    tokens_in: float
    """Expected prompt tokens; NaN when the server states none."""
    tokens_out: float
    """Expected completion tokens; NaN when the server states none."""
    tokens_out_error: float
    """Half of a 95 % interval of tokens_out, from the spread in the pilot; NaN when unknown."""
    cost: float | None
    """Expected cost; None without --prices."""
    seconds: float
    """Expected time at the pilot's latency and the chosen concurrency."""
    concurrency: int
    """Requests in flight assumed."""
    run: str
    """Run directory that holds the pilot."""

    def as_record(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def text(self) -> str:
        """For people."""
        lines = [
            f"{self.n_questions} questions; pilot of {self.n_pilot} (its answers are kept for the run)",
            f"tokens in   about {_count(self.tokens_in)}",
            f"tokens out  about {_count(self.tokens_out)} ± {_count(self.tokens_out_error)}",
            f"time        about {_duration(self.seconds)} at {self.concurrency} in flight",
        ]
        if self.cost is not None:
            lines.insert(3, f"cost        about {self.cost:.2f}")
        return "\n".join([*lines, f"run: {self.run}"])


def estimate(options: RunOptions, *, model: Any = None, benchmark: Benchmark | None = None) -> Estimate:
    """Ask a few questions spread over the benchmark and extrapolate.

    Raises:
        ModelError: no pilot question got an answer.
    """
    plan = make_plan(options, model=model, benchmark=benchmark)
    step = max(1, len(plan.positions) // N_PILOT)
    pilot = replace(plan, positions=plan.positions[::step][:N_PILOT])
    files = RunFiles.open(plan.folder, plan.spec, fresh=options.fresh)
    try:
        started = time.monotonic()
        exam = attempt(pilot, files, None)
        elapsed_s = time.monotonic() - started
    finally:
        files.close()
    answers = [
        r.value
        for path in Ledger.load(plan.folder).paths
        for r in read_log(path)
        if r.value and r.value["status"] == "ok"
    ]
    if not answers:
        raise ModelError(exam.fatal or "no question of the pilot got an answer, so nothing can be estimated")
    return _extrapolate(plan, answers, elapsed_s)


def _extrapolate(plan: Plan, answers: list[dict[str, Any]], elapsed_s: float) -> Estimate:
    n = len(plan.positions) * plan.options.epochs
    n_in = [a["n_in"] for a in answers if a.get("n_in") is not None]
    n_out = [a["n_out"] for a in answers if a.get("n_out") is not None]
    in_flight = config.concurrency(plan.options.concurrency) or 16
    latency_s = statistics.fmean(a.get("latency_s", 0.0) for a in answers)
    tokens_in = n * statistics.fmean(n_in) if n_in else math.nan
    tokens_out = n * statistics.fmean(n_out) if n_out else math.nan
    spread = n * 1.96 * statistics.stdev(n_out) / math.sqrt(len(n_out)) if len(n_out) > 1 else math.nan
    prices = prices_of(plan.options, plan.model.name)
    cost = (tokens_in * prices["input"] + tokens_out * prices["output"]) / 1e6 if prices else None
    seconds = max(n * latency_s / in_flight, n * elapsed_s / max(len(answers), 1) / in_flight)
    return Estimate(n, len(answers), tokens_in, tokens_out, spread, cost, seconds, in_flight, str(plan.folder))


def _count(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.0f}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
