"""Which samples are listed, in what order: filters over the score table, all by Arrow, none by looping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    import pyarrow as pa

OUTCOMES = {
    "": "any outcome",
    "right": "right (score ≥ 0.5)",
    "wrong": "wrong (score < 0.5)",
    "partial": "partly right",
    "missing": "missing, no score",
}
"""Outcome → its name for people."""
SORTS = {
    "position": "benchmark order",
    "score": "score, lowest first",
    "-score": "score, highest first",
    "-gap": "rule sets differ most first",
    "-long_side_px": "largest image first",
    "-answer": "longest answer first",
    "sample_id": "sample id",
}
"""Sort → its name for people."""
DIFFER = {"": "rules: any", "yes": "rule sets differ", "no": "rule sets agree"}
VERDICTS = {"": "judge: any", "any": "judged", "none": "not judged"}
ADJUDICATED = {"": "people: any", "yes": "adjudicated", "broken": "label broken", "no": "not adjudicated"}
PER_PAGE = 50
_MAX_TEXT_CHARS = 200


@dataclass(frozen=True, slots=True)
class Filter:
    """What is asked for; every field "" lets all through."""

    capability: str = ""
    """Capability, exactly."""
    dataset: str = ""
    """Source dataset, exactly."""
    category: str = ""
    """Category, exactly."""
    outcome: str = ""
    """Key of OUTCOMES."""
    failure: str = ""
    """State or kind of error ("unjudged", "error: timeout")."""
    flag: str = ""
    """Flag on an answered sample."""
    differs: str = ""
    """Key of DIFFER."""
    verdict: str = ""
    """Key of VERDICTS, or a verdict's state."""
    people: str = ""
    """Key of ADJUDICATED."""
    q: str = ""
    """Text in question, references, answer or response."""
    sort: str = "position"
    """Key of SORTS."""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Filter:
        """The filter of an address; what it does not know is passed over."""
        values = {f.name: query.get(f.name, "")[:_MAX_TEXT_CHARS] for f in fields(cls)}
        values["sort"] = values["sort"] if values["sort"] in SORTS else "position"
        values["outcome"] = values["outcome"] if values["outcome"] in OUTCOMES else ""
        return cls(**values)

    def query(self, **more: object) -> str:
        """As part of an address, defaults left out; `more` replaces or adds.

        >>> Filter(dataset="a b").query(page=2)
        'dataset=a+b&page=2'
        """
        own = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        merged = {**own, **{name: str(value) for name, value in more.items()}}
        safe = {name: value.encode("utf-8", "replace").decode() for name, value in merged.items() if value != ""}
        return urlencode(safe)

    def without(self, name: str) -> Filter:
        """The same filter with one field open."""
        return replace(self, **{name: ""})

    @property
    def is_open(self) -> bool:
        """Whether all samples pass."""
        return replace(self, sort="position") == Filter()


@dataclass(frozen=True, slots=True)
class Found:
    """What a text search and the people's verdicts add to a filter."""

    positions: Any = None
    """Positions that hold the text; None when there is no text."""
    keys: Any = None
    """(prompt key, epoch) of answers that hold it."""
    adjudicated: Mapping[tuple[str, int], str] | None = None
    """(prompt key, epoch) → state that a person gave."""


def rows_of(table: pa.Table, wanted: Filter, found: Found | None = None) -> Any:
    """Row numbers that pass the filter, sorted, as an Arrow array.

    Args:
        table: as `scores.load_table` makes it.
        wanted: the filter.
        found: of the text search and of people.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    mask = _mask(table, wanted, found or Found())
    everything = pa.array(range(table.num_rows), pa.int64()) if mask is None else None
    rows = everything if mask is None else pc.indices_nonzero(mask).cast(pa.int64())
    return _sorted(table, rows, wanted.sort)


def _mask(table: pa.Table, wanted: Filter, found: Found) -> Any:
    import pyarrow.compute as pc

    masks = [
        pc.equal(table[column], value)
        for column, value in (
            ("capability", wanted.capability), ("dataset", wanted.dataset), ("category", wanted.category),
            ("failure", wanted.failure),
        )
        if value
    ]  # fmt: skip
    masks += _outcome(table, wanted.outcome)
    if wanted.flag:
        pattern = rf"(^| ){_escaped(wanted.flag)}( |$)"
        masks.append(_on_words(table["flags"], lambda words: pc.match_substring_regex(words, pattern)))
    if wanted.differs in ("yes", "no"):
        masks.append(table["differs"] if wanted.differs == "yes" else pc.invert(table["differs"]))
    masks += _verdict(table, wanted.verdict)
    masks += _people(table, wanted.people, found.adjudicated or {})
    if wanted.q.strip():
        masks.append(_text(table, wanted.q.strip(), found))
    if not masks:
        return None
    mask = masks[0]
    for one in masks[1:]:
        mask = pc.and_(mask, one)
    return pc.fill_null(mask, fill_value=False)


def _escaped(text: str) -> str:
    import re

    return re.escape(text)


def _on_words(column: Any, ask: Any) -> Any:
    """Ask a dictionary column once a word instead of once a row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], column.type)
    return pa.chunked_array([pc.take(ask(whole.dictionary), whole.indices)])


def _outcome(table: pa.Table, outcome: str) -> list[Any]:
    import pyarrow.compute as pc

    value = table["value"]
    scored = pc.equal(table["state"], "scored")
    if outcome == "right":
        return [scored, pc.greater_equal(value, 0.5)]
    if outcome == "wrong":
        return [scored, pc.less(value, 0.5)]
    if outcome == "partial":
        return [scored, pc.greater(value, 0.0), pc.less(value, 1.0)]
    return [pc.invert(scored)] if outcome == "missing" else []


def _verdict(table: pa.Table, verdict: str) -> list[Any]:
    import pyarrow.compute as pc

    if not verdict:
        return []
    if verdict in ("any", "none"):
        unjudged = pc.equal(table["verdict"], "")
        return [unjudged if verdict == "none" else pc.invert(unjudged)]
    return [pc.equal(table["verdict"], verdict)]


def _people(table: pa.Table, people: str, adjudicated: Mapping[tuple[str, int], str]) -> list[Any]:
    import pyarrow.compute as pc

    if people not in ("yes", "no", "broken"):
        return []
    wanted = {place for place, state in adjudicated.items() if people != "broken" or state == "broken"}
    mask = _places(table, wanted)
    return [pc.invert(mask) if people == "no" else mask]


def _text(table: pa.Table, text: str, found: Found) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    mask = pc.or_(
        pc.match_substring(table["answer"], text, ignore_case=True),
        pc.match_substring(table["reason"], text, ignore_case=True),
    )
    mask = pc.fill_null(mask, fill_value=False)
    if found.positions:
        mask = pc.or_(mask, pc.is_in(table["position"], value_set=pa.array(sorted(found.positions), pa.int64())))
    return pc.or_(mask, _places(table, found.keys)) if found.keys else mask


def _places(table: pa.Table, places: set[tuple[str, int]]) -> Any:
    """Rows whose (prompt key, epoch) is among these; epochs are few, so one look-up an epoch."""
    import pyarrow as pa
    import pyarrow.compute as pc

    mask = pa.chunked_array([pa.repeat(pa.scalar(False), table.num_rows)])
    for epoch in sorted({epoch for _, epoch in places}):
        keys = pa.array([key for key, one in places if one == epoch], pa.string())
        mine = pc.and_(pc.is_in(table["key"], value_set=keys), pc.equal(table["epoch"], epoch))
        mask = pc.or_(mask, mine)
    return mask


def _sorted(table: pa.Table, rows: Any, sort: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    part = table.select(["position", "epoch", "value", "sample_id", "long_side_px"]).take(rows)
    name, direction = sort.lstrip("-"), "descending" if sort.startswith("-") else "ascending"
    if name == "position":
        return rows
    if name == "gap":
        gap = pc.abs(pc.subtract(table["fair"], table["datbench_1_0"])).take(rows)
        part = part.append_column("gap", gap)
    elif name == "answer":
        part = part.append_column("answer", pc.utf8_length(table["answer"].take(rows)))
    name = "value" if name == "score" else name
    order = pc.sort_indices(part, sort_keys=[(name, direction), ("position", "ascending"), ("epoch", "ascending")])
    return pc.take(pa.array(rows) if not isinstance(rows, pa.Array | pa.ChunkedArray) else rows, order)


def facets(table: pa.Table) -> dict[str, dict[str, int]]:
    """Values of each column that is filtered by, with their numbers of rows, most frequent first."""
    import pyarrow.compute as pc

    out: dict[str, dict[str, int]] = {}
    for name in ("capability", "dataset", "category", "failure", "verdict"):
        counts = {str(one["values"]): one["counts"] for one in pc.value_counts(table[name]).to_pylist()}
        out[name] = _by_count({value: n for value, n in counts.items() if value not in ("", "None")})
    flags: dict[str, int] = {}
    for one in pc.value_counts(table["flags"]).to_pylist():
        for flag in str(one["values"] or "").split():
            flags[flag] = flags.get(flag, 0) + one["counts"]
    out["flag"] = _by_count(flags)
    return out


def _by_count(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
