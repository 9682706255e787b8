"""Your own function as a model: `python:module:function`, `python:file.py:function`, or a live object from Python.

The function is given what its parameters are named after:

- `images` (list of PIL images) or `image` (the first, or None), and `text`, `question` or `prompt` (a str);
- or, without any image parameter, `prompt` (a `snellen.types.Prompt`) and `options` (`GenerationOptions`);
- parameters of other names are filled by position with (prompt, options), unless they have a default.

It returns a str or a `snellen.types.Response`. An async function is awaited; a sync one runs in a thread of its own,
one call at a time, so a model on a GPU is never entered twice.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from snellen.errors import ModelError, SnellenError, UsageError
from snellen.types import GenerationOptions, Model, PreparedImage, Prompt, Response, TextPart

_IMAGE_NAMES = frozenset(("image", "images"))
_TEXT_NAMES = frozenset(("text", "question", "prompt"))
_OTHER_NAMES = frozenset(("options", "system", "choices", "sample_id"))


class PythonModel:
    """A function that answers prompts."""

    takes_images = True

    def __init__(self, function: Callable[..., Any], *, name: str) -> None:
        self.name = name
        self._function = function
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - the method of an object with an async __call__
        )
        self._arguments = _argument_plan(function)
        self._thread: ThreadPoolExecutor | None = None

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Call the function once.

        Raises:
            ModelError: it raised, or returned neither text nor a Response.
        """
        try:
            said, latency_s = await self._call(prompt, options)
        except SnellenError:
            raise
        except Exception as error:
            raise _model_error(self.name, error) from error
        return _as_response(said, self.name, latency_s)

    async def aclose(self) -> None:
        """Let the thread end."""
        if self._thread is not None:
            self._thread.shutdown(wait=False)
            self._thread = None

    async def _call(self, prompt: Prompt, options: GenerationOptions) -> tuple[Any, float]:
        """What the function said, and the seconds it took (not those it waited for its turn)."""
        if self._is_async:
            started = time.perf_counter()
            positional, named = self._arguments(prompt, options)
            said = await self._function(*positional, **named)
            return said, time.perf_counter() - started
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="snellen-model")
        said, latency_s = await asyncio.get_running_loop().run_in_executor(self._thread, self._run, prompt, options)
        return (await said if inspect.isawaitable(said) else said), latency_s

    def _run(self, prompt: Prompt, options: GenerationOptions) -> tuple[Any, float]:
        started = time.perf_counter()
        positional, named = self._arguments(prompt, options)
        return self._function(*positional, **named), time.perf_counter() - started


_Plan = Callable[[Prompt, GenerationOptions], tuple[tuple[Any, ...], dict[str, Any]]]


def _argument_plan(function: Callable[..., Any]) -> _Plan:
    """Decide once how a function wants to be called."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return lambda prompt, options: ((prompt, options), {})
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    known = _IMAGE_NAMES | _TEXT_NAMES | _OTHER_NAMES
    if any(p.kind is p.POSITIONAL_ONLY for p in parameters) or any(p.name not in known for p in needed) or not needed:
        n_taken = _n_positional(function)
        return lambda prompt, options: ((prompt, options)[:n_taken], {})
    names = [p.name for p in parameters if p.name in known and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    sees = bool(_IMAGE_NAMES & set(names)) or bool({"text", "question"} & set(names))
    return lambda prompt, options: ((), _named(names, prompt, options, as_text=sees))


def _n_positional(function: Callable[..., Any]) -> int:
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return 2
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    # `lambda prompt, model=model: …` keeps its own second argument; only `options` is filled though it has a default.
    n_needed = sum(p.default is p.empty or p.name == "options" for p in positional[:2])
    return max(min(1, len(positional)), n_needed)


def _named(names: list[str], prompt: Prompt, options: GenerationOptions, *, as_text: bool) -> dict[str, Any]:
    values: dict[str, Any] = {"options": options}
    for name in names:
        if name in _IMAGE_NAMES:
            pictures = pil_images(prompt)
            values[name] = pictures if name == "images" else pictures[0] if pictures else None
        elif name == "prompt":
            values[name] = text_of(prompt) if as_text else prompt
        elif name in ("text", "question"):
            values[name] = text_of(prompt) if name == "text" else prompt.question or text_of(prompt)
        elif name != "options":
            values[name] = getattr(prompt, name)
    return {name: values[name] for name in names}


def pil_images(prompt: Prompt) -> list[Any]:
    """The images of a prompt as upright RGB PIL images, in order."""
    from snellen.images import decode

    return [decode(part.data) for part in prompt.parts if isinstance(part, PreparedImage)]


def text_of(prompt: Prompt) -> str:
    """All text of a prompt, in order."""
    return "\n".join(part.text for part in prompt.parts if isinstance(part, TextPart))


def _as_response(said: Any, name: str, latency_s: float) -> Response:
    if isinstance(said, Response):
        return said if said.latency_s else replace(said, latency_s=latency_s)
    if isinstance(said, str) or said is None:
        return Response(said or "", latency_s=latency_s, served_model=name)
    raise ModelError(f"{name} returned a {type(said).__name__}; a str or a Response is expected", kind="bad_reply")


def _model_error(name: str, error: Exception) -> ModelError:
    kind = "out_of_memory" if "out of memory" in str(error).lower() or isinstance(error, MemoryError) else "server"
    retryable = isinstance(error, TimeoutError | ConnectionError)
    return ModelError(f"{name}: {type(error).__name__}: {str(error)[:500]}", retryable=retryable, kind=kind)


def wrap(live: Any, *, name: str | None = None) -> Model:
    """Take a live model object or function as a model.

    Args:
        live: an object with the Model protocol (used as it is), a function, or an object that can be called.
        name: name in reports; its own when None.

    Raises:
        UsageError: it can be neither asked nor called.
    """
    if isinstance(live, Model) and not inspect.isclass(live):
        return live
    if not callable(live):
        raise UsageError(f"a {type(live).__name__} is no model: pass a function or an object with `generate`")
    own = getattr(live, "__qualname__", None) or type(live).__name__
    return PythonModel(live, name=name or f"python:{getattr(live, '__module__', None) or 'live'}:{own}")


def open_model(rest: str, **_settings: Any) -> Model:
    """Open "python:module:function" or "python:file.py:function"; a class is made without arguments.

    Raises:
        UsageError: it cannot be imported or is not there.
    """
    module_name, _, attribute = rest.rpartition(":")
    if not module_name or not attribute:
        raise UsageError(f"python: needs a module and a function, such as python:my_model:answer, got {rest!r}")
    try:
        found: Any = _module(module_name)
        for step in attribute.split("."):
            found = getattr(found, step)
        live = found() if inspect.isclass(found) else found
    except Exception as error:
        raise UsageError(f"python:{rest} cannot be loaded: {type(error).__name__}: {error}") from error
    return wrap(live, name=f"python:{rest}")


def _module(name: str) -> Any:
    if not name.endswith(".py"):
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(name)
    path = Path(name).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    found = importlib.util.spec_from_file_location(f"snellen_user_{path.stem}", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module  # dataclasses and pickling look their module up
    found.loader.exec_module(module)
    return module
