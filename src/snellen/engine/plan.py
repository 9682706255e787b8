"""A run with everything decided and checked, before the model is asked anything."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from snellen import benchmarks, config, images, models, prompts
from snellen.config import RunOptions
from snellen.engine.judge_panel import PanelOptions, judge_prices, read_template
from snellen.engine.preparation import Preparation, preparation_of
from snellen.engine.rules import Rulebook, check_scorer, rulebook_of
from snellen.engine.selection import select
from snellen.engine.spec import environment
from snellen.errors import UsageError
from snellen.redaction import register_secret, register_secret_fields
from snellen.store import FORMAT_VERSION
from snellen.types import Benchmark, GenerationOptions, Model


@dataclass(slots=True)
class Plan:
    """A run with everything decided, before anything is asked."""

    options: RunOptions
    """What was asked for."""
    benchmark: Benchmark
    """Opened."""
    model: Model
    """Opened."""
    generation: GenerationOptions
    """Sampling options."""
    positions: list[int]
    """Samples to run, ascending."""
    preparation: Preparation
    """How they become prompts."""
    rulebook: Rulebook
    """How answers are scored."""
    folder: Path
    """Run directory."""
    spec: dict[str, Any]
    """The frozen spec."""
    notes: list[str] = field(default_factory=list)
    """Said in the output and the report."""


def make_plan(options: RunOptions, *, model: Any = None, benchmark: Benchmark | None = None) -> Plan:
    """Decide everything about a run and check it, without asking the model anything."""
    options = config.with_system_text(config.check(options))
    for value in options.headers.values():
        register_secret(value)
    register_secret_fields(options.params)
    check_scorer(options.scorer or "")
    prompts.check_name(options.prompt)
    bench = benchmark or benchmarks.load(options.benchmark, data=options.data, options=benchmark_options(options))
    options = with_preset(options, bench.facts)
    positions = select(
        bench.index(), limit=options.limit, per_category=options.per_category, seed=options.seed,
        shard=config.shard(options.shard),
    )  # fmt: skip
    opened = _open_model(options, model, bench)
    if not opened.takes_images and not options.blind:
        raise UsageError(f"{opened.name} takes no images; give --blind for a run without them")
    generation = GenerationOptions(
        options.max_tokens or int(bench.facts.get("max_tokens", 4096)), options.temperature, dict(options.params)
    )
    spec = _spec(options, bench, opened, generation)
    rulebook = rulebook_of(spec)
    return Plan(
        options=options,
        benchmark=bench,
        model=opened,
        generation=generation,
        positions=positions,
        preparation=preparation_of(spec, bench, keep_images=options.keep_images),
        rulebook=rulebook,
        folder=Path(options.out) / str(spec["run"]),
        spec=spec,
        notes=[*bench.facts.get("notes", ()), *getattr(opened, "notes", ()), *_remarks(options, rulebook)],
    )


def with_preset(options: RunOptions, facts: Mapping[str, Any]) -> RunOptions:
    """Options that the benchmark's preset states, wherever the user left the default.

    >>> options = RunOptions("perceptionbench", "ocr", max_side=512)
    >>> done = with_preset(options, {"run_options": {"max_side": 1024, "jpeg_quality": 80, "judge": ["rule"]}})
    >>> done.max_side, done.jpeg_quality, done.judge
    (512, 80, ('rule',))
    """
    preset: Mapping[str, Any] = facts.get("run_options") or {}
    changes: dict[str, Any] = {}
    for name, value in preset.items():
        field_ = RunOptions.__dataclass_fields__[name]
        if getattr(options, name) == field_.default:
            changes[name] = tuple(value) if isinstance(value, list) else value
    variables: Mapping[str, str] = facts.get("run_variables") or {}
    if options.base_url is None and os.environ.get(variables.get("base_url", "")):
        changes["base_url"] = os.environ[variables["base_url"]]
    return config.check(replace(options, **changes)) if changes else options


def benchmark_options(options: RunOptions) -> dict[str, Any]:
    """Options that the benchmark's loader is handed."""
    own: dict[str, Any] = {"seed": options.seed, **options.options}
    if options.columns:
        own["columns"] = dict(options.columns)
    if options.allow_urls:
        own["allow_urls"] = True
    return own


def _remarks(options: RunOptions, rulebook: Rulebook) -> list[str]:
    notes = []
    if options.epochs > 1 and options.temperature == 0:
        notes.append("--epochs with temperature 0 asks the same question again; give --temperature to sample")
    if rulebook.default == "auto" and options.benchmark.startswith("file:") and not rulebook.forced:
        notes.append(
            "scorer: auto (options where a row has choices, numbers where the answer is one, else exact text)"
        )
    return notes


def _open_model(options: RunOptions, live: Any, bench: Benchmark) -> Model:
    if live is not None:
        return models.wrap(live, name=options.model if options.model != "live" else None)
    settings: dict[str, Any] = {
        "base_url": options.base_url,
        "headers": dict(options.headers),
        "timeout_s": options.timeout,
        "seed": options.seed,
        "benchmark": bench,
        "model_options": dict(options.model_options),
        "api_key": os.environ.get((bench.facts.get("run_variables") or {}).get("api_key", "")) or None,
    }
    return models.open_model(options.model, **settings)


def _spec(options: RunOptions, bench: Benchmark, model: Model, generation: GenerationOptions) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "run": config.run_id(options, model_name=model.name),
        "identity": config.identity(options, model_name=model.name),
        "benchmark": _about_benchmark(options, bench),
        "model": {"spec": options.model, "name": model.name, "base_url": server_of(model)},
        "prompt": {"name": options.prompt, "system": options.system, "blind": options.blind},
        "images": _policy(options),
        "generation": asdict(generation),
        "selection": {name: getattr(options, name) for name in ("limit", "per_category", "seed", "shard")},
        "epochs": options.epochs,
        "seed": options.seed,
        "rules": options.rules or str(bench.facts.get("rules", "fair")),
        "scorer": {
            "forced": options.scorer or "",
            "default": str(bench.facts.get("scorer") or "auto"),
            "coordinates": options.coordinates,
            "numeric_tolerance": options.numeric_tolerance,
        },
        "convention": options.missing if options.missing != "own" else str(bench.facts.get("missing", "left-out")),
        "judge": panel_options(options, bench.facts).as_record(),
        "tags": dict(options.tags),
        "environment": environment(),
    }


def panel_options(options: RunOptions, facts: Mapping[str, Any]) -> PanelOptions:
    """How the run is judged: the benchmark's own protocol unless another is chosen.

    DatBench marks the rows that a judge decides; elsewhere a judge decides all.
    """
    own = str(facts.get("protocol") or "")
    return PanelOptions(
        options.judge,
        options.judge_protocol or own or "one-token",
        template=read_template(options.judge_prompt),
        when=options.judge_when,
        judge_all=bool(options.judge) and own != "datbench",
        base_url=options.judge_base_url or options.base_url,
        headers=options.headers if options.judge_base_url is None else {},
        timeout_s=options.timeout,
        n_retries=options.retries,
        concurrency=config.concurrency(options.judge_concurrency),
        max_tokens=options.judge_max_tokens,
        prices=judge_prices(options.judge, options.prices),
        self_test=options.judge_self_test,
    )


def _about_benchmark(options: RunOptions, bench: Benchmark) -> dict[str, Any]:
    return {
        "name": bench.name,
        "title": bench.title,
        "citation": bench.citation,
        "fingerprint": bench.fingerprint,
        "data": options.data,
        "options": benchmark_options(options),
        "facts": dict(bench.facts),
    }


def _policy(options: RunOptions) -> dict[str, Any]:
    policy = images.ImagePolicy(
        max_side_px=options.max_side,
        jpeg_quality=options.jpeg_quality,
        max_pixels=options.max_pixels,
        max_bytes=options.max_image_bytes,
    )
    return {**policy.identity(), "max_pixels": policy.max_pixels}


def server_of(model: Model) -> str | None:
    """Address of the model's server, None for a model that has none."""
    return getattr(model, "base_url", None)


def prices_of(options: RunOptions, model_name: str) -> dict[str, float]:
    """Prices a million tokens of a model: {"input", "output"}; {} without a price file.

    Raises:
        UsageError: the price file has no entry for the model.
    """
    if options.prices is None:
        return {}
    table = config.read_prices(Path(options.prices))
    name = model_name.partition(":")[2] or model_name
    prices = table.get(model_name) or table.get(name) or table.get("*")
    if not prices:
        raise UsageError(f'price file {options.prices} has no entry for {name!r} (or "*")')
    return prices
