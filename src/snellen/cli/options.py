"""Option types that several verbs share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click


class KeyValue(click.ParamType[list[tuple[str, Any]]]):
    """KEY=VALUE; the value is text, or JSON where that is asked for (a bare word that is no JSON stays text)."""

    name = "key=value"

    def __init__(self, *, is_json: bool = False, is_list: bool = False) -> None:
        self.is_json = is_json
        self.is_list = is_list

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[tuple[str, Any]]:
        """Split at the first "="; a comma separates several pairs where a list is taken."""
        pairs = _split(value) if self.is_list else [value]
        return [self._pair(pair, param, ctx) for pair in pairs]

    def _pair(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        key, equals, rest = text.partition("=")
        if not equals or not key.strip():
            self.fail(f"expected KEY=VALUE, got {text!r}", param, ctx)
        if not self.is_json:
            return key.strip(), rest
        try:
            return key.strip(), json.loads(rest)
        except (ValueError, RecursionError) as error:
            if rest.lstrip().startswith(("{", "[", '"')):
                self.fail(f"{key.strip()} is no JSON ({error}): {rest!r}", param, ctx)
            return key.strip(), rest


def _split(text: str) -> list[str]:
    """At commas that are followed by another KEY=, so that a value may hold a comma."""
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and "=" not in piece:
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    return pieces


def as_mapping(groups: Iterable[list[tuple[str, Any]]]) -> dict[str, Any]:
    """Pairs of a repeated option as one mapping; the last of a name wins."""
    return {key: value for group in groups for key, value in group}


KEY_VALUE = KeyValue(is_list=True)
HEADER = KeyValue()
"""A header's value may hold commas."""
JSON_VALUE = KeyValue(is_json=True)
