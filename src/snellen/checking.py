"""`snellen check`: what is wrong with a benchmark before a model is asked anything."""

from __future__ import annotations

import hashlib
import math
import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from snellen import images
from snellen.errors import ImageError
from snellen.scorers import SCORERS
from snellen.types import Benchmark, ImagePart, Sample, TextPart

BIAS_P = 0.01
"""Letter-position bias is reported below this probability."""
_BIAS_LEAST = 30
_CHUNK = 16
_LETTERS = string.ascii_uppercase
_TRIVIAL = frozenset(("yes", "no", "true", "false", "none", "left", "right"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong."""

    kind: str
    """"missing image", "unreadable image", "duplicate id", "duplicate item", "empty answer", "no such option",
    "answer in question", "repeated option", "metadata", "letter bias" or "damaged row"."""
    ids: tuple[str, ...]
    """Samples concerned; empty when it concerns the benchmark."""
    message: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All that was found."""

    benchmark: str
    """Its name."""
    n_samples: int
    """Samples looked at."""
    n_images: int
    """Different images decoded."""
    findings: tuple[Finding, ...]
    """In order of kind, then of sample."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def by_kind(self) -> dict[str, list[Finding]]:
        """Findings grouped by kind."""
        groups: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            groups[finding.kind].append(finding)
        return dict(groups)

    def as_record(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "benchmark": self.benchmark,
            "n_samples": self.n_samples,
            "n_images": self.n_images,
            "ok": self.ok,
            "counts": {kind: len(found) for kind, found in self.by_kind().items()},
            "findings": [{"kind": f.kind, "ids": list(f.ids), "message": f.message} for f in self.findings],
        }


@dataclass(slots=True)
class _Seen:
    """What the pass over the samples remembers: hashes and short texts only."""

    ids: Counter[str] = field(default_factory=Counter)
    items: dict[bytes, list[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(list))
    """Content → (id, answer, group)."""
    image_problems: dict[str, str] = field(default_factory=dict)
    """Hash of an image → what is wrong with it, "" for nothing."""
    letters: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Number of options → how often each letter is the key."""
    imageless: list[str] = field(default_factory=list)
    n_samples: int = 0


def check(benchmark: Benchmark, *, allow_urls: bool = False, n_threads: int = 4) -> CheckReport:
    """Look at every sample and every image of a benchmark.

    Args:
        benchmark: any; one pass over its samples, a few in memory at a time.
        allow_urls: whether images at http(s) addresses are fetched (otherwise they are reported as unreadable).
        n_threads: images decoded at once.

    Returns:
        The findings; `ok` is True when there are none.
    """
    seen, findings = _Seen(), list(_damage(benchmark))
    root: Path | None = getattr(benchmark, "root", None)
    stream = iter(benchmark.samples())
    with ThreadPoolExecutor(max(1, n_threads)) as pool:
        while chunk := list(islice(stream, _CHUNK)):
            looked = pool.map(lambda sample: _look(sample, root, allow_urls, seen.image_problems), chunk)
            for sample, (digests, problems) in zip(chunk, looked, strict=True):
                findings += _of_sample(sample, digests, problems, seen)
    if seen.image_problems:
        findings += [Finding("missing image", (one,), f"{one} has no image") for one in seen.imageless]
    findings += [*_duplicates(seen), *_letter_bias(seen.letters)]
    order = {kind: position for position, kind in enumerate(dict.fromkeys(f.kind for f in findings))}
    findings.sort(key=lambda finding: order[finding.kind])
    return CheckReport(benchmark.name, seen.n_samples, len(seen.image_problems), tuple(findings))


def _damage(benchmark: Benchmark) -> Iterator[Finding]:
    """What the loader of an own file noticed."""
    for problem in getattr(benchmark, "damaged", ()):
        yield Finding("damaged row", (), str(problem))
    for name, first, later in getattr(benchmark, "duplicate_ids", ()):
        yield Finding("duplicate id", (name,), f"the id {name!r} stands on {first} and on {later}")


def _look(
    sample: Sample, root: Path | None, allow_urls: bool, known: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Hash and decode the images of one sample: (hashes, (hash, problem) of each)."""
    digests: list[str] = []
    problems: list[tuple[str, str]] = []
    for part in sample.parts:
        if not isinstance(part, ImagePart):
            continue
        try:
            data = images.read_bytes(part.source, root=root, allow_urls=allow_urls)
        except ImageError as error:
            digests.append(f"unread {sample.id} {len(digests)}")
            problems.append((digests[-1], str(error)))
            continue
        digests.append(images.sha256_hex(data))
        problems.append((digests[-1], known[digests[-1]] if digests[-1] in known else _decoding_problem(data)))
    return digests, problems


def _decoding_problem(data: bytes) -> str:
    try:
        images.decode(data)
    except ImageError as error:
        return str(error)
    return ""


def _of_sample(sample: Sample, digests: list[str], problems: list[tuple[str, str]], seen: _Seen) -> Iterator[Finding]:
    seen.n_samples += 1
    seen.ids[sample.id] += 1
    for digest, problem in problems:
        seen.image_problems[digest] = problem
        if problem:
            yield Finding("unreadable image", (sample.id,), f"{sample.id}: {problem}")
    if not digests:
        seen.imageless.append(sample.id)
    seen.items[_content(sample, digests)].append((sample.id, _key_text(sample), sample.group))
    yield from _answer_findings(sample, seen)
    yield from _metadata_findings(sample)


def _content(sample: Sample, digests: list[str]) -> bytes:
    text = "\0".join(" ".join(part.text.split()) for part in sample.parts if isinstance(part, TextPart))
    whole = "\0".join((text.casefold(), *sample.choices, *digests)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).digest()[:16]


def _key_text(sample: Sample) -> str:
    return sample.references[0][:200] if sample.references else repr(sample.answer)[:200]


def _answer_findings(sample: Sample, seen: _Seen) -> Iterator[Finding]:
    if not any(one.strip() for one in sample.references) and sample.answer in (None, "", [], {}):
        yield Finding("empty answer", (sample.id,), f"{sample.id} has no answer")
        return
    if sample.choices:
        yield from _option_findings(sample, seen)
    elif (found := _answer_in_question(sample)) is not None:
        yield Finding("answer in question", (sample.id,), f"{sample.id}: the answer {found!r} stands in the question")


def _option_findings(sample: Sample, seen: _Seen) -> Iterator[Finding]:
    texts = [choice.strip().casefold() for choice in sample.choices]
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        yield Finding("repeated option", (sample.id,), f"{sample.id}: the option {twice!r} stands twice")
    letter = key_letter(sample)
    if letter is None:
        message = f"{sample.id}: the answer {_key_text(sample)!r} is none of its {len(sample.choices)} options"
        yield Finding("no such option", (sample.id,), message)
    else:
        seen.letters[len(sample.choices)][letter] += 1


def key_letter(sample: Sample) -> str | None:
    """Letter of the right option, None when no reference is one of the options.

    >>> key_letter(Sample("1", (), "?", references=("blue",), choices=("red", "blue")))
    'B'
    """
    texts = [choice.strip().casefold() for choice in sample.choices]
    for reference in sample.references:
        plain = reference.strip()
        if plain.casefold() in texts and len(plain) > 1:
            return _LETTERS[texts.index(plain.casefold())]
        letter = plain.strip("().: ").upper()
        if len(letter) == 1 and letter in _LETTERS[: len(texts)]:
            return letter
        if plain.casefold() in texts:
            return _LETTERS[texts.index(plain.casefold())]
    return None


def _answer_in_question(sample: Sample) -> str | None:
    """The answer, where the question gives it away; alternatives ("left or right?") and short ones do not count."""
    answer = sample.references[0].strip() if sample.references else ""
    plain = answer.casefold()
    if len(plain) < 3 or plain in _TRIVIAL or (plain.isdigit() and len(plain) < 3) or len(plain) > 300:
        return None
    question = sample.question.casefold()
    at = re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", question)
    if at is None:
        return None
    before, after = question[: at.start()].rstrip(" \"'“"), question[at.end() :].lstrip(" \"'”")
    offered = re.search(r"(?:\bor|/|,)$", before) or re.match(r"(?:or\b|/|,)", after)
    return None if offered or " or " in after[:80] else answer


def _metadata_findings(sample: Sample) -> Iterator[Finding]:
    if sample.metadata_error:
        yield Finding("metadata", (sample.id,), f"{sample.id}: {sample.metadata_error}")
        return
    scorer = SCORERS.get(sample.dataset)
    for key in scorer.required_metadata if scorer and sample.mode != "judge" else ():
        if key not in sample.metadata:
            message = f"{sample.id}: the metadata lacks {key!r}, without which {sample.dataset} cannot be scored"
            yield Finding("metadata", (sample.id,), message)


def _duplicates(seen: _Seen) -> Iterator[Finding]:
    for name, n_rows in seen.ids.items():
        if n_rows > 1:
            yield Finding("duplicate id", (name,), f"the id {name!r} stands {n_rows} times")
    for same in seen.items.values():
        ids = tuple(name for name, _, _ in same)
        if len(same) < 2 or (same[0][2] and len({group for _, _, group in same}) == 1):
            continue
        answers = {answer for _, answer, _ in same}
        how = "with different answers" if len(answers) > 1 else "with the same answer"
        shown = ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
        yield Finding("duplicate item", ids, f"the same question on the same images {how}: {shown}")


def _letter_bias(letters: Mapping[int, Counter[str]]) -> Iterator[Finding]:
    """A key that prefers some letters can be guessed: chi-square of the counts against equal shares."""
    statistic, n_free, total, shown = 0.0, 0, 0, []
    for n_options, counts in sorted(letters.items()):
        n_keys = sum(counts.values())
        if n_options < 2 or n_keys < 5 * n_options:
            continue
        expected = n_keys / n_options
        statistic += sum((counts[letter] - expected) ** 2 / expected for letter in _LETTERS[:n_options])
        n_free, total = n_free + n_options - 1, total + n_keys
        shown.append(" ".join(f"{letter} {counts[letter]}" for letter in _LETTERS[:n_options]))
    if total < _BIAS_LEAST or not n_free:
        return
    p = chi_square_tail(statistic, n_free)
    if p < BIAS_P:
        counted = "; ".join(shown)
        yield Finding("letter bias", (), f"the key prefers some letters ({counted}; chi-square p = {p:.2g})")


def chi_square_tail(statistic: float, n_free: int) -> float:
    """Probability of a chi-square value at least this large.

    Args:
        statistic: ≥ 0.
        n_free: degrees of freedom, ≥ 1.

    References: Abramowitz & Stegun, Handbook of Mathematical Functions, 1964, 26.4.4 and 26.4.5.

    >>> round(chi_square_tail(3.841, 1), 3), round(chi_square_tail(9.488, 4), 3)
    (0.05, 0.05)
    """
    half = statistic / 2
    if n_free % 2:
        total, term, start = math.erfc(math.sqrt(half)), 2 * math.sqrt(half / math.pi) * math.exp(-half), 3
    else:
        total, term, start = math.exp(-half), half * math.exp(-half), 4
    for k in range(start, n_free + 1, 2):
        total += term
        term *= statistic / k
    return min(1.0, total)


def lines_of(report: CheckReport, *, n_shown: int = 20) -> Iterable[str]:
    """The report as lines of text, at most so many findings of a kind."""
    for kind, found in report.by_kind().items():
        yield f"{kind}: {len(found)}"
        yield from (f"  {finding.message}" for finding in found[:n_shown])
        if len(found) > n_shown:
            yield f"  … and {len(found) - n_shown} more (--json lists all)"
    verdict = "nothing found" if report.ok else f"{len(report.findings)} findings"
    yield f"{report.benchmark}: {report.n_samples} samples, {report.n_images} images, {verdict}"
