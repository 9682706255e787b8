"""`snellen compare` and `snellen gate`: runs side by side, over checkpoints, beside published numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from snellen import benchmarks, images
from snellen.errors import SnellenError, UsageError
from snellen.reports import trend as trends
from snellen.reports.alignment import Alignment, align
from snellen.reports.comparison import Comparison, Flip
from snellen.reports.comparison import compare as compare_aligned
from snellen.reports.comparison_html import N_FLIPS_SHOWN, comparison_page
from snellen.reports.gate import Gate
from snellen.reports.gate import gate as gate_aligned
from snellen.reports.leaderboard import Leaderboard
from snellen.reports.leaderboard import leaderboard as make_leaderboard
from snellen.reports.run_data import RunData, load_run
from snellen.reports.thresholds import KindThreshold, thresholds_of
from snellen.reports.trend import Trend
from snellen.store import read_json
from snellen.types import Benchmark, ImagePart, Sample

PICTURE_SIDE_PX = 420
"""Longest side of a picture in the page of a comparison."""

Picture = tuple[str, bytes]
"""MIME type and bytes."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison with what its page needs besides the numbers."""

    comparison: Comparison
    """All numbers."""
    thresholds: tuple[tuple[str, tuple[KindThreshold, ...]], ...]
    """(run name, eye-chart thresholds), empty ones left out."""

    def page(self) -> str:
        """The self-contained HTML page, with the pictures of changed samples where they can be found."""
        album = _Album(self.comparison)
        return comparison_page(self.comparison, pictures=album.of, seen=self.thresholds)


def compare(folders: Sequence[Path], *, allow: Collection[str] = (), seed: int = 0) -> Compared:
    """Compare scored runs; the first is the baseline.

    Args:
        folders: two run directories or more.
        allow: what may be mixed: any of "data", "prompts", "rules".
        seed: of all draws.

    Raises:
        UsageError: fewer than two runs, mixed runs, or nothing in common.
        StoreError: a folder is no scored run.
    """
    runs = _load(folders)
    alignment = align(runs, allow=allow)
    seen = [(name, thresholds_of(run)) for name, run in zip(alignment.names, runs, strict=True)]
    return Compared(compare_aligned(alignment, seed=seed), tuple((name, found) for name, found in seen if found))


def trend(folders: Sequence[Path], *, tag: str = "step", allow: Collection[str] = (), seed: int = 0) -> Trend:
    """Scores over checkpoints, in the order of their steps.

    Args:
        folders: runs of one benchmark, each with a step in its tags.
        tag: the tag that holds the step.
        allow: what may be mixed.
        seed: of all draws.

    Raises:
        UsageError: a step is missing or twice, or runs are mixed.
    """
    runs = trends.in_order(_load(folders), tag)
    return trends.trend(align(runs, allow=allow), tag=tag, seed=seed)


def leaderboard(folders: Sequence[Path], *, seed: int = 0) -> Leaderboard:
    """Own runs beside the published table of their benchmark.

    Args:
        folders: one run or more; runs of one model over several capabilities make one row.
        seed: of the intervals.

    Raises:
        UsageError: no published table is known, or the runs are of several benchmarks.
    """
    if not folders:
        raise UsageError("--leaderboard needs a run: snellen compare --leaderboard RUN")
    return make_leaderboard(_load(folders), seed=seed)


def gate(
    run: Path,
    baseline: Path,
    *,
    max_drop: float,
    capabilities: Sequence[str] = (),
    allow: Collection[str] = (),
    seed: int = 0,
) -> Gate:
    """Decide whether a run may replace its baseline.

    Args:
        run: the new run.
        baseline: the run it is held against.
        max_drop: largest drop allowed, in points (1.0 = one percentage point).
        capabilities: groups that must each pass; () = all samples together, ("all",) = every capability.
        allow: what may be mixed.
        seed: of the draws.

    Raises:
        UsageError: a folder is no scored run, runs are mixed, or a capability is unknown.
    """
    try:
        alignment = align(_load([baseline, run]), allow=allow)
    except UsageError:
        raise
    except SnellenError as error:  # exit code 1 would read as "it dropped"
        raise UsageError(str(error)) from error
    return gate_aligned(alignment, max_drop=max_drop / 100, capabilities=capabilities, seed=seed)


def _load(folders: Sequence[Path]) -> list[RunData]:
    seen: set[Path] = set()
    for folder in folders:
        if folder.resolve() in seen:
            raise UsageError(f"{folder} is given twice")
        seen.add(folder.resolve())
        if not folder.is_dir():
            raise UsageError(f"{folder} is no run directory")
    return [load_run(folder) for folder in folders]


class _Album:
    """Small pictures of the changed samples that the page shows, from the run directory or the benchmark."""

    def __init__(self, comparison: Comparison) -> None:
        self._alignment = comparison.alignment
        wanted = _shown(comparison)
        self._samples = _samples(self._alignment, wanted) if wanted else {}
        self._policy = images.ImagePolicy(max_side_px=PICTURE_SIDE_PX, jpeg_quality=80)

    def of(self, flip: Flip) -> list[Picture]:
        """Pictures of one changed sample; none where the source is gone."""
        pictures = [picture for digest in flip.images if (picture := self._stored(digest)) is not None]
        if pictures:
            return pictures
        sample, root = self._samples.get(flip.position, (None, None))
        sources = [part.source for part in sample.parts if isinstance(part, ImagePart)] if sample else []
        return [picture for source in sources if (picture := self._small(source, root)) is not None]

    def _stored(self, digest: str) -> Picture | None:
        for run in self._alignment.runs:
            for path in (run.folder / "images").glob(f"{digest}.*") if digest.isalnum() else ():
                return self._small(path, None)
        return None

    def _small(self, source: object, root: Path | None) -> Picture | None:
        try:
            prepared = images.prepare(images.read_bytes(source, root=root), self._policy)
        except SnellenError:  # the page goes without that picture
            return None
        return prepared.mime, prepared.data


def _shown(comparison: Comparison) -> list[int]:
    """Positions of the changed samples whose pictures are shown."""
    counts: dict[tuple[int, bool], int] = {}
    positions = set()
    for flip in comparison.flips:
        side = (flip.run, flip.scores[0] > flip.scores[1])
        counts[side] = counts.get(side, 0) + 1
        if counts[side] <= N_FLIPS_SHOWN:
            positions.add(flip.position)
    return sorted(positions)


def _samples(alignment: Alignment, positions: Sequence[int]) -> dict[int, tuple[Sample, Path | None]]:
    """The samples at these positions of the baseline's benchmark; empty where its source cannot be opened."""
    about = read_json(alignment.runs[0].folder / "run.json").get("benchmark", {})
    try:
        benchmark: Benchmark = benchmarks.load(
            str(about.get("name")), data=about.get("data"), options=about.get("options") or {}
        )
        if benchmark.fingerprint != about.get("fingerprint"):
            return {}
        root = getattr(benchmark, "root", None)
        found = zip(positions, benchmark.samples(positions), strict=False)
        return {position: (sample, root) for position, sample in found}
    except SnellenError:
        return {}
