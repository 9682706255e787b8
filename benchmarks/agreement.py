"""How far the fair rules agree with published verdicts on real model outputs, and which of those are at fault.

Run: python benchmarks/agreement.py [--shared DIR] [--show SET]

Prints, for each set, raw agreement, the disagreements by kind, and agreement against the corrected table
(agreement_corrections.csv: set, item, model, the right verdict, the reason the published one is wrong).
"""

from __future__ import annotations

import argparse
import csv
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.scorers import SCORERS
from snellen.types import Sample, Score, ScoringContext

HERE = Path(__file__).parent
CORRECTIONS = HERE / "agreement_corrections.csv"
SCORER_OF = {"mathv": "mathvision", "mmmu_pro": "mmmupro", "blink_val": "mmbench", "logicvista": "logicvista"}
"""Set → the row of SCORERS whose fair rule reads it."""

_TWO_IMAGES = ("the second image", "the third image")
_POINTS = ("Point A", "Point B", "Point C", "Point D")
BLINK_OPTIONS = {
    "Art_Style": _TWO_IMAGES,
    "Visual_Similarity": _TWO_IMAGES,
    "Jigsaw": _TWO_IMAGES,
    "Multi-view_Reasoning": ("left", "right"),
    "Spatial_Relation": ("yes", "no"),
    "Relative_Depth": ("A is closer", "B is closer"),
    "Relative_Reflectance": ("A is darker", "B is darker", "About the same"),
    "Object_Localization": ("Box A", "Box B"),
    "Forensic_Detection": ("the first image", "the second image", "the third image", "the fourth image"),
    "Visual_Correspondence": _POINTS,
    "Semantic_Correspondence": _POINTS,
    "Functional_Correspondence": _POINTS,
    "IQ_Test": ("picture A", "picture B", "picture C", "picture D"),
}
"""BLINK's own options of each task; the outputs file leaves them out (Counting has options of its own per item)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One output with our score and the published verdict."""

    item: str
    """Item id within the set."""
    model: str
    """Who answered."""
    published: float
    """1 or 0."""
    ours: Score
    """By the fair rule."""

    @property
    def agrees(self) -> bool:
        """Whether ours equals the published verdict."""
        return (self.ours.value or 0.0) == self.published

    @property
    def kind(self) -> str:
        """Which way it differs and how we read it."""
        way = "ours right, published wrong" if self.ours.value else "ours wrong, published right"
        return f"{way}: {self.ours.reason or self.ours.details.get('how') or 'read'}"


def sample_of(row: Mapping[str, Any]) -> Sample:
    """A sample of one line of an outputs file."""
    options = row.get("choices") or BLINK_OPTIONS.get("_".join(row["item_id"].split("@")[0].split("_")[1:-1]))
    question = row.get("question") or ""
    return Sample(
        id=row["item_id"],
        parts=(),
        question=question,
        references=(str(row["answer"]),),
        answer=row["answer"],
        all_answers=[row["answer"]],
        metadata={"options": list(options) if isinstance(options, tuple) else options} if options else {},
    )


def judged(path: Path) -> Iterator[Judged]:
    """Score every line of one set."""
    rule = SCORERS[SCORER_OF[path.stem]].fair
    context = ScoringContext()
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Judged(
                row["item_id"], row["model"], float(row["verdict"]), rule(sample_of(row), row["output"], context)
            )


def corrections() -> dict[tuple[str, str, str], float]:
    """(set, item, model) → the right verdict, where the published one is at fault."""
    with CORRECTIONS.open(encoding="utf-8", newline="") as lines:
        return {(row["set"], row["item"], row["model"]): float(row["verdict"]) for row in csv.DictReader(lines)}


def report(path: Path, corrected: Mapping[tuple[str, str, str], float], *, show: bool) -> None:
    """Print one set's figures."""
    rows = list(judged(path))
    apart = [row for row in rows if not row.agrees]
    truths = [corrected.get((path.stem, row.item, row.model), row.published) for row in rows]
    right = sum((row.ours.value or 0.0) == truth for row, truth in zip(rows, truths, strict=True))
    n_corrected = sum(key[0] == path.stem for key in corrected)
    print(f"{path.stem}: {len(rows)} outputs")
    print(f"  raw agreement        {1 - len(apart) / len(rows):.2%} ({len(apart)} differ)")
    print(f"  against corrections  {right / len(rows):.2%} ({len(rows) - right} differ; {n_corrected} corrected)")
    for kind, n in Counter(row.kind for row in apart).most_common():
        print(f"    {n:4d}  {kind}")
    for row in apart if show else ():
        state = "corrected" if (path.stem, row.item, row.model) in corrected else "open"
        read = repr(row.ours.answer[:40])
        print(f"      {state:9s} {row.item} | {row.model} | published {row.published:.0f} | read {read}")


def main() -> None:
    """Parse the command line and print all sets."""
    parser = argparse.ArgumentParser(description="Agreement of the fair rules with published verdicts.")
    parser.add_argument(
        "--shared", type=Path, default=Path(os.environ.get("SNELLEN_SHARED", HERE.parent / "../shared"))
    )
    parser.add_argument("--show", default="", help="set whose disagreements are listed")
    options = parser.parse_args()
    corrected = corrections()
    for path in sorted((options.shared / "data/outputs").glob("*.jsonl")):
        if SCORER_OF.get(path.stem) in SCORERS:
            report(path, corrected, show=path.stem == options.show)


if __name__ == "__main__":
    main()
