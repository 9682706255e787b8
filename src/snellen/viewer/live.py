"""Scores of a run that is still going on, made from its growing logs; no lock is taken, nothing is written.

Each refresh scores a bounded number of new answers; the others wait and are marked so. A user's own scorer (code that
the run names) is never executed here.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.engine.judge_panel import panel_of
from snellen.engine.records import sample_of
from snellen.engine.rules import rulebook_of
from snellen.engine.scoring import Scoring
from snellen.errors import SnellenError, StoreError
from snellen.scores_file import stream_scores
from snellen.viewer.logs import LogIndex
from snellen.viewer.scores import KEPT, table_of

if TYPE_CHECKING:
    import pyarrow as pa

_BLOCK_POSITIONS = 1024
SCORED_A_REFRESH = 100
"""New answers that one refresh scores at most."""
_WAITING = {"state": "waiting", "reason": "answered; its score comes with one of the next looks"}
_OWN_CODE = {"state": "waiting", "reason": "scored by the run's own code, which the viewer does not execute"}


@dataclass(slots=True)
class LiveScores:
    """Score rows of a growing run."""

    folder: Path
    """The run directory."""
    spec: Mapping[str, Any]
    """Its spec."""
    samples: LogIndex
    """Its samples."""
    answers: LogIndex
    """Its answers."""
    n_scored: int = 0
    """Answers scored here so far."""
    _rows: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    _members: dict[int, set[tuple[int, int]]] = field(default_factory=lambda: defaultdict(set))
    _blocks: dict[int, Any] = field(default_factory=dict)
    _keys: dict[tuple[int, int], str] = field(default_factory=dict)
    _by_key: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _waiting: deque[tuple[int, int]] = field(default_factory=deque)
    _scoring: Scoring | None = None
    _n_verdict_bytes: int = -1
    _started: bool = False

    def refresh(self) -> bool:
        """Take in what was appended, score a part of it; whether anything changed."""
        if not self._started:
            self._start()
        changed = self._take_samples(self.samples.refresh())
        changed |= self._take_answers(self.answers.refresh())
        self._take_verdicts()
        changed |= bool(self._waiting)
        for _ in range(min(SCORED_A_REFRESH, len(self._waiting))):
            self._score(*self._waiting.popleft())
        return changed

    def table(self) -> pa.Table:
        """All rows, in the order of the benchmark; only blocks in which something changed are made anew."""
        import pyarrow as pa

        for block, places in self._members.items():
            if block not in self._blocks:
                self._blocks[block] = table_of(self._rows[place] for place in sorted(places))
        blocks = [self._blocks[block] for block in sorted(self._blocks)]
        return pa.concat_tables(blocks).unify_dictionaries() if blocks else table_of([])

    def _put(self, place: tuple[int, int], row: dict[str, Any]) -> None:
        block = place[0] // _BLOCK_POSITIONS
        self._rows[place] = row
        self._members[block].add(place)
        self._blocks.pop(block, None)

    def details(self, position: int, epoch: int) -> dict[str, Any]:
        """Everything about one row, scored now; {} for a sample that is not known."""
        record = self.samples.read(position)
        if record is None:
            return {}
        return self._row(record, epoch)

    def _start(self) -> None:
        """Take over what an earlier attempt has scored already."""
        self._started = True
        self.samples.refresh()
        self.answers.refresh()
        for record in self.samples.records():
            self._take_sample(record, new=False)
        known: set[tuple[int, int]] = set()
        try:
            for row in stream_scores(self.folder / "scores.parquet", list(KEPT)):
                place = (row["position"], row["epoch"])
                if row["state"] == "scored" and self._by_key.get(row["key"]):
                    self._put(place, row)
                    known.add(place)
        except StoreError:
            pass
        self._take_answers(list(self.answers.places), known)

    def _take_samples(self, positions: list[int]) -> bool:
        for position in positions:
            record = self.samples.read(position)
            if record is not None:
                self._take_sample(record, new=True)
        return bool(positions)

    def _take_sample(self, record: Mapping[str, Any], *, new: bool) -> None:
        key, position = record.get("key"), record.get("position")
        if not isinstance(key, str) or not isinstance(position, int):
            return
        if position not in self._by_key[key]:
            self._by_key[key].append(position)
        for epoch in range(self._n_epochs()):
            if (position, epoch) not in self._rows:
                self._put((position, epoch), {**_about(record, epoch), "state": "not_asked"})
            if new and (key, epoch) in self.answers.places:
                self._wait((position, epoch))

    def _take_answers(self, keys: list[tuple[str, int]], known: set[tuple[int, int]] | None = None) -> bool:
        for key, epoch in keys:
            for position in self._by_key.get(key, ()):
                if not known or (position, epoch) not in known:
                    self._wait((position, epoch))
        return bool(keys)

    def _wait(self, place: tuple[int, int]) -> None:
        row = self._rows.get(place)
        if row is not None and row["state"] != "waiting":
            self._put(place, {**row, **_WAITING})
            self._waiting.append(place)

    def _take_verdicts(self) -> None:
        """When verdicts came in, look again at the answers that lack one."""
        n_bytes = sum(path.stat().st_size for path in self.folder.glob("verdicts*.jsonl"))
        if n_bytes != self._n_verdict_bytes:
            self._n_verdict_bytes = n_bytes
            self._scoring = None
            self._waiting.extend(place for place, row in self._rows.items() if row["state"] == "unjudged")

    def _score(self, position: int, epoch: int) -> None:
        record = self.samples.read(position)
        if record is not None:
            self.n_scored += 1
            row = self._row(record, epoch)
            self._put((position, epoch), {name: row.get(name) for name in KEPT})

    def _row(self, record: dict[str, Any], epoch: int) -> dict[str, Any]:
        scoring = self._scoring_now()
        sample = sample_of(record)
        response = self.answers.read((record["key"], epoch))
        if sample.mode != "judge" and scoring.rulebook.name_for(sample).startswith("python:"):
            return {**_about(record, epoch), **(_OWN_CODE if response else {"state": "not_asked"})}
        return scoring.row(record, epoch, response)

    def _scoring_now(self) -> Scoring:
        if self._scoring is None:
            try:
                panel = panel_of(self.folder, self.spec)
            except SnellenError:
                panel = None
            self._scoring = Scoring(self.folder, rulebook_of(self.spec), self._n_epochs(), panel=panel)
        return self._scoring

    def _n_epochs(self) -> int:
        value = self.spec.get("epochs", 1)
        return value if isinstance(value, int) and 1 <= value <= 1000 else 1


def _about(record: Mapping[str, Any], epoch: int) -> dict[str, Any]:
    names = ("dataset", "capability", "mode")
    category = record.get("category") or record.get("capability")
    images = record.get("images") or ()
    sides = [max(i["width"], i["height"]) for i in images if "width" in i]
    return {
        "position": record["position"], "epoch": epoch, "sample_id": record.get("id"), "key": record.get("key"),
        "category": category, "n_images": len(images), "long_side_px": max(sides, default=0),
        "n_choices": len(record.get("choices") or ()), **{name: record.get(name) for name in names},
    }  # fmt: skip
