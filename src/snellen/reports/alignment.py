"""Which samples of several runs are the same question, and may these runs be compared at all?

Samples are matched by what was asked: texts, choices and pictures, hashed. Runs whose data, prompts or rules differ
are refused unless the caller allows it by name; what else differs (image sizes, sampling, versions) is listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from snellen.errors import UsageError
from snellen.reports.run_data import RunData, SampleRow

Mix = Literal["data", "prompts", "rules"]
MIXES: tuple[Mix, ...] = ("data", "prompts", "rules")

_SETTINGS: dict[Mix, tuple[tuple[str, ...], ...]] = {
    "data": (("benchmark", "name"), ("benchmark", "fingerprint")),
    "prompts": (("prompt", "name"), ("prompt", "system"), ("prompt", "blind")),
    "rules": (
        ("rules",), ("scorer", "forced"), ("scorer", "default"), ("scorer", "numeric_tolerance"), ("convention",),
        ("judge", "models"), ("judge", "protocol"), ("judge", "template"),
    ),
}  # fmt: skip
_LISTED = (
    ("model", "name"), ("generation",), ("images",), ("epochs",), ("selection",), ("benchmark", "options"),
    ("scorer", "coordinates"), ("environment", "packages", "snellen"), ("tags",),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alignment:
    """The samples that all runs share, in the order of the first run."""

    runs: tuple[RunData, ...]
    """The runs; the first is the baseline."""
    names: tuple[str, ...]
    """A short name for each, all different."""
    rows: tuple[tuple[SampleRow, ...], ...]
    """One tuple a shared sample: its row in each run."""
    matched_by: str
    """"prompt content" or "sample id"."""
    allowed: tuple[str, ...]
    """What was mixed because the caller allowed it, one sentence each."""
    settings: Mapping[str, tuple[str, ...]]
    """Setting → its value in each run, where they differ."""
    kind: str = "models"
    """"models", or "vision gap" for a run and its blind twin."""

    @property
    def sentence(self) -> str:
        """How many samples match, for people."""
        sizes = " / ".join(f"{len(run.samples):,}" for run in self.runs)
        return f"matched by {self.matched_by}: {len(self.rows):,} samples in all runs (of {sizes})"


def align(runs: Sequence[RunData], *, allow: Collection[str] = ()) -> Alignment:
    """Match the samples of runs, or refuse.

    Args:
        runs: two or more; the first is the baseline.
        allow: what may be mixed: any of "data", "prompts", "rules".

    Raises:
        UsageError: fewer than two runs, something is mixed that was not allowed, or no sample matches.
    """
    if len(runs) < 2:
        raise UsageError(f"a comparison needs two runs or more, got {len(runs)}")
    unknown = [word for word in allow if word not in MIXES]
    if unknown:
        raise UsageError(f"--allow takes {', '.join(MIXES)}, got {unknown[0]!r}")
    names = short_names(runs)
    kind = "vision gap" if is_blind_twin(runs) else "models"
    said = _mixed_settings(runs, kind)
    by_id = "prompts" in allow or kind == "vision gap"
    rows = _matched(runs, by_id=by_id)
    said.update(_mixed_content(runs, rows, said, by_id=by_id))
    _refuse(said, allow)
    _check_versions(rows, names, allow, said)
    if not rows:
        raise UsageError(f"no sample of {names[0]} is in {' and '.join(names[1:])}: there is nothing to compare")
    how = "sample id" if by_id else "prompt content"
    return Alignment(tuple(runs), names, rows, how, tuple(said.values()), _differing(runs), kind)


def is_blind_twin(runs: Sequence[RunData]) -> bool:
    """Whether these are one run with pictures and its twin without: same model, same data, nothing else changed."""
    if len(runs) != 2 or runs[0].is_blind == runs[1].is_blind or runs[0].model != runs[1].model:
        return False
    settings = [path for mix in ("data", "prompts") for path in _SETTINGS[mix] if path != ("prompt", "blind")]
    return all(_value(runs[0].spec, path) == _value(runs[1].spec, path) for path in settings)


def short_names(runs: Sequence[RunData]) -> tuple[str, ...]:
    """A short name for each run, all different: the model, else what tells them apart, else the folder.

    A run that shares its model's name gets the settings that differ behind it ("qwen max_side_px=512").
    """
    names = [run.model for run in runs]
    if len(set(names)) == len(names):
        return tuple(names)
    candidates = (
        lambda run: "blind" if run.is_blind else "",
        lambda run: " ".join(f"{key}={value}" for key, value in sorted(run.spec.get("tags", {}).items())),
        lambda run: _said(run, ("prompt", "name"), "prompt"),
        lambda run: _said(run, ("images", "max_side_px"), "side"),
        lambda run: run.benchmark,
        lambda run: run.folder.name,
    )
    for extra in candidates:
        repeated = {name for name, count in Counter(names).items() if count > 1}
        if not repeated:
            break
        extras = [str(extra(run)) for run in runs]
        for name in repeated:
            own = [extras[i] for i in range(len(runs)) if names[i] == name]
            if len(set(own)) > 1:
                names = [f"{n} {e}".strip() if n == name else n for n, e in zip(names, extras, strict=True)]
    if len(set(names)) < len(names):
        names = [f"{name} #{i}" for i, name in enumerate(names, 1)]
    return tuple(names)


def _said(run: RunData, path: tuple[str, ...], word: str) -> str:
    value = _value(run.spec, path)
    return "" if value is None else f"{word}={value}"


def _value(spec: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = spec
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _mixed_settings(runs: Sequence[RunData], kind: str) -> dict[str, str]:
    """Mix → why it is one."""
    said: dict[str, str] = {}
    for mix, paths in _SETTINGS.items():
        for path in paths:
            values = [_value(run.spec, path) for run in runs]
            if kind == "vision gap" and path == ("prompt", "blind"):
                continue
            if any(value != values[0] for value in values):
                shown = ", ".join(_short(value) for value in dict.fromkeys(map(str, values)))
                said.setdefault(mix, f"{mix} differ: {'.'.join(path)} is {shown}")
    return said


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _mixed_content(
    runs: Sequence[RunData], rows: Sequence[Sequence[SampleRow]], said: Mapping[str, str], *, by_id: bool
) -> dict[str, str]:
    """Samples that have one id but ask different things."""
    if by_id or "data" in said:
        return {}
    matched = {row[0].id for row in rows}
    ids = set.intersection(*({sample.id for sample in run.samples} for run in runs))
    n_changed = len(ids - matched)
    if not n_changed:
        return {}
    return {"prompts": f"prompts differ: {n_changed:,} samples have the same id and ask something else"}


def _matched(runs: Sequence[RunData], *, by_id: bool) -> tuple[tuple[SampleRow, ...], ...]:
    indexes = [_indexed(run.samples, by_id=by_id) for run in runs]
    return tuple(
        tuple(index[key] for index in indexes) for key in indexes[0] if all(key in index for index in indexes[1:])
    )


def _indexed(samples: Sequence[SampleRow], *, by_id: bool) -> dict[tuple[str, int], SampleRow]:
    """(what identifies a sample, how often it came before) → its row: two equal prompts stay two samples."""
    seen: Counter[str] = Counter()
    index: dict[tuple[str, int], SampleRow] = {}
    for row in samples:
        key = row.id if by_id else row.content
        index[key, seen[key]] = row
        seen[key] += 1
    return index


def _refuse(said: Mapping[str, str], allow: Collection[str]) -> None:
    for mix, sentence in said.items():
        if mix not in allow:
            raise UsageError(f"{sentence}; give --allow {mix} to compare all the same")


def _check_versions(
    rows: Sequence[Sequence[SampleRow]], names: Sequence[str], allow: Collection[str], said: dict[str, str]
) -> None:
    """A scorer may have changed between two runs of the same rules."""
    pairs = Counter(
        tuple(row.scorer for row in shared)
        for shared in rows
        if len({row.scorer for row in shared if row.scorer}) > 1
    )
    if not pairs or "rules" in said:
        return
    (versions, n_samples) = pairs.most_common(1)[0]
    shown = ", ".join(f"{name}: {version or 'none'}" for name, version in zip(names, versions, strict=True))
    said["rules"] = f"rules differ: {n_samples:,} samples were scored by other scorers or versions ({shown})"
    if "rules" not in allow:
        raise UsageError(f"{said['rules']}; run `snellen score` on both, or give --allow rules")


def _differing(runs: Sequence[RunData]) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for path in (*(p for paths in _SETTINGS.values() for p in paths), *_LISTED):
        for name, values in _leaves(".".join(path), [_value(run.spec, path) for run in runs]):
            if any(value != values[0] for value in values):
                out[name] = tuple(_short(value) for value in values)
    return out


def _leaves(name: str, values: list[Any]) -> list[tuple[str, list[Any]]]:
    if not any(isinstance(value, Mapping) for value in values):
        return [(name, values)]
    keys = dict.fromkeys(key for value in values if isinstance(value, Mapping) for key in value)
    return [(f"{name}.{key}", [v.get(key) if isinstance(v, Mapping) else None for v in values]) for key in keys]
