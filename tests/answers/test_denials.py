"""Denied options."""

from __future__ import annotations

import pytest

from snellen.answers.denials import is_denied


@pytest.mark.parametrize(
    "text",
    [
        "not X",
        "It isn't X",
        "rather than X",
        "Option X does not fit",
        "X is wrong",
        "X is too large",
        "exclude X",
        "It can't be P, Q or X",
        "X and Q are incorrect",
        "everything but X",
        "X, on the other hand, is larger",
        "X can be ruled out",
        "does not belong to set X",
        "(X) is not right",
        "X: wrong",
    ],
)
def test_denied(text: str) -> None:
    """Each wording takes X out of the running."""
    at = text.index("X")
    assert is_denied(text, at, at + 1)


@pytest.mark.parametrize(
    "text", ["It is X", "X is correct", "The one that does not fit is X", "not P but X", "X, not P"]
)
def test_not_denied(text: str) -> None:
    """A denial of something else leaves X standing."""
    at = text.index("X")
    assert not is_denied(text, at, at + 1)
