"""Multi-scene OCR as the public library scores it: F1 over a bag of ASCII letters and digits.

References:
    Yang et al., CC-OCR, 2024, arXiv 2412.02210.

Deviates: every kept character is a token, and everything outside a–z and 0–9 vanishes, so that Chinese, Korean,
Arabic and accented text is not compared at all.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from snellen.scorers.datbench_1_0.text import mean_detail
from snellen.types import Sample, Score, ScoringContext

_NOT_KEPT = re.compile(r"[^a-z0-9]")


def multi_scene_ocr(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """F1 of the two bags of characters."""
    found, truth = _bag(output), _bag(sample.answer)
    matched = sum((found & truth).values())
    n_found, n_truth = found.total(), truth.total()
    recall, precision, f1 = rates(matched, n_truth, n_found)
    details = {
        "score": f1,
        "f1_score": f1,
        "recall": recall,
        "precision": precision,
        "matched_tokens": matched,
        "gt_token_count": n_truth,
        "pred_token_count": n_found,
        "l2_category": sample.metadata.get("l2_category", ""),
        "ground_truth": sample.answer,
        "model_output": output,
    }
    return Score(f1, "", details)


def rates(n_matched: int, n_truth: int, n_found: int) -> tuple[float, float, float]:
    """(recall, precision, F1) of matched tokens; all 1 when both sides are empty.

    >>> rates(1, 2, 1)
    (0.5, 1.0, 0.6666666666666666)
    """
    if not n_truth or not n_found:
        empty = float(n_truth == n_found)
        return empty, empty, empty
    recall, precision = n_matched / n_truth, n_matched / n_found
    return recall, precision, 2 * recall * precision / (recall + precision) if n_matched else 0.0


def _bag(text: Any) -> Counter[str]:
    kept = str(text or "").replace("\t", " ").replace("\n", " ").replace("###", "").replace("***", "")
    return Counter(_NOT_KEPT.sub("", kept.lower()))


def summarise(scores: list[Score]) -> dict[str, Any]:
    """The library's summary: means over samples (macro) and over all tokens together (micro)."""
    totals = [_total(scores, key) for key in ("matched_tokens", "gt_token_count", "pred_token_count")]
    recall, precision, f1 = rates(*totals)
    return {
        "macro_f1": mean_detail(scores, lambda score: score.details.get("f1_score")),
        "micro_f1": f1,
        "macro_recall": mean_detail(scores, lambda score: score.details.get("recall")),
        "macro_precision": mean_detail(scores, lambda score: score.details.get("precision")),
        "micro_recall": recall,
        "micro_precision": precision,
        "accuracy": f1,
        "score": f1,
    }


def _total(scores: list[Score], key: str) -> int:
    return sum(int(score.details.get(key) or 0) for score in scores if score.value is not None)
