"""snellen: an eye exam for vision-language models.

    import snellen
    result = snellen.run("eyechart", model="ocr")
    result.score, result.ci95, result.rows()

Everything is imported when it is used, so that `import snellen` is instant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from snellen.version import __version__

if TYPE_CHECKING:
    from snellen.api import load, run
    from snellen.scorers import score_answer
    from snellen.types import Sample, Score

__all__ = ["Sample", "Score", "__version__", "load", "run", "score_answer"]

_HOMES = {
    "run": "snellen.api",
    "load": "snellen.api",
    "score_answer": "snellen.scorers",
    "Sample": "snellen.types",
    "Score": "snellen.types",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'snellen' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
