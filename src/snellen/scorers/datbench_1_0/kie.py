"""CC-OCR key information as the public library scores it: strict JSON, set F1 and nTED with their quirks."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from snellen.scorers.datbench_1_0.boxed_text import first_balanced_box, first_pipe_box, halfwidth
from snellen.scorers.edit_distance import edit_distances
from snellen.scorers.tree_distance import Floats, tree_distance
from snellen.scorers.trees import Node
from snellen.types import Sample, Score, ScoringContext

_JSON_FENCE = re.compile(r"```json\s*", re.IGNORECASE)
_FENCE = re.compile(r"```\s*")
_ROUNDING = 1e-6
MAX_DEPTH = 900
"""Deeper records exhaust the public library's stack (Python's own JSON reader gives up there as well)."""
_STRICT = json.JSONDecoder()


def score_kie(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Mean of the set F1 of the fields and the normalised tree edit distance.

    Args:
        sample: `answer` holds the reference record as JSON text.
        output: raw model text.
        context: not used.

    Returns:
        The score with `f1_score`, `nted_score` and `l2_category` in its details.
    """
    try:
        given, expected = read_json(output), read_json(sample.answer)
    except RecursionError:
        given = expected = None
    if given is expected is None or max(_depth(given), _depth(expected)) > MAX_DEPTH:
        reason = "the public library raises RecursionError on a record nested so deeply"
        return Score(0.0, reason=reason, details={"score": 0.0})
    predicted, reference = normal_values(given), normal_values(expected)
    f1 = set_f1(predicted, reference)
    nted = tree_similarity(predicted, reference)
    value = (f1 + nted) / 2
    details = {
        "score": value,
        "f1_score": f1,
        "nted_score": nted,
        "l2_category": sample.metadata.get("l2_category", ""),
        "ground_truth": sample.answer,
        "model_output": output,
    }
    return Score(value, answer=str(output), details=details)


def _depth(record: Any) -> int:
    """How many dicts and lists are nested in one another."""
    level, depth = [record], 0
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


def read_json(text: Any) -> Any:
    """Read strict JSON: the whole text, else from the first brace to where the counted braces balance, else {}.

    >>> read_json('Sure: {"a": 1} done'), read_json("{'a': 1}")
    ({'a': 1}, {})
    """
    if not isinstance(text, str):
        return {}
    inner = first_pipe_box(text)
    if inner is None:
        inner = first_balanced_box(text)
    text = _FENCE.sub("", _JSON_FENCE.sub("", inner.strip())).strip()
    try:
        return _STRICT.decode(text)
    except ValueError:
        return _first_object(text)


def _first_object(text: str) -> Any:
    """The object at the first brace, if the braces up to its end balance (braces inside texts count too)."""
    start = text.find("{")
    if start < 0:
        return {}
    try:
        value, end = _STRICT.raw_decode(text, start)
    except ValueError:
        return {}
    return value if text.count("{", start, end) == text.count("}", start, end) else {}


def normal_values(record: Any) -> Any:
    """Values inside dicts in half width with collapsed blanks; a top-level list or scalar stays as it is."""
    if not isinstance(record, dict):
        return record
    result: dict[str, Any] = {}
    waiting = [(record, result)]
    while waiting:
        source, target = waiting.pop()
        for key, value in source.items():
            if isinstance(value, dict):
                target[key] = {}
                waiting.append((value, target[key]))
            elif isinstance(value, list):
                target[key] = [{} if isinstance(item, dict) else normal_text(str(item)) for item in value]
                pairs = zip(value, target[key], strict=True)
                waiting.extend((item, made) for item, made in pairs if isinstance(item, dict))
            else:
                target[key] = normal_text(value) if isinstance(value, str) else value
    return result


def normal_text(text: str) -> str:
    """Half width, blanks collapsed."""
    return " ".join(halfwidth(text).split())


def set_f1(predicted: Any, reference: Any) -> float:
    """F1 over the sets of (path, value); slightly under 1 for a perfect record because of its rounding term.

    >>> round(set_f1({"a": "x"}, {"a": "x"}), 6)
    0.999999
    """
    given, expected = set(_flat(predicted)), set(_flat(reference))
    n_matched, n_wrong = len(given & expected), len(given ^ expected)
    return min(1.0, max(0.0, n_matched / (n_matched + n_wrong / 2 + _ROUNDING)))


def _flat(record: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    waiting: list[tuple[str, Any]] = [("", record)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend((f"{path}.{key}" if path else key, inner) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((path, inner) for inner in value)
        else:
            found.append((path, str(value)))
    return found


def tree_similarity(predicted: Any, reference: Any) -> float:
    """1 − distance of the records' trees / label length of the reference's tree, clipped to [0, 1].

    >>> tree_similarity({"a": "xy"}, {"a": "xz"})
    0.6666666666666667
    """
    expected = record_tree(reference)
    total = _label_length(expected)
    distance = tree_distance(record_tree(predicted), expected, LabelCosts())
    if not total:
        return 0.0 if distance else 1.0
    return min(1.0, max(0.0, 1.0 - distance / total))


class LabelCosts:
    """Inserting or deleting a node costs its label's length, relabelling the labels' edit distance."""

    def weights(self, labels: Sequence[Hashable]) -> Floats:
        """Label lengths, shape (n,)."""
        return np.array([len(str(label)) for label in labels], dtype=np.float64)

    def relabels(self, first: Sequence[Hashable], second: Sequence[Hashable]) -> Floats:
        """Edit distances between labels, shape (n_first, n_second)."""
        return edit_distances(list(map(str, first)), list(map(str, second)))


def record_tree(record: Any) -> Node:
    """The record as a tree: keys in sorted order, list items numbered, values as leaves; null and blank left out."""
    root = Node("root")
    waiting: list[tuple[Node, Any]] = [(root, record)]
    while waiting:
        node, value = waiting.pop()
        if isinstance(value, dict):
            children = [(Node(key), value[key]) for key in sorted(value)]
        elif isinstance(value, list):
            children = [(Node(f"{node.label}[{at}]"), item) for at, item in enumerate(value)]
        else:
            children = []
            if value is not None and str(value).strip():
                node.children.append(Node(str(value)))
        node.children.extend(child for child, _ in children)
        waiting.extend(children)
    return root


def _label_length(root: Node) -> int:
    total, waiting = 0, list(root.children)
    while waiting:
        node = waiting.pop()
        total += len(str(node.label))
        waiting.extend(node.children)
    return total


def aggregate_kie(scores: list[Score]) -> dict[str, float]:
    """Means of the parts and of the score under the library's names; unscored ones are left out.

    The fair rule has no tree part, so that its summary has none either.
    """
    scored = [score for score in scores if score.value is not None]
    known = {name for one in scored for name in one.details}
    parts = ["f1_score"] if "f1_score" in known and "nted_score" not in known else ["f1_score", "nted_score"]
    means = {name: _mean([float(one.details.get(name, 0.0)) for one in scored]) for name in parts}
    value = _mean([one.value or 0.0 for one in scored])
    return {**means, "accuracy": value, "score": value}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
