"""A vision-language model of transformers on this machine: `hf:PATH_OR_NAME`, or a live (model, processor) pair.

Concurrent calls are gathered into batches of like length. bfloat16 on a GPU that has it (else float16), float32 on a
CPU; greedy unless a temperature is given. Nothing is loaded before the first question. Needs the extra `local`.
"""

from __future__ import annotations

import gc
import hashlib
import importlib.util
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.errors import ModelError, UsageError, did_you_mean
from snellen.models.batching import Batcher, Call
from snellen.models.generation import answer
from snellen.types import GenerationOptions, PreparedImage, Prompt, Response

DEFAULT_BATCH = {"cuda": 16, "mps": 8, "cpu": 8}
_N_SAMPLED = 4096
_SAMPLED_BYTES = 4096
_KNOWN = ("batch", "device", "dtype", "threads", "revision", "attention", "trust_remote_code")


@dataclass(frozen=True, slots=True)
class Loading:
    """How a checkpoint is loaded."""

    path: str
    """Folder, or name on the hub."""
    batch: int | None = None
    """Calls a batch may have; None = by device."""
    device: str | None = None
    """"cuda", "cuda:1", "mps" or "cpu"; "auto" spreads a large model over all GPUs; None = the best there is (under
    torchrun the rank's own GPU)."""
    dtype: str | None = None
    """"bfloat16", "float16" or "float32"; None = by device."""
    threads: int | None = None
    """CPU threads of torch; None = one a core, a single one on machines of two cores or fewer."""
    revision: str | None = None
    """Commit, branch or tag on the hub."""
    attention: str | None = None
    """Attention implementation ("sdpa", "flash_attention_2", "eager"); None = transformers' choice."""
    trust_remote_code: bool = False
    """Run model code that the checkpoint brings along. Only for checkpoints you trust."""


class HuggingFaceModel:
    """An image-text-to-text model of transformers; one thread owns it."""

    takes_images = True

    def __init__(
        self, name: str, load: Callable[[], tuple[Any, Any]], *, max_batch: int | None = None, owned: bool = True
    ) -> None:
        self.name = name
        self._load = load
        self._live: tuple[Any, Any] | None = None
        self._owned = owned
        self._was_training = False
        self._broken = ""
        self._about: dict[str, Any] = {}
        self._max_batch = max_batch
        self.batcher = Batcher(
            self._run, is_out_of_memory, max_batch or DEFAULT_BATCH["cpu"], free_memory=free_memory
        )
        self.start_concurrency = min(256, 4 * (max_batch or DEFAULT_BATCH["cuda"]))
        """A pool of some batches waits, so that each can be of one length."""

    @property
    def facts(self) -> dict[str, Any]:
        """What the report says about the model: device, number type, batch size."""
        return {**self._about, "n_batches_halved": self.batcher.n_halved} if self._about else {}

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Answer one prompt, in a batch with others that wait.

        Raises:
            ModelError: out of memory even alone, an unknown option, or the checkpoint cannot be loaded.
        """
        n_images = sum(isinstance(part, PreparedImage) for part in prompt.parts)
        group = (n_images > 0, options.max_tokens, options.temperature, repr(sorted(options.params.items())))
        return await self.batcher.ask(prompt, options, length=length_of(prompt), group=group)

    async def aclose(self) -> None:
        """End the thread and free the model; a live one is given back as it was."""
        self.batcher.close()
        live, self._live = self._live, None
        if live is None:
            return
        if self._was_training:
            live[0].train()
        if self._owned:
            del live
            free_memory()

    def _run(self, calls: Sequence[Call]) -> list[Response]:
        model, processor = self._ready()
        started = time.perf_counter()
        said = answer(
            model, processor, [call.prompt for call in calls], calls[0].options, name=self.name,
            is_stopped=lambda: self.batcher.is_closed,
        )  # fmt: skip
        latency_s = time.perf_counter() - started
        return [replace(response, latency_s=latency_s) for response in said]

    def _ready(self) -> tuple[Any, Any]:
        if self._broken:
            raise ModelError(self._broken, retryable=True, kind="gone")
        if self._live is None:
            try:
                self._live = self._load()
            except ModelError as error:
                self._broken = str(error)
                raise
            model = self._live[0]
            self._was_training = bool(model.training)
            model.eval()
            self.batcher.widen(self._max_batch or DEFAULT_BATCH.get(model.device.type, 8))
            self._about = {
                "device": str(model.device), "dtype": str(model.dtype).removeprefix("torch."),
                "max_batch": self.batcher.max_batch, "revision": getattr(model.config, "_commit_hash", None),
            }  # fmt: skip
        return self._live


def length_of(prompt: Prompt) -> int:
    """Rough number of tokens: a quarter of the characters, and a token a 28 px square of each image."""
    n = len(prompt.system or "") // 4
    for part in prompt.parts:
        n += 1 + (part.width * part.height) // 784 if isinstance(part, PreparedImage) else 1 + len(part.text) // 4
    return n


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, on any device."""
    text = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in text or "can't allocate memory" in text


def free_memory() -> None:
    """Give cached memory back to the device."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def wrap(model: Any, processor: Any, *, name: str | None = None, max_batch: int | None = None) -> HuggingFaceModel:
    """Take a live transformers model and its processor, as a training loop holds them.

    The model is asked as it stands (device, number type) and put back into training mode when the run ends.

    Args:
        model: an image-text-to-text model.
        processor: its processor.
        name: name in reports and in the run's identity ("step-1000"); made of a digest of the weights when None, so
            that the next checkpoint is another model.
        max_batch: prompts a batch may have; by device when None.
    """
    own = getattr(getattr(model, "config", None), "_name_or_path", "") or type(model).__name__
    title = name or f"hf:{Path(str(own)).name}#{_digest_of_weights(model)}"
    return HuggingFaceModel(title, lambda: (model, processor), max_batch=max_batch, owned=False)


def _digest_of_weights(model: Any) -> str:
    """Short hash of some elements of every parameter."""
    import torch

    total = hashlib.sha256()
    for parameter in model.parameters():
        flat = parameter.detach().flatten()
        some = flat[:: max(1, flat.numel() // 64)][:64]
        total.update(some.to("cpu", torch.float32).numpy().tobytes())
    return total.hexdigest()[:8]


def open_model(path: str, **settings: Any) -> HuggingFaceModel:
    """Open "hf:PATH_OR_NAME".

    Args:
        path: a checkpoint folder, or a name on the hub.
        **settings: `model_options` holds what `Loading` knows (batch, device, dtype, threads, revision, attention,
            trust_remote_code); the rest is for other kinds of model.

    Raises:
        UsageError: no path, a folder without a checkpoint, or an unknown option.
        ModuleNotFoundError: torch or transformers is not installed.
    """
    if not path:
        raise UsageError("hf: needs a checkpoint folder or a name on the hub, such as hf:Qwen/Qwen2.5-VL-3B-Instruct")
    for module in ("torch", "transformers"):
        if importlib.util.find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
    loading = loading_of(path, settings.get("model_options") or {})
    return HuggingFaceModel(name_of(loading), lambda: load_checkpoint(loading), max_batch=loading.batch)


def loading_of(path: str, options: dict[str, Any]) -> Loading:
    """Options of the command line as a Loading.

    Raises:
        UsageError: an unknown option, or one of the wrong kind.
    """
    for key in options:
        if key not in _KNOWN:
            hint = did_you_mean(key, _KNOWN, otherwise=f"it takes {', '.join(_KNOWN)}")
            raise UsageError(f"hf: has no --model-option {key!r}; {hint}")
    for key in ("batch", "threads"):
        value = options.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise UsageError(f"--model-option {key} takes a whole number above 0, got {value!r}")
    return Loading(path, **options)


def name_of(loading: Loading) -> str:
    """Name in reports and in the run's identity: a folder goes by its name and a digest of what it holds.

    Raises:
        UsageError: the folder holds no checkpoint.
    """
    folder = Path(loading.path).expanduser()
    if folder.is_dir():
        name = f"hf:{folder.resolve().name}#{digest_of(folder)}"
    elif loading.path.startswith((".", "/", "~")) or folder.exists():
        raise UsageError(f"hf:{loading.path}: there is no such folder")
    else:
        name = f"hf:{loading.path}" + (f"@{loading.revision}" if loading.revision else "")
    return name + (f" {loading.dtype}" if loading.dtype else "")


def digest_of(folder: Path) -> str:
    """Short hash of a checkpoint: small files whole, large ones by blocks spread over them.

    A checkpoint that a training loop writes over is another model; reading all its bytes would take minutes.

    Raises:
        UsageError: the folder holds no config.json.
    """
    if not (folder / "config.json").is_file():
        raise UsageError(f"hf:{folder} holds no checkpoint: there is no config.json")
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in (".json", ".safetensors", ".bin", ".jinja", ".model", ".txt") and path.is_file():
            total.update(f"{path.name} {path.stat().st_size}\n".encode())
            _sample(path, total)
    return total.hexdigest()[:8]


def _sample(path: Path, total: Any) -> None:
    n_bytes = path.stat().st_size
    step = max(_SAMPLED_BYTES, n_bytes // _N_SAMPLED)
    with path.open("rb") as file:
        for start in range(0, n_bytes, step):
            file.seek(start)
            total.update(file.read(_SAMPLED_BYTES))


def load_checkpoint(loading: Loading) -> tuple[Any, Any]:
    """Load a model and its processor.

    Raises:
        ModelError: they cannot be loaded; the run stops and can be resumed.
    """
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText, AutoProcessor
    from transformers.utils import logging

    logging.disable_progress_bar()  # the run has a progress line of its own
    device = loading.device or _best_device()
    if device == "cpu":
        torch.set_num_threads(loading.threads or default_threads())
    further: dict[str, Any] = {"attn_implementation": loading.attention} if loading.attention else {}
    if device == "auto":
        further["device_map"] = "auto"
    shared = {"revision": loading.revision, "trust_remote_code": loading.trust_remote_code}
    path = str(Path(loading.path).expanduser()) if Path(loading.path).expanduser().is_dir() else loading.path
    try:
        AutoConfig.from_pretrained(path, **shared)  # one small file: an absent or unreachable model is known at once
        processor = AutoProcessor.from_pretrained(path, **shared)
        dtype = getattr(torch, loading.dtype) if loading.dtype else _best_dtype(device)
        model = AutoModelForImageTextToText.from_pretrained(path, dtype=dtype, **shared, **further)
        return (model if device == "auto" else model.to(device)), processor
    except Exception as error:
        kind = "out_of_memory" if is_out_of_memory(error) else type(error).__name__
        lines = str(error).strip().splitlines()
        message = f"hf:{loading.path} cannot be loaded ({kind}): {lines[0][:300] if lines else ''}"
        raise ModelError(message, retryable=True, kind="gone") from error


def default_threads() -> int:
    """One a core; a single one on small machines, where a second thread waits for its core more than it works."""
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return n_cores if n_cores > 2 else 1


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return f"cuda:{int(os.environ.get('LOCAL_RANK', 0)) % torch.cuda.device_count()}"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _best_dtype(device: str) -> Any:
    import torch

    if device.startswith("cuda") or (device == "auto" and torch.cuda.is_available()):
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.float16 if device == "mps" else torch.float32
