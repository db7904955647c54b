"""Binding the references of one file to the definitions they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from attrs import define, field

from aries_body.binding.interface import Resolved, Way, way_of
from aries_body.binding.names import Key, Meaning, Names
from aries_body.index.facts import Facts
from aries_kernel.contracts import Reference

__all__ = ["Bound", "Edge", "Use", "bind"]


_Found = tuple[str, str, bool, bool]
"""File, symbol, whether all names could be followed, whether by another file than the imported one."""


class Use(NamedTuple):
    """A reference that was bound."""

    line: int
    kind: str
    inside: str
    """Qualified name of the innermost symbol it stands in; empty for the file itself."""
    file: str
    symbol: str
    """Qualified name of what is meant; empty for the file as a whole."""
    is_indirect: bool
    """By a re-export, a base class or a declaration: the import leads to another file than the definition."""


Row = tuple[int, str, str, str, str, bool]
"""A `Use` as it is stored: a repository has them by the hundred thousand, and most are never looked at."""


class Edge(NamedTuple):
    """What leads from a file to another one, summed up for one kind."""

    target: str
    is_import: bool
    kind: str
    times: int
    weight: float
    """As `times`, but an import that leads to many files counts one for all of them together."""


class Bound(NamedTuple):
    """A file with its references bound."""

    uses: tuple[Row, ...]
    edges: tuple[Edge, ...]
    leads: tuple[tuple[str, ...], ...]
    """For each import the files that it means, submodules included."""
    trace: dict[str, tuple[str, ...]]
    """Every question that was asked of other files and of this one, by path: while their answers stay, so does this."""


def bind(path: str, facts: Facts, where: Sequence[Resolved], names: Names) -> Bound:
    """`where`: where each import of the file leads."""
    binding = _Binding(path, facts, names)
    ways = [way_of(item, place) for item, place in zip(facts.imports, where, strict=True)]
    leads = tuple(
        place.files if way is None else names.targets(path, way, binding.keys)
        for way, place in zip(ways, where, strict=True)
    )
    uses = tuple(binding.rows(ways, leads))
    trace: dict[str, set[str]] = {}
    for file, key in binding.keys:
        trace.setdefault(file, set()).add(key)
    ordered = {file: tuple(sorted(trace[file])) for file in sorted(trace)}
    return Bound(uses, _edges(path, facts, leads, uses), leads, ordered)


@define
class _Binding:
    """The references of one file, while they are bound."""

    path: str
    facts: Facts
    names: Names
    keys: list[Key] = field(factory=list)

    def rows(self, ways: Sequence[Way | None], leads: Sequence[tuple[str, ...]]) -> list[Row]:
        """References that mean something in the project."""
        symbols = self.facts.symbols
        known: dict[tuple[int, int, str, str], _Found | None] = {}
        rows: list[Row] = []
        for reference in self.facts.references:
            line, kind, root, trail, symbol, binding, inside = reference
            # The root itself tells apart only what is neither a symbol nor imported, and `super`.
            question = (symbol, binding, root if binding < 0 and (symbol < 0 or root == "super") else "", trail)
            try:
                found = known[question]
            except KeyError:
                found = known[question] = self._meant(reference, ways, leads)
            if found is not None:
                file, qualified, is_exact, is_indirect = found
                within = symbols[inside].qualified if inside >= 0 else ""
                # An attribute of its own that a class nowhere defines says nothing of the class.
                if not is_exact and file == self.path and f"{within}.".startswith(f"{qualified}."):
                    continue
                rows.append((line, kind if is_exact else "use", within, file, qualified, is_indirect))
        return rows

    def _meant(
        self, reference: Reference, ways: Sequence[Way | None], leads: Sequence[tuple[str, ...]]
    ) -> _Found | None:
        start: Meaning | None = None
        direct: Collection[str] = (self.path,)
        if reference.symbol >= 0:
            start = Meaning((self.path,), self.facts.symbols[reference.symbol].qualified)
        elif reference.binding >= 0:
            way, direct = ways[reference.binding], leads[reference.binding]
            start = None if way is None else self.names.follow(way, self.keys)
        else:
            start = self.names.unbound(self.path, reference.root, self.keys)
            if start is not None:
                direct = self.names.wide(self.path)
        if start is None:
            return None
        is_super = reference.symbol >= 0 and reference.root == "super"
        found, is_exact = self.names.walk(start, reference.path, self.keys, only_bases=is_super)
        # One name in a package of many files, which none of them has, says nothing of any of them.
        if len(found.files) != 1 or (found.files[0] == self.path and not found.qualified):
            return None
        # A name of a class that neither it nor its bases have says nothing of the bases.
        if is_super and not is_exact:
            return None
        file = found.files[0]
        return file, found.qualified, is_exact, file != self.path and file not in direct


def _edges(path: str, facts: Facts, leads: Sequence[tuple[str, ...]], uses: Sequence[Row]) -> tuple[Edge, ...]:
    counts: dict[tuple[str, bool, str], tuple[int, float]] = {}
    for item, files in zip(facts.imports, leads, strict=True):
        for file in files:
            if file != path:
                count, weight = counts.get((file, True, item.kind), (0, 0.0))
                counts[file, True, item.kind] = count + 1, weight + 1.0 / len(files)
    for (file, kind), times in Counter((use[3], use[1]) for use in uses).items():
        if file != path:
            counts[file, False, kind] = times, float(times)
    return tuple(Edge(*key, *counts[key]) for key in sorted(counts))
