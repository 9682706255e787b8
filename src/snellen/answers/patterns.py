"""Small helpers to write long patterns readably."""

from __future__ import annotations


def any_of(*alternatives: str) -> str:
    """A non-capturing group of alternatives; a text of several words parted by blanks around `|` stays one.

    >>> any_of("a", "b c")
    '(?:a|b c)'
    """
    return "(?:" + "|".join(alternatives) + ")"


def any_word(words: str) -> str:
    """A non-capturing group of the blank-separated words of a text; `_` stands for a blank inside a word.

    >>> any_word("yes of_course")
    '(?:yes|of course)'
    """
    return "(?:" + "|".join(word.replace("_", " ") for word in words.split()) + ")"
