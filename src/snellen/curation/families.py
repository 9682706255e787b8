"""Model name → family. Models of one family share data and weights, so they are no independent witnesses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_KNOWN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("openai", ("chatgpt", "gpt", "openai", "o1", "o3", "o4-")),
    ("claude", ("claude", "opus", "sonnet", "haiku")),
    ("gemini", ("gemini", "bard")),
    ("gemma", ("gemma", "paligemma")),
    ("llava", ("llava", "sharegpt4v", "bunny", "moe-llava", "vila")),
    ("llama", ("llama", "meta-llama", "meta_llama")),
    ("mistral", ("mistral", "mixtral", "mathstral", "pixtral", "ministral", "codestral")),
    ("qwen", ("qwen", "qvq", "qwq")),
    ("internvl", ("internvl", "mini-internvl", "internlm", "intern-")),
    ("instructblip", ("instructblip", "blip")),
    ("cogvlm", ("cogvlm", "glm", "chatglm", "cogagent", "visualglm")),
    ("sphinx", ("sphinx", "lumina")),
    ("minicpm", ("minicpm", "omnilmm")),
    ("deepseek", ("deepseek", "janus")),
    ("phi", ("phi",)),
    ("yi", ("yi-", "yi_", "yi")),
    ("idefics", ("idefics", "smolvlm", "smollm")),
    ("flamingo", ("flamingo", "openflamingo", "otter")),
    ("cohere", ("c4ai", "command", "aya")),
)
"""Family → beginnings of names, compared in lower case."""

_HEAD = re.compile(r"[a-z]+")
_NUMBERED = re.compile(r"[a-z]*[-_ .#]?[0-9]+")


def family_of(model: str) -> str:
    """Guess the family of a model from its name.

    An organisation before a slash is left out; known beginnings decide; else the leading letters. Names that are only
    a number, or one word and a number ("model_3"), say nothing about kinship: each is its own family.

    >>> [family_of(n) for n in ("Qwen/Qwen3-VL-2B", "InternVL2_5-8B", "GPT4o", "R-4B", "新模型", "model_3")]
    ['qwen', 'internvl', 'openai', 'r', '新模型', 'model_3']
    """
    name = model.rsplit("/", 1)[-1].strip().lower()
    for family, beginnings in _KNOWN:
        if name.startswith(beginnings) and not _is_longer_word(name, beginnings):
            return family
    head = _HEAD.match(name)
    return name if head is None or _NUMBERED.fullmatch(name) else head.group()


def _is_longer_word(name: str, beginnings: tuple[str, ...]) -> bool:
    """Whether a beginning of two or three letters is only part of another word ("yield", "philomena")."""
    short = [b for b in beginnings if len(b) <= 3 and b.isalpha() and name.startswith(b)]
    long = [b for b in beginnings if len(b) > 3 and name.startswith(b)]
    if long or not short:
        return False
    word = _HEAD.match(name)
    return word is not None and word.group() not in short and len(word.group()) > max(map(len, short)) + 4


def families_of(models: Sequence[str], given: Mapping[str, str]) -> tuple[str, ...]:
    """Family of each model: the given one where it stands in the map, else by name."""
    return tuple(given.get(model) or family_of(model) for model in models)
