"""One batch through a live transformers model: chat template in, new tokens out. Needs the extra `local`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from snellen.answers.thinking import split_thinking
from snellen.errors import ModelError
from snellen.images import decode
from snellen.types import GenerationOptions, PreparedImage, Prompt, Response, Usage

_OWN = ("chat_template_kwargs",)
_UNSET = {"temperature": None, "top_p": None, "top_k": None}
"""What a checkpoint's own sampling settings are replaced with when it decodes greedily."""


def answer(
    model: Any,
    processor: Any,
    prompts: Sequence[Prompt],
    options: GenerationOptions,
    *,
    name: str,
    is_stopped: Callable[[], bool] = lambda: False,
) -> list[Response]:
    """Answer prompts in one batch; runs on the caller's thread.

    Args:
        model: an image-text-to-text model of transformers, in eval mode.
        processor: its processor.
        prompts: either all with images or all without.
        options: shared by all.
        name: model name in the responses.
        is_stopped: looked at after each token; the batch is given up when it says so.

    Raises:
        ModelError: an option is unknown, an input cannot be brought into the model's form, or it was stopped.
    """
    import torch

    def stops(ids: Any, _scores: Any, **_more: Any) -> Any:
        return torch.full((len(ids),), is_stopped(), dtype=torch.bool, device=ids.device)

    extra = generation_arguments(model, options)
    inputs = encode(processor, prompts, options.params.get("chat_template_kwargs") or {})
    n_prompt = int(inputs["input_ids"].shape[1])
    n_in = inputs["attention_mask"].sum(dim=1).tolist() if "attention_mask" in inputs else [n_prompt] * len(prompts)
    inputs = inputs.to(model.device, dtype=model.dtype)
    with torch.inference_mode():
        out = model.generate(**inputs, max_new_tokens=options.max_tokens, stopping_criteria=[stops], **extra)
    if is_stopped():
        raise ModelError("stopped while it answered", retryable=True, kind="gone")
    rows = out[:, n_prompt:].tolist()
    ends = end_tokens(model)
    return [
        _response(row, int(n), processor, ends, n_max=options.max_tokens, name=name)
        for row, n in zip(rows, n_in, strict=True)
    ]


def generation_arguments(model: Any, options: GenerationOptions) -> dict[str, Any]:
    """Arguments of `generate` for some options; greedy at temperature 0, the checkpoint's own way at None.

    Raises:
        ModelError: a further param is none that generation knows.
    """
    further = {key: value for key, value in options.params.items() if key not in _OWN and value is not None}
    for key in further:
        if not hasattr(model.generation_config, key):
            raise ModelError(f"--param {key}: transformers' generation has no such setting", kind="bad_request")
    if options.temperature is None:
        return further
    if options.temperature == 0:
        return {"do_sample": False, "num_beams": 1, **_UNSET, **further}
    return {"do_sample": True, "temperature": options.temperature, **further}


def encode(processor: Any, prompts: Sequence[Prompt], template_arguments: Mapping[str, Any]) -> Any:
    """Prompts as the model's tensors, padded on the left.

    Raises:
        ModelError: the processor refuses them.
    """
    texts = [chat_text(processor, prompt, template_arguments) for prompt in prompts]
    pictures = [pictures_of(prompt) for prompt in prompts]
    opening = getattr(tokenizer_of(processor), "bos_token", None)
    arguments: dict[str, Any] = {"padding": True, "padding_side": "left", "return_tensors": "pt"}
    if opening and texts[0].startswith(opening):
        arguments["add_special_tokens"] = False
    if any(pictures):
        arguments["images"] = pictures
    try:
        return processor(text=texts, **arguments)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise ModelError(f"the processor refuses the prompt: {error}", kind="bad_request") from error


def chat_text(processor: Any, prompt: Prompt, template_arguments: Mapping[str, Any]) -> str:
    """One prompt in the model's own chat form; a processor without a template gets a plain one."""
    mark = image_mark(processor)
    if not getattr(processor, "chat_template", None) and not getattr(tokenizer_of(processor), "chat_template", None):
        return _plain_text(prompt, mark)
    text: str = processor.apply_chat_template(
        messages_of(prompt, mark), add_generation_prompt=True, tokenize=False, **template_arguments
    )
    return text


def messages_of(prompt: Prompt, mark: str) -> list[dict[str, Any]]:
    """Chat messages with images in their places; an image token that stands in the text itself is broken up."""
    content = [
        {"type": "image"}
        if isinstance(part, PreparedImage)
        else {"type": "text", "text": without_mark(part.text, mark)}
        for part in prompt.parts
    ]
    messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
    if prompt.system:
        text = without_mark(prompt.system, mark)
        messages.insert(0, {"role": "system", "content": [{"type": "text", "text": text}]})
    return messages


def without_mark(text: str, mark: str) -> str:
    """A text in which nothing reads as the place of an image.

    >>> without_mark("What does <image> mean?", "<image>")
    'What does < image> mean?'
    """
    return text.replace(mark, f"{mark[0]} {mark[1:]}") if mark else text


def _plain_text(prompt: Prompt, mark: str) -> str:
    parts = [mark if isinstance(part, PreparedImage) else without_mark(part.text, mark) for part in prompt.parts]
    return "\n".join([prompt.system, *parts] if prompt.system else parts) + "\n"


def image_mark(processor: Any) -> str:
    """The token that stands for an image in text."""
    mark = getattr(processor, "image_token", None) or getattr(tokenizer_of(processor), "image_token", None)
    return str(getattr(mark, "content", mark) or "<image>")


def tokenizer_of(processor: Any) -> Any:
    """The tokenizer inside a processor."""
    return getattr(processor, "tokenizer", processor)


def pictures_of(prompt: Prompt) -> list[Any]:
    """The images of a prompt as upright RGB pictures."""
    return [decode(part.data).convert("RGB") for part in prompt.parts if isinstance(part, PreparedImage)]


def end_tokens(model: Any) -> frozenset[int]:
    """Tokens that end an answer."""
    value = model.generation_config.eos_token_id
    if value is None:
        return frozenset()
    return frozenset(value) if isinstance(value, list | tuple) else frozenset((int(value),))


def _response(row: list[int], n_in: int, processor: Any, ends: frozenset[int], *, n_max: int, name: str) -> Response:
    """New tokens of one prompt up to its end; what follows is padding of the batch."""
    end = next((at for at, token in enumerate(row) if token in ends), None)
    kept = row if end is None else row[:end]
    n_out = len(row) if end is None else end + 1
    said = processor.decode(kept, skip_special_tokens=True)
    text, thought = split_thinking(said)
    finish = "length" if end is None and n_out >= n_max else "stop"
    return Response(text, thought, finish, Usage(n_in, n_out), served_model=name)
