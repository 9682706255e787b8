"""How many items of a reference list an answer names: one to one, in any order or in the given one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from snellen.answers.listing import MAX_ITEMS, Listing, read_listing, read_range
from snellen.answers.wording import text_words

MAX_PAIRS = 2_500
"""Pairs of items that are compared; larger lists are compared in order only."""

ItemMatch = Callable[[int, str], bool]
"""(place in the reference list, answer item) → whether they are the same."""


def read_reference(text: str) -> Listing | None:
    """The list that a reference stands for, None when it is one value.

    >>> read_reference("[South Korea, New Zealand]").items, read_reference("1,234"), read_reference("[5]")
    (('South Korea', 'New Zealand'), None, None)
    """
    listing = read_listing(text, split_and=False)
    if len(listing.items) < 2:
        listing = read_listing(text) if listing.brackets else listing
    return listing if len(listing.items) > 1 else None


def matched_items(n_items: int, items: Sequence[str], is_same: ItemMatch, *, ordered: bool) -> int:
    """Largest number of reference items that can be paired with answer items.

    Args:
        n_items: length of the reference list.
        items: the answer's items.
        is_same: compares the reference item at a place with an answer item.
        ordered: whether only equal places are paired.
    """
    if ordered or n_items * len(items) > MAX_PAIRS:
        return sum(is_same(at, item) for at, item in enumerate(items[:n_items]))
    partners = [[at for at in range(n_items) if is_same(at, item)] for item in items]
    return _largest_pairing(partners)


def _largest_pairing(partners: list[list[int]]) -> int:
    """Maximum bipartite matching by augmenting paths (breadth first, so without recursion)."""
    holder: dict[int, int] = {}
    for item in range(len(partners)):
        came_from: dict[int, tuple[int, int | None]] = {}
        queue: list[tuple[int, int | None]] = [(item, None)]
        free = None
        while queue and free is None:
            current, through = queue.pop(0)
            for place in partners[current]:
                if place in came_from:
                    continue
                came_from[place] = (current, through)
                if place not in holder:
                    free = place
                    break
                queue.append((holder[place], place))
        while free is not None:
            current, through = came_from[free]
            holder[free] = current
            free = through
    return len(holder)


def best_share(n_items: int, answers: Sequence[str], is_same: ItemMatch, *, ordered: bool) -> Fraction:
    """Matched items over the longer list's length, for the reading of the answer that gives most."""
    best = Fraction(0)
    for answer in answers:
        for items in _readings(answer):
            n_matched = matched_items(n_items, items, is_same, ordered=ordered)
            best = max(best, Fraction(n_matched, max(n_items, len(items))))
            if best == 1:
                return best
    return best


def _readings(answer: str) -> list[tuple[str, ...]]:
    """Item lists that a text may stand for: with and without "and" as separator, and as a range."""
    found = [read_listing(answer).items, read_listing(answer, split_and=False).items]
    span = read_range(answer)
    if span:
        found.append(span)
    found.append(tuple(part.strip() for part in answer.strip("()[]{} ").split(",")[:MAX_ITEMS] if part.strip()))
    return [items for items in dict.fromkeys(found) if items]


def names_each_once(references: Sequence[str], answer: str) -> bool:
    """Whether an answer holds every reference item's words once and nothing else, separators or not.

    >>> names_each_once(["red", "light blue"], "light blue red"), names_each_once(["red", "blue"], "red red blue")
    (True, False)
    """
    words = [word for word in text_words(answer.strip("[](){}")) if word != "and"]
    for item in sorted(references, key=len, reverse=True):
        wanted = list(text_words(item))
        at = _find(words, wanted)
        if at is None:
            return False
        words[at : at + len(wanted)] = ["\x00"]
    return all(word == "\x00" for word in words)


def _find(words: list[str], wanted: list[str]) -> int | None:
    if not wanted or len(words) > 2_000:
        return None
    for at in range(len(words) - len(wanted) + 1):
        if words[at : at + len(wanted)] == wanted:
            return at
    return None
