"""The four parts of a page's score."""

from __future__ import annotations

import random
from typing import Any

import pytest

from snellen.scorers.page_text import bleu, chinese_words, f_measure, meteor, score_page

PAGE = "The quick brown fox jumps over the lazy dog while the cat sleeps"


def test_a_perfect_page_is_a_little_under_one() -> None:
    """METEOR's penalty of one chunk among thirteen words is what is missing."""
    assert score_page(PAGE, PAGE).value == pytest.approx(1 - 0.5 / 13**3 / 4)


def test_very_short_pages_stay_well_below_one() -> None:
    """BLEU-4 needs four words, and one word is one whole chunk."""
    assert score_page("北京", "北京").value == pytest.approx(0.625)


def test_chinese_is_split_into_words() -> None:
    """Jieba's words, as the authors' evaluator uses; codes are split at their hyphens."""
    assert chinese_words("床前明月光，疑是地上霜。") == ["床前", "明月光", "，", "疑是", "地上", "霜", "。"]
    assert chinese_words("编号：HT-2021_a --") == ["编号", "：", "HT", "-", "2021", "_", "a", " ", "--"]
    assert chinese_words("甲方A.B.C. 3.5%") == ["甲方", "A", ".", "B", ".", "C", ".", " ", "3.5%"]
    assert "".join(chinese_words("\ud800光")) == "?光"


def test_bleu_by_hand() -> None:
    """No order-1 match is 0, a missing higher order weighs as the smallest number, short outputs pay."""
    assert bleu(["a", "b", "c", "d"], ["a", "b", "c", "d"]) == 1.0
    assert bleu(["x"], ["y"]) == bleu([], ["y"]) == 0.0
    assert 0 < bleu(["a", "b"], ["a", "b"]) < 1e-100
    assert bleu(["a", "b", "c", "d"], ["a", "b", "c", "d", "e", "f", "g", "h"]) == pytest.approx(0.36787944)


def test_meteor_by_hand() -> None:
    """Stems match after words; repeats match from the end; order makes chunks."""
    assert meteor(["jumps"], ["jumped"]) == 0.5
    assert meteor(["a"], ["b"]) == meteor([], ["b"]) == 0.0
    assert meteor(["b", "a"], ["a", "b"]) == 0.5


def test_f_measure_by_hand() -> None:
    """Sets of words; empty sides give 0."""
    assert f_measure(["a", "a", "b"], ["a"]) == pytest.approx(2 / 3)
    assert f_measure([], []) == 0.0


def test_agrees_with_nltk() -> None:
    """Random word lists have NLTK's BLEU, METEOR (without WordNet) and F-measure."""
    bleu_score: Any = pytest.importorskip("nltk.translate.bleu_score")
    meteor_score: Any = pytest.importorskip("nltk.translate.meteor_score")

    class NoSynonyms:
        def synsets(self, word: str) -> list[Any]:
            return []

    draw = random.Random(0)
    words = [
        "the",
        "cat",
        "jumps",
        "jumped",
        "jumping",
        "dog",
        "dogs",
        "The",
        "quick",
        "Quickly",
        "relation",
        "relational",
        "x",
    ]
    for _ in range(300):
        first, second = (draw.choices(words, k=draw.randint(1, 12)) for _ in range(2))
        expected = meteor_score.meteor_score([second], first, wordnet=NoSynonyms())
        assert meteor(first, second) == pytest.approx(expected)
        assert bleu(first, second) == pytest.approx(bleu_score.sentence_bleu([second], first))
