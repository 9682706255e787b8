"""`snellen show`: one sample exactly as the model will see it, its images saved to files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from snellen import images, prompts
from snellen.errors import ImageError, UsageError, did_you_mean
from snellen.reports.contact_sheet import contact_sheet, exemplars
from snellen.reports.profile import Profile, profile, profile_svg
from snellen.types import Benchmark, ImagePart, PreparedImage, Sample

_EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


@dataclass(frozen=True, slots=True)
class ShownImage:
    """One image of a shown sample."""

    path: Path | None
    """Where it was saved; None when it cannot be read."""
    about: str
    """Size, format and what was done to it, or what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A sample as the model will see it."""

    sample: Sample
    """The sample itself, with its references."""
    position: int
    """0-based row in the benchmark."""
    system: str | None
    """System message."""
    content: tuple[str | ShownImage, ...]
    """Texts and images in the order they are sent."""

    def as_record(self) -> dict[str, Any]:
        """For `--json`."""
        sample = self.sample
        return {
            "id": sample.id,
            "position": self.position,
            "system": self.system,
            "content": [
                {"text": one} if isinstance(one, str) else {"image": str(one.path or ""), "about": one.about}
                for one in self.content
            ],
            "references": list(sample.references),
            "choices": list(sample.choices),
            "capability": sample.capability,
            "category": sample.category,
            "dataset": sample.dataset,
            "mode": sample.mode,
            "scorer": sample.scorer,
            "group": sample.group,
            "metadata": dict(sample.metadata),
        }


def show(
    benchmark: Benchmark,
    sample_id: str | None = None,
    *,
    out: Path,
    prompt: str = "default",
    blind: bool = False,
    system: str | None = None,
    policy: images.ImagePolicy | None = None,
    allow_urls: bool = False,
) -> Shown:
    """Compose one sample as a run would send it, and save its images.

    Args:
        benchmark: any.
        sample_id: which sample; the first when None.
        out: folder for the images, made when it is not there.
        prompt: name of the prompt.
        blind: leave the images out.
        system: system message in place of the sample's own.
        policy: limits on images.
        allow_urls: whether images at http(s) addresses are fetched.

    Raises:
        UsageError: no sample of that id (the nearest is named).
        BenchmarkError: the benchmark cannot be read.
    """
    position = _position(benchmark, sample_id)
    sample = next(iter(benchmark.samples([position])))
    parts, message = prompts.build(sample, name=prompt, blind=blind, system=system)
    root: Path | None = getattr(benchmark, "root", None)
    content: list[str | ShownImage] = []
    for part in parts:
        if isinstance(part, ImagePart):
            target = out / f"{_file_name(sample.id)}-{sum(isinstance(one, ShownImage) for one in content) + 1}"
            content.append(_save(part, target, policy or images.ImagePolicy(), root, allow_urls))
        else:
            content.append(part.text)
    return Shown(sample, position, message, tuple(content))


def profile_of(benchmark: Benchmark, *, limit: int | None = None, svg: Path | None = None) -> Profile:
    """What a benchmark is made of: capabilities, answer types, images, sources; headers of images are read only.

    Args:
        benchmark: any.
        limit: only the first so many samples.
        svg: where its figure is written.

    Raises:
        UsageError: the figure cannot be written.
        BenchmarkError: the benchmark cannot be read.
    """
    positions = None if limit is None else [row.position for row in islice(benchmark.index(), limit)]
    order = benchmark.facts.get("capability_order") or ()
    found = profile(benchmark.samples(positions), order, root=getattr(benchmark, "root", None))
    if svg is not None:
        _write(svg, profile_svg(found).encode())
    return found


def write_sheet(benchmark: Benchmark, path: Path, *, n_each: int = 4) -> None:
    """Write a contact sheet: exemplars of each capability side by side in one PNG.

    Raises:
        UsageError: it cannot be written.
        BenchmarkError: the benchmark cannot be read.
    """
    groups = exemplars(benchmark, n_each, benchmark.facts.get("capability_order") or ())
    _write(path, contact_sheet(groups, n_each, root=getattr(benchmark, "root", None)))


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def _position(benchmark: Benchmark, sample_id: str | None) -> int:
    known: list[str] = []
    for row in benchmark.index():
        if sample_id is None or row.id == sample_id:
            return row.position
        known.append(row.id)
    if sample_id is None:
        raise UsageError(f"{benchmark.name} has no samples")
    hint = did_you_mean(sample_id, known[:20_000], otherwise=f"its ids look like {', '.join(known[:3])}")
    raise UsageError(f"{benchmark.name} has no sample {sample_id!r}; {hint}")


def _save(
    part: ImagePart, target: Path, policy: images.ImagePolicy, root: Path | None, allow_urls: bool
) -> ShownImage:
    try:
        data = images.read_bytes(part.source, root=root, allow_urls=allow_urls)
        made = images.prepare(data, policy)
    except ImageError as error:
        return ShownImage(None, f"unreadable: {error}")
    path = target.with_name(f"{target.name}.{_EXTENSIONS[made.mime]}")
    _write(path, made.data)
    return ShownImage(path, _about(made))


def _about(made: PreparedImage) -> str:
    size = f"{made.width} x {made.height} {made.mime.removeprefix('image/')}, {len(made.data):,} bytes"
    return f"{size}; {made.change}" if made.change else f"{size}; as it is"


def _file_name(sample_id: str) -> str:
    """An id as a safe file name.

    >>> _file_name("../a b/ü?")
    'a_b_ü'
    """
    return re.sub(r"[^\w.-]+", "_", sample_id[:80]).strip("._") or "sample"


def lines_of(shown: Shown) -> Iterator[str]:
    """The sample as lines of text: what is sent, then what the model is not shown."""
    sample = shown.sample
    yield f"sample {sample.id} (position {shown.position})"
    if shown.system is not None:
        yield f"[system] {shown.system}"
    for one in shown.content:
        if isinstance(one, str):
            yield one
        else:
            yield f"[image] {one.path or '-'} ({one.about})"
    yield "---- not shown to the model ----"
    yield f"references: {' | '.join(sample.references) or '(none)'}"
    facts = {
        "choices": " | ".join(sample.choices),
        "capability": sample.capability,
        "category": sample.category,
        "dataset": sample.dataset,
        "mode": sample.mode,
        "scorer": sample.scorer,
        "group": sample.group,
        "metadata": str(dict(sample.metadata))[:500] if sample.metadata else sample.metadata_error,
    }
    yield from (f"{name}: {value}" for name, value in facts.items() if value)
