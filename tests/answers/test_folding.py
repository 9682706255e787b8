"""One spelling for one character."""

from __future__ import annotations

import pytest

from snellen.answers.folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ﬁx", "fix"), ("ＡＢＣ", "ABC"), ("Cafe\u0301", "Café"), ("①", "1"), ("\u22125", "-5"), ("a\u200bb", "ab"),
        ("\ud800x", "\ud800x"), ("plain", "plain"), ("中文", "中文"), ("A\u0300\u200b\u0323", "\u1ea0\u0300"),
    ],
)  # fmt: skip
def test_characters(text: str, folded: str) -> None:
    """Compatibility forms, accents, signs and invisible marks come out in one form, and once is enough."""
    assert fold(text) == folded
    assert fold(fold(text)) == fold(text)


def test_a_long_text_of_ligatures_stays_as_it_is() -> None:
    """One character that stands for eighteen cannot multiply the work; a short text of them is folded."""
    assert fold("ﷺ" * 200_000) == "ﷺ" * 200_000
    assert len(fold("ﷺ" * 10)) == 180
    assert fold("Ａ" * 200_000) == "A" * 200_000
