"""The MODELS table: the kind in a model spec ("openai:NAME", "ocr", "replay:FILE") → who opens it.

To add a kind: write a class with the `snellen.types.Model` protocol and `open_model(rest, **settings)` in a module
here, and add one row. Each module is imported only when its kind is asked for.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from snellen.errors import UsageError
from snellen.types import Model


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One row of the MODELS table."""

    spec: str
    """How it is written on the command line."""
    loader: str
    """"module:function", called with what stands behind the colon and with the settings."""
    title: str
    """One line for people."""
    extra: str = ""
    """Extra to install ("ocr"), "" for none."""
    has_options: bool = False
    """Whether --model-option says anything to it."""


MODELS: dict[str, ModelRow] = {
    "openai": ModelRow(
        "openai:NAME",
        "snellen.models.chat_completions:open_model",
        "a model behind any OpenAI-compatible server (--base-url, OPENAI_BASE_URL, OPENAI_API_KEY)",
    ),
    "hf": ModelRow(
        "hf:PATH_OR_NAME",
        "snellen.models.hugging_face:open_model",
        "a transformers model on this machine, in batches (--model-option batch=16)",
        "local",
        has_options=True,
    ),
    "serve": ModelRow(
        "serve:PATH_OR_NAME",
        "snellen.models.serving:open_model",
        "starts vllm or transformers serve for one run, and stops it",
        "serve",
        has_options=True,
    ),
    "ocr": ModelRow(
        "ocr",
        "snellen.models.ocr:open_model",
        "a text reader without a language model: answers from the words it reads in the image",
        "ocr",
    ),
    "prior": ModelRow(
        "prior", "snellen.models.prior:open_model", "guesses by the form of the question; sees no image and no truth"
    ),
    "prior-oracle": ModelRow(
        "prior-oracle",
        "snellen.models.prior_oracle:open_model",
        "guesses from the pool of the benchmark's own answers: an upper bound for blind guessing",
    ),
    "replay": ModelRow(
        "replay:FILE", "snellen.models.replay:open_model", "answers recorded in a JSONL file or an earlier run"
    ),
    "scripted": ModelRow(
        "scripted:FILE",
        "snellen.models.scripted:open_model",
        'answers, errors and delays by rules in a JSONL file: {"match": "how many", "text": "2"}',
    ),
    "python": ModelRow(
        "python:MODULE:FUNCTION", "snellen.models.python_callable:open_model", "your own function, sync or async"
    ),
}
"""Kind → row."""


def open_model(spec: str, **settings: Any) -> Model:
    """Open a model by its spec.

    Args:
        spec: kind, and what stands behind its colon ("openai:gpt-4o-mini", "ocr", "replay:old.jsonl").
        **settings: base_url, headers, timeout_s, seed, benchmark, …; each kind takes what it knows.

    Raises:
        UsageError: no such kind (the nearest is named), an extra is not installed, or the spec is incomplete.
    """
    kind, _, rest = spec.partition(":")
    row = MODELS.get(kind)
    if row is None:
        raise UsageError(_unknown(spec, kind))
    if settings.get("model_options") and not row.has_options:
        kinds = ", ".join(one.spec for one in MODELS.values() if one.has_options)
        raise UsageError(f"--model-option is for {kinds}; fields of a request are given with --param")
    module, _, function = row.loader.partition(":")
    try:
        opener = getattr(importlib.import_module(module), function)
        model: Model = opener(rest, **settings)
    except ModuleNotFoundError as error:
        if not row.extra or (error.name or "").startswith("snellen"):
            raise
        install = f"pip install 'snellen[{row.extra}]'"
        raise UsageError(f"the model {kind!r} needs {error.name}, which is not installed: {install}") from error
    return model


def wrap(live: Any, *, name: str | None = None) -> Model:
    """Take a live callable or model object as a model, as a training loop would pass it.

    Args:
        live: an object with the Model protocol, a function (see `snellen.models.python_callable`), or a pair of a
            transformers model and its processor (see `snellen.models.hugging_face`).
        name: name in reports; its own name when None.

    Raises:
        UsageError: it is neither.
    """
    if isinstance(live, tuple) and len(live) == 2 and hasattr(live[0], "generate"):
        from snellen.models.hugging_face import wrap as wrap_pair

        return wrap_pair(*live, name=name)
    from snellen.models.python_callable import wrap as wrap_live

    return wrap_live(live, name=name)


def _unknown(spec: str, kind: str) -> str:
    near = get_close_matches(kind, MODELS, n=1)
    if near:
        return f"there is no kind of model {kind!r}; did you mean {MODELS[near[0]].spec!r}?"
    known = ", ".join(row.spec for row in MODELS.values())
    return f"there is no kind of model {spec!r}; for a server write openai:{spec}; there are {known}"
