"""LaTeX frames taken off."""

from __future__ import annotations

import pytest

from snellen.scorers.plain_latex import without_commands, without_math_delimiters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\documentclass[12pt]{article}x", "x"),
        (r"\usepackage[utf8]{inputenc} \geometry{a=1}x", " x"),
        (r"\title{A {nested} title}x\author {B}", "x"),
        (r"\begin{document}x\end{document}", "x"),
        (r"\titlepage{x} \begin{itemize}", r"\titlepage{x} \begin{itemize}"),
        (r"\title{never closed \begin{document}x", r"\title{never closed x"),
    ],
)
def test_commands(text: str, expected: str) -> None:
    """Preamble commands go with options and balanced arguments, other commands stay."""
    assert without_commands(text) == expected


def test_many_open_commands_end() -> None:
    """A hundred thousand commands that never close cost one look."""
    text = r"\title{" * 100_000
    assert without_commands(text) == text


@pytest.mark.parametrize("text", ["$x$", "$$x$$", r"\[x\]", r"\(x\)", " $x$ "])
def test_delimiters(text: str) -> None:
    """One pair around the whole formula goes."""
    assert without_math_delimiters(text) == "x"


def test_inner_delimiters_stay() -> None:
    """Two formulas side by side are not one."""
    assert without_math_delimiters("$x$ and $y$") == "$x$ and $y$"
