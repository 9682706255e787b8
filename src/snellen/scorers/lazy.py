"""Rules that are imported when they are first called, so that the whole table costs nothing to look at."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


class RuleModule:
    """A module of rules: its attributes are rules, not yet imported."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, rule: str) -> Rule:
        if rule.startswith("__"):
            raise AttributeError(rule)
        return Rule(self._name, rule)


class Rule:
    """One rule by module and name; calling it imports the module. Can be sent to another process."""

    __slots__ = ("_function", "module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name
        self._function: Callable[..., Any] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Apply the rule."""
        if self._function is None:
            self._function = self.resolve()
        return self._function(*args, **kwargs)

    def resolve(self) -> Callable[..., Any]:
        """The function itself."""
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.name)
        return function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and (self.module, self.name) == (other.module, other.name)

    def __hash__(self) -> int:
        return hash((self.module, self.name))

    def __repr__(self) -> str:
        return f"<rule {self.module}.{self.name}>"

    def __reduce__(self) -> tuple[type[Rule], tuple[str, str]]:
        return Rule, (self.module, self.name)
