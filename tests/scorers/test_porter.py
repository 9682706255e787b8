"""Porter's stemmer."""

from __future__ import annotations

import random

import pytest

from snellen.scorers.porter import stem

STEMS = {
    "caresses": "caress", "ponies": "poni", "ties": "tie", "cats": "cat", "agreed": "agre", "plastered": "plaster",
    "sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi",
    "enjoy": "enjoy", "relational": "relat", "conditional": "condit", "vietnamization": "vietnam",
    "digitizer": "digit",
    "triplicate": "triplic", "electrical": "electr", "goodness": "good", "revival": "reviv", "adjustment": "adjust",
    "adoption": "adopt", "probate": "probat", "rate": "rate", "controll": "control", "roll": "roll", "died": "die",
    "geology": "geolog", "skies": "sky", "news": "news", "is": "is",
}  # fmt: skip
SUFFIXES = [
    "ational",
    "tional",
    "enci",
    "anci",
    "izer",
    "bli",
    "alli",
    "entli",
    "eli",
    "ousli",
    "ization",
    "ation",
    "ator",
    "alism",
    "iveness",
    "fulness",
    "ousness",
    "aliti",
    "iviti",
    "biliti",
    "fulli",
    "logi",
    "icate",
    "ative",
    "alize",
    "iciti",
    "ical",
    "ful",
    "ness",
    "al",
    "ance",
    "ion",
    "ement",
    "ies",
    "ied",
    "eed",
    "ed",
    "ing",
    "sses",
    "y",
    "ll",
    "e",
    "s",
]


@pytest.mark.parametrize("word", STEMS)
def test_known_stems(word: str) -> None:
    """Words of the paper and of the extensions."""
    assert stem(word) == STEMS[word]
    assert stem(word.upper()) == STEMS[word]


def test_agrees_with_nltk() -> None:
    """Twenty thousand made-up words have the stems that NLTK gives."""
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    draw = random.Random(1)
    for _ in range(20_000):
        word = "".join(draw.choices("abcdeilnorstyyz", k=draw.randint(0, 5))) + draw.choice(SUFFIXES)
        assert stem(word) == porter.stem(word), word


def test_no_word_is_too_long() -> None:
    """Endless runs come back as they are."""
    assert stem("y" * 100_000) == "y" * 100_000
