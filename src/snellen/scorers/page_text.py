"""How well a page of text was read: BLEU, METEOR, F-measure and edit similarity, a quarter each (OCRBench v2).

Deviates: METEOR matches words by form and by stem, not by WordNet synonyms. A reader who writes "big" for the printed
"large" has misread the page.

References:
    Fu et al., "OCRBench v2" (2024), arXiv:2501.00321. Papineni et al., "BLEU" (2002), doi:10.3115/1073083.1073135.
    Banerjee and Lavie, "METEOR" (2005), ACL W05-0909.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from snellen.scorers.edit_distance import edit_similarity
from snellen.scorers.porter import stem

_HAN = re.compile(r"[\u4e00-\u9fa5]")
_ASCII_WORD = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")
_JOINERS = re.compile(r"[-_.]")
_MAX_ORDER = 4
_RECALL_SHARE = 0.9
_CHUNK_PENALTY = 0.5
_CHUNK_POWER = 3


@dataclass(frozen=True, slots=True)
class PageScore:
    """The four parts of a page's score, each in [0, 1]."""

    bleu: float
    meteor: float
    f_measure: float
    edit: float

    @property
    def value(self) -> float:
        """Their mean, clipped to [0, 1]."""
        return min(1.0, max(0.0, (self.bleu + self.meteor + self.f_measure + self.edit) / 4))


def score_page(predicted: str, reference: str) -> PageScore:
    """Compare a page of text with the true one.

    Args:
        predicted: the text read, outer blanks removed.
        reference: the true text.

    Returns:
        The four parts. Words are split at blanks, or by a Chinese word segmenter when either side has Han characters.

    Raises:
        ScorerError: both texts are too long for the work bound of the edit distance.

    >>> round(score_page("the quick brown fox", "the quick brown fox").value, 4)
    0.998
    """
    has_han = has_chinese(predicted) or has_chinese(reference)
    split = chinese_words if has_han else str.split
    given, expected = split(predicted), split(reference)
    return PageScore(
        bleu=bleu(given, expected),
        meteor=meteor(given, expected),
        f_measure=f_measure(given, expected),
        edit=edit_similarity(predicted, reference),
    )


def has_chinese(text: str) -> bool:
    """Whether a text holds Han characters of the common block."""
    return _HAN.search(text) is not None


def chinese_words(text: str) -> list[str]:
    """Split Chinese text into words by jieba's dictionary; every blank is a token too.

    >>> chinese_words("我爱北京天安门")
    ['我', '爱', '北京', '天安门']
    """
    import rjieba

    words: list[str] = []
    for word in rjieba.cut(text.encode("utf-8", "replace").decode("utf-8")):
        # The Rust port keeps codes such as HT-2021_a and A.B. in one piece, the original splits them.
        words.extend(filter(None, _ASCII_WORD.split(word)) if _JOINERS.search(word) else (word,))
    return words


def bleu(predicted: Sequence[str], reference: Sequence[str]) -> float:
    """Sentence BLEU-4 without smoothing; an order without any match weighs as the smallest positive number.

    >>> bleu("a b c d".split(), "a b c d".split()), bleu(["x"], ["y"])
    (1.0, 0.0)
    """
    total = 0.0
    for order in range(1, _MAX_ORDER + 1):
        given, expected = _ngrams(predicted, order), _ngrams(reference, order)
        n_matched = sum(min(count, expected[gram]) for gram, count in given.items())
        if order == 1 and not n_matched:
            return 0.0
        share = n_matched / max(1, len(predicted) - order + 1)
        total += math.log(share or sys.float_info.min) / _MAX_ORDER
    return _brevity(len(predicted), len(reference)) * math.exp(total)


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))


def _brevity(n_predicted: int, n_reference: int) -> float:
    return 1.0 if n_predicted > n_reference else math.exp(1 - n_reference / n_predicted)


def meteor(predicted: Sequence[str], reference: Sequence[str]) -> float:
    """METEOR with its usual parameters (recall share 0.9, chunk penalty 0.5 · fragmentation³), case ignored.

    >>> meteor("the cat jumps".split(), "the cat jumped".split())
    0.9814814814814815
    """
    matches = _alignment([word.lower() for word in predicted], [word.lower() for word in reference])
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(predicted), len(matches) / len(reference)
    mean = precision * recall / (_RECALL_SHARE * precision + (1 - _RECALL_SHARE) * recall)
    fragmentation = _n_chunks(matches) / len(matches)
    return mean * (1 - _CHUNK_PENALTY * fragmentation**_CHUNK_POWER)


def _alignment(predicted: list[str], reference: list[str]) -> list[tuple[int, int]]:
    """Pairs of positions: equal words first, then equal stems, each from the end backwards; sorted."""
    given, expected = list(enumerate(predicted)), list(enumerate(reference))
    exact = _matched(given, expected)
    used_given, used_expected = {place for place, _ in exact}, {place for _, place in exact}
    given = [(place, stem(word)) for place, word in given if place not in used_given]
    expected = [(place, stem(word)) for place, word in expected if place not in used_expected]
    return sorted(exact + _matched(given, expected))


def _matched(given: list[tuple[int, str]], expected: list[tuple[int, str]]) -> list[tuple[int, int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in expected:
        places[word].append(place)
    return [(place, places[word].pop()) for place, word in reversed(given) if places.get(word)]


def _n_chunks(matches: list[tuple[int, int]]) -> int:
    """Runs of matches that are adjacent on both sides."""
    return 1 + sum((b[0] - a[0], b[1] - a[1]) != (1, 1) for a, b in pairwise(matches))


def f_measure(predicted: Sequence[str], reference: Sequence[str]) -> float:
    """Harmonic mean of precision and recall over the sets of words; 0 when either side is empty.

    >>> f_measure(["a", "b"], ["b", "c"])
    0.5
    """
    given, expected = set(predicted), set(reference)
    return 2 * len(given & expected) / (len(given) + len(expected)) if given and expected else 0.0
