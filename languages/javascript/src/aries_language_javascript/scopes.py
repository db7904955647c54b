"""Which names are known where: scopes as intervals of the text."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from aries_language_javascript.file import File
    from aries_language_javascript.outline import Entry

__all__ = ["HIDDEN", "Names", "Scopes"]

HIDDEN = (-1, -1)
"""What a name stands for that is a parameter or a local variable."""

Meaning = tuple[int, int]
"""A symbol, or an import: the place of one of them, -1 for the other."""


class Scopes:
    """The scopes of a file, outer ones first; the first is the file itself."""

    def __init__(self, file: File) -> None:
        # Enough for the sort: a function before the block that it begins with, an outer scope before an inner one.
        found = [
            (node.start_byte, -node.end_byte, is_function)
            for capture, is_function in (("function", 1), ("closure", 1), ("arrow", 1), ("block", 0), ("class", 0))
            for node in file.nodes(capture)
        ]
        found.sort()
        self.starts = [-1]
        self.ends = [len(file.source) + 1]
        self.parents = [0]
        self.is_function = [1]
        current = 0
        for start, end, is_function in found:
            while self.ends[current] <= start:
                current = self.parents[current]
            self.starts.append(start)
            self.ends.append(-end)
            self.parents.append(current)
            self.is_function.append(is_function)
            current = len(self.starts) - 1

    def at(self, place: int) -> int:
        """The innermost scope that holds a place."""
        scope = bisect_right(self.starts, place) - 1
        while self.ends[scope] <= place:
            scope = self.parents[scope]
        return scope

    def around(self, start: int, end: int) -> int:
        """The innermost scope that holds a node and is not that node."""
        scope = self.at(start)
        while scope and self.starts[scope] == start and self.ends[scope] <= end:
            scope = self.parents[scope]
        return scope

    def function(self, scope: int) -> int:
        """The function that a scope belongs to, or the file."""
        while not self.is_function[scope]:
            scope = self.parents[scope]
        return scope


@define(eq=False)
class Names:
    """What each name means, in each scope that says something of it. Types and values have names of their own."""

    file: File
    entries: list[Entry]
    bindings: dict[int, int]
    """Places of imports in the text, and in the list of imports."""
    known: set[bytes] = field(init=False, factory=set)
    """Names that can mean anything at all: of symbols and imports."""
    nested: set[bytes] = field(init=False, factory=set)
    """Those of them that mean something else in some scope than in the file."""
    _scopes: Scopes | None = field(init=False, default=None)
    _values: dict[tuple[int, bytes], Meaning] = field(init=False, factory=dict)
    _types: dict[tuple[int, bytes], Meaning] = field(init=False, factory=dict)
    _hoisted: set[int] | None = field(init=False, default=None)
    _patterns: list[tuple[int, int]] = field(init=False, factory=list)
    _memo: dict[tuple[int, bytes, bool], Meaning | None] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.known.update(entry.made.binds for entry in self.entries)
        self.known.update(entry.made.inner for entry in self.entries)
        self.known.update(binding.name for binding in self.file.bindings)
        self.known.discard(b"")
        if self.known:
            self._declare_imports()
            self._declare_symbols()
            self._declare_locals()

    @property
    def scopes(self) -> Scopes:
        """Made when the first name turns out to be declared inside something; many files have none."""
        if self._scopes is None:
            self._scopes = Scopes(self.file)
        return self._scopes

    def value(self, name: bytes, place: int) -> Meaning | None:
        """What a name means as a value at a place; None for nothing that the file says."""
        if name not in self.nested:
            return self._values.get((0, name))
        return self._climb(name, place, is_type=False)

    def type(self, name: bytes, place: int) -> Meaning | None:
        """What a name means as a type at a place."""
        if name not in self.nested:
            return self._types.get((0, name))
        return self._climb(name, place, is_type=True)

    def of_file(self, name: bytes) -> Meaning | None:
        """What a name means in the file itself: what `export { name }` hands out."""
        return self._values.get((0, name)) or self._types.get((0, name))

    def _climb(self, name: bytes, place: int, *, is_type: bool) -> Meaning | None:
        start = scope = self.scopes.at(place)
        if (start, name, is_type) in self._memo:
            return self._memo[start, name, is_type]
        table = self._types if is_type else self._values
        found = table.get((scope, name))
        while found is None and scope:
            scope = self.scopes.parents[scope]
            found = table.get((scope, name))
        self._memo[start, name, is_type] = found
        return found

    def _say(self, scope: int, name: bytes, meaning: Meaning, *, is_value: bool, is_type: bool) -> None:
        if scope:
            self.nested.add(name)
        if is_value:
            self._values.setdefault((scope, name), meaning)
        if is_type:
            self._types.setdefault((scope, name), meaning)

    def _declare_imports(self) -> None:
        for binding in self.file.bindings:
            scope = 0 if binding.scope is None else self._scope(*binding.scope, may_be_var=True)
            self._say(scope, binding.name, (-1, self.bindings[binding.place]), is_value=True, is_type=True)

    def _declare_symbols(self) -> None:
        # An implementation, or a declaration, is meant rather than the signatures before it.
        for is_overload in (False, True):
            for entry in self.entries:
                made = entry.made
                if made.binds and ("overload" in made.modifiers) == is_overload:
                    may_be_var = made.kind in ("variable", "constant", "function", "class")
                    scope = self._scope(*made.scope, may_be_var=may_be_var)
                    self._say(scope, made.binds, (made.place, -1), is_value=made.is_value, is_type=made.is_type)
                if made.inner and not is_overload:
                    scope = self.scopes.at(made.inner_scope[0])
                    self._say(scope, made.inner, (made.place, -1), is_value=True, is_type=made.is_type)

    def _declare_locals(self) -> None:
        file, known = self.file, self.known
        source, placed = file.source, file.placed
        assigned = _intervals(file.nodes("assigned"))
        for node in file.nodes("local"):
            start = node.start_byte
            name = source[start : node.end_byte]
            if name in known and start not in placed and not (assigned and _holds(assigned, start)):
                placed.add(start)
                scope = self.scopes.at(start)
                if self._is_var(start):
                    scope = self.scopes.function(scope)
                self._say(scope, name, HIDDEN, is_value=True, is_type=False)
        for node in file.nodes("parameter"):
            start = node.start_byte
            name = source[start : node.end_byte]
            placed.add(start)
            if name in known:
                self._say(self.scopes.at(start), name, HIDDEN, is_value=False, is_type=True)

    def _scope(self, start: int, end: int, *, may_be_var: bool) -> int:
        """Where a name is known that the node between two places declares."""
        if start in self.file.top:
            return 0
        scope = self.scopes.around(start, end)
        return self.scopes.function(scope) if scope and may_be_var and self._is_var(start) else scope

    def _is_var(self, place: int) -> bool:
        """Whether `var` declares what begins at a place."""
        if self._hoisted is None:
            names = [name for node in self.file.nodes("hoisted") for name in _declared(node)]
            self._hoisted = {name.start_byte for name in names if not name.type.endswith("_pattern")}
            self._patterns = _intervals([name for name in names if name.type.endswith("_pattern")])
        return place in self._hoisted or _holds(self._patterns, place)


def _declared(node: Node) -> list[Node]:
    """The names and patterns of a declaration with `var`; of a loop it is the name itself."""
    if node.type != "variable_declaration":
        return [node]
    names = (child.child_by_field_name("name") for child in node.named_children if child.type == "variable_declarator")
    return [name for name in names if name is not None]


def _intervals(nodes: Sequence[Node]) -> list[tuple[int, int]]:
    """Starts and ends of nodes in order, without those that stand in another one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((node.start_byte, node.end_byte) for node in nodes):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def _holds(intervals: list[tuple[int, int]], place: int) -> bool:
    index = bisect_right(intervals, place, key=_start) - 1
    return index >= 0 and place < intervals[index][1]


def _start(interval: tuple[int, int]) -> int:
    return interval[0]
