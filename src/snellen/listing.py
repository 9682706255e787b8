"""`snellen list`: what there is, from the tables, nothing loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snellen.benchmarks import BENCHMARKS
from snellen.errors import UsageError, did_you_mean
from snellen.models import MODELS
from snellen.prompts import PROMPTS


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a list."""

    name: str
    """As it is written on the command line."""
    title: str
    """One line for people."""
    source: str = ""
    """Citation, or what to install."""


def _benchmarks() -> list[Entry]:
    return [Entry(row.pattern, row.title, row.citation) for row in BENCHMARKS]


def _models() -> list[Entry]:
    return [
        Entry(row.spec, row.title, f"pip install 'snellen[{row.extra}]'" if row.extra else "")
        for row in MODELS.values()
    ]


def _scorers() -> list[Entry]:
    from snellen.scorers import GENERIC, SCORERS

    own = [Entry(name, "for own data (--scorer, or a column `scorer`)") for name in GENERIC]
    plug = [Entry("python:MODULE:FUNCTION", "your own function (sample, text) → number in [0, 1], bool or None")]
    rows = [
        Entry(row.dataset, ", ".join(metric.name for metric in row.metrics), row.paper) for row in SCORERS.values()
    ]
    return [*own, *plug, *rows]


def _prompts() -> list[Entry]:
    return [Entry(name, title) for name, (_, title) in PROMPTS.items()]


def _protocols() -> list[Entry]:
    from snellen.protocols import PROTOCOLS, protocol

    return [Entry(name, protocol(name).title) for name in PROTOCOLS]


LISTS: dict[str, Callable[[], list[Entry]]] = {
    "benchmarks": _benchmarks,
    "models": _models,
    "scorers": _scorers,
    "prompts": _prompts,
    "protocols": _protocols,
}
"""What can be listed."""


def entries(what: str | None = None) -> dict[str, list[Entry]]:
    """What there is.

    Args:
        what: one of LISTS; all of them when None.

    Raises:
        UsageError: no such list.

    >>> [entry.name for entry in entries("prompts")["prompts"]]
    ['default', 'direct', 'cot']
    """
    if what is not None and what not in LISTS:
        hint = did_you_mean(what, LISTS, otherwise=f"there are {', '.join(LISTS)}")
        raise UsageError(f"there is no list of {what!r}; {hint}")
    return {name: make() for name, make in LISTS.items() if what in (None, name)}


def lines_of(lists: dict[str, list[Entry]]) -> Iterator[str]:
    """The lists as lines of text."""
    for name, rows in lists.items():
        yield name
        width = min(44, max((len(row.name) for row in rows), default=0))
        for row in rows:
            yield f"  {row.name:<{width}}  {row.title}"
            if row.source:
                yield f"  {'':<{width}}  {row.source}"
        yield ""
