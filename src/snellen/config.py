"""Options of a run: from the command line, a TOML file or Python; what of them makes a run the same run."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import orjson

from snellen.errors import UsageError, did_you_mean

FAR_MORE_THAN_ANY = 10**12


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Everything that `snellen run` can be told; names as on the command line, with underscores."""

    benchmark: str
    """Name of the benchmark ("eyechart", "datbench/chart", "file:questions.jsonl")."""
    model: str
    """Model spec ("openai:gpt-4o", "ocr", "python:module:function")."""
    data: str | None = None
    """Folder or file that holds the benchmark's data."""
    out: str = "runs"
    """Folder in which run directories are made."""
    limit: float | None = None
    """First N samples (≥ 1), or that share of the benchmark (below 1)."""
    per_category: int | None = None
    """N samples of each category, drawn with the seed."""
    seed: int = 0
    """Seed of every random choice in the run and its statistics."""
    shard: str | None = None
    """"k/n": every n-th sample, starting with the k-th (1-based)."""
    concurrency: str = "auto"
    """Requests in flight: a number, or "auto" to find what the server bears."""
    max_side: int | None = None
    """Longest image side in pixels; larger images are scaled down."""
    jpeg_quality: int = 90
    """Quality of re-encoded JPEGs."""
    max_pixels: int = 100_000_000
    """Images of more pixels are refused before they are decoded."""
    max_image_bytes: int | None = None
    """Bytes an image may have when sent; a larger one is re-encoded to fit."""
    max_tokens: int | None = None
    """New tokens an answer may have; the benchmark's own number, else 4,096."""
    temperature: float | None = 0.0
    """Sampling temperature; None leaves it to the server."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Further request fields."""
    system: str | None = None
    """System message, or @FILE."""
    prompt: str = "default"
    """Name of the prompt."""
    blind: bool = False
    """Leave the images out."""
    epochs: int = 1
    """Times each question is asked."""
    rules: str | None = None
    """Headline rule set; the benchmark's own, else "fair"."""
    scorer: str | None = None
    """Scorer for all samples (NAME or python:module:function)."""
    coordinates: str = "auto"
    """Coordinate convention of the model's boxes and points."""
    numeric_tolerance: float = 0.0
    """Relative tolerance of the number scorer."""
    missing: str = "own"
    """Headline convention for missing samples: "own" (the benchmark's), "wrong" or "left-out"."""
    base_url: str | None = None
    """Address of the server."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further request headers (never written down)."""
    timeout: float = 600.0
    """Seconds for one attempt."""
    retries: int = 6
    """Attempts after the first, for what may pass (429, 5xx, connection)."""
    max_failed: float = 0.05
    """Share of missing samples above which the exit code is 1."""
    max_total_tokens: int | None = None
    """Token budget of the whole run, all attempts together."""
    max_cost: float | None = None
    """Money budget of the whole run, in the unit of the price file."""
    prices: str | None = None
    """TOML file of prices a million tokens."""
    retry_errors: bool = False
    """Ask final failures again too."""
    fresh: bool = False
    """Begin anew: an existing run of this name is moved aside."""
    sight_check: bool = True
    """Check that the server looks at images."""
    keep_images: bool = False
    """Store each image once in the run directory."""
    allow_urls: bool = False
    """Allow images given as http(s) addresses."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Column names of own data: {"question": "prompt"}."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the benchmark itself (hint, preset, load, per_level, …)."""
    ranks: bool = True
    """Share the samples among the processes of a launcher (torchrun); False where only one of them calls."""
    model_options: Mapping[str, Any] = field(default_factory=dict)
    """How a local model is run (batch, device, dtype, threads, engine, …); what changes answers joins its name."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels of the run (step=1000)."""
    judge: tuple[str, ...] = ()
    """Judge model specs; several make a panel."""
    judge_protocol: str | None = None
    """Judge protocol; the benchmark's own when None."""
    judge_prompt: str | None = None
    """File with the judge prompt's text."""
    judge_when: str = "always"
    """"always", or "rule-unsure" to skip what the rule settles."""
    judge_base_url: str | None = None
    """Address of the judge's server."""
    judge_concurrency: str = "auto"
    """Judge requests in flight."""
    judge_max_tokens: int | None = None
    """New tokens a judge may use; the protocol's own number when None."""
    judge_self_test: bool = True
    """Try each judge on pairs with known verdicts before it is used."""


IDENTITY = (
    "benchmark", "data", "limit", "per_category", "shard", "max_side", "jpeg_quality", "max_pixels",
    "max_image_bytes", "max_tokens", "temperature", "params", "system", "prompt", "blind", "epochs", "columns",
    "options", "allow_urls",
)  # fmt: skip
"""Options that make a run another run. The seed joins them only where it chooses samples."""


def check(options: RunOptions) -> RunOptions:
    """Refuse what cannot be meant.

    Raises:
        UsageError: with the option, what it got and what it takes.
    """
    _check_number("--limit", options.limit, above=0)
    _check_number("--per-category", options.per_category, above=0)
    _check_number("--max-side", options.max_side, above=0)
    _check_number("--jpeg-quality", options.jpeg_quality, least=1, most=100)
    _check_number("--max-pixels", options.max_pixels, above=0)
    _check_number("--max-image-bytes", options.max_image_bytes, above=0)
    _check_number("--temperature", options.temperature, least=0)
    _check_number("--numeric-tolerance", options.numeric_tolerance, least=0)
    _check_number("--max-tokens", options.max_tokens, above=0)
    _check_number("--epochs", options.epochs, above=0)
    _check_number("--judge-max-tokens", options.judge_max_tokens, above=0)
    _check_number("--timeout", options.timeout, above=0)
    _check_number("--retries", options.retries, least=0)
    _check_number("--max-failed", options.max_failed, least=0, most=1)
    _check_number("--max-total-tokens", options.max_total_tokens, above=0)
    _check_number("--max-cost", options.max_cost, above=0)
    if options.max_cost is not None and options.prices is None:
        raise UsageError("--max-cost needs prices: give --prices FILE (TOML: [model] input = 2.5, output = 10)")
    if options.limit is not None and options.limit > 1 and options.limit != int(options.limit):
        raise UsageError(f"--limit takes a whole number of samples or a share below 1, got {options.limit}")
    _check_word("--missing", options.missing, ("own", "wrong", "left-out"))
    _check_word("--coordinates", options.coordinates, ("auto", "fraction", "percent", "thousand", "pixel"))
    _check_word("--judge-when", options.judge_when, ("always", "rule-unsure"))
    _check_params(options.params)
    shard(options.shard)
    concurrency(options.concurrency)
    concurrency(options.judge_concurrency, name="--judge-concurrency")
    return options


def _check_number(
    name: str,
    value: float | None,
    *,
    above: float | None = None,
    least: float = -FAR_MORE_THAN_ANY,
    most: float = FAR_MORE_THAN_ANY,
) -> None:
    if value is None or (least <= value <= most and (above is None or value > above)):
        return
    limits = f"more than {above:g}" if above is not None else f"at least {least:g}"
    if most != FAR_MORE_THAN_ANY:
        limits = f"in {least:g} to {most:g}"
    raise UsageError(f"{name} must be {limits}, got {value:g}")


_OURS = {
    "model": "--model names it",
    "messages": "the benchmark makes them",
    "stream": "answers are read whole",
}


def _check_params(params: Mapping[str, Any]) -> None:
    for name, value in params.items():
        if name in _OURS and value is not None:
            raise UsageError(f"--param {name} cannot be set: {_OURS[name]}")


def _check_word(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} must be one of {', '.join(allowed)}, got {value!r}{nearest(value, allowed)}")


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str:
    """A hint for a misspelt word.

    >>> nearest("max_token", ["max_tokens", "seed"])
    " (did you mean 'max_tokens'?)"
    """
    hint = did_you_mean(word, known, otherwise="")
    return f" ({hint})" if hint else ""


def shard(text: str | None) -> tuple[int, int]:
    """Read "k/n" as 0-based (k, n).

    >>> shard("2/4")
    (1, 4)
    """
    if text is None:
        return 0, 1
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard takes k/n with 1 <= k <= n (such as 2/4), got {text!r}")
    return int(match[1]) - 1, int(match[2])


def concurrency(text: str, *, name: str = "--concurrency") -> int | None:
    """Read a concurrency: a number, or None for "auto"."""
    if text == "auto":
        return None
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 4096:
        raise UsageError(f"{name} takes a number from 1 to 4096 or auto, got {text!r}")
    return int(text)


_OWN_FILES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
_SHORT_KEYS = {
    "param": "params",
    "header": "headers",
    "tag": "tags",
    "option": "options",
    "model-option": "model_options",
    "model_option": "model_options",
    "column": "columns",
}
_BENCHMARK_KEYS = ("hint", "preset", "load", "max_scan")
"""Options of benchmarks that have an option of their own on the command line."""
_DISPLAY_KEYS = ("quiet", "json", "estimate")
"""Options of the command, not of the run."""
_TABLES = ("params", "headers", "columns", "options", "model_options", "tags")
_TEXT_TABLES = ("headers", "columns", "tags")


def from_toml(path: Path) -> dict[str, Any]:
    """Options in a TOML file; keys as on the command line, with - or _.

    Raises:
        UsageError: the file is missing or no TOML, or a key is unknown (the nearest known one is named).
    """
    values = _read_toml(path)
    known = [*(f.name for f in fields(RunOptions)), *_BENCHMARK_KEYS, *_DISPLAY_KEYS, *_SHORT_KEYS]
    out: dict[str, Any] = {}
    for key, value in values.items():
        name = _SHORT_KEYS.get(key, key.replace("-", "_"))
        if name in _DISPLAY_KEYS:
            continue
        if name in _BENCHMARK_KEYS:
            name, value = "options", {name: value}
        if name not in known:
            raise UsageError(f"config file {path}: unknown key {key!r}{nearest(name, known)}")
        option = checked(name, value, f"config file {path}")
        out[name] = {**out.get(name, {}), **option} if name in _TABLES else option
    return out


def display_of(path: Path) -> dict[str, bool]:
    """What a TOML file says about the output: quiet, json, estimate.

    Raises:
        UsageError: the file cannot be read, or one of them is no truth value.
    """
    found = {name: value for name, value in _read_toml(path).items() if name in _DISPLAY_KEYS}
    for name, value in found.items():
        if not isinstance(value, bool):
            raise UsageError(f"config file {path}: {name} must be true or false, got {value!r}")
    return found


def _read_toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"config file {path} does not exist") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"config file {path} cannot be read: {error}") from error


def checked(name: str, value: Any, where: str) -> Any:
    """An option's value, checked to be of its kind.

    Args:
        name: the option, as in RunOptions.
        value: as it was read.
        where: who said it, for the message ("config file a.toml").

    Raises:
        UsageError: it is of another kind.
    """
    if name == "judge":
        judges = (value,) if isinstance(value, str) else value
        if not isinstance(judges, list | tuple) or not all(isinstance(one, str) for one in judges):
            raise UsageError(f"{where}: judge must be a model spec or a list of them, got {value!r}")
        return tuple(judges)
    if name in ("concurrency", "judge_concurrency"):
        return str(value)
    if name in _TABLES:
        if not isinstance(value, Mapping):
            raise UsageError(f"{where}: {name} must be a table, got {value!r}")
        return {key: str(one) for key, one in value.items()} if name in _TEXT_TABLES else dict(value)
    wanted = str(RunOptions.__dataclass_fields__[name].type)
    if not _fits(value, wanted):
        raise UsageError(f"{where}: {name} must be {_in_words(wanted)}, got {value!r}")
    return value


def _in_words(wanted: str) -> str:
    words = {"str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false"}
    return " or ".join(words[word] for word in wanted.split(" | ") if word in words)


def _fits(value: Any, wanted: str) -> bool:
    kinds: dict[str, type | tuple[type, ...]] = {"str": str, "int": int, "float": (int, float), "bool": bool}
    allowed = [kinds[word] for word in wanted.split(" | ") if word in kinds]
    if value is None:
        return "None" in wanted
    if isinstance(value, bool):
        return bool in allowed
    return any(isinstance(value, kind) for kind in allowed)


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> RunOptions:
    """Options of a file with those of the command line over them; tables (params, headers, …) key by key."""
    values = {**base, **over}
    if not values.get("model") and (values.get("options") or {}).get("preset") == "tutorial":
        values["model"] = f"openai:{os.environ.get('PB_API_MODEL') or 'gpt-4o-mini'}"  # as the tutorial itself
    for name in _TABLES:
        if name in base and name in over:
            values[name] = {**base[name], **over[name]}
    for name in ("benchmark", "model"):
        if not values.get(name):
            raise UsageError(f"{name} is missing: snellen run BENCHMARK --model SPEC")
    if Path(str(values["benchmark"])).suffix.lower() in _OWN_FILES and Path(str(values["benchmark"])).is_file():
        values["benchmark"] = f"file:{values['benchmark']}"  # a path works where a name does
    return check(RunOptions(**values))


def identity(options: RunOptions, *, model_name: str) -> dict[str, Any]:
    """What makes this run this run: the benchmark, the model, the prompt, the images and the sampling.

    Concurrency, retries, timeouts, addresses, output folders, rules, judges and tags are no part of it.
    """
    whole = asdict(options)
    chosen = {name: whole[name] for name in IDENTITY}
    if chosen["data"] is not None:
        chosen["data"] = str(Path(chosen["data"]).resolve())
    elif options.benchmark.startswith("file:"):
        chosen["data"] = str(Path(options.benchmark.removeprefix("file:")).resolve())
    if options.per_category is not None or "seed" in options.options:
        chosen["seed"] = options.seed
    chosen["model"] = model_name
    return chosen


def digest(value: Any) -> str:
    """SHA-256 (hex) of a JSON-able value, independent of key order."""
    return hashlib.sha256(
        orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS, default=str)
    ).hexdigest()


def run_id(options: RunOptions, *, model_name: str) -> str:
    """Folder name of a run: readable, and the same whenever the run is the same.

    >>> run_id(RunOptions("eyechart", "ocr"), model_name="ocr")[:13]
    'eyechart-ocr-'
    """
    parts = [
        _slug(options.benchmark.rpartition("/")[2] if options.benchmark.startswith("file:") else options.benchmark)
    ]
    parts.append(_slug(model_name))
    if options.blind:
        parts.append("blind")
    parts.append(digest(identity(options, model_name=model_name))[:8])
    return "-".join(parts)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.")[:48] or "x"


def with_system_text(options: RunOptions) -> RunOptions:
    """Replace `@FILE` in the system option by the file's text.

    Raises:
        UsageError: the file cannot be read.
    """
    if options.system is None or not options.system.startswith("@"):
        return options
    path = Path(options.system[1:])
    try:
        return replace(options, system=path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--system @{path}: cannot be read: {error}") from error


def read_prices(path: Path) -> dict[str, dict[str, float]]:
    """Prices a million tokens: {model name or "*": {"input": x, "output": y}}.

    Raises:
        UsageError: the file is missing or not of that form.
    """
    import tomllib

    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"price file {path} cannot be read: {error}") from error
    for model, row in table.items():
        numbers = isinstance(row, dict) and all(isinstance(row.get(k), int | float) for k in ("input", "output"))
        if not numbers:
            raise UsageError(f"price file {path}: [{model}] needs input and output (money a million tokens)")
    return {model: {k: float(row[k]) for k in ("input", "output")} for model, row in table.items()}
