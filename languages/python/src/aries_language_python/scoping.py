"""Scopes of a file: which stretch of text belongs to which, and what a name means in each."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import repeat
from typing import Generic, TypeVar

from attrs import define, field

__all__ = ["HIDDEN", "MODULE", "Binding", "Scope", "Scopes", "Stretches"]

MODULE = 0
"""The scope of the file itself."""

Value = TypeVar("Value")

Binding = tuple[str, int]
"""`("symbol", place)`, `("import", place)`, `("self", place of the class)`, or `HIDDEN`."""

HIDDEN: Binding = ("", -1)
"""A parameter or a variable: what the name means is not known from the text."""


@define
class Scope:
    """A body with names of its own."""

    kind: str
    """`module`, `class`, `function`, `lambda`, `comprehension`."""
    parent: int
    symbol: int = -1
    """Place of the symbol whose body it is; of the one around it for a lambda or a comprehension."""
    names: dict[bytes, list[Binding]] = field(factory=dict)
    outer: frozenset[bytes] = frozenset()
    """Names that belong to a scope further out: `global`, `nonlocal`."""


class Scopes:
    """All scopes of a file. The first is the module's."""

    def __init__(self) -> None:
        self.all = [Scope("module", -1)]

    def add(self, scope: Scope) -> int:
        """Its place."""
        self.all.append(scope)
        return len(self.all) - 1

    def bind(self, name: bytes, place: int, binding: Binding) -> None:
        """Say what a name means in a scope. A definition or an import stands against a variable of the same name."""
        scope = self.all[place]
        if name in scope.outer:
            return
        known = scope.names.get(name)
        if known is None:
            scope.names[name] = [binding]
        elif binding not in known:
            known.append(binding)

    def bind_walrus(self, name: bytes, place: int) -> None:
        """`:=` binds in the function around a comprehension."""
        while self.all[place].kind == "comprehension":
            place = self.all[place].parent
        if self.all[place].kind != "module":
            self.bind(name, place, HIDDEN)

    def known_names(self) -> set[bytes]:
        """Names that mean something in some scope; asked before parameters and variables are bound."""
        names: set[bytes] = set()
        return names.union(*(scope.names for scope in self.all))

    def nested_names(self) -> set[bytes]:
        """Names that mean something of their own in some scope of the file other than the module's."""
        names: set[bytes] = set()
        return names.union(*(scope.names for scope in self.all[MODULE + 1 :]))

    def find(self, name: bytes, place: int) -> Sequence[Binding]:
        """What a name means where it stands; empty where nothing in the file says so."""
        scope = self.all[place]
        found = scope.names.get(name)
        while found is None:
            place = scope.parent
            if place < 0:
                return ()
            scope = self.all[place]
            # Names of a class are seen in its body, not in its methods.
            if scope.kind != "class":
                found = scope.names.get(name)
        if HIDDEN in found:
            return [binding for binding in found if binding is not HIDDEN]
        return found


class Stretches(Generic[Value]):
    """Text cut into stretches: the value of the innermost of nested spans at each place."""

    def __init__(self, spans: list[tuple[int, int, Value]], outside: Value) -> None:
        """`spans`: start, end and value, nested or apart, sorted by start, the outer one first."""
        self.starts, self.values = [0], [outside]
        starts, values = self.starts, self.values
        waiting = [(sys.maxsize, outside)]
        for start, end, value in [*spans, (sys.maxsize - 1, 0, outside)]:
            while waiting[-1][0] <= start:
                starts.append(waiting.pop()[0])
                values.append(waiting[-1][1])
            starts.append(start)
            values.append(value)
            waiting.append((end, value))

    def of(self, places: Sequence[int]) -> list[Value]:
        """The value of the innermost span at each of many places."""
        shifted = [self.values[0], *self.values]
        return list(map(shifted.__getitem__, map(bisect_right, repeat(self.starts), places)))

    def at(self, place: int) -> Value:
        """The value of the innermost span."""
        return self.values[bisect_right(self.starts, place) - 1]
