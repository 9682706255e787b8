"""Fair rule for multi-scene OCR: F1 over a bag of words, or of characters where a script writes no word gaps.

References:
    Yang et al., CC-OCR: A Comprehensive and Challenging OCR Benchmark, 2024, arXiv 2412.02210.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from snellen.answers.folding import fold
from snellen.answers.whole_text import read_whole
from snellen.scorers.references import references_of
from snellen.types import Sample, Score, ScoringContext

_BY_CHARACTER = (
    "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u0600-\u06ff\u0750-\u077f\u0870-\u08ff"  # Arabic
)
_TOKEN = re.compile(rf"[{_BY_CHARACTER}]|[^\s{_BY_CHARACTER}]+")
_NO_LETTER = re.compile(r"[^\w\s]|_")
_MARKUP = re.compile(r"###|\*\*\*")


def multi_scene_ocr(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """F1 of the tokens read and the tokens written; two empty texts are 1, one is 0."""
    truth_text = sample.answer if isinstance(sample.answer, str) else next(iter(references_of(sample)), "")
    text = read_whole(output)
    truth, found = Counter(tokens(truth_text)), Counter(tokens(text))
    if not truth and truth_text.strip():
        truth, found = Counter(fold(truth_text).split()), Counter(text.split())
    matched, n_truth, n_found = (truth & found).total(), truth.total(), found.total()
    recall, precision = _share(matched, n_truth, n_found), _share(matched, n_found, n_truth)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    details = {
        "score": f1,
        "f1_score": f1,
        "recall": recall,
        "precision": precision,
        "matched_tokens": matched,
        "gt_token_count": n_truth,
        "pred_token_count": n_found,
        "l2_category": sample.metadata.get("l2_category"),
    }
    return Score(f1, text[:_SHOWN], details)


_SHOWN = 2000
"""Characters of the text that are kept as the answer read."""


def tokens(text: str) -> list[str]:
    """Words in lower case with letters and digits only; single characters of Han, kana, Hangul and Arabic.

    >>> tokens("北京 Grand-Hotel, est. 1932")
    ['北', '京', 'grandhotel', 'est', '1932']
    """
    return _TOKEN.findall(_NO_LETTER.sub("", _MARKUP.sub("", fold(text).lower())))


def _share(n_matched: int, n: int, n_other: int) -> float:
    if not n:
        return float(not n_other)
    return n_matched / n
