"""What there is to say about the judges of a run: verdicts by state, agreement, cost, errors found by people."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import orjson

from snellen.engine.judge_check import ENOUGH, checks_of
from snellen.engine.verdict_ledger import Panel, is_rule
from snellen.scores_file import stream_scores
from snellen.stats.intervals import Interval
from snellen.store import read_log

_COLUMNS = ["key", "epoch", "dataset", "state", "verdict", "scorer", "details"]
_READABLE = ("correct", "incorrect")


@dataclass(slots=True)
class _Seen:
    """What the score rows say about the judges."""

    states: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    votes: dict[str, list[Mapping[str, str]]] = field(default_factory=lambda: defaultdict(list))
    judged: dict[tuple[str, int], float] = field(default_factory=dict)
    readable: dict[tuple[str, int], float] = field(default_factory=dict)
    n_skipped: int = 0
    n_imitating: int = 0
    n_split: int = 0


def judge_facts(folder: Path, spec: Mapping[str, Any], panel: Panel | None) -> dict[str, Any] | None:
    """Everything about the judges of a scored run; None where nobody judged.

    Args:
        folder: the run directory, with its `scores.parquet`.
        spec: its frozen spec.
        panel: whose verdicts count.
    """
    if panel is None:
        return None
    seen = _read(stream_scores(folder / "scores.parquet", _COLUMNS))
    about = spec.get("judge") or {}
    seed = int(spec.get("seed", 0))
    facts: dict[str, Any] = {
        "protocol": panel.protocol,
        "when": about.get("when", "always"),
        "own_prompt": bool(panel.template),
        "judges": {name: _about_judge(folder, name, panel, seen, about.get("prices") or {}) for name in panel.judges},
        "damaged": list(panel.ledger.damaged),
        "n_judged": len(seen.judged),
        "n_split": seen.n_split,
        "n_skipped": seen.n_skipped,
        "n_imitating": seen.n_imitating,
        "agreement": _agreement(seen, panel.judges, seed),
        "people": _people(folder, seen),
    }
    return {**facts, "sentences": _sentences(facts)}


def _read(rows: Iterable[Mapping[str, Any]]) -> _Seen:
    seen = _Seen()
    for row in rows:
        if not str(row["scorer"] or "").startswith("judge:"):
            continue
        details = orjson.loads(row["details"]) if row["details"] else {}
        votes = details.get("votes") or {}
        state = details.get("judged") or ("" if row["scorer"] == "judge:person" else row["verdict"])
        for judge, vote in votes.items():
            seen.states[judge][vote] += 1
        if votes:
            place = (row["key"], int(row["epoch"]))
            seen.votes[row["dataset"] or "(none)"].append(votes)
            seen.judged[place] = float(state == "correct")
            if state in _READABLE:
                seen.readable[place] = float(state == "correct")
            kinds = set(votes.values())
            seen.n_split += {"correct", "incorrect"} <= kinds
        seen.n_skipped += bool(details.get("skipped"))
        seen.n_imitating += bool(details.get("imitates"))
    return seen


def _about_judge(
    folder: Path, name: str, panel: Panel, seen: _Seen, prices: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    check = checks_of(folder, name, panel.protocol, panel.template)
    n_in = panel.ledger.n_in[name] + int(check.get("n_in", 0))
    n_out = panel.ledger.n_out[name] + int(check.get("n_out", 0))
    price = prices.get(name)
    cost = (n_in * price["input"] + n_out * price["output"]) / 1e6 if price else None
    about: dict[str, Any] = {
        "verdicts": dict(seen.states[name]),
        "tokens": {"input": n_in, "output": n_out},
        "cost": cost,
    }
    if check.get("pairs"):
        n_pairs = len(check["pairs"])
        about["self_test"] = {
            "n_pairs": n_pairs,
            "n_agreeing": check["n_agreeing"],
            "n_unparsed": check["n_unparsed"],
            "passed": check["n_agreeing"] >= ENOUGH * n_pairs,
        }
    return about


def _agreement(seen: _Seen, judges: Iterable[str], seed: int) -> dict[str, Any]:
    """Agreement of all pairs of judges, and α of all together: overall and for each source dataset."""
    names = [name for name in judges if seen.states.get(name)]
    if len(names) < 2:
        return {}
    everything = [votes for members in seen.votes.values() for votes in members]
    groups = {"overall": everything, **(seen.votes if len(seen.votes) > 1 else {})}
    return {group: _agreement_in(votes, names, seed) for group, votes in groups.items()}


def _agreement_in(votes: list[Mapping[str, str]], names: list[str], seed: int) -> dict[str, Any]:
    from snellen.stats.agreement import agreement, krippendorff_alpha

    ratings = {name: [vote if (vote := row.get(name)) in _READABLE else None for row in votes] for name in names}
    pairs = []
    for first, second in combinations(names, 2):
        found = agreement(ratings[first], ratings[second], seed=seed)
        measures = {key: _interval(getattr(found, key)) for key in ("observed", "kappa", "ac1", "alpha")}
        pairs.append({"judges": [first, second], "n": found.n, **measures})
    alpha = krippendorff_alpha([ratings[name] for name in names], seed=seed)
    return {"n": len(votes), "pairs": pairs, "alpha": _interval(alpha)}


def _interval(value: Interval) -> dict[str, Any]:
    """One estimate for JSON; NaN becomes null, with its reason."""
    numbers = {"value": value.mean, "low": value.low, "high": value.high}
    out: dict[str, Any] = {key: None if math.isnan(number) else number for key, number in numbers.items()}
    return {**out, "reason": value.reason} if value.reason else out


def _people(folder: Path, seen: _Seen) -> dict[str, Any] | None:
    """The judges against people: rates from the random audit, and the accuracy corrected by it."""
    verdicts = _audited(folder)
    if not verdicts:
        return None
    from snellen.stats.judging_error import judge_quality

    audit = [(place, truth) for place, (truth, is_audit) in verdicts.items() if is_audit and place in seen.judged]
    checked = {place for place, _ in audit}
    readable = [(seen.readable[place], truth) for place, truth in audit if place in seen.readable]
    quality = judge_quality([f for f, _ in readable], [y for _, y in readable])
    unchecked = [value for place, value in seen.judged.items() if place not in checked]
    corrected = _corrected(unchecked, [(seen.judged[place], truth) for place, truth in audit])
    n = len(seen.judged)
    return {
        "n_verdicts": len(verdicts),
        "n_audit": len(audit),
        "n_overruled": sum(seen.readable.get(place, truth) != truth for place, (truth, _) in verdicts.items()),
        "sensitivity": _interval(quality.sensitivity),
        "specificity": _interval(quality.specificity),
        "accuracy": _interval(quality.accuracy),
        "raw": sum(seen.judged.values()) / n if n else None,
        "corrected": _interval(corrected),
    }


def _corrected(unchecked: list[float], pairs: list[tuple[float, float]]) -> Interval:
    """PPI++; where the audit found no error its interval would have no width: then the bound on unseen errors."""
    from snellen.stats.intervals import wilson
    from snellen.stats.judging_error import corrected_mean

    judged, true = [f for f, _ in pairs], [y for _, y in pairs]
    if len(pairs) < 2 or judged != true:
        return corrected_mean(unchecked, judged, true)
    n = len(unchecked) + len(pairs)
    mean, most = math.fsum([*unchecked, *judged]) / n, wilson(0, len(pairs))[1]
    reason = f"no error among {len(pairs)} audited answers"
    return Interval(mean, max(0.0, mean - most), min(1.0, mean + most), n, len(pairs), "bound", reason)


def _audited(folder: Path) -> dict[tuple[str, int], tuple[float, bool]]:
    found: dict[tuple[str, int], tuple[float, bool]] = {}
    for record in read_log(folder / "adjudications.jsonl"):
        value = record.value
        if not value or "prompt_key" not in value:
            continue
        place = (str(value["prompt_key"]), int(value.get("epoch", 0)))
        if value.get("state") not in _READABLE:  # "broken": the label is at fault, nobody's verdict counts
            found.pop(place, None)
        else:
            was_audit = found.get(place, (0.0, False))[1]
            found[place] = (float(value["state"] == "correct"), bool(value.get("audit")) or was_audit)
    return found


def _sentences(facts: Mapping[str, Any]) -> list[str]:
    """What is printed under the table and stands in the report."""
    out = [_judge_sentence(name, about) for name, about in facts["judges"].items()]
    out += [_self_test_sentence(name, about) for name, about in facts["judges"].items() if _failed(about)]
    if facts["damaged"]:
        out.append(f"damaged verdict lines, to be judged again: {', '.join(facts['damaged'][:5])}")
    if facts["when"] == "rule-unsure":
        out.append(f"--judge-when rule-unsure: the rule settled {facts['n_skipped']} answers without a judge")
    if facts["n_imitating"]:
        out.append(
            f"{facts['n_imitating']} answers speak to the judge or imitate a verdict; they were quoted as data"
        )
    if facts["agreement"]:
        out += _agreement_sentences(facts["agreement"]["overall"], facts["n_split"])
    if facts["people"]:
        out.append(_people_sentence(facts["people"]))
    return out


def _judge_sentence(name: str, about: Mapping[str, Any]) -> str:
    states = ", ".join(f"{n} {state}" for state, n in sorted(about["verdicts"].items())) or "no verdict"
    if is_rule(name):
        return f"judge {name}: {states}; no model was asked"
    tokens = about["tokens"]
    cost = f", cost {about['cost']:.4g}" if about["cost"] is not None else ""
    spent = f"{tokens['input']} tokens in, {tokens['output']} out{cost}"
    return f"judge {name}: {states}; {spent} (apart from the model's)"


def _failed(about: Mapping[str, Any]) -> bool:
    return not about.get("self_test", {"passed": True})["passed"]


def _self_test_sentence(name: str, about: Mapping[str, Any]) -> str:
    test = about["self_test"]
    return (
        f"WARNING: judge {name} agrees with the known verdict on {test['n_agreeing']} of {test['n_pairs']} pairs "
        f"({test['n_unparsed']} unreadable); below {ENOUGH:.0%} its verdicts are not to be trusted"
    )


def _agreement_sentences(overall: Mapping[str, Any], n_split: int) -> list[str]:
    out = []
    for pair in overall["pairs"]:
        first, second = pair["judges"]
        measures = f"{_percent(pair['observed'])}, κ {_number(pair['kappa'])}, AC1 {_number(pair['ac1'])}"
        out.append(f"{first} and {second} agree on {measures} ({pair['n']} answers both could grade)")
    out.append(f"Krippendorff's α of the panel {_number(overall['alpha'])}; split on {n_split} answers")
    return out


def _people_sentence(people: Mapping[str, Any]) -> str:
    if not people["n_audit"]:
        return f"people decided {people['n_verdicts']} answers; none was drawn at random, so nothing is corrected"
    return (
        f"people checked {people['n_audit']} randomly drawn answers and overruled {people['n_overruled']} verdicts: "
        f"judge's sensitivity {_percent(people['sensitivity'])}, specificity {_percent(people['specificity'])}; "
        f"accuracy as judged {100 * people['raw']:.1f} %, corrected for the judge's errors (PPI++) "
        f"{_percent(people['corrected'])}"
    )


def _percent(value: Mapping[str, Any]) -> str:
    if value["value"] is None:
        return f"– ({value.get('reason', 'unknown')})"
    whole = f"{100 * value['value']:.1f} %"
    return whole if value["low"] is None else f"{whole} ({100 * value['low']:.1f} … {100 * value['high']:.1f})"


def _number(value: Mapping[str, Any]) -> str:
    if value["value"] is None:
        return f"– ({value.get('reason', 'unknown')})"
    whole = f"{value['value']:.2f}"
    return whole if value["low"] is None else f"{whole} ({value['low']:.2f} … {value['high']:.2f})"
