"""How many samples a second each scorer takes on one core, short and long, beside the public library's figures.

    python benchmarks/scorers.py [DATASET …] [--seconds 0.5]

Short: the reference vectors of the dataset (tests/golden). Long: one of its rows with a long output of the kind that
the dataset brings (a rambling last line, a page, a table). Growth: the exponent of time against length from 1,000 to
16,000 characters of rambling (1 is linear). The public library's figures: one core of another machine.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from snellen.rows import sample_from_row
from snellen.scorers import RULES, SCORERS, Rules, score_sample
from snellen.types import Sample, ScoringContext

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
PUBLIC_SHORT = {
    "ai2d": 68_335, "chartqa": 59_308, "chartqapro": 22_531, "charxiv_descriptive": 83_795,
    "charxiv_reasoning": 88_228, "logicvista": 33_976, "mathvision": 426, "mathvista": 62_836, "mmbench": 68_722,
    "mme-realworld-ad": 143_208, "mme-realworld-dt": 143_606, "mme-realworld-mo": 143_298,
    "mme-realworld-ocr": 143_126, "mmmu": 125_059, "mmmupro": 56_223, "realworldqa": 39_294, "text-vqa": 3216,
    "vqa-v2": 4124,
}  # fmt: skip
"""Samples/s of the public library on short input (best pass), where a figure of its own is known."""
CONTEXT = ScoringContext()
WORDS = "The picture shows several regions of text and each of them has to be read with care before one can tell. "
Work = tuple[Sample, Any]


def rambling(n_chars: int) -> str:
    """One line of prose of this many characters."""
    return (WORDS * (n_chars // len(WORDS) + 1))[:n_chars].strip()


def html_table(n_rows: int, n_columns: int, changed: str = "") -> str:
    """An HTML table of short cells; `changed` makes every seventh cell differ."""
    cells = [
        [
            f"cell {row}.{column}{changed if (row * n_columns + column) % 7 == 0 else ''}"
            for column in range(n_columns)
        ]
        for row in range(n_rows)
    ]
    return "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in cells) + "</table>"


def record(n_items: int, changed: str = "") -> str:
    """A receipt of items with three fields each, as JSON."""
    items = [
        {"name": f"item {n}{changed if n % 3 == 0 else ''}", "count": str(n), "price": f"{n}.50"}
        for n in range(n_items)
    ]
    return json.dumps({"menu": items})


def row(dataset: str, answer: str, **metadata: Any) -> Sample:
    """A sample of a dataset with this reference."""
    return sample_from_row(
        {
            "id": dataset, "image": None, "question": "Read the text.", "answer": answer, "all_answers": [answer],
            "metadata": metadata, "source_info": {"dataset": dataset},
        }
    )  # fmt: skip


def pixmo_sample(n_masks: int, side: int) -> Work:
    """Points against masks of side × side pixels."""
    masks = [[[float(x == n) for x in range(side)] for _ in range(side)] for n in range(n_masks)]
    points = [[n / side, 0.5] for n in range(n_masks)]
    sample = row("pixmo_points_eval", "", points_target=points, points_mask=masks, has_target=True)
    return sample, " ".join(f"({100 * x:.1f}, {100 * y:.1f})" for x, y in points)


def long_cases() -> dict[str, tuple[Callable[[], Work], float]]:
    """Name → (maker of one long sample, samples/s of the public library)."""
    page = rambling(4000)
    doc, table = {"l2_category": "doc"}, {"l2_category": "table"}
    return {
        "docvqa, last line of 3,000 characters": (lambda: (row("docvqa", "INV-20391"), rambling(3000)), 78),
        "cc-ocr-doc_parsing, 4,000 × 4,000 characters": (
            lambda: (row("cc-ocr-doc_parsing", page, **doc), page.replace("text", "next")), 0.42),
        "cc-ocr-doc_parsing, table of 20 × 6": (
            lambda: (row("cc-ocr-doc_parsing", html_table(20, 6), **table), html_table(20, 6, "x")), 7.7),
        "cc-ocr-doc_parsing, table of 40 × 8": (
            lambda: (row("cc-ocr-doc_parsing", html_table(40, 8), **table), html_table(40, 8, "x")), 1.0),
        "cc-ocr-kie, 20 items × 3 fields": (lambda: (row("cc-ocr-kie", record(20)), record(20, "x")), 1.7),
        "cc-ocr-kie, 50 items × 3 fields": (lambda: (row("cc-ocr-kie", record(50)), record(50, "x")), 0.20),
        "ocrbench-v2, page of 2,000 characters": (
            lambda: (row("ocrbench-v2", rambling(2000), type="full-page OCR en"), rambling(1990)), 1.3),
        "pixmo_points_eval, 40 masks of 100 × 100": (lambda: pixmo_sample(40, 100), 130),
    }  # fmt: skip


def short_work(dataset: str) -> list[Work]:
    """The reference vectors of a dataset, without those that are long on purpose."""
    lines = (GOLDEN / f"{dataset}.jsonl").read_text("utf-8").split("\n")
    vectors = [json.loads(line) for line in lines if line]
    return [
        (sample_from_row(v["row"]), v["output"])
        for v in vectors
        if "raises" not in v["expected"] and len(str(v["output"])) <= 500
    ]


def rate(work: list[Work], rules: Rules, seconds: float) -> float:
    """Samples/s over at least this many seconds of processor time, after one pass that imports what is lazy."""
    for sample, output in work:
        score_sample(sample, output, rules, CONTEXT)
    n, started = 0, time.process_time()
    while True:
        for sample, output in work:
            score_sample(sample, output, rules, CONTEXT)
        n += len(work)
        spent = time.process_time() - started
        if spent >= seconds:
            return n / spent


def growth(sample: Sample, rules: Rules) -> float:
    """Exponent of time against the length of a rambling output, from 1,000 to 16,000 characters."""
    short, long = (1 / rate([(sample, rambling(n) + "\nAnswer: 7")], rules, 0.05) for n in (1000, 16_000))
    return math.log(long / short) / math.log(16)


def print_short(datasets: Iterable[str], seconds: float) -> None:
    """Short input and growth, one line a dataset."""
    print(f"{'short input':<26}{'datbench-1.0':>14}{'fair':>12}{'public':>14}{'growth':>16}")
    for dataset in datasets:
        work = short_work(dataset)
        if not work:  # the public library raises on every row
            continue
        parity, fair = (rate(work, rules, seconds) for rules in reversed(RULES))
        exponents = " / ".join(f"{growth(work[0][0], rules):.2f}" for rules in reversed(RULES))
        public = PUBLIC_SHORT.get(dataset)
        print(
            f"{dataset:<26}{parity:>12,.0f}/s{fair:>10,.0f}/s{f'{public:,}/s' if public else '':>14}{exponents:>16}"
        )


def print_long(datasets: Iterable[str], seconds: float) -> None:
    """The long samples that the public library is slow on."""
    chosen = set(datasets)
    print(f"\n{'long input':<48}{'datbench-1.0':>14}{'fair':>12}{'public':>10}{'times':>8}")
    for name, (make, public) in long_cases().items():
        if name.split(",")[0] not in chosen:
            continue
        work = [make()]
        parity, fair = (rate(work, rules, seconds) for rules in reversed(RULES))
        print(f"{name:<48}{parity:>12,.1f}/s{fair:>10,.1f}/s{public:>8g}/s{parity / public:>8.1f}")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", help="default: all")
    parser.add_argument("--seconds", type=float, default=0.3, help="processor time for each figure")
    options = parser.parse_args()
    datasets = options.datasets or sorted(SCORERS)
    print_short(datasets, options.seconds)
    print_long(datasets, options.seconds)


if __name__ == "__main__":
    main()
